#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// Levels as map editors know them, whichever of them wrote the file: layers of tiles, and objects above
/// them.
namespace knossos::tilemap {

using Value = std::variant<bool, std::int64_t, double, std::string>;

struct Property {
    std::string name;
    Value value;

    friend bool operator==(const Property&, const Property&) = default;
};

/// The value of the property with this name, or null.
const Value* find_property(const std::vector<Property>& properties, std::string_view name);

/// What a tileset says of one of its tiles.
struct Tile {
    std::uint32_t id = 0; ///< within its set, from 0
    std::string kind{};   ///< what Tiled calls its class (or type) and LDtk its identifier
    std::vector<Property> properties{};
    bool solid = false; ///< has a collision shape; what is written covers the whole tile

    friend bool operator==(const Tile&, const Tile&) = default;
};

/// Tiles `first` to `first + count - 1` of a map. Only those are listed of which there is something to say.
struct Tileset {
    std::string name{};
    std::uint32_t first = 1;
    std::uint32_t count = 0;
    std::uint32_t columns = 0;
    std::uint32_t tile_width = 0;
    std::uint32_t tile_height = 0;
    std::string image{};
    std::string source{};  ///< the file that describes it, if that is not the map
    std::string problem{}; ///< why that file could not be read, if so
    std::string layer{};   ///< the only layer that it is about; empty if it is about all
    std::vector<Tile> tiles{};

    friend bool operator==(const Tileset&, const Tileset&) = default;
};

/// Cells in reading order: the number of a tile, 0 for none. Mirrored and turned tiles are the same tile.
struct Layer {
    std::string name{};
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint32_t tile_width = 32; ///< pixels
    std::uint32_t tile_height = 32;
    std::vector<std::uint32_t> tiles{};

    friend bool operator==(const Layer&, const Layer&) = default;
};

struct Point {
    double x = 0.0;
    double y = 0.0;

    friend bool operator==(const Point&, const Point&) = default;
};

/// A thing on the map, in pixels from its upper left corner, y downwards.
struct Object {
    std::string name{};
    std::string kind{}; ///< class, type or identifier, whatever the editor calls it
    Point place{};      ///< its upper left corner, or the point itself
    double width = 0.0;
    double height = 0.0;
    std::uint32_t tile = 0;    ///< the tile it is drawn as, or 0
    bool is_point = false;     ///< a point, rather than a rectangle
    std::vector<Point> line{}; ///< of a polyline, its corners as they lie on the map, the first at `place`
    std::vector<Property> properties{};

    friend bool operator==(const Object&, const Object&) = default;
};

struct ObjectLayer {
    std::string name{};
    std::vector<Object> objects{};

    friend bool operator==(const ObjectLayer&, const ObjectLayer&) = default;
};

struct TileMap {
    std::vector<Property> properties{};
    std::vector<Tileset> tilesets{};
    std::vector<Layer> layers{}; ///< from the bottom up
    std::vector<ObjectLayer> object_layers{};

    friend bool operator==(const TileMap&, const TileMap&) = default;
};

/// Most columns, and most rows, of a map that is read; most tiles of all its layers together.
constexpr std::uint32_t largest_side = 4096;
constexpr std::uint64_t most_tiles = std::uint64_t{1} << 24U;

/// Column and row of the cell in which the middle of an object lies; nothing if that is off the layer.
std::optional<std::pair<std::uint32_t, std::uint32_t>> cell_of(const Object& object, const Layer& layer);

/// The tileset that a tile of a layer belongs to, or null.
const Tileset* tileset_of(const TileMap& map, const Layer& layer, std::uint32_t tile);

} // namespace knossos::tilemap
