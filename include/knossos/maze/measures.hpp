#pragma once

#include <knossos/domain/measure_rows.hpp>
#include <knossos/maze/grid.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace knossos::maze {

/// What the five fitness functions look at: see docs/mazes.md.
struct FitnessValues {
    std::int32_t exit_path = -1;
    std::uint32_t exit_members = 0;
    std::uint64_t reconvergence = 0;
    std::uint64_t isolated_reconvergence = 0;
    std::uint32_t culs_de_sac = 0;
    std::uint64_t cul_de_sac_length = 0;

    friend bool operator==(const FitnessValues&, const FitnessValues&) = default;
};

/// Everything that is measured on a level, under the names that results, files and the studio use. The
/// definitions are in docs/mazes.md.
struct Measures {
    std::int32_t exit_path = -1; ///< −1 if the exit can't be reached
    std::uint32_t exit_members = 0;
    std::uint64_t reconvergence = 0;
    std::uint64_t isolated_reconvergence = 0;
    std::uint32_t culs_de_sac = 0;
    std::uint64_t cul_de_sac_length = 0;
    std::uint64_t shortest_paths = 0; ///< stays at 2⁶⁴ − 1 once it gets there
    std::int32_t farthest = -1;
    std::uint32_t open_cells = 0;
    std::uint32_t reachable_cells = 0;
    std::uint32_t pockets = 0;
    std::uint32_t pocket_cells = 0;
    std::uint32_t branching_cells = 0;
    std::uint32_t dead_ends = 0;
    std::uint32_t loops = 0;
    std::uint32_t open_squares = 0;
    double wall_density = 0.0;
    double openness = 0.0;
    double symmetry_left_right = 1.0;
    double symmetry_top_bottom = 1.0;
    double symmetry_rotation = 1.0;
    std::uint32_t rock_cells = 0;
    std::uint32_t diameter = 0;
    std::uint32_t rooms = 0;
    std::uint32_t largest_room = 0;
    std::uint32_t on_one_way = 0;
    std::uint32_t straights = 0;
    std::uint32_t turns = 0;
    std::int32_t tour = -1;    ///< −1 also with more than most_on_tour checkpoints
    std::uint32_t changes = 0; ///< told by those who know what it began as

    friend bool operator==(const Measures&, const Measures&) = default;
};

/// The fields of Measures, in their order.
enum class Measure : unsigned char {
    exit_path,
    exit_members,
    reconvergence,
    isolated_reconvergence,
    culs_de_sac,
    cul_de_sac_length,
    shortest_paths,
    farthest,
    open_cells,
    reachable_cells,
    pockets,
    pocket_cells,
    branching_cells,
    dead_ends,
    loops,
    open_squares,
    wall_density,
    openness,
    symmetry_left_right,
    symmetry_top_bottom,
    symmetry_rotation,
    rock_cells,
    diameter,
    rooms,
    largest_room,
    on_one_way,
    straights,
    turns,
    tour,
    changes,
};

/// The most checkpoints that a tour is worked out for.
constexpr std::size_t most_on_tour = 12;

using MeasureInfo = BasicMeasureInfo<Measure>;
std::span<const MeasureInfo> measure_table();
const MeasureInfo& info(Measure measure);
MeasureKind kind_of(Measure measure);
/// The same measures as wishes know them.
std::vector<Wishable> wishables();
/// By key or short name; '-' and '_' are the same.
std::optional<Measure> find_measure(std::string_view name);
/// What is wrong with a name that find_measure() does not know, and which one may be meant.
std::string why_no_measure(std::string_view name);
/// All names, for messages.
std::string measure_names();
double value_of(const Measures& measures, Measure measure);

struct MeasureRange {
    double lowest;
    double highest;
};
/// What a measure of a maze of so many cells lies between; nothing for sums over pairs and ways, which have
/// no end worth naming.
std::optional<MeasureRange> range_of(Measure measure, std::size_t cells);
/// The same with an end for every measure, however far away.
MeasureRange widest_range_of(Measure measure, std::size_t cells);

using MeasureSet = BasicMeasureSet<Measure>;

/// A measure under the name that somebody called it by.
struct NamedMeasure {
    Measure measure;
    std::string name;

    friend bool operator==(const NamedMeasure&, const NamedMeasure&) = default;
};
/// Reads "path, dead-ends": names of measures, long or short, separated by commas; of equal names only the
/// first is taken. Throws InvalidInput that says which one is none, and which may be meant.
std::vector<NamedMeasure> parse_measures(std::string_view text);

/// A level looked at closely: what is true of each cell, beside the measures. Cells are numbered in reading
/// order.
struct Survey {
    Measures measures;
    std::uint32_t width = 0;
    std::size_t checkpoints = 0;
    std::vector<std::int32_t> distance; ///< |x|; −1 for rock and what can't be reached
    std::vector<std::uint64_t> members; ///< M(x): bit i for checkpoint i
    std::vector<std::uint32_t> pocket;  ///< number of the unreachable pocket, from 1; 0 for other cells
    std::vector<Cell> culs_de_sac;      ///< Z, in reading order
    std::vector<Cell> branching_cells;  ///< in reading order
    /// A shortest way, entrance to exit, over as many checkpoints as any; empty if there is none.
    std::vector<Cell> path;
    std::vector<std::uint32_t> primary;  ///< prc, by i · checkpoints + j
    std::vector<std::uint32_t> isolated; ///< iprc, likewise

    [[nodiscard]] std::uint32_t prc(std::size_t i, std::size_t j) const {
        return primary[i * checkpoints + j];
    }
    [[nodiscard]] std::uint32_t iprc(std::size_t i, std::size_t j) const {
        return isolated[i * checkpoints + j];
    }
    /// The cells with both as members at distance prc(i, j), in reading order; none if prc is 0.
    [[nodiscard]] std::vector<Cell> witnesses(std::size_t i, std::size_t j) const;
};

/// Measures levels, one after the other, in memory that it keeps between them. One per thread.
class Surveyor {
  public:
    Surveyor();
    Surveyor(Surveyor&&) noexcept;
    Surveyor& operator=(Surveyor&&) noexcept;
    ~Surveyor();

    /// Distance from the entrance to the exit, −1 if there is no way.
    std::int32_t exit_path(const Level& level);
    FitnessValues fitness_values(const Level& level);
    /// Of what is not wanted, the values are as they come.
    Measures measure(const Level& level, MeasureSet wanted = MeasureSet::all());
    Survey survey(const Level& level, MeasureSet wanted = MeasureSet::all());

  private:
    class Memory;
    std::unique_ptr<Memory> memory_;
};

/// All throw InvalidInput for a level whose places don't fit its grid.
Measures measure(const Level& level, MeasureSet wanted = MeasureSet::all());
Survey survey(const Level& level, MeasureSet wanted = MeasureSet::all());

/// The level with its unreachable pockets filled with rock, all but the exit itself.
Level with_pockets_sealed(const Level& level);

} // namespace knossos::maze
