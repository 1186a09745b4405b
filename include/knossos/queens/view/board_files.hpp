#pragma once

#include <knossos/queens/view/board.hpp>
#include <knossos/render/formats.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace knossos::queens {

/// The formats in which a board can be stored, in the order in which they are listed to people.
const std::vector<render::Format>& board_formats();

/// The board in a format, by its name. Throws InvalidInput if there is no such format for boards, it can't
/// hold this one, or there are queens off the board.
std::string render_board(const Board& board, std::string_view format, const BoardOptions& options = {});

/// Writes the board to a file, in the format of its extension. The file appears complete or not at all.
/// Throws InvalidInput as above, InputOutputError if the file can't be written.
void write_board(const std::filesystem::path& path, const Board& board, const BoardOptions& options = {});

} // namespace knossos::queens
