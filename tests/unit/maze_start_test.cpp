#include <knossos/maze/setup.hpp>
#include <knossos/recipe/recipe.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace knossos::maze_start_test {
namespace {

const std::string drawing = R"("...#\n.#.#\n.#..\n....")";

std::vector<std::string> four_by_four(std::vector<std::string> more) {
    more.insert(more.begin(), {"problem.width=4", "problem.height=4", "stop.generations=20"});
    return more;
}

maze::Level first_level(const Recipe& recipe) {
    const knossos::Run run{recipe.problem(), recipe.settings()};
    const MazeSetup setup{from_values<MazeFields>(recipe.choice("problem")->values)};
    return setup.level(run.result().best.bytes.data());
}

TEST(MazeStart, EveryIndividualBeginsAsTheDrawing) {
    const Recipe recipe = Recipe::load("maze-direct", four_by_four({"problem.start=" + drawing}));
    EXPECT_EQ(maze::to_text(first_level(recipe).grid), "...#\n.#.#\n.#..\n....\n");
    const knossos::Run run{recipe.problem(), recipe.settings()};
    EXPECT_EQ(run.status().statistics.best, run.status().statistics.worst);
    EXPECT_EQ(run.status().statistics.diversity, 0.0);
}

TEST(MazeStart, LocksWinOverTheDrawing) {
    const Recipe recipe =
        Recipe::load("maze-direct",
                     four_by_four({"problem.start=" + drawing, R"(problem.locks="????\n?.??\n????\n??#?")"}));
    EXPECT_EQ(maze::to_text(first_level(recipe).grid), "...#\n...#\n.#..\n..#.\n");
}

TEST(MazeStart, IsPartOfTheRecipe) {
    const Recipe recipe = Recipe::load("maze-direct", four_by_four({"problem.start=" + drawing}));
    const Recipe again = Recipe::parse(recipe.to_toml(), "again");
    EXPECT_EQ(evolve(recipe.problem(), recipe.settings()).digest,
              evolve(again.problem(), again.settings()).digest);
}

std::size_t changes(const maze::Grid& a, const maze::Grid& b) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.area(); ++i)
        count += a.is_rock(a.cell(i)) == b.is_rock(b.cell(i)) ? 0U : 1U;
    return count;
}

TEST(MazeStart, AShareOfItsCellsIsKept) {
    const maze::Grid start = maze::parse_grid("...#\n.#.#\n.#..\n....\n");
    for (const auto& [keep, most] : {std::pair{"0.75", 4U}, std::pair{"0.9", 1U}, std::pair{"1.0", 0U}})
        for (const std::string symmetry : {"none", "rotation"}) {
            const std::string kept = fmt::format("problem.keep={}", keep);
            const auto overrides = four_by_four(
                {"problem.start=" + drawing, kept, "problem.symmetry=" + symmetry, "stop.evaluations=2000"});
            const Recipe recipe = Recipe::load("maze-direct", overrides);
            const MazeSetup setup{from_values<MazeFields>(recipe.choice("problem")->values)};
            // Constraints count more than the drawing.
            maze::Grid drawn = start;
            setup.direct()->blueprint().apply(drawn);
            const maze::Level best =
                setup.level(evolve(recipe.problem(), recipe.settings()).best.bytes.data());
            EXPECT_LE(changes(best.grid, drawn), most) << keep << ' ' << symmetry;
        }
}

TEST(MazeStart, NoMoreIsPutBackThanMustBe) {
    const maze::Grid start{20, 20};
    const maze::Blueprint blueprint{maze::Layout::of_size(20, 20)};
    const maze::Direct direct{blueprint, 0.05, start, maze::KeptCells::of(blueprint, start, 0.8)};
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Stream stream = Streams{seed, 0}.at(Purpose::study, 0, 0);
        std::vector<std::uint64_t> words(7);
        const Bits genome{words.data(), 400};
        std::size_t rock = 0;
        for (std::size_t i = 1; i < 399; ++i) {
            genome.set(i, stream.below(100) < 10 * (seed % 10));
            rock += genome[i] ? 1U : 0U;
        }
        direct.put_back(stream, genome);
        maze::Grid grid;
        direct.decode(genome, grid);
        EXPECT_EQ(grid.rock_cells(), std::min<std::size_t>(rock, 80)) << seed;
    }
}

TEST(MazeStart, WhatDoesNotFitIsRefused) {
    for (const auto& wrong : std::vector<std::vector<std::string>>{
             {R"(problem.start="...\n...")"},
             {"problem.keep=0.5"},
             {R"(problem.start="..x.\n....\n....\n....")"},
             {"problem.representation=chromatic", "problem.start=" + drawing}})
        EXPECT_THROW((void)Recipe::load("maze-direct", four_by_four(wrong)), RecipeError);
}

} // namespace
} // namespace knossos::maze_start_test
