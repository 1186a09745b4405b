// Compiled once per instruction set: Highway includes this file again for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "maze/tile_counts.cpp"
#include "core/highway_targets.hpp"
#define HWY_DISABLED_TARGETS KNOSSOS_SCALABLE_TARGETS
#include <hwy/foreach_target.h>
// Highway must follow the line above.
#include "maze/lanes-inl.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace knossos::maze::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

void counts_of_tile(const TileShape&, const TileMemory&, unsigned, TileCounts&) {}
void symmetry_of_tile(const TileShape&, const TileMemory&, TileCounts&) {}

#else

namespace {

// Whole rows, one maze in each lane of type Row. A tile has two vectors of them, its halves.
template <class Row>
struct Counting {
    using L = Lanes<Row>;
    using Rows = typename L::Rows;
    using ByteTag = hn::Repartition<std::uint8_t, typename L::RowTag>;
    static constexpr typename L::RowTag row_tag{};
    static constexpr ByteTag byte_tag{};

    // Row `row` of a half, in memory with an empty row before the first.
    static HWY_INLINE Row* at(std::byte* memory, std::size_t row, std::size_t half) {
        return reinterpret_cast<Row*>(memory) + (row * 2 + half) * hn::Lanes(row_tag);
    }
    static HWY_INLINE Rows load(std::byte* memory, std::size_t row, std::size_t half) {
        return hn::Load(row_tag, at(memory, row, half));
    }
    static HWY_INLINE Rows all(std::uint64_t bits) { return hn::Set(row_tag, static_cast<Row>(bits)); }

    // Counts the bits of each lane, byte by byte for as long as the bytes can hold it.
    struct Counter {
        hn::Vec<ByteTag> bytes;
        Rows total;

        // Written out, as the compiler would make it for another instruction set.
        HWY_INLINE Counter() : bytes{hn::Zero(byte_tag)}, total{hn::Zero(row_tag)} {}
        HWY_INLINE void add(Rows bits) {
            bytes = hn::Add(bytes, hn::PopulationCount(hn::BitCast(byte_tag, bits)));
        }
        HWY_INLINE void carry() {
            Rows sum = hn::BitCast(row_tag, bytes);
            sum = hn::Add(hn::And(sum, all(0x00FF00FF00FF00FFU)),
                          hn::And(hn::ShiftRight<8>(sum), all(0x00FF00FF00FF00FFU)));
            sum = hn::Add(hn::And(sum, all(0x0000FFFF0000FFFFU)),
                          hn::And(hn::ShiftRight<16>(sum), all(0x0000FFFF0000FFFFU)));
            if constexpr (sizeof(Row) == 8)
                sum = hn::Add(hn::And(sum, all(0x00000000FFFFFFFFU)), hn::ShiftRight<32>(sum));
            total = hn::Add(total, sum);
            bytes = hn::Zero(byte_tag);
        }
        void write(std::uint32_t* out, std::size_t half) const {
            HWY_ALIGN Row lanes[largest_tile];
            hn::Store(total, row_tag, lanes);
            const std::size_t n = hn::Lanes(row_tag);
            for (std::size_t i = 0; i < n; ++i) out[half * n + i] = static_cast<std::uint32_t>(lanes[i]);
        }
    };
    // Rows after which a counter that takes at most 16 bits of each byte and row must carry.
    static constexpr std::size_t rows_per_carry = 15;

    // Undoes Lanes::by_parity().
    static HWY_INLINE Rows from_parity(Rows rows) {
        if constexpr (sizeof(Row) == 8) rows = L::template exchange<16>(rows, 0x00000000FFFF0000U);
        rows = L::template exchange<8>(rows, 0x0000FF000000FF00U);
        rows = L::template exchange<4>(rows, 0x00F000F000F000F0U);
        rows = L::template exchange<2>(rows, 0x0C0C0C0C0C0C0C0CU);
        return L::template exchange<1>(rows, 0x2222222222222222U);
    }

