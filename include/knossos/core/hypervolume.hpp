#pragma once

#include <knossos/core/record.hpp>

#include <span>
#include <vector>

namespace knossos {

/// The share of the space between the worst and the best ends of all objectives' ranges that a front of
/// records dominates, 0 to 1: one number that grows as the front gets nearer to the best, and wider. Values
/// outside their range count as its end. Records that miss what must hold are for the caller to leave out.
/// E. Zitzler, L. Thiele: "Multiobjective optimization using evolutionary algorithms: a comparative case
/// study", 1998; worked out as by L. While, L. Bradstreet, L. Barone: "A fast way of calculating exact
/// hypervolumes", 2012.
double hypervolume(const Schema& schema, std::span<const std::span<const double>> front);

} // namespace knossos
