#include "run_support.hpp"

#include <knossos/run/run.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace knossos::annealing_test {
namespace {

using test::Staircase;

TEST(Annealing, TakesEverythingWhenHotAndOnlyImprovementsWhenCold) {
    const auto mean_of = [](double temperature) {
        const Result result =
            evolve(Staircase{}, {.algorithm = Annealing{.start = temperature, .end = temperature},
                                 .population = 50,
                                 .mutate = ProblemMove{},
                                 .stop = generations(30)});
        return result.history.back().mean;
    };
    EXPECT_NEAR(mean_of(1e6), 32.0, 2.0);
    EXPECT_EQ(mean_of(1e-6), 0.0);
    // At temperature T the ones are Boltzmann distributed: each bit is set with probability 1 / (1 +
    // e^(1/T)).
    EXPECT_NEAR(mean_of(1.0), 64.0 / (1.0 + 2.718281828), 2.0);
}

TEST(Annealing, CoolsOverItsSteps) {
    const auto mean_of = [](std::uint64_t steps) {
        return evolve(Staircase{},
                      {.algorithm = Annealing{.start = 1e3, .end = 1e-3, .steps = steps, .moves = 20},
                       .population = 20,
                       .mutate = ProblemMove{},
                       .stop = evaluations(40'000)})
            .history.back()
            .mean;
    };
    EXPECT_EQ(mean_of(40'000), 0.0);
    EXPECT_GT(mean_of(1'000'000'000), 20.0);
}

TEST(Annealing, CountsEvaluationsAndKeepsTheBest) {
    const Result result = evolve(Staircase{}, {.algorithm = Annealing{.start = 5.0, .end = 5.0, .moves = 10},
                                               .population = 7,
                                               .mutate = ProblemMove{},
                                               .stop = generations(40),
                                               .hall_of_fame = 3});
    EXPECT_EQ(result.evaluations, 7U + 40U * 70U);
    EXPECT_LT(result.fitness, result.history.back().best);
    EXPECT_LE(result.hall_of_fame.front().evaluations, result.evaluations);
    EXPECT_EQ(result.hall_of_fame.front().fitness, result.fitness);
}

} // namespace
} // namespace knossos::annealing_test
