#include <knossos/run/status.hpp>

#include <algorithm>

namespace knossos {

namespace {

// Best and worst where individuals have more than a fitness.
void note_extremes(const Population& population, Objective objective, Moments& moments) {
    moments.best = moments.worst = quality_of(population, 0);
    for (std::size_t i = 0; i < population.size(); ++i) {
        const Quality one = quality_of(population, i);
        if (better(objective, one, moments.best)) moments.best = one;
        if (better(objective, moments.worst, one)) moments.worst = one;
        moments.feasible += population.violations()[i] == 0.0 ? 1U : 0U;
    }
}

} // namespace

Moments moments_of(const Island& island, const Schema& schema, std::uint32_t diversity_pairs) {
    const auto fitness = island.current.fitness();
    Moments moments;
    moments.count = fitness.size();
    // Four interleaved sums: a fixed order that still fits vector registers.
    std::array<double, 4> sums{};
    double lowest = fitness[0];
    double highest = fitness[0];
    for (std::size_t i = 0; i < fitness.size(); ++i) {
        sums[i % 4] += fitness[i];
        lowest = std::min(lowest, fitness[i]);
        highest = std::max(highest, fitness[i]);
    }
    moments.mean = ((sums[0] + sums[1]) + (sums[2] + sums[3])) / static_cast<double>(fitness.size());
    std::array<double, 4> squares{};
    for (std::size_t i = 0; i < fitness.size(); ++i) {
        const double difference = fitness[i] - moments.mean;
        squares[i % 4] += difference * difference;
    }
    moments.squares = (squares[0] + squares[1]) + (squares[2] + squares[3]);
    if (schema.plain()) {
        const bool minimise = schema.objective() == Objective::minimise;
        moments.best.fitness = minimise ? lowest : highest;
        moments.worst.fitness = minimise ? highest : lowest;
        moments.feasible = moments.count;
    } else {
        note_extremes(island.current, schema.objective(), moments);
    }
    if (fitness.size() < 2) return moments;

    Stream stream = island.streams(Purpose::diversity)(0);
    const auto size = static_cast<std::uint32_t>(fitness.size());
    const Space& space = island.current.space();
    std::uint64_t differing = 0;
    for (std::uint32_t pair = 0; pair < diversity_pairs; ++pair) {
        const std::uint32_t a = stream.below(size);
        std::uint32_t b = stream.below(size - 1);
        b += b >= a ? 1U : 0U;
        differing += hamming_distance(space, island.current.genome(a), island.current.genome(b));
    }
    moments.pairs = diversity_pairs;
    moments.distance = static_cast<double>(differing) / static_cast<double>(space.length);
    return moments;
}

// T. F. Chan, G. H. Golub, R. J. LeVeque: "Updating formulae and a pairwise algorithm for computing sample
// variances".
Moments merge(const Moments& a, const Moments& b, Objective objective) {
    if (a.count == 0) return b;
    if (b.count == 0) return a;
    const auto count_a = static_cast<double>(a.count);
    const auto count_b = static_cast<double>(b.count);
    const double difference = b.mean - a.mean;
    const double total = count_a + count_b;
    return {.count = a.count + b.count,
            .mean = a.mean + difference * (count_b / total),
            .squares = a.squares + b.squares + difference * difference * (count_a * count_b / total),
            .best = better(objective, b.best, a.best) ? b.best : a.best,
            .worst = better(objective, a.worst, b.worst) ? b.worst : a.worst,
            .distance = a.distance + b.distance,
            .pairs = a.pairs + b.pairs,
            .feasible = a.feasible + b.feasible};
}

} // namespace knossos
