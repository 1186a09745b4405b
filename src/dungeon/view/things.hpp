#pragma once

#include <knossos/dungeon/level.hpp>
#include <knossos/render/picture.hpp>

namespace knossos::dungeon {

/// A cell in which something is drawn.
struct Spot {
    render::Point centre{};
    double cell = 0.0;
    bool upright = false; ///< whether one walks through it from top to bottom
};

/// Whether one walks through a cell from top to bottom, rather than from side to side.
bool is_upright(const Level& level, std::size_t cell);

/// Draws a thing into its cell, with its detail if the cell is large enough and else as a mark.
void add_thing(render::Picture& picture, const Spot& spot, Tile tile, const render::Theme& theme);

} // namespace knossos::dungeon
