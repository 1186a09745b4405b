#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

/// What those who dig in a level have in common, whatever its cells are.
namespace knossos::levels {

struct Rectangle {
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    std::uint32_t width = 0;
    std::uint32_t height = 0;

    [[nodiscard]] std::uint32_t middle_x() const { return x + width / 2; }
    [[nodiscard]] std::uint32_t middle_y() const { return y + height / 2; }
};

/// Above so many cells there is room for places that lie apart, and without a layout a level would be one
/// open field. Long and narrow ones have no room for a grid of places.
inline constexpr std::size_t large_area = 500;
inline bool is_large(std::uint32_t width, std::uint32_t height) {
    return std::size_t{width} * height > large_area && std::min(width, height) >= 20;
}

/// A level as a grid of fields, each with room for one place, so that all of it is used and ways are short.
struct FieldGrid {
    std::uint32_t width;
    std::uint32_t height;
    std::uint32_t columns;
    std::uint32_t rows;

    /// Fields have at least so many cells in a row and a column.
    FieldGrid(std::uint32_t level_width, std::uint32_t level_height, std::uint32_t wide, std::uint32_t high)
        : width{level_width}, height{level_height}, columns{std::max(1U, level_width / wide)},
          rows{std::max(1U, level_height / high)} {}
    [[nodiscard]] std::uint32_t count() const { return columns * rows; }
    [[nodiscard]] Rectangle field(std::uint32_t index) const {
        const std::uint32_t x = index % columns;
        const std::uint32_t y = index / columns;
        const std::uint32_t left = x * width / columns;
        const std::uint32_t top = y * height / rows;
        return {left, top, (x + 1) * width / columns - left, (y + 1) * height / rows - top};
    }
};

/// Calls dig(x, y) for each cell of a room.
template <class Dig>
void for_each_in(const Rectangle& room, Dig dig) {
    for (std::uint32_t y = room.y; y < room.y + room.height; ++y)
        for (std::uint32_t x = room.x; x < room.x + room.width; ++x) dig(x, y);
}

/// Calls dig(x, y) along a corridor with one bend: first along the row, or first along the column.
template <class Dig>
void for_each_along(std::uint32_t from_x, std::uint32_t from_y, std::uint32_t to_x, std::uint32_t to_y,
                    bool row_first, Dig dig) {
    const std::uint32_t row = row_first ? from_y : to_y;
    const std::uint32_t column = row_first ? to_x : from_x;
    for (std::uint32_t x = std::min(from_x, to_x); x <= std::max(from_x, to_x); ++x) dig(x, row);
    for (std::uint32_t y = std::min(from_y, to_y); y <= std::max(from_y, to_y); ++y) dig(column, y);
}

/// Calls visit(neighbour) for the up to four cells beside one. `Cells` has a width, an area() and x_of().
template <class Cells, class Visit>
void for_each_beside(const Cells& cells, std::size_t cell, Visit visit) {
    const std::uint32_t x = cells.x_of(cell);
    if (cell >= cells.width) visit(cell - cells.width);
    if (x > 0) visit(cell - 1);
    if (x + 1 < cells.width) visit(cell + 1);
    if (cell + cells.width < cells.area()) visit(cell + cells.width);
}

/// Marks the cells that hang together with one by what is_open(cell) says, and counts them.
template <class Cells, class IsOpen>
std::size_t mark_connected(const Cells& cells, std::size_t from, IsOpen is_open,
                           std::vector<std::uint8_t>& marks, std::vector<std::uint32_t>& queue) {
    queue.assign(1, static_cast<std::uint32_t>(from));
    marks[from] = 1;
    for (std::size_t at = 0; at < queue.size(); ++at)
        for_each_beside(cells, queue[at], [&](std::size_t next) {
            if (marks[next] != 0 || !is_open(next)) return;
            marks[next] = 1;
            queue.push_back(static_cast<std::uint32_t>(next));
        });
    return queue.size();
}

} // namespace knossos::levels
