#include "support.hpp"

#include <knossos/maze/measures.hpp>
#include <knossos/recipe/recipe.hpp>
#include <knossos/recipe/result_json.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

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

TEST(ResultJson, NamesTheMeritOfArchivesAndFronts) {
    for (const auto& [recipe, merit] : {std::pair{"maze-gallery", "qd_score"}, {"zdt1", "hypervolume"}}) {
        const Recipe read = Recipe::load(recipe, {"stop.evaluations=3000"});
        const Result result = evolve(read.problem(), read.settings());
        const auto json = nlohmann::json::parse(result_json(read, result));
        EXPECT_EQ(json["result"]["merit"]["name"], merit);
        EXPECT_EQ(json["result"]["merit"]["value"], result.merit);
    }
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

TEST(ResultJson, ChargesTheQueensOfABoardThatIsNotSolved) {
    const Outcome run = outcome_of("kind = \"queens\"\nn = 30", "generations = 1");
    std::uint64_t sum = 0;
    for (const auto& met : run.json["result"]["collisions"]) sum += met.get<std::uint64_t>();
    EXPECT_EQ(static_cast<double>(sum), 2.0 * run.result.fitness);
    const Outcome solved = outcome_of("kind = \"queens\"\nn = 8", "solved = true\ngenerations = 500");
    EXPECT_FALSE(solved.json["result"].contains("collisions"));
}

TEST(ResultJson, ShowsBothBoardsOfADuel) {
    const Recipe recipe = Recipe::load("duel-queens", {"stop.generations=2", "seed=3"});
    const Result result = evolve(recipe.problem(), recipe.settings());
    const auto json = nlohmann::json::parse(result_json(recipe, result))["result"];
    EXPECT_EQ(json["remark"], result.remark);
    ASSERT_EQ(json["contestants"].size(), 2U);
    EXPECT_EQ(json["contestants"][0]["name"], "mutant");
    EXPECT_EQ(json["contestants"][1]["name"], "other");
    for (const auto& one : json["contestants"]) EXPECT_EQ(one["board"].size(), 8U);
    const double best = std::min(json["contestants"][0]["fitness"].get<double>(),
                                 json["contestants"][1]["fitness"].get<double>());
    EXPECT_EQ(best, result.fitness);
}

// 1 − c/Σc, worked out from the population itself: of the best that is in it, not of the best there ever was.
TEST(ResultJson, SaysWhatTheFoundingWheelMakesOfTheBest) {
    const Recipe recipe = Recipe::load("roulette-queens", {"stop.generations=30", "problem.n=20"});
    knossos::Run run{recipe.problem(), recipe.settings()};
    run.finish();
    const auto fitness = run.islands().front().current.fitness();
    double sum = 0.0;
    for (const double collisions : fitness) sum += collisions;
    const double best = *std::ranges::min_element(fitness);
    const Result result = run.result();
    ASSERT_LT(result.fitness, best);
    const auto json = nlohmann::json::parse(result_json(recipe, result))["result"];
    EXPECT_NEAR(json["scaled"].get<double>(), 1.0 - best / sum, 1e-12);
    const Recipe other = Recipe::load("pmx-queens", {"stop.generations=1"});
    EXPECT_FALSE(scaled_fitness(other, result.history.back(), 1.0).has_value());
}

// Steps lead between cells of equal colours and of neighbours in R O Y G B V.
void expect_walls_between_unlike_colours(const nlohmann::json& maze) {
    constexpr std::string_view order = "ROYGBV";
    const auto rows = maze["colours"].get<std::vector<std::string>>();
    const auto east = maze["walls_east"].get<std::vector<std::string>>();
    ASSERT_EQ(rows.size(), maze["cells"].size());
    for (std::size_t y = 0; y < rows.size(); ++y)
        for (std::size_t x = 0; x + 1 < rows[y].size(); ++x) {
            const auto here = static_cast<int>(order.find(rows[y][x]));
            const auto beside = static_cast<int>(order.find(rows[y][x + 1]));
            ASSERT_LT(here, 6);
            ASSERT_EQ(east[y][x] == '|', std::abs(here - beside) > 1) << x << "," << y;
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
        const auto size_of = [](const nlohmann::json& rows) {
            return std::pair{rows.at(0).get<std::string>().size(), rows.size()};
        };
        ASSERT_EQ(size_of(found["cells"]), std::pair(std::size_t{9}, std::size_t{7}));
        // Walls between the cells of chromatic mazes are drawn as rock of their own, apart.
        const bool walls = std::string_view{representation} == "chromatic";
        for (const auto* key : {"walls_east", "walls_south", "colours", "walls_as_rock"})
            ASSERT_EQ(found.contains(key), walls) << key;
        if (walls) {
            EXPECT_EQ(size_of(found["walls_as_rock"]["cells"]), std::pair(std::size_t{17}, std::size_t{13}));
            expect_walls_between_unlike_colours(found);
        }
        const nlohmann::json drawn = walls ? found["walls_as_rock"] : found;
        std::string drawing;
        for (const auto& row : drawn["cells"]) drawing += row.get<std::string>() + "\n";
        maze::Level level{.grid = maze::parse_grid(drawing)};
        level.entrance = {drawn["entrance"][0], drawn["entrance"][1]};
        level.exit = {drawn["exit"][0], drawn["exit"][1]};
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
        outcome_of("kind = \"maze\"\nwidth = 9\nheight = 7\ngoal = \"path 46..50\"", "generations = 1");
    EXPECT_FALSE(is_reached(out_of_reach.recipe, out_of_reach.result));
    const Outcome easy =
        outcome_of("kind = \"maze\"\nwidth = 9\nheight = 7\ngoal = \"path 14..63\"", "generations = 5");
    EXPECT_TRUE(is_reached(easy.recipe, easy.result));
}

} // namespace
} // namespace knossos::result_json_test
