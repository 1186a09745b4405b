#pragma once

#include "verbs/maze_command.hpp"

#include <knossos/maze/fitness.hpp>

namespace knossos::app {

/// Many mazes that meet the wishes and differ: runs of map-elites over what mazes are like, of whose elites
/// those are taken that lie farthest apart as they are written. `base` is the run that the options ask for.
int different_mazes(const MazeOptions& options, const RunOptions& base, const Registry& registry);

/// Whether a wish says how much of a maze is rock.
bool is_about_rock(const maze::Term& wish);

/// What is wished for, as wishes: every fitness function is a measure as well, and wishes also say that there
/// has to be a way.
std::string goal_of(const MazeOptions& options);

/// A measure's value in a table.
std::string figure(double value);

} // namespace knossos::app
