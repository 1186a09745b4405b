#include "support.hpp"

#include <knossos/operators/mutation_genes.hpp>
#include <knossos/operators/mutation_permutation.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace knossos::mutation_test {
namespace {

using test::expect_mentions;
using test::expect_rate;
using test::expect_uniform;
using test::for_each_case;
using test::GeneList;
using test::Individual;
using test::message_of;
using test::stage_for;
using test::stream_for;

struct Outcome {
    Individual genome;
    bool changed;
};

Outcome mutate(const Mutation& mutation, Individual genome, std::uint64_t seed, bool always = true) {
    Scratch scratch;
    Mutant mutant{genome.bytes(), 9};
    mutation.mutate(stage_for(seed), genome.space(), {&mutant, 1}, scratch, always);
    return {std::move(genome), mutant.changed};
}

Individual random_one(const Space& space, std::uint64_t seed, std::uint32_t slot = 0) {
    Stream stream = stream_for(seed, slot);
    return {space, stream};
}

std::vector<std::size_t> differences(const GeneList& a, const GeneList& b) {
    std::vector<std::size_t> positions;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] != b[i]) positions.push_back(i);
    return positions;
}

bool works_on(const Mutation& op, const Space& space) {
    try {
        op.check(space);
    } catch (const InvalidInput&) {
        return false;
    }
    return true;
}

TEST(Mutation, WorksOnTheKindsItSays) {
    const Space bits = Space::bits(20);
    const Space ones = Space::bits_with_ones(20, 5);
    const Space packed = Space::packed(20, 5);
    const Space integers = Space::integers(20, 5);
    const Space permutation = Space::permutation(20);
    const auto accepted = [&](const Mutation& op) {
        std::string kinds;
        if (works_on(op, bits)) kinds += "b";
        if (works_on(op, ones)) kinds += "o";
        if (works_on(op, packed)) kinds += "p";
        if (works_on(op, integers)) kinds += "i";
        if (works_on(op, permutation)) kinds += "P";
        return kinds;
    };
    EXPECT_EQ(accepted(PointMutation{}), "bpi");
    EXPECT_EQ(accepted(UniformMutation{}), "bpi");
    EXPECT_EQ(accepted(BitFlip{}), "b");
    EXPECT_EQ(accepted(Rotate{}), "bopiP");
    EXPECT_EQ(accepted(MoveOnes{}), "bo");
    EXPECT_EQ(accepted(SwapMutation{}), "P");
    EXPECT_EQ(accepted(Insertion{}), "P");
    EXPECT_EQ(accepted(Inversion{}), "P");
    EXPECT_EQ(accepted(Scramble{}), "P");
    EXPECT_EQ(accepted(ShuffleIndexes{}), "P");
}

TEST(Mutation, SaysWhatItWorksOnWhenItRefuses) {
    expect_mentions(message_of([] { Mutation{BitFlip{}}.check(Space::permutation(8)); }),
                    {"bit-flip", "bits", "permutations of 8"});
    expect_mentions(message_of([] { Mutation{SwapMutation{}}.check(Space::integers(8, 3)); }),
                    {"swap", "permutation", "8 integers 0..2"});
    expect_mentions(message_of([] { Mutation{PointMutation{}}.check(Space::bits_with_ones(8, 3)); }),
                    {"point", "number of ones", "8 bits with 3 ones", "move-ones"});
}

