#include "support.hpp"

#include <knossos/run/run.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace knossos {
namespace {

using test::expect_mentions;
using test::message_of;
using test::stream_for;

// Inside a test, Run is a member of GoogleTest's.
using Evolution = Run;

constexpr double infinity = std::numeric_limits<double>::infinity();

// What the threads that evaluate may do to the test, and the test to them.
struct Gauge {
    std::atomic<std::uint64_t> evaluations{0};
    std::atomic<double> breaks_at{-infinity}; ///< evaluations of this fitness or better throw
    std::atomic<double> nan_at{-infinity};    ///< … or are not a number
};

// Every gene has a value it should hold; the fitness is how far the genes are from theirs, in sevenths so
// that sums round. Works on every kind of genome.
struct Landscape {
    Space its_space;
    std::shared_ptr<Gauge> gauge = std::make_shared<Gauge>();

    static constexpr Objective objective = Objective::minimise;
    [[nodiscard]] Space space() const { return its_space; }
    [[nodiscard]] static double target() { return 0.0; }

    template <class View>
    [[nodiscard]] double evaluate(View genome) const {
        gauge->evaluations.fetch_add(1, std::memory_order_relaxed);
        const double fitness = worth(genome);
        if (fitness <= gauge->breaks_at.load(std::memory_order_relaxed))
            throw std::runtime_error{"the sensor broke"};
        return fitness <= gauge->nan_at.load(std::memory_order_relaxed) ? std::nan("") : fitness;
    }

