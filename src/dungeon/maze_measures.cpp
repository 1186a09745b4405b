#include "dungeon/maze_measures.hpp"

#include <array>

namespace knossos::dungeon {

namespace {

struct Same {
    Measure ours;
    maze::Measure theirs;
    bool is_of_checkpoints = false;
};

constexpr std::array same{
    Same{Measure::exit_members, maze::Measure::exit_members, true},
    Same{Measure::reconvergence, maze::Measure::reconvergence, true},
    Same{Measure::isolated_reconvergence, maze::Measure::isolated_reconvergence, true},
    Same{Measure::culs_de_sac, maze::Measure::culs_de_sac},
    Same{Measure::cul_de_sac_length, maze::Measure::cul_de_sac_length},
    Same{Measure::shortest_paths, maze::Measure::shortest_paths},
    Same{Measure::farthest, maze::Measure::farthest},
    Same{Measure::pockets, maze::Measure::pockets},
    Same{Measure::pocket_cells, maze::Measure::pocket_cells},
    Same{Measure::open_squares, maze::Measure::open_squares},
    Same{Measure::symmetry_left_right, maze::Measure::symmetry_left_right},
    Same{Measure::symmetry_top_bottom, maze::Measure::symmetry_top_bottom},
    Same{Measure::symmetry_rotation, maze::Measure::symmetry_rotation},
    Same{Measure::rock_cells, maze::Measure::rock_cells},
    Same{Measure::diameter, maze::Measure::diameter},
    Same{Measure::on_one_way, maze::Measure::on_one_way, true},
    Same{Measure::straights, maze::Measure::straights},
    Same{Measure::turns, maze::Measure::turns},
};

constexpr std::size_t place_of(Measure measure) {
    return static_cast<std::size_t>(measure) - static_cast<std::size_t>(same.front().ours);
}

static_assert([] {
    for (std::size_t i = 0; i < same.size(); ++i)
        if (place_of(same[i].ours) != i) return false;
    return true;
}());

const Same& same_as(Measure measure) { return same[place_of(measure)]; }

} // namespace

maze::Measure same_of_mazes(Measure measure) { return same_as(measure).theirs; }

bool is_of_checkpoints(Measure measure) { return same_as(measure).is_of_checkpoints; }

void MazeMeasurer::measure(const Level& level, MeasureSet wanted, Measures& out) {
    maze_.grid.reset(level.width, level.height);
    maze_.checkpoints.clear();
    std::size_t checkpoints = 0;
    for (std::size_t i = 0; i < level.area(); ++i) {
        const maze::Cell cell{level.x_of(i), level.y_of(i)};
        if (level.cells[i] == Tile::rock) maze_.grid.set_rock(cell, true);
        if (level.cells[i] == Tile::entrance) maze_.entrance = cell;
        if (level.cells[i] == Tile::exit) maze_.exit = cell;
        if (level.cells[i] == Tile::checkpoint && ++checkpoints <= maze::most_checkpoints)
            maze_.checkpoints.push_back(cell);
    }
    const bool too_many = checkpoints > maze::most_checkpoints;
    if (too_many) maze_.checkpoints.clear();
    maze::MeasureSet theirs;
    for (const Same& one : same)
        if (wanted.has(one.ours)) theirs.add(one.theirs);
    const maze::Measures found = surveyor_.measure(maze_, theirs);
    for (const Same& one : same)
        if (wanted.has(one.ours))
            out[one.ours] = too_many && one.is_of_checkpoints ? -1.0 : maze::value_of(found, one.theirs);
}

} // namespace knossos::dungeon
