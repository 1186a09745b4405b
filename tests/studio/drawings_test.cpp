#include "api_support.hpp"

#include <knossos/core/files.hpp>
#include <knossos/dungeon/level.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace knossos::studio {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

using DrawingTest = ApiTest;

Json parsed(const Response& response) { return Json::parse(response.body); }

Json maze(const std::string& middle = ".#.") {
    return {{"domain", "maze"}, {"level", {{"cells", {"...", middle, "..."}}}}};
}

Json dungeon(const std::string& first = "E.k") {
    return {{"domain", "dungeon"}, {"level", {{"rows", {first, "#+X"}}}}};
}

TEST_F(DrawingTest, AreSavedOpenedDuplicatedRenamedAndDeleted) {
    EXPECT_EQ(put_json("/api/drawings/A%20keep", dungeon()).status, 201);
    EXPECT_EQ(put_json("/api/drawings/A%20keep", dungeon("E..")).status, 200);
    const Json kept = parsed(get("/api/drawings/A%20keep"));
    EXPECT_EQ(kept["name"], "A keep");
    EXPECT_EQ(kept["saved"]["level"], dungeon("E..")["level"]);
    EXPECT_EQ(kept["draft"], nullptr);
    EXPECT_EQ(post("/api/drawings/A%20keep/duplicate", {{"name", "Zwölf"}}).status, 201);
    EXPECT_EQ(post("/api/drawings/A%20keep/duplicate", {{"name", "Zwölf"}}).status, 409);
    EXPECT_EQ(post("/api/drawings/Zw%C3%B6lf/rename", {{"name", "studio"}}).status, 201);
    EXPECT_EQ(get("/api/drawings/Zw%C3%B6lf").status, 404);
    EXPECT_EQ(parsed(get("/api/drawings"))["drawings"].size(), 2U);
    EXPECT_EQ(drop("/api/drawings/studio").status, 204);
    EXPECT_EQ(drop("/api/drawings/studio").status, 404);
    EXPECT_EQ(parsed(get("/api/drawings"))["drawings"].size(), 1U);
}

TEST_F(DrawingTest, DraftsStandBesideWhatWasSavedUntilThatIsSaved) {
    EXPECT_EQ(put_json("/api/drawings/m/draft", maze()).status, 200);
    EXPECT_EQ(parsed(get("/api/drawings/m"))["saved"], nullptr);
    EXPECT_EQ(put_json("/api/drawings/m", maze()).status, 201);
    EXPECT_EQ(parsed(get("/api/drawings/m"))["draft"], nullptr);
    EXPECT_EQ(put_json("/api/drawings/m/draft", maze("###")).status, 200);
    const Json both = parsed(get("/api/drawings/m"));
    EXPECT_EQ(both["saved"]["level"]["cells"][1], ".#.");
    EXPECT_EQ(both["draft"]["level"]["cells"][1], "###");
    EXPECT_EQ(drop("/api/drawings/m/draft").status, 204);
    EXPECT_EQ(drop("/api/drawings/m/draft").status, 404);
    EXPECT_EQ(parsed(get("/api/drawings/m"))["saved"], both["saved"]);
    // Half drawn, it need not be anything: what is saved must.
    EXPECT_EQ(put_json("/api/drawings/half/draft", dungeon("no!")).status, 200);
    const Response refused = put_json("/api/drawings/half", dungeon("no!"));
    EXPECT_EQ(refused.status, 422);
    EXPECT_NE(refused.body.find(":1:1: 'n' is nothing that a level has"), std::string::npos) << refused.body;
}

TEST_F(DrawingTest, KeepWhatTheirEditorKeepsBesideThem) {
    Json sent = maze();
    sent["level"]["locks"] = {"??.", "?#?", "???"};
    EXPECT_EQ(put_json("/api/drawings/m", sent).status, 201);
    const Json level = parsed(get("/api/drawings/m"))["saved"]["level"];
    EXPECT_EQ(level["locks"], sent["level"]["locks"]);
    EXPECT_EQ(level["entrance"], Json::array({0, 0}));
}

// A studio that is killed ends as this one does not: without a word. Everything is on the disk by then.
TEST(Drawings, AreThereAgainWhateverEndedTheStudio) {
    const Workspace workspace;
    const auto drawn = [](int number) {
        return Drawn{.domain = "maze", .level = {{"cells", {std::to_string(number)}}}};
    };
    const fs::path folder = workspace.path() / "drawings";
    Drawings first{folder, "knossos"};
    (void)first.save("studio", drawn(1)); // what folders of runs have a file of
    first.keep_draft("studio", drawn(2));
    first.keep_draft("only a draft: 50 %", drawn(3));
    write_file(folder / "strange.json", "{"); // left out, and left alone
    write_file(folder / "copy.level.json", read_file(folder / "studio.level.json"));
    write_file(folder / "studio.level.json.77.tmp", "{\"na");
    const Studio studio{workspace.path()};
    testing::internal::CaptureStderr();
    const Drawings again{folder, "knossos"};
    const std::string said = testing::internal::GetCapturedStderr();
    ASSERT_EQ(again.list().size(), 2U);
    EXPECT_EQ(again.find("studio")->saved->level["cells"][0], "1");
    EXPECT_EQ(again.find("studio")->draft->level["cells"][0], "2");
    EXPECT_EQ(again.find("only a draft: 50 %")->draft->level["cells"][0], "3");
    EXPECT_NE(said.find("strange.json is left out"), std::string::npos) << said;
    EXPECT_NE(said.find("a drawing of another name, 'studio'"), std::string::npos) << said;
    EXPECT_TRUE(fs::exists(folder / "strange.json"));
    EXPECT_FALSE(fs::exists(folder / "studio.level.json.77.tmp"));
}

