#include "api_support.hpp"

namespace knossos::studio {
namespace {

using Json = nlohmann::ordered_json;

class WishTest : public ApiTest {
  protected:
    Json parsed(const Json& body) {
        const Response response = post("/api/wishes", body);
        EXPECT_EQ(response.status, 200) << response.body;
        return Json::parse(response.body);
    }
};

TEST_F(WishTest, AreParsedByTheServer) {
    const Json all =
        parsed({{"domain", "maze"}, {"text", "path 40..60 near 50; minimise pockets weight 2\nloops ..3"}});
    EXPECT_EQ(all["errors"], Json::array());
    ASSERT_EQ(all["wishes"].size(), 3U);
    const Json& path = all["wishes"][0];
    EXPECT_EQ(path["measure"], "exit_path");
    EXPECT_EQ(path["aim"], "range");
    EXPECT_EQ(path["low"], 40.0);
    EXPECT_EQ(path["high"], 60.0);
    EXPECT_EQ(path["near"], 50.0);
    EXPECT_EQ(all["wishes"][1]["aim"], "minimise");
    EXPECT_EQ(all["wishes"][1]["weight"], 2.0);
    EXPECT_EQ(all["wishes"][2]["low"], nullptr);
    EXPECT_EQ(all["wishes"][2]["high"], 3.0);
}

// What the form shows is what runs: values, their text, and the values of that.
TEST_F(WishTest, OfValuesAreTheSameAsOfTheirText) {
    for (const char* text : {"path 40..60 near 50", "maximise loops", "openness 0.25..0.5 weight 1.5",
                             "rock 12", "path 60.., density ..0.4, minimise pockets"}) {
        const Json first = parsed({{"domain", "maze"}, {"text", text}});
        ASSERT_EQ(first["errors"], Json::array()) << text;
        EXPECT_EQ(parsed({{"domain", "maze"}, {"wishes", first["wishes"]}}), first) << text;
        EXPECT_EQ(parsed({{"domain", "maze"}, {"text", first["text"]}}), first) << text;
    }
    EXPECT_EQ(parsed({{"domain", "dungeon"}, {"text", ""}})["wishes"], Json::array());
}

TEST_F(WishTest, OnesThatCannotBeStandAloneBesideTheOthers) {
    const Json all = parsed({{"domain", "maze"}, {"text", "path 40..60, pth 3, loops 9..2"}});
    EXPECT_EQ(all["wishes"].size(), 1U);
    ASSERT_EQ(all["errors"].size(), 2U);
    EXPECT_EQ(all["errors"][0]["index"], 1);
    EXPECT_EQ(all["errors"][1]["index"], 2);
    EXPECT_NE(all["errors"][0]["message"].get<std::string>().find("'pth'"), std::string::npos);
    const Json values =
        parsed({{"domain", "maze"}, {"wishes", {{{"measure", "density"}, {"aim", "range"}, {"low", 3}}}}});
    ASSERT_EQ(values["errors"].size(), 1U);
    EXPECT_EQ(values["errors"][0]["index"], 0);
}

TEST_F(WishTest, NeedADomainThatHasSome) {
    EXPECT_EQ(post("/api/wishes", {{"domain", "queens"}, {"text", ""}}).status, 422);
    EXPECT_EQ(post("/api/wishes", {{"domain", "maze"}}).status, 422);
    EXPECT_EQ(post("/api/wishes", {{"domain", "maze"}, {"text", ""}, {"wishes", Json::array()}}).status, 422);
    EXPECT_EQ(post("/api/wishes", {{"domain", "maze"}, {"wishes", {3}}}).status, 422);
    EXPECT_EQ(get("/api/wishes").status, 405);
}

} // namespace
} // namespace knossos::studio
