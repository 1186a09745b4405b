#pragma once

#include <knossos/maze/grid.hpp>
#include <knossos/tilemap/meanings.hpp>
#include <knossos/tilemap/tile_map.hpp>

#include <string_view>

namespace knossos::maze {

/// What a tile, or an object, of a map can be in a maze: rock, floor, entrance, exit, checkpoint.
const tilemap::Vocabulary& level_vocabulary();

/// A level as a map for Tiled: tiles 1 floor and 2 rock on the layer `maze`; entrance, exit and checkpoints
/// as objects of these classes; the solution as a line. The tileset's picture is named `tiles`.png.
tilemap::TileMap level_map(const Level& level, std::string_view tiles);

/// The same for LDtk: 0 open, 1 rock.
tilemap::TileMap level_grid_map(const Level& level);

/// The level that a map of whichever editor shows. Throws InvalidInput if the choice does not fit the map, or
/// if nothing says what some tile is.
Level level_of(const tilemap::TileMap& map, const tilemap::MapChoice& choice, std::string_view source);

} // namespace knossos::maze
