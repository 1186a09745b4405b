// The front as a result: what is written of it, and read back.
#include "support.hpp"

#include <knossos/recipe/run_folder.hpp>
#include <knossos/recipe/trade_offs.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

namespace knossos::trade_offs_test {
namespace {

using test::expect_mentions;
using test::message_of;

struct Ended {
    Recipe recipe;
    Result result;
};

Ended trade_off(const std::vector<std::string>& more = {}) {
    std::vector<std::string> overrides{"problem.width=8", "problem.height=8", "algorithm.population=20",
                                       "stop.evaluations=2000"};
    overrides.insert(overrides.end(), more.begin(), more.end());
    const Recipe recipe = Recipe::load("maze-front", overrides);
    return {recipe, evolve(recipe.problem(), recipe.settings())};
}

TEST(TradeOffs, AreReadBackAsTheyWereWritten) {
    for (const auto& more :
         {std::vector<std::string>{}, std::vector<std::string>{"islands.count=3", "islands.interval=5"},
          std::vector<std::string>{"problem.goal='maximise path, minimise density, loops 1..2'"}}) {
        const auto [recipe, result] = trade_off(more);
        ASSERT_TRUE(has_front(result));
        const TradeOffs written = trade_offs_of(result);
        const TradeOffs read = read_front(front_json(recipe, result), "front.json");
        ASSERT_EQ(read.records, written.records);
        EXPECT_EQ(read.hypervolume, written.hypervolume);
        ASSERT_EQ(read.columns.size(), written.columns.size());
        for (std::size_t i = 0; i < read.columns.size(); ++i) {
            EXPECT_EQ(read.columns[i].name, written.columns[i].name);
            EXPECT_EQ(read.columns[i].role, written.columns[i].role);
            if (read.columns[i].role == Role::objective) {
                EXPECT_EQ(read.columns[i].direction, written.columns[i].direction);
            }
        }
        const std::string csv = front_csv(result);
        EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(csv, '\n')), written.records.size() + 1);
        EXPECT_TRUE(csv.starts_with("point,"));
        // What the genomes stand for is there, too.
        EXPECT_NE(front_json(recipe, result).find("\"cells\""), std::string::npos);
    }
}

TEST(TradeOffs, SayWhatIsWrongWithAFileThatIsNoFront) {
    for (const std::string text : {"", "{}", "[1]", "{\"columns\":[],\"points\":[]}",
                                   "{\"columns\":[{\"name\":\"a\",\"role\":\"wish\"}],\"points\":[]}"})
        expect_mentions(message_of([&] { (void)read_front(text, "front.json"); }),
                        {"front.json", "front of a run"});
}

TEST(TradeOffs, ArePlottedByTheirFirstTwoObjectives) {
    const auto [recipe, result] = trade_off();
    const render::Chart chart = front_chart(trade_offs_of(result), "title");
    ASSERT_EQ(chart.series.size(), 1U);
    EXPECT_EQ(chart.series[0].points.size(), result.hall_of_fame.size());
    EXPECT_NE(chart.x_name.find("maximised"), std::string::npos);
    EXPECT_FALSE(render::to_svg(render::chart_picture(chart)).empty());
}

// Who takes such a recipe expects the algorithm that is made for it.
TEST(TradeOffs, AreWhatEveryBuiltInRecipeOfSeveralObjectivesIsMadeFor) {
    std::size_t met = 0;
    for (const BuiltInRecipe& built_in : built_in_recipes()) {
        const Recipe recipe = Recipe::load(std::string{built_in.name});
        if (recipe.problem().schema().objectives().size() < 2) continue;
        ++met;
        EXPECT_EQ(recipe.choice("algorithm")->kind, "nsga2") << built_in.name;
    }
    EXPECT_GE(met, 5U);
}

} // namespace
} // namespace knossos::trade_offs_test
