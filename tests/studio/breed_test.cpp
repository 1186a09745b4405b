#include "api_support.hpp"

#include <knossos/recipe/result_json.hpp>

#include <fmt/format.h>

namespace knossos::studio {
namespace {

using Json = nlohmann::ordered_json;

class BreedTest : public ApiTest {
  protected:
    Json bred(const Json& choices, const Json& set = Json::object()) {
        const Response response = post(
            "/api/breed", {{"recipe", "maze-automaton"}, {"seed", 5}, {"set", set}, {"choices", choices}});
        EXPECT_EQ(response.status, 200) << response.body;
        return Json::parse(response.body);
    }
    Json parsed(const Response& response) {
        EXPECT_EQ(response.status, 200) << response.body;
        return Json::parse(response.body);
    }
};

TEST_F(BreedTest, TheCourseOfChoicesIsOneRecipeThatRepeatsToTheBit) {
    const Json first = bred(Json::array());
    EXPECT_EQ(first["generation"], 0);
    ASSERT_EQ(first["individuals"].size(), 9U);
    EXPECT_EQ(first["individuals"][0]["number"], 1);
    const Json second = bred({{2, 7}, {1}});
    EXPECT_EQ(second["generation"], 2);
    EXPECT_TRUE(second["individuals"] != first["individuals"]);
    EXPECT_EQ(bred({{2, 7}, {1}}), second);
    // Step back, and branch.
    EXPECT_EQ(bred(Json::array()), first);
    EXPECT_TRUE(bred({{5}, {1}})["individuals"] != second["individuals"]);
    // The command says once what it sets.
    const Json set{{"algorithm.kind", "chosen"}, {"algorithm.population", 12}};
    const std::string command = bred(Json::array(), set)["command"].get<std::string>();
    EXPECT_EQ(command.find("algorithm.kind="), command.rfind("algorithm.kind=")) << command;
    EXPECT_EQ(command.find("algorithm.population="), command.rfind("algorithm.population=")) << command;
    EXPECT_EQ(bred(Json::array(), set)["individuals"].size(), 12U);
    // As anybody runs it from the file.
    const Recipe recipe = Recipe::parse(second["toml"].get<std::string>(), "recipe", {});
    EXPECT_EQ(digest_text(evolve(recipe.problem(), recipe.settings()).digest),
              second["digest"].get<std::string>());
}

TEST_F(BreedTest, AnyDomainThatCanBeSeenIsBred) {
    for (const char* recipe : {"pmx-queens", "dungeon", "maze-direct"}) {
        const Response response =
            post("/api/breed",
                 {{"recipe", recipe}, {"set", {{"algorithm.population", 16}}}, {"choices", {{1, 16}}}});
        ASSERT_EQ(response.status, 200) << response.body;
        EXPECT_EQ(Json::parse(response.body)["individuals"].size(), 16U) << recipe;
    }
}

TEST_F(BreedTest, PicturesMeasuresAndFilesAreOfThoseShown) {
    const Json order{{"recipe", "maze-automaton"}, {"seed", 5}, {"choices", {{2, 7}}}};
    Json pictured = order;
    pictured["theme"] = "dark";
    const Json plain = parsed(post("/api/breed", order));
    const Json seen = parsed(post("/api/breed", pictured));
    EXPECT_FALSE(plain["individuals"][0].contains("picture"));
    EXPECT_TRUE(seen["digest"] == plain["digest"]);
    for (const Json& one : seen["individuals"]) {
        const std::string at = fmt::format("/api/breed/export?number={}", one["number"].get<int>());
        EXPECT_EQ(one["picture"], post(at + "&theme=dark&keep_pockets=1", order).body);
        const Json file = Json::parse(post(at + "&format=json&keep_pockets=1", order).body);
        EXPECT_TRUE(file["cells"] == one["level"]["cells"]) << file.dump();
        EXPECT_TRUE(one["measures"].contains("exit_path"));
    }
    EXPECT_EQ(post("/api/breed/export?number=10", order).status, 422);
    EXPECT_EQ(post("/api/breed/export?number=0", order).status, 422);
    EXPECT_EQ(post("/api/breed/export", order).status, 422);
    EXPECT_EQ(get("/api/breed/export?number=1").status, 405);
    pictured["theme"] = "mauve";
    EXPECT_EQ(post("/api/breed", pictured).status, 422);
}

TEST_F(BreedTest, RefusesChoicesOfNobody) {
    const auto refused = [&](const Json& choices) {
        return post("/api/breed", {{"recipe", "maze-automaton"}, {"choices", choices}}).status;
    };
    EXPECT_EQ(refused({{10}}), 422);
    EXPECT_EQ(refused({{0}}), 422);
    EXPECT_EQ(refused({{1, 1}}), 422);
    EXPECT_EQ(refused({1}), 422);
    EXPECT_EQ(refused("1"), 422);
    EXPECT_EQ(
        post("/api/breed", {{"recipe", "maze-automaton"}, {"set", {{"algorithm.population", 65}}}}).status,
        422);
}

} // namespace
} // namespace knossos::studio
