#include "tilemap/json_input.hpp"
#include "tilemap/map_builder.hpp"

#include <knossos/core/text.hpp>
#include <knossos/tilemap/files.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace knossos::tilemap {

using namespace json_input;
using render::refuse;

namespace {

constexpr std::size_t most_things = 100'000; // entities, layers, values: each

// Every member of a list that is an object.
template <class Use>
void each_object(const Json& owner, const char* key, std::string_view source, Use use) {
    for (const Json& one : array_or_none(owner, key, source)) {
        if (!one.is_object()) refuse(source, fmt::format("\"{}\" holds something that is no object", key));
        use(one);
    }
}

std::vector<const Json*> levels_of(const Json& project, std::string_view source) {
    std::vector<const Json*> levels;
    const auto add = [&](const Json& level) { levels.push_back(&level); };
    each_object(project, "levels", source, add);
    each_object(project, "worlds", source,
                [&](const Json& world) { each_object(world, "levels", source, add); });
    if (levels.empty()) refuse(source, "the project has no level");
    return levels;
}

const Json& choose_level(const Json& project, std::string_view wanted, std::string_view source) {
    const std::vector<const Json*> levels = levels_of(project, source);
    if (wanted.empty() && levels.size() == 1) return *levels.front();
    std::vector<std::string> names;
    for (const Json* level : levels) {
        names.push_back(text_or_none(*level, "identifier"));
        if (!wanted.empty() && names.back() == wanted) return *level;
    }
    constexpr std::size_t most = 20;
    const std::string more = names.size() > most ? ", ..." : "";
    if (names.size() > most) names.resize(most);
    const std::string known = fmt::format("{}{}", fmt::join(names, ", "), more);
    if (wanted.empty())
        refuse(source, fmt::format("the project has {} levels: {}; say --level {}", levels.size(), known,
                                   names.front()));
    refuse(source,
           fmt::format("--level is '{}'; there {} {}", wanted, levels.size() == 1 ? "is" : "are", known));
}

// What a layer's numbers are called, as its definition says.
std::vector<Tile> values_of(const Json& project, const Json& layer, std::string_view source) {
    std::vector<Tile> tiles;
    const auto definitions = project.find("defs");
    if (definitions == project.end() || !definitions->is_object()) return tiles;
    const Json uid = layer.value("layerDefUid", Json{});
    each_object(*definitions, "layers", source, [&](const Json& definition) {
        if (uid.is_null() || definition.value("uid", Json{}) != uid) return;
        each_object(definition, "intGridValues", source, [&](const Json& value) {
            const std::uint32_t number = whole_member(value, "value", source);
            if (number > 0) tiles.push_back({.id = number - 1, .kind = text_or_none(value, "identifier")});
        });
    });
    return tiles;
}

void read_fields(const Json& owner, Object& object, double grid, std::string_view source) {
    each_object(owner, "fieldInstances", source, [&](const Json& field) {
        const std::string name = text_or_none(field, "__identifier");
        const auto value = field.find("__value");
        if (value == field.end()) return;
        if (value->is_boolean())
            object.properties.push_back({name, value->get<bool>()});
        else if (value->is_number_integer() && text_or_none(field, "__type") != "Float")
            object.properties.push_back({name, value->get<std::int64_t>()});
        else if (value->is_number())
            object.properties.push_back({name, value->get<double>()});
        else if (value->is_string() && name == "name")
            object.name = value->get<std::string>();
        else if (value->is_string())
            object.properties.push_back({name, value->get<std::string>()});
        else if (value->is_array() && text_or_none(field, "__type") == "Array<Point>" && object.line.empty())
            for (const Json& point : *value)
                if (point.is_object())
                    object.line.push_back({(number_or_zero(point, "cx") + 0.5) * grid,
                                           (number_or_zero(point, "cy") + 0.5) * grid});
    });
}

// One of two numbers, or nothing.
std::optional<double> number_at(const Json& object, const char* key, std::size_t index) {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_array() || found->size() <= index || !(*found)[index].is_number())
        return std::nullopt;
    const double number = (*found)[index].get<double>();
    return std::abs(number) < 1.0e9 ? std::optional{number} : std::nullopt;
}

