#include "support.hpp"

#include <knossos/core/error.hpp>
#include <knossos/core/random.hpp>
#include <knossos/queens/conflict_batch.hpp>
#include <knossos/queens/counting.hpp>
#include <knossos/queens/problems.hpp>
#include <knossos/queens/solver.hpp>
#include <knossos/queens/symmetry.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace knossos::queens::symmetry_test {
namespace {

using Columns = std::vector<std::uint32_t>;

Columns random_permutation(std::uint32_t n, std::uint64_t seed) {
    Columns board(n);
    std::iota(board.begin(), board.end(), 0U);
    Stream stream = Streams{seed}.at(Purpose::initialise, 0, n);
    stream.shuffle(std::span{board});
    return board;
}

std::uint64_t conflicts_of(const Columns& board) {
    CountingScratch scratch;
    return conflicts(std::span{board}, scratch);
}

// Every solution, row by row.
void enumerate(std::uint32_t n, Columns& board, std::vector<Columns>& solutions) {
    const auto row = static_cast<std::uint32_t>(board.size());
    if (row == n) {
        solutions.push_back(board);
        return;
    }
    for (std::uint32_t column = 0; column < n; ++column) {
        bool free = true;
        for (std::uint32_t r = 0; r < row && free; ++r)
            free = board[r] != column && board[r] + r != column + row && board[r] + row != column + r;
        if (!free) continue;
        board.push_back(column);
        enumerate(n, board, solutions);
        board.pop_back();
    }
}

std::vector<Columns> all_solutions(std::uint32_t n) {
    std::vector<Columns> solutions;
    Columns board;
    enumerate(n, board, solutions);
    return solutions;
}

} // namespace

TEST(Symmetry, ImagesHaveEqualConflicts) {
    std::vector<std::uint32_t> sizes(70);
    std::iota(sizes.begin(), sizes.end(), 1U);
    sizes.insert(sizes.end(), {127, 128, 129, 256, 257, 1000, 4096, 100'000});
    BatchScratch scratch;
    for (const std::uint32_t n : sizes) {
        for (std::uint64_t seed = 0; seed < (n < 1000 ? 20 : 1); ++seed) {
            const Columns board = random_permutation(n, seed);
            Columns images;
            for (const Symmetry symmetry : symmetries) {
                const Columns image = transform(board, symmetry);
                images.insert(images.end(), image.begin(), image.end());
            }
            std::vector<double> counted(symmetries.size());
            count_conflicts({.boards = reinterpret_cast<const std::byte*>(images.data()),
                             .stride = n * sizeof(std::uint32_t),
                             .count = symmetries.size(),
                             .n = n,
                             .gene_bytes = sizeof(std::uint32_t)},
                            counted, scratch);
            const auto expected = static_cast<double>(conflicts_of(board));
            ASSERT_EQ(counted, std::vector<double>(symmetries.size(), expected)) << "n = " << n;
        }
    }
}

// Any queens on any squares, as bits.
TEST(Symmetry, ImagesOfBitBoardsAreWorthTheSame) {
    for (const std::uint32_t n : {1U, 2U, 3U, 5U, 7U, 8U, 9U, 16U, 23U, 63U, 64U, 65U, 130U})
        for (std::uint32_t seed = 0; seed < (n < 60 ? 20U : 3U); ++seed) {
            const Space space = Space::bits(std::size_t{n} * n);
            Stream stream = test::stream_for(seed, n);
            const double density = stream.real();
            test::GeneList squares(space.length);
            for (std::uint32_t& square : squares) square = stream.chance(density) ? 1 : 0;
            std::set<std::vector<double>> values;
            for (unsigned symmetry = 0; symmetry < 8; ++symmetry) {
                test::GeneList image(space.length);
                for (std::size_t bit = 0; bit < space.length; ++bit) {
                    std::size_t row = bit / n;
                    std::size_t column = bit % n;
                    if ((symmetry & 1U) != 0) column = n - 1 - column;
                    if ((symmetry & 2U) != 0) row = n - 1 - row;
                    if ((symmetry & 4U) != 0) std::swap(row, column);
                    image[row * n + column] = squares[bit];
                }
                const test::Individual genome{space, image};
                const BitView board = view_as<BitView>(space, genome.bytes());
                values.insert({BitBoards{n, Counting::conflicts}.evaluate(board),
                               BitBoards{n, Counting::captures}.evaluate(board),
                               PseudoBoolean{n}.evaluate(board)});
            }
            ASSERT_EQ(values.size(), 1U) << "n " << n << ", seed " << seed;
        }
}

TEST(Symmetry, TheEightFormAGroup) {
    const Columns board = random_permutation(9, 1);
    ASSERT_EQ(orbit(board).size(), 8U);
    std::set<Columns> images;
    for (const Symmetry first : symmetries) {
        for (const Symmetry second : symmetries) {
            const Columns both = transform(transform(board, first), second);
            images.insert(both);
            EXPECT_EQ(canonical(both), canonical(board));
        }
    }
    EXPECT_EQ(images.size(), 8U);
}

TEST(Symmetry, TurnsAreTurns) {
    const Columns board = random_permutation(7, 2);
    const Columns quarter = transform(board, Symmetry::quarter_turn);
    EXPECT_NE(quarter, board);
    const Columns half = transform(quarter, Symmetry::quarter_turn);
    EXPECT_EQ(half, transform(board, Symmetry::half_turn));
    EXPECT_EQ(transform(half, Symmetry::quarter_turn), transform(board, Symmetry::three_quarter_turn));
    EXPECT_EQ(transform(half, Symmetry::half_turn), board);
    EXPECT_EQ(transform(transform(board, Symmetry::transpose), Symmetry::transpose), board);
    EXPECT_EQ(transform(transform(board, Symmetry::antitranspose), Symmetry::antitranspose), board);
}

TEST(Symmetry, ExactlyOneBoardOfAnOrbitIsFundamental) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const auto images = orbit(random_permutation(5, seed));
        EXPECT_EQ(8 % images.size(), 0U);
        EXPECT_EQ(std::count_if(images.begin(), images.end(),
                                [](const Columns& image) { return is_fundamental(image); }),
                  1);
        EXPECT_TRUE(is_fundamental(images.front()));
    }
}

TEST(Symmetry, SolutionsAndFundamentalSolutionsHaveTheKnownCounts) {
    const std::vector<std::size_t> solutions{1, 0, 0, 2, 10, 4, 40, 92, 352, 724};
    const std::vector<std::size_t> fundamental{1, 0, 0, 1, 2, 1, 6, 12, 46, 92};
    for (std::uint32_t n = 1; n <= 10; ++n) {
        const auto boards = all_solutions(n);
        EXPECT_EQ(boards.size(), solutions[n - 1]);
        std::size_t in_orbits = 0;
        std::size_t count = 0;
        for (const Columns& board : boards) {
            EXPECT_TRUE(is_solution(board));
            if (!is_fundamental(board)) continue;
            ++count;
            in_orbits += orbit(board).size();
        }
        EXPECT_EQ(count, fundamental[n - 1]);
        EXPECT_EQ(in_orbits, boards.size());
    }
}

TEST(Symmetry, OnlyPermutationsHaveImages) {
    EXPECT_THROW(transform(Columns{0, 0, 1}, Symmetry::transpose), InvalidInput);
    EXPECT_THROW(canonical(Columns{0, 3, 1}), InvalidInput);
    EXPECT_TRUE(transform(Columns{}, Symmetry::half_turn).empty());
}

} // namespace knossos::queens::symmetry_test
