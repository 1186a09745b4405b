#include "tilemap/json_input.hpp"
#include "tilemap/map_builder.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace knossos::tilemap {

using namespace json_input;
using render::refuse;

namespace {

using OrderedJson = nlohmann::ordered_json;

// --- reading ---

void expect_object(const Json& value, std::string_view what, std::string_view source) {
    if (!value.is_object()) refuse(source, fmt::format("{} holds something else", what));
}

std::vector<Property> read_properties(const Json& owner, std::string_view source) {
    std::vector<Property> properties;
    for (const Json& property : array_or_none(owner, "properties", source)) {
        expect_object(property, "a list of properties", source);
        const std::string type = text_or_none(property, "type");
        const auto value = property.find("value");
        if (value == property.end()) continue;
        Value read;
        if (value->is_boolean())
            read = value->get<bool>();
        else if (value->is_number_integer() && type != "float")
            read = value->get<std::int64_t>();
        else if (value->is_number())
            read = value->get<double>();
        else if (value->is_string())
            read = value->get<std::string>();
        else
            continue; // classes of one's own: nothing that we look for
        properties.push_back({text_or_none(property, "name"), std::move(read)});
    }
    return properties;
}

// Tiled 1.9 called it class, before and after it is type.
std::string kind_of(const Json& owner) {
    std::string kind = text_or_none(owner, "type");
    return kind.empty() ? text_or_none(owner, "class") : kind;
}

Tileset read_tileset(const Json& json, std::string_view source) {
    Tileset set{.name = text_or_none(json, "name"), .image = text_or_none(json, "image")};
    for (const auto& [key, target] :
         {std::pair{"tilecount", &set.count}, std::pair{"columns", &set.columns},
          std::pair{"tilewidth", &set.tile_width}, std::pair{"tileheight", &set.tile_height}})
        if (json.contains(key)) *target = whole_member(json, key, source);
    for (const Json& tile : array_or_none(json, "tiles", source)) {
        expect_object(tile, "a list of tiles", source);
        const auto shapes = tile.find("objectgroup");
        set.tiles.push_back({.id = whole(member(tile, "id", source), "the id of a tile", source),
                             .kind = kind_of(tile),
                             .properties = read_properties(tile, source),
                             .solid = shapes != tile.end() && shapes->is_object() &&
                                      !array_or_none(*shapes, "objects", source).empty()});
    }
    return set;
}

Object read_object(const Json& json, const MapBuilder& builder, std::string_view source) {
    Object object{.name = text_or_none(json, "name"),
                  .kind = kind_of(json),
                  .place = {number_or_zero(json, "x"), number_or_zero(json, "y")},
                  .width = number_or_zero(json, "width"),
                  .height = number_or_zero(json, "height"),
                  .is_point = json.value("point", Json{}) == true,
                  .properties = read_properties(json, source)};
    if (const auto tile = json.find("gid"); tile != json.end() && tile->is_number_unsigned())
        object.tile = static_cast<std::uint32_t>(tile->get<std::uint64_t>());
    for (const Json& corner : array_or_none(json, "polyline", source)) {
        expect_object(corner, "a polyline", source);
        object.line.push_back({number_or_zero(corner, "x"), number_or_zero(corner, "y")});
    }
    return builder.placed(std::move(object));
}

std::vector<std::uint32_t> read_data(const Json& owner, const Json& layer, std::size_t count,
                                     const MapBuilder& builder, std::string_view source) {
    const Json& data = member(owner, "data", source);
    if (const auto* text = data.get_ptr<const std::string*>()) {
        const std::string encoding = text_or_none(layer, "encoding");
        return builder.decode(encoding.empty() ? "base64" : encoding, text_or_none(layer, "compression"),
                              *text, count);
    }
    if (!data.is_array()) refuse(source, "the \"data\" of a tile layer is neither a list of tiles nor text");
    builder.require_count(data.size(), count);
    std::vector<std::uint32_t> tiles(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t tile = data[i].is_number_integer() ? data[i].get<std::int64_t>() : -1;
        if (tile < 0 || tile > 0xFFFFFFFFLL)
            refuse(source,
                   fmt::format("tile {} of a layer is {}, which is no tile number", i + 1, shown(data[i])));
        tiles[i] = static_cast<std::uint32_t>(tile);
    }
    return tiles;
}

std::int64_t signed_member(const Json& object, const char* key, std::string_view source) {
    const Json& value = member(object, key, source);
    if (!value.is_number_integer() || value < -1'000'000'000 || value > 1'000'000'000)
        refuse(source, fmt::format("\"{}\" of a chunk is {}; expected a whole number", key, shown(value)));
    return value.get<std::int64_t>();
}

Chunk read_chunk(const Json& owner, const Json& layer, MapBuilder& builder, std::string_view source) {
    const bool is_part = &owner != &layer;
    Chunk chunk{.x = is_part ? signed_member(owner, "x", source) : 0,
                .y = is_part ? signed_member(owner, "y", source) : 0,
                .width = builder.head().width,
                .height = builder.head().height};
    if (is_part || owner.contains("width")) chunk.width = whole_member(owner, "width", source);
    if (is_part || owner.contains("height")) chunk.height = whole_member(owner, "height", source);
    builder.claim(chunk.width, chunk.height);
    chunk.tiles = read_data(owner, layer, std::size_t{chunk.width} * chunk.height, builder, source);
    return chunk;
}

void read_layers(const Json& owner, MapBuilder& builder, std::string_view source, int depth) {
    if (depth > deepest_groups) refuse(source, "groups of layers are nested too deeply");
    for (const Json& layer : array_or_none(owner, "layers", source)) {
        expect_object(layer, "a list of layers", source);
        const std::string type = text_or_none(layer, "type");
        if (type == "group") read_layers(layer, builder, source, depth + 1);
        if (type == "tilelayer") {
            std::vector<Chunk> chunks;
            if (layer.contains("chunks"))
                for (const Json& chunk : array_or_none(layer, "chunks", source)) {
                    expect_object(chunk, "a list of chunks", source);
                    chunks.push_back(read_chunk(chunk, layer, builder, source));
                }
            else
                chunks.push_back(read_chunk(layer, layer, builder, source));
            builder.add_layer(text_or_none(layer, "name"), std::move(chunks));
        }
        if (type == "objectgroup") {
            ObjectLayer objects{.name = text_or_none(layer, "name")};
            for (const Json& object : array_or_none(layer, "objects", source)) {
                expect_object(object, "an object layer", source);
                objects.objects.push_back(read_object(object, builder, source));
            }
            builder.add_objects(std::move(objects));
        }
    }
}

// --- writing ---

OrderedJson properties_json(const std::vector<Property>& properties) {
    auto list = OrderedJson::array();
    for (const Property& property : properties)
        list.push_back(
            {{"name", property.name},
             {"type", type_of(property.value)},
             {"value", std::visit([](const auto& value) { return OrderedJson(value); }, property.value)}});
    return list;
}

OrderedJson object_group(std::string_view name, int id, OrderedJson objects) {
    OrderedJson group{{"draworder", "index"},
                      {"id", id},
                      {"name", name},
                      {"objects", std::move(objects)},
                      {"opacity", 1},
                      {"type", "objectgroup"},
                      {"visible", true},
                      {"x", 0},
                      {"y", 0}};
    return group;
}

// Whole numbers as such, which some readers want.
OrderedJson pixels(double number) { return OrderedJson::parse(std::string_view{number_text(number)}); }

OrderedJson object_json(const Object& object, int id) {
    const double down = object.tile != 0 ? object.height : 0.0;
    OrderedJson json{{"id", id},
                     {"name", object.name},
                     {"type", object.kind},
                     {"x", pixels(object.place.x)},
                     {"y", pixels(object.place.y + down)},
                     {"width", pixels(object.width)},
                     {"height", pixels(object.height)},
                     {"rotation", 0},
                     {"visible", true}};
    if (object.tile != 0) json["gid"] = object.tile;
    if (object.is_point) json["point"] = true;
    for (const Point corner : object.line)
        json["polyline"].push_back(
            {{"x", pixels(corner.x - object.place.x)}, {"y", pixels(corner.y - object.place.y)}});
    if (!object.properties.empty()) json["properties"] = properties_json(object.properties);
    return json;
}

OrderedJson tileset_json(const Tileset& set) {
    auto tiles = OrderedJson::array();
    for (const Tile& tile : set.tiles) {
        OrderedJson json{{"id", tile.id}};
        if (!tile.kind.empty()) json["type"] = tile.kind;
        if (!tile.properties.empty()) json["properties"] = properties_json(tile.properties);
        if (tile.solid) {
            const Object whole_tile{.width = static_cast<double>(set.tile_width),
                                    .height = static_cast<double>(set.tile_height)};
            json["objectgroup"] = object_group("", 1, OrderedJson::array({object_json(whole_tile, 1)}));
        }
        tiles.push_back(std::move(json));
    }
    return {{"name", set.name},
            {"columns", set.columns},
            {"tilecount", set.count},
            {"tilewidth", set.tile_width},
            {"tileheight", set.tile_height},
            {"margin", 0},
            {"spacing", 0},
            {"image", set.image},
            {"imagewidth", set.columns * set.tile_width},
            {"imageheight", (set.count + set.columns - 1) / std::max(1U, set.columns) * set.tile_height},
            {"tiles", std::move(tiles)}};
}

// CSV as rows that people can read, which the JSON library would not write.
std::string data_text(const std::vector<std::uint32_t>& tiles, std::uint32_t width, Encoding encoding) {
    const std::string text = encoded(tiles, width, encoding);
    return encoding == Encoding::csv ? fmt::format("[\n{}]", text) : fmt::format("\"{}\"", text);
}

std::string layer_text(const Layer& layer, int id, const TiledOptions& options) {
    OrderedJson json{{"id", id},
                     {"name", layer.name},
                     {"type", "tilelayer"},
                     {"width", layer.width},
                     {"height", layer.height},
                     {"opacity", 1},
                     {"visible", true},
                     {"x", 0},
                     {"y", 0}};
    if (options.encoding != Encoding::csv) {
        json["encoding"] = "base64";
        json["compression"] = compression_of(options.encoding);
    }
    if (options.infinite) {
        json["startx"] = 0;
        json["starty"] = 0;
    }
    std::string text = dumped(json);
    text.pop_back();
    if (!options.infinite)
        return fmt::format("{},\"data\":{}}}", text, data_text(layer.tiles, layer.width, options.encoding));
    std::string chunks;
    for (const Chunk& chunk : chunks_of(layer))
        chunks += fmt::format("{}{{\"x\":{},\"y\":{},\"width\":{},\"height\":{},\"data\":{}}}",
                              chunks.empty() ? "" : ",\n", chunk.x, chunk.y, chunk.width, chunk.height,
                              data_text(chunk.tiles, chunk.width, options.encoding));
    return fmt::format("{},\"chunks\":[{}]}}", text, chunks);
}

} // namespace