Object read_entity(const Json& json, const Json& layer, std::string_view source) {
    Object object{.kind = text_or_none(json, "__identifier"),
                  .width = number_or_zero(json, "width"),
                  .height = number_or_zero(json, "height")};
    // Places count from the pivot of the entity, which may be anywhere in it.
    const auto corner = [&](std::size_t axis, double size, const char* offset) {
        const auto place = number_at(json, "px", axis);
        if (!place)
            refuse(source,
                   fmt::format("entity {}: \"px\" is {}; expected two numbers, its place in the level",
                               object.kind, shown(json.value("px", Json{}))));
        return *place - number_at(json, "__pivot", axis).value_or(0.0) * size + number_or_zero(layer, offset);
    };
    object.place = {corner(0, object.width, "__pxTotalOffsetX"),
                    corner(1, object.height, "__pxTotalOffsetY")};
    read_fields(json, object, std::max(1.0, number_or_zero(layer, "__gridSize")), source);
    return object;
}

Layer read_grid(const Json& json, std::uint64_t& total, std::string_view source) {
    Layer layer{.name = text_or_none(json, "__identifier"),
                .width = whole_member(json, "__cWid", source),
                .height = whole_member(json, "__cHei", source),
                .tile_width = whole_member(json, "__gridSize", source)};
    layer.tile_height = layer.tile_width;
    if (layer.width < 1 || layer.height < 1 || layer.width > largest_side || layer.height > largest_side)
        refuse(source, fmt::format("a layer of {} × {} cells; both sides lie in 1..{}", layer.width,
                                   layer.height, largest_side));
    if (layer.tile_width < 1 || layer.tile_width > largest_tile)
        refuse(source,
               fmt::format("cells of {} pixels; their side lies in 1..{}", layer.tile_width, largest_tile));
    const std::uint64_t area = std::uint64_t{layer.width} * layer.height;
    total += area;
    if (total > most_tiles)
        refuse(source, fmt::format("its layers have more than {} cells together", thousands(most_tiles)));
    const Json& values = array_or_none(json, "intGridCsv", source);
    if (values.size() != area)
        refuse(source, fmt::format("\"intGridCsv\" of layer {} has {} values; by its size it should be {}",
                                   layer.name, values.size(), area));
    layer.tiles.reserve(area);
    for (const Json& value : values)
        layer.tiles.push_back(whole(value, fmt::format("a value of layer {}", layer.name), source));
    return layer;
}

} // namespace

TileMap read_ldtk(std::string_view bytes, std::string_view source, const FileReader& files,
                  std::string_view level_name) {
    const Json project = parse_object(bytes, source);
    const Json* level = &choose_level(project, level_name, source);
    Json apart; // levels may be files of their own
    if (const std::string name = text_or_none(*level, "externalRelPath");
        !name.empty() && level->value("layerInstances", Json{}).is_null()) {
        if (!files) refuse(source, fmt::format("the level is in {}, and only the project is here", name));
        apart = parse_object(files(name), name);
        level = &apart;
    }
    TileMap map;
    std::uint64_t total = 0;
    std::size_t entities = 0;
    Object fields;
    read_fields(*level, fields, 1.0, source);
    map.properties = std::move(fields.properties);
    each_object(*level, "layerInstances", source, [&](const Json& layer) {
        const std::string type = text_or_none(layer, "__type");
        if (type == "IntGrid") {
            Tileset set{.name = text_or_none(layer, "__identifier"), .first = 1};
            set.layer = set.name;
            set.tiles = values_of(project, layer, source);
            for (const Tile& tile : set.tiles) set.count = std::max(set.count, tile.id + 1);
            map.layers.push_back(read_grid(layer, total, source));
            map.tilesets.push_back(std::move(set));
        }
        if (type == "Entities") {
            ObjectLayer& objects = map.object_layers.emplace_back();
            objects.name = text_or_none(layer, "__identifier");
            each_object(layer, "entityInstances", source, [&](const Json& entity) {
                if (++entities > most_things)
                    refuse(source, fmt::format("the level has more than {} entities", most_things));
                objects.objects.push_back(read_entity(entity, layer, source));
            });
        }
        if (map.layers.size() > 1000) refuse(source, "the level has more than 1000 layers");
    });
    if (map.layers.empty()) refuse(source, "the level has no IntGrid layer");
    // LDtk lists what is on top first.
    std::ranges::reverse(map.layers);
    std::ranges::reverse(map.tilesets);
    std::ranges::reverse(map.object_layers);
    return map;
}

} // namespace knossos::tilemap
