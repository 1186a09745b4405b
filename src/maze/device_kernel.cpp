#include "maze/device_kernel.hpp"

#include <knossos/core/error.hpp>
#include <knossos/maze/setup.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

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

// The moves of Proposer that need no way, in the order of kernel_moves.
constexpr std::string_view moves_source = R"CL(
// A few bits, up to 32, from one on.
uint bits_at(const uint* genome, uint first, uint count) {
    const uint shift = first % 32;
    uint bits = genome[first / 32] >> shift;
    if (shift + count > 32) bits |= genome[first / 32 + 1] << (32 - shift);
    return bits & 0xFFFFFFFFu >> (32 - count);
}

// Puts bits there; whether that changes any.
bool put_bits(uint* genome, uint first, uint count, uint bits) {
    const uint difference = bits_at(genome, first, count) ^ bits;
    const uint shift = first % 32;
    genome[first / 32] ^= difference << shift;
    if (shift + count > 32) genome[first / 32 + 1] ^= difference >> (32 - shift);
    return difference != 0;
}

bool flip_cell(Stream* s, uint* genome, __constant const uint* table) {
    for (int attempt = 0; attempt < 16; ++attempt) {
        const uint i = below(s, GENES);
        if (((table[i / 32] | table[WORDS + i / 32]) >> i % 32 & 1) != 0) continue;
        flip(genome, i);
        return true;
    }
    return false;
}

bool set_block(Stream* s, uint* genome) {
    const uint left = below(s, WIDTH), top = below(s, HEIGHT);
    const uint right = min(WIDTH, left + 1 + below(s, 5)), bottom = min(HEIGHT, top + 1 + below(s, 5));
    const uint rock = below(s, 2) != 0 ? 0xFFFFFFFFu >> (32 - (right - left)) : 0;
    bool changed = false;
    for (uint y = top; y < bottom; ++y) changed |= put_bits(genome, y * WIDTH + left, right - left, rock);
    return changed;
}

bool copy_block(Stream* s, uint* genome) {
    const uint width = min(WIDTH, 2 + below(s, 7)), height = min(HEIGHT, 2 + below(s, 7));
    const uint from_x = below(s, WIDTH - width + 1), from_y = below(s, HEIGHT - height + 1);
    const uint to_x = below(s, WIDTH - width + 1), to_y = below(s, HEIGHT - height + 1);
    const uint mirrored = below(s, 4);
    uint rows[8];
    for (uint y = 0; y < height; ++y) {
        uint row = bits_at(genome, (from_y + y) * WIDTH + from_x, width);
        if ((mirrored & 1) != 0) {
            uint turned = 0;
            for (uint x = 0; x < width; ++x) turned |= (row >> x & 1) << (width - 1 - x);
            row = turned;
        }
        rows[(mirrored & 2) != 0 ? height - 1 - y : y] = row;
    }
    bool changed = false;
    for (uint y = 0; y < height; ++y) changed |= put_bits(genome, (to_y + y) * WIDTH + to_x, width, rows[y]);
    return changed;
}

bool propose(Stream* s, uint* genome, uint move, __constant const uint* table) {
    if (move == 1) return set_block(s, genome);
    if (move == 2) return copy_block(s, genome);
    bool changed = false;
    for (uint left = 1 + below(s, 4); left > 0; --left) changed |= flip_cell(s, genome, table);
    return changed;
}
)CL";
constexpr std::array<std::string_view, 3> kernel_moves{"flips", "blocks", "copies"};

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

// A column in whole numbers: how it is worked out of those of measure(), and between which it lies.
struct WholeText {
    std::string text{};
    double lowest = 0.0;
    double highest = 0.0;
};

// Nothing for shares.
std::optional<WholeText> whole_text(Measure measure, std::size_t cells) {
    if (kind_of(measure) != MeasureKind::count) return std::nullopt;
    constexpr std::array<std::pair<Measure, std::string_view>, 12> texts{{
        {Measure::exit_path, "numbers[EXIT_PATH]"},
        {Measure::farthest, "numbers[FARTHEST]"},
        {Measure::reachable_cells, "numbers[REACHABLE]"},
        {Measure::pocket_cells, "numbers[UNREACHED]"},
        {Measure::rock_cells, "numbers[ROCK]"},
        {Measure::open_cells, "((int)(WIDTH * HEIGHT) - numbers[ROCK])"},
        {Measure::branching_cells, "numbers[BRANCHING]"},
        {Measure::dead_ends, "numbers[ENDS]"},
        {Measure::open_squares, "numbers[SQUARES]"},
        {Measure::loops,
         "(numbers[REACHABLE] == 0 ? 0 : numbers[STEPS] + 1 - numbers[REACHABLE] - numbers[SQUARES])"},
        {Measure::pockets, "numbers[POCKETS]"},
        {Measure::rooms, "numbers[ROOMS]"},
    }};
    const auto* const found = std::ranges::find(texts, measure, [](const auto& one) { return one.first; });
    if (found == texts.end()) return std::nullopt;
    return WholeText{std::string{found->second}, -1.0, static_cast<double>(cells)};
}