    template <class View>
    [[nodiscard]] double worth(const View& genome) const {
        double distance = 0.0;
        for (std::size_t i = 0; i < genome.size(); ++i) {
            const auto gene = static_cast<double>(static_cast<std::uint32_t>(genome[i]));
            distance += std::abs(gene - static_cast<double>(i * 7 % its_space.alphabet)) / 7.0;
        }
        return distance;
    }
};

struct Kind {
    const char* name;
    Space space;
};

// With genes wider than they need to be, as in problems written for 32 bits alone.
Space wide_permutation(std::size_t length) {
    Space space = Space::permutation(length);
    space.gene_bytes = 4;
    return space;
}

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all{{"bits", Space::bits(70)},
                                       {"bits with ones", Space::bits_with_ones(70, 20)},
                                       {"packed", Space::packed(30, 5)},
                                       {"8-bit integers", Space::integers(21, 10)},
                                       {"16-bit integers", Space::integers(21, 1000)},
                                       {"32-bit integers", Space::integers(21, 100'000)},
                                       {"8-bit permutations", Space::permutation(20)},
                                       {"16-bit permutations", Space::permutation(260)},
                                       {"32-bit permutations", wide_permutation(20)}};
    return all;
}

Settings settings_for(const Space& space) {
    Settings settings{.population = 300, .stop = generations(6), .hall_of_fame = 3, .seed = 11};
    if (space.kind == GenomeKind::permutation) {
        settings.recombine = PartiallyMatched{};
        settings.mutate = ShuffleIndexes{};
    } else if (space.ones) {
        settings.mutate = MoveOnes{.probability = 0.8, .most = 3};
    } else if (space.kind == GenomeKind::bits) {
        settings.recombine = TwoPoint{};
    } else {
        settings.recombine = UniformCrossover{.probability = 0.8, .exchange = 0.3};
    }
    return settings;
}

Settings island_settings(Settings settings, Topology topology) {
    settings.population = 40;
    settings.islands = {.count = 6, .topology = topology, .interval = 2, .migrants = 2};
    return settings;
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

// Local search after variation; not for genomes with a fixed number of ones, which flips would change.
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

void expect_same_statistics(const Statistics& a, const Statistics& b) {
    EXPECT_EQ(a.generation, b.generation);
    EXPECT_EQ(a.evaluations, b.evaluations);
    const auto same_bits = [](double x, double y) {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(x), std::bit_cast<std::uint64_t>(y)) << x << " and " << y;
    };
    same_bits(a.best, b.best);
    same_bits(a.mean, b.mean);
    same_bits(a.worst, b.worst);
    same_bits(a.deviation, b.deviation);
    same_bits(a.diversity, b.diversity);
    same_bits(a.best_ever, b.best_ever);
}

// To the bit, in everything but the time it took.
void expect_same(const Result& a, const Result& b) {
    EXPECT_EQ(a.digest, b.digest);
    EXPECT_EQ(a.best.to_text(), b.best.to_text());
    EXPECT_EQ(a.fitness, b.fitness);
    EXPECT_EQ(a.solved, b.solved);
    EXPECT_EQ(a.evaluations, b.evaluations);
    EXPECT_EQ(a.generations, b.generations);
    EXPECT_EQ(a.restarts, b.restarts);
    ASSERT_EQ(a.history.size(), b.history.size());
    for (std::size_t i = 0; i < a.history.size(); ++i) expect_same_statistics(a.history[i], b.history[i]);
    ASSERT_EQ(a.hall_of_fame.size(), b.hall_of_fame.size());
    for (std::size_t i = 0; i < a.hall_of_fame.size(); ++i) {
        EXPECT_EQ(a.hall_of_fame[i].genome.to_text(), b.hall_of_fame[i].genome.to_text());
        EXPECT_EQ(a.hall_of_fame[i].fitness, b.hall_of_fame[i].fitness);
        EXPECT_EQ(a.hall_of_fame[i].generation, b.hall_of_fame[i].generation);
        EXPECT_EQ(a.hall_of_fame[i].evaluations, b.hall_of_fame[i].evaluations);
        EXPECT_EQ(a.hall_of_fame[i].island, b.hall_of_fame[i].island);
    }
}

class EveryAlgorithm : public testing::TestWithParam<Configuration> {
  protected:
    template <class Check>
    void for_each_kind(Check check) {
        const bool improves = GetParam().make(Settings{}).improve.has_value();
        for (const Kind& kind : kinds()) {
            if (improves && kind.space.ones) continue;
            SCOPED_TRACE(kind.name);
            check(kind.space, GetParam().make(settings_for(kind.space)));
            if (HasFailure()) return;
        }
    }
};

const auto name_of = [](const auto& info) { return info.param.name; };
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
    for_each_kind([](const Space& space, Settings settings) {
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
                EXPECT_STREQ(failed.what(), "the sensor broke");
                EXPECT_EQ(failed.last_complete().generations, improved.generation - 1);
                EXPECT_EQ(failed.last_complete().stopped_by, "");
                expect_same(failed.last_complete(), before);
            }
            EXPECT_EQ(test::threads_left(test::threads_at_start), test::threads_at_start);
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

// --- failures in generation 0 and of other kinds --------------------------------------------------------

const Space small = Space::bits(24);

// Crossover, for algorithms that cross.
Recombination crossover_for(const Algorithm& algorithm) {
    for (const std::string_view mutating : {"duel", "knockout", "annealing"})
        if (algorithm.name() == mutating) return Clone{};
    return TwoPoint{};
}

Settings small_settings() {
    Settings settings = settings_for(small);
    settings.population = 20;
    return settings;
}

TEST(Run, AnEvaluationThatThrowsAtOnceStopsTheRunWithItsMessage) {
    const Landscape broken{small};
    broken.gauge->breaks_at = infinity;
    for (const unsigned threads : {1U, 4U}) {
        Settings settings = small_settings();
        settings.threads = threads;
        EXPECT_EQ(message_of<EvaluationError>([&] { evolve(broken, settings); }), "the sensor broke");
    }
}

TEST(Run, AFitnessThatIsNotANumberAtOnceIsNamed) {
    const Landscape undefined{small};
    undefined.gauge->nan_at = infinity;
    expect_mentions(message_of<EvaluationError>([&] { evolve(undefined, small_settings()); }),
                    {"individual 0", "generation 0", "not a number", "its genome is"});
}

TEST(Run, AnImprovedChildWhoseFitnessIsNotANumberIsNamed) {
    for (const Algorithm& algorithm : {Algorithm{Generational{}}, Algorithm{SteadyState{}},
                                       Algorithm{Knockout{}}, Algorithm{MuPlusLambda{}}})
        for (const Improvement& improvement : {Improvement{HillClimb{}}, Improvement{Descent{}}}) {
            const Landscape landscape{small};
            Settings settings = small_settings();
            settings.algorithm = algorithm;
            settings.recombine = crossover_for(algorithm);
            settings.improve = improvement;
            Evolution run{landscape, settings};
            landscape.gauge->nan_at = infinity;
            expect_mentions(message_of<EvaluationError>([&] { run.step(); }),
                            {"individual", "generation 1", "not a number"});
            EXPECT_EQ(run.status().statistics.generation, 0U);
        }
}

TEST(Run, NamesTheOneIndividualThatIsNotANumber) {
    const Space space = Space::integers(21, 1000);
    const Settings settings{.population = 20, .stop = generations(3)};
    const Evolution run{Landscape{space}, settings};
    const auto fitness = run.islands()[0].current.fitness();
    const auto best = std::ranges::min_element(fitness);
    ASSERT_EQ(std::ranges::count(fitness, *best), 1);
    const auto slot = static_cast<std::size_t>(best - fitness.begin());
    const Landscape undefined{space};
    undefined.gauge->nan_at = *best;
    const std::string named = "individual " + std::to_string(slot) + " in";
    const std::string genome = to_text(space, run.islands()[0].current.genome(slot));
    for (const unsigned threads : {1U, 3U}) {
        Settings with_threads = settings;
        with_threads.threads = threads;
        expect_mentions(message_of<EvaluationError>([&] { evolve(undefined, with_threads); }),
                        {named, genome});
    }
}

struct ThrowsWhatever {
    static constexpr Objective objective = Objective::minimise;
    std::shared_ptr<std::atomic<int>> calls = std::make_shared<std::atomic<int>>(0);
    [[nodiscard]] static Space space() { return Space::bits(10); }
    [[nodiscard]] double evaluate(BitView genome) const {
        if (++*calls > 50) throw 42; // NOLINT(hicpp-exception-baseclass): that's the point
        return static_cast<double>(genome.count());
    }
};

TEST(Run, AnEvaluationMayThrowAnything) {
    EXPECT_THROW(evolve(ThrowsWhatever{}, {.population = 20, .stop = generations(50)}), RunFailed);
}

struct ThrowsOurOwn {
    static constexpr Objective objective = Objective::minimise;
    std::shared_ptr<std::atomic<int>> calls = std::make_shared<std::atomic<int>>(0);
    [[nodiscard]] static Space space() { return Space::bits(10); }
    [[nodiscard]] double evaluate(BitView genome) const {
        if (++*calls > 50) throw InvalidInput{"cities.csv, line 7: not a number"};
        return static_cast<double>(genome.count());
    }
};

TEST(Run, AnEvaluationThatThrowsAnErrorOfOursKeepsTheLastCompleteGenerationToo) {
    EXPECT_EQ(
        message_of<RunFailed>([] { evolve(ThrowsOurOwn{}, {.population = 20, .stop = generations(50)}); }),
        "cities.csv, line 7: not a number");
}

// --- snapshots -----------------------------------------------------------------------------------------

std::vector<std::byte> small_snapshot() {
    Settings settings = small_settings();
    settings.population = 4;
    settings.islands = {.count = 2, .migrants = 1};
    Evolution run{Landscape{small}, settings};
    run.step();
    run.step();
    return run.snapshot();
}

Evolution from_small_snapshot(std::span<const std::byte> snapshot) {
    Settings settings = small_settings();
    settings.population = 4;
    settings.islands = {.count = 2, .migrants = 1};
    return {Landscape{small}, settings, snapshot};
}

TEST(Snapshot, IsRefusedWhenTruncatedAnywhere) {
    const std::vector<std::byte> whole = small_snapshot();
    EXPECT_NO_THROW(from_small_snapshot(whole));
    for (std::size_t length = 0; length < whole.size(); ++length)
        expect_mentions(message_of([&] { from_small_snapshot(std::span{whole}.first(length)); }),
                        {"snapshot"});
}

TEST(Snapshot, IsRefusedWhenSomethingIsAppended) {
    std::vector<std::byte> longer = small_snapshot();
    longer.push_back(std::byte{0});
    expect_mentions(message_of([&] { from_small_snapshot(longer); }), {"snapshot", "damaged"});
}

TEST(Snapshot, IsRefusedWhenAnyByteIsDamaged) {
    const std::vector<std::byte> whole = small_snapshot();
    std::size_t accepted = 0;
    for (std::size_t i = 0; i < whole.size(); ++i)
        for (const std::byte damage : {std::byte{1}, std::byte{0x80}, std::byte{0xFF}}) {
            std::vector<std::byte> damaged = whole;
            damaged[i] ^= damage;
            try {
                from_small_snapshot(damaged);
                ++accepted;
            } catch (const InvalidInput&) { // as it should be
            }
        }
    EXPECT_EQ(accepted, 0U) << "of " << 3 * whole.size() << " damaged snapshots";
}

TEST(Snapshot, IsRefusedWhenItIsNone) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Stream stream = stream_for(seed);
        std::vector<std::byte> noise(stream.below(2000));
        for (std::byte& byte : noise) byte = static_cast<std::byte>(stream.below(256));
        expect_mentions(message_of([&] { from_small_snapshot(noise); }), {"snapshot"});
    }
}

TEST(Snapshot, OfAnotherRunIsRefusedAndTheDifferenceNamed) {
    const std::vector<std::byte> snapshot = Evolution{Landscape{small}, small_settings()}.snapshot();
    const auto refused = [&](const Space& space, std::string_view what,
                             const std::function<void(Settings&)>& change) {
        Settings settings = small_settings();
        change(settings);
        const Landscape landscape{space};
        expect_mentions(message_of([&] { Evolution(landscape, settings, snapshot); }), {"another run", what});
        EXPECT_EQ(landscape.gauge->evaluations, 0U);
    };
    const auto same = [](Settings&) {};
    refused(small, "seed", [](Settings& settings) { settings.seed = 12; });
    refused(small, "run", [](Settings& settings) { settings.run = 1; });
    refused(small, "islands", [](Settings& settings) { settings.islands = {.count = 2}; });
    refused(small, "population", [](Settings& settings) { settings.population = 22; });
    refused(Space::bits(25), "25 bits", same);
    refused(Space::integers(24, 9), "genome", [](Settings& settings) { settings.mutate = PointMutation{}; });
    // As long and as large, and yet something else.
    refused(Space::packed(24, 2), "genome", [](Settings& settings) { settings.mutate = PointMutation{}; });
}

TEST(Snapshot, OfAStoppedRunGoesOnUnderALaterStopRule) {
    Settings settings = small_settings();
    settings.stop = generations(9);
    const Result straight = evolve(Landscape{small}, settings);

    settings.stop = generations(4);
    Evolution first{Landscape{small}, settings};
    first.finish();
    settings.stop = generations(9);
    Evolution second{Landscape{small}, settings, first.snapshot()};
    second.finish();
    expect_same(second.result(), straight);
    EXPECT_EQ(second.result().stopped_by, straight.stopped_by);
}

TEST(Snapshot, OfARunThatACallbackStoppedGoesOn) {
    Settings settings = small_settings();
    const Result straight = evolve(Landscape{small}, settings);
    settings.on_generation = [](const Status& status) {
        return status.statistics.generation < 3 ? Proceed::yes : Proceed::no;
    };
    Evolution interrupted{Landscape{small}, settings};
    interrupted.finish();
    EXPECT_EQ(interrupted.result().stopped_by, "callback");
    settings.on_generation = {};
    Evolution second{Landscape{small}, settings, interrupted.snapshot()};
    second.finish();
    expect_same(second.result(), straight);
}

// --- settings that can't work --------------------------------------------------------------------------

struct Refusal {
    std::string name;
    std::function<void(Settings&)> spoil;
    std::vector<std::string_view> mentions;
    Space space = Space::bits(24);

