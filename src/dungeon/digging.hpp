#pragma once

#include <knossos/core/random.hpp>
#include <knossos/dungeon/level.hpp>

#include <cstdint>
#include <vector>

namespace knossos::dungeon {

/// What those who dig in a level have in common. Only rock is dug; whatever else lies there stays.
struct Rectangle {
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    std::uint32_t width = 0;
    std::uint32_t height = 0;

    [[nodiscard]] std::uint32_t middle_x() const { return x + width / 2; }
    [[nodiscard]] std::uint32_t middle_y() const { return y + height / 2; }
};

inline void dig_cell(Level& level, std::uint32_t x, std::uint32_t y) {
    Tile& tile = level.cells[std::size_t{y} * level.width + x];
    if (tile == Tile::rock) tile = Tile::floor;
}

void dig_rectangle(Level& level, const Rectangle& room);

/// A corridor with one bend: first along the row, or first along the column.
void dig_corridor(Level& level, std::uint32_t from_x, std::uint32_t from_y, std::uint32_t to_x,
                  std::uint32_t to_y, bool row_first);

/// Calls visit(neighbour) for the up to four cells beside one.
template <class Visit>
void for_each_beside(const Level& level, std::size_t cell, Visit visit) {
    const std::uint32_t x = level.x_of(cell);
    if (cell >= level.width) visit(cell - level.width);
    if (x > 0) visit(cell - 1);
    if (x + 1 < level.width) visit(cell + 1);
    if (cell + level.width < level.area()) visit(cell + level.width);
}

/// Marks the cells that hang together with one that is not rock, and counts them.
std::size_t mark_connected(const Level& level, std::size_t from, std::vector<std::uint8_t>& marks,
                           std::vector<std::uint32_t>& queue);

} // namespace knossos::dungeon
