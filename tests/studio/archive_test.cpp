#include "api_support.hpp"

#include "../unit/unpacked.hpp"

#include <knossos/core/files.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace knossos::studio {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

class ArchiveTest : public ApiTest {
  protected:
    // A gallery of small mazes, paused at its beginning or ended.
    std::string made(bool paused) {
        const Response response = post("/api/runs", {{"recipe", "maze-gallery"},
                                                     {"paused", paused},
                                                     {"set",
                                                      {{"problem.width", 8},
                                                       {"problem.height", 8},
                                                       {"algorithm.axes", "path 0..40 by 2, rock 0..64 by 4"},
                                                       {"stop.evaluations", 3000}}}});
        EXPECT_EQ(response.status, 201) << response.body;
        const std::string id = Json::parse(response.body)["id"].get<std::string>();
        wait_until([&] { return studio_.find(id)->seen().frame != nullptr; });
        if (!paused) wait_until([&] { return studio_.find(id)->seen().state == State::ended; });
        return "/api/runs/" + id;
    }
    Json parsed(const Response& response) {
        EXPECT_EQ(response.status, 200) << response.body;
        return Json::parse(response.body);
    }
    Response opened(const std::string& json, const std::string& name) {
        Request request{
            .method = "POST", .path = "", .content_type = "application/octet-stream", .body = json};
        EXPECT_TRUE(read_target("/api/galleries?name=" + name, request));
        return answer(request);
    }
    std::string written_by(const std::string& run) {
        return read_file(workspace_.path() / run.substr(10) / "gallery.json");
    }
};

std::map<std::uint32_t, double> fitness_by_cell(const Json& frame) {
    std::map<std::uint32_t, double> all;
    for (const Json& one : frame["elites"]) all[one[0].get<std::uint32_t>()] = one[1].get<double>();
    return all;
}

std::set<std::uint32_t> cells_of(const std::map<std::uint32_t, double>& elites) {
    std::set<std::uint32_t> cells;
    for (const auto& [cell, fitness] : elites) cells.insert(cell);
    return cells;
}

// What somebody has in the end who is told of at most seven elites at a time.
std::set<std::uint32_t> cells_in_pieces(const LiveGallery& gallery) {
    std::set<std::uint32_t> cells;
    std::uint64_t version = 0;
    for (bool is_new = true; is_new;) {
        const LiveGallery::Seen seen = gallery.since(version, 7);
        EXPECT_LE(seen.elites.size(), 7U);
        EXPECT_EQ(seen.whole, version == 0);
        is_new = seen.version > version;
        version = seen.version;
        for (const auto& [cell, live] : seen.elites) EXPECT_TRUE(cells.insert(cell).second);
    }
    EXPECT_EQ(version, gallery.version());
    return cells;
}

// Whoever adds what came since to what they had has what there is.
TEST_F(ArchiveTest, FramesCarryWhatChangedSinceTheClientsVersion) {
    const std::string run = made(true);
    Session& session = *studio_.find(run.substr(10));
    const Response stream = get(run + "/archive/events");
    std::uint64_t last = 0;
    bool over = false;
    std::map<std::uint32_t, double> kept;
    std::size_t smaller = 0;
    const auto read = [&] {
        const auto text = stream.events(last, over);
        if (!text) return;
        const Json frame = Json::parse(text->substr(text->find("data: ") + 6));
        if (frame["whole"].get<bool>()) kept.clear();
        for (const auto& [cell, fitness] : fitness_by_cell(frame)) kept[cell] = fitness;
        if (frame["elites"].size() < kept.size()) ++smaller;
    };
    read();
    EXPECT_FALSE(kept.empty());
    for (std::uint64_t i = 1; i <= 3; ++i) {
        studio_.step(session, 1);
        wait_until([&] { return session.seen().statistics.generation == i; });
        read();
    }
    EXPECT_GT(smaller, 0U);
    const Json whole = parsed(get(run + "/archive"));
    EXPECT_EQ(whole["whole"], true);
    EXPECT_EQ(fitness_by_cell(whole), kept);
    EXPECT_EQ(parsed(get(run + "/archive?since=" + std::to_string(last)))["elites"].size(), 0U);
    // Of another life of the server: everything.
    EXPECT_EQ(fitness_by_cell(parsed(get(run + "/archive?since=9999999"))), kept);
    EXPECT_EQ(get(run + "/archive?since=-1").status, 422);
}

// However much comes at once, an event stays small, and nothing gets lost.
TEST_F(ArchiveTest, EventsStaySmallAndHoldEverythingInTheEnd) {
    const std::string run = made(false);
    const auto whole = fitness_by_cell(parsed(get(run + "/archive")));
    EXPECT_EQ(cells_in_pieces(studio_.find(run.substr(10))->gallery()), cells_of(whole));
    // The stream holds the same, in pieces of at most 5 kB, and ends.
    const Response stream = get(run + "/archive/events");
    std::map<std::uint32_t, double> sent;
    std::uint64_t last = 0;
    for (bool over = false; !over;) {
        const auto text = stream.events(last, over);
        if (!text) continue;
        EXPECT_LT(text->size(), 5000U);
        const Json frame = Json::parse(text->substr(text->find("data: ") + 6));
        EXPECT_EQ(frame["whole"].get<bool>(), sent.empty());
        sent.merge(fitness_by_cell(frame));
    }
    EXPECT_EQ(sent, whole);
}

