#include "maze_reference.hpp"
#include "support.hpp"

#include <knossos/core/problem.hpp>
#include <knossos/maze/problem.hpp>

#include <gtest/gtest.h>

#include <array>
#include <thread>

namespace knossos::maze::problem_test {
namespace {

static_assert(ProblemType<DirectMaze> && ProblemType<ChromaticMaze> && ProblemType<PositiveMaze> &&
              ProblemType<NegativeMaze> && ProblemType<AutomatonMaze>);

Layout layout_for(std::uint64_t seed) {
    Stream stream = test::stream_for(seed, 5);
    Layout layout = Layout::of_size(2 + stream.below(34), 2 + stream.below(34));
    layout.symmetry = seed % 2 == 0 ? Symmetry::none : Symmetry::rotation;
    for (std::uint32_t i = stream.below(7); i > 0; --i) {
        const Cell cell{stream.below(layout.width), stream.below(layout.height)};
        if (std::ranges::find(layout.checkpoints, cell) == layout.checkpoints.end())
            layout.checkpoints.push_back(cell);
    }
    return layout;
}

// The record of a genome, by way of the definitions.
template <class Representation>
std::vector<double> plain_record(const MazeProblem<Representation>& problem, const std::byte* genome) {
    const Level level = problem.level(genome);
    std::vector<double> values(problem.record().size());
    if (problem.fitness().terms.empty() && problem.fitness().descriptors.empty())
        values[0] = fitness_value(problem.fitness().function, problem.fitness().mandatory,
                                  reference::fitness_values_in_one_pass(level));
    else
        problem.fitness().evaluate(reference::measure(level), Record{values.data(), 1});
    return values;
}

std::vector<Fitness> fitnesses(std::size_t checkpoints) {
    std::vector<Fitness> all;
    for (std::size_t i = 0; i < fitness_function_names.size(); ++i) {
        const auto function = static_cast<FitnessFunction>(i);
        const bool needs_pair =
            function == FitnessFunction::reconvergence || function == FitnessFunction::isolated_reconvergence;
        if (!needs_pair || checkpoints >= 2) all.push_back({.function = function});
    }
    if (checkpoints > 0) all.push_back({.function = FitnessFunction::exit_path, .mandatory = 1});
    all.push_back({.terms = parse_terms("culs 4..6, openness 0.2..0.3, minimise pockets weight 0.1")});
    all.push_back({.descriptors = parse_measures("path, rock")});
    all.push_back(
        {.function = FitnessFunction::culs_de_sac, .descriptors = parse_measures("dead-ends, ways")});
    all.push_back(
        {.terms = parse_terms("sealed ..3, maximise path"), .descriptors = parse_measures("density")});
    return all;
}

template <class Representation>
void expect_fitness_of_the_decoded_maze() {
    for (std::uint64_t seed = 0; seed < test::seeds(24); ++seed) {
        const Layout layout = layout_for(seed);
        for (const Fitness& fitness : fitnesses(layout.checkpoints.size())) {
            const MazeProblem<Representation> maze{Representation{Blueprint{layout}}, fitness};
            const Problem problem{maze};
            const std::size_t columns = problem.schema().size();
            Population population{problem.space(), 21, columns};
            for (std::size_t i = 0; i < population.size(); ++i) {
                Stream stream = test::stream_for(seed, static_cast<std::uint32_t>(i));
                // Sparse ones, and genomes as variation leaves them before repair.
                if (i % 2 == 0)
                    problem.initialise(stream, population.genome(i));
                else
                    randomise(stream, population.space(), population.genome(i));
            }
            std::vector<double> values(columns * population.size());
            problem.evaluate(population.batch(), values);
            for (std::size_t i = 0; i < population.size(); ++i) {
                const auto expected = plain_record(maze, population.genome(i));
                for (std::size_t column = 0; column < columns; ++column)
                    ASSERT_EQ(values[column * population.size() + i], expected[column])
                        << "seed " << seed << ", maze " << i << ", column " << column;
            }
        }
    }
}

TEST(MazeProblem, DirectMazesAreWorthWhatTheyDecodeTo) { expect_fitness_of_the_decoded_maze<Direct>(); }
TEST(MazeProblem, ChromaticMazesAreWorthWhatTheyDecodeTo) { expect_fitness_of_the_decoded_maze<Chromatic>(); }
TEST(MazeProblem, PositiveMazesAreWorthWhatTheyDecodeTo) { expect_fitness_of_the_decoded_maze<Positive>(); }
TEST(MazeProblem, NegativeMazesAreWorthWhatTheyDecodeTo) { expect_fitness_of_the_decoded_maze<Negative>(); }
TEST(MazeProblem, AutomatonMazesAreWorthWhatTheyDecodeTo) { expect_fitness_of_the_decoded_maze<Automaton>(); }

TEST(MazeProblem, RepairMakesDirectGenomesMeetTheirConstraints) {
    Layout layout = Layout::of_size(9, 7);
    layout.locks = {{{4, 3}, true}};
    layout.symmetry = Symmetry::both;
    const Problem problem{DirectMaze{Direct{Blueprint{layout}}}};
    ASSERT_TRUE(problem.repairs());
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        Stream stream = test::stream_for(seed);
        test::Individual maze{problem.space(), stream};
        problem.repair(stream, maze.bytes());
        const BitView bits = view_as<BitView>(maze.space(), maze.bytes());
        EXPECT_FALSE(bits[0]);
        EXPECT_FALSE(bits[62]);
        EXPECT_TRUE(bits[3 * 9 + 4]);
    }
    EXPECT_FALSE(Problem{ChromaticMaze{Chromatic{Blueprint{layout}}}}.repairs());
}

TEST(MazeProblem, ThreadsDoNotDisturbEachOther) {
    const Problem small{DirectMaze{Direct{Blueprint{Layout::of_size(12, 12)}}}};
    const Problem large{ChromaticMaze{Chromatic{Blueprint{Layout::of_size(25, 25)}}}};
    const auto work = [](const Problem& problem) {
        std::vector<double> all;
        for (std::uint32_t round = 0; round < 40; ++round) {
            Population population{problem.space(), 17};
            for (std::size_t i = 0; i < population.size(); ++i) {
                Stream stream = test::stream_for(round, static_cast<std::uint32_t>(i));
                problem.initialise(stream, population.genome(i));
            }
            problem.evaluate(population.batch(), population.fitness());
            all.insert(all.end(), population.fitness().begin(), population.fitness().end());
        }
        return all;
    };
    const std::vector<double> alone_small = work(small);
    const std::vector<double> alone_large = work(large);
    std::vector<double> results[4];
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < 4; ++i)
            threads.emplace_back([&, i] { results[i] = work(i % 2 == 0 ? small : large); });
    }
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(results[i], i % 2 == 0 ? alone_small : alone_large);
}

