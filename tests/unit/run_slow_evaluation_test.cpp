#include "run_support.hpp"

#include <knossos/run/run.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

namespace knossos::run_slow_evaluation_test {
namespace {

using test::crossover_for;
using test::expect_same;

// Counts how many evaluations are made at the same time.
struct Simulated {
    std::chrono::milliseconds takes;
    struct Count {
        std::atomic<int> now{0};
        std::atomic<int> most{0};
    };
    std::shared_ptr<Count> count = std::make_shared<Count>();

    static constexpr Objective objective = Objective::maximise;
    [[nodiscard]] static Space space() { return Space::bits(40); }
    [[nodiscard]] double evaluate(BitView genome) const {
        const int now = ++count->now;
        int most = count->most.load();
        while (now > most && !count->most.compare_exchange_weak(most, now)) {
        }
        std::this_thread::sleep_for(takes);
        --count->now;
        return static_cast<double>(genome.count());
    }
};

// Who evaluates first waits for another thread.
struct Meeting {
    struct State {
        std::mutex mutex;
        std::condition_variable changed;
        std::optional<std::thread::id> first{};
        bool has_met = false;
        bool in_vain = false;
    };
    std::shared_ptr<State> state = std::make_shared<State>();

    static constexpr Objective objective = Objective::maximise;
    [[nodiscard]] static Space space() { return Space::bits(512); }
    [[nodiscard]] double evaluate(BitView genome) const {
        std::unique_lock lock{state->mutex};
        if (!state->first) {
            state->first = std::this_thread::get_id();
            state->in_vain =
                !state->changed.wait_for(lock, std::chrono::seconds{20}, [&] { return state->has_met; });
        } else if (!state->has_met && *state->first != std::this_thread::get_id()) {
            state->has_met = true;
            state->changed.notify_all();
        }
        return static_cast<double>(genome.count());
    }
};

Settings settings_of(const Algorithm& algorithm, unsigned threads) {
    return {.algorithm = algorithm,
            .population = 8,
            .recombine = crossover_for(algorithm),
            .mutate = PointMutation{},
            .stop = generations(12),
            .threads = threads};
}

TEST(SlowEvaluations, AreDealtOneByOne) {
    for (const Algorithm& algorithm :
         {Algorithm{Generational{}}, Algorithm{Generational{.siblings = 1}}, Algorithm{MuPlusLambda{}}}) {
        const Simulated problem{std::chrono::milliseconds{5}};
        evolve(problem, settings_of(algorithm, 8));
        EXPECT_GT(problem.count->most, 4) << algorithm.name();
    }
}

TEST(SlowEvaluations, OfTheFirstPopulationToo) {
    const Simulated problem{std::chrono::milliseconds{20}};
    Settings settings = settings_of(Generational{}, 8);
    settings.stop = generations(0);
    evolve(problem, settings);
    EXPECT_GT(problem.count->most, 4);
}

// Which number of threads is left to the run, and nobody knows yet how long anything takes.
TEST(SlowEvaluations, OfLargeFirstPopulationsAreShared) {
    if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "there is one processor";
    const Meeting problem;
    Settings settings = settings_of(Generational{}, 0);
    settings.population = 20'000;
    settings.stop = generations(0);
    evolve(problem, settings);
    EXPECT_FALSE(problem.state->in_vain);
}

TEST(SlowEvaluations, OfImprovementsToo) {
    const Simulated problem{std::chrono::milliseconds{1}};
    Settings settings = settings_of(Generational{}, 8);
    settings.improve = HillClimb{.attempts = 3};
    evolve(problem, settings);
    EXPECT_GT(problem.count->most, 4);
}

// However the clock decides, and whenever.
TEST(SlowEvaluations, GiveWhatQuickOnesGive) {
    for (const Algorithm& algorithm :
         {Algorithm{Generational{}}, Algorithm{Generational{.siblings = 1}}, Algorithm{MuPlusLambda{}},
          Algorithm{Knockout{}}, Algorithm{SteadyState{}}}) {
        Settings settings = settings_of(algorithm, 1);
        for (const bool improves : {false, true}) {
            if (improves) settings.improve = HillClimb{.probability = 0.5, .attempts = 2};
            settings.threads = 1;
            const Result quick = evolve(Simulated{std::chrono::milliseconds{0}}, settings);
            settings.threads = 4;
            expect_same(evolve(Simulated{std::chrono::milliseconds{0}}, settings), quick);
            expect_same(evolve(Simulated{std::chrono::milliseconds{1}}, settings), quick);
        }
    }
    Settings mixed = settings_of(Generational{}, 1);
    mixed.operations = OperationMix{.clone = 0.2, .crossover = 0.5, .mutation = 0.3};
    const Result quick = evolve(Simulated{std::chrono::milliseconds{0}}, mixed);
    mixed.threads = 4;
    expect_same(evolve(Simulated{std::chrono::milliseconds{1}}, mixed), quick);
}

struct Breaks {
    Simulated simulated{std::chrono::milliseconds{1}};
    std::shared_ptr<std::atomic<int>> left = std::make_shared<std::atomic<int>>(60);

    static constexpr Objective objective = Objective::maximise;
    [[nodiscard]] static Space space() { return Simulated::space(); }
    [[nodiscard]] double evaluate(BitView genome) const {
        if (--*left < 0) throw std::runtime_error{"the simulator went away"};
        return simulated.evaluate(genome);
    }
};

TEST(SlowEvaluations, ThatFailLeaveTheLastGeneration) {
    const Breaks problem;
    try {
        evolve(problem, settings_of(Generational{}, 8));
        FAIL() << "an evaluation failed";
    } catch (const RunFailed& failed) {
        EXPECT_NE(std::string{failed.what()}.find("the simulator went away"), std::string::npos);
        EXPECT_GE(failed.last_complete().generations, 5U);
        EXPECT_LE(failed.last_complete().evaluations, 60U);
    }
}

} // namespace
} // namespace knossos::run_slow_evaluation_test
