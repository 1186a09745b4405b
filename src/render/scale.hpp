#pragma once

#include <knossos/render/picture.hpp>

#include <cstdint>
#include <vector>

namespace knossos::render {

/// Room for the colour scale and its numbers.
constexpr double scale_height = 40.0;

/// The cividis scale as a bar with the numbers of its ends below.
void add_scale(Picture& picture, Point corner, double width, std::uint64_t lowest, std::uint64_t highest,
               const Theme& theme);

/// Cells coloured by cividis. `shade` holds 0 to shades − 1 for each cell, row by row, or −1 to leave it.
/// Cells of one colour become one shape of few lines: an SVG with one rectangle each would be large.
void add_shades(Picture& picture, const std::vector<std::int32_t>& shade, std::int32_t shades,
                std::size_t columns, Point origin, double cell);

} // namespace knossos::render
