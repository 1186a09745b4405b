// Compiled once per instruction set: Highway includes this file again for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "maze/distance_batch.cpp"
#include "core/highway_targets.hpp"
#define HWY_DISABLED_TARGETS KNOSSOS_SCALABLE_TARGETS
#include <hwy/foreach_target.h>
// Highway must follow the line above.
#include <hwy/highway.h>

#include "maze/flood.hpp"

#include <knossos/core/error.hpp>
#include <knossos/maze/distance_batch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#ifndef KNOSSOS_MAZE_DISTANCE_BATCH_ONCE
#define KNOSSOS_MAZE_DISTANCE_BATCH_ONCE

namespace knossos::maze {

// The widest row that the lane kernels take: two colours of 32 cells in 32-bit lanes.
constexpr std::uint32_t widest_lane_row = 64;
// Mazes of a tile: one per 16-bit lane of the widest vector (64 bytes).
constexpr std::size_t largest_tile = 32;

/// Working memory of a tile, 64-byte aligned: `rows` takes the mazes' rows as they are, the others one vector
/// per row and colour.
struct TileMemory {
    std::byte* rows;
    std::byte* near_open;
    std::byte* near_frontier;
    std::byte* far_open;
};

struct TileShape {
    std::uint32_t width;
    std::uint32_t height;
    Cell entrance;
    Cell exit;
};

} // namespace knossos::maze

#endif

HWY_BEFORE_NAMESPACE();
namespace knossos::maze::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

std::size_t tile_size(std::uint32_t) { return 0; }
void tile_exit_paths(const TileShape&, const TileMemory&, std::int32_t*) {}

#else

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
        Half live;
    };

    // One row of two steps at once: from the entrance's colour to the other in row y, and, with the rows
    // that this completes, back to the entrance's colour in row y − 1.
    template <bool shift_up>
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
        sweep.near_above = sweep.near_here;
        sweep.near_here = near_below;
        sweep.far_above = sweep.far_before;
        sweep.far_before = far;
    }

    template <bool shift_up_first>
    static HWY_INLINE Half sweep_once(const TileShape& shape, const TileMemory& memory) {
        const Half zero = hn::Zero(half_tag);
        Sweep sweep{zero, hn::Load(half_tag, at(memory.near_frontier, 1)), zero, zero, zero};
        std::size_t row = 1;
        for (; row + 1 <= shape.height + 1; row += 2) {
            two_steps<shift_up_first>(memory, row, sweep);
            two_steps<!shift_up_first>(memory, row + 1, sweep);
        }
        if (row == shape.height + 1) two_steps<shift_up_first>(memory, row, sweep);
        return sweep.live;
    }

    // Floods until every maze has either reached its exit or nothing new. `pairs` counts, for each maze, the
    // pairs of steps after which the exit had not been reached.
    template <bool shift_up_first>
    static HWY_INLINE void flood(const TileShape& shape, const TileMemory& memory, HalfType* pairs_out,
                                 HalfType* unreached_out) {
        const bool exit_is_near =
            ((shape.entrance.x + shape.entrance.y + shape.exit.x + shape.exit.y) & 1U) == 0;
        const HalfType* const exit_row =
            at(exit_is_near ? memory.near_open : memory.far_open, shape.exit.y + 1);
        const Half exit_bit = hn::Set(half_tag, static_cast<HalfType>(HalfType{1} << shape.exit.x / 2));
        const Half one = hn::Set(half_tag, HalfType{1});
        const Half zero = hn::Zero(half_tag);
        Half pairs = zero;
        Half unreached = zero;
        for (;;) {
            const Half live = sweep_once<shift_up_first>(shape, memory);
            unreached = hn::And(hn::Load(half_tag, exit_row), exit_bit);
            const auto waiting = hn::Ne(unreached, zero);
            pairs = hn::Add(pairs, hn::IfThenElseZero(waiting, one));
            if (hn::AllFalse(half_tag, hn::And(waiting, hn::Ne(live, zero)))) break;
        }
        hn::Store(pairs, half_tag, pairs_out);
        hn::Store(unreached, half_tag, unreached_out);
    }

    static void exit_paths(const TileShape& shape, const TileMemory& memory, std::int32_t* out) {
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
        HWY_ALIGN HalfType pairs[largest_tile];
        HWY_ALIGN HalfType unreached[largest_tile];
        // Targets of the first row's step are of the far colour: even columns if the near one has the odd.
        if (((shape.entrance.x + shape.entrance.y) & 1U) != 0)
            flood<true>(shape, memory, pairs, unreached);
        else
            flood<false>(shape, memory, pairs, unreached);
        for (std::size_t maze = 0; maze < tile(); ++maze) {
            const std::size_t i = lane(maze);
            const bool was_open = (exit_open[i] >> shape.exit.x / 2 & 1U) != 0;
            const bool reached = was_open && unreached[i] == 0;
            const std::int32_t steps = 2 * (static_cast<std::int32_t>(pairs[i]) + 1) - (exit_is_near ? 0 : 1);
            out[maze] = reached ? steps : -1;
        }
    }
};

} // namespace

