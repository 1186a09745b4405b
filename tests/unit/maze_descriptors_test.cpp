#include "support.hpp"

#include <knossos/core/problem.hpp>
#include <knossos/maze/fitness.hpp>
#include <knossos/maze/setup.hpp>
#include <knossos/recipe/recipe.hpp>
#include <knossos/run/run.hpp>

#include <gtest/gtest.h>

namespace knossos::maze::descriptors_test {
namespace {

using test::expect_mentions;
using test::message_of;

TEST(MazeDescriptors, AreColumnsUnderTheNamesTheyWereGiven) {
    const Fitness fitness{.terms = parse_terms("maximise path, dead-ends 5..9"),
                          .descriptors = parse_measures(" path,dead-ends , density,, path")};
    const std::vector<Column> columns = fitness.columns(400);
    ASSERT_EQ(columns.size(), 6U);
    EXPECT_EQ(columns[3], descriptor("path", -1, 400).in_whole_numbers());
    EXPECT_EQ(columns[4], descriptor("dead-ends", 0, 400).in_whole_numbers());
    EXPECT_EQ(columns[5], descriptor("density", 0, 1));
}

TEST(MazeDescriptors, KeepOutOfTheWayOfAnObjectiveOfTheSameName) {
    const Fitness fitness{.terms = parse_terms("maximise path"), .descriptors = parse_measures("exit_path")};
    const std::vector<Column> columns = fitness.columns(400);
    EXPECT_EQ(columns.front().name.text(), "exit_path");
    EXPECT_EQ(columns.back().name.text(), "exit_path 2");
    EXPECT_NO_THROW(Schema{columns});
}

TEST(MazeDescriptors, EveryMeasureHasARangeAndCanBeOne) {
    for (const MeasureInfo& row : measure_table())
        for (const std::string_view name : {row.name, row.short_name}) {
            const Fitness fitness{.descriptors = parse_measures(name)};
            EXPECT_NO_THROW(Schema{fitness.columns(400)}) << name;
            EXPECT_TRUE(fitness.needs().has(row.measure)) << name;
        }
}

TEST(MazeDescriptors, NamesThatNoMeasureHasAreRefused) {
    const auto said = [](const std::string& names) {
        return message_of([&] { Recipe::load("maze-direct", {"problem.descriptors=\"" + names + "\""}); });
    };
    expect_mentions(said("path, opne"),
                    {"problem.descriptors", "'opne' is not a measure", "did you mean open?"});
    expect_mentions(said("beauty"), {"problem.descriptors", "'beauty'", "rock_cells (rock)"});
}

TEST(MazeDescriptors, NoneLeaveARecipeAsItWas) {
    const Recipe plain = Recipe::load("maze-direct");
    EXPECT_EQ(Recipe::load("maze-direct", {"problem.descriptors=\"\""}).hash(), plain.hash());
    EXPECT_NE(Recipe::load("maze-direct", {"problem.descriptors=\"path\""}).hash(), plain.hash());
}

// They say what a maze is like, and nothing of how good it is.
TEST(MazeDescriptors, SteerNothing) {
    for (const char* const recipe : {"maze", "maze-direct", "maze-chromatic"}) {
        const std::vector<std::string> budget{"stop.evaluations=3000"};
        const Recipe plain = Recipe::load(recipe, budget);
        const Recipe measured =
            Recipe::load(recipe, {budget.front(), "problem.descriptors=\"path, rock, ends\""});
        EXPECT_EQ(evolve(plain.problem(), plain.settings()).best.bytes,
                  evolve(measured.problem(), measured.settings()).best.bytes)
            << recipe;
    }
}

} // namespace
} // namespace knossos::maze::descriptors_test
