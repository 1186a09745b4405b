#include "maze/view/level_places.hpp"
#include "tilemap/json_input.hpp"

#include <knossos/core/files.hpp>
#include <knossos/core/text.hpp>
#include <knossos/levels/drawing.hpp>
#include <knossos/maze/view/level_map.hpp>
#include <knossos/maze/view/level_reader.hpp>
#include <knossos/render/picture.hpp>
#include <knossos/tilemap/files.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

namespace knossos::maze {

using namespace json_input;
using namespace render;

namespace {

// Some editors mark UTF-8 so.
std::string_view without_mark(std::string_view bytes) {
    return bytes.starts_with("\xEF\xBB\xBF") ? bytes.substr(3) : bytes;
}

constexpr std::uint32_t largest = maze::largest_drawn_side;
// The largest level with all its distances takes less.
constexpr std::size_t most_bytes = std::size_t{64} << 20U;
constexpr std::uint64_t most_pixels = 64'000'000;

// --- CSV ---

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blank = " \t\r\"";
    const std::size_t first = text.find_first_not_of(blank);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

// One field: a cell and the marks on it. Returns whether the cell is rock.
bool read_field(std::string_view field, Cell cell, FoundPlaces& places, std::string_view source,
                const std::string& where) {
    const auto unknown = [&] {
        std::string shown{field.substr(0, 20)};
        std::ranges::replace(shown, '\0', '?'); // where messages would end
        refuse(source,
               fmt::format("{}: '{}' is not a cell; expected '#' or '.', then E, X or C and a number, or 0 "
                           "open, 1 rock, 2 entrance, 3 exit, 4 checkpoint",
                           where, shown));
    };
    if (field.size() == 1 && field[0] >= '0' && field[0] <= '4') {
        if (field[0] == '2') places.enter(cell, where);
        if (field[0] == '3') places.leave(cell, where);
        if (field[0] == '4') places.checkpoint(cell, std::nullopt, where);
        return field[0] == '1';
    }
    const bool rock = field.starts_with('#');
    std::string_view marks = rock || field.starts_with('.') ? field.substr(1) : field;
    if (field.empty()) unknown();
    while (!marks.empty()) {
        const char mark = marks.front();
        marks.remove_prefix(1);
        if (mark == 'E') {
            places.enter(cell, where);
        } else if (mark == 'X') {
            places.leave(cell, where);
        } else if (mark == 'C') {
            std::optional<std::uint32_t> number;
            for (; !marks.empty() && marks.front() >= '0' && marks.front() <= '9'; marks.remove_prefix(1)) {
                number = number.value_or(0) * 10 + static_cast<std::uint32_t>(marks.front() - '0');
                if (*number > 9999) unknown();
            }
            places.checkpoint(cell, number, where);
        } else {
            unknown();
        }
    }
    return rock;
}

Level parse_level_csv(std::string_view bytes, std::string_view source) {
    std::vector<std::string_view> lines = split(bytes, '\n');
    while (!lines.empty() && trimmed(lines.back()).empty()) lines.pop_back();
    if (lines.empty()) refuse(source, "there is no level here; expected one row of cells a line");
    // LDtk ends its rows with a comma.
    const auto fields_of = [](std::string_view line) {
        line = trimmed(line);
        if (line.ends_with(',')) line.remove_suffix(1);
        return split(line, ',');
    };
    const std::size_t width = fields_of(lines.front()).size();
    check_size(width, lines.size(), source);
    Grid grid{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(lines.size())};
    FoundPlaces places{std::string{source}};
    for (std::uint32_t y = 0; y < grid.height(); ++y) {
        const std::vector<std::string_view> fields = fields_of(lines[y]);
        if (fields.size() != width)
            refuse(source, fmt::format("line {}: this row has {}, the first one {}", y + 1,
                                       counted(fields.size(), "cell", "cells"), width));
        for (std::uint32_t x = 0; x < grid.width(); ++x) {
            const std::string_view field = trimmed(fields[x]);
            const bool plain = field == "." || field == "0" || field == "#" || field == "1";
            grid.set_rock({x, y}, plain ? field == "#" || field == "1"
                                        : read_field(field, {x, y}, places, source,
                                                     fmt::format("line {}, field {}", y + 1, x + 1)));
        }
    }
    return places.level(std::move(grid));
}

// --- JSON ---

Cell cell_of(const Json& value, std::string_view what, std::string_view source) {
    if (!value.is_array() || value.size() != 2) refuse(source, fmt::format("{} is not a pair [x, y]", what));
    return {whole(value[0], what, source), whole(value[1], what, source)};
}

// Rows of two characters, given to set(cell, whether it is the first of them).
template <class Set>
void read_rows(const Json& rows, std::string_view key, std::string_view pair, std::size_t width,
               std::size_t height, std::string_view source, Set set) {
    if (!rows.is_array() || rows.size() != height)
        refuse(source, fmt::format("\"{}\" is not an array of {} strings", key, height));
    for (std::uint32_t y = 0; y < height; ++y) {
        const auto* row = rows[y].get_ptr<const std::string*>();
        if (row == nullptr || row->size() != width)
            refuse(source, fmt::format("\"{}\", row {}: not a string of {} characters", key, y + 1, width));
        for (std::uint32_t x = 0; x < width; ++x) {
            if (pair.find((*row)[x]) == std::string_view::npos)
                refuse(source, fmt::format("\"{}\", row {}, column {}: expected '{}' or '{}'", key, y + 1,
                                           x + 1, pair[0], pair[1]));
            set(Cell{x, y}, (*row)[x] == pair[0]);
        }
    }
}

// Rows of letters, here or one level down, as others write levels: their ground is that of a maze.
const Json* rows_of_letters(const Json& json) {
    const auto has_rows = [](const Json& one) {
        const auto rows = one.find("rows");
        return rows != one.end() && rows->is_array() && !rows->empty() &&
               std::ranges::all_of(*rows, [](const Json& row) { return row.is_string(); });
    };
    if (has_rows(json)) return &json["rows"];
    for (const auto& member : json)
        if (member.is_object() && has_rows(member)) return &member["rows"];
    return nullptr;
}

Level level_of_rows(const Json& rows, std::string_view source) {
    std::string text;
    for (const auto& row : rows) {
        const auto& letters = row.get_ref<const std::string&>();
        if (letters.find_first_of("\n:") != std::string::npos)
            refuse(source, "\"rows\" is not an array of rows of cells");
        text += letters + '\n';
    }
    return maze::parse_level(text, source);
}

Level parse_level_json(std::string_view bytes, std::string_view source) {
    const Json whole = parse_object(bytes, source);
    // The result of a run holds the level inside.
    const bool is_result = whole.contains("result") && whole["result"].is_object();
    const Json& json = is_result ? whole["result"] : whole;
    if (const Json* const rows = json.contains("cells") ? nullptr : rows_of_letters(json))
        return level_of_rows(*rows, source);
    const Json& cells = member(json, "cells", source);
    if (!cells.is_array() || cells.empty() || !cells[0].is_string())
        refuse(source, "\"cells\" is not an array of strings");
    const std::size_t width = cells[0].get_ref<const std::string&>().size();
    check_size(width, cells.size(), source);
    Level level{.grid = Grid{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(cells.size())}};
    Grid& grid = level.grid;
    read_rows(cells, "cells", "#.", width, cells.size(), source,
              [&](Cell cell, bool rock) { grid.set_rock(cell, rock); });
    if (json.contains("walls_east") || json.contains("walls_south")) {
        grid.add_walls();
        // Walls at the edge mean nothing and are left out, as everywhere.
        read_rows(member(json, "walls_east", source), "walls_east", "|.", width, cells.size(), source,
                  [&](Cell cell, bool wall) {
                      if (cell.x + 1 < grid.width()) grid.set_wall_east(cell, wall);
                  });
        read_rows(member(json, "walls_south", source), "walls_south", "_.", width, cells.size(), source,
                  [&](Cell cell, bool wall) {
                      if (cell.y + 1 < grid.height()) grid.set_wall_south(cell, wall);
                  });
    }
    level.exit = {grid.width() - 1, grid.height() - 1};
    if (const auto found = json.find("entrance"); found != json.end())
        level.entrance = cell_of(*found, "\"entrance\"", source);
    if (const auto found = json.find("exit"); found != json.end())
        level.exit = cell_of(*found, "\"exit\"", source);
    if (const auto found = json.find("checkpoints"); found != json.end()) {
        if (!found->is_array()) refuse(source, "\"checkpoints\" is not an array of pairs [x, y]");
        if (found->size() > maze::most_checkpoints)
            refuse(source, fmt::format("there are {} checkpoints; at most {} are possible", found->size(),
                                       maze::most_checkpoints));
        for (std::size_t i = 0; i < found->size(); ++i)
            level.checkpoints.push_back(cell_of((*found)[i], fmt::format("checkpoint {}", i + 1), source));
    }
    return checked(std::move(level), source);
}

// --- PNG ---

enum class Paint : std::uint8_t { open, rock, entrance, exit, checkpoint };

Paint paint_of(Colour colour) {
    const int red = colour.red;
    const int green = colour.green;
    const int blue = colour.blue;
    if (green > red + 60 && green > blue + 60) return Paint::entrance;
    if (red > green + 60 && red > blue + 60) return Paint::exit;
    if (blue > red + 60 && blue > green + 60) return Paint::checkpoint;
    return red + green + blue < 384 ? Paint::rock : Paint::open;
}

// The side of the squares of one paint that the picture is made of, from the runs of paint along rows and
// columns: the greatest that divides them all.
std::uint32_t square_side(const std::vector<Paint>& paints, std::uint32_t width, std::uint32_t height) {
    std::uint32_t side = std::gcd(width, height);
    for (std::uint32_t y = 0; y < height && side > 1; ++y)
        for (std::uint32_t x = 1; x < width; ++x)
            if (paints[std::size_t{y} * width + x] != paints[std::size_t{y} * width + x - 1])
                side = std::gcd(side, x);
    for (std::uint32_t x = 0; x < width && side > 1; ++x)
        for (std::uint32_t y = 1; y < height; ++y)
            if (paints[std::size_t{y} * width + x] != paints[std::size_t{y - 1} * width + x])
                side = std::gcd(side, y);
    return side;
}

Level parse_png(std::string_view bytes, std::string_view source) {
    DecodedPng png;
    try {
        png = decode_png(bytes, most_pixels);
    } catch (const InvalidInput& error) {
        refuse(source, error.what());
    }
    if (!png.note.empty()) return parse_level_json(png.note, source);
    const auto [width, height, rgb] = std::move(png.pixels);
    std::vector<Paint> paints(std::size_t{width} * height);
    for (std::size_t i = 0; i < paints.size(); ++i)
        paints[i] = paint_of({rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]});
    const std::uint32_t side = square_side(paints, width, height);
    if (width / side > largest || height / side > largest)
        refuse(source,
               fmt::format("the picture shows {} × {} squares; both sides of a level lie in 1..{}. Draw each "
                           "cell as one pixel or as a square of equal pixels",
                           width / side, height / side, largest));
    Grid grid{width / side, height / side};
    FoundPlaces places{std::string{source}};
    for (std::size_t i = 0; i < grid.area(); ++i) {
        const Cell cell = grid.cell(i);
        const Paint paint = paints[std::size_t{cell.y} * side * width + std::size_t{cell.x} * side];
        if (paint == Paint::rock) grid.set_rock(cell, true);
        if (paint == Paint::rock || paint == Paint::open) continue;
        const std::string where = fmt::format("pixel ({}, {})", cell.x * side, cell.y * side);
        if (paint == Paint::entrance) places.enter(cell, where);
        if (paint == Paint::exit) places.leave(cell, where);
        if (paint == Paint::checkpoint) places.checkpoint(cell, std::nullopt, where);
    }
    return places.level(std::move(grid));
}

Level parse_with(LevelSource kind, std::string_view bytes, std::string_view source,
                 const tilemap::FileReader& files, const tilemap::MapChoice& choice) {
    constexpr std::array maps{LevelSource::tmj, LevelSource::tmx, LevelSource::ldtk};
    tilemap::check_choice(choice, std::ranges::find(maps, kind) != maps.end(), kind == LevelSource::ldtk,
                          source);
    const auto map_level = [&](tilemap::MapFormat format) {
        return level_of(tilemap::read_map(format, bytes, source, files, choice.level), choice, source);
    };
    switch (kind) {
    case LevelSource::ascii:
        return maze::parse_level(bytes, source);
    case LevelSource::csv:
        return parse_level_csv(bytes, source);
    case LevelSource::json:
        return parse_level_json(bytes, source);
    case LevelSource::tmj:
        return map_level(tilemap::MapFormat::tmj);
    case LevelSource::tmx:
        return map_level(tilemap::MapFormat::tmx);
    case LevelSource::ldtk:
        return map_level(tilemap::MapFormat::ldtk);
    case LevelSource::png:
        return parse_png(bytes, source);
    }
    refuse(source, "not a kind of level file");
}

bool has_extension(const std::filesystem::path& path, std::string_view extension) {
    std::string own = path.extension().string();
    for (char& letter : own)
        letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    return own == extension;
}

} // namespace

