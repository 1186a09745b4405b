#include "core/distances.hpp"
#include "run_support.hpp"

#include <knossos/operators/crossover_reals.hpp>
#include <knossos/operators/mutation_reals.hpp>
#include <knossos/operators/reflection.hpp>
#include <knossos/run/run.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <functional>

namespace knossos::reals_test {
namespace {

using test::expect_mentions;
using test::expect_shares;
using test::expect_uniform;
using test::infinity;
using test::message_of;
using test::stream_for;

// Inside a test, Run is a member of GoogleTest's.
using Evolution = Run;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

struct Vector {
    Space space;
    std::vector<double> genes;

    [[nodiscard]] std::byte* bytes() { return reinterpret_cast<std::byte*>(genes.data()); }
    [[nodiscard]] const std::byte* bytes() const { return reinterpret_cast<const std::byte*>(genes.data()); }
    [[nodiscard]] Reals view() { return view_as<Reals>(space, bytes()); }
    [[nodiscard]] bool valid() const { return is_valid(space, bytes()); }
};

Vector of(const Space& space, std::vector<double> genes) { return {space, std::move(genes)}; }

TEST(RealSpace, RefusesBoundsAndNamesTheGene) {
    expect_mentions(message_of([] { Space::reals(0, {0.0, 1.0}); }), {"space.length is 0"});
    expect_mentions(message_of([] { Space::reals({}); }), {"space.length is 0"});
    expect_mentions(message_of([] { Space::reals(3, {2.0, 1.0}); }), {"2..1", "wrong way round", "1..2"});
    expect_mentions(message_of([] { Space::reals({{0.0, 1.0}, {0.0, 1.0}, {5.0, -5.0}}); }),
                    {"gene 2", "5..-5", "wrong way round", "-5..5"});
    expect_mentions(message_of([] { Space::reals({{0.0, infinity}}); }), {"gene 0", "finite"});
    expect_mentions(message_of([] { Space::reals({{0.0, 1.0}, {not_a_number, 1.0}}); }),
                    {"gene 1", "finite"});
    expect_mentions(message_of([] { Space::reals(2, {-1.7e308, 1.7e308}); }), {"too far apart"});
}

TEST(RealSpace, SharesTheBoundsOfSingleGenes) {
    const Space own = Space::reals({{0.0, 1.0}, {-2.0, 2.0}});
    const Space copy = own;
    EXPECT_EQ(own.own_bounds, copy.own_bounds);
    EXPECT_EQ((Population{own, 100}.space().own_bounds), own.own_bounds);
    EXPECT_EQ(own, Space::reals({{0.0, 1.0}, {-2.0, 2.0}}));
    EXPECT_NE(own, Space::reals({{0.0, 1.0}, {-2.0, 3.0}}));
    EXPECT_NE(own, Space::reals(2, {0.0, 1.0}));
    EXPECT_EQ(Space::reals({{0.0, 1.0}, {0.0, 1.0}}), Space::reals(2, {0.0, 1.0}));
    EXPECT_EQ(Space::reals(1'000'000, {0.0, 1.0}).own_bounds, nullptr);
    EXPECT_EQ(own.genome_bytes(), 16U);
    EXPECT_EQ(describe(Space::reals(3, {-5.0, 5.5})), "3 reals -5..5.5");
    EXPECT_EQ(describe(own), "2 reals, each within its own bounds");
}

TEST(RealSpace, FindsEveryFaultOfAGenome) {
    const Space space = Space::reals({{0.0, 1.0}, {-2.0, 2.0}, {3.0, 3.0}});
    EXPECT_TRUE(of(space, {0.0, -2.0, 3.0}).valid());
    EXPECT_TRUE(of(space, {1.0, 2.0, 3.0}).valid());
    EXPECT_FALSE(of(space, {std::nextafter(1.0, 2.0), 0.0, 3.0}).valid());
    EXPECT_FALSE(of(space, {0.5, std::nextafter(-2.0, -3.0), 3.0}).valid());
    EXPECT_FALSE(of(space, {0.5, 0.0, 2.0}).valid());
    for (const double bad : {not_a_number, infinity, -infinity})
        EXPECT_FALSE(of(space, {0.5, bad, 3.0}).valid());
}

TEST(RealSpace, RandomGenomesAreUniformWithinTheBounds) {
    const Space space = Space::reals({{-5.12, 5.12}, {0.1, 0.3}, {7.0, 7.0}, {-8e307, 8e307}});
    constexpr std::size_t cells = 10;
    std::vector<std::vector<std::uint64_t>> counts(space.length, std::vector<std::uint64_t>(cells));
    for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
        Stream stream = stream_for(seed);
        Vector genome = of(space, std::vector<double>(space.length));
        randomise(stream, space, genome.bytes());
        ASSERT_TRUE(genome.valid());
        for (std::size_t i = 0; i < space.length; ++i) {
            const Bounds& bounds = space.bounds(i);
            if (bounds.width() == 0.0) continue;
            const double share = genome.genes[i] / bounds.width() - bounds.low / bounds.width();
            ++counts[i][std::min(static_cast<std::size_t>(share * cells), cells - 1)];
        }
    }
    for (const std::size_t i : {0U, 1U, 3U}) expect_uniform(counts[i]);
}

TEST(RealSpace, TextReadsBackAsTheSameNumbers) {
    const Space space = Space::reals(1, {-1e9, 1e9});
    EXPECT_EQ(to_text(Space::reals(3, {-9.0, 9.0}), of(space, {1.0, -0.25, 1e-7}).bytes()),
              "[1, -0.25, 1e-07]");
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        Stream stream = stream_for(seed);
        Vector genome = of(space, {0.0});
        randomise(stream, space, genome.bytes());
        const std::string text = to_text(space, genome.bytes());
        ASSERT_EQ(std::strtod(text.c_str() + 1, nullptr), genome.genes[0]) << text;
    }
}

