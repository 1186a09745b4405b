#pragma once

#include "support.hpp"

#include <knossos/core/error.hpp>
#include <knossos/dungeon/view/level.hpp>
#include <knossos/dungeon/view/level_map.hpp>
#include <knossos/maze/view/level_map.hpp>
#include <knossos/tilemap/files.hpp>

#include <algorithm>

/// What the fuzzers of map files share.
namespace knossos::fuzz {

using MapReader = tilemap::TileMap (*)(std::string_view, std::string_view, const tilemap::FileReader&);

/// A tileset by itself, whatever a map calls it.
inline std::string some_tileset(std::string_view /*name*/) {
    return "<tileset name=\"s\"><tile id=\"0\" type=\"rock\"/></tileset>";
}

// Tiles survive every encoding, in either notation.
inline void write_and_read(tilemap::TileMap map) {
    const tilemap::Layer& first = map.layers.front();
    const bool alike = std::ranges::all_of(map.layers, [&](const tilemap::Layer& layer) {
        return layer.width == first.width && layer.height == first.height &&
               layer.tile_width == first.tile_width && layer.tile_height == first.tile_height;
    });
    if (!alike) return; // Tiled has no such maps
    // What else a map holds may be more than a file can: places a billion pixels off, names that are no
    // UTF-8.
    map.tilesets.clear();
    map.object_layers.clear();
    map.properties.clear();
    for (const auto encoding : {tilemap::Encoding::csv, tilemap::Encoding::zlib, tilemap::Encoding::zstd}) {
        const auto as_xml = tilemap::read_tmx(tilemap::to_tmx(map, {.encoding = encoding}), "again");
        const auto as_json = tilemap::read_tmj(tilemap::to_tmj(map, {.encoding = encoding}), "again");
        for (std::size_t i = 0; i < map.layers.size(); ++i)
            require(as_xml.layers.at(i).tiles == map.layers[i].tiles &&
                        as_json.layers.at(i).tiles == map.layers[i].tiles,
                    "tiles are the same when written and read again");
    }
}

// A dungeon that a map shows is the same in maps of both editors.
inline void look_for_dungeon(const tilemap::TileMap& map, std::string_view bytes) {
    dungeon::Level level;
    try {
        level = dungeon::level_of(map, {}, "fuzz");
    } catch (const InvalidInput&) { // nothing says what its tiles are
        return;
    }
    // Every small key may double the states of the judge, without whom no map is written.
    const auto keys = dungeon::counts_of(level)[static_cast<std::size_t>(dungeon::Tile::small_key)];
    if (keys > 6 || level.area() > 1024 || !is_one_in(16, bytes)) return;
    const auto as_tiles = dungeon::level_map(level, "tiles");
    const auto as_grid = dungeon::level_grid_map(level);
    for (const auto& again : {tilemap::read_tmx(tilemap::to_tmx(as_tiles), "again"),
                              tilemap::read_tmj(tilemap::to_tmj(as_tiles), "again"),
                              tilemap::read_ldtk(tilemap::to_ldtk(as_grid, "level"), "again")})
        require(dungeon::level_of(again, {}, "again") == level,
                "a dungeon is the same when written and read again");
}

inline int read_map(std::string_view bytes, MapReader read) {
    try {
        tilemap::TileMap map = read(bytes, "fuzz", some_tileset);
        std::size_t cells = 0;
        for (const tilemap::Layer& layer : map.layers) cells += layer.tiles.size();
        try {
            (void)maze::level_of(map, {}, "fuzz");
        } catch (const InvalidInput&) { // nothing says what its tiles are
        }
        look_for_dungeon(map, bytes);
        if (cells > 4096 || !is_one_in(64, bytes)) return 0;
        try {
            write_and_read(std::move(map));
        } catch (const Error& error) {
            std::fprintf(stderr, "%s\n", error.what());
            require(false, "a map that was written can be read");
        }
    } catch (const InvalidInput&) {
        return 0;
    }
    return 0;
}

} // namespace knossos::fuzz