TEST_F(DrawingTest, NamesMustBeNames) {
    for (const char* name : {"%20a", "a%20", "a%0Ab", "%FF"})
        EXPECT_EQ(put_json(fmt::format("/api/drawings/{}", name), maze()).status, 422) << name;
    EXPECT_EQ(put_json("/api/drawings/" + std::string(81, 'a'), maze()).status, 422);
    EXPECT_EQ(put_json("/api/drawings/" + std::string(80, 'a'), maze()).status, 201);
    EXPECT_EQ(post("/api/drawings/" + std::string(80, 'a') + "/duplicate", {{"name", "a/b"}}).status, 422);
    EXPECT_EQ(get("/api/drawings/../../etc/passwd").status, 404);
    for (const auto& entry : fs::directory_iterator{workspace_.path() / "drawings"})
        EXPECT_EQ(entry.path().filename().string(), std::string(80, 'a') + ".level.json");
}

// Every format that is written and can be read, dropped onto the page, is the level again.
TEST_F(DrawingTest, FilesOfEveryReadableFormatAreOpened) {
    const Json drawn{{"domain", "maze"},
                     {"level",
                      {{"cells", {"....#", ".##..", "....#", "##..."}},
                       {"entrance", {0, 0}},
                       {"exit", {4, 3}},
                       {"checkpoints", {{3, 2}}}}}};
    for (const char* format : {"txt", "json", "csv", "tmx", "tmj", "ldtk", "png"}) {
        const Response file = post(fmt::format("/api/levels/export?format={}&solution=0", format), drawn);
        ASSERT_EQ(file.status, 200) << format << file.body;
        Request request{.method = "POST", .path = "", .body = file.body};
        ASSERT_TRUE(read_target(fmt::format("/api/levels/open?name=level.{}", format), request));
        const Response opened = answer(request);
        ASSERT_EQ(opened.status, 200) << format << opened.body;
        EXPECT_EQ(parsed(opened)["domain"], "maze") << format;
        EXPECT_EQ(parsed(opened)["level"]["cells"], drawn["level"]["cells"]) << format;
        EXPECT_EQ(parsed(opened)["level"]["exit"], drawn["level"]["exit"]) << format;
    }
    const Json keep = dungeon();
    for (const char* format : {"txt", "json"}) {
        const Response file = post(fmt::format("/api/levels/export?format={}", format), keep);
        ASSERT_EQ(file.status, 200) << format << file.body;
        Request request{.method = "POST", .path = "", .body = file.body};
        ASSERT_TRUE(read_target(fmt::format("/api/levels/open?name=level.{}", format), request));
        const Response opened = answer(request);
        ASSERT_EQ(opened.status, 200) << format << opened.body;
        EXPECT_EQ(parsed(opened), keep) << format;
    }
}

TEST_F(DrawingTest, FilesThatAreNoLevelsSayWhy) {
    const auto said = [&](const std::string& name, const std::string& bytes) {
        Request request{.method = "POST", .path = "/api/levels/open", .body = bytes};
        request.query["name"] = name;
        const Response response = answer(request);
        EXPECT_EQ(response.status, 422) << name;
        EXPECT_EQ(response.body.find("/dev/null"), std::string::npos) << response.body;
        return parsed(response)["error"].get<std::string>();
    };
    EXPECT_NE(said("a.txt", "E..\n#?X\n").find("a.txt:2:2: "), std::string::npos);
    EXPECT_NE(said("a.tmx", "<map>").find("a.tmx"), std::string::npos);
    EXPECT_NE(said("a.png", "\x89PNG\r\n").find("a.png"), std::string::npos);
    EXPECT_NE(said("a.json", "{}").find("a.json"), std::string::npos);
    EXPECT_NE(said("../a.txt", "...").find("without folders"), std::string::npos);
}

TEST_F(DrawingTest, AreDownloadedAsTheyAreShown) {
    ASSERT_EQ(put_json("/api/drawings/m", maze()).status, 201);
    ASSERT_EQ(put_json("/api/drawings/m/draft", maze("#..")).status, 200);
    const auto cells = [&](const std::string& target) { return parsed(get(target))["cells"]; };
    EXPECT_EQ(cells("/api/drawings/m/export?format=json"), maze()["level"]["cells"]);
    EXPECT_EQ(cells("/api/drawings/m/export?format=json&draft=1"), maze("#..")["level"]["cells"]);
    EXPECT_EQ(get("/api/drawings/x/export?format=json").status, 404);
    EXPECT_EQ(get("/api/drawings/m/export?format=wav").status, 422);
}

TEST_F(DrawingTest, AreOfDomainsThatThereAre) {
    const Response response = put_json("/api/drawings/m", {{"domain", "mase"}, {"level", Json::object()}});
    EXPECT_EQ(parsed(response)["error"], "domain is 'mase'; did you mean maze?");
    EXPECT_EQ(put_json("/api/drawings/m/draft", {{"domain", "maze"}}).status, 422);
    EXPECT_EQ(put_json("/api/drawings/m", {{"domain", "maze"}, {"level", 3}}).status, 422);
    EXPECT_TRUE(parsed(get("/api/drawings"))["drawings"].empty());
}

} // namespace
} // namespace knossos::studio
