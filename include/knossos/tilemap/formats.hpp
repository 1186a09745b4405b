#pragma once

#include <knossos/render/formats.hpp>
#include <knossos/tilemap/tile_map.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace knossos::tilemap {

/// The formats of maps, as those who write levels list them: tmj, tmx and ldtk.
const std::vector<render::Format>& map_formats();

/// A map with one tileset as `tmj` or `tmx`, and what goes beside it: the picture of the tiles, always a file
/// of its own, as no game engine reads one from inside a map; and the tileset, if that is to be one.
std::vector<render::NamedBytes> tiled_files(TileMap map, std::string_view format, std::string picture,
                                            bool with_tileset_file);

} // namespace knossos::tilemap