TEST_F(ArchiveTest, IsWhatTheRunWritesDown) {
    const std::string run = made(false);
    const auto before = fitness_by_cell(parsed(get(run + "/archive")));
    EXPECT_GT(before.size(), 20U);
    const std::string folder = (workspace_.path() / run.substr(10)).string();
    const MeasuredGallery written = load_gallery(folder);
    EXPECT_EQ(written.elites.size(), before.size());
}

TEST_F(ArchiveTest, ShowsOneEliteWithItsMeasures) {
    const std::string run = made(false);
    const Json frame = parsed(get(run + "/archive"));
    const auto cell = frame["elites"][0][0].get<std::uint32_t>();
    const Json elite = parsed(get(fmt::format("{}/archive/elites/{}", run, cell)));
    EXPECT_EQ(elite["fitness"], frame["elites"][0][1]);
    EXPECT_TRUE(elite["measures"].contains("exit_path"));
    EXPECT_EQ(elite["level"]["cells"].size(), 8U);
    EXPECT_EQ(elite["cell"].size(), 2U);
    EXPECT_EQ(get(fmt::format("{}/archive/elites/{}/export?format=tmx", run, cell)).status, 200);
    EXPECT_EQ(get(run + "/archive/elites/9999").status, 404);
    EXPECT_EQ(get(run + "/archive/elites/x").status, 422);
}

TEST_F(ArchiveTest, OtherAxesFiltersAndSpreadNeedNoNewRun) {
    const std::string run = made(false);
    const Json all = parsed(post(run + "/archive/view", Json::object()));
    const Json other = parsed(post(run + "/archive/view", {{"axes", "dead-ends, loops"}}));
    EXPECT_EQ(other["axes"][0]["name"], "dead-ends");
    EXPECT_EQ(other["elites"].size(), all["total"].get<std::size_t>());
    const Json some = parsed(
        post(run + "/archive/view", {{"where", "path 10..20"}, {"spread", 4}, {"axes", "path, rock"}}));
    EXPECT_LT(some["elites"].size(), all["elites"].size());
    EXPECT_GT(some["elites"].size(), 4U);
    for (const Json& elite : some["elites"]) {
        EXPECT_GE(elite["values"][0].get<double>(), 10.0);
        EXPECT_LE(elite["values"][0].get<double>(), 20.0);
    }
    EXPECT_EQ(some["spread"].size(), 4U);
    for (const Json& cell : some["spread"])
        EXPECT_EQ(get(fmt::format("{}/archive/elites/{}", run, cell.get<int>())).status, 200);
    const auto refused = [&](const Json& body) { return post(run + "/archive/view", body).status; };
    EXPECT_EQ(refused({{"axes", "fog"}}), 422);
    EXPECT_EQ(refused({{"where", "minimise path"}}), 422);
    EXPECT_EQ(refused({{"where", "path 9..3"}}), 422);
    EXPECT_EQ(refused({{"spread", 0}}), 422);
    EXPECT_EQ(refused({{"spread", 2}, {"apart", 3}}), 422);
}

TEST_F(ArchiveTest, PacksHoldTheFilesAndTheGallery) {
    const std::string run = made(false);
    const Response pack = get(run + "/archive/pack?format=txt&count=3");
    ASSERT_EQ(pack.status, 200) << pack.body;
    EXPECT_EQ(pack.body.substr(0, 2), "PK");
    for (const char* name : {"-001.txt", "-003.txt", "gallery.json"})
        EXPECT_NE(pack.body.find(name), std::string::npos) << name;
    EXPECT_EQ(pack.body.find("-004"), std::string::npos);
    EXPECT_EQ(get(run + "/archive/pack?format=txt&count=3").body, pack.body);
    EXPECT_EQ(get(run + "/archive/pack?count=2.5").status, 422);
    EXPECT_EQ(get(run + "/archive/pack?where=path+39..40").status, 404);
    // Those that somebody names.
    const Json elites = parsed(get(run + "/archive"))["elites"];
    const std::string named = fmt::format("{},{}", elites[4][0].get<int>(), elites[1][0].get<int>());
    const Response some = get(run + "/archive/pack?format=txt&cells=" + named);
    ASSERT_EQ(some.status, 200) << some.body;
    const Response one =
        get(fmt::format("{}/archive/elites/{}/export?format=txt", run, elites[4][0].get<int>()));
    const auto files = test::unpacked(some.body);
    ASSERT_EQ(files.size(), 3U); // the gallery as well
    const auto first =
        std::ranges::find_if(files, [](const auto& file) { return file.first.ends_with("-001.txt"); });
    ASSERT_NE(first, files.end());
    EXPECT_EQ(first->second, one.body);
    EXPECT_EQ(get(run + "/archive/pack?format=txt&cells=999999").status, 404);
    EXPECT_EQ(get(run + "/archive/pack?format=txt&cells=" + named + ",x").status, 422);
}