TEST(RealSpace, DistanceIsMeasuredInShares) {
    const Space space = Space::reals({{0.0, 10.0}, {-1.0, 1.0}, {3.0, 3.0}});
    const Vector a = of(space, {1.0, -1.0, 3.0});
    const Vector b = of(space, {6.0, 1.0, 3.0});
    EXPECT_DOUBLE_EQ(genome_distance(space, a.bytes(), b.bytes()), 1.5);
    EXPECT_EQ(genome_distance(space, a.bytes(), a.bytes()), 0.0);
    const std::vector<GenomePair> pairs{
        {a.bytes(), b.bytes()}, {a.bytes(), a.bytes()}, {b.bytes(), a.bytes()}};
    EXPECT_DOUBLE_EQ(add_distances(space, pairs, 1.0), 4.0);
    EXPECT_EQ(hamming_distance(space, a.bytes(), b.bytes()), 2U);
}

TEST(RealSpace, EntropyIsThatOfSixteenParts) {
    const Space space = Space::reals(1, {-1.0, 1.0});
    Population population{space, 32};
    for (std::size_t i = 0; i < 32; ++i)
        view_as<Reals>(space, population.genome(i))[0] = -1.0 + (static_cast<double>(i) + 0.5) / 16.0;
    EXPECT_NEAR(position_entropy(population), 1.0, 1e-12);
    for (std::size_t i = 0; i < 32; ++i)
        view_as<Reals>(space, population.genome(i))[0] = i % 2 == 0 ? 1.0 : -1.0;
    EXPECT_NEAR(position_entropy(population), 0.25, 1e-12);
    Population fixed{Space::reals(4, {2.0, 2.0}), 5};
    for (std::size_t i = 0; i < 5; ++i)
        std::ranges::fill(view_as<Reals>(fixed.space(), fixed.genome(i)), 2.0);
    EXPECT_EQ(position_entropy(fixed), 0.0);
}

