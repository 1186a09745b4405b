#pragma once

#include <knossos/dungeon/level.hpp>
#include <knossos/render/formats.hpp>

#include <string_view>
#include <vector>

namespace knossos::dungeon {

/// The formats in which a dungeon can be stored, in the order in which they are listed to people.
const std::vector<render::Format>& level_formats();

/// The dungeon in a format that is its own, by its name: the file itself first, then those that go beside it,
/// which are named after `stem`. Nothing if every artefact can be written so.
std::vector<render::NamedBytes> level_files(const Level& level, std::string_view format,
                                            const render::FormatOptions& options, std::string_view stem);

} // namespace knossos::dungeon
