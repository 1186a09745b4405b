#include <knossos/armies/board.hpp>

#include "support.hpp"

#include <gtest/gtest.h>

namespace knossos::armies::board_test {
namespace {

Board board_of(std::uint32_t armies, const std::vector<std::string>& rows) {
    Board board{.size = static_cast<std::uint32_t>(rows.size()), .armies = armies, .squares = {}};
    for (const std::string& row : rows)
        for (const char square : row)
            board.squares.push_back(static_cast<std::uint8_t>(square == '.' ? 0 : square - '0'));
    return board;
}

Board random_board(std::uint64_t seed, std::uint32_t queens_in_a_hundred) {
    Stream stream = test::stream_for(seed);
    const std::uint32_t size = 2 + stream.below(9);
    const std::uint32_t armies = 2 + stream.below(7);
    Board board{.size = size, .armies = armies, .squares = {}};
    for (std::uint32_t i = 0; i < size * size; ++i)
        board.squares.push_back(static_cast<std::uint8_t>(
            stream.below(100) < queens_in_a_hundred ? 1 + stream.below(armies) : 0));
    return board;
}

// A twin that walks from each queen to the edges, in all eight directions.
std::size_t attacks_by_walking(const Board& board) {
    const auto size = static_cast<int>(board.size);
    const auto at = [&](int row, int column) {
        return board.squares[static_cast<std::size_t>(row * size + column)];
    };
    std::size_t found = 0;
    for (int row = 0; row < size; ++row)
        for (int column = 0; column < size; ++column)
            for (int down = -1; down <= 1; ++down)
                for (int right = -1; right <= 1; ++right) {
                    if (at(row, column) == 0 || (down == 0 && right == 0)) continue;
                    for (int r = row + down, c = column + right; r >= 0 && c >= 0 && r < size && c < size;
                         r += down, c += right)
                        found += at(r, c) != 0 && at(r, c) != at(row, column) ? 1U : 0U;
                }
    return found / 2; // from both ends
}

} // namespace

TEST(ArmiesBoard, SizesAreCounted) {
    const Board board = board_of(3, {"1.2", "...", "1.."});
    EXPECT_EQ(army_sizes(board), (std::vector<std::uint32_t>{2, 1, 0}));
    EXPECT_EQ(smallest_army(board), 0U);
}

TEST(ArmiesBoard, QueensOfOneArmyDoNotAttackEachOther) {
    EXPECT_TRUE(is_peaceable(board_of(2, {"111", "111", "111"})));
    EXPECT_TRUE(is_peaceable(board_of(2, {"...", "...", "..."})));
}

TEST(ArmiesBoard, RowsColumnsAndDiagonalsAttackPastOthers) {
    for (const auto& rows : std::vector<std::vector<std::string>>{
             {"1.2", "...", "..."}, {"1..", "...", "2.."}, {"1..", "...", "..2"}, {"..1", "...", "2.."}})
        EXPECT_EQ(attacks(board_of(2, rows)).size(), 1U);
    EXPECT_TRUE(is_peaceable(board_of(2, {"1..", "..2", "..."})));
    EXPECT_EQ(attacks(board_of(2, {"112", "...", "..."})).size(), 2U);
}

TEST(ArmiesBoard, AttacksAreThoseFoundByWalking) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const Board board = random_board(seed, 5 + static_cast<std::uint32_t>(seed % 40));
        EXPECT_EQ(attacks(board).size(), attacks_by_walking(board)) << seed;
        EXPECT_EQ(is_peaceable(board), attacks_by_walking(board) == 0) << seed;
    }
}

TEST(ArmiesBoard, ArmiesAreMadeEqualByTakingQueensAway) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const Board before = random_board(seed, 50);
        const Board after = with_equal_armies(before);
        for (const std::uint32_t size : army_sizes(after)) EXPECT_EQ(size, smallest_army(before));
        for (std::size_t i = 0; i < before.squares.size(); ++i)
            EXPECT_TRUE(after.squares[i] == 0 || after.squares[i] == before.squares[i]);
    }
}

} // namespace knossos::armies::board_test