std::size_t tile_size(std::uint32_t width) {
    return width <= 32 ? Lanes<std::uint32_t>::tile() : Lanes<std::uint64_t>::tile();
}

void tile_exit_paths(const TileShape& shape, const TileMemory& memory, std::int32_t* out) {
    if (shape.width <= 32)
        Lanes<std::uint32_t>::exit_paths(shape, memory, out);
    else
        Lanes<std::uint64_t>::exit_paths(shape, memory, out);
}

#endif

} // namespace knossos::maze::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace knossos::maze {

namespace {

HWY_EXPORT(tile_size);
HWY_EXPORT(tile_exit_paths);

// Fewer mazes than this in a tile are faster one by one (measured).
constexpr std::size_t smallest_tile = 3;

} // namespace

class BatchMeasurer::Memory {
  public:
    explicit Memory(Places places) : places_{std::move(places)} {
        if (std::size_t{places_.width} * places_.height == 0 || places_.width > largest_drawn_side ||
            places_.height > largest_drawn_side)
            throw InvalidInput{fmt::format("the mazes are {}×{}; both sides lie in 1..{}", places_.width,
                                           places_.height, largest_drawn_side)};
        check_places(places_.width, places_.height, places_.entrance, places_.exit, places_.checkpoints);
        with_flood([&](auto& flood) {
            flood.prepare(places_.width, places_.height, places_.entrance, places_.exit, places_.checkpoints);
        });
    }

    void exit_paths(const Batch& batch, std::span<std::int32_t> out) {
        check_batch(batch, out.size());
        const bool in_lanes = places_.width <= widest_lane_row && places_.entrance != places_.exit;
        const std::size_t tile = in_lanes ? HWY_DYNAMIC_DISPATCH(tile_size)(places_.width) : 0;
        std::size_t done = 0;
        while (tile != 0 && done + smallest_tile <= batch.count) {
            const std::size_t filled = std::min(tile, batch.count - done);
            load_tile(batch, done, filled, tile);
            std::int32_t paths[largest_tile];
            const TileShape shape{places_.width, places_.height, places_.entrance, places_.exit};
            HWY_DYNAMIC_DISPATCH(tile_exit_paths)(shape, tile_memory_, paths);
            std::copy_n(paths, filled, out.begin() + static_cast<std::ptrdiff_t>(done));
            done += filled;
        }
        one_by_one(batch, done, [&](auto& flood, std::size_t i) { out[i] = flood.exit_path(); });
    }

    void fitness_values(const Batch& batch, std::span<FitnessValues> out) {
        check_batch(batch, out.size());
        one_by_one(batch, 0, [&](auto& flood, std::size_t i) { out[i] = flood.fitness_values(); });
    }