bool is_whole(double value) { return value == std::floor(value) && std::abs(value) < 0x1p20; }

std::optional<WholeText> weighted_text(const std::vector<Term>& terms, std::size_t cells) {
    WholeText sum{.text = "0"};
    for (const Term& term : terms) {
        if (term.aim == Aim::range) continue;
        const auto its = whole_text(term.measure, cells);
        if (!its || !is_whole(term.weight)) return std::nullopt;
        const double weight = term.aim == Aim::maximise ? term.weight : -term.weight;
        sum.text += fmt::format(" + ({:.0f}) * {}", weight, its->text);
        sum.lowest += std::min(weight * its->lowest, weight * its->highest);
        sum.highest += std::max(weight * its->lowest, weight * its->highest);
    }
    return sum;
}

// How far a measure lies from its range.
std::optional<WholeText> gap_text(const Term& term, std::size_t cells) {
    const auto its = whole_text(term.measure, cells);
    if (!its) return std::nullopt;
    WholeText gap{.text = "0"};
    if (std::isfinite(term.low)) {
        if (!is_whole(term.low)) return std::nullopt;
        gap.text += fmt::format(" + max(0, (int)({:.0f}) - {})", term.low, its->text);
        gap.highest = std::max(gap.highest, term.low - its->lowest);
    }
    if (std::isfinite(term.high)) {
        if (!is_whole(term.high)) return std::nullopt;
        gap.text += fmt::format(" + max(0, {} - (int)({:.0f}))", its->text, term.high);
        gap.highest = std::max(gap.highest, its->highest - term.high);
    }
    return gap;
}

// The columns as Fitness::evaluate() writes them; nothing if one of them is no whole number.
std::optional<std::vector<WholeText>> whole_columns(const Fitness& fitness, std::size_t cells) {
    std::vector<std::optional<WholeText>> all;
    const WholeText no_way{.text = "(numbers[EXIT_PATH] < 0 ? 1 : 0)", .highest = 1.0};
    if (fitness.terms.empty()) {
        all.emplace_back(WholeText{"max(0, (int)numbers[EXIT_PATH])", 0.0, static_cast<double>(cells)});
    } else {
        std::size_t objectives = 0;
        for (const Term& term : fitness.terms) {
            if (term.near) return std::nullopt;
            objectives += term.aim != Aim::range ? 1U : 0U;
        }
        const bool is_sum = fitness.several == Several::weighted_sum && objectives > 1;
        if (is_sum) all.push_back(weighted_text(fitness.terms, cells));
        for (const Term& term : fitness.terms)
            if (term.aim != Aim::range && !is_sum) all.push_back(whole_text(term.measure, cells));
        all.emplace_back(no_way);
        for (const Term& term : fitness.terms)
            if (term.aim == Aim::range) all.push_back(gap_text(term, cells));
    }
    for (const NamedMeasure& one : fitness.descriptors) all.push_back(whole_text(one.measure, cells));
    std::vector<WholeText> columns;
    for (std::optional<WholeText>& one : all) {
        constexpr double most = 0x1p30;
        if (!one || one->lowest < -most || one->highest > most) return std::nullopt;
        columns.push_back(std::move(*one));
    }
    return columns;
}

void add_record(const std::vector<WholeText>& columns, DeviceKernel& kernel) {
    kernel.source += "void record(const short* numbers, int* columns) {\n";
    for (std::size_t i = 0; i < columns.size(); ++i) {
        kernel.source += fmt::format("    columns[{}] = {};\n", i, columns[i].text);
        kernel.columns.push_back(
            {static_cast<std::int32_t>(columns[i].lowest), static_cast<std::int32_t>(columns[i].highest)});
    }
    kernel.source += "}\n";
}

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
    kernel.source += moves_source;
    kernel.moves.assign(kernel_moves.begin(), kernel_moves.end());
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
        if (const auto columns = whole_columns(fitness, blueprint.area())) add_record(*columns, kernel);
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
