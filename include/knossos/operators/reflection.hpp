#pragma once

#include <knossos/core/genome.hpp>

#include <algorithm>
#include <cmath>

namespace knossos {

/// A value that may have left the bounds, thrown back at them as often as it takes: what is past an end by d
/// comes to lie d before it.
inline double reflected(double value, const Bounds& bounds) {
    if (bounds.contains(value)) return value;
    const bool is_below = value < bounds.low;
    const double end = is_below ? bounds.low : bounds.high;
    const double width = bounds.width();
    const double past = std::abs(value - end);
    if (!(width > 0.0) || !std::isfinite(past)) return end;
    const double folded = std::fmod(past, 2.0 * width); // exact, on every system
    const double back = std::min(folded, 2.0 * width - folded);
    return std::clamp(is_below ? end + back : end - back, bounds.low, bounds.high);
}

} // namespace knossos
