#pragma once

#include <knossos/armies/board.hpp>
#include <knossos/render/formats.hpp>
#include <knossos/render/picture.hpp>
#include <knossos/render/terminal.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace knossos::armies {

/// The board with a tile for each queen, in the colour of her army and with its number. Lines and rings show
/// who attacks whom, if anybody does. Throws InvalidInput for a cell size that makes the picture too large.
render::Picture board_picture(const Board& board, const render::FormatOptions& options = {});

/// The board as text of at most options.columns columns if it fits: numbers are armies. A line about it
/// below.
std::string board_text(const Board& board, const render::TerminalOptions& options = {});

/// "3 armies of 10 queens each, none attacked".
std::string board_caption(const Board& board);

/// An object with `board`: size, armies, the size of the smallest army, whether they are peaceable, and the
/// rows from the top, where '.' is an empty square and a digit a queen of that army.
std::string board_json(const Board& board);

/// Reads what board_json() writes, also in the result of a run, of which only the rows have to be there, and
/// what board_text() writes without colours, whose armies are counted up to the last that has a queen.
/// Returns nothing if the text is neither; throws InvalidInput with what is wrong and where if it is, but
/// holds no board. `source` names the text in messages.
std::optional<Board> parse_board(std::string_view text, std::string_view source = "board");

} // namespace knossos::armies
