#include "run_support.hpp"

#include <knossos/run/run.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace knossos::run_every_algorithm_test {
namespace {

using test::expect_mentions;
using test::expect_same;
using test::infinity;
using test::island_settings;
using test::Landscape;
using test::name_of;
using test::settings_for;
using test::wide_permutation;

// Inside a test, Run is a member of GoogleTest's.
using Evolution = Run;

struct Kind {
    const char* name;
    Space space;
};

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all{{"bits", Space::bits(70)},
                                       {"bits with ones", Space::bits_with_ones(70, 20)},
                                       {"packed", Space::packed(30, 5)},
                                       {"8-bit integers", Space::integers(21, 10)},
                                       {"16-bit integers", Space::integers(21, 1000)},
                                       {"32-bit integers", Space::integers(21, 100'000)},
                                       {"8-bit permutations", Space::permutation(20)},
                                       {"16-bit permutations", Space::permutation(260)},
                                       {"32-bit permutations", wide_permutation(20)},
                                       {"reals", Space::reals(20, {-5.0, 5.0})},
                                       {"reals in own bounds", test::reals_within_own_bounds(23)}};
    return all;
}

struct Configuration {
    std::string name;
    std::function<Settings(Settings)> make;

    friend void PrintTo(const Configuration& one, std::ostream* out) { *out << one.name; }
};

const std::vector<Configuration>& configurations() {
    static const std::vector<Configuration> all{
        {"Generational", [](Settings s) { return s; }},
        {"GenerationalOddSize",
         [](Settings s) {
             s.population = 263;
             s.select = StochasticUniversal{.scaling = RouletteScaling::windowed};
             s.replace = GenerationalReplacement{.elites = 3};
             return s;
         }},
        {"GenerationalDealt",
         [](Settings s) {
             s.select = Tournament{.size = 3, .replacement = false};
             s.replace = GenerationalReplacement{.elites = 0};
             return s;
         }},
        {"GenerationalOneChildPerCouple",
         [](Settings s) {
             s.algorithm = Generational{.siblings = 1};
             s.population = 271;
             return s;
         }},
        {"GenerationalRoulettePlus",
         [](Settings s) {
             s.select = Roulette{};
             s.replace = PlusReplacement{};
             s.offspring = 411;
             return s;
         }},
        {"GenerationalTruncationComma",
         [](Settings s) {
             s.select = Truncation{.fraction = 0.4};
             s.replace = CommaReplacement{};
             s.offspring = 400;
             return s;
         }},
        {"GenerationalRankWorst",
         [](Settings s) {
             s.select = LinearRank{};
             s.replace = ReplaceWorst{};
             s.offspring = 150;
             return s;
         }},
        {"GenerationalExponentialTournament",
         [](Settings s) {
             s.select = ExponentialRank{};
             s.replace = ReplaceInTournament{.size = 4};
             return s;
         }},
        {"GenerationalCrowding",
         [](Settings s) {
             s.select = RandomSelection{};
             s.replace = Crowding{};
             s.offspring = 299;
             return s;
         }},
        {"OperationMix",
         [](Settings s) {
             s.operations = OperationMix{.clone = 0.2, .crossover = 0.5, .mutation = 0.3};
             return s;
         }},
        {"OperationMixOddSize",
         [](Settings s) {
             s.population = 271;
             s.select = Roulette{.scaling = RouletteScaling::share};
             s.operations = OperationMix{.clone = 0.1, .crossover = 0.9, .mutation = 0.2};
             return s;
         }},
        {"MuPlusLambda",
         [](Settings s) {
             s.algorithm = MuPlusLambda{};
             s.population = 50;
             s.offspring = 301;
             return s;
         }},
        {"SteadyStateTournament",
         [](Settings s) {
             s.algorithm = SteadyState{};
             return s;
         }},
        {"SteadyStateWorst",
         [](Settings s) {
             s.algorithm = SteadyState{.tournament = 0, .events = 70};
             s.replace = ReplaceWorst{};
             return s;
         }},
        {"SteadyStateDealtReplaceInTournament",
         [](Settings s) {
             s.algorithm = SteadyState{.tournament = 0, .events = 70};
             s.select = Tournament{.size = 2, .replacement = false};
             s.replace = ReplaceInTournament{.size = 5};
             return s;
         }},
        {"Duel",
         [](Settings s) {
             s.algorithm = Duel{.rounds = 60};
             s.recombine = Clone{};
             s.population = 2;
             return s;
         }},
        {"Knockout",
         [](Settings s) {
             s.algorithm = Knockout{};
             s.recombine = Clone{};
             s.population = 302;
             return s;
         }},
        {"Annealing",
         [](Settings s) {
             s.algorithm = Annealing{.start = 2.0, .end = 0.1, .steps = 5000, .moves = 7};
             s.recombine = Clone{};
             s.population = 90;
             return s;
         }},
        {"DifferentialEvolution",
         [](Settings s) {
             s.algorithm = DifferentialEvolution{};
             s.recombine = Clone{};
             s.population = 71;
             return s;
         }},
        {"IslandsDifferentialEvolution",
         [](Settings s) {
             s = island_settings(std::move(s), Topology::torus);
             s.algorithm = DifferentialEvolution{.variant = DifferenceVariant::best_1_bin};
             s.recombine = Clone{};
             return s;
         }},
        {"IslandsAnnealing",
         [](Settings s) {
             s = island_settings(std::move(s), Topology::ring);
             s.algorithm = Annealing{.moves = 5};
             s.recombine = Clone{};
             s.population = 11;
             return s;
         }},
        {"Restarts",
         [](Settings s) {
             s.restart = {.stagnation = 2};
             s.mutate.reset();
             s.select = RandomSelection{};
             return s;
         }},
        {"IslandsRing", [](Settings s) { return island_settings(std::move(s), Topology::ring); }},
        {"IslandsTorus", [](Settings s) { return island_settings(std::move(s), Topology::torus); }},
        {"IslandsComplete", [](Settings s) { return island_settings(std::move(s), Topology::complete); }},
        {"IslandsRandom", [](Settings s) { return island_settings(std::move(s), Topology::random); }},
        {"IslandsSteadyStateRestarts",
         [](Settings s) {
             s = island_settings(std::move(s), Topology::ring);
             s.algorithm = SteadyState{};
             s.islands.emigrants = Emigrants::random;
             s.islands.immigrants = Immigrants::replace_if_better;
             s.restart = {.stagnation = 2};
             return s;
         }},
        {"TwoIslandsOfKnockout", [](Settings s) {
             s = island_settings(std::move(s), Topology::torus);
             s.algorithm = Knockout{};
             s.recombine = Clone{};
             s.population = 150;
             s.islands.count = 2;
             s.islands.immigrants = Immigrants::replace_random;
             return s;
         }}};
    return all;
}

// Local search after variation; not for genomes with a fixed number of ones, which flips would change, nor
// for reals, which have no small moves.
const std::vector<Configuration>& improving_configurations() {
    static const std::vector<Configuration> all{{"GenerationalHillClimb",
                                                 [](Settings s) {
                                                     s.population = 140;
                                                     s.improve = HillClimb{.probability = 0.3, .attempts = 5};
                                                     return s;
                                                 }},
                                                {"KnockoutDescent",
                                                 [](Settings s) {
                                                     s.population = 140;
                                                     s.algorithm = Knockout{};
                                                     s.recombine = Clone{};
                                                     s.improve = Descent{.probability = 0.2, .limit = 40};
                                                     return s;
                                                 }},
                                                {"SteadyStateHillClimb", [](Settings s) {
                                                     s.population = 60;
                                                     s.algorithm = SteadyState{};
                                                     s.improve = HillClimb{.probability = 0.3, .attempts = 5};
                                                     return s;
                                                 }}};
    return all;
}

class EveryAlgorithm : public testing::TestWithParam<Configuration> {
  protected:
    template <class Check>
    void for_each_kind(Check check) {
        const bool improves = GetParam().make(Settings{}).improve.has_value();
        // Where few seeds are wanted a third of them, another one in every test.
        const std::string_view test = testing::UnitTest::GetInstance()->current_test_info()->name();
        const std::size_t step = test::seeds(3) < 3 ? 3 : 1;
        const auto first = std::accumulate(test.begin(), test.end(), std::size_t{0}) % step;
        for (std::size_t i = first; i < kinds().size(); i += step) {
            const Kind& kind = kinds()[i];
            const bool is_real = kind.space.kind == GenomeKind::reals;
            if (GetParam().make(Settings{}).algorithm.name() == DifferentialEvolution::name && !is_real)
                continue;
            if (improves && (kind.space.ones || is_real)) continue;
            SCOPED_TRACE(kind.name);
            check(kind.space, GetParam().make(settings_for(kind.space)));
            if (HasFailure()) return;
        }
    }
};
INSTANTIATE_TEST_SUITE_P(Plain, EveryAlgorithm, testing::ValuesIn(configurations()), name_of);
INSTANTIATE_TEST_SUITE_P(Improving, EveryAlgorithm, testing::ValuesIn(improving_configurations()), name_of);

TEST_P(EveryAlgorithm, HasTheSameResultWithAnyNumberOfThreads) {
    for_each_kind([](const Space& space, Settings settings) {
        const Result alone = evolve(Landscape{space}, settings);
        EXPECT_EQ(alone.generations, 6U);
        EXPECT_EQ(alone.history.size(), 7U);
        for (const unsigned threads : {2U, 3U, 8U}) {
            SCOPED_TRACE(std::to_string(threads) + " threads");
            settings.threads = threads;
            expect_same(evolve(Landscape{space}, settings), alone);
        }
    });
}

TEST_P(EveryAlgorithm, HasTheSameResultStoppedAndContinuedAtAnyGeneration) {
    for_each_kind([](const Space& space, Settings settings) {
        const Result straight = evolve(Landscape{space}, settings);
        // One run takes every step in a new process, as it were; from each of its stops another goes on to
        // the end.
        std::vector<std::byte> snapshot = Evolution{Landscape{space}, settings}.snapshot();
        for (std::uint64_t generation = 0; generation < 6; ++generation) {
            SCOPED_TRACE("continued at generation " + std::to_string(generation));
            settings.threads = generation % 3 == 0 ? 2 : 1;
            const Landscape landscape{space};
            Evolution continued{landscape, settings, snapshot};
            EXPECT_EQ(landscape.gauge->evaluations, 0U) << "continuing evaluates nothing";
            EXPECT_EQ(continued.status().statistics.generation, generation);
            continued.finish();
            expect_same(continued.result(), straight);
            Evolution next{Landscape{space}, settings, snapshot};
            EXPECT_EQ(next.snapshot(), snapshot) << "what was read is written again";
            next.step();
            snapshot = next.snapshot();
        }
        const Evolution last{Landscape{space}, settings, snapshot};
        EXPECT_TRUE(last.finished());
        EXPECT_EQ(last.result().stopped_by, straight.stopped_by);
        expect_same(last.result(), straight);
    });
}

TEST_P(EveryAlgorithm, KeepsGenomesValidTheirFitnessTrueAndCountsEveryEvaluation) {
    for_each_kind([](const Space& space, const Settings& settings) {
        const Landscape landscape{space};
        Evolution run{landscape, settings};
        while (true) {
            EXPECT_EQ(run.status().statistics.evaluations, landscape.gauge->evaluations.load());
            for (const Island& island : run.islands()) {
                ASSERT_EQ(island.current.size(), settings.population);
                for (std::size_t i = 0; i < island.current.size(); ++i) {
                    const std::byte* genome = island.current.genome(i);
                    ASSERT_TRUE(is_valid(space, genome) && test::padding_is_clear(space, genome));
                    // Prices of moves are sums taken in another order.
                    const double worth =
                        visit_genome(space, genome, [&](auto view) { return landscape.worth(view); });
                    ASSERT_EQ(island.current.fitness()[i], worth);
                }
            }
            if (run.finished()) break;
            run.step();
        }
    });
}

// The first generation after 0 in which something better than ever is found, and how good it is.
std::optional<Statistics> first_improvement(const Result& result) {
    for (std::size_t i = 1; i < result.history.size(); ++i)
        if (result.history[i].best_ever < result.history[i - 1].best_ever) return result.history[i];
    return std::nullopt;
}

// As first_improvement(), with the first seed that leads to one.
Statistics improvement_of(const Space& space, Settings& settings) {
    for (; settings.seed < 200; ++settings.seed)
        if (const auto improved = first_improvement(evolve(Landscape{space}, settings))) return *improved;
    throw std::logic_error{"the test needs a run that gets better"};
}

Settings stopped_before(Settings settings, const Statistics& generation) {
    settings.stop = generations(generation.generation - 1);
    return settings;
}

TEST_P(EveryAlgorithm, KeepsTheLastCompleteGenerationWhenAnEvaluationThrows) {
    const std::size_t threads_there = test::threads_before();
    for_each_kind([&](const Space& space, Settings settings) {
        const Statistics improved = improvement_of(space, settings);
        const Result before = evolve(Landscape{space}, stopped_before(settings, improved));
        for (const unsigned threads : {1U, 3U}) {
            SCOPED_TRACE(std::to_string(threads) + " threads");
            settings.threads = threads;
            const Landscape broken{space};
            broken.gauge->breaks_at = improved.best_ever;
            try {
                evolve(broken, settings);
                ADD_FAILURE() << "nothing was thrown";
            } catch (const RunFailed& failed) {
                EXPECT_TRUE(std::string_view{failed.what()}.ends_with(": the sensor broke")) << failed.what();
                EXPECT_EQ(failed.last_complete().generations, improved.generation - 1);
                EXPECT_EQ(failed.last_complete().stopped_by, "");
                expect_same(failed.last_complete(), before);
            }
            EXPECT_LE(test::threads_left(threads_there), threads_there);
        }
    });
}

TEST_P(EveryAlgorithm, GoesOnFromTheLastCompleteGenerationOnceTheEvaluationWorksAgain) {
    for_each_kind([](const Space& space, Settings settings) {
        const Statistics improved = improvement_of(space, settings);
        const Result healthy = evolve(Landscape{space}, settings);
        for (const unsigned threads : {1U, 2U}) {
            settings.threads = threads;
            const Landscape landscape{space};
            landscape.gauge->breaks_at = improved.best_ever;
            Evolution run{landscape, settings};
            EXPECT_THROW(run.finish(), EvaluationError);
            const std::vector<std::byte> snapshot = run.snapshot();
            EXPECT_THROW(run.step(), EvaluationError) << "still broken";
            landscape.gauge->breaks_at = -infinity;
            run.finish();
            expect_same(run.result(), healthy);
            Evolution continued{landscape, settings, snapshot};
            continued.finish();
            expect_same(continued.result(), healthy);
        }
    });
}

TEST_P(EveryAlgorithm, NamesTheIndividualWhoseFitnessIsNotANumber) {
    for_each_kind([](const Space& space, Settings settings) {
        const Statistics improved = improvement_of(space, settings);
        settings.threads = 2;
        const Landscape undefined{space};
        undefined.gauge->nan_at = improved.best_ever;
        try {
            evolve(undefined, settings);
            ADD_FAILURE() << "nothing was thrown";
        } catch (const RunFailed& failed) {
            expect_mentions(failed.what(), {"individual", "generation " + std::to_string(improved.generation),
                                            "island", "not a number", "genome"});
            EXPECT_EQ(failed.last_complete().generations, improved.generation - 1);
        }
    });
}

} // namespace
} // namespace knossos::run_every_algorithm_test