TEST(RealSpace, OperatorsForOtherGenomesSayWhatTheyWorkOn) {
    const Space space = Space::reals(4, {0.0, 1.0});
    const auto refuses = [&](const auto& op, std::string_view name) {
        expect_mentions(message_of([&] { op.check(space); }), {name, "4 reals 0..1"});
    };
    refuses(Mutation{BitFlip{}}, "bit-flip works on genomes of kind bits");
    refuses(Mutation{Rotate{}}, "rotate");
    refuses(Mutation{SwapMutation{}}, "swap");
    refuses(Recombination{PartiallyMatched{}}, "partially-matched");
    expect_mentions(message_of([] { Mutation{PolynomialMutation{}}.check(Space::bits(4)); }),
                    {"polynomial works on genomes of kind reals", "4 bits"});
    expect_mentions(message_of([] { Recombination{SimulatedBinary{}}.check(Space::permutation(4)); }),
                    {"simulated-binary", "reals"});
    Settings settings{.population = 10, .stop = generations(2)};
    settings.improve = HillClimb{};
    expect_mentions(message_of([&] { check(test::Landscape{space}, settings); }), {"move", "4 reals"});
}

TEST(RealSpace, GenesOfAResultAreReals) {
    const Result result =
        evolve(test::Landscape{Space::reals(5, {-5.0, 5.0})}, {.population = 10, .stop = generations(2)});
    EXPECT_EQ(result.best.reals().size(), 5U);
    expect_mentions(message_of([&] { return result.best.genes(); }), {"reals()"});
    const Genome board{Space::permutation(3), std::vector<std::byte>(8)};
    EXPECT_EQ(board.reals(), (std::vector<double>{0.0, 0.0, 0.0}));
}

TEST(RealSpace, SnapshotsOfOtherBoundsAreRefused) {
    const auto problem = [](double high) { return test::Landscape{Space::reals({{0.0, 1.0}, {0.0, high}})}; };
    const Settings settings{.population = 10, .stop = generations(5)};
    Evolution run{problem(2.0), settings};
    run.step();
    const auto snapshot = run.snapshot();
    Evolution again{problem(2.0), settings, snapshot};
    again.finish();
    run.finish();
    test::expect_same(run.result(), again.result());
    EXPECT_THROW((Evolution{problem(2.5), settings, snapshot}), InvalidInput);
}

// --- the distributions of operators ------------------------------------------------

// Counts values into ten cells that are equally likely by a distribution, and compares.
void expect_distribution(const std::vector<double>& values, const std::function<double(double)>& cumulative) {
    std::vector<std::uint64_t> counts(10);
    for (const double value : values)
        ++counts[std::min(static_cast<std::size_t>(cumulative(value) * 10.0), std::size_t{9})];
    expect_uniform(counts);
}

struct Spread {
    std::vector<double> below{};
    std::vector<double> above{};
    std::size_t at_a_bound = 0;
};

// Children of the parents 4 and 6, as distances from their mean in units of half the parents'.
Spread spread_of(double eta, Bounds bounds) {
    const Space space = Space::reals(1, bounds);
    const SimulatedBinary op{.per_gene = 1.0, .eta = eta};
    Spread spread;
    std::uint64_t exchanged = 0;
    for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
        Vector a = of(space, {4.0});
        Vector b = of(space, {6.0});
        Stream stream = stream_for(seed);
        EXPECT_TRUE(op(stream, a.view(), b.view()));
        EXPECT_TRUE(a.valid() && b.valid());
        exchanged += a.genes[0] > b.genes[0] ? 1U : 0U;
        const double lower = std::min(a.genes[0], b.genes[0]);
        const double upper = std::max(a.genes[0], b.genes[0]);
        spread.below.push_back(5.0 - lower);
        spread.above.push_back(upper - 5.0);
        if (lower == bounds.low || upper == bounds.high) ++spread.at_a_bound;
    }
    test::expect_rate(exchanged, 20'000, 0.5);
    return spread;
}