Level parse_level_as(LevelSource kind, std::string_view bytes, std::string_view source) {
    return parse_with(kind, bytes, source, {}, {});
}

LevelSource level_source(std::string_view bytes, const std::filesystem::path& path) {
    if (bytes.starts_with("\x89PNG")) return LevelSource::png;
    if (const auto format = tilemap::map_format(bytes, path)) {
        constexpr std::array kinds{LevelSource::tmx, LevelSource::tmj, LevelSource::ldtk};
        return kinds[static_cast<std::size_t>(*format)];
    }
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && bytes[first] == '{') return LevelSource::json;
    for (const auto& [extension, kind] :
         {std::pair{".json", LevelSource::json}, std::pair{".png", LevelSource::png}})
        if (has_extension(path, extension)) return kind;
    // Lines above the rows of a drawing name places and cells, with commas, too.
    const std::string_view first_line = bytes.substr(0, bytes.find('\n'));
    const bool names_places = first_line.find(": ") != std::string_view::npos;
    const bool has_commas = bytes.find(',') != std::string_view::npos && !names_places;
    return has_commas || has_extension(path, ".csv") ? LevelSource::csv : LevelSource::ascii;
}

Level parse_level_file(std::string_view bytes, const std::filesystem::path& path,
                       const tilemap::MapChoice& choice) {
    if (bytes.size() > most_bytes)
        throw InvalidInput{fmt::format("{}: is larger than {} bytes, the most that a level may have",
                                       path.string(), most_bytes)};
    bytes = without_mark(bytes);
    levels::refuse_other_files(bytes, path.string());
    return parse_with(level_source(bytes, path), bytes, path.string(), tilemap::files_beside(path), choice);
}

