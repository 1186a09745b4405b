#include "support.hpp"

#include <knossos/queens/board.hpp>
#include <knossos/queens/counting.hpp>

#include <gtest/gtest.h>

#include <set>

namespace knossos::queens::board_test {
namespace {

using test::expect_mentions;
using test::message_of;

Board random_board(std::uint32_t size, std::uint64_t seed) {
    Stream stream = test::stream_for(seed, size);
    const double density = stream.real();
    Board board{.size = size, .queens = {}};
    for (std::uint32_t row = 0; row < size; ++row)
        for (std::uint32_t column = 0; column < size; ++column)
            if (stream.chance(density)) board.queens.push_back({row, column});
    // The order of queens is the board's own.
    stream.shuffle(std::span{board.queens});
    return board;
}

bool on_one_line(Square a, Square b) {
    return a.row == b.row || a.column == b.column || a.row + a.column == b.row + b.column ||
           a.row + b.column == b.row + a.column;
}

TEST(Board, AttackedQueensHaveAnotherOnTheirLines) {
    for (const std::uint32_t size : {1U, 2U, 5U, 8U, 13U})
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            const Board board = random_board(size, seed);
            const std::vector<bool> found = attacked(board);
            ASSERT_EQ(found.size(), board.queens.size());
            for (std::size_t i = 0; i < found.size(); ++i) {
                bool expected = false;
                for (std::size_t j = 0; j < found.size(); ++j)
                    expected = expected || (i != j && on_one_line(board.queens[i], board.queens[j]));
                ASSERT_EQ(found[i], expected) << square_name(board.queens[i]);
            }
        }
}

TEST(Board, EveryQueenIsChargedForEachThatItMeets) {
    for (const std::uint32_t size : {1U, 2U, 5U, 8U, 13U})
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            const Board board = random_board(size, seed);
            const std::vector<std::uint32_t> found = collisions(board);
            ASSERT_EQ(found.size(), board.queens.size());
            for (std::size_t i = 0; i < found.size(); ++i) {
                std::uint32_t expected = 0;
                for (std::size_t j = 0; j < found.size(); ++j)
                    if (i != j && on_one_line(board.queens[i], board.queens[j])) ++expected;
                ASSERT_EQ(found[i], expected) << square_name(board.queens[i]);
            }
        }
}

TEST(Board, CapturingPairsAreHalfTheCaptures) {
    CountingScratch scratch;
    for (const std::uint32_t size : {1U, 2U, 5U, 8U, 13U})
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            const Board board = random_board(size, seed);
            const Space space = Space::bits(std::size_t{size} * size);
            test::GeneList squares(space.length);
            for (const Square queen : board.queens) squares[queen.row * size + queen.column] = 1;
            const test::Individual bits{space, squares};
            const auto pairs = capturing_pairs(board);
            ASSERT_EQ(2 * pairs.size(), captures(view_as<BitView>(space, bits.bytes()), size, scratch));
            for (const auto& [first, second] : pairs)
                ASSERT_TRUE(on_one_line(board.queens[first], board.queens[second]));
        }
}

TEST(Board, IsASolutionOnlyWithAQueenInEveryRow) {
    EXPECT_TRUE(is_solution(from_columns(std::vector<std::uint32_t>{1, 3, 0, 2})));
    EXPECT_FALSE(is_solution(from_columns(std::vector<std::uint32_t>{0, 1, 2, 3})));
    EXPECT_FALSE(is_solution(Board{}));
    EXPECT_FALSE(is_solution(Board{.size = 4, .queens = {{0, 1}, {1, 3}, {2, 0}}}));
    EXPECT_FALSE(is_solution(Board{.size = 4, .queens = {{0, 1}, {0, 3}, {2, 0}, {3, 2}}}));
    EXPECT_TRUE(to_columns(Board{.size = 4, .queens = {{0, 1}, {0, 3}, {2, 0}, {3, 2}}}).empty());
    for (const std::uint32_t without : {0U, 2U, 3U}) EXPECT_FALSE(has_solution(without));
    for (const std::uint32_t with : {1U, 4U, 1000U}) EXPECT_TRUE(has_solution(with));
}

TEST(Squares, HaveNamesThatReadBack) {
    EXPECT_EQ(square_name({0, 0}), "a1");
    EXPECT_EQ(square_name({4, 25}), "z5");
    EXPECT_EQ(square_name({0, 26}), "aa1");
    EXPECT_EQ(square_name({0, 701}), "zz1");
    EXPECT_EQ(square_name({0, 702}), "aaa1");
    std::set<std::string> names;
    for (std::uint32_t column = 0; column < 1000; ++column) {
        const Square square{column / 2, column};
        names.insert(square_name(square));
        EXPECT_EQ(parse_squares(square_name(square), 1000), std::vector<Square>{square});
    }
    EXPECT_EQ(names.size(), 1000U);
}

TEST(Squares, AreReadInBothSpellings) {
    const std::vector<Square> expected{{0, 0}, {4, 2}};
    EXPECT_EQ(parse_squares("a1,c5", 8), expected);
    EXPECT_EQ(parse_squares(" a1\n c5\t", 8), expected);
    EXPECT_EQ(parse_squares("1:1, 5:3", 8), expected);
    EXPECT_EQ(parse_squares("", 8), std::vector<Square>{});
}

TEST(Squares, ThatCanNotBeAreRefusedByName) {
    const auto refused = [](std::string_view text) { return message_of([&] { parse_squares(text, 8); }); };
    for (const auto* text :
         {"c", "5", "c0", "c-1", "C5", "5:", ":3", "0:3", "x:y", "c5x", "zzzzzzzzzzzz1", "c99999999999"})
        expect_mentions(refused(text), {std::string{"'"} + text + "'", "such as c5"});
    expect_mentions(refused("a1,i3"), {"i3", "off the board", "n = 8", "h8"});
    expect_mentions(refused("9:1"), {"9:1", "off the board"});
    expect_mentions(refused("c5,a2,c5"), {"c5", "named twice"});
    expect_mentions(refused("a1,h8"), {"a1", "h8", "attack each other"});
    expect_mentions(refused("a8,h1"), {"attack each other"});
    expect_mentions(refused("a1,f1"), {"attack each other"});
}

} // namespace
} // namespace knossos::queens::board_test
