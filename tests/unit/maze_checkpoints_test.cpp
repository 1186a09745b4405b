#include "support.hpp"

#include <knossos/core/problem.hpp>
#include <knossos/maze/checkpoints.hpp>
#include <knossos/maze/problem.hpp>
#include <knossos/maze/setup.hpp>
#include <knossos/recipe/recipe.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace knossos::maze::checkpoints_test {
namespace {

using test::expect_mentions;
using test::message_of;

MazeSetup setup_of(const Recipe& recipe) {
    return MazeSetup{from_values<MazeFields>(recipe.choice("problem")->values)};
}

std::vector<Cell> checkpoints_of(const std::string& text) {
    const Recipe recipe = Recipe::load("maze-direct", {"problem.checkpoints=" + text});
    return setup_of(recipe).direct()->blueprint().layout().checkpoints;
}

TEST(LaidOutCheckpoints, LieInTheMiddleOfEvenParts) {
    const std::vector<Cell> four{{5, 5}, {15, 5}, {5, 15}, {15, 15}};
    EXPECT_EQ(checkpoints_of("auto:4"), four);
    EXPECT_EQ(checkpoints_of("auto"), four);
    EXPECT_EQ(checkpoints_of("auto:1"), (std::vector<Cell>{{10, 10}}));
    EXPECT_EQ(checkpoints_of("auto:5"), (std::vector<Cell>{{5, 5}, {15, 5}, {3, 15}, {10, 15}, {16, 15}}));
    const Blueprint wide{Layout::of_size(30, 5)};
    EXPECT_EQ(laid_out_checkpoints(wide, 3), (std::vector<Cell>{{5, 2}, {15, 2}, {25, 2}}));
}

TEST(LaidOutCheckpoints, AreDifferentFreeCellsWhateverTheLayout) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Stream stream = test::stream_for(seed);
        Layout layout = Layout::of_size(2 + stream.below(24), 2 + stream.below(24));
        layout.symmetry = seed % 3 == 0 ? Symmetry::rotation : Symmetry::none;
        layout.entrance = {stream.below(layout.width), stream.below(layout.height)};
        layout.exit = {stream.below(layout.width), stream.below(layout.height)};
        // Open ones, which never contradict each other.
        for (std::uint32_t i = stream.below(40); i > 0; --i)
            layout.locks.push_back({{stream.below(layout.width), stream.below(layout.height)}, false});
        const Blueprint blueprint{layout};
        const std::size_t free = blueprint.area() - blueprint.locked_open().rock_cells();
        const std::size_t count = std::min<std::size_t>(1 + stream.below(64), free);
        if (count == 0) continue;
        std::vector<Cell> cells = laid_out_checkpoints(blueprint, count);
        EXPECT_EQ(cells, laid_out_checkpoints(blueprint, count));
        for (const Cell cell : cells) ASSERT_TRUE(blueprint.is_free(cell)) << to_text(cell);
        std::ranges::sort(cells);
        ASSERT_EQ(std::ranges::adjacent_find(cells), cells.end());
        ASSERT_EQ(cells.size(), count);
        expect_mentions(message_of([&] { laid_out_checkpoints(blueprint, free + 1); }), {"free cell"});
    }
}

// What is wrong is told of the field that holds it, whichever others were overridden before it.
TEST(MazeFields, WhatDoesNotFitIsToldOfItsField) {
    const auto said = [](std::initializer_list<std::string> overrides) {
        std::vector<std::string> all{"problem.height=18"};
        all.insert(all.end(), overrides);
        return message_of([&] { (void)Recipe::load("maze-direct", all); });
    };
    EXPECT_EQ(
        said({"problem.fitness=reconvergence"}),
        "--set problem.fitness=reconvergence: problem.fitness is reconvergence, which needs at least 2 "
        "checkpoints, and there are none; problem.checkpoints takes cells such as 3,4 10,12, or auto:4");
    expect_mentions(said({"problem.fitness=isolated-reconvergence", "problem.checkpoints=3,4"}),
                    {"--set problem.fitness", "there is one"});
    expect_mentions(said({"problem.checkpoints=3,4", "problem.k=2"}),
                    {"--set problem.k=2: problem.k is 2, but there is only 1 checkpoint; ", "auto:2"});
    expect_mentions(said({"problem.goal=members 3..", "problem.checkpoints=auto:2"}),
                    {"--set problem.goal", "problem.goal has 'exit_members 3..', which needs at least 3"});
    expect_mentions(said({"problem.goal=patth 3"}),
                    {"--set problem.goal=patth 3: problem.goal can't be read: goal:1:1: 'patth'", "path?"});
    expect_mentions(said({"problem.entrance=40,2"}),
                    {"--set problem.entrance=40,2: problem.entrance holds 40,2", "0..19", "0..17"});
    expect_mentions(said({"problem.exit=here"}), {"problem.exit can't be read: 'here' is not a cell"});
    expect_mentions(said({"problem.exit=1,1 2,2"}), {"problem.exit is '1,1 2,2'; it must be one cell"});
    expect_mentions(said({"problem.checkpoints=1,1 2,2 1,1"}), {"problem.checkpoints holds 1,1 twice"});
    for (const auto* wrong : {"auto:0", "auto:65", "auto:", "auto4", "auto:four", "auto:4 3,3"})
        expect_mentions(said({std::string{"problem.checkpoints="} + wrong}),
                        {"problem.checkpoints is '", "1..64, as in auto:4"});
    expect_mentions(said({"problem.width=2", "problem.height=2", "problem.checkpoints=auto:4"}),
                    {"problem.checkpoints is 'auto:4'; there are 2 free cells and 4 checkpoints"});
    expect_mentions(said({"problem.evolve_checkpoints=true"}),
                    {"problem.evolve_checkpoints is true, but there are no checkpoints to move"});
    expect_mentions(said({"problem.symmetry=quarter-rotation"}), {"problem.symmetry can't hold: ", "square"});
}

