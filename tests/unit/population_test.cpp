#include "sanitized.hpp"
#include "support.hpp"

#include <knossos/core/population.hpp>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace knossos::population_test {
namespace {

using test::expect_mentions;
using test::expect_rate;
using test::expect_uniform;
using test::GeneList;
using test::Individual;
using test::message_of;
using test::stream_for;

Population random_population(const Space& space, std::size_t size, std::uint64_t seed) {
    Population population{space, size};
    for (std::uint32_t i = 0; i < size; ++i) {
        Stream stream = stream_for(seed, i);
        randomise(stream, space, population.genome(i));
        population.fitness()[i] = stream.real();
    }
    return population;
}

bool same(const Population& a, const Population& b) {
    return a.space() == b.space() && std::ranges::equal(a.bytes(), b.bytes()) &&
           std::ranges::equal(a.fitness(), b.fitness());
}

TEST(Population, LiesInOneAlignedBlockOfZeros) {
    for (const Space& space : test::all_spaces(65)) {
        const Population population{space, 7};
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(population.genome(0)) % 64, 0U);
        EXPECT_EQ(population.stride(), space.genome_bytes());
        EXPECT_EQ(population.bytes().size(), 7 * space.genome_bytes());
        for (std::size_t i = 0; i < 7; ++i)
            EXPECT_EQ(population.genome(i), population.bytes().data() + i * space.genome_bytes());
        EXPECT_TRUE(
            std::ranges::all_of(population.bytes(), [](std::byte byte) { return byte == std::byte{0}; }));
        EXPECT_EQ(population.size(), 7U);
    }
}

long pages_touched() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

// Who fills it may be several threads, and a device may be where most of it stays empty.
TEST(Population, LargeOnesTakePagesOnlyOnceSomebodyFillsThem) {
    if (test::is_sanitized) GTEST_SKIP() << "sanitizers have memory of their own";
    constexpr std::size_t size = 65'536;
    const long before = pages_touched();
    const Population population{Space::bits(8192), size};
    const long after = pages_touched();
    EXPECT_LT(after - before, static_cast<long>(population.bytes().size() / 4096 / 4));
    EXPECT_EQ(population.genome(size - 1)[1023], std::byte{0});
}

TEST(Population, CopiesAreDeep) {
    const Population original = random_population(Space::permutation(20), 9, 1);
    Population copy = original;
    EXPECT_TRUE(same(copy, original));
    copy.genome(3)[0] ^= std::byte{1};
    copy.fitness()[4] = 17.0;
    EXPECT_FALSE(same(copy, original));
    Population smaller{Space::bits(3), 2};
    smaller = original;
    EXPECT_TRUE(same(smaller, original));
    copy = original;
    EXPECT_TRUE(same(copy, original));
    const Population& itself = copy;
    copy = itself;
    EXPECT_TRUE(same(copy, original));
}

TEST(Population, MovesWithoutCopying) {
    Population original = random_population(Space::bits(100), 9, 2);
    const Population copy = original;
    const std::byte* const block = original.genome(0);
    Population moved = std::move(original);
    EXPECT_EQ(moved.genome(0), block);
    EXPECT_TRUE(same(moved, copy));
    Population other = random_population(Space::bits(100), 9, 3);
    std::swap(moved, other);
    EXPECT_TRUE(same(other, copy));
}

TEST(Population, CopyFromTakesGenomeAndFitnessAlong) {
    const Population from = random_population(Space::integers(10, 300), 5, 4);
    Population to = random_population(Space::integers(10, 300), 4, 5);
    to.copy_from(from, 4, 1);
    EXPECT_TRUE(std::equal(to.genome(1), to.genome(1) + to.stride(), from.genome(4)));
    EXPECT_EQ(to.fitness()[1], from.fitness()[4]);
}

TEST(Population, RefusesWhatNoMemoryHolds) {
    expect_mentions(message_of([] { Population(Space::bits(1'000'000), ~std::size_t{0} / 1000); }),
                    {"population of", "does not fit in memory"});
}

TEST(Batch, LooksAtAllRowsOrAtSome) {
    const Population population = random_population(Space::bits(100), 6, 6);
    Batch batch = population.batch();
    EXPECT_EQ(batch.count, 6U);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(batch[i], population.genome(i));
    const std::vector<std::uint32_t> rows{5, 0, 3};
    batch.rows = rows.data();
    batch.count = rows.size();
    for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(batch[i], population.genome(rows[i]));
}

TEST(Randomise, MakesGenomesOfEverySpace) {
    test::for_each_case(test::all_spaces, [](const Space& space, std::uint64_t seed) {
        Stream stream = stream_for(seed);
        ASSERT_TRUE((Individual{space, stream}.valid()));
        // Also over the remains of another genome.
        Individual used{space};
        randomise(stream, space, used.bytes());
        Individual fresh{space};
        Stream again = stream_for(seed + 1000);
        Stream same_again = stream_for(seed + 1000);
        randomise(again, space, used.bytes());
        randomise(same_again, space, fresh.bytes());
        ASSERT_EQ(used, fresh);
    });
}