TEST(Mutation, HappensWithTheOperatorsProbabilityUnlessAlways) {
    const auto rate = [](const Mutation& op, const Space& space, bool always) {
        std::uint64_t changed = 0;
        for (std::uint64_t seed = 0; seed < 2000; ++seed)
            changed += mutate(op, random_one(space, seed), seed, always).changed ? 1U : 0U;
        return changed;
    };
    const Space bits = Space::bits(40);
    const Space permutation = Space::permutation(40);
    for (const double probability : {0.0, 0.25, 0.9, 1.0}) {
        SCOPED_TRACE(probability);
        expect_rate(rate(PointMutation{probability}, bits, false), 2000, probability);
        expect_rate(rate(UniformMutation{probability, 1.0}, bits, false), 2000, probability);
        expect_rate(rate(BitFlip{probability, 1.0}, bits, false), 2000, probability);
        expect_rate(rate(Rotate{probability}, bits, false), 2000, probability);
        expect_rate(rate(MoveOnes{probability}, bits, false), 2000, probability);
        expect_rate(rate(SwapMutation{probability}, permutation, false), 2000, probability);
        expect_rate(rate(Insertion{probability}, permutation, false), 2000, probability);
        expect_rate(rate(Inversion{probability}, permutation, false), 2000, probability);
        expect_rate(rate(Scramble{probability}, permutation, false), 2000, probability);
        expect_rate(rate(ShuffleIndexes{probability, 1.0}, permutation, false), 2000, probability);
        EXPECT_EQ(rate(PointMutation{probability}, bits, true), 2000U);
        EXPECT_EQ(rate(SwapMutation{probability}, permutation, true), 2000U);
    }
}

TEST(PointMutation, DrawsOneIntegerAnew) {
    for (const Space& space : {Space::integers(5, 7), Space::packed(5, 7), Space::integers(5, 300)}) {
        std::vector<std::uint64_t> values(space.alphabet);
        std::vector<std::uint64_t> positions(5);
        for (std::uint64_t seed = 0; seed < 40'000; ++seed) {
            const Individual before{space, GeneList(5, 3)};
            const GeneList after = mutate(PointMutation{}, before, seed).genome.genes();
            const auto changed = differences(before.genes(), after);
            ASSERT_LE(changed.size(), 1U);
            if (changed.empty()) {
                ++values[3];
            } else {
                ++values[after[changed[0]]];
                ++positions[changed[0]];
            }
        }
        expect_uniform(values);
        expect_uniform(positions);
    }
}

TEST(UniformMutation, DrawsEveryValueEquallyOften) {
    for (const Space& space : {Space::integers(5, 7), Space::packed(5, 7), Space::integers(5, 300)}) {
        std::vector<std::uint64_t> values(space.alphabet);
        for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
            const Individual before{space, GeneList(5, 3)};
            for (const std::uint32_t gene :
                 mutate(UniformMutation{.per_gene = 1.0}, before, seed, true).genome.genes())
                ++values[gene];
        }
        expect_uniform(values);
    }
}

TEST(BitFlip, FlipsOneInLengthUnlessToldOtherwise) {
    for (const std::size_t length : {1U, 2U, 10U, 100U}) {
        const Space space = Space::bits(length);
        std::uint64_t flips = 0;
        std::uint64_t untouched = 0;
        constexpr std::uint64_t rounds = 20'000;
        for (std::uint64_t seed = 0; seed < rounds; ++seed) {
            const Individual before = random_one(space, seed);
            const auto changed = differences(before.genes(), mutate(BitFlip{}, before, seed).genome.genes());
            flips += changed.size();
            untouched += changed.empty() ? 1U : 0U;
        }
        const double rate = 1.0 / static_cast<double>(length);
        expect_rate(flips, rounds * length, rate);
        expect_rate(untouched, rounds, std::pow(1.0 - rate, static_cast<double>(length)));
    }
    std::uint64_t flips = 0;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        const Individual before = random_one(Space::bits(100), seed);
        flips +=
            differences(before.genes(), mutate(BitFlip{.per_bit = 0.2}, before, seed).genome.genes()).size();
    }
    expect_rate(flips, 200'000, 0.2);
}

TEST(Rotate, KeepsEveryGeneAndItsNeighboursOnEveryKindOfGenome) {
    for_each_case(test::all_spaces, [](const Space& space, std::uint64_t seed) {
        const Individual before = random_one(space, seed);
        const Outcome after = mutate(Rotate{}, before, seed);
        ASSERT_EQ(after.changed, space.length > 1);
        GeneList turned = before.genes();
        bool found = space.length == 1;
        for (std::size_t shift = 1; shift < space.length && !found; ++shift) {
            std::ranges::rotate(turned, turned.begin() + 1);
            found = turned == after.genome.genes();
        }
        ASSERT_TRUE(found) << "is no rotation of what it was";
    });
}

