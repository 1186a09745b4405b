#include <knossos/algorithms/algorithm.hpp>
#include <knossos/core/error.hpp>
#include <knossos/operators/reflection.hpp>

#include <fmt/format.h>

#include <array>

namespace knossos {

namespace {

std::uint32_t best_of(const Scores& scores) {
    std::uint32_t best = 0;
    for (std::uint32_t i = 1; i < scores.size(); ++i)
        if (scores.better(i, best)) best = i;
    return best;
}

// Three that are neither each other nor the target.
std::array<std::uint32_t, 3> three_others(Stream& stream, std::uint32_t target, std::uint32_t size) {
    std::array<std::uint32_t, 3> drawn{};
    for (std::size_t i = 0; i < drawn.size();) {
        drawn[i] = stream.below(size);
        bool is_new = drawn[i] != target;
        for (std::size_t before = 0; before < i; ++before) is_new = is_new && drawn[before] != drawn[i];
        if (is_new) ++i;
    }
    return drawn;
}

} // namespace

void DifferentialEvolution::check(const Problem& problem, const Stages& stages, std::size_t population,
                                  std::size_t /*offspring*/) {
    if (problem.space().kind != GenomeKind::reals)
        throw InvalidSetting{"algorithm", "", "",
                             fmt::format("{} adds differences of real vectors; genomes here are {}", name,
                                         describe(problem.space()))};
    if (population < 4)
        throw InvalidSetting{"algorithm", "", "population",
                             fmt::format("is {}; {} takes three others for each individual, so it must be at "
                                         "least 4",
                                         population, name)};
    if (stages.improve) throw InvalidInput{"improve: differential evolution has no improvement stage"};
    if (stages.operations) throw InvalidInput{"operations: differential evolution has no operation mix"};
    if (!stages.recombine.only_copies())
        throw InvalidInput{"recombine: differential evolution has a crossover of its own; simulated-binary "
                           "and others need generational or steady-state"};
}

std::size_t DifferentialEvolution::offspring_buffer(std::size_t population, std::size_t /*offspring*/) {
    return population;
}

void DifferentialEvolution::step(const Context& context, Island& island) const {
    const Population& current = island.current;
    const Schema& schema = context.problem.schema();
    const auto size = static_cast<std::uint32_t>(current.size());
    rank_together(schema, island.current);
    const bool from_best = variant == DifferenceVariant::best_1_bin;
    const std::uint32_t best = from_best ? best_of(scores_of(schema, current)) : 0;
    const StageStreams streams = island.streams(Purpose::recombine);
    const Space& space = current.space();
    const auto gene_count = static_cast<std::uint64_t>(space.length);
    const std::size_t blocks = std::min<std::size_t>((space.length + 3) / 4 + 2, 8);

    const auto make_trial = [&](std::uint32_t target, Stream& stream) {
        const auto [first, second, third] = three_others(stream, target, size);
        const auto base = view_as<RealView>(space, current.genome(from_best ? best : first));
        // best/1 has the two differences that rand/1 has second and third.
        const auto plus = view_as<RealView>(space, current.genome(second));
        const auto minus = view_as<RealView>(space, current.genome(third));
        const auto trial = view_as<Reals>(space, island.offspring.genome(target));
        const std::uint64_t always = stream.below64(gene_count);
        bool changed = false;
        for (std::size_t i = 0; i < gene_count; ++i) {
            const bool crosses = stream.chance(crossover);
            if (!crosses && i != always) continue;
            const double mutated = reflected(base[i] + weight * (plus[i] - minus[i]), trial.bounds(i));
            changed = changed || mutated != trial[i];
            trial[i] = mutated;
        }
        island.evaluated[target] = changed ? 1 : 0;
    };
    breed_by(context, island, size, [&](std::size_t begin, std::size_t end) {
        for (std::size_t target = begin; target < end; ++target)
            island.offspring.copy_from(current, target, target);
        for_each_stream(
            streams, end - begin, blocks, [&](std::size_t i) { return begin + i; },
            [&](std::size_t i, Stream& stream) {
                make_trial(static_cast<std::uint32_t>(begin + i), stream);
            });
    });
    // Each trial against its target; of equals the trial, so that plateaus are crossed.
    rank_together(schema, island.current, &island.offspring);
    const Scores residents = scores_of(schema, island.current);
    const Scores trials = scores_of(schema, island.offspring);
    for (std::uint32_t target = 0; target < size; ++target)
        if (!residents.better(target, trials, target))
            island.current.copy_from(island.offspring, target, target);
}

} // namespace knossos
