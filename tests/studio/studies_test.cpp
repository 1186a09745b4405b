#include "api_support.hpp"

#include <knossos/core/files.hpp>
#include <knossos/study/analysis.hpp>

#include <algorithm>

namespace knossos::studio {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

using StudyTest = ApiTest;

Json body_in(const Response& response) { return Json::parse(response.body); }

Json small_order(std::uint64_t runs = 6) {
    return {{"name", "How much mutation?"},
            {"recipes", {"pmx-queens"}},
            {"set", {{"problem.n", 6}}},
            {"grid", {{"stages.mutate.probability", {0.05, 0.5}}}},
            {"runs", runs},
            {"budget", 3000}};
}

// So many runs that it is still at it when it is asked to stop.
Json long_order() {
    Json order = small_order(20'000);
    order["set"]["problem.n"] = 20;
    return order;
}

void wait_for_state(const Studies& studies, const std::string& id, StudyState state) {
    wait_until([&] { return studies.find(id)->state() == state; });
}

TEST_F(StudyTest, IsCheckedCarriedOutAndReported) {
    const Json checked = body_in(post("/api/studies/check", small_order()));
    EXPECT_EQ(checked["runs"], 12);
    EXPECT_EQ(checked["configurations"],
              Json::array({"pmx-queens probability=0.05", "pmx-queens probability=0.5"}));
    const Response made = post("/api/studies", small_order());
    ASSERT_EQ(made.status, 201) << made.body;
    const std::string id = body_in(made)["id"].get<std::string>();
    EXPECT_EQ(id, "how-much-mutation-1");
    wait_until([&] { return body_in(get("/api/studies/" + id))["state"] == "ended"; });
    const Json ended = body_in(get("/api/studies/" + id));
    EXPECT_EQ(ended["done"], 12);
    EXPECT_EQ(ended["order"], small_order());
    EXPECT_EQ(body_in(get("/api/studies"))["studies"][0]["report"], true);
    const Response report = get("/studies/" + id);
    EXPECT_EQ(report.status, 200);
    EXPECT_NE(report.body.find("How much mutation?"), std::string::npos);
    EXPECT_EQ(post("/api/studies/" + id + "/control", {{"action", "play"}}).status, 409);
    EXPECT_EQ(get("/api/studies/" + id + "/study.toml").body, checked["toml"].get<std::string>());
}

TEST_F(StudyTest, FiguresAreThoseOfTheReport) {
    const std::string id = body_in(post("/api/studies", small_order()))["id"].get<std::string>();
    wait_until([&] { return body_in(get("/api/studies/" + id))["state"] == "ended"; });
    const auto analysis = study::analyse(study::Store::open(workspace_.path() / "studies" / id / "study.db"));
    const Json rows = body_in(get("/api/studies/" + id))["rows"];
    ASSERT_EQ(rows.size(), analysis.configurations.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const study::Row& row = analysis.configurations[i].row;
        EXPECT_EQ(rows[i]["label"], analysis.configurations[i].info.label);
        EXPECT_EQ(rows[i]["done"], row.runs);
        EXPECT_EQ(rows[i]["solved"], row.solved);
        ASSERT_GT(row.solved, 0U);
        EXPECT_EQ(rows[i]["expected"], row.expected);
        EXPECT_EQ(rows[i]["evaluations"], row.evaluations.median);
        EXPECT_EQ(rows[i]["success"][0], row.success.low);
        EXPECT_EQ(rows[i]["best"], row.best.median);
    }
}

TEST_F(StudyTest, EventsEndWithTheStudy) {
    const std::string id = body_in(post("/api/studies", small_order()))["id"].get<std::string>();
    const Response stream = get("/api/studies/" + id + "/events");
    const Response list = get("/api/studies/events");
    std::uint64_t last = 0;
    bool over = false;
    std::string newest;
    wait_until([&] {
        if (const auto text = stream.events(last, over)) newest = *text;
        return over;
    });
    EXPECT_NE(newest.find("\"state\":\"ended\""), std::string::npos);
    EXPECT_NE(newest.find("\"done\":12"), std::string::npos);
    last = 0;
    const auto listed = list.events(last, over);
    ASSERT_NE(listed, nullptr);
    EXPECT_NE(listed->find(id), std::string::npos);
}

TEST_F(StudyTest, IsPausedAndGoesOn) {
    const std::string id = body_in(post("/api/studies", long_order()))["id"].get<std::string>();
    wait_until([&] { return body_in(get("/api/studies/" + id))["done"] > 0; });
    EXPECT_EQ(body_in(post("/api/studies/" + id + "/control", {{"action", "pause"}}))["state"], "paused");
    // What was under way is recorded or given up; then nothing more is done.
    const auto done = [&] { return body_in(get("/api/studies/" + id))["done"].get<std::uint64_t>(); };
    const Json second = body_in(post("/api/studies", small_order()));
    wait_until(
        [&] { return body_in(get("/api/studies/" + second["id"].get<std::string>()))["state"] == "ended"; });
    const std::uint64_t before = done();
    EXPECT_LT(before, 40'000U);
    EXPECT_EQ(body_in(get("/api/studies/" + id))["state"], "paused");
    EXPECT_EQ(post("/api/studies/" + id + "/control", {{"action", "play"}}).status, 200);
    wait_until([&] { return done() > before; });
    EXPECT_EQ(drop("/api/studies/" + id).status, 204);
    EXPECT_EQ(get("/api/studies/" + id).status, 404);
    wait_until([&] { return !fs::exists(workspace_.path() / "studies" / id); });
}

TEST(Studies, GoOnWithTheNextStudioWithWhatWasRecorded) {
    const Workspace workspace;
    const fs::path folder = workspace.path() / "studies";
    std::string going;
    std::string paused;
    std::uint64_t recorded = 0;
    {
        Studies first{folder, std::size_t{1} << 28U, Registry::built_in(), 1};
        going = first.start(small_order(400))->id();
        paused = first.start(small_order())->id();
        first.pause(*first.find(paused));
        wait_until([&] { return first.find(going)->view(false)["done"] > 0; });
        recorded = first.find(going)->view(false)["done"].get<std::uint64_t>();
    }
    fs::create_directories(folder / ".new-half");
    fs::create_directories(folder / ".deleted-half");
    Studies second{folder, std::size_t{1} << 28U, Registry::built_in(), 1};
    EXPECT_FALSE(fs::exists(folder / ".new-half") || fs::exists(folder / ".deleted-half"));
    EXPECT_GE(second.find(going)->view(false)["done"].get<std::uint64_t>(), recorded);
    wait_for_state(second, going, StudyState::ended);
    EXPECT_EQ(second.find(going)->view(false)["done"], 800);
    EXPECT_EQ(second.find(paused)->state(), StudyState::paused);
    EXPECT_EQ(second.find(paused)->view(false)["done"], 0);
    const Studies third{folder, std::size_t{1} << 28U, Registry::built_in(), 1};
    EXPECT_EQ(third.find(going)->state(), StudyState::ended);
}

TEST_F(StudyTest, WhatCannotRunIsRefusedUnderItsKey) {
    const auto refused = [&](const Json& changes) {
        Json order = small_order();
        order.update(changes);
        const Response response = post("/api/studies/check", order);
        EXPECT_EQ(post("/api/studies", order).status, response.status);
        return std::pair{response.status, response.body};
    };
    const auto says = [&](const Json& changes, const std::string& text) {
        const auto [status, body] = refused(changes);
        EXPECT_TRUE(status == 422 || status == 400) << body;
        EXPECT_NE(body.find(text), std::string::npos) << body;
    };
    says({{"recipes", {"pmx-quens"}}}, "did you mean pmx-queens?");
    says({{"recipes", {"/etc/passwd.toml"}}}, "there is no recipe");
    says({{"recipes", Json::array()}}, "recipes must name at least one");
    says({{"recipe", "pmx-queens"}}, "did you mean recipes?");
    says({{"grid", {{"problem.n", {8, -1}}}}}, "\"where\":\"problem.n\"");
    says({{"grid", {{"problem.n", Json::array()}}}}, "must be a list of values");
    says({{"grid", {{"problem.n", {8, 8}}}}}, "two configurations");
    says({{"set", {{"evaluator.program", "true"}}}}, "starts no programs");
    says({{"set", {{"start.gallery", "/etc/passwd"}}}}, "opens no files");
    says({{"set", {{"problem..n", 8}}}}, "must look like problem.n");
    says({{"set", {{"problem.n", nullptr}}}}, "must be a text, a number");
    says({{"runs", 0}}, "runs must be a whole number");
    says({{"runs", 1.5}}, "runs must be a whole number");
    says({{"runs", 90'000}}, "\"where\":\"runs\"");
    says({{"name", ""}}, "name must be");
    says({{"set", {{"problem.n", 10'000'000}}}}, "MB");
    Json many = Json::array();
    for (int n = 4; n < 700; ++n) many.push_back(n);
    says({{"grid", {{"problem.n", many}}}}, "696 configurations");
    EXPECT_TRUE(body_in(get("/api/studies"))["studies"].empty());
    EXPECT_FALSE(fs::exists(workspace_.path() / "studies") && !fs::is_empty(workspace_.path() / "studies"));
}

TEST_F(StudyTest, ConfigurationsStandBesideTheGrid) {
    Json order = small_order();
    order["configurations"] = {
        {{"name", "no \"mutation\""}, {"recipe", "pmx-queens"}, {"set", {{"stages.mutate.probability", 0}}}}};
    const Response checked = post("/api/studies/check", order);
    ASSERT_EQ(checked.status, 200) << checked.body;
    EXPECT_EQ(body_in(checked)["configurations"][2], "no \"mutation\"");
}

} // namespace
} // namespace knossos::studio
