#include <knossos/maze/setup.hpp>
#include <knossos/recipe/recipe.hpp>

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

TEST(MazeStart, WhatDoesNotFitIsRefused) {
    for (const auto& wrong : std::vector<std::vector<std::string>>{
             {R"(problem.start="...\n...")"},
             {R"(problem.start="..x.\n....\n....\n....")"},
             {"problem.representation=chromatic", "problem.start=" + drawing}})
        EXPECT_THROW((void)Recipe::load("maze-direct", four_by_four(wrong)), RecipeError);
}

} // namespace
} // namespace knossos::maze_start_test
