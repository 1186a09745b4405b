#pragma once

#include <knossos/algorithms/island.hpp>

#include <cstdint>

namespace knossos {

__extension__ using WideInteger = __int128;

/// What one generation looked like, over all islands. The seconds are the only value that may differ between
/// two runs of the same settings and seed.
struct Statistics {
    std::uint64_t generation = 0;
    std::uint64_t evaluations = 0; ///< since the start of the run
    std::uint64_t steps = 0;       ///< what the algorithm counts in a unit of its own, of all islands
    double best = 0.0;             ///< of the current populations
    double mean = 0.0;
    double worst = 0.0;
    double deviation = 0.0; ///< standard deviation of the fitness
    double diversity = 0.0; ///< mean share of positions in which two sampled individuals differ, 0..1
    double best_ever = 0.0;
    /// What targets and studies look at: best_ever, or, with several objectives that have ranges, the largest
    /// hypervolume that the front of an island has had.
    double merit = 0.0;
    double violation = 0.0; ///< by how much the best ever misses what must hold; 0 where that is the fitness
    double worst_violation = 0.0; ///< by how much the worst of the current individuals does
    double feasible = 1.0;        ///< share of the current individuals for which everything holds
    /// How much better than all the parents of this generation were, in standard deviations of the fitness;
    /// of several islands the mean. Not part of the digest.
    double selection_intensity = 0.0;
    double seconds = 0.0;
    // Of runs that keep an archive: the mean of the islands, at migrations that of all together; else 0.
    double coverage = 0.0; ///< share of the cells that are filled
    double qd_score = 0.0; ///< what the elites are worth together, each from 0 to 1
};

/// Fitness moments of one island that can be merged with those of others in island order, whoever computed
/// them. Of whole numbers they are exact sums, so that no order of adding can matter.
struct Moments {
    std::uint64_t count = 0;
    std::uint64_t whole = 0; ///< 1 if sum and sum_of_squares are exact, and mean and squares follow from them
    double mean = 0.0;
    double squares = 0.0; ///< sum of squared differences from the mean
    WideInteger sum = 0;
    WideInteger sum_of_squares = 0;
    Quality best{};
    Quality worst{};
    double distance = 0.0; ///< sum of the sampled pairs' differing shares
    std::uint64_t pairs = 0;
    std::uint64_t feasible = 0; ///< individuals for which everything holds
};

Moments moments_of(const Island& island, const Schema& schema, std::uint32_t diversity_pairs);
Moments merge(const Moments& a, const Moments& b, Objective objective);
/// The same without what follows from sums, where they are exact: for whoever merges many.
Moments merge_sums(const Moments& a, const Moments& b, Objective objective);
void follow_from_sums(Moments& moments);

/// What a callback and the stop rules see after each generation. Read-only.
struct Status {
    Statistics statistics;
    std::uint64_t stagnation = 0; ///< generations since the last improvement on any island
    bool solved = false;          ///< the problem's target has been reached
};

} // namespace knossos