template <class Representation>
void expect_moved_checkpoints_to_count() {
    Layout layout = Layout::of_size(13, 9);
    layout.locks = {{{6, 4}, false}, {{0, 8}, true}};
    layout.checkpoints = laid_out_checkpoints(Blueprint{layout}, 5);
    const MazeProblem<Representation> maze{
        Representation{Blueprint{layout}},
        Fitness{.function = FitnessFunction::reconvergence, .mandatory = 1}, true};
    const MazeProblem<Representation> plain{Representation{Blueprint{layout}}};
    const Problem problem{maze};
    ASSERT_GT(problem.space().length, plain.space().length);
    Population population{problem.space(), 30};
    for (std::size_t i = 0; i < population.size(); ++i) {
        Stream stream = test::stream_for(i);
        problem.initialise(stream, population.genome(i));
        EXPECT_EQ(maze.level(population.genome(i)).checkpoints, layout.checkpoints) << "as laid out";
        Stream again = test::stream_for(i);
        test::Individual same{plain.space(), again};
        Stream third = test::stream_for(i);
        Problem{plain}.initialise(third, same.bytes());
        EXPECT_EQ(maze.level(population.genome(i)).grid, plain.level(same.bytes()).grid);
        // Any genome: what variation makes of it.
        if (i % 2 == 0) randomise(stream, problem.space(), population.genome(i));
    }
    problem.evaluate(population.batch(), population.fitness());
    std::size_t moved = 0;
    for (std::size_t i = 0; i < population.size(); ++i) {
        const Level level = maze.level(population.genome(i));
        const Blueprint& blueprint = maze.blueprint();
        std::vector<Cell> cells = level.checkpoints;
        ASSERT_EQ(cells.size(), 5U);
        for (const Cell cell : cells) ASSERT_TRUE(blueprint.is_free(cell));
        std::ranges::sort(cells);
        ASSERT_EQ(std::ranges::adjacent_find(cells), cells.end());
        moved += level.checkpoints != layout.checkpoints ? 1U : 0U;
        const Measures measures = measure(level);
        const double expected = measures.exit_path < 0 || measures.exit_members < 1
                                    ? 0.0
                                    : static_cast<double>(measures.reconvergence);
        ASSERT_EQ(population.fitness()[i], expected);
    }
    EXPECT_GE(moved, 14U);
}

TEST(EvolvedCheckpoints, CountWhereTheyAreInDirectMazes) { expect_moved_checkpoints_to_count<Direct>(); }
TEST(EvolvedCheckpoints, CountWhereTheyAreInChromaticMazes) {
    expect_moved_checkpoints_to_count<Chromatic>();
}
TEST(EvolvedCheckpoints, CountWhereTheyAreInPositiveMazes) { expect_moved_checkpoints_to_count<Positive>(); }
TEST(EvolvedCheckpoints, CountWhereTheyAreInNegativeMazes) { expect_moved_checkpoints_to_count<Negative>(); }
TEST(EvolvedCheckpoints, CountWhereTheyAreInAutomatonMazes) {
    expect_moved_checkpoints_to_count<Automaton>();
}

TEST(EvolvedCheckpoints, EveryCellCanBeWritten) {
    for (const auto& [width, height] : {std::pair{2U, 2U}, {20U, 20U}, {33U, 7U}, {1024U, 3U}})
        for (const Space& space :
             {Space::bits(width * height), Space::integers(8, 6), Space::integers(8, 10'000)}) {
            Layout layout = Layout::of_size(width, height);
            layout.checkpoints = {{1, 0}, {0, 1}};
            const CheckpointGenes genes{Blueprint{layout}, space};
            Space whole = space;
            whole.length += genes.size();
            test::Individual genome{whole};
            visit_genome(whole, genome.bytes(), [&]<class View>(View view) {
                if constexpr (requires { view.set(0, false); }) {
                    for (std::uint32_t x = 0; x < width; ++x)
                        for (std::uint32_t y = 0; y < height; ++y) {
                            genes.write(view, 1, {x, y});
                            ASSERT_EQ(genes.read(view, 1), (Cell{x, y}));
                        }
                }
            });
            EXPECT_TRUE(genome.valid());
        }
}

TEST(EvolvedCheckpoints, AreMovedByMutationsOfEveryRecipe) {
    for (const auto* name :
         {"maze", "maze-direct", "maze-chromatic", "maze-positive", "maze-negative", "maze-automaton"}) {
        SCOPED_TRACE(name);
        const Recipe recipe =
            Recipe::load(name, {"problem.width=12", "problem.height=12", "problem.fitness=reconvergence",
                                "problem.checkpoints=auto:4", "problem.evolve_checkpoints=true",
                                "problem.k=1", "stop.evaluations=6000"});
        const Result result = evolve(recipe.problem(), recipe.settings());
        const Level level = setup_of(recipe).level(result.best.bytes.data());
        EXPECT_NE(level.checkpoints, laid_out_checkpoints(Blueprint{Layout::of_size(12, 12)}, 4));
        EXPECT_EQ(result.fitness, static_cast<double>(measure(level).reconvergence));
        EXPECT_GT(result.fitness, 0.0);
        Settings threaded = recipe.settings();
        threaded.threads = 3;
        EXPECT_EQ(evolve(recipe.problem(), threaded).digest, result.digest);
    }
}

} // namespace
} // namespace knossos::maze::checkpoints_test
