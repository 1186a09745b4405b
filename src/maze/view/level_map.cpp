#include <knossos/maze/view/level_map.hpp>

#include "maze/view/level_places.hpp"

#include <knossos/maze/measures.hpp>
#include <knossos/tilemap/objects.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace knossos::maze {

using tilemap::Object;
using tilemap::Property;
using tilemap::TileMap;

namespace {

constexpr std::uint32_t tile_side = 32;
// In the order of the vocabulary, but for floor and rock: tile 1 is floor, as it has always been.
constexpr std::array<std::string_view, 5> tile_names{"floor", "rock", "entrance", "exit", "checkpoint"};
enum Kind : std::uint8_t { rock, open, entrance, exit, checkpoint };

std::string distances_of(const Survey& survey) {
    std::string text;
    for (std::size_t i = 0; i < survey.distance.size(); ++i)
        fmt::format_to(std::back_inserter(text), "{}{}",
                       i == 0                  ? ""
                       : i % survey.width == 0 ? ";"
                                               : ",",
                       survey.distance[i]);
    return text;
}

std::vector<Property> properties_of(const Survey& survey) {
    std::vector<Property> properties;
    for (const MeasureInfo& info : measure_table()) {
        const double value = value_of(survey.measures, info.measure);
        const bool fits = value < 2147483648.0; // Tiled's integers have 32 bits
        if (info.kind == MeasureKind::share || !fits)
            properties.push_back({std::string{info.name}, value});
        else
            properties.push_back({std::string{info.name}, static_cast<std::int64_t>(value)});
    }
    properties.push_back({"distances", distances_of(survey)});
    return properties;
}

Object place_at(std::string_view kind, Cell cell, std::uint32_t tile) {
    return tilemap::thing_in_cell(kind, {cell.x, cell.y}, tile_side, tile);
}

std::vector<Object> places_of(const Level& level, bool with_tiles) {
    const auto tile = [&](std::uint32_t number) { return with_tiles ? number : 0U; };
    std::vector<Object> all{place_at("entrance", level.entrance, tile(3)),
                            place_at("exit", level.exit, tile(4))};
    for (std::size_t i = 0; i < level.checkpoints.size(); ++i) {
        Object object = place_at("checkpoint", level.checkpoints[i], tile(5));
        object.name = fmt::format("checkpoint {}", i + 1);
        object.properties.push_back({"number", static_cast<std::int64_t>(i + 1)});
        all.push_back(std::move(object));
    }
    return all;
}

std::vector<Object> solution_of(const Survey& survey) {
    std::vector<tilemap::CellPlace> cells;
    for (const Cell cell : survey.path) cells.emplace_back(cell.x, cell.y);
    return tilemap::way_through("solution", cells, tile_side);
}

tilemap::Tileset tileset_named(std::string_view tiles) {
    tilemap::Tileset set{.name = "knossos",
                         .count = static_cast<std::uint32_t>(tile_names.size()),
                         .columns = static_cast<std::uint32_t>(tile_names.size()),
                         .tile_width = tile_side,
                         .tile_height = tile_side,
                         .image = fmt::format("{}.png", tiles)};
    for (std::uint32_t i = 0; i < tile_names.size(); ++i)
        set.tiles.push_back(
            {.id = i, .kind = std::string{tile_names[i]}, .properties = {{"rock", i == 1}}, .solid = i == 1});
    return set;
}

TileMap map_of(const Level& given, bool with_tiles, std::uint32_t floor_tile, std::uint32_t rock_tile) {
    const Level level = with_walls_as_rock(given);
    const Survey survey = maze::survey(level);
    const Grid& grid = level.grid;
    tilemap::Layer layer{.name = "maze",
                         .width = grid.width(),
                         .height = grid.height(),
                         .tile_width = tile_side,
                         .tile_height = tile_side};
    for (std::size_t i = 0; i < grid.area(); ++i)
        layer.tiles.push_back(grid.is_rock(grid.cell(i)) ? rock_tile : floor_tile);
    return {.properties = properties_of(survey),
            .layers = {std::move(layer)},
            .object_layers = {{.name = "places", .objects = places_of(level, with_tiles)},
                              {.name = "solution", .objects = solution_of(survey)}}};
}

std::optional<std::uint32_t> number_of(const Object& object, std::string_view where,
                                       std::string_view source) {
    const auto* value = tilemap::find_property(object.properties, "number");
    if (value == nullptr) return std::nullopt;
    const auto* number = std::get_if<std::int64_t>(value);
    if (number == nullptr || *number < 0 || *number > 1'000'000'000)
        render::refuse(source, fmt::format("{}: its number is no whole number from 0", where));
    return static_cast<std::uint32_t>(*number);
}

void put(std::size_t meaning, Cell cell, std::optional<std::uint32_t> number, const std::string& where,
         FoundPlaces& places) {
    if (meaning == entrance) places.enter(cell, where);
    if (meaning == exit) places.leave(cell, where);
    if (meaning == checkpoint) places.checkpoint(cell, number, where);
}

} // namespace

const tilemap::Vocabulary& level_vocabulary() {
    static const tilemap::Vocabulary vocabulary{
        .meanings = {{"rock", {"wall", "walls", "solid", "collision"}},
                     {"floor", {"open", "ground"}},
                     {"entrance", {"start", "spawn", "playerstart", "player_start"}},
                     {"exit", {"goal", "finish"}},
                     {"checkpoint", {"waypoint"}}},
        .rock = rock,
        .floor = open,
        .layer = "maze"};
    return vocabulary;
}

TileMap level_map(const Level& level, std::string_view tiles) {
    TileMap map = map_of(level, true, 1, 2);
    map.tilesets = {tileset_named(tiles)};
    return map;
}

TileMap level_grid_map(const Level& level) {
    TileMap map = map_of(level, false, 0, 1);
    map.tilesets = {{.name = "maze", .count = 1, .layer = "maze", .tiles = {{.id = 0, .kind = "rock"}}}};
    tilemap::make_entities_of_ways(map);
    return map;
}

Level level_of(const TileMap& map, const tilemap::MapChoice& choice, std::string_view source) {
    const tilemap::Vocabulary& vocabulary = level_vocabulary();
    const tilemap::Layer& layer = tilemap::choose_layer(map, vocabulary, choice.layer, source);
    check_size(layer.width, layer.height, source);
    const auto legend =
        choice.tiles.empty() ? tilemap::Legend{} : tilemap::parse_legend(choice.tiles, vocabulary);
    const auto cells = tilemap::meanings_of(map, layer, vocabulary, legend, source);
    Grid grid{layer.width, layer.height};
    FoundPlaces places{std::string{source}};
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const Cell cell = grid.cell(i);
        grid.set_rock(cell, cells[i] == rock);
        if (cells[i] > open) put(cells[i], cell, std::nullopt, fmt::format("cell {}", to_text(cell)), places);
    }
    for (const tilemap::ObjectLayer& group : map.object_layers)
        for (const Object& object : group.objects) {
            const auto meaning = tilemap::meaning_of(object, vocabulary);
            if (!meaning || *meaning <= open) continue;
            const std::string where =
                fmt::format("object {}", object.name.empty() ? object.kind : object.name);
            const auto cell = tilemap::cell_of(object, layer);
            if (!cell) render::refuse(source, fmt::format("{}: lies off the map", where));
            put(*meaning, {cell->first, cell->second}, number_of(object, where, source), where, places);
        }
    return places.level(std::move(grid));
}

} // namespace knossos::maze
