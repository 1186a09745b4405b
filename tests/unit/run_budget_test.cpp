#include "run_support.hpp"

#include <knossos/run/run.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace knossos::run_budget_test {
namespace {

using test::crossover_for;
using test::expect_mentions;
using test::expect_same;
using test::Maximised;
using test::name_of;

// Inside a test, Run is a member of GoogleTest's.
using Evolution = Run;

struct Configuration {
    std::string name;
    std::function<Settings()> make;
    bool improves = false; ///< children cost more than one evaluation

    friend void PrintTo(const Configuration& one, std::ostream* out) { *out << one.name; }
};

Settings with(const Algorithm& algorithm, std::size_t population = 12) {
    return {.algorithm = algorithm,
            .population = population,
            .recombine = crossover_for(algorithm),
            .mutate = PointMutation{},
            .hall_of_fame = 4,
            .seed = 3};
}

Settings on_islands(Settings settings, std::uint32_t count) {
    settings.islands = {.count = count, .interval = 3, .migrants = 1};
    return settings;
}

Settings improved(Settings settings) {
    settings.improve = HillClimb{.attempts = 7};
    return settings;
}

Settings restarted(Settings settings) {
    settings.restart.stagnation = 2;
    return settings;
}

const std::vector<Configuration>& configurations() {
    static const std::vector<Configuration> all{
        {"Generational", [] { return with(Generational{}); }},
        {"OneSibling", [] { return with(Generational{.siblings = 1}); }},
        {"OperationMix",
         [] {
             Settings settings = with(Generational{});
             settings.operations = OperationMix{.clone = 0.2, .crossover = 0.4, .mutation = 0.4};
             return settings;
         }},
        {"MuPlusLambda", [] { return with(MuPlusLambda{}); }},
        {"SteadyState", [] { return with(SteadyState{.tournament = 5}); }},
        {"Duel", [] { return with(Duel{.rounds = 9}, 2); }},
        {"Knockout", [] { return with(Knockout{}); }},
        {"Annealing", [] { return with(Annealing{.moves = 5}); }},
        {"WalkersThatOftenStay",
         [] {
             Settings settings = on_islands(with(Annealing{.moves = 5}), 3);
             settings.mutate = PointMutation{.probability = 0.2};
             return settings;
         }},
        {"Islands", [] { return on_islands(with(Generational{}), 5); }},
        {"IslandsOfDuels", [] { return on_islands(with(Duel{.rounds = 9}, 2), 3); }},
        {"IslandsOfWalkers", [] { return on_islands(with(Annealing{.moves = 5}), 3); }},
        {"Restarts", [] { return restarted(with(Generational{})); }},
        {"RestartsOnIslands", [] { return restarted(on_islands(with(SteadyState{.tournament = 5}), 4)); }},
        {"LocalSearch", [] { return improved(with(Generational{})); }, true},
        {"LocalSearchInSteadyState", [] { return improved(with(SteadyState{.tournament = 5})); }, true},
        {"LocalSearchOnIslands", [] { return restarted(on_islands(improved(with(Generational{})), 3)); },
         true},
    };
    return all;
}

std::uint64_t first_populations(const Settings& settings) {
    return std::uint64_t{settings.population} * settings.islands.count;
}

std::string budget_text(std::uint64_t budget) { return "evaluations(" + std::to_string(budget) + ")"; }

class Budget : public testing::TestWithParam<Configuration> {
  protected:
    [[nodiscard]] static Settings settings(std::uint64_t budget) {
        Settings made = GetParam().make();
        made.stop = evaluations(budget);
        return made;
    }
    // Every budget of some generations, so that the cut falls at every place in one.
    template <class Check>
    static void for_each_budget(Check check) {
        const std::uint64_t first = first_populations(GetParam().make());
        for (std::uint64_t budget = first; budget < 4 * first + 40; budget += 1 + budget % 7) {
            SCOPED_TRACE("budget " + std::to_string(budget));
            check(budget);
        }
    }
};

TEST_P(Budget, IsNeverExceeded) {
    for_each_budget([](std::uint64_t budget) {
        const Maximised problem;
        Evolution run{problem, settings(budget)};
        while (!run.finished()) run.step();
        const Result result = run.result();
        EXPECT_LE(result.evaluations, budget);
        EXPECT_EQ(result.stopped_by, budget_text(budget));
        // What was asked of the problem is what was counted, and the rest is reported.
        EXPECT_EQ(static_cast<std::uint64_t>(*problem.calls), result.evaluations + result.uncounted);
        if (!GetParam().improves) {
            EXPECT_EQ(result.uncounted, 0U);
        }
        EXPECT_EQ(result.history.back().evaluations, result.evaluations);
    });
}

TEST_P(Budget, CutsTheSameWayOnAnyThreadsAndByAnySteps) {
    for_each_budget([](std::uint64_t budget) {
        const Result once = evolve(Maximised{}, settings(budget));
        for (const unsigned threads : {1U, 3U}) {
            Settings shared = settings(budget);
            shared.threads = threads;
            Evolution steps{Maximised{}, shared};
            while (!steps.finished()) steps.step();
            expect_same(once, steps.result());
            Evolution epochs{Maximised{}, shared};
            while (!epochs.finished()) epochs.advance();
            expect_same(once, epochs.result());
            expect_same(once, evolve(Maximised{}, shared));
        }
    });
}

// What the cut generation found counts in the result, and is not in the snapshot.
TEST_P(Budget, SnapshotIsOfTheLastWholeGeneration) {
    for_each_budget([](std::uint64_t budget) {
        Evolution run{Maximised{}, settings(budget)};
        run.finish();
        const auto snapshot = run.snapshot();
        EXPECT_LE(generation_of(snapshot), run.result().generations);
        Evolution again{Maximised{}, settings(budget), snapshot};
        again.finish();
        expect_same(run.result(), again.result());
        // With more to spend the run goes on as if it had never had less.
        Evolution longer{Maximised{}, settings(2 * budget), snapshot};
        longer.finish();
        expect_same(evolve(Maximised{}, settings(2 * budget)), longer.result());
    });
}

TEST_P(Budget, OfMoreOnlyAddsToWhatLessFinds) {
    double best = 0.0;
    for_each_budget([&](std::uint64_t budget) {
        const Result result = evolve(Maximised{}, settings(budget));
        // Shares of islands may be cut earlier by a larger budget, never by much.
        if (GetParam().make().islands.count == 1 && !GetParam().improves) {
            EXPECT_GE(result.fitness, best);
        }
        best = std::max(best, result.fitness);
        ASSERT_FALSE(result.hall_of_fame.empty());
        EXPECT_TRUE(std::ranges::is_sorted(
            result.hall_of_fame, [](const auto& a, const auto& b) { return a.fitness > b.fitness; }));
    });
}

INSTANTIATE_TEST_SUITE_P(All, Budget, testing::ValuesIn(configurations()), name_of);

// Where a child costs one evaluation and there is one island, every evaluation is made use of.
TEST(BudgetOfARun, IsSpentToTheLastEvaluation) {
    for (const Settings& each :
         {with(Generational{}), with(MuPlusLambda{}), with(SteadyState{.tournament = 5}),
          with(Duel{.rounds = 9}, 2), with(Knockout{}), restarted(with(Generational{}))})
        for (std::uint64_t budget = 12; budget < 99; ++budget) {
            Settings settings = each;
            settings.stop = evaluations(budget);
            EXPECT_EQ(evolve(Maximised{}, settings).evaluations, budget) << each.algorithm.name();
        }
}

TEST(BudgetOfARun, IsSpentToTheLastEvaluationByDifferentialEvolution) {
    for (const std::uint32_t islands : {1U, 3U})
        for (std::uint64_t budget = 36; budget < 140; ++budget) {
            SCOPED_TRACE(budget);
            Settings settings{
                .algorithm = DifferentialEvolution{}, .population = 12, .stop = evaluations(budget)};
            settings.islands = {.count = islands, .interval = 3, .migrants = 1};
            const test::Landscape problem{Space::reals(6, {-1.0, 1.0})};
            const Result result = evolve(problem, settings);
            EXPECT_EQ(result.evaluations, budget);
            EXPECT_EQ(problem.gauge->evaluations, budget) << "none is made and not counted";
            EXPECT_EQ(result.stopped_by, budget_text(budget));
        }
}

std::string refusal(const Problem& problem, const Settings& settings) {
    try {
        check(problem, settings);
        return "not refused";
    } catch (const InvalidInput& error) {
        return error.what();
    }
}

TEST(BudgetOfARun, BelowTheFirstPopulationIsRefused) {
    Settings settings = with(Generational{});
    settings.stop = evaluations(11);
    const Maximised problem;
    expect_mentions(refusal(problem, settings), {"stop.evaluations is 11", "at least 12"});
    EXPECT_EQ(*problem.calls, 0);
    settings.islands.count = 4;
    settings.stop = target(99.0) || evaluations(47);
    expect_mentions(refusal(problem, settings), {"stop.evaluations is 47", "at least 48", "4 islands"});
    settings.stop = evaluations(48);
    EXPECT_EQ(evolve(problem, settings).evaluations, 48U);
}

// The run is sound when a callback throws at its last, cut generation.
TEST(BudgetOfARun, CutGenerationOutlivesACallbackThatThrows) {
    for (const std::uint32_t islands : {1U, 3U}) {
        Settings settings = on_islands(with(MuPlusLambda{}), islands);
        settings.stop = evaluations(100);
        const Result whole = evolve(Maximised{}, settings);
        settings.on_generation = [last = whole.generations](const Status& status) {
            if (status.statistics.generation == last) throw std::out_of_range{"enough"};
        };
        Evolution run{Maximised{}, settings};
        EXPECT_THROW(run.finish(), std::out_of_range);
        EXPECT_EQ(run.result().evaluations, whole.evaluations);
        EXPECT_TRUE(run.finished());
        EXPECT_EQ(run.result().best.to_text(), whole.best.to_text());
        settings.on_generation = {};
        Evolution again{Maximised{}, settings, run.snapshot()};
        again.finish();
        expect_same(whole, again.result());
    }
}

// A rule that has to hold together with another is looked at after whole generations.
TEST(BudgetOfARun, WithAnotherConditionCutsNothing) {
    Settings settings = with(MuPlusLambda{});
    settings.stop = evaluations(30) && generations(1);
    const Result result = evolve(Maximised{}, settings);
    EXPECT_GE(result.evaluations, 30U);
    EXPECT_EQ(result.uncounted, 0U);
}

TEST(BudgetOfARun, TargetReachedByTheCutGenerationCounts) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Settings settings = with(MuPlusLambda{}, 20);
        settings.seed = seed;
        settings.stop = target(30.0) || evaluations(100'000);
        const Result result = evolve(Maximised{}, settings);
        ASSERT_EQ(result.stopped_by, "target(30)");
        const std::uint64_t found = result.hall_of_fame.front().evaluations;
        settings.stop = target(30.0) || evaluations(found);
        const Result exact = evolve(Maximised{}, settings);
        EXPECT_EQ(exact.stopped_by, "target(30)");
        EXPECT_EQ(exact.best.to_text(), result.best.to_text());
        settings.stop = target(30.0) || evaluations(found - 1);
        EXPECT_EQ(evolve(Maximised{}, settings).stopped_by, budget_text(found - 1));
    }
}

