#include "targets.hpp"

#include <knossos/core/error.hpp>
#include <knossos/core/random.hpp>
#include <knossos/queens/conflict_batch.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <vector>

namespace knossos::queens::conflict_batch_test {
namespace {

using test::for_each_target;

template <class Gene>
struct RandomBoards {
    std::size_t stride;
    std::vector<std::byte> bytes;

    RandomBoards(std::uint32_t n, std::size_t count, bool permutations, std::size_t gap)
        : stride{n * sizeof(Gene) + gap}, bytes(stride * count) {
        std::vector<Gene> columns(n);
        for (std::size_t board = 0; board < count; ++board) {
            Stream stream = Streams{n}.at(Purpose::initialise, 0, static_cast<std::uint32_t>(board));
            std::iota(columns.begin(), columns.end(), Gene{0});
            // The first two boards are extreme: everything on one diagonal, everything in one column.
            if (permutations && board > 0) stream.shuffle(std::span{columns});
            if (!permutations && board > 0)
                for (Gene& column : columns) column = static_cast<Gene>(board == 1 ? n - 1 : stream.below(n));
            std::memcpy(bytes.data() + board * stride, columns.data(), n * sizeof(Gene));
        }
    }
};

template <class Gene>
std::vector<double> one_by_one(const RandomBoards<Gene>& boards, std::uint32_t n,
                               const std::vector<std::uint32_t>& rows) {
    CountingScratch scratch;
    std::vector<double> values;
    std::vector<Gene> columns(n);
    for (const std::uint32_t row : rows) {
        std::memcpy(columns.data(), boards.bytes.data() + row * boards.stride, n * sizeof(Gene));
        values.push_back(static_cast<double>(conflicts(std::span<const Gene>{columns}, scratch)));
    }
    return values;
}

template <class Gene>
void expect_batches_agree(std::uint32_t n, std::size_t count, std::size_t gap) {
    for (const bool permutations : {true, false}) {
        const RandomBoards<Gene> boards{n, count, permutations, gap};
        std::vector<std::uint32_t> rows(count);
        std::iota(rows.begin(), rows.end(), 0U);
        BatchScratch scratch;
        std::vector<double> out(count + 1, -1.0);
        BoardBatch batch{.boards = boards.bytes.data(),
                         .stride = boards.stride,
                         .count = count,
                         .n = n,
                         .gene_bytes = sizeof(Gene),
                         .permutations = permutations};
        std::vector<double> expected = one_by_one(boards, n, rows);
        expected.push_back(-1.0); // nothing past the end is written
        count_conflicts(batch, out, scratch);
        ASSERT_EQ(out, expected) << "n = " << n << ", count = " << count;

        for (std::size_t i = 0; i < count; ++i) rows[i] = static_cast<std::uint32_t>(i * 7 % count);
        batch.rows = rows.data();
        expected = one_by_one(boards, n, rows);
        out.resize(count);
        count_conflicts(batch, out, scratch);
        ASSERT_EQ(out, expected) << "n = " << n << ", count = " << count << ", by index";
    }
}

} // namespace

TEST(ConflictBatch, EveryTargetAndSizeEqualsTheCounters) {
    for_each_target([] {
        for (std::uint32_t n = 1; n <= 134; ++n) {
            expect_batches_agree<std::uint8_t>(n, 1 + n % 70, 8 - n % 8);
            expect_batches_agree<std::uint16_t>(n, 40, n % 8 * 2);
        }
        expect_batches_agree<std::uint8_t>(8, 1000, 0);
        expect_batches_agree<std::uint8_t>(256, 20, 0);
        expect_batches_agree<std::uint32_t>(65, 65, 4);
        for (const std::uint32_t n : {257U, 600U, 1000U, 5000U}) expect_batches_agree<std::uint16_t>(n, 9, 0);
        expect_batches_agree<std::uint32_t>(70'000, 3, 0);
    });
}

TEST(ConflictBatch, BoardsWithoutPaddingAreNotReadPast) {
    // Strides that aren't whole words: the last board ends where the memory ends.
    for_each_target([] {
        for (std::uint32_t n = 1; n <= 40; ++n)
            for (const std::size_t count : {31U, 33U}) // a tile that isn't full, and a board beyond one
                expect_batches_agree<std::uint8_t>(n, count, 0);
    });
}

TEST(ConflictBatch, EmptyBatchesAndBoards) {
    BatchScratch scratch;
    std::vector<double> out{-1.0};
    count_conflicts({.boards = nullptr, .stride = 8, .count = 0, .n = 8}, out, scratch);
    EXPECT_EQ(out[0], -1.0);
}

TEST(ConflictBatch, RejectsBatchesThatContradictThemselves) {
    BatchScratch scratch;
    std::vector<double> out(2);
    const std::vector<std::byte> bytes(64);
    BoardBatch batch{.boards = bytes.data(), .stride = 8, .count = 2, .n = 8, .gene_bytes = 3};
    EXPECT_THROW(count_conflicts(batch, out, scratch), InvalidInput);
    batch.gene_bytes = 2;
    EXPECT_THROW(count_conflicts(batch, out, scratch), InvalidInput);
    batch.gene_bytes = 1;
    batch.count = 3;
    EXPECT_THROW(count_conflicts(batch, out, scratch), InvalidInput);
}

} // namespace knossos::queens::conflict_batch_test