TEST_F(ArchiveTest, RunsWithoutOneSaySo) {
    const Response made = post("/api/runs", {{"recipe", "pmx-queens"}, {"paused", true}});
    const std::string run = "/api/runs/" + Json::parse(made.body)["id"].get<std::string>();
    EXPECT_EQ(get(run + "/archive").status, 404);
    EXPECT_EQ(get(run + "/archive/events").status, 404);
}

// What was taken out as a file comes back in another workspace, with all that can be asked of an archive.
TEST_F(ArchiveTest, AGalleryIsOpenedFromAFile) {
    const std::string run = made(false);
    const std::string json = written_by(run);
    const Response response = opened(json, "my%20gallery.json");
    ASSERT_EQ(response.status, 201) << response.body;
    const Json its = Json::parse(response.body);
    EXPECT_EQ(its["imported"], "my gallery.json");
    EXPECT_EQ(its["id"], "my-gallery-1");
    EXPECT_EQ(its["state"], "ended");
    EXPECT_FALSE(its.contains("command")); // none makes this gallery
    const std::string other = "/api/runs/my-gallery-1";
    const Json before = parsed(get(run + "/archive"));
    const auto is_same = [&](const Json& after) {
        for (const char* const key : {"axes", "grid", "cells", "coverage"})
            EXPECT_EQ(after[key], before[key]) << key;
        EXPECT_EQ(fitness_by_cell(after), fitness_by_cell(before));
        EXPECT_NEAR(after["qd_score"].get<double>(), before["qd_score"].get<double>(), 1e-3);
    };
    is_same(parsed(get(other + "/archive")));
    const Json wish{{"axes", "dead-ends, loops"}, {"where", "path 10.."}, {"spread", 3}};
    EXPECT_EQ(parsed(post(other + "/archive/view", wish)), parsed(post(run + "/archive/view", wish)));
    const std::string cell = std::to_string(before["elites"][0][0].get<std::uint32_t>());
    EXPECT_EQ(parsed(get(other + "/archive/elites/" + cell)), parsed(get(run + "/archive/elites/" + cell)));
    EXPECT_EQ(get(other + "/archive/pack?format=json&count=3").status, 200);
    EXPECT_EQ(get(other + "/archive/share").status, 200);
    EXPECT_EQ(get(other + "/export?format=svg").status, 200);
    EXPECT_EQ(get(other + "/history").status, 200);
    EXPECT_EQ(post(other + "/control", {{"action", "play"}}).status, 409);
    EXPECT_EQ(Json::parse(opened(json, "my%20gallery.json").body)["id"], "my-gallery-2");
    // It is found again, and can be forgotten.
    EXPECT_EQ(drop("/api/runs/my-gallery-2").status, 204);
    {
        const fs::path copy = workspace_.path() / "elsewhere"; // a name that no run has
        fs::create_directories(copy);
        fs::copy(workspace_.path() / "my-gallery-1", copy / "my-gallery-1");
        Studio studio{copy, {.workers = 1}};
        Api api{studio};
        Request request{.method = "GET", .path = ""};
        ASSERT_TRUE(read_target(other + "/archive", request));
        is_same(Json::parse(api.answer(request).body));
    }
    // What is none leaves nothing behind.
    const auto refused = [&](const std::string& body, const std::string& why,
                             const std::string& name = "a.json") {
        const Response no = opened(body, name);
        EXPECT_EQ(no.status, 422) << no.body;
        EXPECT_NE(no.body.find(why), std::string::npos) << no.body;
    };
    refused("E..X", "a.json: is no gallery");
    refused("", "is no gallery");
    refused("{}", "it has no axes and elites");
    refused(json.substr(0, json.size() / 2), "is no gallery");
    std::string false_one = json;
    false_one.replace(false_one.find("\"genome\":\"") + 10, 1, "x");
    refused(false_one, "elite 1: genome is not");
    refused(json, "without folders", "a%2Fb.json");
    EXPECT_EQ(fs::exists(workspace_.path() / "a-1"), false);
    EXPECT_EQ(studio_.sessions().size(), 2U);
}

TEST_F(ArchiveTest, AnOpenedGalleryIsToldInPiecesToo) {
    const std::string run = made(false);
    ASSERT_EQ(opened(written_by(run), "a.json").status, 201);
    const auto whole = fitness_by_cell(parsed(get(run + "/archive")));
    EXPECT_GT(whole.size(), 20U);
    EXPECT_EQ(cells_in_pieces(studio_.find("a-1")->gallery()), cells_of(whole));
}

// Elsewhere than here files may be called so.
TEST_F(ArchiveTest, AGalleryIsOpenedWhoseNameIsNoUtf8) {
    const Response response = opened(written_by(made(false)), "b%FF.json");
    ASSERT_EQ(response.status, 201) << response.body;
    EXPECT_EQ(Json::parse(response.body)["imported"], "b\xEF\xBF\xBD.json");
}

} // namespace
} // namespace knossos::studio
