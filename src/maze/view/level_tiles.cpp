#include <knossos/maze/view/level.hpp>
#include <knossos/maze/view/level_map.hpp>

#include "render/cell_shapes.hpp"

#include <knossos/tilemap/files.hpp>

#include <fmt/format.h>

namespace knossos::maze {

using namespace render;

namespace {

tilemap::Tileset own_tileset(std::string_view tiles) {
    return level_map({.grid = Grid{1, 1}}, tiles).tilesets.front();
}

} // namespace

std::string level_ldtk(const Level& level, std::string_view name) {
    return tilemap::to_ldtk(level_grid_map(level), name);
}

std::string tileset_png(const Theme& theme) {
    const tilemap::Tileset set = own_tileset("");
    const double side = set.tile_width;
    Picture picture{.width = set.tile_width * set.count, .height = set.tile_height};
    const auto centre = [&](int tile) { return Point{(tile + 0.5) * side, side / 2}; };
    picture.shapes.emplace_back(Rectangle{{0, 0}, side, side, theme.floor, {}});
    picture.shapes.emplace_back(Rectangle{{side, 0}, side, side, theme.rock, {}});
    picture.shapes.emplace_back(
        Stroke{.path = arch(centre(2), side), .colour = theme.ink, .width = 3.5, .ends = LineEnd::flat});
    picture.shapes.emplace_back(Fill{stair(centre(3), side), theme.ink});
    picture.shapes.emplace_back(Disc{centre(4), side * 0.36, theme.ochre_fill});
    picture.shapes.emplace_back(Ring{centre(4), side * 0.36, 2.0, theme.ochre});
    return to_transparent_png(picture);
}

} // namespace knossos::maze
