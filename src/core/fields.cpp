#include <knossos/core/error.hpp>
#include <knossos/core/fields.hpp>

#include <fmt/format.h>

#include <cmath>

namespace knossos {

void check_range(std::string_view owner, std::string_view field, double value, double minimum,
                 double maximum) {
    if (value >= minimum && value <= maximum) return;
    const std::string allowed = std::isinf(maximum) ? fmt::format("at least {}", minimum)
                                                    : fmt::format("in {}..{}", minimum, maximum);
    throw InvalidInput{
        fmt::format("{}{}{} is {}; it must be {}", owner, owner.empty() ? "" : ".", field, value, allowed)};
}

} // namespace knossos
