#include "measure.hpp"

#include <knossos/maze/problem.hpp>
#include <knossos/recipe/recipe.hpp>
#include <knossos/run/run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

/// What a gallery of mazes costs and holds: `maze-gallery` as it stands, against a plain MAP-Elites with the
/// same cells, measures, batches and number of evaluations: parents drawn alike, one to four flips, the
/// better stays.
namespace knossos {
namespace {

using bench::processor_seconds;
using bench::wall_seconds;

struct Outcome {
    double seconds = 0.0;
    double processor = 0.0;
    std::size_t cells = 0;
    double longest = 0.0;
    double memory = 0.0;  ///< of the archive, by that of its elites
    double records = 0.0; ///< likewise, by that of their genomes and records alone
};

std::size_t column_of(const Problem& problem, std::string_view name) {
    const auto columns = problem.schema().columns();
    const auto found =
        std::ranges::find_if(columns, [&](const Column& one) { return one.name.text() == name; });
    return static_cast<std::size_t>(found - columns.begin());
}

Outcome gallery(const Recipe& recipe, std::uint64_t seed, unsigned threads) {
    Settings settings = recipe.settings();
    settings.seed = seed;
    settings.threads = threads;
    settings.history = 2;
    const double before = processor_seconds();
    const double start = wall_seconds();
    Run run{recipe.problem(), settings};
    run.finish();
    Outcome outcome{.seconds = wall_seconds() - start, .processor = processor_seconds() - before};
    const Gallery found = *run.gallery();
    outcome.cells = found.cell.size();
    outcome.longest = std::ranges::max(found.elites.column(column_of(recipe.problem(), "path")));
    const Island& island = run.islands().front();
    const auto& state = island.kept.as<MapElites::State>();
    const double taken = static_cast<double>(island.current.memory() + state.archive.memory() +
                                             state.curiosity.capacity() * sizeof(std::uint16_t));
    outcome.memory = taken / static_cast<double>(Population{island.current}.memory());
    outcome.records =
        taken / static_cast<double>(island.current.size() *
                                    (island.current.stride() + island.current.columns() * sizeof(double)));
    return outcome;
}

Outcome plain(const Recipe& recipe, std::uint64_t seed) {
    const Problem problem = recipe.problem();
    const Settings settings = recipe.settings();
    const auto cells = settings.algorithm.cells(problem.schema());
    const auto budget = static_cast<std::uint64_t>(*settings.stop.limit(StopKind::evaluations));
    const double before = processor_seconds();
    const double start = wall_seconds();
    Archive archive{cells};
    Population elites{problem.space(), 0, problem.schema().size()};
    Population batch{problem.space(), settings.offspring, problem.schema().size()};
    std::vector<double> values(batch.size() * batch.columns());
    std::uint64_t evaluations = 0;
    for (std::uint64_t generation = 0; evaluations < budget; ++generation) {
        const std::size_t children = generation == 0 ? settings.population : batch.size();
        for (std::size_t i = 0; i < children; ++i) {
            Stream stream = Streams{seed}.at(Purpose::mutate, generation, static_cast<std::uint32_t>(i));
            if (generation == 0) {
                problem.initialise(stream, batch.genome(i));
            } else {
                batch.copy_from(elites, stream.below(static_cast<std::uint32_t>(elites.size())), i);
                const auto bits = view_as<Bits>(problem.space(), batch.genome(i));
                for (std::uint32_t left = 1 + stream.below(4); left > 0; --left)
                    bits.flip(stream.below(static_cast<std::uint32_t>(bits.size())));
            }
            problem.repair(stream, batch.genome(i));
        }
        Batch some = batch.batch();
        some.count = children;
        problem.evaluate(some, values);
        for (std::size_t i = 0; i < children; ++i) {
            for (std::size_t c = 0; c < batch.columns(); ++c) batch.column(c)[i] = values[c * children + i];
            rate(problem.schema(), batch, i);
            archive.enter(problem.schema(), elites, batch, i, cells->cell(batch, i));
        }
        evaluations += children;
    }
    Outcome outcome{.seconds = wall_seconds() - start, .processor = processor_seconds() - before};
    outcome.cells = archive.filled();
    for (std::size_t i = 0; i < elites.size(); ++i)
        if (archive.is_shown(elites, i))
            outcome.longest = std::max(outcome.longest, elites.column(column_of(problem, "path"))[i]);
    return outcome;
}

int measure(int seeds) {
    const Recipe recipe = Recipe::load("maze-gallery");
    fmt::print("maze-gallery, 20 x 20, path by 2, rock by 4: 1,000,000 evaluations, two threads\n");
    fmt::print("plain MAP-Elites: the same cells and measures, parents drawn alike, one to four flips; one "
               "thread\n\n");
    fmt::print("seed   cells (plain)  longest (plain)   wall s  processor s (plain)   archive/elites\n");
    std::vector<double> cells;
    std::vector<double> longest;
    std::vector<double> seconds;
    double memory = 0.0;
    double records = 0.0;
    for (int seed = 1; seed <= seeds; ++seed) {
        const Outcome ours = gallery(recipe, static_cast<std::uint64_t>(seed), 2);
        const Outcome other = plain(recipe, static_cast<std::uint64_t>(seed));
        fmt::print("{:>4} {:>7} {:>7} {:>8.0f} {:>7.0f} {:>8.2f} {:>12.2f} {:>7.2f} {:>8.3f} {:.3f}\n", seed,
                   ours.cells, other.cells, ours.longest, other.longest, ours.seconds, ours.processor,
                   other.processor, ours.memory, ours.records);
        cells.push_back(static_cast<double>(ours.cells));
        longest.push_back(ours.longest);
        seconds.push_back(ours.seconds);
        memory = std::max(memory, ours.memory);
        records = std::max(records, ours.records);
    }
    fmt::print("\nmedian cells {:.0f} (bar 4,300){}\n", bench::median(cells),
               bench::verdict(bench::median(cells) >= 4300));
    fmt::print("median longest path {:.0f} (bar 220){}\n", bench::median(longest),
               bench::verdict(bench::median(longest) >= 220));
    fmt::print("median seconds {:.2f} (bar 4 on two cores){}\n", bench::median(seconds),
               bench::verdict(bench::median(seconds) < 4.0));
    fmt::print("archive by a population of its elites at most {:.3f} (bar 1.2){}\n", memory,
               bench::verdict(memory <= 1.2));
    fmt::print("archive by the genomes and records of its elites alone {:.3f}\n", records);
    return bench::all_bars_met ? 0 : 1;
}

} // namespace
} // namespace knossos

int main(int count, char** arguments) { return knossos::measure(count > 1 ? std::atoi(arguments[1]) : 5); }
