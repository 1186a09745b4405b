#include <knossos/maze/measures.hpp>

namespace knossos::maze {

namespace {

constexpr MeasureKind is_count = MeasureKind::count;
constexpr MeasureKind is_share = MeasureKind::share;

constexpr MeasureInfo table[] = {
    {Measure::exit_path, "exit_path", "path", is_count,
     "steps on a shortest way from the entrance to the exit; -1 if there is none"},
    {Measure::exit_members, "exit_members", "members", is_count,
     "checkpoints that lie on some shortest way to the exit"},
    {Measure::reconvergence, "reconvergence", "reconvergence", is_count,
     "sum over pairs of checkpoints of the distance at which their ways first meet"},
    {Measure::isolated_reconvergence, "isolated_reconvergence", "isolated", is_count,
     "the same over pairs that meet away from all other checkpoints"},
    {Measure::culs_de_sac, "culs_de_sac", "culs", is_count, "cells from which no step leads farther away"},
    {Measure::cul_de_sac_length, "cul_de_sac_length", "cul_length", is_count,
     "sum of the distances of the culs-de-sac"},
    {Measure::shortest_paths, "shortest_paths", "ways", is_count, "how many shortest ways lead to the exit"},
    {Measure::farthest, "farthest", "depth", is_count, "distance of the farthest cell that can be reached"},
    {Measure::open_cells, "open_cells", "open", is_count, "cells that are not rock"},
    {Measure::reachable_cells, "reachable_cells", "reachable", is_count,
     "cells that can be reached from the entrance"},
    {Measure::pockets, "pockets", "pockets", is_count, "connected parts that can't be reached"},
    {Measure::pocket_cells, "pocket_cells", "sealed", is_count, "open cells that can't be reached"},
    {Measure::branching_cells, "branching_cells", "branches", is_count,
     "reachable cells with three or four steps"},
    {Measure::dead_ends, "dead_ends", "ends", is_count,
     "reachable cells with at most one step, apart from entrance and exit"},
    {Measure::loops, "loops", "loops", is_count, "ways around something that can't be walked through"},
    {Measure::open_squares, "open_squares", "squares", is_count,
     "reachable blocks of 2x2 cells, all connected"},
    {Measure::wall_density, "wall_density", "density", is_share,
     "share of cells that are rock, or of steps that are walled"},
    {Measure::openness, "openness", "openness", is_share,
     "share of reachable cells that lie in an open square"},
    {Measure::symmetry_left_right, "symmetry_left_right", "left_right", is_share,
     "share of mirrored pairs that agree"},
    {Measure::symmetry_top_bottom, "symmetry_top_bottom", "top_bottom", is_share,
     "share of mirrored pairs that agree"},
    {Measure::symmetry_rotation, "symmetry_rotation", "rotation", is_share,
     "share of pairs that agree under half a turn"},
    {Measure::rock_cells, "rock_cells", "rock", is_count, "cells that are rock"},
    {Measure::diameter, "diameter", "diameter", is_count,
     "steps of the longest of the shortest ways between any two open cells"},
    {Measure::rooms, "rooms", "rooms", is_count, "places in which a block of 2x2 cells can be moved around"},
    {Measure::largest_room, "largest_room", "room", is_count, "cells of the largest room"},
    {Measure::on_one_way, "on_one_way", "one_way", is_count, "the most checkpoints on a single shortest way"},
    {Measure::straights, "straights", "straights", is_count,
     "cells of the way that is shown where it goes straight on"},
    {Measure::turns, "turns", "turns", is_count, "cells of the way that is shown where it turns"},
    {Measure::tour, "tour", "tour", is_count,
     "steps of a shortest walk over all checkpoints to the exit; -1 if there is none"},
    {Measure::changes, "changes", "changes", is_count,
     "cells that differ from the level that it began with; 0 without one"},
};
// info() looks a measure up by its number.
static_assert(are_in_order(table));

} // namespace

std::span<const MeasureInfo> measure_table() { return table; }

const MeasureInfo& info(Measure measure) { return table[static_cast<std::size_t>(measure)]; }

MeasureKind kind_of(Measure measure) { return info(measure).kind; }

std::vector<Wishable> wishables() { return wishables_of(table); }

std::optional<Measure> find_measure(std::string_view name) {
    const auto found = knossos::find_measure(wishables(), name);
    return found ? std::optional{static_cast<Measure>(*found)} : std::nullopt;
}

std::optional<MeasureRange> range_of(Measure measure, std::size_t cells) {
    if (info(measure).kind == is_share) return MeasureRange{0.0, 1.0};
    switch (measure) {
    case Measure::reconvergence:
    case Measure::isolated_reconvergence:
    case Measure::cul_de_sac_length:
    case Measure::shortest_paths:
        return std::nullopt;
    case Measure::tour: // as many legs as checkpoints and one more
        return MeasureRange{-1.0, static_cast<double>(most_on_tour + 1) * static_cast<double>(cells)};
    default:
        return MeasureRange{measure == Measure::exit_path ? -1.0 : 0.0, static_cast<double>(cells)};
    }
}

MeasureRange widest_range_of(Measure measure, std::size_t cells) {
    if (const auto range = range_of(measure, cells)) return *range;
    constexpr double pairs = most_checkpoints * (most_checkpoints - 1) / 2.0;
    const auto area = static_cast<double>(cells);
    if (measure == Measure::shortest_paths) return {0.0, 0x1p64};
    // n culs-de-sac leave no more than the other cells to be steps to each of them.
    if (measure == Measure::cul_de_sac_length) return {0.0, area * area / 4.0};
    return {0.0, pairs * area};
}

std::string measure_names() { return knossos::measure_names(wishables()); }

std::string why_no_measure(std::string_view name) { return knossos::why_no_measure(wishables(), name); }

std::vector<NamedMeasure> parse_measures(std::string_view text) {
    std::vector<NamedMeasure> measures;
    for (auto& [measure, name] : knossos::parse_measures(wishables(), text))
        measures.push_back({static_cast<Measure>(measure), std::move(name)});
    return measures;
}

double value_of(const Measures& measures, Measure measure) {
    switch (measure) {
    case Measure::exit_path:
        return measures.exit_path;
    case Measure::exit_members:
        return measures.exit_members;
    case Measure::reconvergence:
        return static_cast<double>(measures.reconvergence);
    case Measure::isolated_reconvergence:
        return static_cast<double>(measures.isolated_reconvergence);
    case Measure::culs_de_sac:
        return measures.culs_de_sac;
    case Measure::cul_de_sac_length:
        return static_cast<double>(measures.cul_de_sac_length);
    case Measure::shortest_paths:
        return static_cast<double>(measures.shortest_paths);
    case Measure::farthest:
        return measures.farthest;
    case Measure::open_cells:
        return measures.open_cells;
    case Measure::reachable_cells:
        return measures.reachable_cells;
    case Measure::pockets:
        return measures.pockets;
    case Measure::pocket_cells:
        return measures.pocket_cells;
    case Measure::branching_cells:
        return measures.branching_cells;
    case Measure::dead_ends:
        return measures.dead_ends;
    case Measure::loops:
        return measures.loops;
    case Measure::open_squares:
        return measures.open_squares;
    case Measure::wall_density:
        return measures.wall_density;
    case Measure::openness:
        return measures.openness;
    case Measure::symmetry_left_right:
        return measures.symmetry_left_right;
    case Measure::symmetry_top_bottom:
        return measures.symmetry_top_bottom;
    case Measure::symmetry_rotation:
        return measures.symmetry_rotation;
    case Measure::rock_cells:
        return measures.rock_cells;
    case Measure::diameter:
        return measures.diameter;
    case Measure::rooms:
        return measures.rooms;
    case Measure::largest_room:
        return measures.largest_room;
    case Measure::on_one_way:
        return measures.on_one_way;
    case Measure::straights:
        return measures.straights;
    case Measure::turns:
        return measures.turns;
    case Measure::tour:
        return measures.tour;
    case Measure::changes:
        return measures.changes;
    }
    return 0.0;
}

} // namespace knossos::maze
