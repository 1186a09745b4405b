#pragma once

#include "verbs/maze_command.hpp"

namespace knossos::app {

/// Many mazes that meet the wishes and differ: runs of map-elites over what mazes are like, of whose elites
/// those are taken that lie farthest apart as they are written. `base` is the run that the options ask for.
int different_mazes(const MazeOptions& options, const RunOptions& base, const Registry& registry);

} // namespace knossos::app
