#pragma once

#include <knossos/algorithms/island.hpp>

#include <cstddef>
#include <cstdint>

namespace knossos {

/// Evaluations that a child took.
inline std::uint64_t cost_of(const Context& context, const Island& island, std::size_t slot) {
    return island.evaluated[slot] + (context.stages.improve ? island.improvement_costs[slot] : 0);
}

/// Counts the evaluations of the first children in slot order and notes those that belong into the hall of
/// fame.
void account(const Context& context, Island& island, std::size_t children);

} // namespace knossos