TEST(Randomise, BitsAndIntegersAreUniform) {
    for (const Space& space : {Space::bits(70), Space::packed(70, 7), Space::integers(70, 7)}) {
        std::vector<std::uint64_t> values(space.alphabet * 70);
        for (std::uint64_t seed = 0; seed < 4000; ++seed) {
            Stream stream = stream_for(seed);
            const GeneList genes = Individual{space, stream}.genes();
            for (std::size_t i = 0; i < 70; ++i) ++values[i * space.alphabet + genes[i]];
        }
        expect_uniform(values);
    }
}

TEST(Randomise, EveryOrderIsEquallyLikely) {
    std::map<GeneList, std::uint64_t> orders;
    for (std::uint64_t seed = 0; seed < 24'000; ++seed) {
        Stream stream = stream_for(seed);
        ++orders[Individual{Space::permutation(4), stream}.genes()];
    }
    std::vector<std::uint64_t> counts;
    for (const auto& [order, count] : orders) counts.push_back(count);
    EXPECT_EQ(counts.size(), 24U);
    expect_uniform(counts);
}

TEST(Randomise, EveryPlaceOfTheOnesIsEquallyLikely) {
    std::map<GeneList, std::uint64_t> placings;
    for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
        Stream stream = stream_for(seed);
        ++placings[Individual{Space::bits_with_ones(6, 3), stream}.genes()];
    }
    std::vector<std::uint64_t> counts;
    for (const auto& [placing, count] : placings) counts.push_back(count);
    EXPECT_EQ(counts.size(), 20U);
    expect_uniform(counts);
}

TEST(IsValid, FindsEveryFault) {
    const auto valid = [](const Space& space, const GeneList& genes) {
        const Individual genome{space, genes};
        return is_valid(space, genome.bytes());
    };
    EXPECT_TRUE(valid(Space::permutation(4), {2, 0, 3, 1}));
    EXPECT_FALSE(valid(Space::permutation(4), {2, 0, 2, 1}));
    EXPECT_FALSE(valid(Space::permutation(4), {2, 0, 4, 1}));
    EXPECT_TRUE(valid(Space::integers(3, 5), {4, 0, 4}));
    EXPECT_FALSE(valid(Space::integers(3, 5), {4, 5, 4}));
    EXPECT_FALSE(valid(Space::packed(3, 5), {4, 7, 4}));
    EXPECT_TRUE(valid(Space::bits_with_ones(5, 2), {0, 1, 0, 0, 1}));
    EXPECT_FALSE(valid(Space::bits_with_ones(5, 2), {0, 1, 0, 1, 1}));
}

// Genomes are compared by their bytes: two that differ in the padding alone would count as different.
TEST(IsValid, WantsThePaddingClear) {
    for (const std::size_t length : {1U, 3U, 7U, 63U, 65U})
        for (const Space& space : test::all_spaces(length)) {
            if (test::padding_is_clear(space, Individual{space, GeneList(length, 1)}.bytes()) &&
                space.genome_bytes() * 8 ==
                    length * (space.gene_bytes != 0 ? space.gene_bytes * 8UL : space.gene_bits()))
                continue; // has none
            Stream stream = stream_for(length);
            Individual genome{space, stream};
            ASSERT_TRUE(is_valid(space, genome.bytes()));
            genome.bytes()[space.genome_bytes() - 1] |= std::byte{0x80};
            EXPECT_FALSE(is_valid(space, genome.bytes())) << describe(space);
        }
}

TEST(PositionEntropy, IsZeroForCopiesAndOneForAllDifferent) {
    for (const Space& space : test::all_spaces(20)) {
        Population copies{space, 8};
        Stream stream = stream_for(1);
        randomise(stream, space, copies.genome(0));
        for (std::size_t i = 1; i < 8; ++i) copies.copy_from(copies, 0, i);
        EXPECT_EQ(position_entropy(copies), 0.0);
    }
    const Space space = Space::integers(5, 4);
    Population mixed{space, 8};
    for (std::size_t i = 0; i < 8; ++i)
        for (std::size_t position = 0; position < 5; ++position)
            view_as<Integers<std::uint8_t>>(space, mixed.genome(i))
                .set(position, static_cast<std::uint32_t>(i % 4));
    EXPECT_NEAR(position_entropy(mixed), 1.0, 1e-12);
    EXPECT_EQ(position_entropy(Population{space, 1}), 0.0);
}

TEST(PositionEntropy, AgreesWithItsDefinition) {
    for (const std::size_t length : {1U, 5U, 70U})
        for (const Space& space : test::all_spaces(length)) {
            const Population population = random_population(space, 12, length);
            const auto most = std::min<double>(space.alphabet, 12.0);
            double total = 0.0;
            for (std::size_t position = 0; position < length; ++position) {
                std::map<std::uint32_t, double> shares;
                for (std::size_t i = 0; i < 12; ++i)
                    shares[test::genes_of(space, population.genome(i))[position]] += 1.0 / 12.0;
                for (const auto& [gene, share] : shares) total -= share * std::log(share);
            }
            const double expected = most < 2.0 ? 0.0 : total / static_cast<double>(length) / std::log(most);
            EXPECT_NEAR(position_entropy(population), expected, 1e-12) << describe(space);
        }
}

TEST(PositionEntropy, IsShannons) {
    const Space space = Space::bits(1);
    Population population{space, 4};
    view_as<Bits>(space, population.genome(0)).set(0, true);
    EXPECT_NEAR(position_entropy(population), -(0.25 * std::log2(0.25) + 0.75 * std::log2(0.75)), 1e-12);
}

} // namespace
} // namespace knossos::population_test
