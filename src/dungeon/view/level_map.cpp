#include <knossos/dungeon/view/level_map.hpp>

#include "dungeon/view/things.hpp"
#include "render/refuse.hpp"

#include <knossos/core/text.hpp>
#include <knossos/dungeon/judge.hpp>
#include <knossos/dungeon/view/level.hpp>
#include <knossos/tilemap/objects.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace knossos::dungeon {

using render::refuse;
using tilemap::Object;
using tilemap::Property;
using tilemap::TileMap;

namespace {

constexpr std::uint32_t tile_side = 32;
constexpr std::uint32_t sheet_columns = 9;
constexpr std::array doors{Tile::small_door, Tile::red_door, Tile::green_door, Tile::blue_door,
                           Tile::yellow_door};
constexpr std::array<std::string_view, colours> colour_names{"red", "green", "blue", "yellow"};

// Doors that one walks through from top to bottom are tiles of their own, behind the others.
constexpr std::uint32_t tiles_of_sheet = tile_kinds + doors.size();

std::uint32_t tile_of(const Level& level, std::size_t cell) {
    const Tile tile = level.cells[cell];
    const auto* const door = std::ranges::find(doors, tile);
    if (door == doors.end() || !is_upright(level, cell)) return static_cast<std::uint32_t>(tile) + 1;
    return static_cast<std::uint32_t>(tile_kinds + static_cast<std::size_t>(door - doors.begin())) + 1;
}

Tile tile_in_sheet(std::uint32_t id) {
    return id < tile_kinds ? static_cast<Tile>(id) : doors[id - tile_kinds];
}

// "red_key": what classes and identifiers are called.
std::string class_of(Tile tile) {
    std::string name{name_of(tile)};
    for (char& letter : name)
        if (letter == ' ' || letter == '-') letter = '_';
    return name;
}

// What a program wants to know of a thing without taking its name apart.
std::vector<Property> properties_of(Tile tile) {
    std::vector<Property> all;
    const auto add = [&](std::string_view name, std::string_view value) {
        all.push_back({std::string{name}, std::string{value}});
    };
    if (is_key(tile)) add("group", "key");
    if (is_door(tile)) add("group", "door");
    if (is_one_way(tile)) add("group", "one_way");
    if (is_coloured_key(tile) || is_coloured_door(tile)) add("colour", colour_names[colour_of(tile)]);
    if (is_door(tile))
        add("opened_by",
            tile == Tile::small_door ? "small_key" : fmt::format("{}_key", colour_names[colour_of(tile)]));
    if (is_one_way(tile)) add("direction", step_names[static_cast<std::size_t>(step_of(tile))]);
    return all;
}

std::vector<Object> things_of(const Level& level, bool with_tiles) {
    std::vector<Object> all;
    for (std::size_t i = 0; i < level.area(); ++i) {
        if (level.cells[i] == Tile::rock || level.cells[i] == Tile::floor) continue;
        Object object = tilemap::thing_in_cell(class_of(level.cells[i]), {level.x_of(i), level.y_of(i)},
                                               tile_side, with_tiles ? tile_of(level, i) : 0);
        object.name = name_of(level.cells[i]);
        object.properties = properties_of(level.cells[i]);
        all.push_back(std::move(object));
    }
    return all;
}

std::vector<Object> way_of(std::string_view name, const Level& level, const Walk& walk) {
    std::vector<tilemap::CellPlace> cells;
    for (const std::uint32_t cell : walk) cells.emplace_back(level.x_of(cell), level.y_of(cell));
    return tilemap::way_through(name, cells, tile_side);
}

std::vector<Property> properties_of(const Judgement& judgement) {
    std::vector<Property> all{{"solvable", judgement.solvable}, {"unlosable", judgement.unlosable}};
    for (const MeasureInfo& info : measure_table()) {
        const double value = judgement.measures[info.measure];
        const bool fits = value < 2147483648.0; // Tiled's integers have 32 bits
        if (info.kind == MeasureKind::count && fits)
            all.push_back({std::string{info.name}, static_cast<std::int64_t>(value)});
        else
            all.push_back({std::string{info.name}, value});
    }
    return all;
}

TileMap map_of(const Level& level, bool with_tiles, std::uint32_t rock_tile, std::uint32_t floor_tile) {
    check(level);
    Judge judge;
    const Judgement judgement = judge.judge(level);
    tilemap::Layer layer{.name = "dungeon",
                         .width = level.width,
                         .height = level.height,
                         .tile_width = tile_side,
                         .tile_height = tile_side};
    for (const Tile tile : level.cells) layer.tiles.push_back(tile == Tile::rock ? rock_tile : floor_tile);
    TileMap map{.properties = properties_of(judgement),
                .layers = {std::move(layer)},
                .object_layers = {{.name = "things", .objects = things_of(level, with_tiles)}}};
    const auto add_walk = [&](const std::string& name, std::string_view line, const Walk& walk) {
        if (walk.empty()) return;
        map.properties.push_back({name, moves_of(level, walk)});
        map.properties.push_back({name + "_events", walk_events(level, walk)});
        if (auto way = way_of(line, level, walk); !way.empty())
            map.object_layers.push_back({.name = std::string{line}, .objects = std::move(way)});
    };
    add_walk("walkthrough", "solution", judge.solution(level));
    add_walk("losing_walk", "losing_walk", judge.losing_walk(level));
    return map;
}

std::string there_of(const Level& level, std::size_t cell) {
    return fmt::format("cell {},{}", level.x_of(cell), level.y_of(cell));
}

void put_object(Level& level, const Object& object, Tile tile, const tilemap::Layer& layer,
                std::string_view source) {
    const std::string_view name = object.name.empty() ? object.kind : object.name;
    const auto place = tilemap::cell_of(object, layer);
    if (!place) refuse(source, fmt::format("object {}: lies off the map", name));
    const std::size_t cell = std::size_t{place->second} * level.width + place->first;
    const Tile before = level.cells[cell];
    if (before == Tile::rock)
        refuse(source, fmt::format("object {}: lies in rock, at {}", name, there_of(level, cell)));
    if (before != Tile::floor && before != tile)
        refuse(source, fmt::format("object {}: at {} there is the {} already, and a cell holds one thing",
                                   name, there_of(level, cell), name_of(before)));
    level.cells[cell] = tile;
}

void require_places(const Level& level, std::string_view source) {
    for (const Tile place : {Tile::entrance, Tile::exit}) {
        const auto first = std::ranges::find(level.cells, place);
        if (first == level.cells.end())
            refuse(source, fmt::format("there is no {0}; give one object the class {0}", name_of(place)));
        const auto second = std::find(first + 1, level.cells.end(), place);
        if (second != level.cells.end())
            refuse(source,
                   fmt::format("a second {}, at {}; the first one is at {}, and a dungeon has only one",
                               name_of(place),
                               there_of(level, static_cast<std::size_t>(second - level.cells.begin())),
                               there_of(level, static_cast<std::size_t>(first - level.cells.begin()))));
    }
}

// Objects of classes that are nothing of a level. Lines are ways that somebody drew, ours among them.
std::vector<std::string> what_is_left_out(const TileMap& map) {
    const tilemap::Vocabulary& vocabulary = level_vocabulary();
    std::map<std::string, std::size_t> classes;
    for (const tilemap::ObjectLayer& group : map.object_layers)
        for (const Object& object : group.objects)
            if (!object.kind.empty() && object.line.empty() && !tilemap::meaning_of(object, vocabulary))
                ++classes[object.kind];
    std::vector<std::string> words;
    for (const tilemap::Meaning& meaning : vocabulary.meanings) {
        words.push_back(meaning.name);
        words.insert(words.end(), meaning.others.begin(), meaning.others.end());
    }
    std::vector<std::string> told;
    for (const auto& [kind, count] : classes) {
        std::string plain = kind;
        std::ranges::replace(plain, '_', ' ');
        const auto meant = nearest(plain, words);
        told.push_back(fmt::format("{} of the class {} left out{}", counted(count, "object", "objects"), kind,
                                   meant ? fmt::format("; did you mean {}?", *meant) : ""));
    }
    return told;
}

} // namespace

