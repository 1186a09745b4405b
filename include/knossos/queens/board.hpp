#pragma once

#include <knossos/core/genome.hpp>
#include <knossos/queens/solver.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace knossos::queens {

/// Queens on an n × n board: what every encoding decodes to. Row 0 is the first rank, column 0 the a-file.
struct Board {
    std::uint32_t size = 0;
    std::vector<Square> queens;

    friend bool operator==(const Board&, const Board&) = default;
};

/// The board of one queen per row: columns[r] is the column of row r's queen.
Board from_columns(std::span<const std::uint32_t> columns);

/// The column of each row's queen; empty if some row has none or more than one.
std::vector<std::uint32_t> to_columns(const Board& board);

/// The board that a genome stands for: packed genes, integers and permutations hold the column of each row,
/// bits are the squares of the board row by row.
Board decode(const Space& space, const std::byte* genome);

/// Whether no queen attacks another and there are as many as rows.
bool is_solution(const Board& board);

/// The queens that stand on a line with another queen, whether or not one stands between them, in the order
/// of the board.
std::vector<bool> attacked(const Board& board);

/// How many queens each queen meets on its lines, whether or not one stands between them, in the order of the
/// board. Both of a pair are charged: they add up to twice the conflicts.
std::vector<std::uint32_t> collisions(const Board& board);

/// Pairs of queens that can capture each other: nearest neighbours on a row, column or diagonal.
std::vector<std::pair<std::size_t, std::size_t>> capturing_pairs(const Board& board);

/// "a1", "c5"; past the 26th file the letters go on as in spreadsheets: aa, ab, …
std::string square_name(Square square);

/// Reads "a1,c5" (also "row:column" pairs counted from 1, such as "1:1, 5:3"). Throws InvalidInput that says
/// which square is wrong and why: not a square, off the board, named twice, or attacked by another of them.
std::vector<Square> parse_squares(std::string_view text, std::uint32_t size);

/// n = 2 and n = 3 are the only boards without a solution.
constexpr bool has_solution(std::uint32_t size) { return size != 0 && size != 2 && size != 3; }

/// How many queens stand in each part of the board, cut into so many columns and rows; the upper rows first.
std::vector<std::uint64_t> count_in_parts(const Board& board, std::uint32_t columns, std::uint32_t rows);

} // namespace knossos::queens
