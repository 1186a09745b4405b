#include "run_support.hpp"

#include <knossos/run/ask_tell.hpp>
#include <knossos/run/run.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace knossos::run_idle_test {
namespace {

using test::expect_same;
using test::Landscape;
using test::small;

// Inside a test, Run is a member of GoogleTest's.
using Evolution = Run;

// No child differs from its parents, so that no evaluation of the budget is ever spent.
Settings stuck(Algorithm algorithm, std::size_t population) {
    return {.algorithm = std::move(algorithm),
            .population = population,
            .mutate = BitFlip{.probability = 0.0},
            .stop = evaluations(100'000),
            .seed = 3,
            .history = 0};
}

TEST(IdleRun, EndsWhateverTheAlgorithm) {
    struct Case {
        Algorithm algorithm;
        std::size_t population;
        std::string ends_by;
    };
    for (const Case& one : std::vector<Case>{{Generational{}, 500, "idle(2000)"},
                                             {MuPlusLambda{}, 1000, "idle(1000)"},
                                             {SteadyState{}, 700, "idle(1428)"},
                                             {Annealing{.moves = 3}, 1, "idle(100000)"},
                                             {Annealing{.moves = 5}, 200, "idle(5000)"}}) {
        const Settings settings = stuck(one.algorithm, one.population);
        const Result result = evolve(Landscape{small}, settings);
        EXPECT_EQ(result.stopped_by, one.ends_by) << settings.algorithm.name();
        EXPECT_EQ(result.evaluations, one.population) << settings.algorithm.name();
    }
}

TEST(IdleRun, IsTheSameOnAnyNumberOfThreads) {
    Settings settings = stuck(Generational{}, 400);
    settings.islands = {.count = 3, .interval = 7, .migrants = 1};
    const Result alone = evolve(Landscape{small}, settings);
    EXPECT_EQ(alone.stopped_by, "idle(2500)");
    EXPECT_EQ(alone.generations, 2500U);
    for (const unsigned threads : {2U, 4U}) {
        settings.threads = threads;
        const Result shared = evolve(Landscape{small}, settings);
        expect_same(shared, alone);
        EXPECT_EQ(shared.stopped_by, alone.stopped_by);
    }
}

TEST(IdleRun, EndsAtTheSameGenerationWhenTakenUpAgain) {
    const Settings settings = stuck(Annealing{.moves = 2}, 1000);
    const Result straight = evolve(Landscape{small}, settings);
    Evolution first{Landscape{small}, settings};
    while (first.status().statistics.generation < 400) first.step();
    Evolution second{Landscape{small}, settings, first.snapshot()};
    second.finish();
    expect_same(second.result(), straight);
    EXPECT_EQ(second.result().stopped_by, "idle(1000)");
    // Whoever takes it up at its end finds it ended.
    EXPECT_TRUE((Evolution{Landscape{small}, settings, second.snapshot()}.finished()));
}

TEST(IdleRun, StartsCountingAnewWithEveryEvaluation) {
    // One child in some hundred thousand is new: they are far apart, and never too far.
    Settings settings = stuck(Annealing{.moves = 1}, 1000);
    settings.mutate = BitFlip{.probability = 1e-5};
    settings.stop = generations(2500);
    const Result result = evolve(Landscape{small}, settings);
    EXPECT_EQ(result.stopped_by, "generations(2500)");
    EXPECT_LT(result.evaluations, 1100U);
}

TEST(IdleRun, EndsForThoseWhoAskAndTell) {
    AskTell run{Landscape{small}, stuck(Generational{}, 1000)};
    std::uint64_t asked = 0;
    while (const auto batch = run.ask()) {
        asked += batch->count;
        run.tell(std::vector<double>(batch->count, 1.0));
    }
    EXPECT_EQ(asked, 1000U);
    EXPECT_EQ(run.result().stopped_by, "idle(1000)");
}

} // namespace
} // namespace knossos::run_idle_test