const tilemap::Vocabulary& level_vocabulary() {
    static const tilemap::Vocabulary vocabulary = [] {
        tilemap::Vocabulary words{.rock = 0, .floor = 1, .layer = "dungeon"};
        for (std::size_t i = 0; i < tile_kinds; ++i)
            words.meanings.push_back({std::string{name_of(static_cast<Tile>(i))}});
        const auto also = [&](Tile tile, std::initializer_list<std::string> others) {
            words.meanings[static_cast<std::size_t>(tile)].others = others;
        };
        also(Tile::rock, {"wall", "walls", "solid", "collision"});
        also(Tile::floor, {"open", "ground"});
        also(Tile::entrance, {"start", "spawn", "playerstart", "player start", "player"});
        also(Tile::exit, {"goal", "finish"});
        also(Tile::checkpoint, {"waypoint"});
        also(Tile::treasure, {"chest", "loot"});
        also(Tile::monster, {"enemy"});
        also(Tile::small_key, {"key"});
        also(Tile::small_door, {"door", "small door"});
        return words;
    }();
    return vocabulary;
}

tilemap::Tileset level_tileset(std::string_view tiles) {
    tilemap::Tileset set{.name = "knossos-dungeon",
                         .count = tiles_of_sheet,
                         .columns = sheet_columns,
                         .tile_width = tile_side,
                         .tile_height = tile_side,
                         .image = fmt::format("{}.png", tiles)};
    for (std::uint32_t id = 0; id < tiles_of_sheet; ++id) {
        const Tile tile = tile_in_sheet(id);
        set.tiles.push_back({.id = id,
                             .kind = class_of(tile),
                             .properties = properties_of(tile),
                             .solid = tile == Tile::rock});
    }
    return set;
}

