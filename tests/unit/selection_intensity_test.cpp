// What algorithms count in units of their own, and how strongly selections choose.
#include "run_support.hpp"

#include <knossos/knossos.hpp>
#include <knossos/recipe/run_folder.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace knossos::selection_intensity_test {
namespace {

using test::expect_mentions;

struct Ones {
    static constexpr Objective objective = Objective::maximise;
    [[nodiscard]] static Space space() { return Space::bits(256); }
    [[nodiscard]] static double evaluate(BitView bits) { return static_cast<double>(bits.count()); }
};
struct Zeros {
    static constexpr Objective objective = Objective::minimise;
    [[nodiscard]] static Space space() { return Space::bits(256); }
    [[nodiscard]] static double evaluate(BitView bits) { return static_cast<double>(bits.count()); }
};

double first_intensity(const Problem& problem, Settings settings) {
    settings.population = 4000;
    settings.stop = generations(1);
    const Result result = evolve(problem, std::move(settings));
    EXPECT_EQ(result.history.front().selection_intensity, 0.0);
    return result.history.back().selection_intensity;
}

// Of tournaments the expected largest of some standard normal numbers: 0.5642, 1.0294 and 1.5388 for 2, 4 and
// 10 (H. L. Harter: "Expected values of normal order statistics", 1961).
TEST(SelectionIntensity, IsThatOfTheTextbook) {
    const std::vector<std::pair<Selection, double>> known{
        {Tournament{.size = 2}, 0.5642},  {Tournament{.size = 4}, 1.0294},
        {Tournament{.size = 10}, 1.5388}, {Truncation{.fraction = 0.5}, 0.7979},
        {RandomSelection{}, 0.0},
    };
    for (const auto& [selection, expected] : known)
        for (const Problem& problem : {Problem{Ones{}}, Problem{Zeros{}}})
            EXPECT_NEAR(first_intensity(problem, {.select = selection}), expected, 0.06) << expected;
    EXPECT_NEAR(first_intensity(Ones{}, {.algorithm = Generational{.siblings = 1}, .select = Tournament{}}),
                0.5642, 0.06);
    EXPECT_NEAR(first_intensity(Ones{}, {.algorithm = MuPlusLambda{}}), 0.0, 0.06);
    EXPECT_NEAR(first_intensity(Ones{}, {.select = Tournament{}, .operations = OperationMix{}}), 0.5642,
                0.06);
    // The best two of seven: (1.3522 + 0.7574) / 2.
    EXPECT_NEAR(first_intensity(Ones{}, {.algorithm = SteadyState{}}), 1.05, 0.1);
}

TEST(SelectionIntensity, OfAGenerationThatTheBudgetCutsIsThatOfWhatWasBred) {
    for (const Algorithm& algorithm : {Algorithm{SteadyState{}}, Algorithm{Generational{}}}) {
        const Result result =
            evolve(Ones{}, {.algorithm = algorithm, .population = 200, .stop = evaluations(1'150)});
        EXPECT_EQ(result.evaluations, 1'150U);
        EXPECT_GT(result.history.back().selection_intensity, 0.2) << algorithm.name();
    }
}

struct Flat {
    static constexpr Objective objective = Objective::maximise;
    [[nodiscard]] static Space space() { return Space::bits(8); }
    [[nodiscard]] static double evaluate(BitView /*bits*/) { return 1.0; }
};

TEST(SelectionIntensity, OfThoseWhoAreAllAlikeIsNothing) {
    const Result result = evolve(Flat{}, {.stop = generations(3)});
    EXPECT_EQ(result.history.back().selection_intensity, 0.0);
}

TEST(SelectionIntensity, IsAColumnOfTheTraceAndNotOfTheDigest) {
    const Result result = evolve(Ones{}, {.population = 20, .stop = generations(5)});
    const std::string csv = trace_csv(result.history);
    expect_mentions(csv, {"best_ever,seconds,intensity\n"});
    const auto again = read_trace(csv, "trace.csv");
    for (std::size_t i = 0; i < again.size(); ++i)
        EXPECT_EQ(again[i].selection_intensity, result.history[i].selection_intensity);
}

TEST(Units, CountRoundsAndMatingEvents) {
    const Result duel = evolve(
        Ones{},
        {.algorithm = Duel{.rounds = 7}, .population = 2, .mutate = BitFlip{}, .stop = generations(5)});
    EXPECT_EQ(duel.unit, "rounds");
    EXPECT_EQ(duel.steps, 36U); // five generations, after the round of the two random individuals
    EXPECT_EQ(duel.steps, duel.evaluations - 1);
    EXPECT_EQ(duel.history.front().steps, 1U);
    expect_mentions(trace_csv(duel.history), {"seconds,steps"});
    EXPECT_EQ(read_trace(trace_csv(duel.history), "t").back().steps, 36U);
    const Result steady =
        evolve(Ones{}, {.algorithm = SteadyState{.events = 9}, .population = 20, .stop = generations(4)});
    EXPECT_EQ(steady.unit, "mating events");
    EXPECT_EQ(steady.steps, 36U);
    EXPECT_EQ(evolve(Ones{}, {.stop = generations(2)}).unit, "");
}

TEST(Units, AreCountedOnThroughSnapshotsRestartsAndCuts) {
    Settings settings{.algorithm = Duel{.rounds = 7}, .population = 2, .mutate = BitFlip{}};
    settings.stop = evaluations(100);
    const Result cut = evolve(Ones{}, settings);
    EXPECT_EQ(cut.evaluations, 100U);
    EXPECT_EQ(cut.steps, 99U);
    EXPECT_TRUE(cut.remark.ends_with("wins") || cut.remark.ends_with("mutant"))
        << cut.remark; // 14 generations
    settings.stop = evaluations(103);
    const Result within = evolve(Ones{}, settings);
    EXPECT_EQ(within.steps, 102U);
    expect_mentions(within.remark,
                    {"round 99", "in the last whole generation; the budget ended in the next"});
    settings.restart.stagnation = 2;
    settings.stop = generations(60);
    const Result straight = evolve(Ones{}, settings);
    EXPECT_GT(straight.restarts, 0U);
    EXPECT_EQ(straight.steps, 7U * 60U + 1 + straight.restarts); // one for each two random individuals
    knossos::Run first{Ones{}, settings};
    for (int i = 0; i < 20; ++i) first.step();
    knossos::Run second{Ones{}, settings, first.snapshot()};
    second.finish();
    EXPECT_EQ(second.result().steps, straight.steps);
    settings.islands = {.count = 3, .interval = 10, .migrants = 0};
    const Result islands = evolve(Ones{}, settings);
    EXPECT_EQ(islands.steps, 3U * 7U * 60U + 3 + islands.restarts);
}

// As the system's document counts them: "419 rounds, so of the original 2 random boards 418 mutations were
// made".
TEST(Duel, IsInRound419After418Mutants) {
    Settings settings{.algorithm = Duel{.rounds = 1}, .population = 2, .mutate = BitFlip{.per_bit = 0.004}};
    settings.stop = generations(418);
    knossos::Run run{Ones{}, settings};
    expect_mentions(run.remark(), {"round 1: the mutant has"});
    run.finish();
    const Result result = run.result();
    EXPECT_EQ(result.evaluations, 420U);
    EXPECT_EQ(result.steps, 419U);
    expect_mentions(result.remark, {"round 419: the mutant has"});
}

// Says of each round who wins it, which the next one shows.
TEST(Duel, RemarksWhoWinsAndThatATieGoesToTheMutant) {
    Settings settings{.algorithm = Duel{.rounds = 1}, .population = 2, .mutate = BitFlip{.per_bit = 0.004}};
    settings.stop = generations(200);
    knossos::Run run{Ones{}, settings};
    bool has_tie = false;
    bool has_win = false;
    bool has_loss = false;
    while (!run.finished()) {
        const std::string remark = run.remark();
        const Population before = run.islands().front().current;
        run.step();
        // The loser is the one that changes, in a copy of the winner.
        has_tie |= remark.ends_with("a tie goes to the mutant");
        has_win |= remark.ends_with("the mutant wins");
        has_loss |= remark.ends_with("the other wins");
        if (remark.ends_with("a tie goes to the mutant")) {
            EXPECT_EQ(before.fitness()[0], before.fitness()[1]);
        }
    }
    EXPECT_TRUE(has_tie && has_win && has_loss);
    expect_mentions(run.result().remark, {"round 201: the mutant has"});
    const Result result = run.result();
    ASSERT_EQ(result.contestants.size(), 2U);
    EXPECT_EQ(result.contestants[0].name, "mutant");
    EXPECT_EQ(result.contestants[1].name, "other");
    expect_mentions(result.remark,
                    {fmt::format("the mutant has {:.6g}, the other {:.6g};", result.contestants[0].fitness,
                                 result.contestants[1].fitness)});
    settings.islands = {.count = 2, .interval = 10, .migrants = 0};
    EXPECT_EQ(knossos::Run(Ones{}, settings).remark(), "");
    EXPECT_TRUE(knossos::Run(Ones{}, settings).contestants().empty());
    EXPECT_FALSE(Algorithm{Generational{}}.has_contestants());
}

} // namespace
} // namespace knossos::selection_intensity_test
