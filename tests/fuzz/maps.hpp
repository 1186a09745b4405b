#pragma once

#include "support.hpp"

#include <knossos/core/error.hpp>
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

inline int read_map(std::string_view bytes, MapReader read) {
    try {
        tilemap::TileMap map = read(bytes, "fuzz", some_tileset);
        std::size_t cells = 0;
        for (const tilemap::Layer& layer : map.layers) cells += layer.tiles.size();
        try {
            (void)maze::level_of(map, {}, "fuzz");
        } catch (const InvalidInput&) { // nothing says what its tiles are
        }
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