    static void clear_borders(std::byte* memory, std::size_t height) {
        for (const std::size_t row : {std::size_t{0}, height + 1})
            for (std::size_t half = 0; half < 2; ++half)
                hn::Store(hn::Zero(row_tag), row_tag, at(memory, row, half));
    }

    // After a flood: the cells that were reached to memory.reached, the other open ones to memory.work.
    static void merge(const TileShape& shape, const TileMemory& memory) {
        const Rows inside = all(~std::uint64_t{0} >> (64 - shape.width));
        const Rows low = hn::Set(row_tag, static_cast<Row>(~Row{0} >> L::half_bits));
        const unsigned colour = (shape.entrance.x + shape.entrance.y) & 1U;
        clear_borders(memory.reached, shape.height);
        clear_borders(memory.work, shape.height);
        for (std::size_t y = 0; y < shape.height; ++y) {
            const auto near = hn::BitCast(row_tag, hn::Load(L::half_tag, L::at(memory.near_open, y + 1)));
            const auto far = hn::BitCast(row_tag, hn::Load(L::half_tag, L::at(memory.far_open, y + 1)));
            const bool near_is_even = ((y + colour) & 1U) == 0;
            const Rows even = near_is_even ? near : far;
            const Rows odd = near_is_even ? far : near;
            const Rows left[2] = {
                from_parity(hn::Or(hn::And(even, low), hn::ShiftLeft<L::half_bits>(odd))),
                from_parity(hn::Or(hn::ShiftRight<L::half_bits>(even), hn::AndNot(low, odd)))};
            for (std::size_t half = 0; half < 2; ++half) {
                const Rows open = hn::AndNot(load(memory.rows, y, half), inside);
                hn::Store(left[half], row_tag, at(memory.work, y + 1, half));
                hn::Store(hn::Xor(open, left[half]), row_tag, at(memory.reached, y + 1, half));
            }
        }
    }

    static void count_reached(const TileShape& shape, const TileMemory& memory, TileCounts& out) {
        for (std::size_t half = 0; half < 2; ++half) {
            Counter reached;
            Counter unreached;
            for (std::size_t row = 1; row <= shape.height; ++row) {
                reached.add(load(memory.reached, row, half));
                unreached.add(load(memory.work, row, half));
                if (row % rows_per_carry != 0) continue;
                reached.carry();
                unreached.carry();
            }
            reached.carry();
            unreached.carry();
            reached.write(out.reachable, half);
            unreached.write(out.unreached, half);
        }
    }

    // The steps from each reached cell, which lead to reached cells. Leaves the squares in memory.work, each
    // at its upper left cell.
    static void count_shape(const TileShape& shape, const TileMemory& memory, const Row* exempt,
                            TileCounts& out) {
        clear_borders(memory.work, shape.height);
        for (std::size_t half = 0; half < 2; ++half) {
            Counter branching;
            Counter ends;
            Counter steps;
            Counter squares;
            Counter in_squares;
            Rows above = hn::Zero(row_tag);
            Rows here = load(memory.reached, 1, half);
            Rows east = hn::And(here, hn::ShiftRight<1>(here));
            Rows covered_above = hn::Zero(row_tag);
            for (std::size_t row = 1; row <= shape.height; ++row) {
                const Rows below = load(memory.reached, row + 1, half);
                const Rows east_below = hn::And(below, hn::ShiftRight<1>(below));
                const Rows west = hn::ShiftLeft<1>(east);
                const Rows north = hn::And(here, above);
                const Rows south = hn::And(here, below);
                const Rows north_and_west = hn::And(north, west);
                const Rows north_or_west = hn::Or(north, west);
                const Rows east_and_south = hn::And(east, south);
                const Rows east_or_south = hn::Or(east, south);
                const Rows two =
                    hn::Or(hn::Or(north_and_west, east_and_south), hn::And(north_or_west, east_or_south));
                branching.add(
                    hn::Or(hn::And(north_and_west, east_or_south), hn::And(east_and_south, north_or_west)));
                ends.add(hn::AndNot(hn::Or(two, hn::Set(row_tag, exempt[row - 1])), here));
                steps.add(east);
                steps.add(south);
                const Rows square = hn::And(east, east_below);
                hn::Store(square, row_tag, at(memory.work, row, half));
                squares.add(square);
                const Rows covered = hn::Or(square, hn::ShiftLeft<1>(square));
                in_squares.add(hn::Or(covered, covered_above));
                covered_above = covered;
                above = here;
                here = below;
                east = east_below;
                if (row % rows_per_carry == 0)
                    for (Counter* const one : {&branching, &ends, &steps, &squares, &in_squares})
                        one->carry();
            }
            for (Counter* const one : {&branching, &ends, &steps, &squares, &in_squares}) one->carry();
            branching.write(out.branching, half);
            ends.write(out.ends, half);
            steps.write(out.steps, half);
            squares.write(out.squares, half);
            in_squares.write(out.in_squares, half);
        }
    }

