#include "run_support.hpp"

#include <knossos/run/run.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

namespace knossos::run_epoch_test {
namespace {

using test::expect_same;
using test::island_settings;
using test::Landscape;
using test::settings_for;
using test::small;

// Inside a test, Run is a member of GoogleTest's.
using Evolution = Run;

// Once it is armed, the thread that evaluates first waits until others have made some evaluations.
struct Patient {
    struct State {
        std::mutex mutex;
        std::condition_variable changed;
        bool armed = false;
        std::optional<std::thread::id> waits{};
        std::uint64_t by_others = 0;
        bool in_vain = false;
    };
    std::uint64_t enough;
    std::shared_ptr<State> state = std::make_shared<State>();

    static constexpr Objective objective = Objective::maximise;
    [[nodiscard]] static Space space() { return Space::bits(40); }
    [[nodiscard]] double evaluate(BitView genome) const {
        std::unique_lock lock{state->mutex};
        if (state->armed && !state->waits) {
            state->waits = std::this_thread::get_id();
            state->in_vain = !state->changed.wait_for(lock, std::chrono::seconds{60},
                                                      [&] { return state->by_others >= enough; });
        } else if (state->armed && *state->waits != std::this_thread::get_id()) {
            ++state->by_others;
            state->changed.notify_all();
        }
        return static_cast<double>(genome.count());
    }
};

// One island is still in its first generation when the other stands before the migration.
TEST(Islands, WaitForEachOtherOncePerMigration) {
    const Patient problem{.enough = 9 * 10};
    Settings settings{.algorithm = MuPlusLambda{},
                      .population = 10,
                      .mutate = PointMutation{},
                      .islands = {.count = 2, .interval = 10},
                      .stop = generations(10),
                      .threads = 2};
    Evolution run{problem, settings};
    {
        const std::scoped_lock lock{problem.state->mutex};
        problem.state->armed = true;
    }
    run.finish();
    EXPECT_TRUE(problem.state->waits);
    EXPECT_FALSE(problem.state->in_vain);
}

// The same of ten migrations, between which nothing else may make them wait: from one to the next, one island
// stands in its first generation until the other has bred all ten.
TEST(Islands, WaitTenTimesForTenMigrations) {
    const Patient problem{.enough = 9 * 10};
    int waits = 0;
    int migrations = 0;
    Settings settings{.algorithm = MuPlusLambda{},
                      .population = 10,
                      .mutate = PointMutation{},
                      .islands = {.count = 2, .interval = 10},
                      .stop = generations(100),
                      .threads = 2};
    settings.islands.own_topology =
        OwnTopology{"rearming",
                    [&](Stream&, std::uint32_t count, std::uint32_t island) {
                        const std::scoped_lock lock{problem.state->mutex};
                        if (island == 0) {
                            ++migrations;
                            waits += problem.state->waits && !problem.state->in_vain ? 1 : 0;
                            problem.state->waits.reset();
                            problem.state->by_others = 0;
                        }
                        return std::vector{(island + 1) % count};
                    },
                    [](std::uint32_t) { return 1U; }};
    Evolution run{problem, settings};
    migrations = 0; // who checks settings asks, too
    {
        const std::scoped_lock lock{problem.state->mutex};
        problem.state->armed = true;
    }
    run.finish();
    EXPECT_EQ(migrations, 10);
    EXPECT_EQ(waits, 10);
}

void expect_sound(const Run& run) {
    std::uint64_t evaluations = 0;
    for (const Island& island : run.islands()) {
        EXPECT_EQ(island.generation, run.status().statistics.generation);
        evaluations += island.evaluations;
    }
    EXPECT_EQ(evaluations, run.status().statistics.evaluations);
}

std::vector<StopRule> rules() {
    return {generations(23),
            generations(24),
            solved() || generations(400),
            target(12.0) || generations(400),
            evaluations(6000),
            stagnation(5) || generations(400),
            convergence(4.0) || generations(60)};
}

TEST(Islands, EndAlikeHoweverTheyAreStepped) {
    for (const std::uint32_t interval : {1U, 2U, 7U, 1000U})
        for (const StopRule& rule : rules())
            for (const unsigned threads : {1U, 4U}) {
                SCOPED_TRACE(rule.to_text() + ", interval " + std::to_string(interval));
                Settings settings = island_settings(settings_for(small), Topology::ring);
                settings.islands.interval = interval;
                settings.stop = rule;
                settings.restart.stagnation = 12;
                settings.threads = threads;
                Evolution stepped{Landscape{small}, settings};
                while (!stepped.finished()) stepped.step();
                Evolution finished{Landscape{small}, settings};
                finished.finish();
                expect_same(stepped.result(), finished.result());
                EXPECT_EQ(stepped.result().stopped_by, finished.result().stopped_by);
                const auto parts = stepped.snapshot_parts().islands;
                EXPECT_EQ(parts, finished.snapshot_parts().islands);
            }
}

// Islands that are beyond the generation at which somebody says stop go back to it.
TEST(Islands, GoBackToTheGenerationThatACallbackEnds) {
    for (const std::uint64_t end : {1U, 5U, 6U, 20U, 33U}) {
        Settings settings = island_settings(settings_for(small), Topology::torus);
        settings.islands.interval = 20;
        settings.stop = generations(50);
        settings.threads = 3;
        std::uint64_t told = 0;
        Settings ended = settings;
        ended.on_generation = [&](const Status& status) {
            EXPECT_EQ(status.statistics.generation, told == 0 ? status.statistics.generation : told + 1);
            told = status.statistics.generation;
            return told == end ? Proceed::no : Proceed::yes;
        };
        Evolution run{Landscape{small}, ended};
        run.finish();
        EXPECT_EQ(run.result().stopped_by, "callback");
        Evolution stepped{Landscape{small}, settings};
        for (std::uint64_t generation = 0; generation < end; ++generation) stepped.step();
        expect_same(stepped.result(), run.result());
        EXPECT_EQ(stepped.snapshot_parts().islands, run.snapshot_parts().islands);
    }
}

// What a callback throws arrives as it is, and the run can go on.
TEST(Islands, StayWhereACallbackThrows) {
    Settings settings = island_settings(settings_for(small), Topology::ring);
    settings.islands.interval = 20;
    settings.stop = generations(30);
    const Result whole = evolve(Landscape{small}, settings);
    bool thrown = false;
    settings.on_generation = [&](const Status& status) {
        if (status.statistics.generation == 11 && !thrown) {
            thrown = true;
            throw std::out_of_range{"enough of it"};
        }
    };
    Evolution run{Landscape{small}, settings};
    EXPECT_THROW(run.finish(), std::out_of_range);
    EXPECT_EQ(run.status().statistics.generation, 11U);
    for (const Island& island : run.islands()) EXPECT_EQ(island.generation, 11U);
    run.finish();
    expect_same(whole, run.result());
}

TEST(Islands, StayAtTheLastCompleteGenerationWhenAnEvaluationFails) {
    Settings settings = island_settings(settings_for(small), Topology::ring);
    settings.islands.interval = 15;
    settings.stop = generations(200);
    settings.threads = 2;
    for (const double breaks_at : {10.0, 6.0, 2.0}) {
        const Landscape stepped_problem{small};
        stepped_problem.gauge->breaks_at = breaks_at;
        std::optional<Evolution> stepped;
        try {
            stepped.emplace(stepped_problem, settings);
            while (!stepped->finished()) stepped->step();
        } catch (const EvaluationError&) { // NOLINT(bugprone-empty-catch): as it should
        }
        if (!stepped) continue;
        const Landscape problem{small};
        problem.gauge->breaks_at = breaks_at;
        Evolution run{problem, settings};
        EXPECT_THROW(run.finish(), EvaluationError);
        expect_same(stepped->result(), run.result());
        EXPECT_EQ(stepped->snapshot_parts().islands, run.snapshot_parts().islands);
        // Repaired, it goes on to the same end.
        problem.gauge->breaks_at = -test::infinity;
        run.finish();
        expect_same(evolve(Landscape{small}, settings), run.result());
    }
}

// What somebody's own topology or policy does in a later generation nobody can check before.
TEST(Islands, StayAtTheLastGenerationBeforeAMigrationThatFails) {
    std::atomic<int> left = 0;
    const auto fails = [&] { return --left < 0; };
    Settings broken_topology = island_settings(settings_for(small), Topology::ring);
    broken_topology.islands.interval = 5;
    broken_topology.stop = generations(40);
    Settings broken_emigrants = broken_topology;
    Settings broken_immigrants = broken_topology;
    broken_topology.islands.own_topology =
        OwnTopology{"stray",
                    [&](Stream&, std::uint32_t count, std::uint32_t island) {
                        return std::vector{fails() ? count : (island + 1) % count};
                    },
                    [](std::uint32_t) { return 1U; }};
    broken_emigrants.islands.own_emigrants = OwnEmigrants{
        "stray", [&](Stream&, const Scores& residents, std::size_t) {
            return std::vector{0U, fails() ? 0U : static_cast<std::uint32_t>(residents.size()) - 1};
        }};
    broken_immigrants.islands.own_immigrants =
        OwnImmigrants{"stray", [&](Stream&, const Scores& residents, const Scores&) {
                          return std::vector{OwnImmigrants::nobody,
                                             fails() ? static_cast<std::uint32_t>(residents.size()) : 3U};
                      }};
    for (const Settings* settings : {&broken_topology, &broken_emigrants, &broken_immigrants})
        for (const unsigned threads : {1U, 3U}) {
            Settings on_threads = *settings;
            on_threads.threads = threads;
            left = 1'000'000;
            const Result whole = evolve(Landscape{small}, on_threads);
            left =
                6 + 8; // Islands::check() asks the topology, too; some islands have admitted, some have not
            Evolution run{Landscape{small}, on_threads};
            std::string message;
            try {
                run.finish();
            } catch (const InvalidInput& error) {
                message = error.what();
            }
            EXPECT_NE(message.find("'stray'"), std::string::npos) << message;
            EXPECT_EQ(run.status().statistics.generation % 5, 4U);
            expect_sound(run);
            left = 1'000'000;
            run.finish();
            expect_same(whole, run.result());
        }
}

// Breaks for good after some evaluations, whoever makes them, until it is repaired.
struct Breaking {
    std::shared_ptr<std::atomic<int>> left;
    std::chrono::microseconds takes{0};
    static constexpr Objective objective = Objective::maximise;
    [[nodiscard]] static Space space() { return Space::bits(40); }
    [[nodiscard]] double evaluate(BitView genome) const {
        if (--*left < 0) throw std::runtime_error{"the sensor broke"};
        if (takes.count() > 0) std::this_thread::sleep_for(takes);
        return static_cast<double>(genome.count());
    }
};

// Generations that were made before the failure may not be repeatable: the run is whole all the same, and
// goes on to the same end once the evaluation works again.
TEST(Islands, AreWholeWhereverEvaluationsBeginToFail) {
    Settings settings{.algorithm = MuPlusLambda{},
                      .population = 10,
                      .islands = {.count = 3, .interval = 8},
                      .stop = generations(20),
                      .seed = 4,
                      .history = 6}; // is thinned out on the way
    for (const auto takes : {std::chrono::microseconds{0}, std::chrono::microseconds{2500}}) {
        const auto working = [&] { return std::make_shared<std::atomic<int>>(1'000'000'000); };
        const Result whole = evolve(Breaking{working()}, settings);
        const int step = takes.count() == 0 ? 7 : 239;
        for (int breaks_after = 30; breaks_after < 650; breaks_after += step) {
            const Breaking problem{std::make_shared<std::atomic<int>>(breaks_after), takes};
            Evolution run{problem, settings};
            try {
                run.finish();
            } catch (const EvaluationError& error) {
                EXPECT_TRUE(std::string_view{error.what()}.ends_with(": the sensor broke")) << error.what();
            }
            expect_sound(run);
            *problem.left = 1'000'000'000;
            run.finish();
            expect_same(whole, run.result());
        }
    }
}

} // namespace
} // namespace knossos::run_epoch_test
