#pragma once

#include <knossos/domain/domain.hpp>

namespace knossos::dungeon {

/// Levels with keys, doors and one-ways that can be solved and can't be lost.
Domain domain();

} // namespace knossos::dungeon
