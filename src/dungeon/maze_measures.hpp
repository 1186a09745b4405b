#pragma once

#include "dungeon/ground.hpp"

#include <knossos/dungeon/measures.hpp>
#include <knossos/maze/measures.hpp>

namespace knossos::dungeon {

/// What mazes call the same, of one of measures_of_mazes.
maze::Measure same_of_mazes(Measure measure);
/// Whether it is about checkpoints, and -1 where there are more than mazes have.
bool is_of_checkpoints(Measure measure);

/// Measures a dungeon as the maze with the same rock: doors and one-ways are floor, and it has the same
/// entrance, exit and checkpoints.
class MazeMeasurer {
  public:
    /// Those of measures_of_mazes that are wanted.
    void measure(const Level& level, MeasureSet wanted, Measures& out);

  private:
    maze::Level maze_;
    maze::Surveyor surveyor_;
};

} // namespace knossos::dungeon
