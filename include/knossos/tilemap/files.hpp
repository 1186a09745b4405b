#pragma once

#include <knossos/tilemap/tile_map.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

/// Map files, both ways: TMX and TMJ of the Tiled editor, projects of the LDtk editor. Readers take bytes
/// from anywhere. They throw InvalidInput with `source`, what is wrong and where; nothing that they read can
/// make them take more than a few times the memory of the map that they give.
namespace knossos::tilemap {

/// Gives the content of a file that a map refers to by a relative path. Throws an Error if there is none.
using FileReader = std::function<std::string(std::string_view name)>;

/// Reads what lies in the folder of a map or below. Throws InvalidInput for everything else.
FileReader files_beside(const std::filesystem::path& map);

/// The formats of maps that can be read.
enum class MapFormat : std::uint8_t { tmx, tmj, ldtk };

/// What a file is, told by its first bytes and its extension; nothing if it is no map.
std::optional<MapFormat> map_format(std::string_view bytes, const std::filesystem::path& path);

/// Reads a map of any of them; `level` is one of an LDtk project with several.
TileMap read_map(MapFormat format, std::string_view bytes, std::string_view source,
                 const FileReader& files = {}, std::string_view level = {});

// --- Tiled ---

/// Orthogonal maps, infinite ones too (cut to the cells that have tiles), with whatever encodings Tiled
/// writes. A tileset that can't be read is noted in it (Tileset::problem), as nobody may need it.
TileMap read_tmx(std::string_view bytes, std::string_view source, const FileReader& files = {});
TileMap read_tmj(std::string_view bytes, std::string_view source, const FileReader& files = {});

/// How the tiles of a layer are stored; the last three are compressed and in base64.
enum class Encoding : std::uint8_t { csv, base64, zlib, gzip, zstd };

struct TiledOptions {
    Encoding encoding = Encoding::csv;
    bool infinite = false; ///< a map that goes on beyond its borders in the editor
};

/// All layers must have the size of the first.
std::string to_tmx(const TileMap& map, const TiledOptions& options = {});
std::string to_tmj(const TileMap& map, const TiledOptions& options = {});
/// A tileset by itself, for maps that have it as a source.
std::string to_tsx(const Tileset& tileset);
std::string to_tsj(const Tileset& tileset);

// --- LDtk ---

/// The IntGrid layers and the entities of one level, by its identifier; without one, the project must have
/// one level only. The values of each layer are the tiles of a tileset that is about that layer alone. A
/// field of points, of an entity, becomes the line of the object.
TileMap read_ldtk(std::string_view bytes, std::string_view source, const FileReader& files = {},
                  std::string_view level = {});

/// A project, version 1.5.3, with one level of this name. Objects become entities, their properties fields.
/// What LDtk can't name so (it knows letters, digits and underscores) is named as nearly as possible.
std::string to_ldtk(const TileMap& map, std::string_view level);

} // namespace knossos::tilemap