    [[nodiscard]] const Places& places() const { return places_; }

  private:
    [[nodiscard]] std::size_t area() const { return std::size_t{places_.width} * places_.height; }

    void check_batch(const Batch& batch, std::size_t room) const {
        if (batch.space->kind != GenomeKind::bits || batch.space->length != area())
            throw InvalidInput{fmt::format("mazes of {}×{} cells are {} bits, not {}", places_.width,
                                           places_.height, area(), describe(*batch.space))};
        if (room < batch.count)
            throw InvalidInput{
                fmt::format("there is room for {} of the {} results of the batch", room, batch.count)};
    }

    template <class Work>
    void with_flood(Work work) {
        flood_.visit(area(), places_.checkpoints.size(), work);
    }

    static const std::uint64_t* words(const Batch& batch, std::size_t i) {
        return reinterpret_cast<const std::uint64_t*>(batch[i]);
    }

    template <class Work>
    void one_by_one(const Batch& batch, std::size_t first, Work work) {
        with_flood([&](auto& flood) {
            for (std::size_t i = first; i < batch.count; ++i) {
                flood.load(words(batch, i));
                work(flood, i);
            }
        });
    }

    void load_tile(const Batch& batch, std::size_t first, std::size_t filled, std::size_t tile) {
        const std::size_t row_bytes = places_.width <= 32 ? 4 : 8;
        allocate(row_bytes * tile);
        if (row_bytes == 4)
            load_rows<std::uint32_t>(batch, first, filled, tile);
        else
            load_rows<std::uint64_t>(batch, first, filled, tile);
    }

    // A tile that isn't full has mazes of solid rock in its other lanes.
    template <class Row>
    void load_rows(const Batch& batch, std::size_t first, std::size_t filled, std::size_t tile) {
        Row* const rows = reinterpret_cast<Row*>(tile_memory_.rows);
        if (filled < tile) std::fill_n(rows, places_.height * tile, static_cast<Row>(~Row{0}));
        for (std::size_t maze = 0; maze < filled; ++maze) {
            const std::uint64_t* const bits = words(batch, first + maze);
            std::size_t bit = 0;
            for (std::size_t y = 0; y < places_.height; ++y, bit += places_.width)
                rows[y * tile + maze] = static_cast<Row>(bits_at(bits, bit, places_.width));
        }
    }

    void allocate(std::size_t rows_bytes) {
        if (tile_memory_.rows != nullptr) return;
        // One vector per row and colour takes as many bytes as half a row of all mazes.
        const std::size_t height = places_.height + 4;
        const std::size_t colour = rows_bytes * height;
        bytes_.resize(rows_bytes * height + 3 * colour + 64);
        const auto address = reinterpret_cast<std::uintptr_t>(bytes_.data());
        std::byte* const aligned = bytes_.data() + (64 - address % 64) % 64;
        tile_memory_ = {aligned, aligned + rows_bytes * height, aligned + rows_bytes * height + colour,
                        aligned + rows_bytes * height + 2 * colour};
    }

    Places places_;
    AnyFlood flood_;
    std::vector<std::byte> bytes_;
    TileMemory tile_memory_{};
};

BatchMeasurer::BatchMeasurer(Places places) : memory_{std::make_unique<Memory>(std::move(places))} {}
BatchMeasurer::BatchMeasurer(BatchMeasurer&&) noexcept = default;
BatchMeasurer& BatchMeasurer::operator=(BatchMeasurer&&) noexcept = default;
BatchMeasurer::~BatchMeasurer() = default;

void BatchMeasurer::exit_paths(const Batch& batch, std::span<std::int32_t> out) {
    memory_->exit_paths(batch, out);
}

void BatchMeasurer::fitness_values(const Batch& batch, std::span<FitnessValues> out) {
    memory_->fitness_values(batch, out);
}

const Places& BatchMeasurer::places() const { return memory_->places(); }

} // namespace knossos::maze

#endif
