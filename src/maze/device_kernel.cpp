#include "maze/device_kernel.hpp"

#include <knossos/core/error.hpp>
#include <knossos/maze/setup.hpp>

#include <fmt/format.h>

#include <array>

namespace knossos::maze {

namespace {

constexpr std::uint32_t widest_row = 64;      // a row is one number
constexpr std::size_t most_measured = 16'000; // cells: there are about twice as many steps, in 16 bits

// Rows as bits of a number, and what the locks make of a genome. Loops are unrolled as far as rows fit into
// registers.
constexpr std::string_view rows_source = R"CL(
ROW row_of(const uint* genome, uint first) {
    ROW row = 0;
    for (uint done = 0; done < WIDTH;) {
        const uint bit = first + done, some = min(32 - bit % 32, WIDTH - done);
        row |= (ROW)(genome[bit / 32] >> bit % 32) << done;
        done += some;
    }
    return row & FULL;
}

void repair(uint* genome, __constant const uint* table) {
    for (uint w = 0; w < WORDS; ++w) genome[w] = (genome[w] | table[w]) & ~table[WORDS + w];
}
)CL";

// The steps of a flood from the entrance until it is at the exit; 0 if it does not get there.
constexpr std::string_view flood_source = R"CL(
int evaluate(const uint* genome, __constant const uint* table) {
    ROW open[HEIGHT], front[HEIGHT];
    UNROLL
    for (uint y = 0; y < HEIGHT; ++y) {
        open[y] = ~row_of(genome, y * WIDTH) & FULL;
        front[y] = 0;
    }
    front[ENTRANCE_Y] = (ROW)1 << ENTRANCE_X;
    open[ENTRANCE_Y] &= ~((ROW)1 << ENTRANCE_X);
    for (int steps = 0;; ++steps) {
        if ((front[EXIT_Y] >> EXIT_X & 1) != 0) return steps;
        ROW any = 0, above = 0;
        UNROLL
        for (uint y = 0; y < HEIGHT; ++y) {
            const ROW here = front[y], under = y + 1 < HEIGHT ? front[y + 1] : 0;
            const ROW reached = (here << 1 | here >> 1 | above | under) & open[y];
            open[y] ^= reached;
            front[y] = reached;
            any |= reached;
            above = here;
        }
        if (any == 0) return 0;
    }
}
)CL";

// What lanes count (tile_counts.cpp), a maze in a work item. Each number has its place, which is −1 if it is
// not wanted.
constexpr std::string_view counts_source = R"CL(
#define SAY(place, number) \
    if (place >= 0) out[place] = number
// Connected parts: each shrinks towards its upper left until it is a lone cell.
short parts_of(ROW* cells) {
    uint parts = 0;
    ROW left = 1;
    while (left != 0) {
        left = 0;
        ROW above = 0, here = cells[0];
        UNROLL
        for (uint y = 0; y < HEIGHT; ++y) {
            const ROW below = y + 1 < HEIGHT ? cells[y + 1] : 0;
            const ROW beside = here >> 1;
            parts += popcount(here & ~(above | below | beside | here << 1));
            const ROW next = (here & (beside | below)) | (beside & below & below >> 1);
            cells[y] = next;
            left |= next;
            above = here;
            here = below;
        }
    }
    return (short)parts;
}

ROW backwards(ROW row) {
    ROW turned = 0;
    for (uint x = 0; x < WIDTH; ++x) {
        turned = turned << 1 | (row & 1);
        row >>= 1;
    }
    return turned;
}

