#pragma once

#include "device/kernels.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace knossos::device {

/// The finds of one island that a launch of the kernel `duel` has room for.
constexpr std::uint32_t duel_finds = 8;

/// Its kernels, in the order of `walk_kernels`: each lets individuals go through a whole generation by
/// themselves, one in a work item.
std::string walk_source(const Variation& variation, const DeviceKernel& evaluation);
constexpr std::array<std::string_view, 3> walk_kernels{"duel", "anneal", "gather"};

/// Which draws let annealing take a mutant that is worse by 1, 2, … of fitness, where a fitness of `scale`
/// counts 1: of each two numbers, the first says that draws of k · 2⁻⁵³ below it do not and those `near`
/// beyond it do, the second, bit by bit, which of those in between do. So whole numbers are enough to decide
/// as the processor does. It ends before those that no draw is enough for, at the latest after `most`.
std::vector<std::uint64_t> chances(double temperature, double scale, std::size_t most);
constexpr std::uint64_t near_chance = 16;

} // namespace knossos::device