double spread_up_to(double beta, double eta) {
    return beta <= 1.0 ? 0.5 * std::pow(beta, eta + 1.0) : 1.0 - 0.5 / std::pow(beta, eta + 1.0);
}

TEST(SimulatedBinary, SpreadsChildrenAsItsPaperSays) {
    for (const double eta : {0.5, 2.0, 15.0}) {
        const Spread free = spread_of(eta, {-1e9, 1e9});
        const auto cumulative = [&](double beta) { return spread_up_to(beta, eta); };
        expect_distribution(free.below, cumulative);
        expect_distribution(free.above, cumulative);
        // Children have the mean of their parents.
        for (std::size_t i = 0; i < free.below.size(); ++i)
            ASSERT_NEAR(free.below[i], free.above[i], 1e-6 * free.below[i]);
    }
}

TEST(SimulatedBinary, DrawsFromWhatTheBoundsLeave) {
    for (const double eta : {0.5, 2.0, 15.0}) {
        const Spread bounded = spread_of(eta, {3.5, 7.0});
        EXPECT_LE(bounded.at_a_bound, 5U) << "children are cut off";
        const auto within = [&](double most) {
            return [=](double beta) { return spread_up_to(beta, eta) / spread_up_to(most, eta); };
        };
        expect_distribution(bounded.below, within(1.5));
        expect_distribution(bounded.above, within(2.0));
    }
}

TEST(SimulatedBinary, CopesWithParentsThatHardlyDiffer) {
    const Space space = Space::reals(1, {-1e300, 1e300});
    for (const double step : {5e-324, 1e-300, 1e-17})
        for (std::uint64_t seed = 0; seed < 200; ++seed) {
            Vector a = of(space, {0.0});
            Vector b = of(space, {step});
            Stream stream = stream_for(seed);
            SimulatedBinary{.per_gene = 1.0}(stream, a.view(), b.view());
            ASSERT_TRUE(a.valid() && b.valid());
            ASSERT_LT(std::abs(a.genes[0]) + std::abs(b.genes[0]), 1e3 * step + 1e-320);
        }
}

TEST(PolynomialMutation, ChangesGenesAsItsPaperSays) {
    for (const double eta : {0.5, 5.0, 20.0})
        for (const double start : {0.001, 0.25, 0.5, 0.999}) {
            const Space space = Space::reals(1, {0.0, 1.0});
            std::vector<double> values;
            for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
                Vector genome = of(space, {start});
                Stream stream = stream_for(seed);
                PolynomialMutation{.per_gene = 1.0, .eta = eta}(stream, genome.view());
                ASSERT_TRUE(genome.valid());
                values.push_back(genome.genes[0]);
            }
            // Each side of the old value has half of the chances, as far as it goes.
            const auto tail = [&](double share) { return std::pow(1.0 - share, eta + 1.0); };
            expect_distribution(values, [&](double x) {
                if (x < start) return 0.5 * (tail(start - x) - tail(start)) / (1.0 - tail(start));
                return 1.0 - 0.5 * (tail(x - start) - tail(1.0 - start)) / (1.0 - tail(1.0 - start));
            });
        }
}

TEST(PolynomialMutation, LeavesABoundHalfTheTime) {
    const Space space = Space::reals(2, {-3.0, 4.0});
    std::uint64_t left = 0;
    for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
        Vector genome = of(space, {-3.0, 4.0});
        Stream stream = stream_for(seed);
        PolynomialMutation{.per_gene = 1.0}(stream, genome.view());
        ASSERT_TRUE(genome.valid());
        left += (genome.genes[0] > -3.0 ? 1U : 0U) + (genome.genes[1] < 4.0 ? 1U : 0U);
    }
    test::expect_rate(left, 20'000, 0.5);
}

