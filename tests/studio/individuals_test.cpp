#include "api_support.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace knossos::studio {
namespace {

using Json = nlohmann::ordered_json;

class IndividualsTest : public ApiTest {
  protected:
    // A run that waits after some generations.
    std::string paused(const std::string& recipe, Json set = Json::object(), std::uint64_t generations = 0) {
        const Response made =
            post("/api/runs", {{"recipe", recipe}, {"paused", true}, {"set", std::move(set)}});
        EXPECT_EQ(made.status, 201) << recipe << ' ' << made.body;
        const std::string id = Json::parse(made.body)["id"].get<std::string>();
        wait_until([&] { return studio_.find(id)->seen().frame != nullptr; });
        for (std::uint64_t i = 1; i <= generations; ++i) {
            studio_.step(*studio_.find(id), 1);
            wait_until([&] { return studio_.find(id)->seen().statistics.generation == i; });
        }
        return "/api/runs/" + id;
    }
    Json parsed(const Response& response) {
        EXPECT_EQ(response.status, 200) << response.body;
        return Json::parse(response.body);
    }
};

TEST_F(IndividualsTest, AnyOfAPopulationCanBeLookedAtWhateverItIs) {
    for (const std::string recipe :
         {"pmx-queens", "maze-direct", "dungeon", "armies", "one-max", "sphere", "zdt1"}) {
        const std::string run = paused(recipe);
        const Json frame = parsed(get(run + "/frames/0"));
        ASSERT_GE(frame["population"].size(), 1U) << recipe;
        for (std::size_t i = 1; i <= frame["population"].size(); ++i) {
            const Json one = parsed(get(fmt::format("{}/individuals/{}?generation=0", run, i)));
            EXPECT_EQ(one["fitness"], frame["population"][i - 1]["fitness"]) << recipe;
            EXPECT_FALSE(one["genome"].get<std::string>().empty()) << recipe;
            EXPECT_EQ(one["measures"].empty(), one["caption"] == "") << recipe;
        }
        const Json best = parsed(get(run + "/individuals/best"));
        EXPECT_EQ(best["fitness"], frame["best_ever"]) << recipe;
        const bool is_pictured = best["caption"] != "";
        EXPECT_EQ(get(run + "/individuals/1/export?format=svg").status, is_pictured ? 200 : 404) << recipe;
        EXPECT_EQ(get(run + "/individuals/9999").status, 404) << recipe;
        EXPECT_EQ(get(run + "/individuals/first").status, 422) << recipe;
    }
}

TEST_F(IndividualsTest, AnAutomatonIsSeenStepByStep) {
    const std::string run =
        paused("maze-automaton", {{"problem.width", 12}, {"problem.height", 9}, {"problem.steps", 6}});
    std::size_t most = 0;
    for (int i = 1; i <= 8; ++i) {
        const std::string one = fmt::format("{}/individuals/{}", run, i);
        const Json facts = parsed(get(one));
        const auto stages = facts["stages"].get<std::size_t>();
        ASSERT_GE(stages, 1U);
        ASSERT_LE(stages, 7U);
        most = std::max(most, stages);
        const auto cells = [&](const std::string& query) {
            return Json::parse(get(one + "/export?format=json&keep_pockets=1" + query).body)["cells"];
        };
        // The genome begins with the map, row by row.
        std::string map;
        for (const Json& row : cells("&stage=0")) map += row.get<std::string>();
        std::ranges::replace(map, '.', '0');
        std::ranges::replace(map, '#', '1');
        EXPECT_TRUE(facts["genome"].get<std::string>().starts_with(map)) << facts["genome"];
        EXPECT_EQ(cells(fmt::format("&stage={}", stages)), cells(""));
        if (stages > 1) {
            EXPECT_NE(cells("&stage=0"), cells("&stage=1"));
        }
        EXPECT_EQ(get(fmt::format("{}/export?format=svg&stage={}", one, stages + 1)).status, 422);
    }
    EXPECT_GT(most, 1U);
    EXPECT_EQ(parsed(get(paused("maze-direct") + "/individuals/best"))["stages"], 0);
}

TEST_F(IndividualsTest, AFrontIsShownLiveAndKept) {
    const std::string run = paused("zdt1", Json::object(), 5);
    EXPECT_EQ(parsed(get(run))["objectives"].size(), 2U);
    for (const int generation : {0, 5}) {
        const Json frame = parsed(get(fmt::format("{}/frames/{}", run, generation)));
        const auto front = frame["front"].get<std::vector<std::vector<double>>>();
        ASSERT_GE(front.size(), 1U);
        for (const auto& a : front)
            for (const auto& b : front)
                EXPECT_FALSE(&a != &b && a[0] <= b[0] && a[1] <= b[1]) << a[0] << ' ' << a[1];
    }
    Session& session = *studio_.find(run.substr(10));
    Reel reel{100, 1'000'000};
    for (const FramePtr& frame : session.frames()) reel.add(frame);
    Reel again{100, 1'000'000};
    unpack_frames(pack_frames(reel), session.space(), again);
    EXPECT_EQ(again.at(5)->front, reel.at(5)->front);
    EXPECT_FALSE(parsed(get(paused("one-max") + "/frames/0")).contains("front"));
}

TEST_F(IndividualsTest, ChromaticMazesHaveTheirColours) {
    const std::string run = paused("maze-chromatic", {{"problem.width", 7}, {"problem.height", 5}});
    Json level = parsed(get(run + "/frames/0"))["level"];
    ASSERT_EQ(level["colours"].size(), 5U);
    // Neighbours of colours that are far apart have a wall between them, others have none.
    const std::string order = "ROYGBV";
    for (std::size_t y = 0; y < 5; ++y)
        for (std::size_t x = 0; x + 1 < 7; ++x) {
            const auto row = level["colours"][y].get<std::string>();
            const auto a = static_cast<int>(order.find(row[x]));
            const auto b = static_cast<int>(order.find(row[x + 1]));
            EXPECT_EQ(level["walls_east"][y].get<std::string>()[x] == '|', std::abs(a - b) > 1);
        }
    EXPECT_NE(get(run + "/export?format=svg").body, get(run + "/export?format=svg&colours=0").body);
    // What is shown is what is downloaded.
    const auto written = [&](const std::string& query) {
        return post("/api/levels/export?format=" + query, {{"domain", "maze"}, {"level", level}});
    };
    EXPECT_EQ(parsed(written("json"))["colours"], level["colours"]);
    EXPECT_NE(written("svg").body, written("svg&colours=0").body);
    EXPECT_EQ(parsed(get("/api/registry"))["maze_colours"].size(), 6U);
    level["colours"][0] = "RRRRRRX";
    const Response refused = written("svg");
    EXPECT_EQ(refused.status, 422);
    EXPECT_NE(refused.body.find("row 1"), std::string::npos) << refused.body;
}

TEST_F(IndividualsTest, ASurveyTellsTheMembersOfEveryCell) {
    // C1 lies on every way to what is behind it, C2 on one of two.
    const Json level{{"cells", {"...", ".#.", "..."}},
                     {"entrance", {0, 0}},
                     {"exit", {2, 2}},
                     {"checkpoints", {{1, 0}, {0, 1}}}};
    const Json survey = parsed(post("/api/levels/survey", {{"level", level}}));
    const auto at = [&](std::size_t x, std::size_t y) {
        return survey["members"]["sets"][survey["members"]["of"][3 * y + x].get<std::size_t>()];
    };
    EXPECT_EQ(at(0, 0), Json::array());
    EXPECT_EQ(at(1, 0), Json::array({0}));
    EXPECT_EQ(at(2, 1), Json::array({0}));
    EXPECT_EQ(at(0, 2), Json::array({1}));
    EXPECT_EQ(at(2, 2), Json::array({0, 1}));
    EXPECT_EQ(at(1, 1), Json::array());
}

} // namespace
} // namespace knossos::studio
