#include "dungeon/digging.hpp"

#include <algorithm>

namespace knossos::dungeon {

void dig_rectangle(Level& level, const Rectangle& room) {
    for (std::uint32_t y = room.y; y < room.y + room.height; ++y)
        for (std::uint32_t x = room.x; x < room.x + room.width; ++x) dig_cell(level, x, y);
}

void dig_corridor(Level& level, std::uint32_t from_x, std::uint32_t from_y, std::uint32_t to_x,
                  std::uint32_t to_y, bool row_first) {
    const auto along_row = [&](std::uint32_t y) {
        for (std::uint32_t x = std::min(from_x, to_x); x <= std::max(from_x, to_x); ++x)
            dig_cell(level, x, y);
    };
    const auto along_column = [&](std::uint32_t x) {
        for (std::uint32_t y = std::min(from_y, to_y); y <= std::max(from_y, to_y); ++y)
            dig_cell(level, x, y);
    };
    along_row(row_first ? from_y : to_y);
    along_column(row_first ? to_x : from_x);
}

std::size_t mark_connected(const Level& level, std::size_t from, std::vector<std::uint8_t>& marks,
                           std::vector<std::uint32_t>& queue) {
    queue.assign(1, static_cast<std::uint32_t>(from));
    marks[from] = 1;
    for (std::size_t at = 0; at < queue.size(); ++at)
        for_each_beside(level, queue[at], [&](std::size_t next) {
            if (marks[next] != 0 || level.cells[next] == Tile::rock) return;
            marks[next] = 1;
            queue.push_back(static_cast<std::uint32_t>(next));
        });
    return queue.size();
}

} // namespace knossos::dungeon
