#include "api_support.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace knossos::studio {
namespace {

using Json = nlohmann::ordered_json;

using ShareTest = ApiTest;

// What the page of a shared file holds between its tags.
Json shared_data(const Response& response) {
    constexpr std::string_view open = "id=\"data\">";
    const std::size_t begin = response.body.find(open) + open.size();
    return Json::parse(response.body.substr(begin, response.body.find("</script>", begin) - begin));
}

bool asks_for_nothing(const std::string& page) {
    constexpr std::array<std::string_view, 5> outside{"src=\"", "href=\"", "url(", "@import", "fetch("};
    return std::ranges::none_of(outside,
                                [&](std::string_view one) { return page.find(one) != std::string::npos; });
}

TEST_F(ShareTest, ARunTakesItsHistoryPicturesAndRecipeAlong) {
    const std::string id =
        Json::parse(post("/api/runs", {{"recipe", "pmx-queens"}, {"seed", 5}}).body)["id"].get<std::string>();
    wait_until([&] { return studio_.find(id)->seen().state == State::ended; });
    const Response shared = get("/api/runs/" + id + "/share?theme=dark");
    ASSERT_EQ(shared.status, 200);
    EXPECT_TRUE(asks_for_nothing(shared.body));
    EXPECT_NE(shared.body.find("data-theme=\"dark\""), std::string::npos);
    const Json data = shared_data(shared);
    EXPECT_EQ(data["recipe"], get("/api/runs/" + id + "/recipe.toml").body);
    EXPECT_EQ(data["history"], Json::parse(get("/api/runs/" + id + "/history").body));
    EXPECT_EQ(data["run"]["command"], Json::parse(get("/api/runs/" + id).body)["command"]);
    const Json& last = data["moments"].back();
    EXPECT_EQ(last["row"], data["history"]["rows"].size() - 1);
    EXPECT_TRUE(data["pictures"][last["picture"].get<std::size_t>()].get<std::string>().starts_with("<svg"));
    EXPECT_LE(data["moments"].size(), 121U);
    EXPECT_EQ(get("/api/runs/" + id + "/archive/share").status, 404); // it keeps none
    EXPECT_EQ(get("/api/runs/" + id + "/share?theme=puce").status, 422);
}

TEST_F(ShareTest, NothingInALevelEndsItsScript) {
    const std::string name = "</script><script>alert(1)</script>";
    const Response shared =
        post("/api/levels/share",
             {{"domain", "dungeon"}, {"level", {{"rows", {"E.k", "#+#", "..X"}}}}, {"name", name}});
    ASSERT_EQ(shared.status, 200) << shared.body;
    EXPECT_TRUE(asks_for_nothing(shared.body));
    EXPECT_EQ(shared.body.find(name), std::string::npos);
    EXPECT_EQ(shared_data(shared)["title"], name);
    EXPECT_EQ(post("/api/levels/share", {{"domain", "dungeon"}, {"level", {{"rows", {"?!"}}}}}).status, 422);
}

} // namespace
} // namespace knossos::studio
