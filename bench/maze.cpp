#include "measure.hpp"

#include "../tests/unit/maze_reference.hpp"

#include <knossos/core/population.hpp>
#include <knossos/maze/automaton.hpp>
#include <knossos/maze/distance_batch.hpp>
#include <knossos/recipe/recipe.hpp>
#include <knossos/run/run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

/// What the maze kernels cost against their plain twins, in the same run, on one core. Each line names the
/// figure, its baseline, their ratio and the bar.
namespace knossos::maze {
namespace {

constexpr std::size_t mazes_per_size = 128;

using bench::processor_seconds;

/// Calls per second: the best of several stretches, since other programs can only slow it down.
template <class Work>
double rate(std::size_t per_call, Work work) {
    double best = 0.0;
    for (int stretch = 0; stretch < 7; ++stretch) {
        const double start = processor_seconds();
        std::size_t done = 0;
        double elapsed = 0.0;
        do {
            work();
            done += per_call;
            elapsed = processor_seconds() - start;
        } while (elapsed < 0.06);
        best = std::max(best, static_cast<double>(done) / elapsed);
    }
    return best;
}

struct Sample {
    Places places;
    Population mazes;
    std::vector<Level> levels;
    double mean_path = 0.0;
};

/// Mazes with an exit path of about the given length, as evolution makes them: each climbs from an empty
/// start by flipping one to three cells.
Sample climbed(std::uint32_t side, std::int32_t wanted) {
    const std::size_t area = std::size_t{side} * side;
    Sample sample{.places = {.width = side, .height = side, .entrance = {0, 0}, .exit = {side - 1, side - 1}},
                  .mazes = Population{Space::bits(area), mazes_per_size},
                  .levels = {}};
    for (const std::uint32_t part : {1U, 3U, 5U})
        for (const std::uint32_t other : {1U, 4U})
            sample.places.checkpoints.push_back({side * part / 6, side * other / 6});
    BatchMeasurer measurer{sample.places};
    Population child{Space::bits(area), 1};
    for (std::size_t i = 0; i < mazes_per_size; ++i) {
        Stream stream = Streams{side}.at(Purpose::initialise, 0, static_cast<std::uint32_t>(i));
        const Bits maze = view_as<Bits>(sample.mazes.space(), sample.mazes.genome(i));
        std::int32_t path = 0;
        while (path < wanted) {
            std::memcpy(child.genome(0), sample.mazes.genome(i), child.stride());
            const Bits changed = view_as<Bits>(child.space(), child.genome(0));
            for (std::uint32_t flips = 1 + stream.below(3); flips > 0; --flips)
                changed.flip(1 + stream.below64(area - 2));
            std::int32_t next = 0;
            measurer.exit_paths(child.batch(), {&next, 1});
            if (next < path) continue;
            path = next;
            std::memcpy(sample.mazes.genome(i), child.genome(0), child.stride());
        }
        sample.mean_path += path / static_cast<double>(mazes_per_size);
        Level level{.grid = Grid{side, side},
                    .entrance = sample.places.entrance,
                    .exit = sample.places.exit,
                    .checkpoints = sample.places.checkpoints};
        for (std::size_t c = 0; c < area; ++c) level.grid.set_rock(level.grid.cell(c), maze[c]);
        sample.levels.push_back(std::move(level));
    }
    return sample;
}

struct Rates {
    double exit_paths;
    double fitness_values;
};

void print(std::string_view what, double figure, std::string_view baseline, double baseline_rate,
           double bar) {
    const double ratio = figure / baseline_rate;
    fmt::print("  {:<34}{:>8.3f} M/s   {:<24}{:>8.4f} M/s   ratio {:>6.2f}", what, figure * 1e-6, baseline,
               baseline_rate * 1e-6, ratio);
    if (bar > 0.0) fmt::print("   bar {:>5.2f}   {}", bar, ratio >= bar ? "met" : "MISSED");
    fmt::print("\n");
}

/// With `small`, the rates on 20×20 mazes: larger ones may cost their area. What a flood in lanes costs goes
/// with the length of the path, what a search cell by cell costs with the cells that can be reached; so the
/// former is held to its bar at the same length, the latter at a length that fills the maze as well.
Rates compare(std::uint32_t side, std::int32_t path, const Rates* small) {
    const Sample sample = climbed(side, path);
    BatchMeasurer measurer{sample.places};
    Surveyor surveyor;
    std::vector<std::int32_t> paths(mazes_per_size);
    std::vector<FitnessValues> values(mazes_per_size);
    std::int64_t checksum = 0;
    const double plain_paths = rate(mazes_per_size, [&] {
        for (const Level& level : sample.levels) checksum += reference::exit_path(level);
    });
    const double plain_values = rate(mazes_per_size, [&] {
        for (const Level& level : sample.levels)
            checksum += reference::fitness_values_in_one_pass(level).exit_path;
    });
    const Rates rates{rate(mazes_per_size, [&] { measurer.exit_paths(sample.mazes.batch(), paths); }),
                      rate(mazes_per_size, [&] { measurer.fitness_values(sample.mazes.batch(), values); })};
    const double in_pairs = rate(mazes_per_size, [&] {
        Batch pair = sample.mazes.batch();
        for (pair.count = 2; pair.data != sample.mazes.batch().data + mazes_per_size * pair.stride;
             pair.data += 2 * pair.stride)
            measurer.exit_paths(pair, paths);
    });
    const double all = rate(mazes_per_size, [&] {
        for (const Level& level : sample.levels) checksum += surveyor.measure(level).exit_path;
    });
    fmt::print("{0}×{0}, mean exit path {1:.0f}, 6 checkpoints\n", side, sample.mean_path);
    const bool barred = side == 20 && path == 130;
    print("exit distance, batch", rates.exit_paths, "queue and vectors", plain_paths, barred ? 15.0 : 0.0);
    print("exit distance, two at a time", in_pairs, "queue and vectors", plain_paths, 0.0);
    print("all five fitness values", rates.fitness_values, "queue and vectors", plain_values,
          barred ? 8.0 : 0.0);
    print("every measure", all, "five, queue and vectors", plain_values, 0.0);
    if (small != nullptr) {
        const double area = side * side / 400.0;
        print("exit distance, by area", rates.exit_paths * area, "20×20", small->exit_paths,
              path == 130 ? 1.0 : 0.0);
        print("five values, by area", rates.fitness_values * area, "20×20", small->fitness_values,
              path == 130 ? 0.0 : 1.0);
    }
    if (checksum == 0) fmt::print("(nothing was measured)\n");
    return rates;
}

void print_rate(std::string_view what, double figure, std::string_view baseline, double baseline_rate,
                double bar) {
    fmt::print("  {:<34}{:>8.3f} M/s   {:<24}{:>8.4f} M/s   ratio {:>6.2f}   bar {:.3f} M/s   {}\n", what,
               figure * 1e-6, baseline, baseline_rate * 1e-6, figure / baseline_rate, bar * 1e-6,
               figure >= bar ? "met" : "MISSED");
}

/// What a goal or an archive asks for, by the batch, beside the same measures cell by cell.
void compare_measures() {
    const Sample sample = climbed(20, 130);
    BatchMeasurer measurer{sample.places};
    Surveyor surveyor;
    std::vector<Measures> found(mazes_per_size);
    std::uint64_t checksum = 0;
    const auto both = [&](std::string_view what, MeasureSet wanted, double bar) {
        const double fast =
            rate(mazes_per_size, [&] { measurer.measure(sample.mazes.batch(), wanted, found); });
        const double plain = rate(mazes_per_size, [&] {
            for (const Level& level : sample.levels) checksum += surveyor.measure(level, wanted).open_cells;
        });
        print_rate(what, fast, "cell by cell", plain, bar);
    };
    constexpr MeasureSet together{Measure::exit_path,
                                  Measure::farthest,
                                  Measure::open_cells,
                                  Measure::rock_cells,
                                  Measure::reachable_cells,
                                  Measure::pocket_cells,
                                  Measure::branching_cells,
                                  Measure::dead_ends,
                                  Measure::loops,
                                  Measure::open_squares,
                                  Measure::wall_density,
                                  Measure::openness,
                                  Measure::symmetry_left_right,
                                  Measure::symmetry_top_bottom,
                                  Measure::symmetry_rotation};
    fmt::print("measures of 20×20, mean exit path {:.0f}\n", sample.mean_path);
    both("the lane measures together", together, 1.5e6);
    both("the number of pockets", {Measure::pockets}, 0.7e6);
    both("these and the rooms, all", together | MeasureSet{Measure::pockets, Measure::rooms}, 0.7e6);
    both("path and rock, as axes", {Measure::exit_path, Measure::rock_cells}, 1.5e6);
    const double diameters = rate(mazes_per_size, [&] {
        for (const Level& level : sample.levels)
            checksum += surveyor.measure(level, {Measure::diameter}).diameter;
    });
    const double from_everywhere = rate(8, [&] {
        for (std::size_t i = 0; i < 8; ++i) {
            Level level = sample.levels[i];
            for (std::size_t cell = 0; cell < level.grid.area(); ++cell) {
                level.entrance = level.grid.cell(cell);
                if (!level.grid.is_rock(level.entrance))
                    checksum +=
                        static_cast<std::uint64_t>(surveyor.measure(level, {Measure::farthest}).farthest);
            }
        }
    });
    print_rate("diameter", diameters, "search from every cell", from_everywhere, 15e3);
    if (checksum == 0) fmt::print("(nothing was measured)\n");
}

/// The plain twin of the automaton: one cell at a time.
void step_plainly(AutomatonRules rules, const Grid& from, Grid& to) {
    for (std::size_t i = 0; i < from.area(); ++i) {
        const Cell cell = from.cell(i);
        unsigned neighbours = 0;
        for (std::uint32_t dy = 0; dy < 3; ++dy) {
            for (std::uint32_t dx = 0; dx < 3; ++dx) {
                const Cell other{cell.x + dx - 1, cell.y + dy - 1};
                if (other != cell && (!from.contains(other) || from.is_rock(other))) ++neighbours;
            }
        }
        const unsigned bit = from.is_rock(cell) ? 9 + neighbours : neighbours;
        to.set_rock(cell, from.is_rock(cell) != ((rules.bits >> bit & 1U) != 0));
    }
}

void compare_automaton() {
    constexpr std::uint32_t steps = 50;
    Stream stream = Streams{1}.at(Purpose::initialise, 0, 0);
    Grid start{20, 20};
    for (std::size_t i = 0; i < start.area(); ++i) start.set_rock(start.cell(i), stream.chance(0.5));
    const AutomatonRules rules{stream.below(1U << automaton_rule_bits)};
    Grid grid;
    Grid next = start;
    const double plain = rate(1, [&] {
        grid = start;
        for (std::uint32_t step = 0; step < steps; ++step) {
            step_plainly(rules, grid, next);
            std::swap(grid, next);
        }
    });
    const double fast = rate(1, [&] {
        grid = start;
        run_automaton(rules, steps, grid);
    });
    fmt::print(
        "automaton, 50 steps of 20×20\n  {:.2f} µs   bar 10 µs   {}   plain {:.1f} µs   ratio {:.0f}\n",
        1e6 / fast, 1e6 / fast < 10.0 ? "met" : "MISSED", 1e6 / plain, fast / plain);
}

// What a mating event of maze-direct costs beside the evaluation of its two children, in the middle of a run.
void compare_mating_events() {
    constexpr std::uint64_t before = 100'000;
    constexpr std::uint64_t counted = 40'000;
    const Recipe recipe = Recipe::load("maze-direct", {"stop.evaluations=1000000"});
    const Problem problem = recipe.problem();
    std::vector<double> ratios;
    double events_per_second = 0.0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        Settings settings = recipe.settings();
        settings.seed = seed;
        Run run{problem, settings};
        while (run.status().statistics.evaluations < before) run.step();
        const std::uint64_t first = run.status().statistics.evaluations;
        double start = processor_seconds();
        while (run.status().statistics.evaluations < first + counted) run.step();
        const double bred = processor_seconds() - start;
        const auto evaluations = static_cast<double>(run.status().statistics.evaluations - first);
        const Population& population = run.islands().front().current;
        std::array<double, 2> fitness{};
        start = processor_seconds();
        for (std::uint64_t done = 0; done < counted; done += 2) {
            Batch pair = population.batch();
            const std::array<std::uint32_t, 2> rows{
                static_cast<std::uint32_t>(done % population.size()),
                static_cast<std::uint32_t>((done + 1) % population.size())};
            pair.rows = rows.data();
            pair.count = 2;
            problem.evaluate(pair, fitness);
        }
        const double evaluated = processor_seconds() - start;
        ratios.push_back(bred / evaluations / (evaluated / static_cast<double>(counted)));
        events_per_second = evaluations / 2.0 / bred;
    }
    std::ranges::sort(ratios);
    fmt::print("mating events of maze-direct, {:.0f} per second\n", events_per_second);
    fmt::print("  cost over evaluating two children        ratio {:6.2f}   bar at most 1.50   {}\n",
               ratios[2], ratios[2] <= 1.5 ? "met" : "missed");
}

} // namespace
} // namespace knossos::maze

int main() {
    using namespace knossos::maze;
    const Rates small = compare(20, 130, nullptr);
    compare(30, 130, &small);
    compare(64, 130, &small);
    compare(30, 195, &small);
    compare(64, 416, &small);
    compare_measures();
    compare_automaton();
    compare_mating_events();
}
