#include "maze/proposal.hpp"

#include <knossos/maze/problem.hpp>

#include <cstring>

namespace knossos::maze {

namespace {

// What a thread keeps between batches. Only memory: nothing in it changes what is computed.
struct Workbench {
    Grid grid;
    std::vector<Cell> checkpoints;
    Level level;
    Surveyor surveyor;
    std::optional<BatchMeasurer> measurer;
    std::vector<std::uint64_t> mazes;
    std::vector<std::int32_t> paths;
    std::vector<FitnessValues> values;
    std::vector<Measures> measures;
    Proposer proposer;

    void fit(const Layout& layout) {
        const auto fits = [&](const Places& places) {
            return places.width == layout.width && places.height == layout.height &&
                   places.entrance == layout.entrance && places.exit == layout.exit &&
                   places.checkpoints == layout.checkpoints;
        };
        if (!measurer || !fits(measurer->places()))
            measurer.emplace(
                Places{layout.width, layout.height, layout.entrance, layout.exit, layout.checkpoints});
    }
};

Workbench& workbench() {
    thread_local Workbench its;
    return its;
}

// Whether one of the five functions is all there is to know.
bool is_plain(const Fitness& fitness) { return fitness.terms.empty() && fitness.descriptors.empty(); }

// The batch side by side, constraints applied.
Batch constrained(const Blueprint& blueprint, const Batch& batch, Workbench& bench) {
    const std::size_t words = batch.space->genome_bytes() / 8;
    bench.mazes.resize(words * batch.count);
    for (std::size_t i = 0; i < batch.count; ++i) {
        std::uint64_t* const maze = bench.mazes.data() + i * words;
        std::memcpy(maze, batch[i], words * 8);
        blueprint.apply(Bits{maze, blueprint.area()});
    }
    return {batch.space, reinterpret_cast<const std::byte*>(bench.mazes.data()), words * 8, batch.count};
}

} // namespace

ProposalMix default_proposals(const Fitness& fitness) {
    if (fitness.terms.empty() && fitness.function == FitnessFunction::exit_path)
        return {.rerouted = 5.0 / 6.0, .shortens = false, .most_flips = 1};
    // Culs-de-sac sprout where cells are flipped; a new way closes what it passes.
    if (fitness.terms.empty() && fitness.function == FitnessFunction::culs_de_sac)
        return {.rerouted = 0.0, .shortens = false, .most_flips = 3};
    return {};
}

bool propose_direct(const Blueprint& blueprint, const ProposalMix& mix, Stream& stream, Bits genome) {
    return workbench().proposer.propose(blueprint, mix, stream, genome);
}

bool propose_move(const Blueprint& blueprint, Move move, Stream& stream, Bits genome) {
    return workbench().proposer.propose(blueprint, move, stream, genome);
}

Grid& decoding_grid() { return workbench().grid; }

std::vector<Cell>& decoding_checkpoints() { return workbench().checkpoints; }

void evaluate_grid(const Blueprint& blueprint, std::span<const Cell> checkpoints, const Fitness& fitness,
                   Grid& grid, Record out) {
    Workbench& bench = workbench();
    Level& level = bench.level;
    std::swap(level.grid, grid);
    level.entrance = blueprint.layout().entrance;
    level.exit = blueprint.layout().exit;
    level.checkpoints.assign(checkpoints.begin(), checkpoints.end());
    if (is_plain(fitness))
        out[0] = fitness_value(fitness.function, fitness.mandatory, bench.surveyor.fitness_values(level));
    else {
        Measures measures = bench.surveyor.measure(level, fitness.needs());
        if (fitness.start != nullptr)
            measures.changes = static_cast<std::uint32_t>(fitness.start->changes(level.grid));
        fitness.evaluate(measures, out);
    }
    std::swap(level.grid, grid);
}

void evaluate_direct(const Blueprint& blueprint, const Fitness& fitness, const Batch& batch,
                     std::span<double> out) {
    Workbench& bench = workbench();
    bench.fit(blueprint.layout());
    const Batch mazes = constrained(blueprint, batch, bench);
    if (!is_plain(fitness)) {
        bench.measures.resize(mazes.count);
        bench.measurer->measure(mazes, fitness.needs().without({Measure::changes}), bench.measures);
        if (fitness.start != nullptr && fitness.needs().has(Measure::changes))
            for (std::size_t i = 0; i < mazes.count; ++i)
                bench.measures[i].changes = static_cast<std::uint32_t>(
                    fitness.start->changes(view_as<BitView>(*mazes.space, mazes[i])));
        for (std::size_t i = 0; i < mazes.count; ++i)
            fitness.evaluate(bench.measures[i], Record{&out[i], mazes.count});
        return;
    }
    if (fitness.function == FitnessFunction::exit_path && fitness.mandatory == 0) {
        bench.paths.resize(mazes.count);
        bench.measurer->exit_paths(mazes, bench.paths);
        for (std::size_t i = 0; i < mazes.count; ++i) out[i] = bench.paths[i] < 0 ? 0.0 : bench.paths[i];
    } else {
        bench.values.resize(mazes.count);
        bench.measurer->fitness_values(mazes, bench.values);
        for (std::size_t i = 0; i < mazes.count; ++i)
            out[i] = fitness_value(fitness.function, fitness.mandatory, bench.values[i]);
    }
}

} // namespace knossos::maze
