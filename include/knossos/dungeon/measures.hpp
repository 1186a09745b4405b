#pragma once

#include <knossos/domain/measure_rows.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace knossos::dungeon {

/// What is measured on a dungeon. The definitions are in docs/dungeons.md.
enum class Measure : unsigned char {
    solution,
    keys_used,
    doors_opened,
    key_depth,
    backtracking,
    detour,
    behind_doors,
    lost,
    treasure_reachable,
    encounters,
    fewest_encounters,
    tour,
    exit_path,
    open_cells,
    reachable_cells,
    dead_ends,
    branching_cells,
    loops,
    wall_density,
    openness,
    rooms,
    largest_room,
    small_keys,
    small_doors,
    coloured_keys,
    coloured_doors,
    treasures,
    monsters,
    checkpoints,
    one_ways,
    loose_doors,
    changes,
    exit_members,
    reconvergence,
    isolated_reconvergence,
    culs_de_sac,
    cul_de_sac_length,
    shortest_paths,
    farthest,
    pockets,
    pocket_cells,
    open_squares,
    symmetry_left_right,
    symmetry_top_bottom,
    symmetry_rotation,
    rock_cells,
    diameter,
    on_one_way,
    straights,
    turns,
};
inline constexpr std::size_t measure_count = 50;

/// The most checkpoints that a tour is worked out for.
inline constexpr std::size_t most_on_tour = 12;

/// The values of all measures, by their number. Those that were not asked for are as they come.
struct Measures {
    std::array<double, measure_count> values{};

    [[nodiscard]] double operator[](Measure measure) const {
        return values[static_cast<std::size_t>(measure)];
    }
    double& operator[](Measure measure) { return values[static_cast<std::size_t>(measure)]; }
    friend bool operator==(const Measures&, const Measures&) = default;
};

using MeasureInfo = BasicMeasureInfo<Measure>;
std::span<const MeasureInfo> measure_table();
const MeasureInfo& info(Measure measure);
/// The same as wishes know them.
std::vector<Wishable> wishables();

struct MeasureRange {
    double lowest;
    double highest;
};
/// What a measure of a dungeon of so many cells lies between, as far as one would lay it out.
MeasureRange range_of(Measure measure, std::size_t cells);

using MeasureSet = BasicMeasureSet<Measure>;

/// Those of the maze with the same rock that nothing else of a dungeon needs: they cost as much as all others
/// together, and more.
inline constexpr MeasureSet measures_of_mazes{Measure::exit_members,
                                              Measure::reconvergence,
                                              Measure::isolated_reconvergence,
                                              Measure::culs_de_sac,
                                              Measure::cul_de_sac_length,
                                              Measure::shortest_paths,
                                              Measure::farthest,
                                              Measure::pockets,
                                              Measure::pocket_cells,
                                              Measure::open_squares,
                                              Measure::symmetry_left_right,
                                              Measure::symmetry_top_bottom,
                                              Measure::symmetry_rotation,
                                              Measure::rock_cells,
                                              Measure::diameter,
                                              Measure::on_one_way,
                                              Measure::straights,
                                              Measure::turns};

} // namespace knossos::dungeon
