// Mazes in lanes, as one instruction set sees them: a kernel's file, which Highway includes again for each
// set, includes this likewise.
#if defined(KNOSSOS_MAZE_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KNOSSOS_MAZE_LANES_INL
#undef KNOSSOS_MAZE_LANES_INL
#else
#define KNOSSOS_MAZE_LANES_INL
#endif

#include "maze/tile.hpp"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace knossos::maze::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

namespace {

// A step always leads to a cell of the other colour of the chessboard. So a frontier lives on one colour,
// and a row of one colour takes half the bits: cell x of the row is bit x div 2. Seen from the cells of a
// colour, the neighbours above and below are the same bits of their rows, and those beside them are the same
// bit and the next one, to the left or the right by the parity of the row.
//
// Rows are read in lanes of type Row and worked on in lanes of half the size, one maze in each.
template <class Row>
struct Lanes {
    using RowTag = hn::ScalableTag<Row>;
    using HalfType = std::conditional_t<sizeof(Row) == 4, std::uint16_t, std::uint32_t>;
    using HalfTag = hn::Repartition<HalfType, RowTag>;
    using Rows = hn::Vec<RowTag>;
    using Half = hn::Vec<HalfTag>;
    static constexpr RowTag row_tag{};
    static constexpr HalfTag half_tag{};
    static constexpr int half_bits = 4 * sizeof(Row);

    // Per lane, of one flood.
    struct FloodCounts {
        HWY_ALIGN HalfType pairs[largest_tile];
        HWY_ALIGN HalfType unreached[largest_tile];
        HWY_ALIGN HalfType near[largest_tile];
        HWY_ALIGN HalfType far[largest_tile];
    };

    static std::size_t tile() { return 2 * hn::Lanes(row_tag); }
    // Mazes of the second half of a tile lie in the odd lanes.
    static std::size_t lane(std::size_t maze) {
        return maze < hn::Lanes(row_tag) ? 2 * maze : 2 * (maze - hn::Lanes(row_tag)) + 1;
    }

    template <int shift>
    static HWY_INLINE Rows exchange(Rows rows, std::uint64_t mask) {
        const Rows moved =
            hn::And(hn::Xor(rows, hn::ShiftRight<shift>(rows)), hn::Set(row_tag, static_cast<Row>(mask)));
        return hn::Xor(rows, hn::Xor(moved, hn::ShiftLeft<shift>(moved)));
    }

    // Even columns to the lower half of each lane, odd ones to the upper.
    static HWY_INLINE Rows by_parity(Rows rows) {
        rows = exchange<1>(rows, 0x2222222222222222U);
        rows = exchange<2>(rows, 0x0C0C0C0C0C0C0C0CU);
        rows = exchange<4>(rows, 0x00F000F000F000F0U);
        rows = exchange<8>(rows, 0x0000FF000000FF00U);
        if constexpr (sizeof(Row) == 8) rows = exchange<16>(rows, 0x00000000FFFF0000U);
        return rows;
    }

    static HWY_INLINE HalfType* at(std::byte* memory, std::size_t row) {
        return reinterpret_cast<HalfType*>(memory) + row * hn::Lanes(half_tag);
    }