void measure(const uint* genome, __constant const uint* table, short* out) {
    ROW open[HEIGHT], front[HEIGHT];
    uint rock = 0;
    UNROLL
    for (uint y = 0; y < HEIGHT; ++y) {
        open[y] = ~row_of(genome, y * WIDTH) & FULL;
        front[y] = 0;
        rock += WIDTH - (uint)popcount(open[y]);
    }
    front[ENTRANCE_Y] = open[ENTRANCE_Y] & (ROW)1 << ENTRANCE_X;
    open[ENTRANCE_Y] &= ~((ROW)1 << ENTRANCE_X);
    int exit_path = -1, farthest = -1;
    ROW any = front[ENTRANCE_Y];
    while (any != 0) {
        ++farthest;
        if ((front[EXIT_Y] >> EXIT_X & 1) != 0) exit_path = farthest;
        ROW above = 0;
        any = 0;
        UNROLL
        for (uint y = 0; y < HEIGHT; ++y) {
            const ROW here = front[y], under = y + 1 < HEIGHT ? front[y + 1] : 0;
            const ROW reached = (here << 1 | here >> 1 | above | under) & open[y];
            open[y] ^= reached;
            front[y] = reached;
            any |= reached;
            above = here;
        }
    }
    // What is left of the open cells was not reached; the others were.
    uint reachable = 0, unreached = 0;
    UNROLL
    for (uint y = 0; y < HEIGHT; ++y) {
        front[y] = (~row_of(genome, y * WIDTH) & FULL) ^ open[y];
        reachable += popcount(front[y]);
        unreached += popcount(open[y]);
    }
    SAY(EXIT_PATH, exit_path);
    SAY(FARTHEST, farthest);
    SAY(REACHABLE, reachable);
    SAY(UNREACHED, unreached);
    SAY(ROCK, rock);
#if WANTS_POCKETS
    SAY(POCKETS, parts_of(open));
#endif
#if WANTS_SHAPE || WANTS_ROOMS
    uint branching = 0, ends = 0, steps = 0, squares = 0, in_squares = 0;
    ROW above = 0, here = front[0], covered_above = 0;
    UNROLL
    for (uint y = 0; y < HEIGHT; ++y) {
        const ROW below = y + 1 < HEIGHT ? front[y + 1] : 0;
        const ROW east = here & here >> 1, east_below = below & below >> 1;
        const ROW west = east << 1, north = here & above, south = here & below;
        const ROW both = (north & west) | (east & south);
        const ROW two = both | ((north | west) & (east | south));
        const ROW exempt = (y == ENTRANCE_Y ? (ROW)1 << ENTRANCE_X : 0) | (y == EXIT_Y ? (ROW)1 << EXIT_X : 0);
        branching += popcount((north & west & (east | south)) | (east & south & (north | west)));
        ends += popcount(here & ~(two | exempt));
        steps += popcount(east) + popcount(south);
        const ROW square = east & east_below, covered = square | square << 1;
        squares += popcount(square);
        in_squares += popcount(covered | covered_above);
        open[y] = square;
        covered_above = covered;
        above = here;
        here = below;
    }
    SAY(BRANCHING, branching);
    SAY(ENDS, ends);
    SAY(STEPS, steps);
    SAY(SQUARES, squares);
    SAY(IN_SQUARES, in_squares);
#endif
#if WANTS_ROOMS
    SAY(ROOMS, parts_of(open));
#endif
#if WANTS_SYMMETRY
    uint left_right = 0, top_bottom = 0, rotation = 0;
    for (uint y = 0; y < HEIGHT; ++y) {
        const ROW row = row_of(genome, y * WIDTH), opposite = row_of(genome, (HEIGHT - 1 - y) * WIDTH);
        const ROW mirrored = backwards(row);
        left_right += popcount(row ^ mirrored);
        top_bottom += popcount(row ^ opposite);
        rotation += popcount(opposite ^ mirrored);
    }
    SAY(LEFT_RIGHT, left_right);
    SAY(TOP_BOTTOM, top_bottom);
    SAY(ROTATION, rotation);
#endif
}
)CL";

constexpr MeasureSet shape_measures{Measure::branching_cells, Measure::dead_ends, Measure::loops,
                                    Measure::open_squares, Measure::openness};
constexpr MeasureSet symmetry_measures{Measure::symmetry_left_right, Measure::symmetry_top_bottom,
                                       Measure::symmetry_rotation};
constexpr MeasureSet kernel_measures =
    shape_measures | symmetry_measures |
    MeasureSet{Measure::exit_path,    Measure::farthest,   Measure::reachable_cells,
               Measure::pocket_cells, Measure::open_cells, Measure::rock_cells,
               Measure::wall_density, Measure::pockets,    Measure::rooms};

