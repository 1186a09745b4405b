#include "run_support.hpp"

#include <knossos/run/run.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace knossos::run_test {
namespace {

using test::crossover_for;
using test::expect_mentions;
using test::expect_same;
using test::expect_same_statistics;
using test::Flat;
using test::infinity;
using test::island_settings;
using test::Landscape;
using test::Maximised;
using test::message_of;
using test::settings_for;
using test::small;
using test::small_settings;
using test::Staircase;

// Inside a test, Run is a member of GoogleTest's.
using Evolution = Run;

TEST(Callback, SeesEveryGenerationOnceAndDoesNotChangeTheRun) {
    Settings settings = small_settings();
    const Result unwatched = evolve(Landscape{small}, settings);
    std::vector<Statistics> seen;
    settings.on_generation = [&](const Status& status) { seen.push_back(status.statistics); };
    const Result watched = evolve(Landscape{small}, settings);
    expect_same(watched, unwatched);
    ASSERT_EQ(seen.size(), watched.history.size());
    for (std::size_t i = 0; i < seen.size(); ++i) expect_same_statistics(seen[i], watched.history[i]);
}

TEST(Callback, MayStopTheRun) {
    for (const std::uint64_t last : {0U, 3U}) {
        Settings settings = small_settings();
        settings.on_generation = [&](const Status& status) {
            return status.statistics.generation < last ? Proceed::yes : Proceed::no;
        };
        const Result result = evolve(Landscape{small}, settings);
        EXPECT_EQ(result.generations, last);
        EXPECT_EQ(result.stopped_by, "callback");
    }
}

TEST(Callback, ThatThrowsReachesTheCaller) {
    Settings settings = small_settings();
    settings.on_generation = [](const Status& status) {
        if (status.statistics.generation == 2) throw std::logic_error{"no more"};
    };
    EXPECT_THROW(evolve(Landscape{small}, settings), std::logic_error);
}

// --- results -------------------------------------------------------------------------------------------

TEST(Result, DependsOnTheSeedAndTheRepetition) {
    std::set<std::uint64_t> digests;
    for (std::uint64_t seed = 0; seed < 10; ++seed)
        for (std::uint32_t repetition = 0; repetition < 3; ++repetition) {
            Settings settings = small_settings();
            settings.seed = seed;
            settings.run = repetition;
            digests.insert(evolve(Landscape{small}, settings).digest);
        }
    EXPECT_EQ(digests.size(), 30U);
}

TEST(Result, HistoryAndHallDoNotEnterIntoTheDigest) {
    Settings settings = small_settings();
    const Result full = evolve(Landscape{small}, settings);
    settings.history = 0;
    settings.hall_of_fame = 50;
    const Result bare = evolve(Landscape{small}, settings);
    EXPECT_EQ(bare.digest, full.digest);
    EXPECT_TRUE(bare.history.empty());
}

TEST(Result, LongHistoriesAreThinnedEvenly) {
    Settings settings = small_settings();
    settings.stop = generations(1003);
    settings.history = 10;
    const Result result = evolve(Landscape{small}, settings);
    EXPECT_LE(result.history.size(), 12U);
    EXPECT_GE(result.history.size(), 5U);
    EXPECT_EQ(result.history.front().generation, 0U);
    EXPECT_EQ(result.history.back().generation, 1003U);
    const std::uint64_t step = result.history[1].generation;
    for (std::size_t i = 0; i + 1 < result.history.size(); ++i)
        EXPECT_EQ(result.history[i].generation, i * step);
}

// Notes every genome it is asked about.
struct Notebook {
    static constexpr Objective objective = Objective::minimise;
    std::shared_ptr<std::map<std::string, double>> notes = std::make_shared<std::map<std::string, double>>();

