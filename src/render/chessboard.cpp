#include <knossos/render/chessboard.hpp>

#include <utility>

namespace knossos::render {

void add_chessboard(Picture& picture, Point corner, double cell, std::uint32_t size, const Theme& theme) {
    const double side = cell * size;
    picture.shapes.emplace_back(Rectangle{corner, side, side, theme.floor, {}});
    // Dark squares are the dashes of one broad line per row, from the lowest up, which keeps the SVG small.
    Stroke dashes{.path = {},
                  .colour = theme.floor_shade,
                  .width = cell,
                  .ends = LineEnd::flat,
                  .dashes = {cell, cell}};
    for (std::uint32_t row = 0; row < size; ++row) {
        const double y = corner.y + (size - 1.0 - row) * cell + cell / 2;
        const double start = corner.x + (row % 2 == 0 ? 0.0 : cell);
        if (start < corner.x + side) dashes.path.move_to({start, y}).line_to({corner.x + side, y});
    }
    picture.shapes.emplace_back(std::move(dashes));
}

} // namespace knossos::render
