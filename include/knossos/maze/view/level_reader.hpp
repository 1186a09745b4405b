#pragma once

#include <knossos/maze/grid.hpp>
#include <knossos/tilemap/meanings.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace knossos::maze {

/// What a level can be read from.
enum class LevelSource : std::uint8_t { ascii, csv, json, tmj, png, tmx, ldtk };

/// Reads a level that Knossos wrote or that someone drew: in ASCII as maze::parse_level does; CSV with the
/// fields of level_csv() or the numbers of level_intgrid(); JSON with cells, and optionally entrance, exit
/// and checkpoints; a map of Tiled in XML or JSON or a project of LDtk (see level_of()); a PNG that Knossos
/// wrote, or one in which each square of pixels is a cell, dark for rock, green for the entrance, red for the
/// exit, blue for checkpoints. Where nothing says otherwise the entrance is the first cell and the exit the
/// last. `source` names the text in messages. Throws InvalidInput with what is wrong and where.
Level parse_level_as(LevelSource kind, std::string_view bytes, std::string_view source = "level");

/// What a file is, told by its first bytes and its extension.
LevelSource level_source(std::string_view bytes, const std::filesystem::path& path);

/// A level from the content of a file of any of those kinds. What a map refers to is looked for in its
/// folder.
Level parse_level_file(std::string_view bytes, const std::filesystem::path& path,
                       const tilemap::MapChoice& choice = {});

/// The colours that a JSON file gives the cells of its level, row by row; empty if it gives none. Throws
/// InvalidInput if they are no letters of level_colours, or not one a cell.
std::vector<std::string> colours_in(std::string_view bytes, const Level& level, std::string_view source);

/// Reads a level from a file. Throws InputOutputError if reading fails, InvalidInput if there is no such file
/// or it holds no level.
Level read_level(const std::filesystem::path& path, const tilemap::MapChoice& choice = {});

} // namespace knossos::maze