// An algorithm of somebody else that counts by itself and never asks what is left.
struct Careless {
    static constexpr std::string_view name = "careless";
    static void step(const Context& context, Island& island) {
        for (std::size_t i = 0; i < 5; ++i) {
            Stream stream = island.streams(Purpose::initialise)(i);
            context.problem.initialise(stream, island.current.genome(i));
            double fitness = 0.0;
            context.problem.evaluate(
                Batch{&context.problem.space(), island.current.genome(i), island.current.stride(), 1},
                {&fitness, 1});
            island.current.fitness()[i] = fitness;
            ++island.evaluations;
            remember(context, island, island.current, i, island.evaluations);
        }
    }
};

TEST(BudgetOfARun, HoldsForAlgorithmsThatDoNotLook) {
    for (const std::uint32_t islands : {1U, 3U}) {
        Settings settings = on_islands(with(Careless{}), islands);
        settings.stop = evaluations(101);
        const Maximised problem;
        Evolution run{problem, settings};
        while (!run.finished()) run.step();
        EXPECT_LE(run.result().evaluations, 101U);
        EXPECT_EQ(static_cast<std::uint64_t>(*problem.calls),
                  run.result().evaluations + run.result().uncounted);
    }
}

} // namespace
} // namespace knossos::run_budget_test
