#include <knossos/core/error.hpp>
#include <knossos/core/text.hpp>
#include <knossos/render/formats.hpp>

#include "file.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace knossos::render {

namespace {

using queens::Board;

std::string svg_board(const Board& board, const FormatOptions& options) {
    return to_svg(board_picture(board, options.board));
}

std::string png_board(const Board& board, const FormatOptions& options) {
    BoardOptions plain = options.board;
    plain.coordinates = false; // there is no font to write them with
    return to_png(board_picture(board, plain));
}

std::string ascii_board(const Board& board, const FormatOptions& options) {
    TerminalOptions plain = options.text;
    plain.unicode = false;
    plain.colours = ColourDepth::none;
    return board_text(board, plain);
}

std::string unicode_board(const Board& board, const FormatOptions& options) {
    return board_text(board, options.text);
}

using maze::Level;
using Files = std::vector<NamedBytes>;

Files one_file(std::string bytes) { return {{.name = {}, .bytes = std::move(bytes)}}; }

Files svg_level(const Level& level, const FormatOptions& options, std::string_view /*stem*/) {
    return one_file(to_svg(level_picture(level, options.level)));
}

Files png_level(const Level& level, const FormatOptions& options, std::string_view /*stem*/) {
    return one_file(to_png(level_picture(level, options.level), level_json(level, true)));
}

Files unicode_level(const Level& level, const FormatOptions& options, std::string_view /*stem*/) {
    return one_file(level_text(level, options.text, options.level));
}

// The tileset's picture is always a file of its own: no game engine reads one from inside a map.
Files tiled_level(std::string map, const FormatOptions& options, const std::string& tiles,
                  std::string_view extension, std::string (*tileset)(std::string_view)) {
    Files files = one_file(std::move(map));
    files.push_back({.name = tiles + ".png", .bytes = tileset_png(options.level.theme)});
    if (options.level.side_tileset)
        files.push_back({.name = fmt::format("{}.{}", tiles, extension), .bytes = tileset(tiles)});
    return files;
}

Files tmj_level(const Level& level, const FormatOptions& options, std::string_view stem) {
    const std::string tiles = fmt::format("{}-tiles", stem);
    return tiled_level(level_tmj(level, tiles, options.level), options, tiles, "tsj", tileset_json);
}

Files tmx_level(const Level& level, const FormatOptions& options, std::string_view stem) {
    const std::string tiles = fmt::format("{}-tiles", stem);
    return tiled_level(level_tmx(level, tiles, options.level), options, tiles, "tsx", tileset_xml);
}

// A form that needs nothing but the level.
template <std::string (*form)(const Level&)>
Files plain_level(const Level& level, const FormatOptions& /*options*/, std::string_view /*stem*/) {
    return one_file(form(level));
}

std::string full_json(const Level& level) { return level_json(level); }

std::string lower(std::string_view text) {
    std::string result{text};
    for (char& letter : result)
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    return result;
}

bool goes_by(const Format& format, std::string_view name) {
    return format.name == name || std::ranges::find(format.extensions, name) != format.extensions.end();
}

[[noreturn]] void unknown(std::string_view what, std::string_view name) {
    std::vector<std::string> known;
    for (const Format& format : formats())
        known.insert(known.end(), format.extensions.begin(), format.extensions.end());
    const auto meant = nearest(name, known);
    throw InvalidInput{fmt::format("{}; {}known are {}", what,
                                   meant ? fmt::format("did you mean {}? ", *meant) : "",
                                   fmt::join(known, ", "))};
}

void check_squares(const Board& board) {
    for (const queens::Square square : board.queens)
        if (square.row >= board.size || square.column >= board.size)
            throw InvalidInput{fmt::format("the queen on row {}, column {} lies off the board of {} × {}",
                                           square.row, square.column, board.size, board.size)};
}

} // namespace

