#pragma once

#include <knossos/queens/board.hpp>
#include <knossos/render/picture.hpp>
#include <knossos/render/terminal.hpp>

#include <cstdint>
#include <string>

namespace knossos::queens {

/// How a board is drawn. A cell size of 0 means one that suits the board.
struct BoardOptions {
    render::Theme theme = render::light;
    std::uint32_t cell = 0;        ///< pixels a square
    std::uint32_t max_side = 1600; ///< pixels a side, when the cell size is chosen for you
    bool coordinates = true;       ///< a–h and 1–8 along the edges, where squares have room for them
};

/// The queen in a square from (0, 0) to (1, 1), to be filled; without detail where it will be small.
const render::Path& queen_outline(double cell);

/// Boards of up to this size are drawn square by square; larger ones show where their queens lie.
inline constexpr std::uint32_t largest_full_board = 200;

/// Draws the board with row 0 at the bottom: attacking queens are ringed and joined by lines, a solution has
/// a hairline around it. Beyond largest_full_board queens are dots, and where dots would run together the
/// picture shows how many stand in each part of the board. Throws InvalidInput for an empty board or a cell
/// size that makes the picture too large.
render::Picture board_picture(const Board& board, const BoardOptions& options = {});

/// The board as text of at most options.columns columns, with a line of numbers below. Large boards are
/// summarised by how many queens stand in each part.
std::string board_text(const Board& board, const render::TerminalOptions& options = {});

/// Every square of the board in plain characters, as text files hold it, with the line of numbers below.
/// Throws InvalidInput beyond largest_text_board, where it would take megabytes.
std::string board_squares(const Board& board);
inline constexpr std::uint32_t largest_text_board = 1'000;

/// Pairs of queens on one line, each pair once. O(n).
std::uint64_t board_conflicts(const Board& board);

/// "8 queens, solved", "8 queens, 3 pairs attack each other". The conflicts are those of board_conflicts():
/// counting them takes a second or so on the largest boards and should be done once.
std::string board_caption(const Board& board, std::uint64_t conflicts);
inline std::string board_caption(const Board& board) { return board_caption(board, board_conflicts(board)); }
inline bool is_solved(const Board& board, std::uint64_t conflicts) {
    return conflicts == 0 && board.size > 0 && board.queens.size() == board.size;
}

/// The column of each row from the first, counted from 0, in one line. Throws InvalidInput if some row holds
/// no queen or several.
std::string board_rows(const Board& board);

/// Forsyth–Edwards notation, for 8 × 8 alone: throws InvalidInput otherwise.
std::string board_fen(const Board& board);

/// A header and "row,column" per queen, both counted from 0.
std::string board_csv(const Board& board);

/// An object with size, columns (or squares as [row, column], if some row does not hold exactly one queen),
/// solved, conflicts and, where there are any, the collisions of each queen in that order.
std::string board_json(const Board& board);

} // namespace knossos::queens
