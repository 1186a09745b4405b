#pragma once

#include <knossos/render/picture.hpp>

#include <string_view>

namespace knossos::render {

/// A label as lines of a plain alphabet, for pictures that have no fonts: Latin letters, digits and the signs
/// that stand in charts; anything else leaves a gap.
Stroke lettering(const Label& label);
/// How wide that is, without the width of its lines.
double lettering_width(std::string_view text, double size);

/// How high capitals stand, as a share of the size of the letters.
inline constexpr double capital_height = 0.72;

/// One sign of that alphabet in size 1, to be stroked: it stands on 0, and the next one goes `advance` to the
/// right.
struct Glyph {
    Path path{};
    double advance = 0.0;
};
Glyph glyph_of(char32_t sign);

} // namespace knossos::render
