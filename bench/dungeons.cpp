#include "measure.hpp"

#include "../tests/unit/dungeon_reference.hpp"

#include <knossos/core/population.hpp>
#include <knossos/dungeon/setup.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

/// What judging dungeons costs against the plain checker of the tests, in the same run, on one core. Each
/// line names the figure, its baseline, their ratio and the bar.
namespace knossos::dungeon {
namespace {

constexpr std::size_t levels_in_sample = 64;

/// A dungeon that was evolved until it could be solved and not be lost.
Level evolved(const Fields& fields, std::uint64_t seed) {
    const Setup setup{fields};
    const Problem problem = setup.problem();
    const Space& space = problem.space();
    const Streams streams{seed};
    std::vector<std::uint64_t> genome(space.genome_bytes() / 8);
    const auto bytes = [](std::vector<std::uint64_t>& words) {
        return reinterpret_cast<std::byte*>(words.data());
    };
    const auto missed = [&](std::vector<std::uint64_t>& words) {
        std::vector<double> values(problem.schema().size());
        problem.evaluate(Batch{&space, bytes(words), space.genome_bytes(), 1}, values);
        return problem.schema().violation(values);
    };
    Stream start = streams.at(Purpose::initialise, 0, 0);
    problem.initialise(start, bytes(genome));
    double best = missed(genome);
    for (std::uint64_t generation = 0; best > 0.0 && generation < 50'000; ++generation) {
        auto child = genome;
        Stream change = streams.at(Purpose::mutate, generation, 0);
        problem.propose(change, bytes(child));
        Stream repair = streams.at(Purpose::repair, generation, 0);
        problem.repair(repair, bytes(child));
        const double now = missed(child);
        if (now > best) continue;
        best = now;
        genome = child;
    }
    return setup.level(bytes(genome));
}

std::vector<Level> sample() {
    Fields fields;
    fields.place = "keys 3, doors 3, one-ways 1, treasure 4, monsters 3";
    fields.goal = "doors_opened 2.., solution 40..";
    std::vector<Level> levels;
    for (std::uint64_t seed = 1; levels.size() < levels_in_sample; ++seed) {
        Level level = evolved(fields, seed);
        if (Judge{}.is_solvable(level)) levels.push_back(std::move(level));
    }
    return levels;
}

/// Levels per second: the best of several stretches, since other programs can only slow it down.
template <class Work>
double rate(std::size_t per_call, Work work) {
    double best = 0.0;
    for (int stretch = 0; stretch < 7; ++stretch) {
        const double start = bench::processor_seconds();
        std::size_t done = 0;
        double elapsed = 0.0;
        do {
            work();
            done += per_call;
            elapsed = bench::processor_seconds() - start;
        } while (elapsed < 0.06);
        best = std::max(best, static_cast<double>(done) / elapsed);
    }
    return best;
}

void print(const char* figure, double per_second, double plain, double bar) {
    fmt::print("{:<44} {:>9.0f} /s {:>8.0f} times the plain checker   bar {:>7.0f}{}\n", figure, per_second,
               per_second / plain, bar, bench::verdict(per_second >= bar));
}

// The bar is for what dungeons are judged by; what mazes measure on their ground, too, is told for itself.
constexpr MeasureSet of_dungeons = MeasureSet::all().without(measures_of_mazes);

void compare() {
    const std::vector<Level> levels = sample();
    Judge judge;
    double checksum = 0.0;
    const double plain = rate(levels.size(), [&] {
        for (const Level& level : levels) checksum += reference::check_plainly(level).solution;
    });
    const double full = rate(levels.size(), [&] {
        for (const Level& level : levels)
            checksum += judge.judge(level, of_dungeons).measures[Measure::solution];
    });
    const double as_mazes = rate(levels.size(), [&] {
        for (const Level& level : levels) checksum += judge.judge(level).measures[Measure::solution];
    });
    const double solvable = rate(levels.size(), [&] {
        for (const Level& level : levels) checksum += judge.is_solvable(level) ? 1.0 : 0.0;
    });
    fmt::print("evolved dungeons of 16 x 12, three keys, three doors, a one-way; {}\n",
               checksum != 0.0 ? "all judged" : "none judged");
    print("verdicts, solution and all measures", full, plain, 60'000);
    fmt::print("{:<44} {:>9.0f} /s\n", "the same with those of mazes", as_mazes);
    print("solvable alone", solvable, plain, 300'000);
}

} // namespace
} // namespace knossos::dungeon

int main() {
    knossos::dungeon::compare();
    return bench::all_bars_met ? 0 : 1;
}
