#include "run_support.hpp"

#include <knossos/core/failure_policy.hpp>
#include <knossos/queens/problems.hpp>
#include <knossos/run/ask_tell.hpp>
#include <knossos/run/run.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace knossos::run_evaluators_test {
namespace {

using test::crossover_for;
using test::expect_same;
using test::Maximised;

double ones(const Batch& batch, std::size_t i) {
    return static_cast<double>(view_as<BitView>(*batch.space, batch[i]).count());
}

void count_ones(const Batch& batch, std::span<double> fitness) {
    for (std::size_t i = 0; i < batch.count; ++i) fitness[i] = ones(batch, i);
}

std::vector<Settings> every_algorithm() {
    std::vector<Settings> all;
    for (const Algorithm& algorithm :
         {Algorithm{Generational{}}, Algorithm{MuPlusLambda{}}, Algorithm{SteadyState{.tournament = 5}},
          Algorithm{Duel{.rounds = 9}}, Algorithm{Knockout{}}, Algorithm{Annealing{.moves = 5}}}) {
        Settings settings{.algorithm = algorithm,
                          .population = algorithm.name() == "duel" ? 2U : 30U,
                          .recombine = crossover_for(algorithm),
                          .mutate = PointMutation{},
                          .stop = evaluations(700),
                          .hall_of_fame = 3,
                          .seed = 8};
        all.push_back(settings);
        settings.islands = {.count = 3, .interval = 4};
        all.push_back(settings);
    }
    return all;
}

// A problem that goes by its children's parents must not take what others made of them for its own.
TEST(InBatches, MayAskTheProblemAndMakeSomethingElseOfItsAnswer) {
    const Problem queens =
        queens::make_problem(16, queens::Encoding::permutation, queens::Counting::conflicts);
    const auto all_at_once = [&](const Batch& batch, std::span<double> fitness) {
        queens.evaluate(batch, fitness);
        for (double& value : fitness) value = 3.0 * value + 1.0;
    };
    const auto one_by_one = [&](const Batch& batch, std::span<double> fitness) {
        for (std::size_t i = 0; i < batch.count; ++i) {
            queens.evaluate(Batch{batch.space, batch[i], batch.stride, 1}, fitness.subspan(i, 1));
            fitness[i] = 3.0 * fitness[i] + 1.0;
        }
    };
    for (const Calls calls : {Calls::whole_batches, Calls::from_threads}) {
        const Settings settings{.population = 60,
                                .select = Tournament{.size = 10},
                                .recombine = PartiallyMatched{},
                                .mutate = ShuffleIndexes{},
                                .stop = generations(40),
                                .seed = 8};
        expect_same(evolve(evaluated_by(queens, all_at_once, calls), settings),
                    evolve(evaluated_by(queens, one_by_one, calls), settings));
    }
}

TEST(InBatches, GivesWhatTheProblemItselfGives) {
    for (const Settings& settings : every_algorithm())
        for (const unsigned threads : {1U, 4U}) {
            SCOPED_TRACE(settings.algorithm.name());
            Settings shared = settings;
            shared.threads = threads;
            const Result own = evolve(Maximised{}, settings);
            expect_same(own, evolve(evaluated_by(Maximised{}, count_ones), shared));
            expect_same(own, evolve(evaluated_by(Maximised{}, count_ones, Calls::from_threads), shared));
            expect_same(own,
                        evolve(evaluated_by(Maximised::space(), Objective::maximise, count_ones), shared));
        }
}

TEST(InBatches, AllNewIndividualsComeWithOneCall) {
    std::vector<std::size_t> sizes;
    const Problem problem = evaluated_by(Maximised{}, [&](const Batch& batch, std::span<double> fitness) {
        sizes.push_back(batch.count);
        count_ones(batch, fitness);
    });
    const Result result = evolve(
        problem, {.algorithm = MuPlusLambda{}, .population = 200, .stop = generations(5), .threads = 3});
    ASSERT_EQ(sizes.size(), 6U);
    EXPECT_EQ(sizes[0], 200U);
    std::size_t total = 0;
    for (const std::size_t size : sizes) total += size;
    EXPECT_EQ(total, result.evaluations);
}

// A problem may say so itself.
struct Whole {
    static constexpr Objective objective = Objective::maximise;
    static constexpr bool whole_batches = true;
    std::shared_ptr<std::atomic<int>> calls = std::make_shared<std::atomic<int>>(0);
    [[nodiscard]] static Space space() { return Space::bits(40); }
    void evaluate_batch(const Batch& batch, std::span<double> fitness) const {
        ++*calls;
        count_ones(batch, fitness);
    }
};

TEST(InBatches, IsForAProblemToSay) {
    const Whole problem;
    evolve(problem, {.population = 300, .stop = generations(4)});
    EXPECT_EQ(*problem.calls, 5);
}

TEST(InBatches, AnotherObjectiveHasNoTarget) {
    const test::Landscape problem{test::small};
    EXPECT_TRUE(Problem{problem}.target());
    EXPECT_TRUE(evaluated_by(Problem{problem}, count_ones).target());
    const Problem other =
        evaluated_by(Problem{problem}, count_ones, Calls::whole_batches, Objective::maximise);
    EXPECT_FALSE(other.target());
    EXPECT_EQ(other.objective(), Objective::maximise);
}

Result asked(const Problem& problem, const Settings& settings) {
    AskTell run{problem, settings};
    std::vector<double> values;
    while (const auto batch = run.ask()) {
        values.resize(batch->count);
        count_ones(*batch, values);
        run.tell(values);
    }
    return run.result();
}

TEST(AskTell, GivesWhatARunGives) {
    for (const Settings& settings : every_algorithm()) {
        SCOPED_TRACE(settings.algorithm.name());
        const Maximised problem;
        expect_same(evolve(problem, settings), asked(problem, settings));
        const int calls = *problem.calls;
        (void)asked(problem, settings);
        EXPECT_EQ(*problem.calls, calls) << "the problem's own evaluation is not used";
    }
}

// Two objectives, or one and what the genome is like.
struct Recorded {
    bool has_descriptor;
    [[nodiscard]] static Space space() { return Space::bits(24); }
    [[nodiscard]] std::vector<Column> record() const {
        if (has_descriptor) return {maximise("left").between(0.0, 12.0), descriptor("right", 0.0, 12.0)};
        return {maximise("left").between(0.0, 12.0), minimise("right").between(0.0, 12.0)};
    }
    static void evaluate(BitView genome, Record out) {
        out[0] = out[1] = 0.0;
        for (std::size_t i = 0; i < genome.size(); ++i) out[i % 2] += genome[i] ? 1.0 : 0.0;
    }
};

TEST(AskTell, GivesWhatARunGivesOfTradeOffsArchivesAndReals) {
    Settings front{
        .algorithm = Nsga2{}, .population = 30, .recombine = TwoPoint{}, .mutate = PointMutation{}};
    Settings archive = front;
    archive.algorithm = MapElites{.axes = "right by 1"};
    Settings reals{.algorithm = DifferentialEvolution{}, .population = 30};
    const std::vector<std::pair<Problem, Settings>> all{
        {Recorded{.has_descriptor = false}, front},
        {Recorded{.has_descriptor = true}, archive},
        {test::Landscape{Space::reals(9, {-5.0, 5.0})}, reals}};
    for (auto [problem, settings] : all)
        for (const std::uint32_t islands : {1U, 3U}) {
            SCOPED_TRACE(settings.algorithm.name());
            settings.stop = evaluations(700);
            settings.seed = 8;
            settings.islands = {.count = islands, .interval = 4};
            AskTell run{problem, settings};
            std::vector<double> values;
            while (const auto batch = run.ask()) {
                values.resize(batch->count * problem.schema().size());
                problem.evaluate(*batch, values);
                run.tell(values);
            }
            expect_same(evolve(problem, settings), run.result());
        }
}

TEST(AskTell, RefusesWhatDoesNotFit) {
    AskTell run{Maximised{}, {.population = 10, .stop = generations(3)}};
    std::vector<double> values(11);
    const auto batch = run.ask();
    ASSERT_TRUE(batch);
    EXPECT_THROW(run.tell(values), InvalidInput);
    EXPECT_THROW((void)run.result(), InvalidInput);
    EXPECT_EQ(run.ask()->count, batch->count) << "it is still asked";
    values.resize(batch->count);
    run.tell(values);
    EXPECT_THROW((AskTell{Maximised{}, {.population = 10}}), InvalidInput);
    // Given up in the middle: the test ends.
}

TEST(AskTell, TellsOfAFailure) {
    AskTell run{Maximised{}, {.population = 10, .stop = generations(9)}};
    std::vector<double> values(run.ask()->count, 1.0);
    run.tell(values);
    values.assign(run.ask()->count, std::nan(""));
    run.tell(values);
    EXPECT_THROW((void)run.ask(), RunFailed);
    EXPECT_EQ(run.result().generations, 0U);
}

// Children that are their parents need no evaluation: nothing is asked after the first population. There are
// so many of them that the thousand generations after which such a run ends take far longer than anybody
// waits.
constexpr std::uint64_t most_idle = 1000;
Settings without_anything_new(std::atomic<std::uint64_t>& heard) {
    Settings settings{
        .population = 200'000, .mutate = BitFlip{.probability = 0.0}, .stop = evaluations(1'000'000)};
    settings.on_generation = [&heard](const Status& status) {
        heard = status.statistics.generation;
        return Proceed::yes;
    };
    return settings;
}

TEST(AskTell, GivesUpARunThatAsksNothing) {
    std::atomic<std::uint64_t> heard{0};
    {
        AskTell run{Maximised{}, without_anything_new(heard)};
        run.tell(std::vector<double>(run.ask()->count, 1.0));
    }
    EXPECT_LT(heard, most_idle);
}

TEST(AskTell, WaitsNoLongerThanWhoAskedWantsTo) {
    std::atomic<std::uint64_t> heard{0};
    AskTell run{Maximised{}, without_anything_new(heard)};
    run.tell(std::vector<double>(run.ask()->count, 1.0));
    int calls = 0;
    const auto lose_patience = [&] {
        if (++calls == 2) throw Interrupted{"enough"};
    };
    EXPECT_THROW((void)run.ask(lose_patience), Interrupted);
    EXPECT_THROW((void)run.ask([] { throw Interrupted{"enough"}; }), Interrupted) << "it still goes on";
    EXPECT_LT(heard, most_idle);
}

// Fails for some genomes: always, or the first time each is asked.
struct Moody {
    bool always;
    bool is_nan;
    struct Seen {
        std::mutex mutex;
        std::set<std::string> genomes;
    };
    std::shared_ptr<Seen> seen = std::make_shared<Seen>();

    static constexpr Objective objective = Objective::maximise;
    [[nodiscard]] static Space space() { return Space::bits(40); }
    [[nodiscard]] double evaluate(BitView genome) const {
        const double value = static_cast<double>(genome.count());
        if (genome[3] && genome[5] && (always || is_new(genome))) {
            if (is_nan) return std::nan("");
            throw std::runtime_error{"in a bad mood"};
        }
        return value;
    }
    [[nodiscard]] bool is_new(BitView genome) const {
        std::string text;
        for (std::size_t i = 0; i < genome.size(); ++i) text += genome[i] ? '1' : '0';
        const std::scoped_lock lock{seen->mutex};
        return seen->genomes.insert(text).second;
    }
};

TEST(OnFailure, WorstLeavesTheFailedBehind) {
    for (const bool is_nan : {false, true})
        for (const unsigned threads : {1U, 3U}) {
            Settings settings{.population = 50, .stop = generations(30), .on_failure = OnFailure::worst};
            settings.threads = threads;
            const Result result = evolve(Moody{.always = true, .is_nan = is_nan}, settings);
            EXPECT_GT(result.failures, 0U);
            EXPECT_TRUE(std::isfinite(result.fitness));
            const auto genes = result.best.genes();
            EXPECT_FALSE(genes[3] != 0 && genes[5] != 0);
        }
}

TEST(OnFailure, RetryGivesWhatAWorkingEvaluationGives) {
    for (const bool is_nan : {false, true}) {
        Settings settings{.population = 50, .stop = generations(30), .on_failure = OnFailure::retry};
        const Result result = evolve(Moody{.always = false, .is_nan = is_nan}, settings);
        EXPECT_GT(result.failures, 0U);
        settings.on_failure = OnFailure::end;
        expect_same(evolve(Maximised{}, settings), result);
    }
}

TEST(OnFailure, RetryEndsWithTheSecondFailure) {
    Settings settings{.population = 50, .stop = generations(30), .on_failure = OnFailure::retry};
    EXPECT_THROW(evolve(Moody{.always = true, .is_nan = false}, settings), EvaluationError);
    EXPECT_THROW(evolve(Moody{.always = true, .is_nan = true}, settings), EvaluationError);
}

} // namespace
} // namespace knossos::run_evaluators_test
