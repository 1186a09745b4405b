#pragma once

#include <knossos/levels/drawing.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace knossos::dungeon {

/// What a cell holds. The letters of tile_letters, in the same order, are how it is written.
enum class Tile : std::uint8_t {
    rock,
    floor,
    entrance,
    exit,
    checkpoint,
    treasure,
    monster,
    small_key,  ///< opens one small door and is used up
    small_door, ///< opened for good by any small key
    red_key,    ///< opens all red doors and is kept
    green_key,
    blue_key,
    yellow_key,
    red_door,
    green_door,
    blue_door,
    yellow_door,
    one_way_north, ///< left to the north only, entered from every other side
    one_way_east,
    one_way_south,
    one_way_west,
};

inline constexpr std::string_view tile_letters = "#.EXC$mk+rgbyRGBY^>v<";
inline constexpr std::size_t tile_kinds = tile_letters.size();
static_assert(levels::cell_letters.starts_with(tile_letters) &&
              levels::cell_letters.size() == tile_kinds + 1);
inline constexpr std::uint32_t largest_side = 256;
inline constexpr std::uint32_t colours = 4;

constexpr char letter(Tile tile) { return tile_letters[static_cast<std::size_t>(tile)]; }
/// "small key", "red door": for people.
std::string_view name_of(Tile tile);

constexpr bool is_coloured_key(Tile tile) { return tile >= Tile::red_key && tile <= Tile::yellow_key; }
constexpr bool is_coloured_door(Tile tile) { return tile >= Tile::red_door && tile <= Tile::yellow_door; }
constexpr bool is_key(Tile tile) { return tile == Tile::small_key || is_coloured_key(tile); }
constexpr bool is_door(Tile tile) { return tile == Tile::small_door || is_coloured_door(tile); }
constexpr bool is_one_way(Tile tile) { return tile >= Tile::one_way_north; }
/// Of coloured keys and doors: 0 red, 1 green, 2 blue, 3 yellow.
constexpr std::uint32_t colour_of(Tile tile) {
    return static_cast<std::uint32_t>(tile) -
           static_cast<std::uint32_t>(is_coloured_key(tile) ? Tile::red_key : Tile::red_door);
}

/// The four steps, in the order in which ways of one length are compared. The opposite of d is 3 − d.
enum class Step : std::uint8_t { north, west, east, south };
inline constexpr std::array<Step, 4> all_steps{Step::north, Step::west, Step::east, Step::south};
inline constexpr std::array<std::string_view, 4> step_names{"north", "west", "east", "south"};

/// Where a one-way leads.
constexpr Step step_of(Tile one_way) {
    constexpr std::array<Step, 4> steps{Step::north, Step::east, Step::south, Step::west};
    return steps[static_cast<std::size_t>(one_way) - static_cast<std::size_t>(Tile::one_way_north)];
}
constexpr Tile one_way_to(Step step) {
    constexpr std::array<Tile, 4> tiles{Tile::one_way_north, Tile::one_way_west, Tile::one_way_east,
                                        Tile::one_way_south};
    return tiles[static_cast<std::size_t>(step)];
}

/// A dungeon: cells in reading order, one entrance and one exit among them.
struct Level {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<Tile> cells{};

    [[nodiscard]] std::size_t area() const { return cells.size(); }
    [[nodiscard]] std::uint32_t x_of(std::size_t cell) const {
        return static_cast<std::uint32_t>(cell % width);
    }
    [[nodiscard]] std::uint32_t y_of(std::size_t cell) const {
        return static_cast<std::uint32_t>(cell / width);
    }
    friend bool operator==(const Level&, const Level&) = default;
};

/// Whether a cell that is not rock lies in a frame: rock, or the border, on two opposite sides and ground on
/// the two others. That is where doors and one-ways belong.
bool is_framed(const Level& level, std::size_t cell);

/// How many cells hold each kind of thing.
std::array<std::uint32_t, tile_kinds> counts_of(const Level& level);

/// Throws InvalidInput unless the sides are in 1..256, the cells as many as they say, and there is one
/// entrance and one exit.
void check(const Level& level);

/// What a drawing without free cells shows. Throws InvalidInput for what check() refuses, and if a line above
/// the rows puts something where there is something else.
Level level_of(const levels::Drawing& drawing, std::string_view source);
/// Reads rows of the letters above, see levels::Drawing. Throws InvalidInput with "source:line:column" for
/// anything else.
Level parse_level(std::string_view text, std::string_view source = "dungeon");

/// Whether a text is rows of these letters and holds some that only dungeons have: without any it is a maze
/// as well, and who reads it has to know what it is to be.
bool looks_like_level(std::string_view text);

/// The rows, each ending in a newline.
std::string to_text(const Level& level);

} // namespace knossos::dungeon
