#include "core/distances.hpp"
#include "support.hpp"

#include <knossos/core/genome.hpp>

#include <gtest/gtest.h>

#include <concepts>
#include <string_view>
#include <type_traits>
#include <vector>

namespace knossos::genome_test {
namespace {

using test::expect_mentions;
using test::GeneList;
using test::Individual;
using test::message_of;
using test::stream_for;

TEST(Space, StoresGenesInTheFewestBytesThatHoldThem) {
    EXPECT_EQ(Space::integers(5, 1).gene_bytes, 1U);
    EXPECT_EQ(Space::integers(5, 256).gene_bytes, 1U);
    EXPECT_EQ(Space::integers(5, 257).gene_bytes, 2U);
    EXPECT_EQ(Space::integers(5, 65536).gene_bytes, 2U);
    EXPECT_EQ(Space::integers(5, 65537).gene_bytes, 4U);
    EXPECT_EQ(Space::integers(5, 0xFFFFFFFFU).gene_bytes, 4U);
    EXPECT_EQ(Space::permutation(256).gene_bytes, 1U);
    EXPECT_EQ(Space::permutation(257).gene_bytes, 2U);
    EXPECT_EQ(Space::permutation(65537).gene_bytes, 4U);
}

TEST(Space, PacksGenesIntoTheFewestBitsThatHoldThem) {
    EXPECT_EQ(Space::packed(5, 1).gene_bits(), 1U);
    EXPECT_EQ(Space::packed(5, 2).gene_bits(), 1U);
    EXPECT_EQ(Space::packed(5, 3).gene_bits(), 2U);
    EXPECT_EQ(Space::packed(5, 4).gene_bits(), 2U);
    EXPECT_EQ(Space::packed(5, 5).gene_bits(), 3U);
    EXPECT_EQ(Space::packed(5, 0xFFFFFFFFU).gene_bits(), 32U);
}

TEST(Space, TakesWholeWords) {
    EXPECT_EQ(Space::bits(1).genome_bytes(), 8U);
    EXPECT_EQ(Space::bits(64).genome_bytes(), 8U);
    EXPECT_EQ(Space::bits(65).genome_bytes(), 16U);
    EXPECT_EQ(Space::packed(8, 8).genome_bytes(), 8U);
    EXPECT_EQ(Space::packed(22, 8).genome_bytes(), 16U);
    EXPECT_EQ(Space::integers(9, 256).genome_bytes(), 16U);
    EXPECT_EQ(Space::integers(3, 257).genome_bytes(), 8U);
    EXPECT_EQ(Space::permutation(8).genome_bytes(), 8U);
    EXPECT_EQ(Space::permutation(300).genome_bytes(), 600U);
}

TEST(Space, RefusesWhatIsNone) {
    for (const auto& make : {+[] { return Space::bits(0); }, +[] { return Space::packed(0, 2); },
                             +[] { return Space::integers(0, 2); }, +[] { return Space::permutation(0); }})
        expect_mentions(message_of(make), {"space.length is 0", "at least one gene"});
    expect_mentions(message_of([] { Space::integers(3, 0); }), {"space.alphabet is 0"});
    expect_mentions(message_of([] { Space::packed(3, 0); }), {"space.alphabet is 0"});
    expect_mentions(message_of([] { Space::bits_with_ones(8, 9); }), {"space.ones is 9", "0..8"});
    expect_mentions(message_of([] { Space::permutation(std::size_t{1} << 33U); }),
                    {"space.length", "4,294,967,295"});
}

TEST(Space, DescribesItself) {
    EXPECT_EQ(describe(Space::bits(64)), "64 bits");
    EXPECT_EQ(describe(Space::bits_with_ones(64, 8)), "64 bits with 8 ones");
    EXPECT_EQ(describe(Space::packed(8, 8)), "8 packed integers 0..7");
    EXPECT_EQ(describe(Space::integers(8, 10)), "8 integers 0..9");
    EXPECT_EQ(describe(Space::permutation(8)), "permutations of 8");
    EXPECT_EQ(to_string(GenomeKind::packed), "packed");
}

TEST(Bits, ReadWhatWasWritten) {
    for (const std::size_t length : test::lengths) {
        std::vector<std::uint64_t> words((length + 63) / 64);
        std::vector<bool> plain(length);
        const Bits bits{words.data(), length};
        Stream stream = stream_for(length);
        for (int step = 0; step < 500; ++step) {
            const std::size_t i = stream.below64(length);
            if (stream.chance(0.5)) {
                bits.flip(i);
                plain[i] = !plain[i];
            } else {
                plain[i] = stream.chance(0.5);
                bits.set(i, plain[i]);
            }
        }
        std::size_t ones = 0;
        for (std::size_t i = 0; i < length; ++i) {
            ASSERT_EQ(bits[i], plain[i]);
            ones += plain[i] ? 1U : 0U;
        }
        EXPECT_EQ(bits.count(), ones);
        EXPECT_EQ(BitView{bits}.count(), ones);
    }
}

TEST(CountOnes, EqualsLookingAtEveryBit) {
    for (std::size_t size = 0; size < 200; ++size) {
        std::vector<std::uint64_t> words(size, ~std::uint64_t{0}); // as much as the sums in between can hold
        ASSERT_EQ(count_ones(words), 64 * size);
        Stream stream = stream_for(size);
        std::size_t ones = 0;
        for (std::uint64_t& word : words) {
            word = stream.next64();
            for (unsigned bit = 0; bit < 64; ++bit) ones += word >> bit & 1U;
        }
        ASSERT_EQ(count_ones(words), ones) << size << " words";
    }
}

TEST(Packed, ReadsWhatWasWrittenInEveryWidth) {
    for (unsigned width = 1; width <= 32; ++width) {
        const auto alphabet = static_cast<std::uint32_t>((std::uint64_t{1} << width) - 1);
        for (const std::size_t length : {1U, 2U, 3U, 21U, 64U, 65U, 100U}) {
            const Space space = Space::packed(length, std::max(alphabet, 2U));
            Individual genome{space};
            const auto view = view_as<Packed>(space, genome.bytes());
            GeneList plain(length);
            Stream stream = stream_for(width, static_cast<std::uint32_t>(length));
            for (int step = 0; step < 300; ++step) {
                const std::size_t i = stream.below64(length);
                plain[i] = stream.below(space.alphabet);
                view.set(i, plain[i]);
            }
            ASSERT_EQ(genome.genes(), plain) << width << " bits, length " << length;
            ASSERT_TRUE(genome.valid());
        }
    }
}

template <class Expected>
void expect_visited_as(const Space& space) {
    Individual genome{space};
    visit_genome(space, genome.bytes(),
                 []<class View>(View) { EXPECT_TRUE((std::same_as<View, Expected>)); });
    EXPECT_TRUE(space_fits(space, []<class View>() { return std::same_as<View, Expected>; }));
    const Individual& constant = genome;
    visit_genome(space, constant.bytes(), [&]<class View>(View view) {
        EXPECT_TRUE((std::convertible_to<Expected, View>));
        EXPECT_TRUE(std::is_const_v<typename View::Element>);
        EXPECT_EQ(view.size(), space.length);
    });
}

TEST(VisitGenome, GivesEverySpaceItsView) {
    expect_visited_as<Bits>(Space::bits(9));
    expect_visited_as<Bits>(Space::bits_with_ones(9, 2));
    expect_visited_as<Packed>(Space::packed(9, 5));
    expect_visited_as<Integers<std::uint8_t>>(Space::integers(9, 5));
    expect_visited_as<Integers<std::uint16_t>>(Space::integers(9, 500));
    expect_visited_as<Integers<std::uint32_t>>(Space::integers(9, 500'000));
    expect_visited_as<Permutation<std::uint8_t>>(Space::permutation(9));
    expect_visited_as<Permutation<std::uint16_t>>(Space::permutation(900));
    expect_visited_as<Permutation<std::uint32_t>>(Space::permutation(90'000));
}

TEST(HammingDistance, CountsThePositionsThatDiffer) {
    test::for_each_case(test::all_spaces, [](const Space& space, std::uint64_t seed) {
        Stream stream = stream_for(seed);
        const Individual a{space, stream};
        const Individual b{space, stream};
        const GeneList of_a = a.genes();
        const GeneList of_b = b.genes();
        std::size_t plain = 0;
        for (std::size_t i = 0; i < space.length; ++i) plain += of_a[i] != of_b[i] ? 1U : 0U;
        ASSERT_EQ(hamming_distance(space, a.bytes(), b.bytes()), plain);
        ASSERT_EQ(hamming_distance(space, b.bytes(), a.bytes()), plain);
        ASSERT_EQ(hamming_distance(space, a.bytes(), a.bytes()), 0U);
        const std::vector<GenomePair> pairs{
            {a.bytes(), b.bytes()}, {a.bytes(), a.bytes()}, {b.bytes(), a.bytes()}};
        ASSERT_EQ(add_distances(space, pairs, 5.0), 5.0 + 2.0 * static_cast<double>(plain));
        ASSERT_EQ(add_distances(space, {}, 5.0), 5.0);
    });
}

TEST(ToText, ShowsTheGenes) {
    const auto text = [](const Space& space, const GeneList& genes) {
        return to_text(space, Individual{space, genes}.bytes());
    };
    EXPECT_EQ(text(Space::bits(5), {0, 1, 1, 0, 1}), "01101");
    EXPECT_EQ(text(Space::packed(3, 9), {5, 1, 8}), "[5, 1, 8]");
    EXPECT_EQ(text(Space::integers(3, 200), {5, 1, 199}), "[5, 1, 199]");
    EXPECT_EQ(text(Space::integers(2, 70'000), {65'536, 1}), "[65536, 1]");
    EXPECT_EQ(text(Space::permutation(4), {2, 0, 3, 1}), "[2, 0, 3, 1]");
}

} // namespace
} // namespace knossos::genome_test
