#include "api_support.hpp"

#include <knossos/recipe/result_json.hpp>

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
    // As anybody runs it from the file.
    const Recipe recipe = Recipe::parse(second["toml"].get<std::string>(), "recipe", {});
    EXPECT_EQ(digest_text(evolve(recipe.problem(), recipe.settings()).digest), second["digest"].get<std::string>());
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
