#include "dungeon/maze_measures.hpp"

#include <knossos/dungeon/measures.hpp>

#include <iterator>

namespace knossos::dungeon {

namespace {

constexpr MeasureKind is_count = MeasureKind::count;
constexpr MeasureKind is_share = MeasureKind::share;
constexpr MeasureKind is_ratio = MeasureKind::ratio;

constexpr MeasureInfo table[] = {
    {Measure::solution, "solution", "solution", is_count,
     "steps of the shortest solution; -1 if there is none"},
    {Measure::keys_used, "keys_used", "keys", is_count, "keys that open something on the solution"},
    {Measure::doors_opened, "doors_opened", "doors", is_count, "doors that the solution opens"},
    {Measure::key_depth, "key_depth", "chain", is_count,
     "doors in the longest chain in which each lies before the key of the next"},
    {Measure::backtracking, "backtracking", "backtracking", is_share,
     "share of the solution's steps onto cells walked on before"},
    {Measure::detour, "detour", "detour", is_ratio,
     "the solution over the way with all doors open; 0 if there is none"},
    {Measure::behind_doors, "behind_doors", "behind", is_share,
     "share of the cells that nobody reaches without opening a door"},
    {Measure::lost, "lost", "lost", is_share,
     "share of the states that walks can reach from which the exit is out of reach"},
    {Measure::treasure_reachable, "treasure_reachable", "loot", is_count,
     "treasures that some walk comes to"},
    {Measure::encounters, "encounters", "encounters", is_count, "steps of the solution onto monsters"},
    {Measure::fewest_encounters, "fewest_encounters", "unavoidable", is_count,
     "the fewest steps onto monsters of any walk to the exit; -1 if there is none"},
    {Measure::tour, "tour", "tour", is_count,
     "steps of a shortest walk over all checkpoints to the exit, all doors open; -1 if there is none"},
    {Measure::exit_path, "exit_path", "path", is_count,
     "steps of a shortest way to the exit, all doors open; -1 if there is none"},
    {Measure::open_cells, "open_cells", "open", is_count, "cells that are not rock"},
    {Measure::reachable_cells, "reachable_cells", "reachable", is_count,
     "cells that hang together with the entrance"},
    {Measure::dead_ends, "dead_ends", "ends", is_count,
     "of these, cells with at most one neighbour, apart from entrance and exit"},
    {Measure::branching_cells, "branching_cells", "branches", is_count,
     "of these, cells with three or four neighbours"},
    {Measure::loops, "loops", "loops", is_count, "ways around something that can't be walked through"},
    {Measure::wall_density, "wall_density", "density", is_share, "share of the cells that are rock"},
    {Measure::openness, "openness", "openness", is_share, "share of the reachable cells in a block of 2x2"},
    {Measure::rooms, "rooms", "rooms", is_count, "places in which a block of 2x2 cells can be moved around"},
    {Measure::largest_room, "largest_room", "room", is_count, "cells of the largest room"},
    {Measure::small_keys, "small_keys", "small_keys", is_count, "small keys"},
    {Measure::small_doors, "small_doors", "small_doors", is_count, "doors that any small key opens"},
    {Measure::coloured_keys, "coloured_keys", "coloured_keys", is_count, "keys of a colour"},
    {Measure::coloured_doors, "coloured_doors", "coloured_doors", is_count, "doors of a colour"},
    {Measure::treasures, "treasures", "treasure", is_count, "treasures"},
    {Measure::monsters, "monsters", "monsters", is_count, "monsters"},
    {Measure::checkpoints, "checkpoints", "checkpoints", is_count, "checkpoints"},
    {Measure::one_ways, "one_ways", "one_ways", is_count, "one-ways"},
    {Measure::loose_doors, "loose_doors", "loose", is_count,
     "doors and one-ways that don't stand in a frame: rock on two opposite sides, ground on the others"},
    {Measure::changes, "changes", "changes", is_count,
     "cells that differ from the level that it began with; 0 without one"},
    {Measure::exit_members, "exit_members", "members", is_count,
     "checkpoints that lie on some shortest way to the exit; -1 if there are more than 64"},
    {Measure::reconvergence, "reconvergence", "reconvergence", is_count,
     "sum over pairs of checkpoints of the distance at which their ways first meet; -1 if there are more "
     "than 64"},
    {Measure::isolated_reconvergence, "isolated_reconvergence", "isolated", is_count,
     "the same over pairs that meet away from all other checkpoints; -1 if there are more than 64"},
    {Measure::culs_de_sac, "culs_de_sac", "culs", is_count, "cells from which no step leads farther away"},
    {Measure::cul_de_sac_length, "cul_de_sac_length", "cul_length", is_count,
     "sum of the distances of the culs-de-sac"},
    {Measure::shortest_paths, "shortest_paths", "ways", is_count, "how many shortest ways lead to the exit"},
    {Measure::farthest, "farthest", "depth", is_count, "distance of the farthest cell that can be reached"},
    {Measure::pockets, "pockets", "pockets", is_count, "connected parts that can't be reached"},
    {Measure::pocket_cells, "pocket_cells", "sealed", is_count, "open cells that can't be reached"},
    {Measure::open_squares, "open_squares", "squares", is_count, "reachable blocks of 2x2 cells"},
    {Measure::symmetry_left_right, "symmetry_left_right", "left_right", is_share,
     "share of mirrored pairs of cells that are both rock or both ground"},
    {Measure::symmetry_top_bottom, "symmetry_top_bottom", "top_bottom", is_share,
     "share of mirrored pairs of cells that are both rock or both ground"},
    {Measure::symmetry_rotation, "symmetry_rotation", "rotation", is_share,
     "share of pairs of cells that are alike so under half a turn"},
    {Measure::rock_cells, "rock_cells", "rock", is_count, "cells that are rock"},
    {Measure::diameter, "diameter", "diameter", is_count,
     "steps of the longest of the shortest ways between any two open cells"},
    {Measure::on_one_way, "on_one_way", "on_one_way", is_count,
     "the most checkpoints on a single shortest way to the exit; -1 if there are more than 64"},
    {Measure::straights, "straights", "straights", is_count, "cells of that way where it goes straight on"},
    {Measure::turns, "turns", "turns", is_count, "cells of that way where it turns"},
};
// info() looks a measure up by its number.
static_assert(are_in_order(table) && std::size(table) == measure_count);

} // namespace

std::span<const MeasureInfo> measure_table() { return table; }

const MeasureInfo& info(Measure measure) { return table[static_cast<std::size_t>(measure)]; }

std::vector<Wishable> wishables() { return wishables_of(table); }

MeasureRange range_of(Measure measure, std::size_t cells) {
    const auto area = static_cast<double>(cells);
    if (info(measure).kind == is_share) return {0.0, 1.0};
    if (measures_of_mazes.has(measure)) {
        const maze::MeasureRange theirs = maze::widest_range_of(same_of_mazes(measure), cells);
        return {is_of_checkpoints(measure) ? -1.0 : theirs.lowest, theirs.highest};
    }
    switch (measure) {
    case Measure::solution:
        return {-1.0, 4.0 * area}; // a walk may go to and fro for every key; nobody designs longer ones
    case Measure::detour:
        return {0.0, area};
    case Measure::tour:
        return {-1.0, static_cast<double>(most_on_tour + 1) * area};
    case Measure::exit_path:
    case Measure::fewest_encounters:
        return {-1.0, area};
    default:
        return {0.0, area};
    }
}

} // namespace knossos::dungeon
