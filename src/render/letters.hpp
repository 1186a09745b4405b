#pragma once

#include <knossos/render/picture.hpp>

namespace knossos::render {

/// A label as lines of a plain alphabet, for pictures that have no fonts: Latin letters, digits and the signs
/// that stand in charts; anything else leaves a gap.
Stroke lettering(const Label& label);

} // namespace knossos::render
