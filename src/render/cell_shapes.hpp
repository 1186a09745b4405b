#pragma once

#include <knossos/render/picture.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace knossos::render {

/// Where cells lie in a picture.
struct CellLayout {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    double cell = 1.0;
    Point origin{};

    [[nodiscard]] Point corner(double x, double y) const {
        return {origin.x + x * cell, origin.y + y * cell};
    }
    [[nodiscard]] Point centre(std::uint32_t x, std::uint32_t y) const { return corner(x + 0.5, y + 0.5); }
};

/// The border between open cells and rock, as closed contours that pass each side of a cell at most once, so
/// that the even-odd rule fills either side of it. Corners of rock that point outwards are rounded; rock that
/// touches at a corner stays joined, as nobody can pass there. `open` holds a value per cell, row by row;
/// beyond the edge is rock.
Path rock_border(const std::vector<bool>& open, const CellLayout& layout, double radius);

/// A line from cell to cell that turns in quarter circles.
Path smooth_line(std::span<const Point> centres, double cell);

/// Little triangles along a line of cells that point the way, on straight stretches and not too near each
/// other.
Path arrows(std::span<const Point> centres, double cell, double size);

/// Walls between cells, as few lines as will do. `wall_east(x, y)` tells of the wall between a cell and the
/// next one to the right, `wall_south` of the one below.
Path wall_lines(const CellLayout& layout,
                const std::function<bool(std::uint32_t x, std::uint32_t y)>& wall_east,
                const std::function<bool(std::uint32_t x, std::uint32_t y)>& wall_south);

/// Diagonal lines across one cell that go on in its neighbours.
void add_hatch(Path& path, Point corner, double cell);

/// A doorway with a round top, to be stroked, and a flight of steps, to be filled; both in a square around a
/// centre.
Path arch(Point centre, double size);
Path stair(Point centre, double size);

} // namespace knossos::render
