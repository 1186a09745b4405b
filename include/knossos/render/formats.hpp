#pragma once

#include <knossos/queens/board.hpp>
#include <knossos/render/board.hpp>
#include <knossos/render/level.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace knossos::render {

/// What the formats may be told; each takes what concerns it.
struct FormatOptions {
    BoardOptions board{};
    LevelOptions level{};
    TerminalOptions text{};
};

/// A file that belongs to a result. The name is empty for the file that was asked for, else that of a file
/// beside it.
struct NamedBytes {
    std::string name{};
    std::string bytes{};
};

/// A way to store a result. The first extension is the usual one.
struct Format {
    std::string_view name;
    std::vector<std::string_view> extensions;
    std::string_view meaning; ///< one line for people
    std::string_view media_type;
    /// Null where the format is not for boards, or not for levels. `stem` is the name of the file without its
    /// extension, from which files beside it are named.
    std::string (*board)(const queens::Board& board, const FormatOptions& options) = nullptr;
    std::vector<NamedBytes> (*level)(const maze::Level& level, const FormatOptions& options,
                                     std::string_view stem) = nullptr;
};

/// Every format, in the order in which they are listed to people.
std::span<const Format> formats();

/// The format with this name or extension. Throws InvalidInput with the nearest name.
const Format& format_named(std::string_view name);

/// The format that the extension of a file's name asks for. Throws InvalidInput with the nearest extension.
const Format& format_of(std::string_view path);

/// The board in a format. Throws InvalidInput if the format can't hold it, or it has queens off the board.
std::string render_board(const queens::Board& board, const Format& format, const FormatOptions& options = {});

/// Writes the board to a file, in the format of its extension. The file appears complete or not at all.
/// Throws InvalidInput as above, InputOutputError if the file can't be written.
void write_board(const std::filesystem::path& path, const queens::Board& board,
                 const FormatOptions& options = {});
void write_board(const std::filesystem::path& path, const queens::Board& board, const Format& format,
                 const FormatOptions& options = {});

/// The maze in a format: the file itself first, then those that go beside it. Pockets that nobody can reach
/// are filled with rock unless options.level.keep_pockets. Throws InvalidInput if the format is not for
/// mazes.
std::vector<NamedBytes> render_level(const maze::Level& level, const Format& format,
                                     const FormatOptions& options = {}, std::string_view stem = "level");

/// Writes the maze, and what belongs to it, as write_board() does.
void write_level(const std::filesystem::path& path, const maze::Level& level,
                 const FormatOptions& options = {});
void write_level(const std::filesystem::path& path, const maze::Level& level, const Format& format,
                 const FormatOptions& options = {});

} // namespace knossos::render
