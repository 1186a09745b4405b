#pragma once

#include <knossos/dungeon/placement.hpp>
#include <knossos/dungeon/setup.hpp>
#include <knossos/levels/drawing.hpp>

#include <cstdint>
#include <string>

/// What a dungeon is to have where nobody says it.
namespace knossos::app::dungeons {

/// Wishes for a dungeon without any: all that was placed has a purpose, and the way is not a short one. What
/// somebody drew in the locks is theirs, and need not be on the way.
std::string default_goal(const dungeon::Fields& fields);

/// How many of each thing somebody's level has.
dungeon::Placement things_in(const levels::Drawing& drawing);

/// As many as the locks hold at least, with a small key for each locked door.
dungeon::Placement raised_to(dungeon::Placement placement, const levels::Drawing& locks);

/// What suits `usual` cells, for so many: large dungeons have more of everything.
dungeon::Placement grown(dungeon::Placement placement, std::uint64_t usual, std::uint64_t area);

} // namespace knossos::app::dungeons