    // near_open and far_open get the open cells of the entrance's colour and of the other one, each row at
    // its number plus one between empty rows.
    static HWY_INLINE void split(const TileShape& shape, const TileMemory& memory) {
        const std::size_t n = hn::Lanes(row_tag);
        const Row inside = static_cast<Row>(~Row{0} >> (8 * sizeof(Row) - shape.width));
        const Rows low = hn::Set(row_tag, static_cast<Row>(~Row{0} >> half_bits));
        const unsigned colour = (shape.entrance.x + shape.entrance.y) & 1U;
        for (const std::size_t row : {std::size_t{0}, std::size_t{shape.height} + 1}) {
            hn::Store(hn::Zero(half_tag), half_tag, at(memory.near_open, row));
            hn::Store(hn::Zero(half_tag), half_tag, at(memory.far_open, row));
        }
        for (std::size_t y = 0; y < shape.height; ++y) {
            const Row* const rows = reinterpret_cast<const Row*>(memory.rows) + y * 2 * n;
            const Rows mask = hn::Set(row_tag, inside);
            const Rows a = by_parity(hn::AndNot(hn::Load(row_tag, rows), mask));
            const Rows b = by_parity(hn::AndNot(hn::Load(row_tag, rows + n), mask));
            const Half even = hn::BitCast(half_tag, hn::Or(hn::And(a, low), hn::ShiftLeft<half_bits>(b)));
            const Half odd = hn::BitCast(half_tag, hn::Or(hn::ShiftRight<half_bits>(a), hn::AndNot(low, b)));
            const bool near_is_even = ((y + colour) & 1U) == 0;
            hn::Store(near_is_even ? even : odd, half_tag, at(memory.near_open, y + 1));
            hn::Store(near_is_even ? odd : even, half_tag, at(memory.far_open, y + 1));
        }
    }

    // Cells of the other colour beside or at the same bit as those of the frontier; `shift_up` where the
    // row's targets are its even columns.
    template <bool shift_up>
    static HWY_INLINE Half beside(Half frontier) {
        if constexpr (shift_up)
            return hn::Or(frontier, hn::ShiftLeft<1>(frontier));
        else
            return hn::Or(frontier, hn::ShiftRight<1>(frontier));
    }

    // What one sweep carries from row to row.
    struct Sweep {
        Half near_above, near_here; // the frontier it started from
        Half far_above, far_before; // the frontier one step on
        Half live, far_live;
    };

    // One row of two steps at once: from the entrance's colour to the other in row y, and, with the rows
    // that this completes, back to the entrance's colour in row y − 1.
    template <bool shift_up, bool to_the_end>
    static HWY_INLINE void two_steps(const TileMemory& memory, std::size_t row, Sweep& sweep) {
        const Half near_below = hn::Load(half_tag, at(memory.near_frontier, row + 1));
        const Half far_open = hn::Load(half_tag, at(memory.far_open, row));
        const Half far = hn::And(
            hn::Or(hn::Or(sweep.near_above, near_below), beside<shift_up>(sweep.near_here)), far_open);
        hn::Store(hn::Xor(far_open, far), half_tag, at(memory.far_open, row));
        const Half near_open = hn::Load(half_tag, at(memory.near_open, row - 1));
        const Half near =
            hn::And(hn::Or(hn::Or(sweep.far_above, far), beside<shift_up>(sweep.far_before)), near_open);
        hn::Store(hn::Xor(near_open, near), half_tag, at(memory.near_open, row - 1));
        hn::Store(near, half_tag, at(memory.near_frontier, row - 1));
        sweep.live = hn::Or(sweep.live, near);
        if constexpr (to_the_end) sweep.far_live = hn::Or(sweep.far_live, far);
        sweep.near_above = sweep.near_here;
        sweep.near_here = near_below;
        sweep.far_above = sweep.far_before;
        sweep.far_before = far;
    }

    template <bool shift_up_first, bool to_the_end>
    static HWY_INLINE Half sweep_once(const TileShape& shape, const TileMemory& memory, Half& far_live) {
        const Half zero = hn::Zero(half_tag);
        Sweep sweep{zero, hn::Load(half_tag, at(memory.near_frontier, 1)), zero, zero, zero, zero};
        std::size_t row = 1;
        for (; row + 1 <= shape.height + 1; row += 2) {
            two_steps<shift_up_first, to_the_end>(memory, row, sweep);
            two_steps<!shift_up_first, to_the_end>(memory, row + 1, sweep);
        }
        if (row == shape.height + 1) two_steps<shift_up_first, to_the_end>(memory, row, sweep);
        far_live = sweep.far_live;
        return sweep.live;
    }

