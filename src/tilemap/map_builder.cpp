#include "tilemap/map_builder.hpp"

#include "tilemap/compression.hpp"

#include <knossos/core/error.hpp>
#include <knossos/core/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>

namespace knossos::tilemap {

namespace {

constexpr std::uint32_t flips = 0xF0000000U; // mirrored, turned: the same tile
constexpr std::size_t most_objects = 100'000;
constexpr std::size_t most_tilesets = 1000;
constexpr std::uint32_t chunk_side = 16;
constexpr double farthest = 1.0e9;

std::uint32_t little_endian(std::string_view bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

std::optional<Encoding> named(std::string_view compression) {
    for (const Encoding encoding : {Encoding::zlib, Encoding::gzip, Encoding::zstd})
        if (compression == compression_of(encoding)) return encoding;
    return std::nullopt;
}

} // namespace

void MapBuilder::refuse(std::string_view message) const {
    throw InvalidInput{fmt::format("{}: {}", source_, message)};
}

void MapBuilder::begin(const MapHead& head) {
    head_ = head;
    if (head.orientation != "orthogonal")
        refuse(
            fmt::format("the map is {}; only orthogonal ones can be read", head.orientation.substr(0, 40)));
    if (!head.infinite &&
        (head.width < 1 || head.height < 1 || head.width > largest_side || head.height > largest_side))
        refuse(fmt::format("a map of {} × {} tiles; both sides lie in 1..{}", head.width, head.height,
                           largest_side));
    if (head.tile_width < 1 || head.tile_height < 1) refuse("the tiles of the map have no size");
    if (head.tile_width > largest_tile || head.tile_height > largest_tile)
        refuse(fmt::format("tiles of {} × {} pixels; both sides lie in 1..{}", head.tile_width,
                           head.tile_height, largest_tile));
}

void MapBuilder::claim(std::uint64_t width, std::uint64_t height) {
    const bool fits = width <= most_tiles && height <= most_tiles;
    claimed_ += fits ? width * height : most_tiles + 1;
    if (claimed_ > most_tiles)
        refuse(fmt::format("its layers have more than {} tiles together", thousands(most_tiles)));
}

void MapBuilder::require_count(std::size_t found, std::size_t expected) const {
    if (found != expected)
        refuse(fmt::format("a tile layer has {}; by its size it should be {}",
                           counted(found, "tile", "tiles"), thousands(expected)));
}

std::vector<std::uint32_t> MapBuilder::decode(std::string_view encoding, std::string_view compression,
                                              std::string_view text, std::size_t count) const {
    std::vector<std::uint32_t> tiles;
    tiles.reserve(count);
    if (encoding == "csv") {
        const char* at = text.data();
        const char* const end = at + text.size();
        while (true) {
            while (at != end && (*at == ',' || *at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')) ++at;
            if (at == end) break;
            const auto [rest, failed] = std::from_chars(at, end, tiles.emplace_back());
            if (failed != std::errc{}) refuse(fmt::format("tile {} of a layer is no number", tiles.size()));
            if (tiles.size() > count) require_count(tiles.size(), count);
            at = rest;
        }
    } else if (encoding == "base64") {
        const auto packed = named(compression);
        if (!packed && !compression.empty())
            refuse(fmt::format("a tile layer is compressed as '{}'; zlib, gzip and zstd can be read",
                               compression.substr(0, 40)));
        try {
            std::string bytes = from_base64(text);
            if (packed) bytes = decompressed(bytes, *packed, 4 * count);
            if (bytes.size() % 4 != 0) refuse("a tile layer ends in the middle of a tile");
            require_count(bytes.size() / 4, count);
            for (std::size_t i = 0; i < bytes.size(); i += 4) tiles.push_back(little_endian(bytes, i));
        } catch (const InvalidInput& error) {
            const std::string_view what = error.what();
            if (what.starts_with(source_)) throw;
            refuse(what);
        }
    } else {
        refuse(fmt::format("a tile layer is encoded as '{}'; csv and base64 can be read",
                           encoding.substr(0, 40)));
    }
    require_count(tiles.size(), count);
    return tiles;
}

void MapBuilder::add_tileset(Tileset tileset) {
    if (map_.tilesets.size() == most_tilesets)
        refuse(fmt::format("the map has more than {} tilesets", most_tilesets));
    map_.tilesets.push_back(std::move(tileset));
}

void MapBuilder::add_external(std::uint32_t first, const std::string& name) {
    Tileset set;
    try {
        if (!files_)
            throw InvalidInput{fmt::format("{}: is a file of its own, and only the map is here", name)};
        const std::string bytes = files_(name);
        const std::size_t start = bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
        const bool json = start != std::string::npos && bytes[start] == '{';
        set = json ? read_tsj(bytes, name) : read_tsx(bytes, name);
    } catch (const Error& error) {
        set = {};
        set.problem = error.what();
    }
    set.first = first;
    set.source = name;
    add_tileset(std::move(set));
}

void MapBuilder::add_layer(std::string name, std::vector<Chunk> chunks) {
    layers_.push_back({std::move(name), std::move(chunks)});
}

Object MapBuilder::placed(Object object) const {
    const auto check = [&](double number) {
        if (!(std::abs(number) < farthest))
            refuse(fmt::format("an object lies at {}, far off the map", number));
    };
    for (const double number : {object.place.x, object.place.y, object.width, object.height}) check(number);
    if (object.tile != 0) {
        object.tile &= ~flips;
        if (object.width <= 0.0) object.width = head_.tile_width;
        if (object.height <= 0.0) object.height = head_.tile_height;
        object.place.y -= object.height;
    }
    for (Point& corner : object.line) {
        check(corner.x);
        check(corner.y);
        corner = {corner.x + object.place.x, corner.y + object.place.y};
    }
    return object;
}

void MapBuilder::add_objects(ObjectLayer layer) {
    objects_ += layer.objects.size();
    if (objects_ > most_objects) refuse(fmt::format("the map has more than {} objects", most_objects));
    map_.object_layers.push_back(std::move(layer));
}

// The smallest box around whatever cells have tiles.
MapBuilder::Box MapBuilder::used() const {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    Box box{most, most, -most, -most};
    for (const auto& [name, chunks] : layers_)
        for (const Chunk& chunk : chunks)
            for (std::size_t i = 0; i < chunk.tiles.size(); ++i) {
                if ((chunk.tiles[i] & ~flips) == 0) continue;
                const std::int64_t x = chunk.x + static_cast<std::int64_t>(i % chunk.width);
                const std::int64_t y = chunk.y + static_cast<std::int64_t>(i / chunk.width);
                box = {std::min(box.left, x), std::min(box.top, y), std::max(box.right, x + 1),
                       std::max(box.bottom, y + 1)};
            }
    if (box.left > box.right) refuse("no cell of the map has a tile");
    return box;
}

TileMap MapBuilder::finish() {
    if (layers_.empty()) refuse("the map has no tile layer");
    const Box box = head_.infinite ? used() : Box{0, 0, head_.width, head_.height};
    const std::int64_t width = box.right - box.left;
    const std::int64_t height = box.bottom - box.top;
    if (width > largest_side || height > largest_side)
        refuse(fmt::format("its tiles lie in {} × {} cells; both sides may be up to {}", width, height,
                           largest_side));
    claimed_ = 0;
    for (auto& [name, chunks] : layers_) {
        claim(static_cast<std::uint64_t>(width), static_cast<std::uint64_t>(height));
        Layer layer{.name = std::move(name),
                    .width = static_cast<std::uint32_t>(width),
                    .height = static_cast<std::uint32_t>(height),
                    .tile_width = head_.tile_width,
                    .tile_height = head_.tile_height};
        layer.tiles.resize(std::size_t{layer.width} * layer.height);
        for (const Chunk& chunk : chunks)
            for (std::size_t i = 0; i < chunk.tiles.size(); ++i) {
                const std::int64_t x = chunk.x + static_cast<std::int64_t>(i % chunk.width) - box.left;
                const std::int64_t y = chunk.y + static_cast<std::int64_t>(i / chunk.width) - box.top;
                if (x >= 0 && y >= 0 && x < width && y < height)
                    layer.tiles[static_cast<std::size_t>(y * width + x)] = chunk.tiles[i] & ~flips;
            }
        map_.layers.push_back(std::move(layer));
    }
    const Point moved{static_cast<double>(box.left) * head_.tile_width,
                      static_cast<double>(box.top) * head_.tile_height};
    for (ObjectLayer& layer : map_.object_layers)
        for (Object& object : layer.objects) {
            object.place = {object.place.x - moved.x, object.place.y - moved.y};
            for (Point& corner : object.line) corner = {corner.x - moved.x, corner.y - moved.y};
        }
    return std::move(map_);
}

std::string_view type_of(const Value& value) {
    constexpr std::string_view names[]{"bool", "int", "float", "string"};
    return names[value.index()];
}

std::optional<Value> value_of(std::string_view type, std::string_view text) {
    const auto number = [&](auto value) -> std::optional<Value> {
        const auto [rest, failed] = read_number(text.data(), text.data() + text.size(), value);
        if (failed != std::errc{} || rest != text.data() + text.size()) return std::nullopt;
        return value;
    };
    if (type == "int" || type == "object") return number(std::int64_t{});
    if (type == "float") return number(double{});
    if (type == "bool") {
        if (text != "true" && text != "false") return std::nullopt;
        return text == "true";
    }
    return std::string{text};
}

std::string_view compression_of(Encoding encoding) {
    switch (encoding) {
    case Encoding::zlib:
        return "zlib";
    case Encoding::gzip:
        return "gzip";
    case Encoding::zstd:
        return "zstd";
    case Encoding::csv:
    case Encoding::base64:
        break;
    }
    return {};
}

std::string encoded(const std::vector<std::uint32_t>& tiles, std::uint32_t width, Encoding encoding) {
    std::string text;
    if (encoding == Encoding::csv) {
        for (std::size_t i = 0; i < tiles.size(); ++i)
            fmt::format_to(std::back_inserter(text), "{}{}{}", tiles[i], i + 1 < tiles.size() ? "," : "",
                           (i + 1) % width == 0 ? "\n" : "");
        return text;
    }
    for (const std::uint32_t tile : tiles)
        for (unsigned shift = 0; shift < 32; shift += 8) text += static_cast<char>(tile >> shift & 0xFFU);
    return to_base64(encoding == Encoding::base64 ? text : compressed(text, encoding));
}

std::vector<Chunk> chunks_of(const Layer& layer) {
    std::vector<Chunk> chunks;
    for (std::uint32_t top = 0; top < layer.height; top += chunk_side)
        for (std::uint32_t left = 0; left < layer.width; left += chunk_side) {
            Chunk chunk{.x = left, .y = top, .width = chunk_side, .height = chunk_side};
            chunk.tiles.resize(std::size_t{chunk_side} * chunk_side);
            for (std::uint32_t y = 0; y < std::min(chunk_side, layer.height - top); ++y)
                for (std::uint32_t x = 0; x < std::min(chunk_side, layer.width - left); ++x)
                    chunk.tiles[std::size_t{y} * chunk_side + x] =
                        layer.tiles[std::size_t{top + y} * layer.width + left + x];
            chunks.push_back(std::move(chunk));
        }
    return chunks;
}

std::string number_text(double number) {
    return number == std::floor(number) && std::abs(number) < 1.0e15
               ? fmt::format("{}", static_cast<std::int64_t>(number))
               : fmt::format("{}", number);
}

} // namespace knossos::tilemap