    // How many connected parts (by steps) memory.work holds, which is empty afterwards. Every part shrinks
    // towards its upper left, none ever splits or meets another, until it is a single cell, which is counted
    // and vanishes. S. Levialdi: "On shrinking binary picture patterns", 1972, for parts connected by steps.
    static void count_parts(const TileShape& shape, const TileMemory& memory, std::uint32_t* out) {
        constexpr std::size_t rows_of_lone_cells = 60; // at most four of them in a byte
        for (std::size_t half = 0; half < 2; ++half) {
            Counter parts;
            std::size_t rows = 0;
            for (bool is_left = true; is_left;) {
                Rows above = hn::Zero(row_tag);
                Rows here = load(memory.work, 1, half);
                Rows left = hn::Zero(row_tag);
                for (std::size_t row = 1; row <= shape.height; ++row) {
                    const Rows below = load(memory.work, row + 1, half);
                    const Rows beside = hn::ShiftRight<1>(here);
                    const Rows neighbours =
                        hn::Or(hn::Or(above, below), hn::Or(beside, hn::ShiftLeft<1>(here)));
                    parts.add(hn::AndNot(neighbours, here));
                    const Rows next = hn::Or(hn::And(here, hn::Or(beside, below)),
                                             hn::And(hn::And(beside, below), hn::ShiftRight<1>(below)));
                    hn::Store(next, row_tag, at(memory.work, row, half));
                    left = hn::Or(left, next);
                    above = here;
                    here = below;
                    if (++rows == rows_of_lone_cells) {
                        parts.carry();
                        rows = 0;
                    }
                }
                is_left = !hn::AllTrue(row_tag, hn::Eq(left, hn::Zero(row_tag)));
            }
            parts.carry();
            parts.write(out, half);
        }
    }

    template <int shift>
    static HWY_INLINE Rows swapped(Rows rows, std::uint64_t mask) {
        return hn::Or(hn::And(hn::ShiftRight<shift>(rows), all(mask)),
                      hn::ShiftLeft<shift>(hn::And(rows, all(mask))));
    }
    static HWY_INLINE Rows backwards(Rows rows, int spare) {
        rows = swapped<1>(rows, 0x5555555555555555U);
        rows = swapped<2>(rows, 0x3333333333333333U);
        rows = swapped<4>(rows, 0x0F0F0F0F0F0F0F0FU);
        rows = swapped<8>(rows, 0x00FF00FF00FF00FFU);
        rows = swapped<16>(rows, 0x0000FFFF0000FFFFU);
        if constexpr (sizeof(Row) == 8) rows = swapped<32>(rows, 0x00000000FFFFFFFFU);
        return hn::ShiftRightSame(rows, spare);
    }