// The numbers of measure(), and the measures that each is for.
struct KernelNumber {
    std::string_view name;
    MeasureSet wanted_for;
};
enum KernelNumberIndex : std::size_t {
    exit_path_number,
    farthest_number,
    reachable_number,
    unreached_number,
    rock_number,
    branching_number,
    ends_number,
    steps_number,
    squares_number,
    in_squares_number,
    left_right_number,
    top_bottom_number,
    rotation_number,
    pockets_number,
    rooms_number,
};
constexpr std::array<KernelNumber, 15> kernel_numbers{{
    {"EXIT_PATH", {Measure::exit_path}},
    {"FARTHEST", {Measure::farthest}},
    {"REACHABLE", {Measure::reachable_cells, Measure::loops, Measure::openness}},
    {"UNREACHED", {Measure::pocket_cells}},
    {"ROCK", {Measure::rock_cells, Measure::open_cells, Measure::wall_density}},
    {"BRANCHING", {Measure::branching_cells}},
    {"ENDS", {Measure::dead_ends}},
    {"STEPS", {Measure::loops}},
    {"SQUARES", {Measure::open_squares, Measure::loops}},
    {"IN_SQUARES", {Measure::openness}},
    {"LEFT_RIGHT", {Measure::symmetry_left_right}},
    {"TOP_BOTTOM", {Measure::symmetry_top_bottom}},
    {"ROTATION", {Measure::symmetry_rotation}},
    {"POCKETS", {Measure::pockets}},
    {"ROOMS", {Measure::rooms}},
}};

// Makes measures of numbers, as BatchMeasurer makes them of what lanes have counted.
class Counted {
  public:
    Counted(const Layout& layout, MeasureSet wanted)
        : wanted_{wanted}, width_{layout.width}, height_{layout.height} {
        for (std::size_t i = 0; i < kernel_numbers.size(); ++i)
            if (wanted.has_any(kernel_numbers[i].wanted_for))
                places_[i] = static_cast<int>(numbers_++);
            else
                places_[i] = -1;
    }

    [[nodiscard]] std::size_t numbers() const { return numbers_; }
    [[nodiscard]] std::string definitions() const {
        std::string text = fmt::format("#define WANTS_SHAPE {:d}\n#define WANTS_SYMMETRY {:d}\n"
                                       "#define WANTS_POCKETS {:d}\n#define WANTS_ROOMS {:d}\n",
                                       wanted_.has_any(shape_measures), wanted_.has_any(symmetry_measures),
                                       wanted_.has(Measure::pockets), wanted_.has(Measure::rooms));
        for (std::size_t i = 0; i < kernel_numbers.size(); ++i)
            text += fmt::format("#define {} {}\n", kernel_numbers[i].name, places_[i]);
        return text;
    }

    // Of what is not wanted, the values are as they come.
    [[nodiscard]] Measures measures(const std::int16_t* numbers) const {
        const auto number = [&](KernelNumberIndex i) {
            return places_[i] < 0 ? 0U : static_cast<std::uint32_t>(numbers[places_[i]]);
        };
        const auto share = [](std::uint64_t part, std::uint64_t whole, double of_nothing) {
            return whole == 0 ? of_nothing : static_cast<double>(part) / static_cast<double>(whole);
        };
        const auto agreement = [&](std::uint64_t pairs, std::uint64_t different_cells) {
            return share(pairs - different_cells / 2, pairs, 1.0);
        };
        const std::uint64_t area = std::uint64_t{width_} * height_;
        Measures its;
        its.exit_path = static_cast<std::int32_t>(number(exit_path_number));
        its.farthest = static_cast<std::int32_t>(number(farthest_number));
        its.reachable_cells = number(reachable_number);
        its.pocket_cells = number(unreached_number);
        its.rock_cells = number(rock_number);
        its.open_cells = static_cast<std::uint32_t>(area) - its.rock_cells;
        its.wall_density = share(its.rock_cells, area, 0.0);
        its.branching_cells = number(branching_number);
        its.dead_ends = number(ends_number);
        its.open_squares = number(squares_number);
        its.loops =
            its.reachable_cells == 0 ? 0 : number(steps_number) + 1 - its.reachable_cells - its.open_squares;
        its.openness = share(number(in_squares_number), its.reachable_cells, 0.0);
        if (wanted_.has_any(symmetry_measures)) {
            its.symmetry_left_right =
                agreement(height_ * std::uint64_t{width_ / 2}, number(left_right_number));
            its.symmetry_top_bottom =
                agreement(std::uint64_t{height_ / 2} * width_, number(top_bottom_number));
            its.symmetry_rotation = agreement(area / 2, number(rotation_number));
        }
        its.pockets = number(pockets_number);
        its.rooms = number(rooms_number);
        return its;
    }

