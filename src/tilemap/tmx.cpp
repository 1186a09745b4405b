#include "tilemap/map_builder.hpp"

#include <knossos/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <pugixml.hpp>
#include <sstream>

namespace knossos::tilemap {

namespace {

// --- reading ---

// A document and what it is called, so that messages can say where in it.
class Document {
  public:
    Document(std::string_view bytes, std::string_view source) : bytes_{bytes}, source_{source} {
        const pugi::xml_parse_result result = document_.load_buffer(bytes.data(), bytes.size());
        if (!result)
            throw InvalidInput{fmt::format("{}:{}: this is not XML: {}", source, line_of(result.offset),
                                           result.description())};
    }

    [[nodiscard]] pugi::xml_node root(const char* name) const {
        const pugi::xml_node node = document_.child(name);
        if (!node) throw InvalidInput{fmt::format("{}: there is no <{}> in it", source_, name)};
        return node;
    }

    [[noreturn]] void refuse(pugi::xml_node node, std::string_view message) const {
        throw InvalidInput{fmt::format("{}:{}: {}", source_, line_of(node.offset_debug()), message)};
    }

    // A number of an element; without it, what is given instead, if anything is.
    template <class Number>
    Number number(pugi::xml_node node, const char* name, std::optional<Number> otherwise = {}) const {
        const std::string_view text = node.attribute(name).value();
        if (text.empty() && otherwise) return *otherwise;
        Number value{};
        const auto [rest, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (failed != std::errc{} || rest != text.data() + text.size())
            refuse(node, fmt::format("{} of <{}> is '{}'; expected a number", name, node.name(),
                                     text.substr(0, 40)));
        return value;
    }
    std::uint32_t whole(pugi::xml_node node, const char* name,
                        std::optional<std::uint32_t> otherwise = {}) const {
        return number<std::uint32_t>(node, name, otherwise);
    }

    std::vector<Property> properties(pugi::xml_node owner) const {
        std::vector<Property> all;
        for (const pugi::xml_node node : owner.child("properties").children("property")) {
            const std::string_view type = node.attribute("type").as_string("string");
            if (type == "class") continue; // of one's own: nothing that we look for
            const pugi::xml_attribute value = node.attribute("value");
            const char* const text = value ? value.value() : node.child_value();
            const auto read = value_of(type, text);
            if (!read)
                refuse(node,
                       fmt::format("property {} is '{}', which is no {}", node.attribute("name").value(),
                                   std::string_view{text}.substr(0, 40), type));
            all.push_back({node.attribute("name").value(), *read});
        }
        return all;
    }

  private:
    [[nodiscard]] std::size_t line_of(std::ptrdiff_t offset) const {
        const std::size_t end =
            std::min(bytes_.size(), static_cast<std::size_t>(std::max<std::ptrdiff_t>(offset, 0)));
        return 1 + static_cast<std::size_t>(std::ranges::count(bytes_.substr(0, end), '\n'));
    }

    std::string_view bytes_;
    std::string_view source_;
    pugi::xml_document document_;
};

// Tiled 1.9 called it class, before and after it is type.
std::string kind_of(pugi::xml_node node) {
    const pugi::xml_attribute type = node.attribute("type");
    return type ? type.value() : node.attribute("class").value();
}

Tileset read_tileset(pugi::xml_node node, const Document& document) {
    Tileset set{.name = node.attribute("name").value(),
                .count = document.whole(node, "tilecount", 0),
                .columns = document.whole(node, "columns", 0),
                .tile_width = document.whole(node, "tilewidth", 0),
                .tile_height = document.whole(node, "tileheight", 0),
                .image = node.child("image").attribute("source").value()};
    for (const pugi::xml_node tile : node.children("tile"))
        set.tiles.push_back({.id = document.whole(tile, "id"),
                             .kind = kind_of(tile),
                             .properties = document.properties(tile),
                             .solid = !tile.child("objectgroup").child("object").empty()});
    return set;
}

std::vector<Point> read_corners(pugi::xml_node node, const Document& document) {
    std::vector<Point> corners;
    const std::string_view text = node.attribute("points").value();
    const char* at = text.data();
    const char* const end = at + text.size();
    const auto next = [&](double& number) {
        while (at != end && (*at == ' ' || *at == ',')) ++at;
        const auto [rest, failed] = std::from_chars(at, end, number);
        if (failed != std::errc{}) document.refuse(node, "the corners of a polyline are no numbers");
        at = rest;
        while (at != end && *at == ' ') ++at;
    };
    while (at != end) {
        Point& corner = corners.emplace_back();
        next(corner.x);
        next(corner.y);
    }
    return corners;
}

Object read_object(pugi::xml_node node, const Document& document, const MapBuilder& builder) {
    const auto pixels = [&](const char* name) { return document.number<double>(node, name, 0.0); };
    Object object{.name = node.attribute("name").value(),
                  .kind = kind_of(node),
                  .place = {pixels("x"), pixels("y")},
                  .width = pixels("width"),
                  .height = pixels("height"),
                  .tile = document.whole(node, "gid", 0),
                  .is_point = !node.child("point").empty(),
                  .properties = document.properties(node)};
    if (const pugi::xml_node line = node.child("polyline")) object.line = read_corners(line, document);
    return builder.placed(std::move(object));
}

Chunk read_chunk(pugi::xml_node owner, pugi::xml_node data, Chunk chunk, const Document& document,
                 MapBuilder& builder) {
    builder.claim(chunk.width, chunk.height);
    const std::size_t count = std::size_t{chunk.width} * chunk.height;
    const std::string_view encoding = data.attribute("encoding").value();
    if (!encoding.empty()) {
        chunk.tiles =
            builder.decode(encoding, data.attribute("compression").value(), owner.child_value(), count);
        return chunk;
    }
    for (const pugi::xml_node tile : owner.children("tile")) // one element each
        chunk.tiles.push_back(document.whole(tile, "gid", 0));
    builder.require_count(chunk.tiles.size(), count);
    return chunk;
}

void read_layer(pugi::xml_node layer, const Document& document, MapBuilder& builder) {
    const pugi::xml_node data = layer.child("data");
    if (!data) document.refuse(layer, "the tile layer has no <data>");
    std::vector<Chunk> chunks;
    if (builder.head().infinite) {
        for (const pugi::xml_node node : data.children("chunk"))
            chunks.push_back(read_chunk(node, data,
                                        {.x = document.number<std::int32_t>(node, "x"),
                                         .y = document.number<std::int32_t>(node, "y"),
                                         .width = document.whole(node, "width"),
                                         .height = document.whole(node, "height")},
                                        document, builder));
    } else {
        chunks.push_back(read_chunk(data, data,
                                    {.width = document.whole(layer, "width", builder.head().width),
                                     .height = document.whole(layer, "height", builder.head().height)},
                                    document, builder));
    }
    builder.add_layer(layer.attribute("name").value(), std::move(chunks));
}

void read_layers(pugi::xml_node owner, const Document& document, MapBuilder& builder, int depth) {
    if (depth > deepest_groups) document.refuse(owner, "groups of layers are nested too deeply");
    for (const pugi::xml_node node : owner.children()) {
        const std::string_view name = node.name();
        if (name == "group") read_layers(node, document, builder, depth + 1);
        if (name == "layer") read_layer(node, document, builder);
        if (name != "objectgroup") continue;
        ObjectLayer objects{.name = node.attribute("name").value()};
        for (const pugi::xml_node object : node.children("object"))
            objects.objects.push_back(read_object(object, document, builder));
        builder.add_objects(std::move(objects));
    }
}

// --- writing ---

// XML has no place for control characters, not even escaped.
std::string clean(std::string_view text) {
    std::string result{text};
    for (char& letter : result)
        if (static_cast<unsigned char>(letter) < 0x20 && letter != '\n' && letter != '\t') letter = ' ';
    return result;
}

void set(pugi::xml_node node, const char* name, std::string_view text) {
    node.append_attribute(name).set_value(clean(text).c_str());
}
void set(pugi::xml_node node, const char* name, std::uint32_t number) {
    node.append_attribute(name).set_value(number);
}

void append_properties(pugi::xml_node owner, const std::vector<Property>& properties) {
    if (properties.empty()) return;
    pugi::xml_node list = owner.append_child("properties");
    for (const Property& property : properties) {
        pugi::xml_node node = list.append_child("property");
        set(node, "name", property.name);
        if (!std::holds_alternative<std::string>(property.value)) set(node, "type", type_of(property.value));
        set(node, "value",
            std::visit([](const auto& value) { return fmt::format("{}", value); }, property.value));
    }
}

void append_object(pugi::xml_node group, const Object& object, std::uint32_t id) {
    pugi::xml_node node = group.append_child("object");
    set(node, "id", id);
    if (!object.name.empty()) set(node, "name", object.name);
    if (!object.kind.empty()) set(node, "type", object.kind);
    if (object.tile != 0) set(node, "gid", object.tile);
    set(node, "x", number_text(object.place.x));
    set(node, "y", number_text(object.place.y + (object.tile != 0 ? object.height : 0.0)));
    if (object.width != 0.0) set(node, "width", number_text(object.width));
    if (object.height != 0.0) set(node, "height", number_text(object.height));
    append_properties(node, object.properties);
    if (object.is_point) node.append_child("point");
    if (object.line.empty()) return;
    std::string corners;
    for (const Point corner : object.line)
        corners += fmt::format("{}{},{}", corners.empty() ? "" : " ", number_text(corner.x - object.place.x),
                               number_text(corner.y - object.place.y));
    set(node.append_child("polyline"), "points", corners);
}

void fill_tileset(pugi::xml_node node, const Tileset& tileset) {
    set(node, "name", tileset.name);
    set(node, "tilewidth", tileset.tile_width);
    set(node, "tileheight", tileset.tile_height);
    set(node, "tilecount", tileset.count);
    set(node, "columns", tileset.columns);
    if (!tileset.image.empty()) {
        const std::uint32_t columns = std::max(1U, tileset.columns);
        pugi::xml_node image = node.append_child("image");
        set(image, "source", tileset.image);
        set(image, "width", columns * tileset.tile_width);
        set(image, "height", (tileset.count + columns - 1) / columns * tileset.tile_height);
    }
    for (const Tile& tile : tileset.tiles) {
        pugi::xml_node child = node.append_child("tile");
        set(child, "id", tile.id);
        if (!tile.kind.empty()) set(child, "type", tile.kind);
        append_properties(child, tile.properties);
        if (!tile.solid) continue;
        pugi::xml_node shapes = child.append_child("objectgroup");
        set(shapes, "draworder", "index");
        set(shapes, "id", 1);
        append_object(shapes,
                      {.width = static_cast<double>(tileset.tile_width),
                       .height = static_cast<double>(tileset.tile_height)},
                      1);
    }
}

void append_layer(pugi::xml_node map, const Layer& layer, std::uint32_t id, const TiledOptions& options) {
    pugi::xml_node node = map.append_child("layer");
    set(node, "id", id);
    set(node, "name", layer.name);
    set(node, "width", layer.width);
    set(node, "height", layer.height);
    pugi::xml_node data = node.append_child("data");
    set(data, "encoding", options.encoding == Encoding::csv ? "csv" : "base64");
    if (!compression_of(options.encoding).empty()) set(data, "compression", compression_of(options.encoding));
    const auto put = [&](pugi::xml_node owner, const std::vector<std::uint32_t>& tiles, std::uint32_t width) {
        owner.append_child(pugi::node_pcdata)
            .set_value(fmt::format("\n{}", encoded(tiles, width, options.encoding)).c_str());
    };
    if (!options.infinite) return put(data, layer.tiles, layer.width);
    for (const Chunk& chunk : chunks_of(layer)) {
        pugi::xml_node child = data.append_child("chunk");
        set(child, "x", static_cast<std::uint32_t>(chunk.x));
        set(child, "y", static_cast<std::uint32_t>(chunk.y));
        set(child, "width", chunk.width);
        set(child, "height", chunk.height);
        put(child, chunk.tiles, chunk.width);
    }
}

std::string text_of(const pugi::xml_document& document) {
    std::ostringstream out;
    document.save(out, " ", pugi::format_default, pugi::encoding_utf8);
    return out.str();
}

pugi::xml_node begun(pugi::xml_document& document, const char* name) {
    pugi::xml_node declaration = document.append_child(pugi::node_declaration);
    set(declaration, "version", "1.0");
    set(declaration, "encoding", "UTF-8");
    pugi::xml_node node = document.append_child(name);
    set(node, "version", tiled_version);
    return node;
}

} // namespace

Tileset read_tsx(std::string_view bytes, std::string_view source) {
    const Document document{bytes, source};
    return read_tileset(document.root("tileset"), document);
}

TileMap read_tmx(std::string_view bytes, std::string_view source, const FileReader& files) {
    const Document document{bytes, source};
    const pugi::xml_node map = document.root("map");
    MapBuilder builder{source, files};
    builder.begin({.width = document.whole(map, "width"),
                   .height = document.whole(map, "height"),
                   .tile_width = document.whole(map, "tilewidth"),
                   .tile_height = document.whole(map, "tileheight"),
                   .infinite = document.whole(map, "infinite", 0) != 0,
                   .orientation = map.attribute("orientation").as_string("orthogonal")});
    builder.add_properties(document.properties(map));
    for (const pugi::xml_node node : map.children("tileset")) {
        const std::uint32_t first = document.whole(node, "firstgid");
        if (const pugi::xml_attribute file = node.attribute("source")) {
            builder.add_external(first, file.value());
        } else {
            Tileset set = read_tileset(node, document);
            set.first = first;
            builder.add_tileset(std::move(set));
        }
    }
    read_layers(map, document, builder, 0);
    return builder.finish();
}

std::string to_tmx(const TileMap& map, const TiledOptions& options) {
    const Layer& first = map.layers.at(0);
    pugi::xml_document document;
    pugi::xml_node root = begun(document, "map");
    set(root, "orientation", "orthogonal");
    set(root, "renderorder", "right-down");
    set(root, "width", first.width);
    set(root, "height", first.height);
    set(root, "tilewidth", first.tile_width);
    set(root, "tileheight", first.tile_height);
    set(root, "infinite", options.infinite ? 1U : 0U);
    std::size_t objects = 0;
    for (const ObjectLayer& layer : map.object_layers) objects += layer.objects.size();
    set(root, "nextlayerid", static_cast<std::uint32_t>(map.layers.size() + map.object_layers.size() + 1));
    set(root, "nextobjectid", static_cast<std::uint32_t>(objects + 1));
    append_properties(root, map.properties);
    for (const Tileset& tileset : map.tilesets) {
        pugi::xml_node node = root.append_child("tileset");
        set(node, "firstgid", tileset.first);
        if (tileset.source.empty())
            fill_tileset(node, tileset);
        else
            set(node, "source", tileset.source);
    }
    std::uint32_t layer_id = 1;
    std::uint32_t object_id = 1;
    for (const Layer& layer : map.layers) append_layer(root, layer, layer_id++, options);
    for (const ObjectLayer& layer : map.object_layers) {
        pugi::xml_node group = root.append_child("objectgroup");
        set(group, "id", layer_id++);
        set(group, "name", layer.name);
        set(group, "draworder", "index");
        for (const Object& object : layer.objects) append_object(group, object, object_id++);
    }
    return text_of(document);
}

std::string to_tsx(const Tileset& tileset) {
    pugi::xml_document document;
    fill_tileset(begun(document, "tileset"), tileset);
    return text_of(document);
}

} // namespace knossos::tilemap