// Genomes of which some genes lie at their bounds, some are the same in all, and some have bounds with
// nothing between.
std::vector<Vector> assorted(const Space& space, std::size_t count) {
    Stream stream = stream_for(7);
    std::vector<Vector> genomes;
    for (std::size_t i = 0; i < count; ++i) {
        Vector genome = of(space, std::vector<double>(space.length));
        for (std::size_t gene = 0; gene < space.length; ++gene) {
            const Bounds bounds = genome.view().bounds(gene);
            const std::array<double, 6> values{bounds.low,
                                               bounds.high,
                                               0.5 * bounds.low + 0.5 * bounds.high,
                                               bounds.low + 1e-15 * bounds.width(),
                                               bounds.low + (0.5 + 1e-9 * stream.real()) * bounds.width(),
                                               bounds.low + stream.real() * bounds.width()};
            genome.genes[gene] = values[stream.below(values.size())];
        }
        genomes.push_back(std::move(genome));
    }
    return genomes;
}

// Spaces of all lengths that vectors are filled by, and of some that many windows of random numbers are drawn
// for.
std::vector<Space> assorted_spaces() {
    std::vector<Space> spaces;
    for (const std::size_t length : {1U, 2U, 5U, 12U, 30U, 700U})
        spaces.push_back(Space::reals(length, {0.0, 1.0}));
    spaces.push_back(
        Space::reals({{-1.0, 1.0}, {2.0, 2.0}, {-1e300, 1e300}, {0.0, 5e-324}, {3.0, 1e9}, {0.0, 1e-300}}));
    return spaces;
}

TEST(SimulatedBinary, RecombinesManyCouplesAsOneByOne) {
    const StageStreams streams{.key = {1, 2}, .generation = 3};
    Scratch scratch;
    std::size_t recombined = 0;
    for (const Space& space : assorted_spaces())
        for (const SimulatedBinary op :
             {SimulatedBinary{}, SimulatedBinary{.probability = 1.0, .per_gene = 1.0},
              SimulatedBinary{.probability = 0.5, .per_gene = 0.9, .eta = 0.0},
              SimulatedBinary{.per_gene = 0.02, .eta = 2.5}, SimulatedBinary{.eta = 1000.0},
              SimulatedBinary{.per_gene = 0.0}})
            for (const bool always : {false, true}) {
                std::vector<Vector> together = assorted(space, 42);
                std::vector<Vector> alone = together;
                std::vector<Couple> couples;
                for (std::uint32_t i = 0; i < 42; i += 2)
                    couples.push_back({together[i].bytes(), together[i + 1].bytes(), i});
                Recombination{op}.cross(streams, space, couples, scratch, always);
                for (std::uint32_t i = 0; i < 42; i += 2) {
                    Stream stream = streams(i);
                    const bool acts = always || op.probability == 1.0 || stream.chance(op.probability);
                    const bool changed = acts && op(stream, alone[i].view(), alone[i + 1].view());
                    ASSERT_EQ(couples[i / 2].changed, changed);
                    ASSERT_EQ(together[i].genes, alone[i].genes);
                    ASSERT_EQ(together[i + 1].genes, alone[i + 1].genes);
                    recombined += changed ? 1U : 0U;
                }
            }
    EXPECT_GT(recombined, 500U);
}

