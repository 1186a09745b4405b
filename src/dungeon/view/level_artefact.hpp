#pragma once

#include <knossos/domain/artefact.hpp>
#include <knossos/dungeon/goal.hpp>
#include <knossos/dungeon/level.hpp>

#include <optional>
#include <string>

namespace knossos::dungeon {

/// A level, and the goal that it was made for, if any, or the file that it was read from, for messages.
ArtefactPtr level_artefact(Level level, std::optional<Goal> goal = std::nullopt, std::string source = {});

/// What the page's editor of dungeons needs: the tiles and their letters, and how large a level may be.
std::string level_page();

} // namespace knossos::dungeon
