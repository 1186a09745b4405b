#include "maze/device_kernel.hpp"

#include <knossos/core/error.hpp>
#include <knossos/maze/setup.hpp>

#include <fmt/format.h>

namespace knossos::maze {

namespace {

constexpr std::uint32_t widest_row = 64; // a row is one number

// The steps of a flood from the entrance, row by row as bits of a number, until it is at the exit; 0 if it
// does not get there. Loops are unrolled as far as rows fit into registers.
constexpr std::string_view flood_source = R"CL(
ROW row_of(const uint* genome, uint first) {
    ROW row = 0;
    for (uint done = 0; done < WIDTH;) {
        const uint bit = first + done, some = min(32 - bit % 32, WIDTH - done);
        row |= (ROW)(genome[bit / 32] >> bit % 32) << done;
        done += some;
    }
    return row & FULL;
}

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

void repair(uint* genome, __constant const uint* table) {
    for (uint w = 0; w < WORDS; ++w) genome[w] = (genome[w] | table[w]) & ~table[WORDS + w];
}
)CL";

[[noreturn]] void refuse_kernel(std::string_view fault) {
    throw InvalidInput{
        fmt::format("problem: of mazes, direct ones with the fitness exit-path have a kernel, up to {} "
                    "wide, without a goal, descriptors, checkpoints, symmetry or cells that are kept; {}",
                    widest_row, fault)};
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
    if (fields.fitness != FitnessFunction::exit_path) refuse_kernel("these have another fitness");
    if (!fields.goal.empty()) refuse_kernel("these have a goal");
    if (!fields.descriptors.empty()) refuse_kernel("these have descriptors");
    if (fields.k > 0 || fields.evolve_checkpoints) refuse_kernel("these have checkpoints that count");
    if (fields.keep > 0.0) refuse_kernel("these keep cells");
    if (fields.symmetry != Symmetry::none) refuse_kernel("these have a symmetry");
    if (fields.width > widest_row) refuse_kernel(fmt::format("these are {} wide", fields.width));
    const MazeSetup setup{fields};
    const Blueprint& blueprint = setup.direct()->blueprint();
    const Layout& layout = blueprint.layout();
    constexpr std::uint32_t unrolled = 32;
    DeviceKernel kernel;
    kernel.repairs = true;
    kernel.source =
        fmt::format("#define WIDTH {}u\n#define HEIGHT {}u\n#define ROW {}\n"
                    "#define FULL ((ROW)(~0UL >> {}))\n#define ENTRANCE_X {}\n#define ENTRANCE_Y {}\n"
                    "#define EXIT_X {}\n#define EXIT_Y {}\n#define UNROLL {}\n{}",
                    layout.width, layout.height, layout.width <= 32 ? "uint" : "ulong", 64 - layout.width,
                    layout.entrance.x, layout.entrance.y, layout.exit.x, layout.exit.y,
                    layout.height <= unrolled ? "_Pragma(\"unroll\")" : "", flood_source);
    add_locked(blueprint.locked_rock(), kernel.table);
    add_locked(blueprint.locked_open(), kernel.table);
    return kernel;
}

} // namespace knossos::maze
