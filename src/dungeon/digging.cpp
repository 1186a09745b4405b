#include "dungeon/digging.hpp"

namespace knossos::dungeon {

void dig_rectangle(Level& level, const Rectangle& room) {
    levels::for_each_in(room, [&](std::uint32_t x, std::uint32_t y) { dig_cell(level, x, y); });
}

void dig_corridor(Level& level, std::uint32_t from_x, std::uint32_t from_y, std::uint32_t to_x,
                  std::uint32_t to_y, bool row_first) {
    levels::for_each_along(from_x, from_y, to_x, to_y, row_first,
                           [&](std::uint32_t x, std::uint32_t y) { dig_cell(level, x, y); });
}

std::size_t mark_connected(const Level& level, std::size_t from, std::vector<std::uint8_t>& marks,
                           std::vector<std::uint32_t>& queue) {
    const auto is_open = [&](std::size_t cell) { return level.cells[cell] != Tile::rock; };
    return levels::mark_connected(level, from, is_open, marks, queue);
}

} // namespace knossos::dungeon