TEST(MazeProblem, MoreMandatoryThanCheckpointsIsRefused) {
    test::expect_mentions(test::message_of([] {
                              DirectMaze{Direct{Blueprint{Layout::of_size(9, 7)}}, Fitness{.mandatory = 1}};
                          }),
                          {"k is 1", "no checkpoints"});
}

TEST(MazeProposals, KeepToTheConstraintsAndChangeSomething) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        Layout layout = layout_for(seed);
        Stream stream = test::stream_for(seed, 9);
        for (int i = 0; i < 6; ++i) {
            const Cell cell{stream.below(layout.width), stream.below(layout.height)};
            const bool taken = cell == layout.entrance || cell == layout.exit ||
                               layout.symmetry != Symmetry::none ||
                               std::ranges::find(layout.checkpoints, cell) != layout.checkpoints.end() ||
                               std::ranges::find(layout.locks, cell, &Lock::cell) != layout.locks.end();
            if (!taken) layout.locks.push_back({cell, i % 2 == 0});
        }
        const DirectMaze maze{Direct{Blueprint{layout}}};
        const Problem problem{maze};
        ASSERT_TRUE(problem.proposes());
        Population population{problem.space(), 2};
        problem.initialise(stream, population.genome(0));
        if (problem.repairs()) problem.repair(stream, population.genome(0));
        std::size_t changed = 0;
        for (int step = 0; step < 100; ++step) {
            population.copy_from(population, 0, 1);
            const bool said = problem.propose(stream, population.genome(1));
            if (problem.repairs()) problem.repair(stream, population.genome(1));
            const std::size_t distance =
                hamming_distance(problem.space(), population.genome(0), population.genome(1));
            changed += distance != 0 ? 1 : 0;
            ASSERT_TRUE(said || distance == 0);
            // What was repaired is what the constraints leave alone.
            const Level level = maze.level(population.genome(1));
            Grid plain;
            rock_from_bits(view_as<BitView>(problem.space(), population.genome(1)), layout.width,
                           layout.height, plain);
            ASSERT_TRUE(!problem.repairs() || level.grid == plain);
            for (const Lock& lock : layout.locks) ASSERT_EQ(level.grid.is_rock(lock.cell), lock.rock);
            population.copy_from(population, 1, 0);
        }
        EXPECT_TRUE(changed > 20 || layout.width * layout.height <= 16) << seed;
    }
}