    [[nodiscard]] static Space space() { return Space::integers(6, 5); }
    [[nodiscard]] double evaluate(IntegerView<std::uint8_t> genome) const {
        double fitness = 0.0;
        for (const std::uint8_t gene : genome) fitness += gene;
        (*notes)[to_text(space(), reinterpret_cast<const std::byte*>(genome.data()))] = fitness;
        return fitness;
    }
};

TEST(HallOfFame, HoldsTheBestDifferentIndividualsBestFirst) {
    for (const Algorithm& algorithm : {Algorithm{Generational{}}, Algorithm{SteadyState{}},
                                       Algorithm{Knockout{}}, Algorithm{MuPlusLambda{}}})
        for (const std::size_t size : {1U, 5U, 30U, 1000U}) {
            const Notebook problem;
            const Result result = evolve(problem, {.algorithm = algorithm,
                                                   .population = 30,
                                                   .recombine = crossover_for(algorithm),
                                                   .stop = generations(20),
                                                   .hall_of_fame = size});
            std::vector<double> best;
            for (const auto& [genome, fitness] : *problem.notes) best.push_back(fitness);
            std::ranges::sort(best);
            best.resize(std::min(best.size(), size));
            std::set<std::string> different;
            ASSERT_EQ(result.hall_of_fame.size(), best.size());
            for (std::size_t i = 0; i < best.size(); ++i) {
                const HallEntry& entry = result.hall_of_fame[i];
                EXPECT_EQ(entry.fitness, best[i]);
                EXPECT_EQ(problem.notes->at(entry.genome.to_text()), entry.fitness);
                EXPECT_LE(entry.evaluations, result.evaluations);
                different.insert(entry.genome.to_text());
            }
            EXPECT_EQ(different.size(), best.size());
            EXPECT_EQ(result.best, result.hall_of_fame[0].genome);
            EXPECT_EQ(result.fitness, result.hall_of_fame[0].fitness);
        }
}

TEST(HallOfFame, IsDistinctOverIslandsToo) {
    Settings settings = island_settings(settings_for(small), Topology::complete);
    settings.hall_of_fame = 20;
    settings.stop = generations(20);
    const Result result = evolve(Landscape{small}, settings);
    std::set<std::string> different;
    for (const HallEntry& entry : result.hall_of_fame) different.insert(entry.genome.to_text());
    EXPECT_EQ(different.size(), result.hall_of_fame.size());
    EXPECT_TRUE(std::ranges::is_sorted(result.hall_of_fame, {}, &HallEntry::fitness));
}

TEST(Statistics, AreThoseOfThePopulationsTheyDescribe) {
    for (const std::uint32_t islands : {1U, 4U}) {
        Settings settings = settings_for(small);
        settings.population = 50;
        settings.islands = {.count = islands, .interval = 3};
        settings.diversity_pairs = 4000;
        settings.stop = generations(10);
        Evolution run{Landscape{small}, settings};
        double best_ever = infinity;
        while (true) {
            std::vector<double> fitness;
            double pairs = 0.0;
            double differing = 0.0;
            for (const Island& island : run.islands()) {
                fitness.insert(fitness.end(), island.current.fitness().begin(),
                               island.current.fitness().end());
                for (std::size_t a = 0; a < 50; ++a)
                    for (std::size_t b = 0; b < a; ++b, ++pairs)
                        differing += static_cast<double>(
                            hamming_distance(small, island.current.genome(a), island.current.genome(b)));
            }
            double mean = 0.0;
            for (const double value : fitness) mean += value;
            mean /= static_cast<double>(fitness.size());
            double squares = 0.0;
            for (const double value : fitness) squares += (value - mean) * (value - mean);
            best_ever = std::min(best_ever, std::ranges::min(fitness));

            const Statistics& now = run.status().statistics;
            EXPECT_EQ(now.best, std::ranges::min(fitness));
            EXPECT_EQ(now.worst, std::ranges::max(fitness));
            EXPECT_NEAR(now.mean, mean, 1e-12);
            EXPECT_NEAR(now.deviation, std::sqrt(squares / static_cast<double>(fitness.size())), 1e-12);
            EXPECT_LE(now.best_ever, best_ever);
            EXPECT_NEAR(now.diversity, differing / pairs / static_cast<double>(small.length), 0.02);
            if (run.finished()) break;
            run.step();
        }
    }
}

TEST(Statistics, OfAPopulationOfOne) {
    const Result result =
        evolve(Landscape{small},
               {.algorithm = MuPlusLambda{}, .population = 1, .offspring = 1, .stop = generations(30)});
    for (const Statistics& now : result.history) {
        EXPECT_EQ(now.deviation, 0.0);
        EXPECT_EQ(now.diversity, 0.0);
        EXPECT_EQ(now.best, now.worst);
    }
}

TEST(Restart, BeginsAfreshAndKeepsWhatWasFound) {
    const Landscape landscape{small};
    Settings settings = small_settings();
    settings.restart = {.stagnation = 4};
    settings.stop = generations(200);
    const Result result = evolve(landscape, settings);
    EXPECT_GT(result.restarts, 3U);
    double best = infinity;
    for (const Statistics& now : result.history) {
        best = std::min(best, now.best);
        EXPECT_EQ(now.best_ever, best);
    }
    EXPECT_EQ(result.fitness, best);
    EXPECT_EQ(
        evolve(Flat{}, {.population = 10, .restart = {.stagnation = 3}, .stop = generations(12)}).restarts,
        4U);
}

// --- other ways to state a problem -------------------------------------------------------------------------

struct Repaired {
    static constexpr Objective objective = Objective::minimise;
    std::shared_ptr<std::atomic<int>> odd = std::make_shared<std::atomic<int>>(0);