std::string level_tiles_png(const render::Theme& theme) {
    const std::uint32_t rows = (tiles_of_sheet + sheet_columns - 1) / sheet_columns;
    render::Picture picture{.width = sheet_columns * tile_side, .height = rows * tile_side};
    const double side = tile_side;
    for (std::uint32_t id = 0; id < tiles_of_sheet; ++id) {
        const std::uint32_t column = id % sheet_columns;
        const std::uint32_t row = id / sheet_columns;
        const render::Point corner{column * side, row * side};
        const Tile tile = tile_in_sheet(id);
        if (tile == Tile::rock || tile == Tile::floor)
            picture.shapes.emplace_back(
                render::Rectangle{corner, side, side, tile == Tile::rock ? theme.rock : theme.floor, {}});
        else
            add_thing(picture,
                      {.centre = {corner.x + side / 2, corner.y + side / 2},
                       .cell = side,
                       .upright = id >= tile_kinds},
                      tile, theme);
    }
    return to_transparent_png(picture);
}

TileMap level_map(const Level& level, std::string_view tiles) {
    TileMap map = map_of(level, true, 1, 2);
    map.tilesets = {level_tileset(tiles)};
    return map;
}

TileMap level_grid_map(const Level& level) {
    TileMap map = map_of(level, false, 1, 0);
    map.tilesets = {
        {.name = "dungeon", .count = 1, .layer = "dungeon", .tiles = {{.id = 0, .kind = "rock"}}}};
    tilemap::make_entities_of_ways(map);
    return map;
}

Level level_of(const TileMap& map, const tilemap::MapChoice& choice, std::string_view source,
               std::vector<std::string>* left_out) {
    const tilemap::Vocabulary& vocabulary = level_vocabulary();
    const tilemap::Layer& layer = tilemap::choose_layer(map, vocabulary, choice.layer, source);
    if (layer.width < 1 || layer.height < 1 || layer.width > largest_side || layer.height > largest_side)
        refuse(source, fmt::format("a dungeon of {} × {} cells; both sides lie in 1..{}", layer.width,
                                   layer.height, largest_side));
    const auto legend =
        choice.tiles.empty() ? tilemap::Legend{} : tilemap::parse_legend(choice.tiles, vocabulary);
    Level level{.width = layer.width, .height = layer.height};
    for (const std::uint8_t cell : tilemap::meanings_of(map, layer, vocabulary, legend, source))
        level.cells.push_back(static_cast<Tile>(cell));
    for (const tilemap::ObjectLayer& group : map.object_layers)
        for (const Object& object : group.objects) {
            const auto meaning = tilemap::meaning_of(object, vocabulary);
            if (!meaning && vocabulary.find(object.kind + " north"))
                refuse(source, fmt::format("object {}: where does it lead? Give it a property direction: {}",
                                           object.kind, fmt::join(step_names, ", ")));
            if (meaning && *meaning > static_cast<std::size_t>(Tile::floor))
                put_object(level, object, static_cast<Tile>(*meaning), layer, source);
        }
    require_places(level, source);
    if (left_out != nullptr) *left_out = what_is_left_out(map);
    return level;
}

} // namespace knossos::dungeon
