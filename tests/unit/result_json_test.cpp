#include "support.hpp"

#include <knossos/maze/measures.hpp>
#include <knossos/recipe/recipe.hpp>
#include <knossos/recipe/result_json.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace knossos::result_json_test {
namespace {

using test::expect_mentions;
using test::message_of;

struct Outcome {
    Recipe recipe;
    Result result;
    nlohmann::json json;
};

Outcome outcome_of(std::string_view problem, std::string_view stop) {
    const std::string text = "[problem]\n" + std::string{problem} +
                             "\n[algorithm]\npopulation = 20\n[stop]\n" + std::string{stop} + "\n";
    Recipe recipe = Recipe::parse(text, "r.toml");
    Result result = evolve(recipe.problem(), recipe.settings());
    const auto json = nlohmann::json::parse(result_json(recipe, result));
    return {std::move(recipe), std::move(result), json};
}

TEST(ResultJson, SaysWhatTheRunCameTo) {
    const Outcome run = outcome_of("kind = \"queens\"\nn = 8", "solved = true\ngenerations = 500");
    EXPECT_EQ(run.json["seed"], run.recipe.seed());
    EXPECT_EQ(run.json["result"]["best"], run.result.fitness);
    EXPECT_EQ(run.json["result"]["stopped_by"], run.result.stopped_by);
    EXPECT_EQ(run.json["result"]["genome"], run.result.best.genes());
    EXPECT_EQ(run.json["costs"]["evaluations"], run.result.evaluations);
    EXPECT_EQ(run.json["costs"]["generations"], run.result.generations);
}

TEST(ResultJson, ReadsBackWhatVerificationCompares) {
    const Outcome run = outcome_of("kind = \"queens\"\nn = 8", "generations = 3");
    const RecordedResult read = read_result(result_json(run.recipe, run.result), "result.json");
    EXPECT_EQ(read.evaluations, run.result.evaluations);
    EXPECT_EQ(read.generations, run.result.generations);
    EXPECT_EQ(read.best, run.result.fitness);
    EXPECT_EQ(read.digest, digest_text(run.result.digest));
    EXPECT_EQ(read.digest.size(), 16U);
}

TEST(ResultJson, WhatIsNoneIsRefusedWithItsFile) {
    for (const auto* text : {"", "{", "[]", "{\"costs\": {}}", "{\"costs\": {\"evaluations\": \"many\"}}"})
        expect_mentions(message_of([&] { (void)read_result(text, "run/result.json"); }),
                        {"run/result.json", "is not the result of a run"});
}

TEST(ResultJson, BoardsAreColumnsWhereEveryRowHasItsQueen) {
    const Outcome rows = outcome_of("kind = \"queens\"\nn = 6", "generations = 2");
    EXPECT_EQ(rows.json["result"]["board"], rows.json["result"]["genome"]);
    // One generation of random bits: some row has two queens or none.
    const Outcome squares = outcome_of("kind = \"pbo-queens\"\nn = 6", "generations = 1");
    const auto& board = squares.json["result"]["board"];
    const GenomeKind kind = squares.result.best.space.kind;
    ASSERT_EQ(kind, GenomeKind::bits);
    std::size_t queens = 0;
    for (const auto gene : squares.result.best.genes()) queens += gene;
    ASSERT_EQ(board.size(), queens);
    for (const auto& square : board) {
        const auto bit = square[0].get<std::size_t>() * 6 + square[1].get<std::size_t>();
        EXPECT_EQ(squares.result.best.genes()[bit], 1U);
    }
}

TEST(ResultJson, MazesComeWithTheirCellsAndMeasures) {
    for (const auto* representation : {"direct", "chromatic", "positive", "negative", "automaton"}) {
        SCOPED_TRACE(representation);
        const Outcome run =
            outcome_of(std::string{"kind = \"maze\"\nwidth = 9\nheight = 7\nrepresentation = \""} +
                           representation + "\"",
                       "generations = 3");
        const auto& found = run.json["result"];
        // Walls between the cells of chromatic mazes are drawn as rock of their own.
        const bool walls = std::string_view{representation} == "chromatic";
        ASSERT_EQ(found["cells"].size(), walls ? 13U : 7U);
        std::string drawing;
        for (const auto& row : found["cells"]) {
            EXPECT_EQ(row.get<std::string>().size(), walls ? 17U : 9U);
            drawing += row.get<std::string>() + "\n";
        }
        maze::Level level{.grid = maze::parse_grid(drawing)};
        level.entrance = {found["entrance"][0], found["entrance"][1]};
        level.exit = {found["exit"][0], found["exit"][1]};
        const int path = maze::measure(level).exit_path;
        EXPECT_EQ(found["measures"]["exit_path"].get<int>(), walls && path > 0 ? path / 2 : path);
        EXPECT_EQ(found["measures"].size(), maze::measure_table().size());
        EXPECT_TRUE(found["score"]["usable"].is_boolean());
    }
}

TEST(IsReached, AsksForTheTargetOrTheGoalIfThereIsOne) {
    const Outcome solved = outcome_of("kind = \"queens\"\nn = 6", "solved = true\ngenerations = 2000");
    ASSERT_TRUE(solved.result.solved);
    EXPECT_TRUE(is_reached(solved.recipe, solved.result));
    const Outcome unsolved = outcome_of("kind = \"queens\"\nn = 100", "generations = 1");
    EXPECT_FALSE(is_reached(unsolved.recipe, unsolved.result));
    EXPECT_EQ(unsolved.json["result"]["reached"], false);
    const Outcome free = outcome_of("kind = \"maze\"\nwidth = 9\nheight = 7", "generations = 1");
    EXPECT_TRUE(is_reached(free.recipe, free.result)) << "asks for nothing in particular";
    const Outcome out_of_reach =
        outcome_of("kind = \"maze\"\nwidth = 9\nheight = 7\ngoal = \"path 60..62\"", "generations = 1");
    EXPECT_FALSE(is_reached(out_of_reach.recipe, out_of_reach.result));
    const Outcome easy =
        outcome_of("kind = \"maze\"\nwidth = 9\nheight = 7\ngoal = \"path 14..63\"", "generations = 5");
    EXPECT_TRUE(is_reached(easy.recipe, easy.result));
}

} // namespace
} // namespace knossos::result_json_test
