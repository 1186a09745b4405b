#pragma once

#include <knossos/domain/domain.hpp>
#include <knossos/dungeon/level.hpp>
#include <knossos/render/theme.hpp>
#include <knossos/tilemap/meanings.hpp>
#include <knossos/tilemap/tile_map.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace knossos::dungeon {

/// What a tile, or an object, of a map can be in a dungeon: whatever a cell can hold, in the order of Tile.
const tilemap::Vocabulary& level_vocabulary();

/// A dungeon as a map for Tiled: tiles 1 rock and 2 floor on the layer `dungeon`; things as objects of their
/// classes; the verdicts, the measures and the walks as properties of the map, the walks as lines too. The
/// tileset's picture is named `tiles`.png. Throws InvalidInput for a dungeon that can't be judged.
tilemap::TileMap level_map(const Level& level, std::string_view tiles);
/// The same for LDtk: 0 floor, 1 rock.
tilemap::TileMap level_grid_map(const Level& level);

/// The tileset of such maps, and its picture.
tilemap::Tileset level_tileset(std::string_view tiles);
std::string level_tiles_png(const render::Theme& theme);

/// The dungeon that a map of whichever editor shows. Throws InvalidInput if the choice does not fit the map,
/// if nothing says what some tile is, or if the map shows no dungeon. Maps have objects that are nothing of a
/// level: what was left out is told in `left_out`, a sentence for each class.
Level level_of(const tilemap::TileMap& map, const tilemap::MapChoice& choice, std::string_view source,
               std::vector<std::string>* left_out = nullptr);

/// Reads a dungeon from a map, a PNG that Knossos wrote, JSON or text. What a map refers to is looked for in
/// its folder. Throws InvalidInput with what is wrong and where.
Level read_level_file(std::string_view bytes, const std::filesystem::path& path,
                      const tilemap::MapChoice& choice = {}, std::vector<std::string>* left_out = nullptr);

/// Whether a file holds a dungeon: certainly a map with a layer of that name, likely one with things that
/// only dungeons have.
Claim claim_of_file(std::string_view bytes, const std::filesystem::path& path);

} // namespace knossos::dungeon
