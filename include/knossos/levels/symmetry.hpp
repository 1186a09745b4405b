#pragma once

#include <knossos/core/fields.hpp>
#include <knossos/levels/drawing.hpp>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace knossos::levels {

/// Which cells of a level must be alike: mirrored left-right, top-bottom or both, or turned by half a turn
/// or, on square grids, by a quarter. Middle rows, columns and cells of odd sizes are their own images.
enum class Symmetry : unsigned char { none, left_right, top_bottom, both, rotation, quarter_rotation };

std::string_view to_string(Symmetry symmetry);

/// All images of a cell under the symmetry, itself first, repeated where they coincide.
std::vector<Cell> images(Symmetry symmetry, std::uint32_t width, std::uint32_t height, Cell cell);

/// For each cell in reading order the first of its images, which decides about all of them; empty without a
/// symmetry.
std::vector<std::uint32_t> rulers(Symmetry symmetry, std::uint32_t width, std::uint32_t height);

} // namespace knossos::levels

namespace knossos {
template <>
struct EnumNames<levels::Symmetry> {
    static constexpr std::array<std::string_view, 6> names{"none", "left-right", "top-bottom",
                                                           "both", "rotation",   "quarter-rotation"};
};
} // namespace knossos