    static void count_symmetry(const TileShape& shape, const TileMemory& memory, TileCounts& out) {
        const int spare = static_cast<int>(8 * sizeof(Row) - shape.width);
        for (std::size_t half = 0; half < 2; ++half) {
            Counter left_right;
            Counter top_bottom;
            Counter rotation;
            for (std::size_t y = 0; y < shape.height; ++y) {
                const Rows here = load(memory.rows, y, half);
                const Rows opposite = load(memory.rows, shape.height - 1 - y, half);
                const Rows mirrored = backwards(here, spare);
                left_right.add(hn::Xor(here, mirrored));
                top_bottom.add(hn::Xor(here, opposite));
                rotation.add(hn::Xor(opposite, mirrored));
                if (y % rows_per_carry == rows_per_carry - 1)
                    for (Counter* const one : {&left_right, &top_bottom, &rotation}) one->carry();
            }
            for (Counter* const one : {&left_right, &top_bottom, &rotation}) one->carry();
            left_right.write(out.left_right, half);
            top_bottom.write(out.top_bottom, half);
            rotation.write(out.rotation, half);
        }
    }

    static void count_all(const TileShape& shape, const TileMemory& memory, unsigned wishes,
                          TileCounts& out) {
        typename L::FloodCounts flood;
        L::template exit_paths<true>(shape, memory, flood, out.exit_path);
        merge(shape, memory);
        count_reached(shape, memory, out);
        for (std::size_t maze = 0; maze < L::tile(); ++maze) {
            const std::size_t i = L::lane(maze);
            out.farthest[maze] =
                out.reachable[maze] == 0 ? -1 : static_cast<std::int32_t>(flood.near[i] + flood.far[i]);
            if (shape.entrance == shape.exit) out.exit_path[maze] = out.reachable[maze] == 0 ? -1 : 0;
        }
        if ((wishes & wish_pockets) != 0) count_parts(shape, memory, out.pockets);
        if ((wishes & (wish_shape | wish_rooms)) != 0) {
            Row* const exempt = reinterpret_cast<Row*>(memory.near_frontier); // which is done with
            std::fill_n(exempt, shape.height, Row{0});
            for (const Cell end : {shape.entrance, shape.exit})
                exempt[end.y] = static_cast<Row>(exempt[end.y] | Row{1} << end.x);
            count_shape(shape, memory, exempt, out);
        }
        if ((wishes & wish_rooms) != 0) count_parts(shape, memory, out.rooms);
        if ((wishes & wish_symmetry) != 0) count_symmetry(shape, memory, out);
    }
};

} // namespace

void counts_of_tile(const TileShape& shape, const TileMemory& memory, unsigned wishes, TileCounts& out) {
    if (shape.width <= 32)
        Counting<std::uint32_t>::count_all(shape, memory, wishes, out);
    else
        Counting<std::uint64_t>::count_all(shape, memory, wishes, out);
}

void symmetry_of_tile(const TileShape& shape, const TileMemory& memory, TileCounts& out) {
    if (shape.width <= 32)
        Counting<std::uint32_t>::count_symmetry(shape, memory, out);
    else
        Counting<std::uint64_t>::count_symmetry(shape, memory, out);
}

#endif

} // namespace knossos::maze::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace knossos::maze {

namespace {

HWY_EXPORT(counts_of_tile);
HWY_EXPORT(symmetry_of_tile);

} // namespace

void tile_counts(const TileShape& shape, const TileMemory& memory, unsigned wishes, TileCounts& out) {
    HWY_DYNAMIC_DISPATCH(counts_of_tile)(shape, memory, wishes, out);
}

void tile_symmetry(const TileShape& shape, const TileMemory& memory, TileCounts& out) {
    HWY_DYNAMIC_DISPATCH(symmetry_of_tile)(shape, memory, out);
}

} // namespace knossos::maze

#endif
