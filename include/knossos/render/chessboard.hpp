#pragma once

#include <knossos/render/picture.hpp>
#include <knossos/render/theme.hpp>

#include <cstdint>

namespace knossos::render {

/// Adds the squares of a board, `size` a side, whose upper left corner is given. As in chess, the lower left
/// one is dark.
void add_chessboard(Picture& picture, Point corner, double cell, std::uint32_t size, const Theme& theme);

} // namespace knossos::render
