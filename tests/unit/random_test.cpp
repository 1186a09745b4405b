#include "support.hpp"
#include "targets.hpp"

#include <knossos/core/random.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

namespace knossos::random_test {
namespace {

using test::expect_rate;
using test::expect_shares;
using test::expect_uniform;
using test::stream_for;

// The kat_vectors of Random123, the implementation by the authors of Philox.
static_assert(philox4x32({0, 0, 0, 0}, {0, 0}) ==
              PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});

TEST(Philox, GivesThePublishedAnswers) {
    EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
              (PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    EXPECT_EQ(philox4x32({~0U, ~0U, ~0U, ~0U}, {~0U, ~0U}),
              (PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
              (PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, ManyAtOnceAreWhatEachIsAlone) {
    test::for_each_target([] {
        Stream stream = stream_for(1);
        for (std::size_t count = 0; count <= 70; ++count) {
            const PhiloxKey key{stream.next32(), stream.next32()};
            std::vector<PhiloxBlock> counters(count);
            for (PhiloxBlock& counter : counters)
                for (std::uint32_t& word : counter) word = stream.next32();
            std::vector<PhiloxBlock> blocks = counters;
            philox4x32_each(key, blocks);
            for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(blocks[i], philox4x32(counters[i], key));
        }
    });
}

TEST(Philox, NumbersBelowABoundAreThoseThatAStreamDraws) {
    test::for_each_target([] {
        std::size_t sure = 0;
        std::size_t unsure = 0;
        for (std::size_t count = 0; count <= 70; ++count)
            for (const std::uint32_t bound : {1U, 2U, 10U, 300U, 65'537U, 40'000'000U, 0xFFFFFFFFU}) {
                const StageStreams stage{{7, bound}, count + (1ULL << 40U)};
                std::vector<PhiloxBlock> numbers(count);
                for (std::size_t i = 0; i < count; ++i) numbers[i] = stage.counter(i, 0);
                if (!philox4x32_below(stage.key, bound, numbers)) {
                    ++unsure;
                    continue;
                }
                ++sure;
                for (std::size_t i = 0; i < count; ++i) {
                    Stream stream = stage(i);
                    for (const std::uint32_t number : numbers[i]) ASSERT_EQ(number, stream.below(bound));
                }
            }
        EXPECT_GT(sure, 300U);
        EXPECT_GT(unsure, 70U); // nearly all of the largest bound
    });
}

// Whatever is rejected must be told, in whichever lane it stands.
TEST(Philox, SaysWhenANumberBelowABoundMightBeRejected) {
    test::for_each_target([] {
        constexpr std::uint32_t bound = 40'000'000; // so that about one number in a hundred might
        for (std::uint64_t seed = 0; seed < test::seeds(2000); ++seed) {
            const StageStreams stage = test::stage_for(seed);
            std::vector<PhiloxBlock> blocks(1 + seed % 19);
            bool might_be = false;
            for (std::size_t i = 0; i < blocks.size(); ++i) {
                blocks[i] = stage.counter(i, 0);
                for (const std::uint32_t word : philox4x32(blocks[i], stage.key))
                    might_be |= static_cast<std::uint32_t>(std::uint64_t{word} * bound) < bound;
            }
            ASSERT_EQ(philox4x32_below(stage.key, bound, blocks), !might_be);
        }
    });
}

struct Address {
    std::uint64_t seed;
    std::uint32_t run;
    std::uint32_t island;
    Purpose purpose;
    std::uint64_t generation;
    std::uint32_t slot;

    [[nodiscard]] Stream stream() const { return Streams{seed, run, island}.at(purpose, generation, slot); }
};

struct KnownStream {
    Address address;
    std::array<std::uint32_t, 6> words;
};

// Frozen: a change here changes every result anybody has published with Knossos.
const std::vector<KnownStream> known_streams{
    {{0x0, 0x0, 0x0, Purpose::initialise, 0x0, 0x0},
     {0xb4ecdbea, 0xe599b172, 0xb322edde, 0xa2d58a6b, 0xbe0e0639, 0x78809d22}},
    {{0x1, 0x0, 0x0, Purpose::initialise, 0x0, 0x0},
     {0xbcf3a914, 0x44a529eb, 0x35f9f14a, 0x04a95a2a, 0xbbfef16b, 0x3af5f253}},
    {{0x1, 0x0, 0x0, Purpose::initialise, 0x0, 0x1},
     {0x549daf16, 0x37c62874, 0x59f7ecaa, 0xe692c46c, 0x83d1c7a1, 0x144a8346}},
    {{0x1, 0x0, 0x0, Purpose::select, 0x1, 0x0},
     {0x02fac010, 0xc53f0bea, 0x13e57117, 0x8a55be4e, 0x51cb5fb2, 0x5f581739}},
    {{0x2a, 0x0, 0x0, Purpose::recombine, 0x7, 0x12b},
     {0xa50ecd22, 0x546902c6, 0xaa53cf17, 0x48263f49, 0x08d25b05, 0x8cf2bbcf}},
    {{0x2a, 0x3, 0x0, Purpose::mutate, 0x7, 0x12b},
     {0xd5862a14, 0x8b234734, 0x45b9c36c, 0xec34280a, 0x2cfd6497, 0x2e76139c}},
    {{0x2a, 0x3, 0x5, Purpose::improve, 0xf4240, 0xc},
     {0x68693d68, 0x7a328c31, 0x43fbfaa3, 0xc8950a12, 0xef576b2f, 0x779779e0}},
    {{0x123456789abcdef, 0xffffffff, 0xfffffffe, Purpose::replace, 0xfedcba9876543210, 0xffffffff},
     {0xca14d8a8, 0x14f0ef78, 0x7ab13fbd, 0x487df33b, 0x8a6f529c, 0xb365c389}},
    {{0xffffffffffffffff, 0x1, 0x1, Purpose::migrate, 0x100000000, 0x2},
     {0x30f8d73e, 0xc1974335, 0xcbf6f9f8, 0x7a0beb82, 0x8bd353d7, 0x26228579}},
    {{0x7, 0x0, 0x1, Purpose::diversity, 0x2, 0x0},
     {0xe9b7fb13, 0x522a8dfd, 0x4f7aecb1, 0x3839bc32, 0xb3978255, 0xf00b090b}},
    {{0x8, 0x0, 0x0, Purpose::operations, 0x2, 0x0},
     {0x3d0ececd, 0x62fe9630, 0x72c97e7a, 0x2f4ab72a, 0xdb7fc2f8, 0x60af1aff}},
};

TEST(Streams, GiveTheCommittedWords) {
    for (const KnownStream& known : known_streams) {
        Stream stream = known.address.stream();
        std::array<std::uint32_t, 6> words{};
        for (auto& word : words) word = stream.next32();
        EXPECT_EQ(words, known.words) << "seed " << known.address.seed << ", generation "
                                      << known.address.generation << ", slot " << known.address.slot;
    }
}

TEST(Streams, PurposesKeepTheirNumbers) {
    EXPECT_EQ(static_cast<int>(Purpose::initialise), 0);
    EXPECT_EQ(static_cast<int>(Purpose::select), 1);
    EXPECT_EQ(static_cast<int>(Purpose::recombine), 2);
    EXPECT_EQ(static_cast<int>(Purpose::mutate), 3);
    EXPECT_EQ(static_cast<int>(Purpose::improve), 4);
    EXPECT_EQ(static_cast<int>(Purpose::replace), 5);
    EXPECT_EQ(static_cast<int>(Purpose::migrate), 6);
    EXPECT_EQ(static_cast<int>(Purpose::diversity), 7);
    EXPECT_EQ(static_cast<int>(Purpose::operations), 8);
}

TEST(Streams, AreTheSameFromTheSameAddress) {
    const Address address{99, 3, 2, Purpose::recombine, 1ULL << 40U, 17};
    Stream first = address.stream();
    Stream disturbed = Address{99, 3, 2, Purpose::recombine, 1ULL << 40U, 18}.stream();
    Stream second = address.stream();
    for (int i = 0; i < 1000; ++i) {
        disturbed.next64();
        ASSERT_EQ(first.next32(), second.next32());
    }
}

TEST(Streams, StageStreamsAreThoseOfTheIsland) {
    const Streams streams{5, 1, 2};
    const StageStreams stage{streams.key(Purpose::mutate), 77};
    for (std::uint32_t slot = 0; slot < 100; ++slot) {
        Stream a = streams.at(Purpose::mutate, 77, slot);
        Stream b = stage(slot);
        for (int i = 0; i < 9; ++i) ASSERT_EQ(a.next32(), b.next32());
    }
}

TEST(ForEachStream, GivesTheNumbersOfTheStreamsOneByOne) {
    const StageStreams stage{Streams{5, 1, 2}.key(Purpose::mutate), 77 + (1ULL << 40U)};
    for (const std::size_t count : {0U, 1U, 3U, 4U, 5U, 31U, 32U, 33U, 100U})
        for (std::size_t blocks = 0; blocks <= 8; ++blocks) {
            std::size_t visited = 0;
            const auto slot_of = [](std::size_t i) { return 3 * i + 1; };
            for_each_stream(stage, count, blocks, slot_of, [&](std::size_t i, Stream& stream) {
                ASSERT_EQ(i, visited++);
                Stream alone = stage(slot_of(i));
                for (int draw = 0; draw < 45; ++draw) ASSERT_EQ(stream.next32(), alone.next32());
            });
            EXPECT_EQ(visited, count);
        }
}

TEST(ForEachChosen, VisitsThoseWhoseChanceComesTrueWithTheNumbersAfterIt) {
    const StageStreams stage{Streams{5, 1, 2}.key(Purpose::mutate), 77 + (1ULL << 40U)};
    const auto slot_of = [](std::size_t i) { return 3 * i + 1; };
    for (const std::size_t count : {0U, 1U, 5U, 63U, 64U, 65U, 200U})
        for (const double probability : {0.0, 0.02, 0.2, 0.5, 1.0})
            for (const std::size_t blocks : {0U, 1U, 3U, 8U}) {
                std::vector<std::size_t> expected;
                for (std::size_t i = 0; i < count; ++i)
                    if (stage(slot_of(i)).chance(probability)) expected.push_back(i);
                std::vector<std::size_t> visited;
                for_each_chosen(stage, count, probability, blocks, slot_of,
                                [&](std::size_t i, Stream& stream) {
                                    visited.push_back(i);
                                    Stream alone = stage(slot_of(i));
                                    static_cast<void>(alone.next32());
                                    for (int draw = 0; draw < 45; ++draw)
                                        ASSERT_EQ(stream.next32(), alone.next32());
                                });
                EXPECT_EQ(visited, expected);
            }
}

TEST(StreamsAhead, GivesTheNumbersOfTheStreamsOneByOne) {
    const StageStreams stage{Streams{5, 1, 2}.key(Purpose::mutate), 77 + (1ULL << 40U)};
    for (std::size_t blocks = 0; blocks <= 8; ++blocks) {
        StreamsAhead ahead{stage, blocks};
        // In order, then a step back, far ahead and around the end of the numbers of slots.
        for (const std::size_t first : {0U, 50U, 3U, 1U << 31U, 0xFFFFFFF0U})
            for (std::size_t slot = first; slot < first + 40; ++slot) {
                Stream stream = ahead.from(slot)(slot);
                Stream alone = stage(slot);
                for (int draw = 0; draw < 45; ++draw) ASSERT_EQ(stream.next32(), alone.next32());
                Stream other = ahead.from(slot)(slot + 1000);
                ASSERT_EQ(other.next32(), stage(slot + 1000).next32());
            }
    }
}

// Two streams that have nothing to do with each other differ in half of their bits.
void expect_unrelated(Stream a, Stream b) {
    constexpr int words = 256;
    std::uint64_t differing = 0;
    for (int i = 0; i < words; ++i)
        differing += static_cast<std::uint64_t>(std::popcount(a.next32() ^ b.next32()));
    expect_rate(differing, words * 32, 0.5);
}

TEST(Streams, EveryPartOfTheAddressMatters) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Address base{seed, 1, 2, Purpose::select, 3, 4};
        std::vector<Address> others(10, base);
        others[0].seed ^= 1U;
        others[1].seed ^= 1ULL << 32U;
        others[2].seed ^= 1ULL << 63U;
        others[3].run += 1;
        others[4].island += 1;
        others[5].purpose = Purpose::recombine;
        others[6].generation += 1;
        others[7].generation += 1ULL << 32U;
        others[8].slot += 1;
        std::swap(others[9].run, others[9].island);
        for (const Address& other : others) expect_unrelated(base.stream(), other.stream());
    }
}

TEST(Streams, NeighbouringSlotsShareNoWords) {
    std::set<std::uint64_t> seen;
    const Streams streams{1};
    std::uint64_t drawn = 0;
    for (std::uint64_t generation = 0; generation < 20; ++generation)
        for (std::uint32_t slot = 0; slot < 500; ++slot) {
            Stream stream = streams.at(Purpose::mutate, generation, slot);
            for (int i = 0; i < 4; ++i, ++drawn) seen.insert(stream.next64());
        }
    EXPECT_EQ(seen.size(), drawn);
}

TEST(Streams, FirstWordsOfNeighbouringSlotsAreBalancedInEveryBit) {
    constexpr std::uint32_t slots = 1U << 16U;
    const Streams streams{20};
    std::array<std::uint64_t, 32> ones{};
    std::array<std::uint64_t, 32> changes{};
    std::uint32_t previous = 0;
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
        const std::uint32_t word = streams.at(Purpose::select, 9, slot).next32();
        for (std::size_t bit = 0; bit < 32; ++bit) {
            ones[bit] += word >> bit & 1U;
            changes[bit] += (word ^ previous) >> bit & 1U;
        }
        previous = word;
    }
    for (std::size_t bit = 0; bit < 32; ++bit) {
        expect_rate(ones[bit], slots, 0.5);
        expect_rate(changes[bit], slots, 0.5);
    }
}

TEST(Stream, Next64IsTwoWordsHighFirst) {
    Stream narrow = stream_for(3);
    Stream wide = stream_for(3);
    for (int i = 0; i < 100; ++i) {
        const std::uint64_t high = narrow.next32();
        const std::uint64_t low = narrow.next32();
        ASSERT_EQ(wide.next64(), high << 32U | low);
    }
}

TEST(Stream, BelowIsUniformForEveryBound) {
    for (const std::uint32_t bound : {1U, 2U, 3U, 7U, 10U, 64U, 100U, 1000U}) {
        SCOPED_TRACE(bound);
        Stream stream = stream_for(11, bound);
        std::vector<std::uint64_t> counts(bound);
        for (std::uint32_t i = 0; i < 200 * bound + 10'000; ++i) {
            const std::uint32_t value = stream.below(bound);
            ASSERT_LT(value, bound);
            ++counts[value];
        }
        expect_uniform(counts);
    }
}

// Without rejection a third of the values of such a bound would be twice as likely as the others.
TEST(Stream, BelowIsUniformForBoundsNearTheWordSize) {
    for (const std::uint32_t bound : {0xC0000001U, 0xFFFFFFFFU, 0x80000001U, 0xAAAAAAABU}) {
        SCOPED_TRACE(bound);
        Stream stream = stream_for(12, bound);
        std::vector<std::uint64_t> thirds(3);
        std::array<std::uint64_t, 2> parity{};
        for (int i = 0; i < 60'000; ++i) {
            const std::uint32_t value = stream.below(bound);
            ASSERT_LT(value, bound);
            ++thirds[std::uint64_t{value} * 3 / bound];
            ++parity[value % 2];
        }
        expect_uniform(thirds);
        expect_uniform(parity);
    }
}

TEST(Stream, Below64AgreesWithBelowOnNarrowBounds) {
    for (const std::uint32_t bound : {1U, 2U, 12345U, 0xFFFFFFFFU}) {
        Stream narrow = stream_for(13);
        Stream wide = stream_for(13);
        for (int i = 0; i < 200; ++i) ASSERT_EQ(narrow.below(bound), wide.below64(bound));
    }
}

TEST(Stream, Below64IsUniformForWideBounds) {
    for (const std::uint64_t bound :
         {1ULL << 32U, (1ULL << 32U) + 1, 3ULL << 33U, 5'000'000'000ULL, 1ULL << 63U, ~0ULL}) {
        SCOPED_TRACE(bound);
        Stream stream = stream_for(14, static_cast<std::uint32_t>(bound % 1000));
        std::vector<std::uint64_t> buckets(10);
        std::array<std::uint64_t, 2> parity{};
        for (int i = 0; i < 20'000; ++i) {
            const std::uint64_t value = stream.below64(bound);
            ASSERT_LT(value, bound);
            ++buckets[std::min<std::uint64_t>(value / (bound / 10), 9)];
            ++parity[value % 2];
        }
        expect_uniform(buckets);
        expect_uniform(parity);
    }
}

TEST(Stream, RealIsUniformInTheHalfOpenUnitInterval) {
    Stream stream = stream_for(15);
    std::vector<std::uint64_t> buckets(100);
    double sum = 0.0;
    constexpr int draws = 200'000;
    for (int i = 0; i < draws; ++i) {
        const double value = stream.real();
        ASSERT_GE(value, 0.0);
        ASSERT_LT(value, 1.0);
        ASSERT_EQ(value * 0x1.0p53, std::floor(value * 0x1.0p53));
        ++buckets[static_cast<std::size_t>(value * 100.0)];
        sum += value;
    }
    expect_uniform(buckets);
    EXPECT_NEAR(sum / draws, 0.5, 5.0 / std::sqrt(12.0 * draws));
}

TEST(Stream, ChanceComesTrueAsOftenAsItSays) {
    Stream stream = stream_for(16);
    for (const double probability : {0.001, 0.1, 0.25, 0.5, 0.9, 0.999}) {
        SCOPED_TRACE(probability);
        std::uint64_t hits = 0;
        for (int i = 0; i < 100'000; ++i) hits += stream.chance(probability) ? 1U : 0U;
        expect_rate(hits, 100'000, probability);
    }
}

TEST(Stream, ChanceOfZeroIsNeverAndOfOneAlways) {
    Stream stream = stream_for(17);
    for (int i = 0; i < 100'000; ++i) {
        ASSERT_FALSE(stream.chance(0.0));
        ASSERT_TRUE(stream.chance(1.0));
    }
}

TEST(Stream, ShuffleMakesEveryOrderEquallyLikely) {
    Stream stream = stream_for(18);
    std::array<std::array<int, 4>, 24> orders{};
    std::array<int, 4> order{0, 1, 2, 3};
    for (auto& one : orders) {
        one = order;
        std::ranges::next_permutation(order);
    }
    std::vector<std::uint64_t> counts(24);
    for (int i = 0; i < 48'000; ++i) {
        std::array<int, 4> cards{0, 1, 2, 3};
        stream.shuffle(std::span<int>{cards});
        ++counts[static_cast<std::size_t>(std::ranges::find(orders, cards) - orders.begin())];
    }
    expect_uniform(counts);
}

TEST(Stream, ShuffleKeepsEveryElementAndPutsItAnywhere) {
    for (const std::size_t size : {0U, 1U, 2U, 3U, 17U, 1000U}) {
        std::vector<std::size_t> values(size);
        std::iota(values.begin(), values.end(), 0U);
        Stream stream = stream_for(19, static_cast<std::uint32_t>(size));
        stream.shuffle(std::span{values});
        std::ranges::sort(values);
        for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(values[i], i);
    }
    constexpr std::size_t size = 10;
    std::vector<std::uint64_t> places(size * size);
    for (std::uint32_t round = 0; round < 20'000; ++round) {
        std::array<std::size_t, size> values{};
        std::iota(values.begin(), values.end(), 0U);
        Stream stream = stream_for(20, round);
        stream.shuffle(std::span<std::size_t>{values});
        for (std::size_t i = 0; i < size; ++i) ++places[i * size + values[i]];
    }
    expect_uniform(places);
}

TEST(PortableLog, AgreesWithTheLibrarysLogarithm) {
    Stream stream = stream_for(21);
    double worst = 0.0;
    const auto compare = [&](double x) {
        const double expected = std::log(x);
        const double error = std::abs(portable_log(x) - expected);
        worst = std::max(worst, expected == 0.0 ? error : error / std::abs(expected));
    };
    for (int exponent = -1074; exponent <= 1023; ++exponent)
        for (int i = 0; i < 20; ++i) compare(std::ldexp(1.0 + stream.real(), exponent));
    for (int i = 0; i < 100'000; ++i) compare(1.0 - stream.real());
    for (int distance = 1; distance < 52; ++distance) {
        compare(1.0 + std::ldexp(1.0, -distance));
        compare(1.0 - std::ldexp(1.0, -distance));
    }
    EXPECT_LT(worst, 0x1.0p-49);
}

TEST(PortableLog, IsExactWhereItCanBe) {
    EXPECT_EQ(portable_log(1.0), 0.0);
    EXPECT_EQ(portable_log(2.0), 0x1.62e42fefa39efp-1);
    EXPECT_TRUE(std::isfinite(portable_log(std::numeric_limits<double>::denorm_min())));
    EXPECT_TRUE(std::isfinite(portable_log(std::numeric_limits<double>::max())));
}

// Committed bits: the point of the function is that these are the same everywhere.
TEST(PortableLog, GivesTheCommittedBits) {
    EXPECT_EQ(portable_log(0x1p-1), -0x1.62e42fefa39efp-1);
    EXPECT_EQ(portable_log(0x1.999999999999ap-4), -0x1.26bb1bbb55515p+1);
    EXPECT_EQ(portable_log(0x1.fff2e48e8a71ep-1), -0x1.a3738d2cf1cc2p-14);
    EXPECT_EQ(portable_log(0x1.8p+0), 0x1.9f323ecbf984cp-2);
    EXPECT_EQ(portable_log(0x1.8p+1), 0x1.193ea7aad030ap+0);
    EXPECT_EQ(portable_log(0x1.4p+3), 0x1.26bb1bbb55515p+1);
    EXPECT_EQ(portable_log(0x1.56e1fc2f8f359p-997), -0x1.5963447f87fb5p+9);
    EXPECT_EQ(portable_log(0x1.7e43c8800759cp+996), 0x1.5963447f87fb6p+9);
    EXPECT_EQ(portable_log(0x1p-53), -0x1.25e4f7b2737fap+5);
    EXPECT_EQ(portable_log(0x0.0000000000001p-1022), -0x1.74385446d71c3p+9);
}

TEST(Skips, FollowTheGeometricDistribution) {
    for (const double probability : {0.9, 0.5, 0.3, 0.05}) {
        SCOPED_TRACE(probability);
        const Skips skips{probability};
        Stream stream = stream_for(22);
        constexpr std::size_t cells = 20; // the last one holds everything beyond
        std::vector<std::uint64_t> counts(cells);
        std::vector<double> shares(cells);
        for (int i = 0; i < 100'000; ++i) ++counts[std::min(skips.next(stream), cells - 1)];
        double beyond = 1.0;
        for (std::size_t k = 0; k + 1 < cells; ++k) {
            shares[k] = beyond * probability;
            beyond *= 1.0 - probability;
        }
        shares.back() = beyond;
        // Cells that expect next to nothing are judged together.
        while (shares.size() > 2 && shares.back() * 100'000 < 10.0) {
            shares[shares.size() - 2] += shares.back();
            counts[counts.size() - 2] += counts.back();
            shares.pop_back();
            counts.pop_back();
        }
        expect_shares(counts, shares);
    }
}

TEST(Skips, HaveTheRightMeanForSmallProbabilities) {
    // 1e-6 is where the series takes over from the logarithm.
    for (const double probability : {1e-2, 1e-4, 1.1e-6, 1e-6, 0.9e-6, 1e-9, 1e-12, 1e-15}) {
        SCOPED_TRACE(probability);
        const Skips skips{probability};
        Stream stream = stream_for(23);
        constexpr int draws = 40'000;
        double sum = 0.0;
        for (int i = 0; i < draws; ++i) sum += static_cast<double>(skips.next(stream));
        const double expected = (1.0 - probability) / probability;
        EXPECT_NEAR(sum / draws / expected, 1.0, 5.0 / std::sqrt(draws));
    }
}

TEST(Skips, NeverHitWithProbabilityZeroAndAlwaysWithOne) {
    Stream stream = stream_for(24);
    const Skips none{0.0};
    const Skips all{1.0};
    const Skips hardly{1e-300};
    const Skips least{std::numeric_limits<double>::denorm_min()};
    for (int i = 0; i < 10'000; ++i) {
        ASSERT_EQ(none.next(stream), Skips::never);
        ASSERT_EQ(hardly.next(stream), Skips::never);
        ASSERT_EQ(least.next(stream), Skips::never);
        ASSERT_EQ(all.next(stream), 0U);
    }
}

TEST(ShortSkips, AreTheSkipsAsFarAsTheGenomeGoes) {
    for (const double probability : {0.0, 1.0e-12, 1.0e-6, 0.001, 0.05, 0.5, 0.999, 1.0})
        for (const std::size_t length : {0U, 1U, 2U, 8U, 32U, 100U, 128U, 129U, 300U}) {
            const Skips plain{probability};
            const ShortSkips fast{probability, length};
            for (std::uint64_t seed = 0; seed < test::seeds(400); ++seed) {
                Stream a = stream_for(seed);
                Stream b = stream_for(seed);
                const std::size_t left = seed % (length + 1);
                const std::size_t expected = plain.next(a);
                const std::size_t skip = fast.next(b, left);
                // Past the end they may differ.
                ASSERT_EQ(std::min(skip, left), std::min(expected, left))
                    << probability << ", " << left << " left, seed " << seed;
                ASSERT_EQ(a.next32(), b.next32()); // nor does it draw more or less
            }
        }
}

TEST(ForEachHit, VisitsEveryPositionEquallyOften) {
    for (const double probability : {0.01, 0.2, 0.5, 0.95}) {
        SCOPED_TRACE(probability);
        constexpr std::size_t length = 70;
        constexpr std::uint64_t rounds = 4000;
        const Skips skips{probability};
        std::vector<std::uint64_t> hits(length);
        for (std::uint32_t round = 0; round < rounds; ++round) {
            Stream stream = stream_for(25, round);
            std::size_t last = 0;
            bool any = false;
            for_each_hit(stream, skips, length, [&](std::size_t i) {
                ASSERT_LT(i, length);
                ASSERT_TRUE(!any || i > last) << "positions come in ascending order";
                any = true;
                last = i;
                ++hits[i];
            });
        }
        for (const std::uint64_t count : hits) expect_rate(count, rounds, probability);
        expect_rate(std::accumulate(hits.begin(), hits.end(), std::uint64_t{0}), rounds * length,
                    probability);
    }
}

TEST(ForEachHit, HitsAllOrNothingAtTheEnds) {
    for (const std::size_t length : {0U, 1U, 64U, 1000U}) {
        Stream stream = stream_for(26);
        std::size_t hits = 0;
        for_each_hit(stream, Skips{1.0}, length, [&](std::size_t i) { EXPECT_EQ(i, hits++); });
        EXPECT_EQ(hits, length);
        for_each_hit(stream, Skips{0.0}, length, [&](std::size_t) { ADD_FAILURE() << "hit"; });
    }
}

} // namespace
} // namespace knossos::random_test