  private:
    MeasureSet wanted_;
    std::uint32_t width_;
    std::uint32_t height_;
    std::array<int, kernel_numbers.size()> places_{}; ///< −1 if it is not wanted
    std::size_t numbers_ = 0;
};

[[noreturn]] void refuse_kernel(std::string_view fault) {
    throw InvalidInput{
        fmt::format("problem: of mazes, direct ones have a kernel, up to {} wide and {} cells, without "
                    "checkpoints, symmetry or cells that are kept, with the fitness exit-path or a goal; {}",
                    widest_row, most_measured, fault)};
}

// Locked cells as a genome has them, in words of 32 bits.
void add_locked(const Grid& locked, std::vector<std::uint32_t>& table) {
    const std::size_t first = table.size();
    table.resize(first + (locked.area() + 63) / 64 * 2);
    for (std::size_t i = 0; i < locked.area(); ++i)
        if (locked.is_rock(locked.cell(i))) table[first + i / 32] |= std::uint32_t{1} << i % 32;
}

} // namespace

DeviceKernel device_kernel(const Values& values) {
    const auto fields = from_values<MazeFields>(values);
    if (fields.representation != MazeRepresentation::direct)
        refuse_kernel("these are of another representation");
    if (fields.goal.empty() && fields.fitness != FitnessFunction::exit_path)
        refuse_kernel("these have another fitness");
    if (fields.k > 0 || fields.evolve_checkpoints) refuse_kernel("these have checkpoints that count");
    if (fields.keep > 0.0) refuse_kernel("these keep cells");
    if (fields.symmetry != Symmetry::none) refuse_kernel("these have a symmetry");
    if (fields.width > widest_row) refuse_kernel(fmt::format("these are {} wide", fields.width));
    const MazeSetup setup{fields};
    const Blueprint& blueprint = setup.direct()->blueprint();
    const Layout& layout = blueprint.layout();
    if (blueprint.area() > most_measured) refuse_kernel(fmt::format("these have {} cells", blueprint.area()));
    const Fitness& fitness = setup.fitness();
    const bool is_plain = fitness.terms.empty() && fitness.descriptors.empty();
    constexpr std::uint32_t unrolled = 32;
    DeviceKernel kernel;
    kernel.repairs = true;
    kernel.source =
        fmt::format("#define WIDTH {}u\n#define HEIGHT {}u\n#define ROW {}\n"
                    "#define FULL ((ROW)(~0UL >> {}))\n#define ENTRANCE_X {}\n#define ENTRANCE_Y {}\n"
                    "#define EXIT_X {}\n#define EXIT_Y {}\n#define UNROLL {}\n{}",
                    layout.width, layout.height, layout.width <= 32 ? "uint" : "ulong", 64 - layout.width,
                    layout.entrance.x, layout.entrance.y, layout.exit.x, layout.exit.y,
                    layout.height <= unrolled ? "_Pragma(\"unroll\")" : "", rows_source);
    if (is_plain) {
        kernel.source += flood_source;
    } else {
        const MeasureSet needs = fitness.needs();
        for (const MeasureInfo& one : measure_table())
            if (needs.has(one.measure) && !kernel_measures.has(one.measure)) {
                std::string known;
                for (const MeasureInfo& other : measure_table())
                    if (kernel_measures.has(other.measure))
                        known += fmt::format("{}{}", known.empty() ? "" : ", ", other.name);
                refuse_kernel(fmt::format("{} has no kernel; {} have one", one.name, known));
            }
        const Counted counted{layout, needs};
        kernel.numbers = counted.numbers();
        kernel.source += counted.definitions();
        kernel.source += counts_source;
        kernel.records = [counted, fitness](std::span<const std::int16_t> numbers,
                                            std::span<const std::uint32_t> rows, std::span<double> out) {
            for (std::size_t i = 0; i < rows.size(); ++i)
                fitness.evaluate(counted.measures(numbers.data() + rows[i] * counted.numbers()),
                                 Record{&out[i], rows.size()});
        };
    }
    add_locked(blueprint.locked_rock(), kernel.table);
    add_locked(blueprint.locked_open(), kernel.table);
    return kernel;
}

} // namespace knossos::maze
