#pragma once

#include <knossos/queens/board.hpp>
#include <knossos/render/board.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace knossos::render {

/// What the formats may be told; each takes what concerns it.
struct FormatOptions {
    BoardOptions board{};
    TerminalOptions text{};
};

/// A way to store a result. The first extension is the usual one.
struct Format {
    std::string_view name;
    std::vector<std::string_view> extensions;
    std::string_view meaning; ///< one line for people
    std::string_view media_type;
    std::string (*board)(const queens::Board&, const FormatOptions&) = nullptr; ///< null: not for boards
};

/// Every format, in the order in which they are listed to people.
std::span<const Format> formats();

/// The format with this name or extension. Throws InvalidInput with the nearest name.
const Format& format_named(std::string_view name);

/// The format that a file's extension asks for. Throws InvalidInput with the nearest extension.
const Format& format_of(const std::filesystem::path& path);

/// The board in a format. Throws InvalidInput if the format can't hold it, or it has queens off the board.
std::string render_board(const queens::Board& board, const Format& format, const FormatOptions& options = {});

/// Writes the board to a file, in the format of its extension. The file appears complete or not at all.
/// Throws InvalidInput as above, InputOutputError if the file can't be written.
void write_board(const std::filesystem::path& path, const queens::Board& board,
                 const FormatOptions& options = {});
void write_board(const std::filesystem::path& path, const queens::Board& board, const Format& format,
                 const FormatOptions& options = {});

} // namespace knossos::render