TEST(Rotate, EveryTurnIsEquallyLikely) {
    for (const Space& space :
         {Space::bits(70), Space::packed(70, 8), Space::integers(70, 2), Space::bits_with_ones(70, 1)}) {
        GeneList marked(70);
        marked[0] = 1;
        std::vector<std::uint64_t> places(70);
        for (std::uint64_t seed = 0; seed < 14'000; ++seed) {
            const GeneList after = mutate(Rotate{}, Individual{space, marked}, seed).genome.genes();
            ++places[static_cast<std::size_t>(std::ranges::find(after, 1U) - after.begin())];
        }
        EXPECT_EQ(places[0], 0U) << "a full turn changes nothing";
        expect_uniform(std::span{places}.subspan(1));
    }
}

TEST(MoveOnes, MovesEveryNumberBetweenLeastAndMostEquallyOften) {
    // So sparse that a one hardly ever lands where another has just left.
    const Space space = Space::bits_with_ones(20'000, 6);
    std::vector<std::uint64_t> moved(7);
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        const Individual before = random_one(space, seed % 10);
        const Outcome after = mutate(MoveOnes{.least = 2, .most = 5}, before, seed);
        ++moved[hamming_distance(space, before.bytes(), after.genome.bytes()) / 2];
    }
    EXPECT_LT(moved[0] + moved[1] + moved[6], 5U);
    expect_uniform(std::span{moved}.subspan(2, 4));
}

TEST(MoveOnes, EveryOneMovesToEveryZeroEquallyOften) {
    const Space space = Space::bits_with_ones(7, 3);
    const GeneList before{1, 0, 1, 0, 0, 1, 0};
    std::map<GeneList, std::uint64_t> seen;
    for (std::uint64_t seed = 0; seed < 6000; ++seed)
        ++seen[mutate(MoveOnes{.most = 1}, Individual{space, before}, seed).genome.genes()];
    std::vector<std::uint64_t> counts;
    for (const auto& [genes, count] : seen) counts.push_back(count);
    EXPECT_EQ(counts.size(), 12U);
    expect_uniform(counts);
}

TEST(MoveOnes, LeavesGenomesWithoutRoomAlone) {
    for (const std::size_t ones : {0U, 9U}) {
        const Individual full{Space::bits(9), GeneList(9, ones == 0 ? 0 : 1)};
        const Outcome after = mutate(MoveOnes{}, full, 1);
        EXPECT_FALSE(after.changed);
        EXPECT_EQ(after.genome, full);
    }
}

TEST(MoveOnes, RefusesNumbersThatCannotMove) {
    const Space space = Space::bits_with_ones(10, 3);
    expect_mentions(message_of([] { Mutation{MoveOnes{.least = 0}}; }), {"move-ones.least is 0", "1.."});
    expect_mentions(message_of([&] { Mutation{MoveOnes{.most = 4}}.check(space); }),
                    {"move-ones.most is 4", "0..3"});
    expect_mentions(message_of([&] { Mutation{MoveOnes{.least = 4}}.check(space); }),
                    {"move-ones.least is 4", "1..3"});
    expect_mentions(message_of([&] { Mutation{MoveOnes{.least = 3, .most = 2}}.check(space); }),
                    {"move-ones.least is 3", "1..2"});
}

// --- permutations --------------------------------------------------------------------------------------

TEST(SwapMutation, ExchangesTwoPositionsAndEveryPairEquallyOften) {
    constexpr std::size_t length = 6;
    const Space space = Space::permutation(length);
    std::map<std::vector<std::size_t>, std::uint64_t> pairs;
    for (std::uint64_t seed = 0; seed < 7500; ++seed) {
        const Individual before = random_one(space, seed);
        const auto changed = differences(before.genes(), mutate(SwapMutation{}, before, seed).genome.genes());
        ASSERT_EQ(changed.size(), 2U);
        ++pairs[changed];
    }
    std::vector<std::uint64_t> counts;
    for (const auto& [pair, count] : pairs) counts.push_back(count);
    EXPECT_EQ(counts.size(), 15U);
    expect_uniform(counts);
}