TEST(PolynomialMutation, MutatesManyAsOneByOne) {
    const StageStreams streams{.key = {1, 2}, .generation = 3};
    Scratch scratch;
    std::size_t mutated = 0;
    for (const Space& space : assorted_spaces())
        for (const PolynomialMutation op : {PolynomialMutation{}, PolynomialMutation{.per_gene = 1.0},
                                            PolynomialMutation{.per_gene = 0.9, .eta = 0.0},
                                            PolynomialMutation{.per_gene = 0.3, .eta = 1000.0},
                                            PolynomialMutation{.probability = 0.7, .per_gene = 0.1}})
            for (const bool always : {false, true}) {
                std::vector<Vector> together = assorted(space, 300);
                std::vector<Vector> alone = together;
                std::vector<Mutant> mutants;
                for (std::uint32_t i = 0; i < 300; ++i) mutants.push_back({together[i].bytes(), i});
                Mutation{op}.mutate(streams, space, mutants, scratch, always);
                for (std::uint32_t i = 0; i < 300; ++i) {
                    Stream stream = streams(i);
                    const bool acts = always || op.probability == 1.0 || stream.chance(op.probability);
                    const bool changed = acts && op(stream, alone[i].view());
                    ASSERT_EQ(mutants[i].changed, changed);
                    ASSERT_EQ(together[i].genes, alone[i].genes);
                    mutated += changed ? 1U : 0U;
                }
            }
    EXPECT_GT(mutated, 1000U);
}

TEST(Blend, DrawsEvenlyFromTheStretchThatTheBoundsLeave) {
    struct Case {
        double alpha;
        Bounds bounds;
        Bounds stretch;
    };
    for (const auto& [alpha, bounds, stretch] :
         {Case{0.5, {-100.0, 100.0}, {3.0, 7.0}}, Case{0.0, {-100.0, 100.0}, {4.0, 6.0}},
          Case{0.5, {3.5, 6.25}, {3.5, 6.25}}, Case{2.0, {-100.0, 9.0}, {0.0, 9.0}}}) {
        std::vector<double> first;
        std::vector<double> second;
        for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
            Vector a = of(Space::reals(1, bounds), {6.0});
            Vector b = of(Space::reals(1, bounds), {4.0});
            Stream stream = stream_for(seed);
            EXPECT_TRUE((Blend{.alpha = alpha}(stream, a.view(), b.view())));
            ASSERT_TRUE(a.valid() && b.valid());
            first.push_back(a.genes[0]);
            second.push_back(b.genes[0]);
        }
        const auto cumulative = [reach = stretch](double x) {
            EXPECT_TRUE(reach.contains(x)) << x;
            return (x - reach.low) / reach.width();
        };
        expect_distribution(first, cumulative);
        expect_distribution(second, cumulative);
    }
}

