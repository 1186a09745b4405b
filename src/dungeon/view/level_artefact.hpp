#pragma once

#include <knossos/domain/artefact.hpp>
#include <knossos/dungeon/goal.hpp>
#include <knossos/dungeon/level.hpp>

#include <optional>

namespace knossos::dungeon {

/// A level, and the goal that it was made for, if any.
ArtefactPtr level_artefact(Level level, std::optional<Goal> goal = std::nullopt);

} // namespace knossos::dungeon
