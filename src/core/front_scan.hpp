#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace knossos {

/// Seats are looked at in vectors: their number is a multiple of this.
constexpr std::size_t seats_together = 8;

/// Looks through the seats of a front for whoever is no worse than a point in every objective; the lower the
/// better. Returns whether there is somebody. If not, adds the seats of all who are no better than the point.
[[nodiscard]] bool find_dominated_seats(std::span<const std::vector<double>> columns,
                                        std::span<const double> point, std::vector<std::uint32_t>& dominated);

/// The least of the values, and whose it is.
double find_least_seats(std::span<const double> values, std::vector<std::uint32_t>& seats);

} // namespace knossos
