#pragma once

#include <knossos/tilemap/tile_map.hpp>

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

/// Objects that levels on a grid have: things that fill a cell, and ways from cell to cell.
namespace knossos::tilemap {

/// Column and row.
using CellPlace = std::pair<std::uint32_t, std::uint32_t>;

/// A thing of this class and name that fills a cell of `side` pixels, drawn as a tile or, with 0, as a
/// rectangle.
Object thing_in_cell(std::string_view kind, CellPlace cell, std::uint32_t side, std::uint32_t tile = 0);

/// A way through the middles of cells as a line, a corner wherever it turns; none if it is shorter than a
/// step. Importers for Godot make a wall of a line unless told otherwise: vnen's make an area of the class
/// `area`, YATI makes a path if the property `godot_node_type` says so, whatever the class.
std::vector<Object> way_through(std::string_view name, std::span<const CellPlace> cells, std::uint32_t side);

/// Makes of such ways what LDtk knows: an entity of their own name, without what is meant for others.
void make_entities_of_ways(TileMap& map);

} // namespace knossos::tilemap
