#include "render/refuse.hpp"

#include <knossos/core/files.hpp>
#include <knossos/core/text.hpp>
#include <knossos/maze/view/level_reader.hpp>
#include <knossos/render/picture.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

namespace knossos::maze {

using namespace render;

namespace {

using Json = nlohmann::json;

constexpr std::uint32_t largest = maze::largest_drawn_side;
// The largest level with all its distances takes less.
constexpr std::size_t most_bytes = std::size_t{64} << 20U;
constexpr int deepest = 32;
constexpr std::uint64_t most_pixels = 64'000'000;

void check_size(std::uint64_t width, std::uint64_t height, std::string_view source) {
    if (width < 1 || height < 1 || width > largest || height > largest)
        refuse(source,
               fmt::format("a level of {} × {} cells; both sides lie in 1..{}", width, height, largest));
}

// Checks the places and says which file they come from.
Level checked(Level level, std::string_view source) {
    try {
        maze::check(level);
    } catch (const InvalidInput& error) {
        refuse(source, error.what());
    }
    return level;
}

// --- places that are found one by one ---

class Places {
  public:
    explicit Places(std::string source) : source_{std::move(source)} {}

    void enter(Cell cell, const std::string& where) { set(entrance_, cell, "entrance", where); }
    void leave(Cell cell, const std::string& where) { set(exit_, cell, "exit", where); }
    // Numbers order the checkpoints; those without one come after, as they were found.
    void checkpoint(Cell cell, std::optional<std::uint32_t> number, const std::string& where) {
        const std::uint64_t key = number ? *number : (std::uint64_t{1} << 32U) + checkpoints_.size();
        if (!checkpoints_.emplace(key, cell).second)
            refuse(source_, fmt::format("{}: a second checkpoint {}", where, key));
        if (checkpoints_.size() > maze::most_checkpoints)
            refuse(source_, fmt::format("{}: more than {} checkpoints", where, maze::most_checkpoints));
    }

    [[nodiscard]] Level level(Grid grid) const {
        const Cell last{grid.width() - 1, grid.height() - 1};
        Level level{
            .grid = std::move(grid), .entrance = entrance_.value_or(Cell{}), .exit = exit_.value_or(last)};
        for (const auto& [key, cell] : checkpoints_) level.checkpoints.push_back(cell);
        return checked(std::move(level), source_);
    }

  private:
    void set(std::optional<Cell>& target, Cell cell, std::string_view what, const std::string& where) {
        if (target)
            refuse(source_, fmt::format("{}: a second {}; the first one is at {}", where, what,
                                        maze::to_text(*target)));
        target = cell;
    }