std::span<const Format> formats() {
    static const std::vector<Format> all{
        {.name = "svg",
         .extensions = {"svg"},
         .meaning = "picture that scales, for web pages and documents",
         .media_type = "image/svg+xml",
         .board = svg_board,
         .level = svg_level},
        {.name = "png",
         .extensions = {"png"},
         .meaning = "picture in pixels",
         .media_type = "image/png",
         .board = png_board,
         .level = png_level},
        {.name = "ascii",
         .extensions = {"txt"},
         .meaning = "plain characters",
         .media_type = "text/plain",
         .board = ascii_board,
         .level = plain_level<level_ascii>},
        {.name = "unicode",
         .extensions = {"utf8"},
         .meaning = "characters as in the terminal",
         .media_type = "text/plain; charset=utf-8",
         .board = unicode_board,
         .level = unicode_level},
        {.name = "json",
         .extensions = {"json"},
         .meaning = "object for programs",
         .media_type = "application/json",
         .board = [](const Board& board, const FormatOptions&) { return board_json(board); },
         .level = plain_level<full_json>},
        {.name = "csv",
         .extensions = {"csv"},
         .meaning = "table for spreadsheets",
         .media_type = "text/csv",
         .board = [](const Board& board, const FormatOptions&) { return board_csv(board); },
         .level = plain_level<level_csv>},
        {.name = "rows",
         .extensions = {"rows"},
         .meaning = "the column of each row's queen, counted from 0, in one line",
         .media_type = "text/plain",
         .board = [](const Board& board, const FormatOptions&) { return board_rows(board); }},
        {.name = "fen",
         .extensions = {"fen"},
         .meaning = "chess notation, for boards of 8 × 8",
         .media_type = "application/x-chess-fen",
         .board = [](const Board& board, const FormatOptions&) { return board_fen(board); }},
        {.name = "tmj",
         .extensions = {"tmj"},
         .meaning = "map for the Tiled editor and game engines, in JSON",
         .media_type = "application/json",
         .level = tmj_level},
        {.name = "tmx",
         .extensions = {"tmx"},
         .meaning = "map for the Tiled editor and game engines, in XML",
         .media_type = "application/xml",
         .level = tmx_level},
        {.name = "intgrid",
         .extensions = {"intgrid.csv"},
         .meaning = "numbers for an IntGrid layer of the LDtk editor",
         .media_type = "text/csv",
         .level = plain_level<level_intgrid>},
    };
    return all;
}

const Format& format_named(std::string_view name) {
    const std::string wanted = lower(name);
    for (const Format& format : formats())
        if (goes_by(format, wanted)) return format;
    unknown(fmt::format("there is no format '{}'", name), wanted);
}

const Format& format_of(std::string_view path) {
    const std::filesystem::path file{path};
    const std::string name = lower(file.filename().string());
    // The longest extension that fits: "intgrid.csv" before "csv".
    const Format* best = nullptr;
    std::size_t longest = 0;
    for (const Format& format : formats())
        for (const std::string_view extension : format.extensions)
            if (extension.size() > longest && name.ends_with(fmt::format(".{}", extension))) {
                best = &format;
                longest = extension.size();
            }
    if (best != nullptr) return *best;
    const std::string extension = lower(file.extension().string());
    if (extension.size() < 2) unknown(fmt::format("{} has no extension to tell the format by", path), "");
    unknown(fmt::format("the extension of {} names no format", path), std::string_view{extension}.substr(1));
}

std::string render_board(const Board& board, const Format& format, const FormatOptions& options) {
    if (format.board == nullptr)
        throw InvalidInput{fmt::format("{} is not a format for boards of queens", format.name)};
    check_squares(board);
    return format.board(board, options);
}

void write_board(const std::filesystem::path& path, const Board& board, const FormatOptions& options) {
    write_board(path, board, format_of(path.string()), options);
}

void write_board(const std::filesystem::path& path, const Board& board, const Format& format,
                 const FormatOptions& options) {
    write_files({{path, render_board(board, format, options)}});
}

std::vector<NamedBytes> render_level(const Level& level, const Format& format, const FormatOptions& options,
                                     std::string_view stem) {
    if (format.level == nullptr) throw InvalidInput{fmt::format("{} is not a format for mazes", format.name)};
    maze::check(level);
    return format.level(options.level.keep_pockets ? level : maze::with_pockets_sealed(level), options, stem);
}

void write_level(const std::filesystem::path& path, const Level& level, const FormatOptions& options) {
    write_level(path, level, format_of(path.string()), options);
}

void write_level(const std::filesystem::path& path, const Level& level, const Format& format,
                 const FormatOptions& options) {
    std::vector<File> files;
    for (NamedBytes& file : render_level(level, format, options, path.stem().string()))
        files.push_back({file.name.empty() ? path : path.parent_path() / file.name, std::move(file.bytes)});
    write_files(files);
}

} // namespace knossos::render
