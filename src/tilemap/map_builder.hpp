#pragma once

#include <knossos/tilemap/files.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace knossos::tilemap {

/// What a map of Tiled says about itself, before what it holds.
struct MapHead {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint32_t tile_width = 0;
    std::uint32_t tile_height = 0;
    bool infinite = false;
    std::string orientation = "orthogonal";
};

/// A part of a layer; of a finite map, all of it.
struct Chunk {
    std::int64_t x = 0;
    std::int64_t y = 0;
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<std::uint32_t> tiles{}; ///< with the bits that mirror and turn them
};

/// Makes a map of what a reader of either notation of Tiled finds in it, and keeps the limits.
class MapBuilder {
  public:
    MapBuilder(std::string_view source, const FileReader& files) : source_{source}, files_{files} {}

    [[noreturn]] void refuse(std::string_view message) const;
    void begin(const MapHead& head);
    [[nodiscard]] const MapHead& head() const { return head_; }

    void add_properties(std::vector<Property> properties) { map_.properties = std::move(properties); }
    void add_tileset(Tileset tileset);
    /// A tileset in a file of its own.
    void add_external(std::uint32_t first, const std::string& name);
    void add_layer(std::string name, std::vector<Chunk> chunks);
    void add_objects(ObjectLayer layer);

    /// To be asked before memory is taken for so many tiles.
    void claim(std::uint64_t width, std::uint64_t height);
    /// Tiles that are written as text; what Tiled calls encoding and compression says how.
    [[nodiscard]] std::vector<std::uint32_t> decode(std::string_view encoding, std::string_view compression,
                                                    std::string_view text, std::size_t count) const;
    void require_count(std::size_t found, std::size_t expected) const;
    /// An object in Tiled's own terms: a tile's place is that of its lower left corner, a line's corners
    /// count from its place.
    [[nodiscard]] Object placed(Object object) const;

    [[nodiscard]] TileMap finish();

  private:
    struct Box {
        std::int64_t left = 0;
        std::int64_t top = 0;
        std::int64_t right = 0;
        std::int64_t bottom = 0;
    };
    struct Pending {
        std::string name;
        std::vector<Chunk> chunks;
    };
    [[nodiscard]] Box used() const;

    std::string source_;
    const FileReader& files_;
    MapHead head_{};
    TileMap map_{};
    std::vector<Pending> layers_;
    std::uint64_t claimed_ = 0;
    std::size_t objects_ = 0;
};

/// A tileset that is a file of its own, in either notation.
Tileset read_tsx(std::string_view bytes, std::string_view source);
Tileset read_tsj(std::string_view bytes, std::string_view source);

/// The type of a property, as Tiled calls it.
std::string_view type_of(const Value& value);
/// The value of a property of such a type, from text. Nothing if it is none.
std::optional<Value> value_of(std::string_view type, std::string_view text);

/// The tiles as text, in rows where that is CSV.
std::string encoded(const std::vector<std::uint32_t>& tiles, std::uint32_t width, Encoding encoding);
/// A layer in pieces of at most 16 × 16, as infinite maps have it.
std::vector<Chunk> chunks_of(const Layer& layer);
/// The name of a compression, or nothing.
std::string_view compression_of(Encoding encoding);
/// Whole numbers without a fraction, as Tiled writes them.
std::string number_text(double number);

constexpr std::string_view tiled_version = "1.8";
constexpr int deepest_groups = 32;
constexpr std::uint32_t largest_tile = 65'536; // pixels a side

} // namespace knossos::tilemap
