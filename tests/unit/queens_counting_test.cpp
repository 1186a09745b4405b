#include <knossos/core/random.hpp>
#include <knossos/queens/counting.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

namespace knossos::queens::counting_test {
namespace {

Stream stream_for(std::uint64_t seed, std::uint32_t slot) {
    return Streams{seed}.at(Purpose::initialise, 0, slot);
}

template <class Gene>
std::vector<Gene> random_board(std::uint32_t n, bool permutation, Stream& stream) {
    std::vector<Gene> columns(n);
    std::iota(columns.begin(), columns.end(), Gene{0});
    if (permutation)
        stream.shuffle(std::span{columns});
    else
        for (Gene& column : columns) column = static_cast<Gene>(stream.below(n));
    return columns;
}

template <class Gene>
bool attack(const std::vector<Gene>& columns, std::size_t i, std::size_t j) {
    const auto distance = static_cast<std::int64_t>(columns[i]) - static_cast<std::int64_t>(columns[j]);
    return distance == 0 ||
           std::abs(distance) == std::abs(static_cast<std::int64_t>(i) - static_cast<std::int64_t>(j));
}

template <class Gene>
std::uint64_t plain_conflicts(const std::vector<Gene>& columns) {
    std::uint64_t pairs = 0;
    for (std::size_t j = 0; j < columns.size(); ++j)
        for (std::size_t i = 0; i < j; ++i) pairs += attack(columns, i, j) ? 1U : 0U;
    return pairs;
}

// Walks from every queen in the eight directions until it meets another one or the edge.
std::uint64_t plain_captures(BitView board, int n) {
    std::uint64_t total = 0;
    const auto occupied = [&](int row, int column) {
        return board[static_cast<std::size_t>(row * n + column)];
    };
    const auto inside = [n](int row, int column) { return row >= 0 && column >= 0 && row < n && column < n; };
    for (int start = 0; start < n * n; ++start) {
        if (!board[static_cast<std::size_t>(start)]) continue;
        for (int direction = 0; direction < 9; ++direction) {
            const int down = direction / 3 - 1;
            const int right = direction % 3 - 1;
            if (down == 0 && right == 0) continue;
            int row = start / n + down;
            int column = start % n + right;
            while (inside(row, column) && !occupied(row, column)) {
                row += down;
                column += right;
            }
            total += inside(row, column) ? 1U : 0U;
        }
    }
    return total;
}

template <class Gene>
void expect_counts_agree(std::uint32_t n, std::uint32_t seed, CountingScratch& scratch) {
    Stream stream = stream_for(seed, n);
    const auto integers = random_board<Gene>(n, false, stream);
    const auto permutation = random_board<Gene>(n, true, stream);
    ASSERT_EQ(conflicts(std::span{integers}, scratch), plain_conflicts(integers)) << "n = " << n;
    ASSERT_EQ(conflicts(std::span{permutation}, scratch), plain_conflicts(permutation)) << "n = " << n;
    ASSERT_EQ(permutation_conflicts(std::span{permutation}, scratch), plain_conflicts(permutation))
        << "n = " << n;
}

} // namespace

TEST(Counting, ConflictsEqualThePlainPairLoop) {
    CountingScratch scratch;
    for (std::uint32_t n = 1; n <= 140; ++n) {
        for (std::uint32_t seed = 0; seed < 5; ++seed) {
            expect_counts_agree<std::uint8_t>(n, seed, scratch);
            expect_counts_agree<std::uint16_t>(n, seed, scratch);
            expect_counts_agree<std::uint32_t>(n, seed, scratch);
        }
    }
    expect_counts_agree<std::uint16_t>(1000, 1, scratch);
    expect_counts_agree<std::uint32_t>(3000, 1, scratch);
}

TEST(Counting, OneDiagonalHoldsEveryPair) {
    CountingScratch scratch;
    for (const std::uint32_t n : {1U, 2U, 8U, 64U, 65U, 200U, 1000U}) {
        std::vector<std::uint32_t> columns(n);
        std::iota(columns.begin(), columns.end(), 0U);
        const std::uint64_t pairs = std::uint64_t{n} * (n - 1) / 2;
        EXPECT_EQ(permutation_conflicts(std::span<const std::uint32_t>{columns}, scratch), pairs);
        const std::vector<std::uint32_t> falling(columns.rbegin(), columns.rend());
        EXPECT_EQ(permutation_conflicts(std::span{falling}, scratch), pairs);
        const std::vector<std::uint32_t> upright(n, n - 1);
        EXPECT_EQ(conflicts(std::span{upright}, scratch), pairs);
    }
}

TEST(Counting, CollisionsChargeBothQueens) {
    CountingScratch scratch;
    for (std::uint32_t n = 1; n <= 80; ++n) {
        Stream stream = stream_for(7, n);
        const auto columns = random_board<std::uint16_t>(n, false, stream);
        std::vector<std::uint32_t> each(n);
        collisions_of_each(std::span{columns}, each, scratch);
        std::uint64_t total = 0;
        for (std::size_t i = 0; i < n; ++i) {
            std::uint32_t met = 0;
            for (std::size_t j = 0; j < n; ++j) met += i != j && attack(columns, i, j) ? 1U : 0U;
            EXPECT_EQ(each[i], met);
            total += met;
        }
        EXPECT_EQ(collisions(std::span{columns}, scratch), total);
    }
}

TEST(Counting, FoundingSolutionHasNoConflict) {
    CountingScratch scratch;
    const std::vector<std::uint8_t> columns{5, 1, 6, 0, 2, 4, 7, 3};
    EXPECT_EQ(conflicts(std::span{columns}, scratch), 0U);
}

TEST(Counting, RandomPermutationsHaveTheExpectedMean) {
    CountingScratch scratch;
    for (const std::uint32_t n : {8U, 50U, 300U}) {
        constexpr int samples = 4000;
        double sum = 0.0;
        double squares = 0.0;
        for (int sample = 0; sample < samples; ++sample) {
            Stream stream = stream_for(11, static_cast<std::uint32_t>(sample));
            const auto columns = random_board<std::uint16_t>(n, true, stream);
            const auto value = static_cast<double>(permutation_conflicts(std::span{columns}, scratch));
            sum += value;
            squares += value * value;
        }
        const double mean = sum / samples;
        const double error = std::sqrt((squares / samples - mean * mean) / samples);
        EXPECT_NEAR(mean, (2.0 * n - 1.0) / 3.0, 5.0 * error) << "n = " << n;
    }
}

TEST(Counting, CapturesEqualWalkingTheEightDirections) {
    CountingScratch scratch;
    for (std::uint32_t n = 1; n <= 70; ++n) {
        for (std::uint32_t trial = 0; trial < 8; ++trial) {
            Stream stream = stream_for(trial, n);
            std::vector<std::uint64_t> words((n * n + 63) / 64);
            const Bits board{words.data(), n * n};
            // From a single queen over n of them to a crowded board.
            const std::uint32_t queens = trial == 0 ? 1 : trial < 5 ? n : n * n / 2;
            for (std::uint32_t queen = 0; queen < queens; ++queen) board.set(stream.below(n * n), true);
            ASSERT_EQ(captures(board, n, scratch), plain_captures(board, static_cast<int>(n))) << "n = " << n;
        }
    }
}

TEST(Counting, CapturesOfOneWordBoards) {
    EXPECT_EQ(captures_8x8(0), 0U);
    EXPECT_EQ(captures_8x8(1), 0U);
    CountingScratch scratch;
    Stream stream = stream_for(3, 0);
    for (int trial = 0; trial < 2000; ++trial) {
        std::uint64_t word = stream.next64();
        if (trial % 2 == 0) word &= stream.next64() & stream.next64();
        EXPECT_EQ(captures_8x8(word), plain_captures({&word, 64}, 8));
    }
}

TEST(Counting, BlockedQueensAreNotCaptured) {
    // Three queens in a row: the outer two can't capture each other, so four captures and not six.
    CountingScratch scratch;
    const std::uint64_t word = 0b111;
    EXPECT_EQ(captures({&word, 9}, 3, scratch), 4U);
}

} // namespace knossos::queens::counting_test