Tileset read_tsj(std::string_view bytes, std::string_view source) {
    return read_tileset(parse_object(bytes, source), source);
}

TileMap read_tmj(std::string_view bytes, std::string_view source, const FileReader& files) {
    const Json map = parse_object(bytes, source);
    MapBuilder builder{source, files};
    MapHead head{.infinite = map.value("infinite", Json{}) == true};
    head.width = whole_member(map, "width", source);
    head.height = whole_member(map, "height", source);
    head.tile_width = whole_member(map, "tilewidth", source);
    head.tile_height = whole_member(map, "tileheight", source);
    if (map.contains("orientation")) head.orientation = text_or_none(map, "orientation");
    builder.begin(head);
    builder.add_properties(read_properties(map, source));
    for (const Json& json : array_or_none(map, "tilesets", source)) {
        expect_object(json, "a list of tilesets", source);
        const std::uint32_t first = whole_member(json, "firstgid", source);
        if (json.contains("source")) {
            builder.add_external(first, text_or_none(json, "source"));
        } else {
            Tileset set = read_tileset(json, source);
            set.first = first;
            builder.add_tileset(std::move(set));
        }
    }
    if (!member(map, "layers", source).is_array()) refuse(source, "\"layers\" is not an array");
    read_layers(map, builder, source, 0);
    return builder.finish();
}

