#include "support.hpp"

#include <knossos/study/analysis.hpp>
#include <knossos/study/report.hpp>
#include <knossos/study/runner.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <array>
#include <atomic>
#include <barrier>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace knossos::study::run_test {
namespace {

class StudyRun : public testing::Test {
  protected:
    StudyRun() {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::temp_directory_path() /
                  ("knossos-study-" + std::string{test->name()} + "-" + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
    }
    ~StudyRun() override { std::filesystem::remove_all(folder_); }

    [[nodiscard]] std::filesystem::path file() const { return folder_ / "study.db"; }
    static Study study(std::uint64_t runs = 20) {
        StudyChanges changes;
        changes.runs = runs;
        return Study::parse(
            "name = \"test\"\nrecipes = [\"pmx-queens\", \"duel-queens\"]\n[set]\nproblem.n = 6", "test.toml",
            changes);
    }
    void execute(const char* sql) const {
        sqlite3* handle = nullptr;
        ASSERT_EQ(sqlite3_open(file().c_str(), &handle), SQLITE_OK);
        ASSERT_EQ(sqlite3_exec(handle, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sql;
        sqlite3_close(handle);
    }
    // Everything that must not depend on who did the runs, or when.
    [[nodiscard]] std::string content() const {
        std::string text;
        Store::open(file()).for_each_run(true, true, [&](const RunRecord& run) {
            text += std::to_string(run.configuration) + " " + std::to_string(run.number) + " " +
                    std::to_string(run.seed) + " " + run.digest + " " + run.genome + ":";
            for (const TracePoint& point : run.trace)
                text += " " + std::to_string(point.evaluations) + "=" + std::to_string(point.best);
            text += "\n";
        });
        return text;
    }

    std::filesystem::path folder_;
};

TEST_F(StudyRun, RecordsEveryRunOnceWhateverTheThreads) {
    std::set<std::string> contents;
    for (const unsigned threads : {1U, 2U, 5U}) {
        std::filesystem::remove(file());
        Store store = Store::open_for(file(), study());
        EXPECT_TRUE(carry_out(study(), store, {.threads = threads}));
        contents.insert(content());
    }
    ASSERT_EQ(contents.size(), 1U);
    EXPECT_EQ(std::ranges::count(*contents.begin(), '\n'), 40);
}

TEST_F(StudyRun, ARunIsTheOneThatItsSeedGives) {
    const Study one = study();
    const auto& configuration = one.configurations[1];
    Settings settings = configuration.recipe.settings();
    settings.seed = one.seed_of(1, 4);
    const auto record = run_once(configuration.recipe.problem(), settings, 4);
    const Result result = evolve(configuration.recipe.problem(), settings);
    ASSERT_TRUE(record);
    EXPECT_EQ(record->seed, one.seed_of(1, 4));
    EXPECT_EQ(record->number, 4U);
    EXPECT_EQ(record->evaluations, result.evaluations);
    EXPECT_EQ(record->genome, result.best.to_text());
    ASSERT_FALSE(record->trace.empty());
    EXPECT_EQ(record->trace.front().evaluations, 1U);
    EXPECT_EQ(record->trace.back(), (TracePoint{record->found_at, result.fitness}));
    for (std::size_t i = 1; i < record->trace.size(); ++i) {
        EXPECT_LT(record->trace[i].best, record->trace[i - 1].best);
        EXPECT_GT(record->trace[i].evaluations, record->trace[i - 1].evaluations);
    }
}

TEST_F(StudyRun, KeepsTheValuesOfRecords) {
    StudyChanges changes;
    changes.runs = 3;
    const Study wishes = Study::parse("name = \"wishes\"\nrecipes = [\"maze-direct\"]\n[set]\n"
                                      "problem.width = 6\nproblem.height = 6\n"
                                      "problem.goal = \"path 10..14, maximise pockets\"\n"
                                      "stop.evaluations = 3000\n",
                                      "wishes.toml", changes);
    {
        Store store = Store::open_for(file(), wishes);
        EXPECT_TRUE(carry_out(wishes, store));
    }
    std::size_t seen = 0;
    Store::open(file()).for_each_run(true, true, [&](const RunRecord& run) {
        ++seen;
        ASSERT_EQ(run.values.size(), 3U);
        EXPECT_EQ(run.values[0].name, "exit_path 10..14");
        EXPECT_EQ(run.values[0], (NamedValue{"exit_path 10..14", "violation", 0.0}));
        EXPECT_EQ(run.values[1], (NamedValue{"pockets", "objective", run.best}));
        EXPECT_EQ(run.values[2], (NamedValue{"way to the exit", "violation", 0.0}));
        ASSERT_FALSE(run.trace.empty());
        EXPECT_EQ(run.trace.back().best, run.best);
    });
    EXPECT_EQ(seen, 3U);
    // A condition that nothing meets: what was found instead is no result.
    const Study vain = Study::parse("name = \"vain\"\nrecipes = [\"maze-direct\"]\n[set]\n"
                                    "problem.width = 4\nproblem.height = 4\n"
                                    "problem.goal = \"path 6, dead-ends 12.., maximise pockets\"\n"
                                    "stop.evaluations = 1000\n",
                                    "vain.toml", changes);
    const std::filesystem::path other = folder_ / "vain.db";
    {
        Store store = Store::open_for(other, vain);
        EXPECT_TRUE(carry_out(vain, store));
    }
    Store::open(other).for_each_run(true, true, [&](const RunRecord& run) {
        EXPECT_EQ(run.best, -std::numeric_limits<double>::infinity());
        EXPECT_TRUE(run.trace.empty());
        EXPECT_GT(run.values[0].value, 0.0);
    });
    (void)analyse(Store::open(other));
}

// A recipe's own target counts where the problem has none, whatever the merit is.
TEST_F(StudyRun, ATargetOfTheRecipeIsWhatRunsSolve) {
    struct Case {
        const char* text;
        double target;
        double out_of_reach;
    };
    const Case cases[] = {
        {"recipes = [\"maze-direct\"]\n[set]\nproblem.width = 8\nproblem.height = 8\n", 16.0, 63.0},
        {"recipes = [\"zdt1\"]\n[set]\n", 0.3, 1e9},
        {"recipes = [\"maze-gallery\"]\n[set]\nproblem.width = 8\nproblem.height = 8\n"
         "algorithm.offspring = 100\n",
         5.0, 1e9},
    };
    StudyChanges changes;
    changes.runs = 3;
    for (const Case& one : cases)
        for (const double target : {one.target, one.out_of_reach}) {
            std::filesystem::remove(file());
            const Study study =
                Study::parse(fmt::format("name = \"targets\"\n{}stop.target = {}\nstop.evaluations = 8000\n",
                                         one.text, target),
                             "targets.toml", changes);
            Store store = Store::open_for(file(), study);
            EXPECT_TRUE(carry_out(study, store));
            const Analysis analysis = analyse(store);
            ASSERT_EQ(analysis.configurations.size(), 1U);
            EXPECT_EQ(analysis.configurations[0].info.target, target) << one.text;
            EXPECT_EQ(analysis.configurations[0].row.solved, target == one.target ? 3U : 0U) << one.text;
            EXPECT_EQ(std::isfinite(analysis.configurations[0].row.expected), target == one.target)
                << one.text;
            // Volumes and sums of archives begin with nothing.
            for (const TextFile& log : ioh_report(store, Registry::built_in()))
                EXPECT_EQ(log.text.find("000000000000000000"), std::string::npos) << log.name;
        }
}

TEST_F(StudyRun, InterruptedItDoesOnlyWhatIsMissing) {
    std::uint64_t first = 0;
    {
        Store store = Store::open_for(file(), study());
        EXPECT_FALSE(
            carry_out(study(), store,
                      {.threads = 2,
                       .should_stop = [&] { return first >= 5; },
                       .on_progress = [&](const StudyProgress& progress) { first = progress.here; }}));
        first = Store::open_for(file(), study()).progress().done;
        EXPECT_GE(first, 5U);
    }
    Store store = Store::open_for(file(), study());
    EXPECT_EQ(store.progress().done, first);
    std::uint64_t second = 0;
    EXPECT_TRUE(carry_out(study(), store, {.threads = 2, .on_progress = [&](const StudyProgress& progress) {
                                               second = progress.here;
                                           }}));
    EXPECT_EQ(first + second, 40U);
    const std::string resumed = content();
    std::filesystem::remove(file());
    Store straight = Store::open_for(file(), study());
    EXPECT_TRUE(carry_out(study(), straight, {.threads = 1}));
    EXPECT_EQ(content(), resumed);
}

TEST_F(StudyRun, GrowsByRunsAndConfigurations) {
    {
        Store store = Store::open_for(file(), study(3));
        EXPECT_TRUE(carry_out(study(3), store));
    }
    Store store = Store::open_for(file(), study(5));
    EXPECT_EQ(store.progress().done, 6U);
    EXPECT_TRUE(carry_out(study(5), store));
    EXPECT_EQ(analyse(store).runs, 10U);
}

TEST_F(StudyRun, WhatDoesNotSteerARunDoesNotMakeAnotherConfiguration) {
    {
        Store store = Store::open_for(file(), study(3));
        EXPECT_TRUE(carry_out(study(3), store));
    }
    StudyChanges changes;
    changes.runs = 3;
    changes.overrides = {"description=\"told otherwise\"", "output.checkpoint_every=5"};
    const std::string text =
        "name = \"test\"\nrecipes = [\"pmx-queens\", \"duel-queens\"]\n[set]\nproblem.n = 6";
    EXPECT_EQ(Store::open_for(file(), Study::parse(text, "test.toml", changes)).progress().done, 6U);
    // Another budget is another configuration; the old ones are kept, and count nowhere.
    changes.budget = 500;
    Store store = Store::open_for(file(), Study::parse(text, "test.toml", changes));
    EXPECT_EQ(store.progress().done, 0U);
    const RecordedStudy now = store.study();
    ASSERT_EQ(now.configurations.size(), 2U);
    EXPECT_EQ(now.configurations[0].label, "pmx-queens");
    ASSERT_EQ(now.older.size(), 2U);
    EXPECT_EQ(now.older[0].label, "pmx-queens");
    EXPECT_EQ(now.older[0].runs, 3U);
    EXPECT_NE(now.older[0].hash, now.configurations[0].hash);
    EXPECT_EQ(analyse(store).runs, 0U);
    // With the old file they are back.
    changes.budget.reset();
    EXPECT_EQ(Store::open_for(file(), Study::parse(text, "test.toml", changes)).progress().done, 6U);
}

TEST_F(StudyRun, DropsOlderConfigurationsUnlessNothingWouldBeLeft) {
    const auto with = [](std::uint64_t budget) {
        return Study::parse("name = \"test\"\nruns = 3\nrecipes = [\"pmx-queens\", \"duel-queens\"]\n[set]\n"
                            "problem.n = 6\nstop.evaluations = " +
                                std::to_string(budget),
                            "test.toml");
    };
    const auto drop = [&](const Study& study) {
        return Store::open_for(file(), study, {.drop_older = true}).dropped();
    };
    test::expect_mentions(test::message_of([&] { drop(with(500)); }),
                          {"--drop would leave nothing", "no file"});
    EXPECT_FALSE(std::filesystem::exists(file()));
    {
        Store store = Store::open_for(file(), with(500));
        EXPECT_TRUE(carry_out(with(500), store, {.threads = 1}));
    }
    const std::string before = content();
    test::expect_mentions(test::message_of([&] { drop(with(600)); }),
                          {"--drop would leave nothing", "without --drop first"});
    EXPECT_EQ(content(), before); // nothing has changed
    {
        Store store = Store::open_for(file(), with(600));
        EXPECT_TRUE(carry_out(with(600), store, {.threads = 1}));
        EXPECT_EQ(store.study().older.size(), 2U);
    }
    Store late = Store::open_for(file(), with(500));
    const Store::Dropped dropped = drop(with(600));
    EXPECT_EQ(dropped.configurations, 2U);
    EXPECT_EQ(dropped.runs, 6U);
    EXPECT_EQ(drop(with(600)).runs, 0U);
    const Store store = Store::open(file());
    EXPECT_TRUE(store.study().older.empty());
    EXPECT_EQ(analyse(store).runs, 6U);
    // Who was at work on what is gone is told so, and adds nothing.
    const Configuration configuration = with(500).configurations[0];
    const auto record = run_once(configuration.recipe.problem(), configuration.recipe.settings(), 0);
    test::expect_mentions(test::message_of([&] { late.record({&*record, 1}); }),
                          {"another process has dropped"});
}

TEST_F(StudyRun, SeedsAreAConfigurationsOwnUnlessPaired) {
    const Study own = study();
    std::set<std::uint64_t> seeds;
    for (std::size_t configuration = 0; configuration < 2; ++configuration)
        for (std::uint64_t number = 0; number < 1000; ++number)
            seeds.insert(own.seed_of(configuration, number));
    EXPECT_EQ(seeds.size(), 2000U);
    EXPECT_LT(*seeds.rbegin(), std::uint64_t{1} << 53U);
    StudyChanges changes;
    changes.seed = 2;
    const std::string text = "name = \"test\"\nruns = 4\nrecipes = [\"pmx-queens\", \"duel-queens\"]\n"
                             "paired = true\n[set]\nproblem.n = 6";
    EXPECT_NE(Study::parse(text, "test.toml", changes).seed_of(0, 0), own.seed_of(0, 0));
    const Study paired = Study::parse(text, "test.toml");
    EXPECT_EQ(paired.seed_of(0, 3), 4U);
    EXPECT_EQ(paired.seed_of(1, 3), 4U);
    {
        Store store = Store::open_for(file(), paired);
        EXPECT_TRUE(carry_out(paired, store, {.threads = 1}));
        EXPECT_TRUE(store.study().paired);
    }
    // A file holds runs of one kind: the other is refused by the name of the field, and leaves it as it was.
    const std::string before = content();
    test::expect_mentions(test::message_of([&] { (void)Store::open_for(file(), study(4)); }),
                          {file().string(), "paired is false", "with paired = true", "-o"});
    EXPECT_EQ(content(), before);
    EXPECT_TRUE(Store::open(file()).study().paired);
    std::filesystem::remove(file());
    {
        Store store = Store::open_for(file(), study(4));
        EXPECT_TRUE(carry_out(study(4), store, {.threads = 1}));
    }
    test::expect_mentions(test::message_of([&] { (void)Store::open_for(file(), paired); }),
                          {file().string(), "paired is true", "without paired = true", "leave paired out"});
}

TEST_F(StudyRun, TwoMaySetUpTheSameFileAtTheSameTime) {
    for (std::uint64_t attempt = 0; attempt < test::seeds(100); ++attempt) {
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
        std::barrier together{2};
        std::array<std::string, 2> refusals;
        {
            std::vector<std::jthread> both;
            for (std::string& refusal : refusals)
                both.emplace_back([&] {
                    together.arrive_and_wait();
                    try {
                        Store::open_for(file(), study());
                    } catch (const std::exception& error) {
                        refusal = error.what();
                    }
                });
        }
        ASSERT_EQ(refusals[0] + refusals[1], "") << "attempt " << attempt;
    }
}

TEST_F(StudyRun, TwoProcessesShareTheWork) {
    Store first = Store::open_for(file(), study(), {.look_seconds = 0.0});
    Store second = Store::open_for(file(), study());
    std::set<std::pair<std::size_t, std::uint64_t>> seen;
    for (int turn = 0; turn < 4; ++turn)
        for (Store* store : {&first, &second})
            for (const Task& task : store->claim(7))
                EXPECT_TRUE(seen.emplace(task.configuration, task.number).second);
    EXPECT_EQ(seen.size(), 40U);
    EXPECT_TRUE(first.claim(1).empty());
    EXPECT_FALSE(first.is_complete());
    second.release_claims();
    EXPECT_EQ(first.claim(100).size(), 19U);
}

// A look at everything that is not done is not for every run that ends.
TEST_F(StudyRun, LooksForLapsedClaimsNowAndThen) {
    Store first = Store::open_for(file(), study(), {.look_seconds = 1000.0});
    Store second = Store::open_for(file(), study());
    EXPECT_EQ(second.claim(100).size(), 40U);
    EXPECT_TRUE(first.claim(1).empty());
    second.release_claims();
    EXPECT_TRUE(first.claim(1).empty());
    // One that finds something may look again at once: there may be more.
    Store third = Store::open_for(file(), study(), {.look_seconds = 1000.0});
    EXPECT_EQ(third.claim(30).size(), 30U);
    EXPECT_EQ(third.claim(100).size(), 10U);
    third.release_claims();
    EXPECT_EQ(third.claim(7).size(), 7U);
    EXPECT_EQ(third.claim(7).size(), 7U);
}

TEST_F(StudyRun, ClaimsOfADeadProcessAreTakenOver) {
    const Study one = study();
    const pid_t child = fork();
    if (child == 0) {
        try {
            Store store = Store::open_for(file(), one);
            _exit(store.claim(1000).size() == 40 ? 0 : 1);
        } catch (...) {
            _exit(2);
        }
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0);
    Store store = Store::open_for(file(), one);
    EXPECT_EQ(store.claim(1000).size(), 40U);
}

TEST_F(StudyRun, ClaimsThatNobodyRenewsLapse) {
    Store stuck = Store::open_for(file(), study(), {.claim_seconds = -1.0});
    EXPECT_EQ(stuck.claim(1000).size(), 40U);
    Store other = Store::open_for(file(), study());
    EXPECT_EQ(other.claim(1000).size(), 40U);
    // The stuck one wakes up and delivers a run that the other has recorded in the meantime: it stays one
    // run.
    const Configuration configuration = study().configurations[0];
    Settings settings = configuration.recipe.settings();
    settings.seed = study().seed_of(0, 0);
    const auto record = run_once(configuration.recipe.problem(), settings, 0);
    other.record({&*record, 1});
    stuck.record({&*record, 1});
    EXPECT_EQ(std::ranges::count(content(), '\n'), 1);
}

TEST_F(StudyRun, RefusesWhatIsNoStudyOfThis) {
    std::ofstream{file()} << "something else, and long enough to be looked at as a database header, truly. "
                             "It goes on for more than a hundred bytes.";
    EXPECT_THROW((void)Store::open(file()), InvalidInput);
    EXPECT_THROW((void)Store::open_for(file(), study()), InvalidInput);
    std::filesystem::remove(file());
    execute("CREATE TABLE mine (a)");
    EXPECT_THROW((void)Store::open(file()), InvalidInput);
    EXPECT_THROW((void)Store::open_for(file(), study()), InvalidInput);
    std::filesystem::remove(file());
    EXPECT_THROW((void)Store::open(file()), InvalidInput);
    (void)Store::open_for(file(), study());
    Study other = study();
    other.name = "other";
    EXPECT_THROW((void)Store::open_for(file(), other), InvalidInput);
    execute("PRAGMA user_version = 99");
    try {
        (void)Store::open(file());
        FAIL() << "a newer format was accepted";
    } catch (const InvalidInput& error) {
        EXPECT_NE(std::string{error.what()}.find("newer"), std::string::npos);
    }
    execute("PRAGMA user_version = 2");
    EXPECT_NE(test::message_of([&] { (void)Store::open(file()); }).find("older"), std::string::npos);
}

TEST_F(StudyRun, RefusesADatabaseThatOnlyLooksLikeAStudy) {
    const auto read = [&] {
        const Store store = Store::open(file());
        (void)store.study();
        store.for_each_run(true, true, [](const RunRecord&) {});
    };
    const auto is_refused = [&](const char* change, std::string_view why) {
        std::filesystem::remove(file());
        {
            Store store = Store::open_for(file(), study(1));
            EXPECT_TRUE(carry_out(study(1), store, {.threads = 1}));
        }
        EXPECT_NO_THROW(read());
        execute(change);
        test::expect_mentions(test::message_of(read), {file().string(), why});
    };
    is_refused("PRAGMA foreign_keys = OFF; UPDATE run SET configuration = 7 WHERE configuration = 1",
               "configuration 7");
    is_refused("DROP TABLE trace", "no such table");
    is_refused("ALTER TABLE run DROP COLUMN digest", "no such column");
    is_refused("DELETE FROM study", "damaged");
    is_refused(
        "DROP TABLE trace; CREATE TABLE trace (run, evaluations, best); INSERT INTO trace SELECT id, 1, "
        "NULL FROM run",
        "no value");
    // Would never end.
    is_refused(
        "DROP TABLE study; CREATE VIEW study AS WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + "
        "1 FROM n) SELECT max(x) AS name, '' AS description, '' AS created, '' AS version, '' AS "
        "targets FROM n",
        "not a study");
}

TEST_F(StudyRun, ALockedFileIsWaitedForAndThenGivenUp) {
    (void)Store::open_for(file(), study());
    sqlite3* handle = nullptr;
    ASSERT_EQ(sqlite3_open(file().c_str(), &handle), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(handle, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
    int asked = 0;
    StoreOptions options;
    options.on_wait = [&](double) { return ++asked < 3; };
    EXPECT_THROW((void)Store::open_for(file(), study(), options), Interrupted);
    EXPECT_EQ(asked, 3);
    options.on_wait = [](double) { return true; };
    options.wait = 0.01;
    EXPECT_THROW((void)Store::open_for(file(), study(), options), InputOutputError);
    // As soon as the lock is gone, so is the wait.
    options.on_wait = [&](double) {
        sqlite3_exec(handle, "COMMIT", nullptr, nullptr, nullptr);
        return true;
    };
    EXPECT_NO_THROW((void)Store::open_for(file(), study(), options));
    sqlite3_close(handle);
}

TEST_F(StudyRun, FindsTheFiguresOfEachConfiguration) {
    Store store = Store::open_for(file(), study(50));
    EXPECT_TRUE(carry_out(study(50), store));
    const Analysis analysis = analyse(store);
    ASSERT_EQ(analysis.configurations.size(), 2U);
    ASSERT_EQ(analysis.groups.size(), 1U);
    EXPECT_TRUE(analysis.groups[0].is_solvable);
    EXPECT_FALSE(analysis.groups[0].same_scale); // conflicts and captures
    const Row pmx = row_of(analysis.configurations[0]);
    EXPECT_EQ(pmx.solved, 50U);
    EXPECT_DOUBLE_EQ(pmx.expected, pmx.evaluations.mean); // all succeed, so the ERT is the mean
    EXPECT_LE(pmx.expected_interval.low, pmx.expected);
    ASSERT_EQ(analysis.groups[0].comparisons.size(), 1U);
    EXPECT_NE(
        analysis.groups[0].comparisons[0].verdict.find("pmx-queens needs fewer evaluations than duel-queens"),
        std::string::npos);
    const auto steps = ecdf_over_targets(analysis.configurations[0], analysis.groups[0].targets);
    EXPECT_DOUBLE_EQ(steps.back().share, 1.0);
}

// Counts ones until it breaks.
struct Breaking {
    std::shared_ptr<std::atomic<int>> left;
    static constexpr Objective objective = Objective::maximise;
    [[nodiscard]] static Space space() { return Space::bits(40); }
    [[nodiscard]] double evaluate(BitView genome) const {
        if (--*left < 0) throw std::runtime_error{"the sensor broke"};
        return static_cast<double>(genome.count());
    }
};

TEST(FailedRun, KeepsItsLastCompleteGeneration) {
    for (const std::uint32_t islands : {1U, 3U}) {
        Settings settings{.population = 20, .stop = generations(50)};
        settings.islands.count = islands;
        const auto record =
            run_once(Breaking{std::make_shared<std::atomic<int>>(250)}, settings, 0, [] { return false; });
        ASSERT_TRUE(record);
        EXPECT_EQ(record->outcome, Outcome::failed);
        EXPECT_TRUE(record->stopped_by.starts_with("individual ") &&
                    record->stopped_by.ends_with(": the sensor broke"))
            << record->stopped_by;
        // It breaks at different places of the islands, which may be generations apart.
        if (islands == 1) {
            EXPECT_GE(record->generations, 1U);
        }
        EXPECT_GE(record->evaluations, std::uint64_t{20} * islands);
        EXPECT_LE(record->evaluations, 250U);
        EXPECT_GT(record->best, 20.0);
        ASSERT_FALSE(record->trace.empty());
        EXPECT_EQ(record->trace.back().best, record->best);
        EXPECT_FALSE(record->genome.empty());
    }
}

TEST(FailedRun, HasNothingToKeepOfItsFirstPopulation) {
    const auto record = run_once(Breaking{std::make_shared<std::atomic<int>>(5)},
                                 {.population = 20, .stop = generations(50)}, 0, [] { return false; });
    ASSERT_TRUE(record);
    EXPECT_EQ(record->outcome, Outcome::failed);
    EXPECT_TRUE(std::isnan(record->best));
    EXPECT_TRUE(record->trace.empty());
}

} // namespace
} // namespace knossos::study::run_test
