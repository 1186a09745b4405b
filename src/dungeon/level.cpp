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

constexpr std::string_view expected =
    "expected # rock, . floor, E entrance, X exit, C checkpoint, $ treasure, m monster, k small key, + "
    "locked door, r g b y coloured keys, R G B Y their doors, or ^ > v < one-ways";

[[noreturn]] void refuse(std::string_view source, std::size_t line, std::size_t column,
                         const std::string& message) {
    throw InvalidInput{fmt::format("{}:{}:{}: {}", source, line, column, message)};
}

// What one can print of a byte that should not be here.
std::string shown(char byte) {
    const auto code = static_cast<unsigned char>(byte);
    return code > 0x20 && code < 0x7F ? fmt::format("'{}'", byte)
           : code == ' '              ? std::string{"a blank"}
                                      : fmt::format("byte {}", static_cast<unsigned>(code));
}

// Reads one row after the other; what is wrong is told with its line and column.
class LevelReader {
  public:
    LevelReader(std::string_view text, std::string_view source) : text_{text}, source_{source} {
        while (!text_.empty() && (text_.back() == '\n' || text_.back() == '\r')) text_.remove_suffix(1);
    }

    Level read() {
        std::size_t line = 1;
        for (std::size_t start = 0; start <= text_.size() && !text_.empty(); ++line) {
            const std::size_t end = std::min(text_.find('\n', start), text_.size());
            add_row(text_.substr(start, end - start), line);
            start = end + 1;
        }
        if (level_.height == 0) refuse(source_, 1, 1, "there is no dungeon here: not a single row");
        for (const Tile place : {Tile::entrance, Tile::exit})
            if (!found_[static_cast<std::size_t>(place)])
                throw InvalidInput{fmt::format("{}: there is no {}; exactly one cell must be '{}'", source_,
                                               name_of(place), letter(place))};
        return std::move(level_);
    }

  private:
    struct Place {
        std::size_t line;
        std::size_t column;
    };

    void add_row(std::string_view row, std::size_t line) {
        if (row.ends_with('\r')) row.remove_suffix(1);
        if (level_.height == largest_side)
            refuse(source_, line, 1, fmt::format("there are more than {} rows", largest_side));
        if (level_.height == 0) {
            if (row.empty()) refuse(source_, line, 1, "the first row is empty");
            if (row.size() > largest_side)
                refuse(
                    source_, line, largest_side + 1,
                    fmt::format("the row has {} cells; at most {} are possible", row.size(), largest_side));
            level_.width = static_cast<std::uint32_t>(row.size());
        }
        const std::size_t together = std::min<std::size_t>(row.size(), level_.width);
        for (std::size_t i = 0; i < together; ++i) add_cell(row[i], {line, i + 1});
        if (row.size() != level_.width)
            refuse(source_, line, together + 1,
                   fmt::format("the row has {} cells, the first one has {}", row.size(), level_.width));
        ++level_.height;
    }

    void add_cell(char byte, Place place) {
        const std::size_t kind = tile_letters.find(byte);
        if (kind == std::string_view::npos)
            refuse(source_, place.line, place.column,
                   fmt::format("{} is nothing that a dungeon has; {}", shown(byte), expected));
        const auto tile = static_cast<Tile>(kind);
        if (tile == Tile::entrance || tile == Tile::exit) {
            auto& before = found_[kind];
            if (before)
                refuse(source_, place.line, place.column,
                       fmt::format("a second {}; the first one is at {}:{}, and a dungeon has only one",
                                   name_of(tile), before->line, before->column));
            before = place;
        }
        level_.cells.push_back(tile);
    }

    std::string_view text_;
    std::string_view source_;
    Level level_{};
    std::array<std::optional<Place>, tile_kinds> found_{};
};

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

Level parse_level(std::string_view text, std::string_view source) { return LevelReader{text, source}.read(); }

bool looks_like_level(std::string_view text) {
    constexpr std::string_view elsewhere = "#.EXCbB"; // what levels without locks are written in, too
    bool own = false;
    for (const char byte : text) {
        if (byte == '\n' || byte == '\r') continue;
        if (tile_letters.find(byte) == std::string_view::npos) return false;
        own = own || elsewhere.find(byte) == std::string_view::npos;
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
