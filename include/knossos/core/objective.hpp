#pragma once

#include <limits>

namespace knossos {

enum class Objective : unsigned char { minimise, maximise };

/// Whether fitness a is strictly better than fitness b.
constexpr bool better(Objective objective, double a, double b) {
    return objective == Objective::minimise ? a < b : a > b;
}

/// The value that every real fitness beats.
constexpr double worst_value(Objective objective) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return objective == Objective::minimise ? infinity : -infinity;
}

} // namespace knossos
