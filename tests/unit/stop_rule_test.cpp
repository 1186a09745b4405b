#include "run_support.hpp"

#include <knossos/run/run.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace knossos::stop_rule_test {
namespace {

using test::expect_same;
using test::Flat;
using test::Landscape;
using test::small;
using test::small_settings;

Status status_with(const std::function<void(Status&)>& change) {
    Status status;
    status.statistics = {.generation = 50,
                         .evaluations = 5000,
                         .best = 3.0,
                         .mean = 4.0,
                         .worst = 5.0,
                         .deviation = 1.0,
                         .diversity = 0.2,
                         .best_ever = 2.0,
                         .merit = 2.0,
                         .seconds = 7.0};
    status.stagnation = 10;
    change(status);
    return status;
}

bool fires(
    const StopRule& rule, Objective objective = Objective::minimise,
    const std::function<void(Status&)>& change = [](Status&) {}) {
    return rule.fires(status_with(change), objective).has_value();
}

TEST(StopRule, FiresFromItsLimitOn) {
    EXPECT_TRUE(fires(evaluations(5000)));
    EXPECT_FALSE(fires(evaluations(5001)));
    EXPECT_TRUE(fires(generations(50)));
    EXPECT_FALSE(fires(generations(51)));
    EXPECT_TRUE(fires(generations(0)));
    EXPECT_TRUE(fires(seconds(7.0)));
    EXPECT_FALSE(fires(seconds(7.1)));
    EXPECT_TRUE(fires(stagnation(10)));
    EXPECT_FALSE(fires(stagnation(11)));
    EXPECT_TRUE(fires(convergence(2.0)));
    EXPECT_FALSE(fires(convergence(1.9)));
    EXPECT_FALSE(fires(convergence()));
    EXPECT_TRUE(
        fires(convergence(), Objective::maximise, [](Status& status) { status.statistics.worst = 3.0; }));
    EXPECT_FALSE(fires(solved()));
    EXPECT_TRUE(fires(solved(), Objective::minimise, [](Status& status) { status.solved = true; }));
    EXPECT_FALSE(fires(StopRule{}));
}

TEST(StopRule, TargetGoesWithTheDirection) {
    EXPECT_TRUE(fires(target(2.0)));
    EXPECT_TRUE(fires(target(2.5)));
    EXPECT_FALSE(fires(target(1.9)));
    EXPECT_TRUE(fires(target(2.0), Objective::maximise));
    EXPECT_TRUE(fires(target(1.9), Objective::maximise));
    EXPECT_FALSE(fires(target(2.1), Objective::maximise));
}

TEST(StopRule, CombinesWithAndAndOr) {
    const StopRule yes = generations(1);
    const StopRule no = generations(1000);
    EXPECT_TRUE(fires(yes || no));
    EXPECT_TRUE(fires(no || yes));
    EXPECT_FALSE(fires(no || no));
    EXPECT_TRUE(fires(yes && yes));
    EXPECT_FALSE(fires(yes && no));
    EXPECT_FALSE(fires(no && yes));
    EXPECT_TRUE(fires((yes && no) || yes));
    EXPECT_FALSE(fires((yes || no) && no));
    EXPECT_TRUE(fires((no || yes) && (yes || no) && yes));
}

TEST(StopRule, SaysWhichPartFired) {
    const Status status = status_with([](Status&) {});
    EXPECT_EQ((solved() || evaluations(5000)).fires(status, Objective::minimise)->to_text(),
              "evaluations(5000)");
    EXPECT_EQ((generations(1) && evaluations(5000)).fires(status, Objective::minimise)->to_text(),
              "generations(1) && evaluations(5000)");
}

TEST(StopRule, IsWrittenAsInTheProgram) {
    EXPECT_EQ((solved() || evaluations(1'000'000)).to_text(), "solved() || evaluations(1000000)");
    EXPECT_EQ((target(230) || (stagnation(50) && generations(1000))).to_text(),
              "target(230) || stagnation(50) && generations(1000)");
    EXPECT_EQ(((target(1.5) || stagnation(50)) && generations(10)).to_text(),
              "(target(1.5) || stagnation(50)) && generations(10)");
    EXPECT_EQ((solved() || seconds(2.5) || convergence()).to_text(),
              "solved() || seconds(2.5) || convergence(0)");
}

TEST(StopRule, KnowsWhetherItEndsEveryRun) {
    EXPECT_TRUE(generations(5).is_bounded());
    EXPECT_TRUE((solved() || evaluations(5)).is_bounded());
    EXPECT_FALSE((solved() && evaluations(5)).is_bounded());
    EXPECT_FALSE(solved().is_bounded());
    EXPECT_FALSE(StopRule{}.is_bounded());
    EXPECT_TRUE((generations(5) && evaluations(5)).is_bounded());
}

TEST(StopRule, KnowsItsSmallestCertainLimit) {
    const StopRule rule =
        solved() || evaluations(500) || evaluations(300) || (generations(9) && evaluations(100));
    EXPECT_EQ(rule.limit(StopKind::evaluations), 300.0);
    EXPECT_EQ(rule.limit(StopKind::generations), std::nullopt);
}

TEST(Stopping, AtTheLimitOfEvaluations) {
    for (const std::uint64_t limit : {20U, 21U, 100U, 137U}) {
        Settings settings = small_settings();
        settings.stop = evaluations(limit);
        const Result result = evolve(Landscape{small}, settings);
        EXPECT_EQ(result.evaluations, limit);
        EXPECT_EQ(result.stopped_by, "evaluations(" + std::to_string(limit) + ")");
    }
}

TEST(Stopping, WhenSolvedOrAtATarget) {
    Settings settings = small_settings();
    settings.population = 60;
    settings.stop = solved() || generations(2000);
    const Result result = evolve(Landscape{small}, settings);
    EXPECT_TRUE(result.solved);
    EXPECT_EQ(result.stopped_by, "solved()");
    EXPECT_EQ(result.fitness, 0.0);
    EXPECT_GT(result.history[result.history.size() - 2].best_ever, 0.0);

    settings.stop = target(0.5) || generations(2000);
    const Result earlier = evolve(Landscape{small}, settings);
    EXPECT_EQ(earlier.stopped_by, "target(0.5)");
    EXPECT_LE(earlier.fitness, 0.5);
    EXPECT_LE(earlier.generations, result.generations);
}

TEST(Stopping, BySecondsAtSomeGeneration) {
    Settings settings = small_settings();
    settings.stop = seconds(1e-9) || generations(1'000'000);
    const Result result = evolve(Landscape{small}, settings);
    EXPECT_EQ(result.stopped_by, "seconds(1e-09)");
    settings.stop = generations(result.generations);
    expect_same(evolve(Landscape{small}, settings), result);
}

TEST(Stopping, OnStagnationAndConvergence) {
    const Result stagnated = evolve(Flat{}, {.population = 10, .stop = stagnation(5)});
    EXPECT_EQ(stagnated.generations, 5U);
    EXPECT_EQ(stagnated.stopped_by, "stagnation(5)");
    const Result converged = evolve(Flat{}, {.population = 10, .stop = convergence() && generations(2)});
    EXPECT_EQ(converged.generations, 2U);
    EXPECT_EQ(converged.stopped_by, "convergence(0) && generations(2)");
}

TEST(Stopping, SteadyStateAndDuelEndTheirGenerationAtTheTarget) {
    Settings settings = small_settings();
    settings.algorithm = SteadyState{.events = 1'000'000};
    settings.stop = solved();
    const Result steady = evolve(Landscape{small}, settings);
    EXPECT_EQ(steady.generations, 1U);
    EXPECT_LE(steady.evaluations, steady.hall_of_fame.front().evaluations + 1);

    settings.algorithm = Duel{.rounds = 1'000'000};
    settings.population = 2;
    settings.recombine = Clone{};
    const Result duel = evolve(Landscape{small}, settings);
    EXPECT_EQ(duel.generations, 1U);
    EXPECT_EQ(duel.evaluations, duel.hall_of_fame.front().evaluations);
}

} // namespace
} // namespace knossos::stop_rule_test
