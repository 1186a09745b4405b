#include "maze_reference.hpp"
#include "support.hpp"

#include <knossos/core/problem.hpp>
#include <knossos/maze/problem.hpp>

#include <gtest/gtest.h>

#include <thread>

namespace knossos::maze {
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

// The fitness of a genome, by way of the definitions.
template <class Representation>
double plain_fitness(const MazeProblem<Representation>& problem, const std::byte* genome) {
    const Level level = problem.level(genome);
    return problem.fitness().terms.empty()
               ? fitness_value(problem.fitness().function, problem.fitness().mandatory,
                               reference::fitness_values_in_one_pass(level))
               : problem.fitness().evaluate(reference::measure(level));
}

std::vector<Fitness> fitnesses(std::size_t checkpoints) {
    std::vector<Fitness> all;
    for (std::size_t i = 0; i < fitness_function_names.size(); ++i)
        all.push_back({.function = static_cast<FitnessFunction>(i)});
    if (checkpoints > 0) all.push_back({.function = FitnessFunction::exit_path, .mandatory = 1});
    all.push_back({.terms = parse_terms("path 20..30, density 0.2..0.3, minimise pockets weight 0.1")});
    return all;
}

template <class Representation>
void expect_fitness_of_the_decoded_maze() {
    for (std::uint64_t seed = 0; seed < 24; ++seed) {
        const Layout layout = layout_for(seed);
        for (const Fitness& fitness : fitnesses(layout.checkpoints.size())) {
            const MazeProblem<Representation> maze{Representation{Blueprint{layout}}, fitness};
            const Problem problem{maze};
            Population population{problem.space(), 21};
            for (std::size_t i = 0; i < population.size(); ++i) {
                Stream stream = test::stream_for(seed, static_cast<std::uint32_t>(i));
                // Sparse ones, and genomes as variation leaves them before repair.
                if (i % 2 == 0)
                    problem.initialise(stream, population.genome(i));
                else
                    randomise(stream, population.space(), population.genome(i));
            }
            problem.evaluate(population.batch(), population.fitness());
            for (std::size_t i = 0; i < population.size(); ++i)
                ASSERT_EQ(population.fitness()[i], plain_fitness(maze, population.genome(i)))
                    << "seed " << seed << ", maze " << i;
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
                          {"k is 1", "0 checkpoints"});
}

} // namespace
} // namespace knossos::maze