    std::string source_;
    std::optional<Cell> entrance_;
    std::optional<Cell> exit_;
    std::map<std::uint64_t, Cell> checkpoints_;
};

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
bool read_field(std::string_view field, Cell cell, Places& places, std::string_view source,
                const std::string& where) {
    const auto unknown = [&] {
        refuse(source,
               fmt::format("{}: '{}' is not a cell; expected '#' or '.', then E, X or C and a number, or 0 "
                           "open, 1 rock, 2 entrance, 3 exit, 4 checkpoint",
                           where, field.substr(0, 20)));
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
    Places places{std::string{source}};
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

Json parse_object(std::string_view bytes, std::string_view source) {
    try {
        // Text of nothing but brackets would take fifty times its size in memory.
        Json json = Json::parse(bytes, [&](int depth, Json::parse_event_t, Json&) {
            if (depth > deepest) refuse(source, "the JSON is nested too deeply for a level");
            return true;
        });
        if (!json.is_object()) refuse(source, "expected a JSON object");
        return json;
    } catch (const Json::exception& error) {
        // "[json.exception.parse_error.101] parse error at line 1, column 2: …": the code is of no use here.
        const std::string_view text = error.what();
        const std::size_t end = text.find("] ");
        refuse(source, end == std::string_view::npos ? text : text.substr(end + 2));
    }
}

const Json& member(const Json& object, const char* key, std::string_view source) {
    const auto found = object.find(key);
    if (found == object.end()) refuse(source, fmt::format("there is no \"{}\"", key));
    return *found;
}

std::uint32_t whole(const Json& value, std::string_view what, std::string_view source) {
    if (!value.is_number_integer() || value < 0 || value > 1'000'000'000)
        refuse(source,
               fmt::format("{} is {}; expected a whole number from 0", what, value.dump().substr(0, 40)));
    return value.get<std::uint32_t>();
}

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

Level parse_level_json(std::string_view bytes, std::string_view source) {
    const Json whole = parse_object(bytes, source);
    // The result of a run holds the level inside.
    const bool is_result = whole.contains("result") && whole["result"].is_object();
    const Json& json = is_result ? whole["result"] : whole;
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

// --- Tiled ---

// Which tiles of the map are rock: those with a property "rock" that is true; without any word on it, those
// of the sets that Knossos writes.
class RockTiles {
  public:
    RockTiles(const Json& map, std::string_view source) {
        const auto sets = map.find("tilesets");
        if (sets == map.end() || !sets->is_array()) return;
        for (const Json& set : *sets) {
            if (!set.is_object()) refuse(source, "\"tilesets\" holds something that is no tileset");
            const std::uint32_t first = whole(member(set, "firstgid", source), "\"firstgid\"", source);
            const auto tiles = set.find("tiles");
            if (tiles == set.end() || !tiles->is_array()) {
                rock_.push_back(first + 1);
                continue;
            }
            for (const Json& tile : *tiles)
                if (says_rock(tile))
                    rock_.push_back(first + whole(member(tile, "id", source), "the id of a tile", source));
        }
    }
    [[nodiscard]] bool contains(std::uint32_t tile) const {
        return std::ranges::find(rock_, tile) != rock_.end();
    }

  private:
    static bool says_rock(const Json& tile) {
        if (!tile.is_object()) return false;
        const auto properties = tile.find("properties");
        if (properties == tile.end() || !properties->is_array()) return false;
        return std::ranges::any_of(*properties, [](const Json& property) {
            return property.is_object() && property.value("name", Json{}) == "rock" &&
                   property.value("value", Json{}) == true;
        });
    }

    std::vector<std::uint32_t> rock_;
};

double pixels(const Json& object, const char* key, std::string_view source) {
    const Json& value = member(object, key, source);
    const double number = value.is_number() ? value.get<double>() : -1.0;
    if (!(number >= 0.0 && number < 1.0e9))
        refuse(source, fmt::format("an object's \"{}\" is {}, which lies off the map", key,
                                   value.dump().substr(0, 40)));
    return number;
}

std::optional<std::uint32_t> number_of(const Json& object, std::string_view source) {
    const auto properties = object.find("properties");
    if (properties == object.end() || !properties->is_array()) return std::nullopt;
    for (const Json& property : *properties)
        if (property.is_object() && property.value("name", Json{}) == "number")
            return whole(member(property, "value", source), "the number of a checkpoint", source);
    return std::nullopt;
}

struct TileSize {
    double width;
    double height;
};

void read_place(const Json& object, TileSize tile, Places& places, std::string_view source) {
    if (!object.is_object()) refuse(source, "an object layer holds something that is no object");
    // Tiled 1.9 called it class, before and after it is type.
    const Json kind = object.value("type", object.value("class", Json{}));
    if (kind != "entrance" && kind != "exit" && kind != "checkpoint") return;
    const double down =
        object.contains("gid") ? tile.height : 0.0; // tile objects count from their lower edge
    const double y = std::max(pixels(object, "y", source) - down, 0.0);
    const Cell cell{static_cast<std::uint32_t>(pixels(object, "x", source) / tile.width),
                    static_cast<std::uint32_t>(y / tile.height)};
    const std::string where = fmt::format("object {}", object.value("id", Json{}).dump());
    if (kind == "entrance") places.enter(cell, where);
    if (kind == "exit") places.leave(cell, where);
    if (kind == "checkpoint") places.checkpoint(cell, number_of(object, source), where);
}

void read_tiles(const Json& layer, Grid& grid, const RockTiles& rock, std::string_view source) {
    const Json& data = member(layer, "data", source);
    if (!data.is_array())
        refuse(source,
               "the tiles are stored as compressed text; choose CSV as the tile layer format in Tiled's map "
               "properties and save again");
    if (data.size() != grid.area())
        refuse(source, fmt::format("the tile layer has {}, not {} × {}",
                                   counted(data.size(), "tile", "tiles"), grid.width(), grid.height()));
    constexpr std::uint32_t flips = 0xF0000000U;
    for (std::size_t i = 0; i < data.size(); ++i) {
        const std::int64_t tile = data[i].is_number_integer() ? data[i].get<std::int64_t>() : -1;
        if (tile < 0 || tile > 0xFFFFFFFFLL)
            refuse(source, fmt::format("tile {} of the layer is not a tile number", i));
        grid.set_rock(grid.cell(i), rock.contains(static_cast<std::uint32_t>(tile) & ~flips));
    }
}

Level parse_tmj(std::string_view bytes, std::string_view source) {
    const Json map = parse_object(bytes, source);
    const std::uint32_t width = whole(member(map, "width", source), "\"width\"", source);
    const std::uint32_t height = whole(member(map, "height", source), "\"height\"", source);
    check_size(width, height, source);
    const TileSize tile{
        std::max<double>(whole(member(map, "tilewidth", source), "\"tilewidth\"", source), 1.0),
        std::max<double>(whole(member(map, "tileheight", source), "\"tileheight\"", source), 1.0)};
    const RockTiles rock{map, source};
    Grid grid{width, height};
    Places places{std::string{source}};
    bool seen = false;
    const Json& layers = member(map, "layers", source);
    if (!layers.is_array()) refuse(source, "\"layers\" is not an array");
    for (const Json& layer : layers) {
        if (!layer.is_object()) refuse(source, "\"layers\" holds something that is no layer");
        const Json type = layer.value("type", Json{});
        if (type == "tilelayer" && !seen) {
            read_tiles(layer, grid, rock, source);
            seen = true;
        }
        if (type == "objectgroup")
            for (const Json& object : member(layer, "objects", source))
                read_place(object, tile, places, source);
    }
    if (!seen) refuse(source, "the map has no tile layer");
    return places.level(std::move(grid));
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
    Places places{std::string{source}};
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

bool has_extension(const std::filesystem::path& path, std::string_view extension) {
    std::string own = path.extension().string();
    for (char& letter : own)
        letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    return own == extension;
}

} // namespace

Level parse_level_as(LevelSource kind, std::string_view bytes, std::string_view source) {
    switch (kind) {
    case LevelSource::ascii:
        return maze::parse_level(bytes, source);
    case LevelSource::csv:
        return parse_level_csv(bytes, source);
    case LevelSource::json:
        return parse_level_json(bytes, source);
    case LevelSource::tmj:
        return parse_tmj(bytes, source);
    case LevelSource::png:
        return parse_png(bytes, source);
    }
    refuse(source, "not a kind of level file");
}

LevelSource level_source(std::string_view bytes, const std::filesystem::path& path) {
    if (bytes.starts_with("\x89PNG")) return LevelSource::png;
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && bytes[first] == '{') {
        // A level is told from a map by its cells, wherever they stand.
        const bool map = has_extension(path, ".tmj") || bytes.find("\"tilesets\"") != std::string_view::npos;
        return map ? LevelSource::tmj : LevelSource::json;
    }
    if (has_extension(path, ".json")) return LevelSource::json;
    if (has_extension(path, ".tmj")) return LevelSource::tmj;
    if (has_extension(path, ".png")) return LevelSource::png;
    return bytes.find(',') != std::string_view::npos || has_extension(path, ".csv") ? LevelSource::csv
                                                                                    : LevelSource::ascii;
}

Level parse_level_file(std::string_view bytes, const std::filesystem::path& path) {
    if (bytes.size() > most_bytes)
        throw InvalidInput{fmt::format("{}: is larger than {} bytes, the most that a level may have",
                                       path.string(), most_bytes)};
    if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3); // some editors mark UTF-8 so
    if (bytes.starts_with("<"))
        throw InvalidInput{
            fmt::format("{}: looks like XML; levels are read from text, CSV, JSON, TMJ and PNG "
                        "files (a TMX map can be exported as TMJ)",
                        path.string())};
    return parse_level_as(level_source(bytes, path), bytes, path.string());
}

Level read_level(const std::filesystem::path& path) {
    return parse_level_file(read_file(path, most_bytes), path);
}

} // namespace knossos::maze