    [[nodiscard]] static Space space() { return Space::bits(40); }
    static void repair(Stream& stream, Bits genome) {
        if (genome.count() % 2 != 0) genome.flip(stream.below64(genome.size()));
    }
    [[nodiscard]] double evaluate(BitView genome) const {
        if (genome.count() % 2 != 0) ++*odd;
        return std::abs(static_cast<double>(genome.count()) - 31.0);
    }
};

TEST(Problem, RepairComesBeforeEveryEvaluation) {
    for (const Algorithm& algorithm :
         {Algorithm{Generational{}}, Algorithm{MuPlusLambda{}}, Algorithm{SteadyState{}},
          Algorithm{Knockout{}}, Algorithm{Duel{}}, Algorithm{Annealing{.moves = 20}}}) {
        const Repaired problem;
        Settings settings{.algorithm = algorithm,
                          .population = 20,
                          .recombine = crossover_for(algorithm),
                          .stop = generations(60)};
        if (algorithm.name() == "duel") settings.population = 2;
        const Result alone = evolve(problem, settings);
        EXPECT_EQ(*problem.odd, 0) << algorithm.name();
        EXPECT_EQ(alone.fitness, 1.0);
        settings.threads = 3;
        expect_same(evolve(problem, settings), alone);
    }
}

struct Batched {
    static constexpr Objective objective = Objective::maximise;
    [[nodiscard]] static Space space() { return Space::bits(40); }
    static void evaluate_batch(const Batch& batch, std::span<double> fitness) {
        for (std::size_t i = 0; i < batch.count; ++i)
            fitness[i] = static_cast<double>(view_as<BitView>(*batch.space, batch[i]).count());
    }
};

TEST(Problem, BatchesGiveWhatSingleEvaluationsGive) {
    const Settings settings{
        .population = 300, .recombine = TwoPoint{}, .stop = generations(10), .threads = 2};
    expect_same(evolve(Batched{}, settings), evolve(Maximised{}, settings));
}

struct StartsFull {
    static constexpr Objective objective = Objective::minimise;
    [[nodiscard]] static Space space() { return Space::bits(40); }
    static void initialise(Stream&, Bits genome) {
        for (std::size_t i = 0; i < genome.size(); ++i) genome.set(i, true);
    }
    [[nodiscard]] static double evaluate(BitView genome) { return static_cast<double>(genome.count()); }
};

TEST(Problem, MayInitialiseGenomesItself) {
    const Evolution run{StartsFull{}, {.population = 10}};
    EXPECT_EQ(run.status().statistics.best, 40.0);
    EXPECT_EQ(run.status().statistics.worst, 40.0);
}

struct WideOnly {
    static constexpr Objective objective = Objective::minimise;
    [[nodiscard]] static Space space() { return Space::permutation(9); }
    [[nodiscard]] static double evaluate(PermutationView<std::uint32_t> tour) { return tour[0]; }
};

TEST(Problem, GetsGenesAsWideAsItsEvaluationTakes) {
    const Result result = evolve(WideOnly{}, {.population = 10, .stop = generations(5)});
    EXPECT_EQ(result.best.space.gene_bytes, 4U);
    EXPECT_EQ(result.best.genes().size(), 9U);
}

struct WrongKind {
    static constexpr Objective objective = Objective::minimise;
    [[nodiscard]] static Space space() { return Space::permutation(9); }
    [[nodiscard]] static double evaluate(BitView) { return 0.0; }
};

TEST(Problem, WhoseEvaluationDoesNotTakeItsGenomesIsRefused) {
    expect_mentions(message_of([] { Problem{WrongKind{}}; }), {"evaluate()", "permutations of 9"});
}

TEST(ProblemMove, IsWhatTheProblemProposes) {
    Settings settings{.algorithm = MuPlusLambda{},
                      .population = 1,
                      .offspring = 1,
                      .mutate = ProblemMove{},
                      .stop = generations(2000)};
    EXPECT_EQ(evolve(Staircase{}, settings).fitness, 0.0);
    settings.mutate = ProblemMove{.probability = 0.0};
    EXPECT_EQ(evolve(Staircase{}, settings).evaluations, 1U);
}

} // namespace
} // namespace knossos::run_test