    // Floods until every maze has either reached its exit or nothing new, or, to the end, nothing new.
    // `pairs` counts, for each maze, the pairs of steps after which the exit had not been reached; `far` the
    // first and `near` the second ones of such pairs that led anywhere.
    template <bool shift_up_first, bool to_the_end>
    static HWY_INLINE void flood(const TileShape& shape, const TileMemory& memory, FloodCounts& counts) {
        const bool exit_is_near =
            ((shape.entrance.x + shape.entrance.y + shape.exit.x + shape.exit.y) & 1U) == 0;
        const HalfType* const exit_row =
            at(exit_is_near ? memory.near_open : memory.far_open, shape.exit.y + 1);
        const Half exit_bit = hn::Set(half_tag, static_cast<HalfType>(HalfType{1} << shape.exit.x / 2));
        const Half one = hn::Set(half_tag, HalfType{1});
        const Half zero = hn::Zero(half_tag);
        Half pairs = zero;
        Half unreached = zero;
        Half near = zero;
        Half far = zero;
        for (;;) {
            Half far_live = zero;
            const Half live = sweep_once<shift_up_first, to_the_end>(shape, memory, far_live);
            unreached = hn::And(hn::Load(half_tag, exit_row), exit_bit);
            const auto waiting = hn::Ne(unreached, zero);
            pairs = hn::Add(pairs, hn::IfThenElseZero(waiting, one));
            const auto goes_on = hn::Ne(live, zero);
            if constexpr (to_the_end) {
                near = hn::Add(near, hn::IfThenElseZero(goes_on, one));
                far = hn::Add(far, hn::IfThenElseZero(hn::Ne(far_live, zero), one));
                if (hn::AllFalse(half_tag, goes_on)) break;
            } else {
                if (hn::AllFalse(half_tag, hn::And(waiting, goes_on))) break;
            }
        }
        hn::Store(pairs, half_tag, counts.pairs);
        hn::Store(unreached, half_tag, counts.unreached);
        if constexpr (to_the_end) {
            hn::Store(near, half_tag, counts.near);
            hn::Store(far, half_tag, counts.far);
        }
    }

    // Floods every maze of the tile; afterwards near_open and far_open hold what is left. Where entrance and
    // exit are one, the distance is no result.
    template <bool to_the_end>
    static HWY_INLINE void exit_paths(const TileShape& shape, const TileMemory& memory, FloodCounts& counts,
                                      std::int32_t* out) {
        split(shape, memory);
        const std::size_t entrance_row = shape.entrance.y + 1;
        for (std::size_t row = 0; row < shape.height + 3; ++row)
            hn::Store(hn::Zero(half_tag), half_tag, at(memory.near_frontier, row));
        const Half entrance =
            hn::And(hn::Load(half_tag, at(memory.near_open, entrance_row)),
                    hn::Set(half_tag, static_cast<HalfType>(HalfType{1} << shape.entrance.x / 2)));
        hn::Store(entrance, half_tag, at(memory.near_frontier, entrance_row));
        hn::Store(hn::Xor(hn::Load(half_tag, at(memory.near_open, entrance_row)), entrance), half_tag,
                  at(memory.near_open, entrance_row));

        const bool exit_is_near =
            ((shape.entrance.x + shape.entrance.y + shape.exit.x + shape.exit.y) & 1U) == 0;
        HWY_ALIGN HalfType exit_open[largest_tile];
        hn::Store(hn::Load(half_tag, at(exit_is_near ? memory.near_open : memory.far_open, shape.exit.y + 1)),
                  half_tag, exit_open);
        // Targets of the first row's step are of the far colour: even columns if the near one has the odd.
        if (((shape.entrance.x + shape.entrance.y) & 1U) != 0)
            flood<true, to_the_end>(shape, memory, counts);
        else
            flood<false, to_the_end>(shape, memory, counts);
        for (std::size_t maze = 0; maze < tile(); ++maze) {
            const std::size_t i = lane(maze);
            const bool was_open = (exit_open[i] >> shape.exit.x / 2 & 1U) != 0;
            const bool reached = was_open && counts.unreached[i] == 0;
            const std::int32_t steps =
                2 * (static_cast<std::int32_t>(counts.pairs[i]) + 1) - (exit_is_near ? 0 : 1);
            out[maze] = reached ? steps : -1;
        }
    }
};

} // namespace

#endif

} // namespace knossos::maze::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
