#include "support.hpp"

#include <knossos/queens/problems.hpp>

#include <gtest/gtest.h>

namespace knossos::queens::pseudo_boolean_test {
namespace {

// As the benchmark defines it, line by line.
double plain_value(BitView board, std::size_t n) {
    const auto excess = [&](auto on_line) {
        int queens = 0;
        for (std::size_t row = 0; row < n; ++row)
            for (std::size_t column = 0; column < n; ++column)
                if (board[row * n + column] && on_line(row, column)) ++queens;
        return static_cast<double>(std::max(0, queens - 1));
    };
    double value = static_cast<double>(board.count());
    const auto weight = static_cast<double>(n);
    for (std::size_t line = 0; line < n; ++line) {
        value -= weight * excess([&](std::size_t row, std::size_t) { return row == line; });
        value -= weight * excess([&](std::size_t, std::size_t column) { return column == line; });
    }
    for (std::size_t line = 0; line + 1 < 2 * n; ++line) {
        value -= weight * excess([&](std::size_t row, std::size_t column) { return row + column == line; });
        value -= weight *
                 excess([&](std::size_t row, std::size_t column) { return row + n - 1 - column == line; });
    }
    return value;
}

TEST(PseudoBoolean, AgreesWithItsDefinition) {
    for (std::uint32_t n = 1; n <= 12; ++n) {
        const PseudoBoolean problem{n};
        const Space space = problem.space();
        std::vector<std::uint64_t> words(space.genome_bytes() / 8);
        for (std::uint32_t seed = 0; seed < 50; ++seed) {
            Stream stream = test::stream_for(seed, n);
            const Bits board{words.data(), space.length};
            const double density = stream.real();
            for (std::size_t bit = 0; bit < board.size(); ++bit) board.set(bit, stream.chance(density));
            EXPECT_EQ(problem.evaluate(board), plain_value(board, n)) << "n " << n << ", seed " << seed;
        }
    }
}

TEST(PseudoBoolean, ASolutionIsWorthItsQueens) {
    std::uint64_t word = 0;
    const Bits board{&word, 64};
    const std::array<std::size_t, 8> columns{5, 1, 6, 0, 2, 4, 7, 3};
    for (std::size_t row = 0; row < 8; ++row) board.set(row * 8 + columns[row], true);
    const PseudoBoolean problem{8};
    EXPECT_EQ(problem.evaluate(board), 8.0);
    EXPECT_EQ(problem.target(), 8.0);
    EXPECT_EQ(PseudoBoolean{2}.target(), 1.0);
    EXPECT_EQ(PseudoBoolean{3}.target(), 2.0);
    word = 0;
    EXPECT_EQ(problem.evaluate(board), 0.0);
    word = ~std::uint64_t{0};
    EXPECT_EQ(problem.evaluate(board), 64.0 - 8.0 * (56 + 56 + 49 + 49));
}

TEST(PseudoBoolean, TheTrackerPricesFlipsAsEvaluationWould) {
    for (const std::uint32_t n : {1U, 4U, 7U, 9U}) {
        const PseudoBoolean problem{n};
        const Space space = problem.space();
        std::vector<std::uint64_t> words(space.genome_bytes() / 8);
        const Bits board{words.data(), space.length};
        auto tracker = problem.tracker();
        double value = tracker.start(board);
        Stream stream = test::stream_for(n);
        for (int step = 0; step < 400; ++step) {
            const Flip move{stream.below64(board.size())};
            value += tracker.delta(move);
            tracker.apply(move);
            apply(move, board);
            ASSERT_EQ(value, problem.evaluate(board)) << "n " << n << ", step " << step;
        }
    }
}

} // namespace
} // namespace knossos::queens::pseudo_boolean_test
