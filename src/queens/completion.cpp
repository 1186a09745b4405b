#include "queens/fixed_queens.hpp"

#include <knossos/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

namespace knossos::queens {

namespace {

/// Exhaustive search with a word per direction: bit c of (rising >> r) is square (r, c)'s rising diagonal,
/// bit c of (falling >> (n − 1 − r)) its falling one.
class Completion {
  public:
    explicit Completion(std::uint32_t n) : n_{n}, all_{(std::uint64_t{1} << n) - 1} {}

    [[nodiscard]] bool exists(std::span<const Square> fixed) {
        Board board{.free_rows = static_cast<std::uint32_t>(all_)};
        for (const Square& queen : fixed)
            board = with_queen(board, queen.row, std::uint64_t{1} << queen.column);
        return exists(board);
    }

  private:
    struct Board {
        std::uint32_t free_rows = 0;
        std::uint64_t columns = 0;
        std::uint64_t rising = 0;
        std::uint64_t falling = 0;
    };

    [[nodiscard]] Board with_queen(const Board& board, std::uint32_t row, std::uint64_t column) const {
        return {board.free_rows & ~(1U << row), board.columns | column, board.rising | column << row,
                board.falling | column << (n_ - 1 - row)};
    }

    // Goes on with the row that has the fewest squares left, and turns back as soon as a row or a column has
    // none.
    [[nodiscard]] bool exists(const Board& board) {
        if (board.free_rows == 0) return true;
        std::uint32_t best_row = 0;
        std::uint64_t best_squares = 0;
        int fewest = std::numeric_limits<int>::max();
        std::uint64_t reachable = board.columns;
        for (std::uint32_t rows = board.free_rows; rows != 0; rows &= rows - 1) {
            const auto row = static_cast<std::uint32_t>(std::countr_zero(rows));
            const std::uint64_t squares =
                all_ & ~(board.columns | board.rising >> row | board.falling >> (n_ - 1 - row));
            reachable |= squares;
            const int count = std::popcount(squares);
            if (count >= fewest) continue;
            fewest = count;
            best_row = row;
            best_squares = squares;
        }
        if (fewest == 0 || reachable != all_) return false;
        for (; best_squares != 0; best_squares &= best_squares - 1)
            if (exists(with_queen(board, best_row, best_squares & (~best_squares + 1)))) return true;
        return false;
    }

    std::uint32_t n_;
    std::uint64_t all_;
};

} // namespace

void check_fixed(std::uint32_t n, std::span<const Square> fixed) {
    if (n == 0) throw InvalidInput{"the board has 0 rows; it needs at least 1"};
    std::vector<Square> queens(fixed.begin(), fixed.end());
    for (const Square& queen : queens)
        if (queen.row >= n || queen.column >= n)
            throw InvalidInput{
                fmt::format("the queen in row {}, column {} lies off the board; rows and columns are 0..{}",
                            queen.row, queen.column, n - 1)};
    const auto check_line = [&queens](auto line_of, const char* line_name) {
        std::sort(queens.begin(), queens.end(), [&](Square a, Square b) { return line_of(a) < line_of(b); });
        const auto pair = std::adjacent_find(queens.begin(), queens.end(),
                                             [&](Square a, Square b) { return line_of(a) == line_of(b); });
        if (pair != queens.end())
            throw InvalidInput{
                fmt::format("the queens in row {}, column {} and row {}, column {} attack each other: "
                            "they share a {}",
                            pair[0].row, pair[0].column, pair[1].row, pair[1].column, line_name)};
    };
    check_line([](Square at) { return std::int64_t{at.row}; }, "row");
    check_line([](Square at) { return std::int64_t{at.column}; }, "column");
    check_line([](Square at) { return std::int64_t{at.row} + at.column; }, "diagonal");
    check_line([](Square at) { return std::int64_t{at.row} - at.column; }, "diagonal");
}

bool exists_completion(std::uint32_t n, std::span<const Square> fixed) {
    if (n > largest_exact_completion)
        throw InvalidInput{fmt::format("the board has {} rows; the exact check handles at most {}", n,
                                       largest_exact_completion)};
    check_fixed(n, fixed);
    return Completion{n}.exists(fixed);
}

} // namespace knossos::queens
