#pragma once

#include <knossos/maze/view/level.hpp>
#include <knossos/render/formats.hpp>

#include <filesystem>
#include <string_view>
#include <vector>

namespace knossos::maze {

/// The formats in which a level can be stored, in the order in which they are listed to people.
const std::vector<render::Format>& level_formats();

/// The level in a format, by its name: the file itself first, then those that go beside it, which are named
/// after `stem`, its name without the extension. Pockets that nobody can reach are filled with rock unless
/// options.keep_pockets. Throws InvalidInput if there is no such format for mazes.
std::vector<render::NamedBytes> render_level(const Level& level, std::string_view format,
                                             const LevelOptions& options = {},
                                             std::string_view stem = "level");

/// Writes the level, and what belongs to it, in the format of the path's extension. Throws InvalidInput as
/// above, InputOutputError if a file can't be written.
void write_level(const std::filesystem::path& path, const Level& level, const LevelOptions& options = {});

} // namespace knossos::maze
