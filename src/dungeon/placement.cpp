#include <knossos/core/error.hpp>
#include <knossos/core/text.hpp>
#include <knossos/core/values.hpp>
#include <knossos/dungeon/placement.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace knossos::dungeon {

namespace {

struct Kind {
    std::string_view name;
    Tile tile;
};

// Of a colour its doors; the key comes with them.
constexpr Kind placeable[] = {
    {"keys", Tile::small_key},         {"key", Tile::small_key},         {"doors", Tile::small_door},
    {"door", Tile::small_door},        {"red", Tile::red_door},          {"green", Tile::green_door},
    {"blue", Tile::blue_door},         {"yellow", Tile::yellow_door},    {"treasure", Tile::treasure},
    {"treasures", Tile::treasure},     {"monsters", Tile::monster},      {"monster", Tile::monster},
    {"checkpoints", Tile::checkpoint}, {"checkpoint", Tile::checkpoint}, {"one-ways", Tile::one_way_north},
    {"one_ways", Tile::one_way_north}, {"one-way", Tile::one_way_north},
};
constexpr std::string_view kinds_told =
    "keys, doors, red, green, blue, yellow, treasure, monsters, checkpoints and one-ways";

std::optional<std::uint32_t> number(std::string_view digits) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
    return value;
}

Count count_in(std::string_view text, const std::string& whole) {
    const std::size_t dots = text.find("..");
    const auto low = number(text.substr(0, dots));
    const auto high = dots == std::string_view::npos ? low : number(text.substr(dots + 2));
    if (!low || !high)
        throw InvalidInput{
            fmt::format("'{}': how many? It must be a number or a range, as in 'monsters 3..6'", whole)};
    if (*low > *high)
        throw InvalidInput{fmt::format("'{}': the range is empty, {} is more than {}", whole, *low, *high)};
    if (*high > largest_side * largest_side)
        throw InvalidInput{fmt::format("'{}': no dungeon has so many cells", whole)};
    return {*low, *high};
}

// What is wrong is told in words that follow "has".
Tile kind_named(std::string_view name) {
    std::vector<std::string> names;
    for (const Kind& one : placeable) {
        if (one.name == name) return one.tile;
        names.emplace_back(one.name);
    }
    const auto meant = nearest(name, names);
    throw InvalidInput{fmt::format("'{}', which is nothing that can be placed; {}", name,
                                   meant ? fmt::format("did you mean {}?", *meant)
                                         : fmt::format("there are {}", kinds_told))};
}

} // namespace

Count Placement::total() const {
    Count all;
    for (const Count& one : counts) {
        all.fewest += one.fewest;
        all.most += one.most;
    }
    return all;
}

Placement parse_placement(std::string_view text) {
    Placement placement;
    placement.of(Tile::entrance) = placement.of(Tile::exit) = {1, 1};
    std::vector<Tile> named;
    for (const std::string& entry : entries_of(text)) {
        const std::size_t blank = entry.find_first_of(" \t\n");
        const std::string_view name = std::string_view{entry}.substr(0, blank);
        const Tile tile = kind_named(name);
        std::string_view rest = blank == std::string::npos ? "" : std::string_view{entry}.substr(blank);
        rest.remove_prefix(std::min(rest.find_first_not_of(" \t\n"), rest.size()));
        const Count count = count_in(rest, entry);
        if (std::ranges::find(named, tile) != named.end())
            throw InvalidInput{fmt::format("'{}': {} stand there twice", entry, name)};
        named.push_back(tile);
        placement.of(tile) = count;
        if (!is_coloured_door(tile) || count.most == 0) continue;
        const auto key = static_cast<Tile>(static_cast<std::uint32_t>(Tile::red_key) + colour_of(tile));
        placement.of(key) = {1, 1};
    }
    return placement;
}

std::string to_text(const Placement& placement) {
    std::string text;
    std::vector<Tile> told;
    for (const Kind& kind : placeable) {
        const Count& count = placement.of(kind.tile);
        if (count.most == 0 || std::ranges::find(told, kind.tile) != told.end()) continue;
        told.push_back(kind.tile);
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", kind.name, count.fewest);
        if (count.most != count.fewest) text += fmt::format("..{}", count.most);
    }
    return text;
}

std::vector<Tile> placed_kinds(const Placement& placement) {
    std::vector<Tile> kinds_there;
    for (const bool framed : {true, false})
        for (std::size_t i = 2; i < tile_kinds; ++i) {
            const auto tile = static_cast<Tile>(i);
            if (placement.of(tile).most > 0 && (is_door(tile) || is_one_way(tile)) == framed)
                kinds_there.push_back(tile);
        }
    return kinds_there;
}

} // namespace knossos::dungeon
