#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace knossos {

/// Sums of whole numbers, exact, and the ends of their range.
struct WholeSums {
    std::int64_t sum = 0;
    std::int64_t squares = 0;
    double lowest = 0.0;
    double highest = 0.0;
};

/// The sums of at least one value; nothing if one of them is not whole, or the squares add up to 2⁵² or more,
/// where sums might be rounded. The same whichever way they are added up, and a zero has no sign.
[[nodiscard]] std::optional<WholeSums> whole_sums(std::span<const double> values);
/// The same without their range, which is left at 0.
[[nodiscard]] std::optional<WholeSums> whole_sums_alone(std::span<const double> values);

/// The sum of some of the values, from the first to the last.
[[nodiscard]] double sum_of_some(std::span<const double> values, std::span<const std::uint32_t> which);

} // namespace knossos