double normal_up_to(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

TEST(GaussianMutation, AddsNormalDeviates) {
    std::vector<double> values;
    const Space space = Space::reals(1, {-100.0, 100.0});
    for (std::uint64_t seed = 0; seed < 50'000; ++seed) {
        Vector genome = of(space, {7.0});
        Stream stream = stream_for(seed);
        GaussianMutation{.per_gene = 1.0, .sigma = 0.01}(stream, genome.view());
        values.push_back(genome.genes[0]);
    }
    expect_distribution(values, [](double x) { return normal_up_to((x - 7.0) / 2.0); });
}

TEST(GaussianMutation, ThrowsBackWhatLeavesTheBounds) {
    std::vector<double> values;
    const Space space = Space::reals(1, {0.0, 1.0});
    for (std::uint64_t seed = 0; seed < 50'000; ++seed) {
        Vector genome = of(space, {0.25});
        Stream stream = stream_for(seed);
        GaussianMutation{.per_gene = 1.0, .sigma = 0.5}(stream, genome.view());
        ASSERT_TRUE(genome.valid());
        values.push_back(genome.genes[0]);
    }
    // What comes to lie up to x: from every mirror image of that stretch.
    expect_distribution(values, [](double x) {
        double chance = 0.0;
        for (double image = -10.0; image <= 10.0; image += 2.0)
            chance += normal_up_to((image + x - 0.25) / 0.5) - normal_up_to((image - x - 0.25) / 0.5);
        return chance;
    });
}

TEST(Reflection, GoesBackAsFarAsItWentPast) {
    constexpr Bounds bounds{-1.0, 3.0};
    for (const auto& [value, expected] : {std::pair{0.5, 0.5},
                                          {-1.0, -1.0},
                                          {3.0, 3.0},
                                          {-1.5, -0.5},
                                          {3.25, 2.75},
                                          {-5.0, 3.0},
                                          {-6.0, 2.0},
                                          {7.0, -1.0},
                                          {8.0, 0.0},
                                          {infinity, 3.0},
                                          {-infinity, -1.0}})
        EXPECT_EQ(reflected(value, bounds), expected) << value;
    EXPECT_EQ(reflected(17.0, {2.0, 2.0}), 2.0);
    EXPECT_TRUE(bounds.contains(reflected(not_a_number, bounds)));
    EXPECT_TRUE((Bounds{-8e307, 8e307}.contains(reflected(1.7e308, {-8e307, 8e307}))));
}

// A trial by the words of the paper, gene by gene.
TEST(DifferentialEvolution, TakesTrialsThatAreNotWorse) {
    const Space space = Space::reals(6, {-5.0, 5.0});
    for (const auto variant : {DifferenceVariant::rand_1_bin, DifferenceVariant::best_1_bin})
        for (std::uint64_t seed = 1; seed <= test::seeds(20); ++seed) {
            Settings settings{.population = 12, .stop = generations(30), .seed = seed};
            settings.algorithm = DifferentialEvolution{.variant = variant, .weight = 0.7, .crossover = 0.4};
            Evolution run{test::Landscape{space}, settings};
            Population parents = run.islands()[0].current;
            while (!run.finished()) {
                run.step();
                const Population& current = run.islands()[0].current;
                const auto best = static_cast<std::size_t>(std::ranges::min_element(parents.fitness()) -
                                                           parents.fitness().begin());
                for (std::size_t i = 0; i < current.size(); ++i) {
                    ASSERT_LE(current.fitness()[i], parents.fitness()[i]);
                    const auto old = view_as<RealView>(space, std::as_const(parents).genome(i));
                    const auto now = view_as<RealView>(space, current.genome(i));
                    if (std::ranges::equal(old, now)) continue;
                    // Some three others explain every gene that is new.
                    const auto explains = [&](std::size_t a, std::size_t b, std::size_t c) {
                        const auto view = [&](std::size_t x) {
                            return view_as<RealView>(space, std::as_const(parents).genome(x));
                        };
                        for (std::size_t g = 0; g < now.size(); ++g)
                            if (now[g] != old[g] &&
                                now[g] !=
                                    reflected(view(a)[g] + 0.7 * (view(b)[g] - view(c)[g]), {-5.0, 5.0}))
                                return false;
                        return true;
                    };
                    bool explained = false;
                    for (std::size_t a = 0; a < current.size() && !explained; ++a)
                        for (std::size_t b = 0; b < current.size() && !explained; ++b)
                            for (std::size_t c = 0; c < current.size() && !explained; ++c) {
                                const bool from_best = variant == DifferenceVariant::best_1_bin;
                                if (b == c || b == i || c == i ||
                                    (from_best ? a != best : a == i || a == b || a == c))
                                    continue;
                                explained = explains(a, b, c);
                            }
                    ASSERT_TRUE(explained) << "seed " << seed << ", individual " << i;
                }
                parents = current;
            }
        }
}

TEST(DifferentialEvolution, SaysWhatItNeeds) {
    Settings settings{.algorithm = DifferentialEvolution{}, .population = 10, .stop = generations(2)};
    expect_mentions(message_of([&] { check(test::Landscape{Space::bits(9)}, settings); }),
                    {"differential-evolution", "real vectors", "9 bits"});
    const test::Landscape reals{Space::reals(4, {0.0, 1.0})};
    settings.population = 3;
    expect_mentions(message_of([&] { check(reals, settings); }), {"population is 3", "at least 4"});
    settings.population = 10;
    settings.recombine = SimulatedBinary{};
    expect_mentions(message_of([&] { check(reals, settings); }), {"recombine", "crossover of its own"});
}

} // namespace
} // namespace knossos::reals_test
