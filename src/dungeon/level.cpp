#include <knossos/core/error.hpp>
#include <knossos/dungeon/level.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace knossos::dungeon {

namespace {

constexpr std::array<std::string_view, tile_kinds> tile_names{
    "rock",         "floor",         "entrance",    "exit",      "checkpoint",  "treasure",
    "monster",      "small key",     "locked door", "red key",   "green key",   "blue key",
    "yellow key",   "red door",      "green door",  "blue door", "yellow door", "one-way north",
    "one-way east", "one-way south", "one-way west"};

} // namespace

std::string_view name_of(Tile tile) { return tile_names[static_cast<std::size_t>(tile)]; }

bool is_framed(const Level& level, std::size_t cell) {
    const std::uint32_t x = level.x_of(cell);
    const std::uint32_t y = level.y_of(cell);
    const bool north = y > 0 && level.cells[cell - level.width] != Tile::rock;
    const bool south = y + 1 < level.height && level.cells[cell + level.width] != Tile::rock;
    const bool west = x > 0 && level.cells[cell - 1] != Tile::rock;
    const bool east = x + 1 < level.width && level.cells[cell + 1] != Tile::rock;
    return north == south && west == east && north != west;
}

std::array<std::uint32_t, tile_kinds> counts_of(const Level& level) {
    std::array<std::uint32_t, tile_kinds> counts{};
    for (const Tile tile : level.cells) ++counts[static_cast<std::size_t>(tile)];
    return counts;
}

void check(const Level& level) {
    for (const std::uint32_t side : {level.width, level.height})
        if (side < 1 || side > largest_side)
            throw InvalidInput{fmt::format("a dungeon of {} × {} cells: both sides must be in 1..{}",
                                           level.width, level.height, largest_side)};
    if (level.cells.size() != std::size_t{level.width} * level.height)
        throw InvalidInput{
            fmt::format("a dungeon of {} × {} with {} cells", level.width, level.height, level.cells.size())};
    const auto counts = counts_of(level);
    for (const Tile place : {Tile::entrance, Tile::exit})
        if (counts[static_cast<std::size_t>(place)] != 1)
            throw InvalidInput{fmt::format("the dungeon has {} cells that are the {}; it must have one",
                                           counts[static_cast<std::size_t>(place)], name_of(place))};
}

Level level_of(const levels::Drawing& drawing, std::string_view source) {
    Level level{.width = drawing.width, .height = drawing.height};
    for (const char one : drawing.cells) level.cells.push_back(static_cast<Tile>(tile_letters.find(one)));
    // What stands in lines above the rows has a cell for itself, too.
    const auto place = [&](std::optional<levels::Cell> cell, Tile what) {
        if (!cell) return;
        Tile& there = level.cells[drawing.index(*cell)];
        if (there != Tile::floor && there != what)
            throw InvalidInput{
                fmt::format("{}: the {} is to be at {}, where there is {} already; in a dungeon "
                            "every cell holds one thing",
                            source, name_of(what), to_text(*cell),
                            there == Tile::rock ? "rock" : fmt::format("the {}", name_of(there)))};
        there = what;
    };
    place(drawing.entrance, Tile::entrance);
    place(drawing.exit, Tile::exit);
    for (const levels::Cell cell : drawing.checkpoints) place(cell, Tile::checkpoint);
    for (const Tile what : {Tile::entrance, Tile::exit})
        if (std::ranges::find(level.cells, what) == level.cells.end())
            throw InvalidInput{fmt::format("{}: there is no {}; exactly one cell must be '{}'", source,
                                           name_of(what), letter(what))};
    return level;
}

Level parse_level(std::string_view text, std::string_view source) {
    return level_of(levels::parse_known(text, source, largest_side), source);
}

bool looks_like_level(std::string_view text) {
    constexpr std::string_view elsewhere = "#.EXC"; // what levels without locks are written in, too
    bool own = false;
    bool in_rows = false;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view row = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (row.ends_with('\r')) row.remove_suffix(1);
        if (!in_rows && row.find(':') != std::string_view::npos) continue;
        in_rows = true;
        if (row.find_first_not_of(tile_letters) != std::string_view::npos) return false;
        own = own || row.find_first_not_of(elsewhere) != std::string_view::npos;
    }
    return own;
}

std::string to_text(const Level& level) {
    std::string text;
    text.reserve(level.area() + level.height);
    for (std::size_t i = 0; i < level.area(); ++i) {
        text += letter(level.cells[i]);
        if ((i + 1) % level.width == 0) text += '\n';
    }
    return text;
}

} // namespace knossos::dungeon