// On a maze that is nothing but its path, a new way is as long as asked for: the same or two more steps, or,
// where a goal wants any length, two fewer.
TEST(MazeProposals, NewWaysAreAsLongAsIntended) {
    Layout layout = Layout::of_size(20, 20);
    const Blueprint blueprint{layout};
    const DirectMaze maze{Direct{blueprint}};
    const Problem problem{maze};
    for (const bool shortens : {false, true}) {
        const ProposalMix mix{.rerouted = 1.0, .shortens = shortens, .most_flips = 1};
        std::array<int, 3> seen{};
        for (std::uint64_t seed = 0; seed < 300; ++seed) {
            Stream stream = test::stream_for(seed);
            Population population{problem.space(), 2};
            const Bits genome = view_as<Bits>(problem.space(), population.genome(0));
            for (std::size_t i = 0; i < 400; ++i) genome.set(i, true);
            for (std::size_t x = 0; x < 20; ++x) genome.set(x, false);
            for (std::size_t y = 0; y < 20; ++y) genome.set(20 * y + 19, false);
            population.copy_from(population, 0, 1);
            ASSERT_TRUE(
                propose_direct(blueprint, mix, stream, view_as<Bits>(problem.space(), population.genome(1))));
            const std::int32_t length = measure(maze.level(population.genome(1))).exit_path;
            if (length < 0) continue; // no way was found, and a flip blocked the path
            const std::int32_t more = length - 38;
            ASSERT_TRUE(more == 0 || more == 2) << seed; // the path is straight: none is shorter
            ++seen[static_cast<std::size_t>(more / 2)];
        }
        EXPECT_GT(seen[0], 0);
        EXPECT_GT(seen[1], 5);
    }
}

// Whatever has changed lies in a rectangle that is another one of the maze, perhaps mirrored.
TEST(MazeProposals, CopiesAreOfTheMazeItself) {
    for (const auto& [width, height] : {std::pair{20U, 20U}, {5U, 31U}, {2U, 3U}}) {
        const Blueprint blueprint{Layout::of_size(width, height)};
        const Problem problem{DirectMaze{Direct{.blueprint = blueprint, .fill = 0.5}}};
        std::size_t changed = 0;
        for (std::uint64_t seed = 0; seed < 300; ++seed) {
            Stream stream = test::stream_for(seed);
            Population mazes{problem.space(), 2};
            problem.initialise(stream, mazes.genome(0));
            mazes.copy_from(mazes, 0, 1);
            const BitView before = view_as<BitView>(problem.space(), mazes.genome(0));
            const Bits after = view_as<Bits>(problem.space(), mazes.genome(1));
            const bool said = propose_move(blueprint, Move::copies, stream, after);
            std::uint32_t left = width;
            std::uint32_t right = 0;
            std::uint32_t top = height;
            std::uint32_t bottom = 0;
            for (std::uint32_t i = 0; i < width * height; ++i) {
                if (before[i] == after[i]) continue;
                left = std::min(left, i % width);
                right = std::max(right, i % width + 1);
                top = std::min(top, i / width);
                bottom = std::max(bottom, i / width + 1);
            }
            ASSERT_EQ(said, left < right);
            if (!said) continue;
            ++changed;
            ASSERT_LE(right - left, 8U);
            ASSERT_LE(bottom - top, 8U);
            const auto is_copied = [&](std::uint32_t x, std::uint32_t y, bool turns_x, bool turns_y) {
                for (std::uint32_t v = 0; v < bottom - top; ++v)
                    for (std::uint32_t u = 0; u < right - left; ++u)
                        if (after[std::size_t{top + v} * width + left + u] !=
                            before[std::size_t{y + (turns_y ? bottom - top - 1 - v : v)} * width + x +
                                   (turns_x ? right - left - 1 - u : u)])
                            return false;
                return true;
            };
            bool found = false;
            for (std::uint32_t y = 0; y + bottom - top <= height; ++y)
                for (std::uint32_t x = 0; x + right - left <= width; ++x)
                    for (const unsigned turn : {0U, 1U, 2U, 3U})
                        found = found || is_copied(x, y, (turn & 1U) != 0, (turn & 2U) != 0);
            ASSERT_TRUE(found) << seed;
        }
        EXPECT_GT(changed, 100U);
    }
}

TEST(MazeProposals, DependOnTheMazeAloneWhateverWasProposedBefore) {
    const Problem problem{DirectMaze{Direct{Blueprint{Layout::of_size(17, 11)}}}};
    const Problem other{DirectMaze{Direct{Blueprint{Layout::of_size(11, 17)}}}};
    Population mazes{problem.space(), 3};
    Population others{other.space(), 1};
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        Stream stream = test::stream_for(seed);
        problem.initialise(stream, mazes.genome(0));
        other.initialise(stream, others.genome(0));
        for (const std::size_t copy : {1U, 2U}) {
            mazes.copy_from(mazes, 0, copy);
            Stream own = test::stream_for(seed, 3);
            problem.propose(own, mazes.genome(copy));
            Stream between = test::stream_for(seed, 4);
            other.propose(between, others.genome(0));
        }
        EXPECT_EQ(hamming_distance(problem.space(), mazes.genome(1), mazes.genome(2)), 0U);
    }
}

} // namespace
} // namespace knossos::maze::problem_test
