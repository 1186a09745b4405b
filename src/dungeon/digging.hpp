#pragma once

#include "levels/digging.hpp"

#include <knossos/dungeon/level.hpp>

#include <cstdint>
#include <vector>

namespace knossos::dungeon {

using levels::for_each_beside;
using levels::Rectangle;

/// Only rock is dug; whatever else lies there stays.
inline void dig_cell(Level& level, std::uint32_t x, std::uint32_t y) {
    Tile& tile = level.cells[std::size_t{y} * level.width + x];
    if (tile == Tile::rock) tile = Tile::floor;
}

void dig_rectangle(Level& level, const Rectangle& room);

/// A corridor with one bend: first along the row, or first along the column.
void dig_corridor(Level& level, std::uint32_t from_x, std::uint32_t from_y, std::uint32_t to_x,
                  std::uint32_t to_y, bool row_first);

/// Marks the cells that hang together with one that is not rock, and counts them.
std::size_t mark_connected(const Level& level, std::size_t from, std::vector<std::uint8_t>& marks,
                           std::vector<std::uint32_t>& queue);

} // namespace knossos::dungeon