std::vector<std::string> colours_in(std::string_view bytes, const Level& level, std::string_view source) {
    if (bytes.find("\"colours\"") == std::string_view::npos) return {};
    bytes = without_mark(bytes);
    if (level_source(bytes, std::filesystem::path{source}) != LevelSource::json) return {};
    const Json whole = parse_object(bytes, source);
    const bool is_result = whole.contains("result") && whole["result"].is_object();
    const Json& json = is_result ? whole["result"] : whole;
    const auto found = json.find("colours");
    if (found == json.end()) return {};
    const Grid& grid = level.grid;
    if (!found->is_array() || found->size() != grid.height())
        refuse(source, fmt::format("\"colours\" is not an array of {} strings", grid.height()));
    std::vector<std::string> rows;
    for (const Json& row : *found) {
        const auto* letters = row.get_ptr<const std::string*>();
        const auto is_known = [](char letter) {
            return std::ranges::find(level_colours, letter, &LevelColour::letter) != level_colours.end();
        };
        if (letters == nullptr || letters->size() != grid.width() || !std::ranges::all_of(*letters, is_known))
            refuse(source, fmt::format("\"colours\", row {}: not {} letters of ROYGBV", rows.size() + 1,
                                       grid.width()));
        rows.push_back(*letters);
    }
    return rows;
}

Level read_level(const std::filesystem::path& path, const tilemap::MapChoice& choice) {
    return parse_level_file(read_file(path, most_bytes), path, choice);
}

} // namespace knossos::maze