TEST(Insertion, TakesEveryGeneToEveryPlace) {
    const Space space = Space::permutation(4);
    const GeneList before{0, 1, 2, 3};
    std::map<GeneList, std::uint64_t> seen;
    for (std::uint64_t seed = 0; seed < 12'000; ++seed)
        ++seen[mutate(Insertion{}, Individual{space, before}, seed).genome.genes()];
    // Twelve ways; moving a gene past its neighbour is the same as moving the neighbour past it.
    EXPECT_EQ(seen.size(), 9U);
    for (const auto& [genes, count] : seen)
        expect_rate(count, 12'000, differences(before, genes).size() == 2 ? 2.0 / 12.0 : 1.0 / 12.0);
}

// The one stretch outside of which nothing has changed.
std::pair<std::size_t, std::size_t> changed_stretch(const GeneList& before, const GeneList& after) {
    const auto changed = differences(before, after);
    return {changed.front(), changed.back()};
}

TEST(Inversion, TurnsOneStretchRoundAndEveryStretchEquallyOften) {
    for (const std::size_t length : {2U, 3U, 6U, 30U}) {
        const Space space = Space::permutation(length);
        std::map<std::pair<std::size_t, std::size_t>, std::uint64_t> stretches;
        for (std::uint64_t seed = 0; seed < 7500; ++seed) {
            GeneList before = random_one(space, seed).genes();
            const GeneList after = mutate(Inversion{}, Individual{space, before}, seed).genome.genes();
            ASSERT_NE(after, before);
            const auto [first, last] = changed_stretch(before, after);
            std::reverse(before.begin() + static_cast<std::ptrdiff_t>(first),
                         before.begin() + static_cast<std::ptrdiff_t>(last) + 1);
            ASSERT_EQ(after, before);
            // A stretch of three keeps its middle; it is found by its ends all the same.
            ++stretches[{first, last}];
        }
        std::vector<std::uint64_t> counts;
        for (const auto& [stretch, count] : stretches) counts.push_back(count);
        EXPECT_EQ(counts.size(), length * (length - 1) / 2);
        expect_uniform(counts);
    }
}

TEST(Scramble, ReachesEveryPositionAndPutsStretchesIntoEveryOrder) {
    const Space space = Space::permutation(3);
    std::map<GeneList, std::uint64_t> seen;
    for (std::uint64_t seed = 0; seed < 12'000; ++seed)
        ++seen[mutate(Scramble{}, Individual{space, GeneList{0, 1, 2}}, seed).genome.genes()];
    // Stretches 01, 12 and 012, each a third of the time and in any order.
    EXPECT_EQ(seen.size(), 6U);
    expect_rate(seen[(GeneList{0, 1, 2})], 12'000, (0.5 + 0.5 + 1.0 / 6.0) / 3.0);
    expect_rate(seen[(GeneList{1, 0, 2})], 12'000, (0.5 + 1.0 / 6.0) / 3.0);
    expect_rate(seen[(GeneList{0, 2, 1})], 12'000, (0.5 + 1.0 / 6.0) / 3.0);
    expect_rate(seen[(GeneList{2, 1, 0})], 12'000, (1.0 / 6.0) / 3.0);
    expect_rate(seen[(GeneList{1, 2, 0})], 12'000, (1.0 / 6.0) / 3.0);
    expect_rate(seen[(GeneList{2, 0, 1})], 12'000, (1.0 / 6.0) / 3.0);
}

TEST(ShuffleIndexes, ExchangesEveryPositionAtItsRate) {
    constexpr std::size_t length = 400;
    const Space space = Space::permutation(length);
    // So rare that an exchange is hardly ever undone: each changes two positions.
    constexpr double rate = 0.002;
    std::uint64_t changed = 0;
    std::vector<std::uint64_t> hits(4);
    for (std::uint64_t seed = 0; seed < 4000; ++seed) {
        const Individual before = random_one(space, seed % 7);
        const auto positions = differences(
            before.genes(), mutate(ShuffleIndexes{.per_index = rate}, before, seed).genome.genes());
        changed += positions.size();
        for (const std::size_t i : positions) ++hits[i * 4 / length];
    }
    EXPECT_NEAR(static_cast<double>(changed) / (2.0 * 4000 * length * rate), 1.0, 0.03);
    test::expect_shares(hits, std::vector<double>{1, 1, 1, 1});
}

// Many at once, of which some are chosen, against each alone as the definition says.
TEST(ShuffleIndexes, ManyAtOnceAreWhatEachIsAlone) {
    const ShuffleIndexes op{.probability = 0.3, .per_index = 0.05};
    for (const std::size_t length : {1U, 2U, 8U, 32U, 100U, 150U, 300U}) {
        const Space space = Space::permutation(length);
        const StageStreams streams = stage_for(length);
        std::vector<Individual> genomes;
        std::vector<Mutant> mutants;
        for (std::uint32_t i = 0; i < 150; ++i) genomes.push_back(random_one(space, length, i));
        const std::vector<Individual> before = genomes;
        for (std::uint32_t i = 0; i < 150; ++i) mutants.push_back({genomes[i].bytes(), 2 * i});
        Scratch scratch;
        Mutation{op}.mutate(streams, space, mutants, scratch, false);
        for (std::uint32_t i = 0; i < 150; ++i) {
            GeneList expected = before[i].genes();
            Stream stream = streams(2 * i);
            bool changed = false;
            if (stream.chance(op.probability) && length > 1)
                for_each_hit(stream, Skips{op.per_index}, length, [&](std::size_t position) {
                    std::size_t other = stream.below64(length - 1);
                    other += other >= position ? 1U : 0U;
                    std::swap(expected[position], expected[other]);
                    changed = true;
                });
            ASSERT_EQ(genomes[i].genes(), expected) << "length " << length << ", genome " << i;
            ASSERT_EQ(mutants[i].changed, changed);
        }
    }
}

TEST(ShuffleIndexes, NeverOrAlwaysAtTheEnds) {
    const Space space = Space::permutation(2);
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const Individual before = random_one(space, seed);
        EXPECT_FALSE(mutate(ShuffleIndexes{.per_index = 0.0}, before, seed).changed);
        // Both positions exchange with the other: twice, which brings them back.
        EXPECT_EQ(mutate(ShuffleIndexes{.per_index = 1.0}, before, seed).genome, before);
    }
}

TEST(Mutation, RefusesProbabilitiesOutsideTheUnitInterval) {
    for (const double bad : {-0.1, 1.5, std::nan("")}) {
        const auto refused = [](auto op, std::string_view field) {
            expect_mentions(message_of([&] { Mutation{op}; }), {field, "0..1"});
        };
        refused(PointMutation{bad}, "point.probability");
        refused(UniformMutation{.probability = bad}, "uniform.probability");
        refused(UniformMutation{.per_gene = bad}, "uniform.per_gene");
        refused(BitFlip{.probability = bad}, "bit-flip.probability");
        refused(BitFlip{.per_bit = bad}, "bit-flip.per_bit");
        refused(Rotate{bad}, "rotate.probability");
        refused(MoveOnes{.probability = bad}, "move-ones.probability");
        refused(SwapMutation{bad}, "swap.probability");
        refused(Insertion{bad}, "insertion.probability");
        refused(Inversion{bad}, "inversion.probability");
        refused(Scramble{bad}, "scramble.probability");
        refused(ShuffleIndexes{.probability = bad}, "shuffle-indexes.probability");
        refused(ShuffleIndexes{.per_index = bad}, "shuffle-indexes.per_index");
    }
}

} // namespace
} // namespace knossos::mutation_test
