#pragma once

#include <knossos/queens/board.hpp>

#include <filesystem>
#include <optional>
#include <string_view>

namespace knossos::queens {

/// Reads a board that Knossos wrote or that someone typed: a row list (the column of each row's queen, from
/// 0), CSV with the header row,column, a FEN of queens, squares as board_squares() writes them, or JSON: an
/// array of columns, an object with `columns`, `board` or `squares`, or the result of a run. Returns nothing
/// if the text is none of these; throws InvalidInput with what is wrong and where if it is one but holds no
/// board. `source` names the text in messages.
std::optional<Board> parse_board(std::string_view text, std::string_view source = "board");

} // namespace knossos::queens