    friend void PrintTo(const Refusal& one, std::ostream* out) { *out << one.name; }
};

const std::vector<Refusal>& refusals() {
    static const Space permutation = Space::permutation(24);
    static const std::vector<Refusal> all{
        {"EmptyPopulation", [](Settings& s) { s.population = 0; }, {"population is 0", "1.."}},
        {"HugePopulation", [](Settings& s) { s.population = ~std::size_t{0}; }, {"population is", "1.."}},
        {"HugeOffspring", [](Settings& s) { s.offspring = ~std::size_t{0}; }, {"offspring is", "0.."}},
        {"KnockoutOfAnOddNumber",
         [](Settings& s) {
             s.algorithm = Knockout{};
             s.population = 7;
         },
         {"population is 7", "even"}},
        {"DuelOfThree",
         [](Settings& s) {
             s.algorithm = Duel{};
             s.population = 3;
         },
         {"population is 3", "exactly 2"}},
        {"DuelWithImprovement",
         [](Settings& s) {
             s.algorithm = Duel{};
             s.population = 2;
             s.improve = HillClimb{};
         },
         {"improve", "duel"}},
        {"AnnealingWithoutTemperature",
         [](Settings& s) { s.algorithm = Annealing{.end = 0.0}; },
         {"annealing.end is 0", "above 0"}},
        {"AnnealingWithImprovement",
         [](Settings& s) {
             s.algorithm = Annealing{};
             s.improve = HillClimb{};
         },
         {"improve", "annealing"}},
        {"CrowdingOfOnlyChildren",
         [](Settings& s) {
             s.algorithm = Generational{.siblings = 1};
             s.replace = Crowding{};
         },
         {"crowding", "siblings = 2"}},
        {"DuelWithAnOperationMix",
         [](Settings& s) {
             s.algorithm = Duel{};
             s.population = 2;
             s.operations = OperationMix{};
         },
         {"operations", "duel"}},
        {"KnockoutWithAnOperationMix",
         [](Settings& s) {
             s.algorithm = Knockout{};
             s.operations = OperationMix{};
         },
         {"operations", "knockout"}},
        {"DuelWithCrossover",
         [](Settings& s) {
             s.algorithm = Duel{};
             s.population = 2;
             s.recombine = UniformCrossover{};
         },
         {"recombine", "duel"}},
        {"KnockoutWithCrossover",
         [](Settings& s) {
             s.algorithm = Knockout{};
             s.recombine = UniformCrossover{};
         },
         {"recombine", "knockout"}},
        {"AnnealingWithCrossover",
         [](Settings& s) {
             s.algorithm = Annealing{};
             s.recombine = UniformCrossover{};
         },
         {"recombine", "annealing"}},
        {"AnnealingWithTooManyMoves",
         [](Settings& s) {
             s.algorithm = Annealing{.moves = 1000000};
             s.population = 10000;
         },
         {"annealing.moves is 1000000", "1..214748"}},
        {"MoveOfAProblemThatProposesNothing",
         [](Settings& s) { s.mutate = ProblemMove{}; },
         {"problem-move", "propose()"}},
        {"TournamentLargerThanThePopulation",
         [](Settings& s) { s.select = Tournament{.size = 21}; },
         {"select: tournament.size is 21", "1..20"}},
        {"ReplacementTournamentLargerThanThePopulation",
         [](Settings& s) { s.replace = ReplaceInTournament{.size = 21}; },
         {"replace: tournament.size is 21", "1..20"}},
        {"OnlyElites",
         [](Settings& s) { s.replace = GenerationalReplacement{.elites = 20}; },
         {"generational.elites is 20", "0..19"}},
        {"GenerationalWithMoreChildren",
         [](Settings& s) { s.offspring = 40; },
         {"offspring is 40", "population is 20"}},
        {"CommaWithFewerChildren",
         [](Settings& s) {
             s.replace = CommaReplacement{};
             s.offspring = 10;
         },
         {"offspring is 10", "population is 20"}},
        {"MatingTournamentOfThree",
         [](Settings& s) { s.algorithm = SteadyState{.tournament = 3}; },
         {"steady-state.tournament is 3", "4..20"}},
        {"MatingTournamentLargerThanThePopulation",
         [](Settings& s) { s.algorithm = SteadyState{.tournament = 21}; },
         {"steady-state.tournament is 21", "4..20"}},
        {"SteadyStateOfOne",
         [](Settings& s) {
             s.algorithm = SteadyState{.tournament = 0};
             s.population = 1;
             s.replace = ReplaceWorst{};
         },
         {"population is 1", "at least 2"}},
        {"SteadyStateWithGenerationalReplacement",
         [](Settings& s) { s.algorithm = SteadyState{.tournament = 0}; },
         {"offspring", "population"}},
        {"SteadyStateWithAnOperationMix",
         [](Settings& s) {
             s.algorithm = SteadyState{};
             s.operations = OperationMix{};
         },
         {"operations"}},
        {"OperationMixOfNothing",
         [](Settings& s) { s.operations = OperationMix{0.0, 0.0, 0.0}; },
         {"operations", "above 0"}},
        {"OperationMixBelowZero",
         [](Settings& s) { s.operations = OperationMix{.clone = -0.1}; },
         {"operations.clone is -0.1", "0..1"}},
        {"OperationMixThatIsNotANumber",
         [](Settings& s) { s.operations = OperationMix{.mutation = std::nan("")}; },
         {"operations.mutation is nan", "0..1"}},
        {"PermutationCrossoverOnBits",
         [](Settings& s) { s.recombine = PartiallyMatched{}; },
         {"partially-matched", "permutation", "24 bits"}},
        {"PermutationMutationOnBits",
         [](Settings& s) { s.mutate = SwapMutation{}; },
         {"swap", "permutation", "24 bits"}},
        {"SiteCrossoverOnPermutations",
         [](Settings& s) { s.recombine = TwoPoint{}; },
         {"two-point", "bits", "permutations of 24"},
         permutation},
        {"BitFlipOnPermutations",
         [](Settings& s) {
             s.recombine = Clone{};
             s.mutate = BitFlip{};
         },
         {"bit-flip", "bits", "permutations of 24"},
         permutation},
        {"CrossoverThatChangesTheNumberOfOnes",
         [](Settings& s) { s.recombine = UniformCrossover{}; },
         {"uniform", "number of ones", "24 bits with 7 ones"},
         Space::bits_with_ones(24, 7)},
        {"DuelMutationOfAnotherKind",
         [](Settings& s) {
             s.algorithm = Duel{};
             s.population = 2;
             s.mutate = SwapMutation{};
         },
         {"swap", "permutation"}},
        {"KnockoutMutationOfAnotherKind",
         [](Settings& s) {
             s.algorithm = Knockout{};
             s.mutate = SwapMutation{};
         },
         {"swap", "permutation"}},
        {"SteadyStateCrossoverOfAnotherKind",
         [](Settings& s) {
             s.algorithm = SteadyState{};
             s.recombine = CycleCrossover{};
         },
         {"cycle", "permutation"}},
        {"MuPlusLambdaMutationOfAnotherKind",
         [](Settings& s) {
             s.algorithm = MuPlusLambda{};
             s.mutate = Inversion{};
         },
         {"inversion", "permutation"}},
        {"MoreCutsThanGenes",
         [](Settings& s) { s.recombine = KPoint{.points = 24}; },
         {"k-point.points is 24", "1..23"}},
        {"MovesThatDoNotFit",
         [](Settings& s) { s.improve = Descent{.move = MoveChoice::reverse}; },
         {"descent.move", "24 bits"}},
        {"NoHallOfFame", [](Settings& s) { s.hall_of_fame = 0; }, {"hall_of_fame is 0", "at least 1"}},
        {"TooManyThreads", [](Settings& s) { s.threads = 5000; }, {"threads is 5000", "0..1024"}},
        {"NoIslands", [](Settings& s) { s.islands.count = 0; }, {"islands.count is 0", "1.."}},
        {"NoMigrationInterval",
         [](Settings& s) { s.islands = {.count = 2, .interval = 0}; },
         {"islands.interval is 0", "1.."}},
        {"MoreMigrantsThanRoom",
         [](Settings& s) { s.islands = {.count = 5, .topology = Topology::complete, .migrants = 5}; },
         {"islands.migrants is 5", "20"}},
        {"NoEvaluations", [](Settings& s) { s.stop = evaluations(0); }, {"stop.evaluations is 0", "above 0"}},
        {"NoTime", [](Settings& s) { s.stop = seconds(0.0); }, {"stop.seconds is 0", "above 0"}},
        {"NegativeTime",
         [](Settings& s) { s.stop = generations(3) && seconds(-1.0); },
         {"stop.seconds is -1", "above 0"}},
        {"NoStagnation", [](Settings& s) { s.stop = stagnation(0); }, {"stop.stagnation is 0", "above 0"}},
        {"NegativeSpread",
         [](Settings& s) { s.stop = convergence(-1.0); },
         {"stop.convergence is -1", "at least 0"}},
        {"TargetThatIsNotANumber",
         [](Settings& s) { s.stop = solved() || target(std::nan("")); },
         {"stop.target", "not a number"}},
        {"NoStopRule", [](Settings& s) { s.stop = StopRule{}; }, {"stop", "never end"}}};
    return all;
}

class BadSettings : public testing::TestWithParam<Refusal> {};
INSTANTIATE_TEST_SUITE_P(All, BadSettings, testing::ValuesIn(refusals()), name_of);

TEST_P(BadSettings, AreRefusedBeforeAnythingIsEvaluated) {
    const Landscape landscape{GetParam().space};
    Settings settings{.population = 20, .stop = generations(3)};
    GetParam().spoil(settings);
    const std::string message = message_of([&] { evolve(landscape, settings); });
    for (const std::string_view word : GetParam().mentions) expect_mentions(message, {word});
    EXPECT_EQ(landscape.gauge->evaluations, 0U);
}

struct Maximised {
    static constexpr Objective objective = Objective::maximise;
    std::shared_ptr<std::atomic<int>> calls = std::make_shared<std::atomic<int>>(0);
    [[nodiscard]] static Space space() { return Space::bits(40); }
    [[nodiscard]] double evaluate(BitView genome) const {
        ++*calls;
        return static_cast<double>(genome.count());
    }
};

TEST(BadSettings, SolvedNeedsAProblemThatKnowsItsTarget) {
    const Maximised problem;
    expect_mentions(
        message_of([&] { evolve(problem, {.population = 20, .stop = solved() || generations(3)}); }),
        {"stop.solved", "target"});
    EXPECT_EQ(*problem.calls, 0);
}

TEST(BadSettings, TheFoundingScalingOfAMaximisedProblemIsRefusedBeforeAnythingIsEvaluated) {
    for (const Selection& selection : {Selection{Roulette{.scaling = RouletteScaling::share}},
                                       Selection{StochasticUniversal{.scaling = RouletteScaling::share}}}) {
        const Maximised problem;
        expect_mentions(message_of([&] {
                            evolve(problem, {.population = 20, .select = selection, .stop = generations(3)});
                        }),
                        {"scaling", "share"});
        EXPECT_EQ(*problem.calls, 0);
    }
}

TEST(BadSettings, GenomesWithAFixedNumberOfOnesAreNotImprovedByFlips) {
    const Landscape landscape{Space::bits_with_ones(24, 7)};
    Settings settings{
        .population = 20, .improve = HillClimb{.move = MoveChoice::flip}, .stop = generations(3)};
    expect_mentions(message_of([&] { evolve(landscape, settings); }),
                    {"hill-climb.move", "24 bits with 7 ones"});
    EXPECT_EQ(landscape.gauge->evaluations, 0U);
}

// --- stop rules ----------------------------------------------------------------------------------------

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
    EXPECT_EQ(*(solved() || evaluations(5000)).fires(status, Objective::minimise), "evaluations(5000)");
    EXPECT_EQ(*(generations(1) && evaluations(5000)).fires(status, Objective::minimise),
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

TEST(Stopping, AtTheFirstGenerationWhoseEvaluationsReachTheLimit) {
    for (const std::uint64_t limit : {1U, 20U, 21U, 100U, 137U}) {
        Settings settings = small_settings();
        settings.stop = evaluations(limit);
        const Result result = evolve(Landscape{small}, settings);
        EXPECT_GE(result.evaluations, limit);
        EXPECT_EQ(result.stopped_by, "evaluations(" + std::to_string(limit) + ")");
        if (result.history.size() > 1) {
            EXPECT_LT(result.history[result.history.size() - 2].evaluations, limit);
        }
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

struct Flat {
    static constexpr Objective objective = Objective::minimise;
    [[nodiscard]] static Space space() { return Space::bits(10); }
    [[nodiscard]] static double evaluate(BitView) { return 1.0; }
};

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

// --- callbacks -----------------------------------------------------------------------------------------

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

// --- islands -------------------------------------------------------------------------------------------

using Senders = std::vector<std::uint32_t>;

Senders senders(Topology topology, std::uint32_t count, std::uint32_t island, std::uint64_t generation = 1) {
    return senders_to({.count = count, .topology = topology}, island, 9, 0, generation);
}

TEST(Topologies, RingHearsFromTheOneBefore) {
    EXPECT_EQ(senders(Topology::ring, 5, 0), (Senders{4}));
    EXPECT_EQ(senders(Topology::ring, 5, 3), (Senders{2}));
    EXPECT_EQ(senders(Topology::ring, 2, 0), (Senders{1}));
    EXPECT_EQ(senders(Topology::ring, 1, 0), (Senders{}));
}

TEST(Topologies, TorusHearsFromTheLeftAndFromAbove) {
    // 12 islands: three rows of four.
    EXPECT_EQ(senders(Topology::torus, 12, 5), (Senders{1, 4}));
    EXPECT_EQ(senders(Topology::torus, 12, 0), (Senders{3, 8}));
    // A prime number is one row, where nobody is above.
    EXPECT_EQ(senders(Topology::torus, 5, 0), (Senders{4}));
    // Two by two, and one alone.
    EXPECT_EQ(senders(Topology::torus, 4, 3), (Senders{1, 2}));
    EXPECT_EQ(senders(Topology::torus, 1, 0), (Senders{}));
}

TEST(Topologies, CompleteHearsFromAllOthers) {
    EXPECT_EQ(senders(Topology::complete, 4, 2), (Senders{0, 1, 3}));
}

TEST(Topologies, RandomHearsFromOneOtherDrawnAnewEachTime) {
    std::vector<std::uint64_t> heard(6);
    for (std::uint64_t generation = 0; generation < 5000; ++generation) {
        const Senders one = senders(Topology::random, 6, 2, generation);
        ASSERT_EQ(one.size(), 1U);
        ++heard.at(one[0]);
    }
    EXPECT_EQ(heard[2], 0U);
    heard.erase(heard.begin() + 2);
    test::expect_uniform(heard);
}

// Six individuals whose fitness is their slot, in reverse.
Island island_of_six(std::uint32_t index, double base) {
    const Space space = Space::integers(1, 1000);
    Island island{space, 6, 6, 1, 0, index};
    for (std::size_t i = 0; i < 6; ++i) {
        view_as<Integers<std::uint16_t>>(space, island.current.genome(i))
            .set(0, static_cast<std::uint32_t>(base) + 9);
        island.current.fitness()[i] = base + 5.0 - static_cast<double>(i);
    }
    return island;
}

struct Migration {
    Problem problem = Landscape{Space::integers(1, 1000)};
    Stages stages{Tournament{}, Clone{}, PointMutation{}, std::nullopt, std::nullopt, ReplaceWorst{}};
    Workshop workshop{problem, stages, 3, nullptr, {}};

    std::vector<double> after(const Islands& islands, double base_of_arrivals) {
        Island home = island_of_six(0, 100.0);
        const Island abroad = island_of_six(1, base_of_arrivals);
        const Population group = choose_emigrants(islands, abroad, Objective::minimise);
        const Population* const arrivals[] = {&group};
        admit(islands, workshop, home, arrivals);
        return {home.current.fitness().begin(), home.current.fitness().end()};
    }
};

TEST(Migration, TheBestLeaveAndReplaceTheWorst) {
    EXPECT_EQ(Migration{}.after({.count = 2, .migrants = 2}, 0.0),
              (std::vector<double>{0.0, 1.0, 103.0, 102.0, 101.0, 100.0}));
    EXPECT_EQ(Migration{}.after({.count = 2, .migrants = 2}, 500.0),
              (std::vector<double>{500.0, 501.0, 103.0, 102.0, 101.0, 100.0}));
}

TEST(Migration, WorseArrivalsAreTurnedAwayIfOnlyBetterOnesMayEnter) {
    const Islands careful{.count = 2, .migrants = 3, .immigrants = Immigrants::replace_if_better};
    EXPECT_EQ(Migration{}.after(careful, 500.0),
              (std::vector<double>{105.0, 104.0, 103.0, 102.0, 101.0, 100.0}));
    EXPECT_EQ(Migration{}.after(careful, 0.0), (std::vector<double>{0.0, 1.0, 2.0, 102.0, 101.0, 100.0}));
}

TEST(Migration, RandomPlacesAreDifferentOnes) {
    const Islands random{
        .count = 2, .migrants = 4, .emigrants = Emigrants::random, .immigrants = Immigrants::replace_random};
    const std::vector<double> after = Migration{}.after(random, 0.0);
    EXPECT_EQ(std::ranges::count_if(after, [](double fitness) { return fitness < 50.0; }), 4);
    EXPECT_EQ(std::set<double>(after.begin(), after.end()).size(), 6U) << "nobody leaves twice";
}

TEST(Islands, WithoutMigrationEachIsARunOfItsOwn) {
    Settings settings = island_settings(settings_for(small), Topology::ring);
    settings.islands.migrants = 0;
    const Result apart = evolve(Landscape{small}, settings);
    settings.islands.migrants = 2;
    settings.islands.interval = 1000;
    expect_same(evolve(Landscape{small}, settings), apart);
    settings.islands.interval = 2;
    EXPECT_NE(evolve(Landscape{small}, settings).digest, apart.digest);
}

// --- other ways to state a problem ---------------------------------------------------------------------

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
                          .stop = generations(10)};
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

// A walk on 0 .. 255 that goes one up or down at random.
struct Staircase {
    static constexpr Objective objective = Objective::minimise;
    [[nodiscard]] static Space space() { return Space::bits(64); }
    [[nodiscard]] static double evaluate(BitView genome) { return static_cast<double>(genome.count()); }
    static bool propose(Stream& stream, Bits genome) {
        genome.flip(stream.below(64));
        return true;
    }
};

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
} // namespace knossos
