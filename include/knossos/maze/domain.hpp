#pragma once

#include <knossos/domain/domain.hpp>

namespace knossos::maze {

/// Maze-like levels, in several representations.
Domain domain();

} // namespace knossos::maze