std::string to_tmj(const TileMap& map, const TiledOptions& options) {
    const Layer& first = map.layers.at(0);
    auto tilesets = OrderedJson::array();
    for (const Tileset& set : map.tilesets) {
        OrderedJson json = set.source.empty() ? tileset_json(set) : OrderedJson{{"source", set.source}};
        json["firstgid"] = set.first;
        tilesets.push_back(std::move(json));
    }
    int layer_id = 1;
    int object_id = 1;
    std::vector<std::string> layers;
    for (const Layer& layer : map.layers) layers.push_back(layer_text(layer, layer_id++, options));
    for (const ObjectLayer& layer : map.object_layers) {
        auto objects = OrderedJson::array();
        for (const Object& object : layer.objects) objects.push_back(object_json(object, object_id++));
        layers.push_back(dumped(object_group(layer.name, layer_id++, std::move(objects))));
    }
    OrderedJson head{{"type", "map"},
                     {"version", tiled_version},
                     {"orientation", "orthogonal"},
                     {"renderorder", "right-down"},
                     {"compressionlevel", -1},
                     {"infinite", options.infinite},
                     {"width", first.width},
                     {"height", first.height},
                     {"tilewidth", first.tile_width},
                     {"tileheight", first.tile_height},
                     {"nextlayerid", layer_id},
                     {"nextobjectid", object_id}};
    if (!map.properties.empty()) head["properties"] = properties_json(map.properties);
    head["tilesets"] = std::move(tilesets);
    std::string text = dumped(head, 1);
    text.resize(text.rfind('}'));
    while (text.ends_with('\n')) text.pop_back();
    return fmt::format("{},\n \"layers\": [{}]\n}}\n", text, fmt::join(layers, ",\n"));
}

std::string to_tsj(const Tileset& tileset) {
    OrderedJson json = tileset_json(tileset);
    json["type"] = "tileset";
    json["version"] = tiled_version;
    return dumped(json, 1) + "\n";
}

} // namespace knossos::tilemap
