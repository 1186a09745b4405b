#include "api_support.hpp"
#include "views.hpp"

#include <knossos/core/files.hpp>
#include <knossos/recipe/gallery.hpp>
#include <knossos/recipe/result_json.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <span>
#include <thread>

namespace knossos::studio {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

void wait_for(const Session& session, State state) {
    wait_until([&] { return session.seen().state == state; });
}

Order order_for(std::string recipe, std::vector<std::string> overrides, bool paused = false) {
    return {.recipe = std::move(recipe), .toml = {}, .overrides = std::move(overrides), .paused = paused};
}

std::string digest_of(const Order& order) {
    const Recipe recipe = Recipe::load(order.recipe, order.overrides);
    return digest_text(evolve(recipe.problem(), recipe.settings()).digest);
}

FramePtr frame_at(std::uint64_t generation) {
    auto frame = std::make_shared<Frame>();
    frame->statistics.generation = generation;
    return frame;
}

TEST(Reel, KeepsAsManyFramesPerOctave) {
    Reel reel{100, 10'000'000};
    for (std::uint64_t generation = 0; generation < 1'000'000; ++generation)
        if (reel.wants(generation)) reel.add(frame_at(generation));
    EXPECT_LT(reel.frames().size(), 700U);
    const auto between = [&](std::uint64_t low, std::uint64_t high) {
        return std::distance(reel.frames().lower_bound(low), reel.frames().lower_bound(high));
    };
    EXPECT_EQ(between(0, 64), 64);
    for (std::uint64_t low = 64; low < 500'000; low *= 2) EXPECT_EQ(between(low, 2 * low), 32) << low;
    EXPECT_EQ(reel.at(70)->statistics.generation, 70U);
    EXPECT_EQ(reel.at(1'000'000'000)->statistics.generation, reel.frames().rbegin()->first);
}

TEST(Reel, LargeFramesAreFewer) {
    constexpr std::size_t budget = 8'000'000;
    Reel reel{1'000'000, budget};
    std::size_t count = 0;
    for (std::uint64_t generation = 0; generation < 1'000'000; ++generation)
        if (reel.wants(generation)) ++count;
    EXPECT_LE(count, 30U);
}

TEST(Reel, CanBeWrittenAndReadBack) {
    const Recipe recipe = Recipe::load("maze-direct", {"problem.width=6", "problem.height=5"});
    knossos::Run run{recipe.problem(), recipe.settings()};
    Reel reel{100, 1'000'000};
    for (int i = 0; i < 5; ++i) {
        reel.add(frame_of(run, 8));
        run.step();
    }
    const std::string bytes = pack_frames(reel);
    Reel again{100, 1'000'000};
    unpack_frames(bytes, recipe.problem().space(), again);
    ASSERT_EQ(again.frames().size(), 5U);
    EXPECT_EQ(again.at(4)->best, reel.at(4)->best);
    EXPECT_EQ(again.at(4)->sample.size(), 8U);
    EXPECT_EQ(pack_frames(again), bytes);
    for (std::size_t length = 0; length < bytes.size(); length += 7) {
        Reel broken{100, 1'000'000};
        EXPECT_THROW(
            unpack_frames(std::string_view{bytes}.substr(0, length), recipe.problem().space(), broken),
            InvalidInput);
    }
}

TEST(Reel, SamplesFromTheBestToTheWorst) {
    const Recipe recipe = Recipe::load("pmx-queens", {"problem.n=30"});
    const knossos::Run run{recipe.problem(), recipe.settings()};
    const FramePtr frame = frame_of(run, 16);
    ASSERT_EQ(frame->sample.size(), 16U);
    EXPECT_EQ(frame->sample.front().quality.fitness, run.status().statistics.best);
    EXPECT_EQ(frame->sample.back().quality.fitness, run.status().statistics.worst);
    for (std::size_t i = 1; i < 16; ++i)
        EXPECT_LE(frame->sample[i - 1].quality.fitness, frame->sample[i].quality.fitness);
}

TEST(Reel, KeepsWhoIsTheMutantOfADuel) {
    const Recipe recipe = Recipe::load("duel-queens");
    knossos::Run run{recipe.problem(), recipe.settings()};
    run.step();
    Reel reel{100, 1'000'000};
    reel.add(frame_of(run, 16));
    Reel again{100, 1'000'000};
    unpack_frames(pack_frames(reel), recipe.problem().space(), again);
    const auto& sample = again.at(1)->sample;
    ASSERT_EQ(sample.size(), 2U);
    const std::size_t mutant = sample[0].name == "mutant" ? 0 : 1;
    EXPECT_EQ(sample[mutant].name, "mutant");
    EXPECT_EQ(sample[1 - mutant].name, "other");
    const Population& pair = run.islands().front().current;
    const std::byte* const genome = pair.genome(run.contestants().front().individual);
    EXPECT_TRUE(std::ranges::equal(sample[mutant].genome, std::span{genome, sample[mutant].genome.size()}));
}

TEST(Studio, GivesTheResultOfTheCommandLine) {
    const Workspace workspace;
    Studio studio{workspace.path(), {.workers = 2}};
    std::vector<std::pair<SessionPtr, std::string>> runs;
    for (int seed = 1; seed <= 12; ++seed) {
        const Order order = order_for(seed % 2 == 0 ? "maze-direct" : "pmx-queens",
                                      {"stop.generations=60", "seed=" + std::to_string(seed)}, false);
        runs.emplace_back(studio.start(order), digest_of(order));
    }
    for (const auto& [session, digest] : runs) {
        wait_for(*session, State::ended);
        EXPECT_EQ(session->seen().digest, digest);
        EXPECT_TRUE(fs::exists(workspace.path() / session->id() / "best.svg"));
        EXPECT_EQ(verify(RunFolder::open(workspace.path() / session->id()), 1), std::nullopt);
    }
}

TEST(Studio, GoesOnByCallsWhereThereAreNoThreads) {
    const Workspace workspace;
    const Order order = order_for("pmx-queens", {"problem.n=14", "stop.generations=40", "seed=7"});
    std::string id;
    {
        Studio studio{workspace.path(), {.by_itself = false}};
        const SessionPtr first = studio.start(order);
        const SessionPtr second = studio.start(order_for("one-max", {"stop.generations=30"}, true));
        EXPECT_EQ(first->seen().state, State::waiting);
        while (studio.pump()) {
        }
        EXPECT_EQ(first->seen().state, State::ended);
        EXPECT_EQ(first->seen().digest, digest_of(order));
        EXPECT_EQ(second->seen().state, State::paused);
        studio.step(*second, 2);
        while (studio.pump()) {
        }
        EXPECT_EQ(second->seen().statistics.generation, 2U);
        id = second->id();
    }
    Studio studio{workspace.path(), {.by_itself = false}};
    const SessionPtr again = studio.find(id);
    ASSERT_NE(again, nullptr);
    studio.play(*again);
    while (studio.pump()) {
    }
    EXPECT_EQ(again->seen().digest, digest_of(again->order()));
}

// One keeps the runs, another one carries one out: it goes to and fro with its folder, and ends as if it had
// not.
TEST(Studio, HandsRunsToOthersThatCarryThemOut) {
    const Workspace workspace;
    Order order =
        order_for("maze-gallery", {"problem.width=8", "problem.height=8", "stop.evaluations=9000", "seed=4"});
    order.speed = 40.0; // one generation at a time
    const fs::path home = workspace.path() / "home";
    const fs::path away = workspace.path() / "away";
    Studio keeper{home, {.by_itself = false, .carries_out = false}};
    const std::string id = keeper.start(order)->id();
    EXPECT_FALSE(keeper.pump());
    EXPECT_EQ(keeper.find(id)->seen().state, State::waiting);
    Studio worker{away, {.by_itself = false}};
    const auto hand = [&](Studio& from, Studio& to) {
        const Handed handed = from.give(*from.find(id));
        EXPECT_EQ(from.find(id), nullptr);
        fs::rename(from.workspace() / id, to.workspace() / id);
        to.take(handed);
        EXPECT_GT(to.find(id)->version(), handed.version);
        return handed;
    };
    std::uint64_t seen = 0; // of the gallery
    for (int times = 0; times < 3; ++times) {
        EXPECT_EQ(hand(keeper, worker).state, State::waiting);
        Session& session = *worker.find(id);
        const auto generation = session.seen().statistics.generation;
        while (session.seen().statistics.generation == generation && session.seen().state != State::ended)
            (void)worker.pump();
        EXPECT_GT(session.seen().statistics.generation, generation);
        const auto gallery = session.gallery().since(seen);
        EXPECT_EQ(gallery.whole, true); // it is another one's
        seen = gallery.version;
        EXPECT_EQ(hand(worker, keeper).gallery_version, seen);
        EXPECT_EQ(keeper.find(id)->frame_at(~std::uint64_t{0})->statistics.generation,
                  keeper.find(id)->seen().statistics.generation);
    }
    hand(keeper, worker);
    worker.set_speed(*worker.find(id), 0.0);
    while (worker.pump()) {
    }
    EXPECT_EQ(hand(worker, keeper).state, State::ended);
    EXPECT_EQ(keeper.find(id)->seen().digest, digest_of(order));
    EXPECT_THROW(keeper.take({.id = "nobody"}), InvalidInput);
    EXPECT_EQ(keeper.find("nobody"), nullptr);
}

TEST(Studio, WritesAGalleryOnlyWhereAnotherProgramCanOpenIt) {
    for (const bool has_disk : {false, true}) {
        const Workspace workspace;
        Studio studio{workspace.path(), {.by_itself = false, .has_disk = has_disk}};
        const SessionPtr session = studio.start(order_for("maze-gallery", {"stop.evaluations=3000"}));
        while (studio.pump()) {
        }
        EXPECT_EQ(session->seen().state, State::ended);
        EXPECT_GT(session->gallery().since(0).elites.size(), 100U);
        EXPECT_EQ(fs::exists(workspace.path() / session->id() / "gallery.json"), has_disk);
    }
}

TEST(Studio, SpendsATenthOfTheTimeOnShowingAtMost) {
    using namespace std::chrono_literals;
    const std::chrono::steady_clock::time_point began{};
    EXPECT_EQ(next_time(began, began + 2ms, 100ms), began + 100ms);
    EXPECT_EQ(next_time(began, began + 30ms, 100ms), began + 300ms);
}

TEST(Studio, PausesStepsAndGoesOn) {
    const Workspace workspace;
    Studio studio{workspace.path(), {.workers = 1}};
    const Order order = order_for("half-breed-queens", {"problem.n=40", "stop.generations=200"}, true);
    const SessionPtr session = studio.start(order);
    wait_until([&] { return session->seen().frame != nullptr; });
    EXPECT_EQ(session->seen().statistics.generation, 0U);
    studio.step(*session, 3);
    wait_until([&] { return session->seen().statistics.generation == 3; });
    EXPECT_EQ(session->seen().state, State::paused);
    studio.play(*session);
    wait_until([&] { return session->seen().statistics.generation > 3; });
    studio.pause(*session);
    studio.step(*session, 1);
    studio.play(*session);
    wait_for(*session, State::ended);
    EXPECT_EQ(session->seen().digest, digest_of(order));
    EXPECT_EQ(session->frames().front()->statistics.generation, 0U);
    EXPECT_EQ(session->frame_at(5)->statistics.generation, 5U);
}

TEST(Studio, FindsItsRunsAgain) {
    const Workspace workspace;
    const Order order =
        order_for("roulette-queens", {"problem.n=30", "stop.generations=300", "seed=4"}, true);
    std::string id;
    {
        Studio studio{workspace.path()};
        const SessionPtr session = studio.start(order);
        id = session->id();
        studio.step(*session, 20);
        wait_until([&] { return session->seen().statistics.generation == 20; });
    }
    Studio studio{workspace.path()};
    const SessionPtr session = studio.find(id);
    ASSERT_NE(session, nullptr);
    EXPECT_EQ(session->seen().state, State::paused);
    EXPECT_EQ(session->frame_at(11)->statistics.generation, 11U);
    EXPECT_EQ(command_line(session->order(), {}, "knossos"),
              "knossos run roulette-queens --set problem.n=30 --set "
              "stop.generations=300 --seed 4");
    studio.play(*session);
    wait_for(*session, State::ended);
    EXPECT_EQ(session->seen().digest, digest_of(order));
    EXPECT_THROW(Studio{workspace.path()}, InvalidInput); // it is taken
}

TEST(Studio, DeletedRunsAreNoRunsAtOnce) {
    const Workspace workspace;
    Studio studio{workspace.path(), {.workers = 1}};
    // As fast as it goes, a worker has it nearly always.
    const SessionPtr session = studio.start(order_for("maze", {"stop.evaluations=1000000000"}));
    const fs::path folder = workspace.path() / session->id();
    wait_until([&] { return session->seen().statistics.generation > 0; });
    studio.remove(*session);
    EXPECT_FALSE(fs::exists(folder / "recipe.toml"));
    wait_until([&] { return fs::is_empty(workspace.path()); });
}

TEST(Studio, ClearsAwayWhatAKillLeftOfFolders) {
    const Workspace workspace;
    for (const char* file : {".deleted-maze-1/recipe.toml", "maze-2/studio.json", "maze-3/recipe.toml.17.tmp",
                             "reports/report.html", "notes/list.tmp"}) {
        fs::create_directories((workspace.path() / file).parent_path());
        write_file(workspace.path() / file, "x");
    }
    fs::create_directories(workspace.path() / "maze-4");
    fs::create_directories(workspace.path() / ".new-maze-5");
    const Studio studio{workspace.path()};
    std::set<std::string> left;
    for (const auto& entry : fs::directory_iterator{workspace.path()})
        left.insert(entry.path().filename().string());
    EXPECT_EQ(left, (std::set<std::string>{"reports", "notes", "maze-4"})); // empty: anybody may have made it
}

TEST(Studio, KeepsItsLimits) {
    const Workspace workspace;
    Studio studio{workspace.path(),
                  {.workers = 1, .most_running = 2, .most_waiting = 3, .most_resident = 1, .most_reels = 1}};
    std::vector<SessionPtr> sessions;
    const auto start = [&] {
        Order order = order_for("maze", {"stop.evaluations=1000000000"});
        order.speed = 1.0;
        sessions.push_back(studio.start(order));
    };
    // Those that run make place for those that wait, one worker's round later.
    EXPECT_THROW(for (int i = 0; i < 20; ++i) start(), Busy);
    EXPECT_GE(sessions.size(), 3U);
    for (const SessionPtr& session : sessions) studio.pause(*session);
    for (const SessionPtr& session : sessions) wait_until([&] { return session->frame_at(0) != nullptr; });
    for (const SessionPtr& session : sessions) studio.remove(*session);
    EXPECT_TRUE(studio.sessions().empty());
    EXPECT_THROW(studio.start(order_for("pmx-queens", {"problem.n=4000000000"})), InvalidInput);
    EXPECT_THROW(studio.start(order_for("duel-queens", {"problem.n=4000000000"})), InvalidInput);
    EXPECT_THROW(studio.start(order_for("../../etc/passwd", {})), InvalidInput);
    // Whoever can reach the port could start what they like.
    EXPECT_THROW(studio.start(order_for("one-max", {"evaluator.program=\"true\"", "stop.solved=false"})),
                 InvalidInput);
}

// Nor may a run that somebody put into the workspace start a program.
TEST(Studio, LeavesOutRunsThatAnotherProgramEvaluates) {
    const Workspace workspace;
    const Recipe recipe = Recipe::load("one-max", {"evaluator.program=\"true\"", "stop.solved=false"});
    RunFolder::create(workspace.path() / "planted", recipe);
    const Studio studio{workspace.path()};
    EXPECT_TRUE(studio.sessions().empty());
}

TEST(Studio, BoundsTheRunsThatAreNotOver) {
    const Workspace workspace;
    Studio studio{workspace.path(), {.workers = 1, .most_running = 1, .most_waiting = 2, .most_open = 5}};
    std::vector<SessionPtr> sessions;
    const auto start = [&] {
        sessions.push_back(studio.start(order_for("maze", {"stop.evaluations=1000000000"}, true)));
    };
    EXPECT_THROW(for (int i = 0; i < 20; ++i) start(), Busy);
    ASSERT_EQ(sessions.size(), 5U);
    // One runs, two wait, and neither playing nor stepping gets another one into the queue.
    studio.play(*sessions[0]);
    wait_for(*sessions[0], State::running);
    studio.play(*sessions[1]);
    studio.play(*sessions[2]);
    studio.play(*sessions[2]); // it waits already
    EXPECT_THROW(studio.play(*sessions[3]), Busy);
    EXPECT_THROW(studio.step(*sessions[3], 1), Busy);
    EXPECT_EQ(sessions[3]->seen().state, State::paused);
    // A pause is never refused, and makes room.
    studio.pause(*sessions[2]);
    studio.play(*sessions[3]);
    EXPECT_EQ(sessions[3]->seen().state, State::waiting);
    EXPECT_THROW(start(), Busy);
    studio.remove(*sessions[4]);
    EXPECT_NO_THROW(start());
}

TEST(Studio, FailuresAreTold) {
    const Workspace workspace;
    Studio studio{workspace.path(), {.workers = 1}};
    const SessionPtr session = studio.start(order_for("pmx-queens", {"problem.n=200"}, true));
    wait_until([&] { return fs::exists(workspace.path() / session->id() / "frames.bin"); });
    fs::remove_all(workspace.path() / session->id());
    studio.play(*session);
    wait_until(
        [&] { return session->seen().state == State::failed || session->seen().state == State::ended; });
    EXPECT_EQ(session->seen().state, State::failed);
    EXPECT_NE(session->seen().message.find("No such file"), std::string::npos) << session->seen().message;
}

TEST(CommandLine, IsQuotedForAShell) {
    EXPECT_EQ(command_line(order_for("maze", {R"(problem.locks="#.\n.'")", "seed=2"}), {}, "knossos"),
              R"(knossos run maze --set 'problem.locks="#.\n.'\''"' --seed 2)");
}

TEST(CommandLine, NamesNoPathInAWorkspaceThatNobodyElseCanOpen) {
    Order order{.recipe = {}, .toml = Recipe::load("one-max").to_toml(), .overrides = {}, .paused = true};
    for (const bool has_disk : {true, false}) {
        const Workspace workspace;
        Studio studio{workspace.path(), {.workers = 1, .has_disk = has_disk}};
        const SessionPtr session = studio.start(order);
        const fs::path file = has_disk ? workspace.path() / session->id() / "recipe.toml" : "recipe.toml";
        EXPECT_EQ(summary_view(studio, *session, session->seen())["command"], "knossos run " + file.string());
    }
}

TEST_F(ApiTest, DescribesEverythingThatCanBeChosen) {
    const Json registry = Json::parse(get("/api/registry").body);
    for (const RecipeSection& section : recipe_sections()) {
        const auto& found = *std::ranges::find(registry["sections"], section.path, [](const Json& one) {
            return one["path"].get<std::string>();
        });
        EXPECT_EQ(found["parts"].size(), section.parts.size());
    }
}

TEST_F(ApiTest, OpensNoFilesThatARecipeNames) {
    const Recipe recipe =
        Recipe::load("maze-gallery", {"problem.width=6", "problem.height=6", "stop.evaluations=500",
                                      "algorithm.axes=path 0..20 by 2, rock 0..36 by 4"});
    const fs::path file = fs::path{testing::TempDir()} / fmt::format("studio-start-{}.json", ::getpid());
    write_file(file, gallery_json(measured(recipe, *evolve(recipe.problem(), recipe.settings()).gallery)));
    const Response made =
        post("/api/runs",
             {{"toml", recipe.to_toml() + fmt::format("\n[start]\ngallery = \"{}\"\n", file.string())}});
    EXPECT_EQ(made.status, 422);
    EXPECT_NE(made.body.find("opens no files"), std::string::npos) << made.body;
    fs::remove(file);
}

TEST_F(ApiTest, RunsOfEveryDomainCanBeWatched) {
    const Json registry = Json::parse(get("/api/registry").body);
    ASSERT_EQ(registry["domains"].size(), Registry::built_in().domains().size());
    for (const Json& domain : registry["domains"]) {
        const std::string name = domain["name"].get<std::string>();
        EXPECT_NE(domain["title"], "") << name;
        const std::string toml = fmt::format(
            "[problem]\nkind = \"{}\"\n[algorithm]\npopulation = 10\n[stop]\ngenerations = 2\n", name);
        const Response made = post("/api/runs", {{"toml", toml}});
        const auto& domains = Registry::built_in().domains();
        if (std::ranges::find(domains, name, [](const Domain& one) {
                return one.info.name;
            })->needs_evaluator) {
            EXPECT_EQ(made.status, 422) << made.body; // the studio starts no programs
            continue;
        }
        ASSERT_EQ(made.status, 201) << made.body;
        const std::string run = "/api/runs/" + Json::parse(made.body)["id"].get<std::string>();
        wait_until([&] { return Json::parse(get(run).body)["state"] == "ended"; });
        const Json frame = Json::parse(get(run + "/frames/2").body);
        EXPECT_EQ(frame["generation"], 2) << name;
        EXPECT_TRUE(frame["population"].is_array()) << name;
        EXPECT_EQ(frame.contains("caption"), domain["pictured"].get<bool>()) << name;
        const Response picture = get(run + "/export");
        EXPECT_EQ(picture.status, domain["pictured"].get<bool>() ? 200 : 404) << name;
        const Json gallery = Json::parse(get(run + "/gallery").body);
        const std::string things = domain["things"].get<std::string>();
        EXPECT_TRUE(things.empty() || gallery.contains(things)) << name;
    }
}

TEST_F(ApiTest, GalleriesHoldMazesThatDifferInAQuarterOfTheirCells) {
    const Response made = post("/api/runs", {{"recipe", "maze-direct"}, {"set", {{"stop.generations", 40}}}});
    ASSERT_EQ(made.status, 201) << made.body;
    const std::string run = "/api/runs/" + Json::parse(made.body)["id"].get<std::string>();
    wait_until([&] { return Json::parse(get(run).body)["state"] == "ended"; });
    std::vector<std::string> mazes;
    const Json gallery = Json::parse(get(run + "/gallery").body);
    for (const Json& maze : gallery["mazes"]) {
        std::string& cells = mazes.emplace_back();
        for (const Json& row : maze["level"]["cells"]) cells += row.get<std::string>();
    }
    ASSERT_GE(mazes.size(), 2U);
    for (const std::string& one : mazes)
        for (const std::string& other : mazes) {
            if (&one == &other) continue;
            std::size_t differing = 0;
            for (std::size_t i = 0; i < one.size(); ++i) differing += one[i] != other[i] ? 1U : 0U;
            EXPECT_GE(4 * differing, one.size());
        }
}

TEST_F(ApiTest, AKeyThatThereIsNotIsRefusedWithTheNearest) {
    const auto refused = [&](const std::string& path, const Json& body, const std::string& said) {
        const Response response = post(path, body);
        EXPECT_EQ(response.status, 400) << body;
        EXPECT_EQ(Json::parse(response.body)["error"], said);
    };
    refused("/api/runs", {{"recipe", "maze"}, {"seeed", 7}}, "'seeed' is not a key here; did you mean seed?");
    refused("/api/recipes/check", {{"recipe", "maze"}, {"problem.n", 7}},
            "'problem.n' is not a key here; known are recipe, toml, set, seed, paused, speed");
    refused("/api/levels/survey", {{"level", {{"cells", {"..."}}}}, {"goals", ""}},
            "'goals' is not a key here; did you mean goal?");
    refused("/api/levels/export", {{"level", {{"cells", {"..."}}}}, {"format", "svg"}},
            "'format' is not a key here; known are level, domain");
    EXPECT_TRUE(studio_.sessions().empty());
    const Response made = post("/api/runs", {{"recipe", "maze"}, {"paused", true}});
    const std::string id = Json::parse(made.body)["id"].get<std::string>();
    refused("/api/runs/" + id + "/control", {{"action", "step"}, {"counts", 2}},
            "'counts' is not a key here; did you mean count?");
}

TEST_F(ApiTest, AFitnessThatNeedsCheckpointsIsRefusedBeforeItRuns) {
    const auto made = [&](const Json& set) {
        return post("/api/runs", {{"recipe", "maze-direct"}, {"set", set}});
    };
    const Response refused = made({{"problem.fitness", "reconvergence"}});
    EXPECT_EQ(refused.status, 422);
    EXPECT_NE(refused.body.find("problem.fitness is reconvergence, which needs at least 2 checkpoints"),
              std::string::npos)
        << refused.body;
    EXPECT_TRUE(studio_.sessions().empty());
    EXPECT_EQ(made({{"problem.fitness", "reconvergence"}, {"problem.checkpoints", "auto:2"}}).status, 201);
    // A level that somebody is still drawing is measured all the same.
    const Json level{{"cells", {"...", "..."}}};
    EXPECT_EQ(post("/api/levels/survey", {{"level", level}, {"fitness", "reconvergence"}}).status, 200);
}

TEST_F(ApiTest, EventsEndWithTheRun) {
    const Response made = post("/api/runs", {{"recipe", "pmx-queens"}, {"seed", 1}});
    ASSERT_EQ(made.status, 201);
    const std::string id = Json::parse(made.body)["id"].get<std::string>();
    const Response stream = get("/api/runs/" + id + "/events");
    std::uint64_t last = 0;
    bool over = false;
    std::string newest;
    wait_until([&] {
        if (const auto text = stream.events(last, over)) newest = *text;
        return over;
    });
    EXPECT_NE(newest.find("\"state\":\"ended\""), std::string::npos);
    EXPECT_EQ(stream.events(last, over), nullptr);
}

TEST_F(ApiTest, EveryPathOfTheDescriptionIsServed) {
    const Response description = get("/openapi.json");
    ASSERT_EQ(description.status, 200);
    const std::string id =
        Json::parse(post("/api/runs", {{"recipe", "maze-gallery"}, {"paused", true}}).body)["id"]
            .get<std::string>();
    wait_until([&] { return studio_.find(id)->seen().frame != nullptr; });
    const Json archive = Json::parse(get("/api/runs/" + id + "/archive").body);
    const Json level{{"level", {{"cells", {"...", ".#.", "..."}}}}};
    ASSERT_EQ(put_json("/api/drawings/drawn", {{"domain", "maze"}, {"level", level["level"]}}).status, 201);
    const std::string study =
        Json::parse(
            post("/api/studies", {{"name", "small"}, {"recipes", {"pmx-queens"}}, {"runs", 1}}).body)["id"]
            .get<std::string>();
    const Json described = Json::parse(description.body);
    for (const auto& [path, methods] : described.at("paths").items()) {
        std::string actual = path;
        const auto put = [&](const std::string& name, const std::string& value) {
            if (const auto at = actual.find(name); at != std::string::npos)
                actual.replace(at, name.size(), value);
        };
        const bool is_study = path.starts_with("/api/studies/");
        put("{id}", is_study ? study : id);
        put("{generation}", "0");
        put("{which}", "best");
        put("{name}", "drawn");
        put("{cell}", archive["elites"][0][0].dump());
        if (path.starts_with("/studies/")) continue;
        if (methods.contains("get")) {
            EXPECT_EQ(get(actual).status, 200) << actual;
        }
        if (path == "/api/recipes/check") {
            EXPECT_EQ(post(actual, {{"recipe", "maze"}}).status, 200);
        }
        if (path == "/api/levels/survey" || path == "/api/levels/export") {
            EXPECT_EQ(post(actual, level).status, 200) << actual;
        }
        if (path.ends_with("/control") && !is_study) {
            EXPECT_EQ(post(actual, {{"action", "step"}}).status, 200);
        }
    }
}

} // namespace
} // namespace knossos::studio
