// Compiled once per instruction set: Highway includes this file again for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "queens/conflict_batch.cpp"
#include "core/highway_targets.hpp"
// AVX-512 compares into mask registers, and adding those up is slower than the AVX2 form (measured on Zen 4).
// Its kinds, of which newer versions of Highway know more, are the bits below that of AVX2.
#define HWY_DISABLED_TARGETS (KNOSSOS_SCALABLE_TARGETS | (HWY_AVX2 - 1))
#include <hwy/foreach_target.h>
// Highway must follow the line above.
#include <hwy/highway.h>

#include <knossos/core/error.hpp>
#include <knossos/queens/conflict_batch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#ifndef KNOSSOS_QUEENS_CONFLICT_BATCH_ONCE
#define KNOSSOS_QUEENS_CONFLICT_BATCH_ONCE

namespace knossos::queens {

// Boards of a tile: eight per 64-bit lane of the widest vector (64 bytes).
constexpr std::size_t largest_tile = 64;

using Tile = const std::byte* [largest_tile];

inline const std::byte* board_at(const BoardBatch& batch, std::size_t index) {
    return batch.boards + (batch.rows != nullptr ? batch.rows[index] : index) * batch.stride;
}

inline std::uint8_t* aligned_bytes(BatchScratch& scratch, std::size_t size) {
    constexpr std::size_t alignment = 64;
    if (scratch.bytes.size() < size + alignment) scratch.bytes.resize(size + alignment);
    const auto address = reinterpret_cast<std::uintptr_t>(scratch.bytes.data());
    return scratch.bytes.data() + (alignment - address % alignment) % alignment;
}

// Up to eight genes of a board from `first` on, as bytes in one word.
inline std::uint64_t narrowed_genes(const BoardBatch& batch, const std::byte* board, std::size_t first) {
    const std::size_t end = std::min<std::size_t>(first + 8, batch.n);
    std::uint64_t word = 0;
    for (std::size_t i = first; i < end; ++i)
        word |= static_cast<std::uint64_t>(board[i * batch.gene_bytes]) << 8 * (i - first);
    return word;
}

// The plain twin of the kernels, and what a processor without vectors runs.
template <class Gene>
void count_one_by_one_as(const BoardBatch& batch, BatchScratch& scratch, double* out) {
    for (std::size_t index = 0; index < batch.count; ++index) {
        const std::span columns{reinterpret_cast<const Gene*>(board_at(batch, index)), batch.n};
        out[index] = static_cast<double>(batch.permutations ? permutation_conflicts(columns, scratch.counting)
                                                            : conflicts(columns, scratch.counting));
    }
}

inline void count_one_by_one(const BoardBatch& batch, BatchScratch& scratch, double* out) {
    if (batch.gene_bytes == 1)
        count_one_by_one_as<std::uint8_t>(batch, scratch, out);
    else if (batch.gene_bytes == 2)
        count_one_by_one_as<std::uint16_t>(batch, scratch, out);
    else
        count_one_by_one_as<std::uint32_t>(batch, scratch, out);
}

} // namespace knossos::queens

#endif

HWY_BEFORE_NAMESPACE();
namespace knossos::queens::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

void count_batch(const BoardBatch& batch, BatchScratch& scratch, double* out) {
    count_one_by_one(batch, scratch, out);
}

#else

namespace {

namespace hn = hwy::HWY_NAMESPACE;

using ByteTag = hn::ScalableTag<std::uint8_t>;
using ShortTag = hn::Repartition<std::uint16_t, ByteTag>;
using WordTag = hn::Repartition<std::uint64_t, ByteTag>;
using Bytes = hn::Vec<ByteTag>;
using Shorts = hn::Vec<ShortTag>;
using Words = hn::Vec<WordTag>;

constexpr ByteTag byte_tag{};
constexpr ShortTag short_tag{};
constexpr WordTag word_tag{};

// Comparing all pairs of rows, a vector of boards side by side, beats counting on lines up to here
// (measured). Beyond 128 the diagonals of a board no longer fit in a byte.
constexpr std::uint32_t largest_side_by_side = hn::MaxLanes(byte_tag) >= 32 ? 128 : 80;

HWY_INLINE std::size_t lanes() { return hn::Lanes(word_tag); }

// Swaps the off-diagonal quarters of the 2 × 2 matrices that two vectors hold in their even and odd units.
template <class Unit>
HWY_INLINE void exchange(Words& first, Words& second) {
    using Tag = hn::Repartition<Unit, ByteTag>;
    using Wide = hn::Repartition<hwy::MakeWide<Unit>, ByteTag>;
    constexpr int bits = 8 * sizeof(Unit);
    const auto raised = hn::BitCast(Tag{}, hn::ShiftLeft<bits>(hn::BitCast(Wide{}, second)));
    const auto lowered = hn::BitCast(Tag{}, hn::ShiftRight<bits>(hn::BitCast(Wide{}, first)));
    first = hn::BitCast(word_tag, hn::OddEven(raised, hn::BitCast(Tag{}, first)));
    second = hn::BitCast(word_tag, hn::OddEven(hn::BitCast(Tag{}, second), lowered));
}

// In each 64-bit lane on its own, byte g of v[b] goes to byte b of v[g]: v[b] held eight genes of one board
// per lane, v[g] then holds gene g of eight boards per lane. Board b · lanes + l ends in byte b of lane l.
HWY_INLINE void transpose(Words* HWY_RESTRICT v) {
    for (int i = 0; i < 8; i += 2) exchange<std::uint8_t>(v[i], v[i + 1]);
    for (int i = 0; i < 8; i += 4) {
        exchange<std::uint16_t>(v[i], v[i + 2]);
        exchange<std::uint16_t>(v[i + 1], v[i + 3]);
    }
    for (int i = 0; i < 4; ++i) exchange<std::uint32_t>(v[i], v[i + 4]);
}

// One word of each board, lane by lane. Going through memory would stall: a wide load can't see narrow stores
// in flight.
template <class Tag>
HWY_INLINE hn::Vec<Tag> load_lanes(Tag tag, const std::byte* const* boards, std::size_t first) {
    if constexpr (hn::MaxLanes(Tag{}) == 1) {
        return hn::LoadU(tag, reinterpret_cast<const std::uint64_t*>(boards[0] + first));
    } else {
        const hn::Half<Tag> half;
        return hn::Combine(tag, load_lanes(half, boards + hn::Lanes(half), first),
                           load_lanes(half, boards, first));
    }
}

HWY_INLINE void load_genes(const BoardBatch& batch, const Tile& tile, std::size_t first,
                           Words* HWY_RESTRICT v) {
    // May read into the padding of a board, but never past the board's own stride.
    if (batch.gene_bytes == 1 && first + 8 <= batch.stride) {
        for (std::size_t b = 0; b < 8; ++b) v[b] = load_lanes(word_tag, tile + b * lanes(), first);
    } else {
        HWY_ALIGN std::uint64_t words[largest_tile];
        for (std::size_t board = 0; board < 8 * lanes(); ++board)
            words[board] = narrowed_genes(batch, tile[board], first);
        for (std::size_t b = 0; b < 8; ++b) v[b] = hn::Load(word_tag, words + b * lanes());
    }
    transpose(v);
}

// Small whole numbers to doubles without a conversion instruction: the mantissa of 2⁵² + x is x.
HWY_INLINE void store_as_doubles(Words values, double* out) {
    const hn::Repartition<double, ByteTag> double_tag;
    const auto biased = hn::BitCast(double_tag, hn::Or(values, hn::Set(word_tag, 0x4330000000000000U)));
    hn::StoreU(hn::Sub(biased, hn::Set(double_tag, 4503599627370496.0)), double_tag, out);
}

// Adds one to the lanes of `total` in which a and b are equal.
HWY_INLINE Bytes add_equal(Bytes total, Bytes a, Bytes b) {
    return hn::Sub(total, hn::VecFromMask(byte_tag, hn::Eq(a, b)));
}

// Boards of up to eight rows, in registers. Rows past the board get lines of their own, where they meet
// nobody.
template <bool shared_columns>
HWY_INLINE Bytes count_tile_of_8(const Words* HWY_RESTRICT v, std::uint32_t n) {
    Bytes column[8];
    Bytes rising[8];
    Bytes falling[8];
    for (std::uint32_t i = 0; i < 8; ++i) {
        const Bytes row = hn::Set(byte_tag, static_cast<std::uint8_t>(i));
        column[i] =
            i < n ? hn::BitCast(byte_tag, v[i]) : hn::Set(byte_tag, static_cast<std::uint8_t>(64 + 16 * i));
        rising[i] = hn::Add(column[i], row);
        falling[i] = hn::Sub(column[i], row);
    }
    Bytes total = hn::Zero(byte_tag);
    for (int j = 1; j < 8; ++j) {
        for (int i = 0; i < j; ++i) {
            total = add_equal(total, rising[i], rising[j]);
            total = add_equal(total, falling[i], falling[j]);
            if constexpr (shared_columns) total = add_equal(total, column[i], column[j]);
        }
    }
    return total;
}

// out[b · lanes + l] from byte b of lane l.
HWY_INLINE void store_bytes(Bytes totals, double* HWY_RESTRICT out) {
    Words words = hn::BitCast(word_tag, totals);
    const Words mask = hn::Set(word_tag, 0xFF);
    for (std::size_t b = 0; b < 8; ++b) {
        store_as_doubles(hn::And(words, mask), out + b * lanes());
        words = hn::ShiftRight<8>(words);
    }
}

HWY_INLINE void store_shorts(Shorts even, Shorts odd, double* HWY_RESTRICT out) {
    Words evens = hn::BitCast(word_tag, even);
    Words odds = hn::BitCast(word_tag, odd);
    const Words mask = hn::Set(word_tag, 0xFFFF);
    for (std::size_t b = 0; b < 8; b += 2) {
        store_as_doubles(hn::And(evens, mask), out + b * lanes());
        store_as_doubles(hn::And(odds, mask), out + (b + 1) * lanes());
        evens = hn::ShiftRight<16>(evens);
        odds = hn::ShiftRight<16>(odds);
    }
}

// Lines of a tile, row after row: rising diagonals, falling ones and, if they may be shared, columns.
template <bool shared_columns>
struct Lines {
    static constexpr std::size_t kinds = shared_columns ? 3 : 2;

    std::uint8_t* bytes;

    HWY_INLINE std::uint8_t* at(std::size_t row, std::size_t kind) const {
        return bytes + (row * kinds + kind) * hn::Lanes(byte_tag);
    }
    HWY_INLINE Bytes load(std::size_t row, std::size_t kind) const {
        return hn::Load(byte_tag, at(row, kind));
    }

    HWY_INLINE void fill(const BoardBatch& batch, const Tile& tile) const {
        for (std::size_t first = 0; first < batch.n; first += 8) {
            Words v[8];
            load_genes(batch, tile, first, v);
            const std::size_t rows = std::min<std::size_t>(8, batch.n - first);
            for (std::size_t i = 0; i < rows; ++i) {
                const Bytes column = hn::BitCast(byte_tag, v[i]);
                const Bytes row = hn::Set(byte_tag, static_cast<std::uint8_t>(first + i));
                hn::Store(hn::Add(column, row), byte_tag, at(first + i, 0));
                hn::Store(hn::Sub(column, row), byte_tag, at(first + i, 1));
                if constexpr (shared_columns) hn::Store(column, byte_tag, at(first + i, 2));
            }
        }
    }
};

// Meets each of `height` rows from `top` on with all rows below it. Two rows meet at most once, so a byte
// holds the sum of two rows' meetings on boards of up to 128.
template <std::size_t height, bool shared_columns>
HWY_INLINE void meet_rows_below(const Lines<shared_columns>& lines, std::size_t top, std::size_t n,
                                Shorts& even, Shorts& odd) {
    constexpr std::size_t kinds = Lines<shared_columns>::kinds;
    Bytes own[height * kinds];
    Bytes totals[(height + 1) / 2];
    for (auto& total : totals) total = hn::Zero(byte_tag);
    for (std::size_t i = 0; i < height; ++i) {
        for (std::size_t kind = 0; kind < kinds; ++kind) {
            own[i * kinds + kind] = lines.load(top + i, kind);
            for (std::size_t above = 0; above < i; ++above)
                totals[above / 2] =
                    add_equal(totals[above / 2], own[above * kinds + kind], own[i * kinds + kind]);
        }
    }
    for (std::size_t below = top + height; below < n; ++below) {
        for (std::size_t kind = 0; kind < kinds; ++kind) {
            const Bytes line = lines.load(below, kind);
            for (std::size_t i = 0; i < height; ++i)
                totals[i / 2] = add_equal(totals[i / 2], own[i * kinds + kind], line);
        }
    }
    const Shorts mask = hn::Set(short_tag, 0xFF);
    for (const auto& total : totals) {
        const Shorts pairs = hn::BitCast(short_tag, total);
        even = hn::Add(even, hn::And(pairs, mask));
        odd = hn::Add(odd, hn::ShiftRight<8>(pairs));
    }
}

template <bool shared_columns>
HWY_INLINE void count_tile(const BoardBatch& batch, const Tile& tile, std::uint8_t* bytes,
                           double* HWY_RESTRICT out) {
    if (batch.n <= 8) {
        Words v[8];
        load_genes(batch, tile, 0, v);
        store_bytes(count_tile_of_8<shared_columns>(v, batch.n), out);
        return;
    }
    const Lines<shared_columns> lines{bytes};
    lines.fill(batch, tile);
    Shorts even = hn::Zero(short_tag);
    Shorts odd = hn::Zero(short_tag);
    std::size_t row = 0;
    for (; row + 4 <= batch.n; row += 4) meet_rows_below<4>(lines, row, batch.n, even, odd);
    for (; row < batch.n; ++row) meet_rows_below<1>(lines, row, batch.n, even, odd);
    store_shorts(even, odd, out);
}

// Whole boards of eight bytes without gaps need no gathering.
template <bool shared_columns>
HWY_INLINE std::size_t count_packed_tiles(const BoardBatch& batch, double* HWY_RESTRICT out) {
    if (batch.rows != nullptr || batch.stride != 8 || batch.gene_bytes != 1) return 0;
    const std::size_t tile_size = 8 * lanes();
    std::size_t done = 0;
    for (; done + tile_size <= batch.count; done += tile_size) {
        Words v[8];
        const auto* const bytes = reinterpret_cast<const std::uint8_t*>(batch.boards + done * 8);
        for (std::size_t b = 0; b < 8; ++b)
            v[b] = hn::BitCast(word_tag, hn::LoadU(byte_tag, bytes + b * hn::Lanes(byte_tag)));
        transpose(v);
        store_bytes(count_tile_of_8<shared_columns>(v, batch.n), out + done);
    }
    return done;
}

template <bool shared_columns>
void count_side_by_side(const BoardBatch& batch, std::uint8_t* bytes, double* HWY_RESTRICT out) {
    const std::size_t tile_size = 8 * lanes();
    std::size_t done = batch.n <= 8 ? count_packed_tiles<shared_columns>(batch, out) : 0;
    for (; done < batch.count; done += tile_size) {
        Tile tile;
        const std::size_t filled = std::min(tile_size, batch.count - done);
        // A tile that isn't full repeats the last board.
        for (std::size_t i = 0; i < tile_size; ++i) {
            const std::size_t index = done + std::min(i, filled - 1);
            tile[i] = board_at(batch, index);
        }
        if (filled == tile_size) {
            count_tile<shared_columns>(batch, tile, bytes, out + done);
        } else {
            double values[largest_tile];
            count_tile<shared_columns>(batch, tile, bytes, values);
            std::copy_n(values, filled, out + done);
        }
    }
}

struct Sums {
    std::uint64_t plain = 0;
    std::uint64_t squares = 0;
};

// Sum and sum of squares of the counters, which are left at zero for the next board.
Sums take_sums(std::uint8_t* HWY_RESTRICT counters, std::size_t size) {
    const hn::Repartition<std::int16_t, ByteTag> signed_short_tag;
    const hn::Repartition<std::int32_t, ByteTag> signed_int_tag;
    const std::size_t step = hn::Lanes(byte_tag);
    // A lane of the squares grows by at most 4 · 255² per step.
    constexpr std::size_t steps_without_overflow = 8192;
    Sums sums;
    Words plain = hn::Zero(word_tag);
    for (std::size_t begin = 0; begin < size; begin += step * steps_without_overflow) {
        const std::size_t end = std::min(size, begin + step * steps_without_overflow);
        auto squares = hn::Zero(signed_int_tag);
        auto more_squares = hn::Zero(signed_int_tag);
        for (std::size_t i = begin; i < end; i += step) {
            const Bytes bytes = hn::Load(byte_tag, counters + i);
            hn::Store(hn::Zero(byte_tag), byte_tag, counters + i);
            plain = hn::Add(plain, hn::SumsOf8(bytes));
            const Shorts pairs = hn::BitCast(short_tag, bytes);
            const auto even = hn::BitCast(signed_short_tag, hn::And(pairs, hn::Set(short_tag, 0xFF)));
            const auto odd = hn::BitCast(signed_short_tag, hn::ShiftRight<8>(pairs));
            squares = hn::ReorderWidenMulAccumulate(signed_int_tag, even, even, squares, more_squares);
            squares = hn::ReorderWidenMulAccumulate(signed_int_tag, odd, odd, squares, more_squares);
        }
        HWY_ALIGN std::int32_t lane[largest_tile / 4];
        hn::Store(hn::Add(squares, more_squares), signed_int_tag, lane);
        for (std::size_t i = 0; i < hn::Lanes(signed_int_tag); ++i)
            sums.squares += static_cast<std::uint64_t>(lane[i]);
    }
    sums.plain = hn::GetLane(hn::SumOfLanes(word_tag, plain));
    return sums;
}

// One byte per line: enough for all but freak boards, which the sum of the counters gives away.
template <bool shared_columns, class Gene>
void count_on_lines_as(const BoardBatch& batch, BatchScratch& scratch, double* HWY_RESTRICT out) {
    const std::size_t n = batch.n;
    constexpr std::size_t kinds = shared_columns ? 3 : 2;
    const std::size_t size = (shared_columns ? 5 * n : 4 * n) / 64 * 64 + 64;
    std::uint8_t* HWY_RESTRICT const rising = aligned_bytes(scratch, size);
    std::uint8_t* HWY_RESTRICT const falling = rising + 2 * n + n - 1;
    std::uint8_t* HWY_RESTRICT const upright = rising + 4 * n;
    std::memset(rising, 0, size);
    for (std::size_t index = 0; index < batch.count; ++index) {
        const Gene* HWY_RESTRICT const columns = reinterpret_cast<const Gene*>(board_at(batch, index));
        for (std::size_t row = 0; row < n; ++row) {
            const std::size_t column = columns[row];
            ++rising[row + column];
            ++falling[static_cast<std::ptrdiff_t>(row) - static_cast<std::ptrdiff_t>(column)];
            if constexpr (shared_columns) ++upright[column];
        }
        const Sums sums = take_sums(rising, size);
        const auto pairs = (sums.squares - sums.plain) / 2;
        if (sums.plain == kinds * n) [[likely]]
            out[index] = static_cast<double>(pairs);
        else // some counter wrapped at 256
            out[index] = static_cast<double>(conflicts(std::span{columns, n}, scratch.counting));
    }
}

template <bool shared_columns>
void count_on_lines_for(const BoardBatch& batch, BatchScratch& scratch, double* out) {
    if (batch.gene_bytes == 1)
        count_on_lines_as<shared_columns, std::uint8_t>(batch, scratch, out);
    else if (batch.gene_bytes == 2)
        count_on_lines_as<shared_columns, std::uint16_t>(batch, scratch, out);
    else
        count_on_lines_as<shared_columns, std::uint32_t>(batch, scratch, out);
}

// The boards of a batch from the given one on.
BoardBatch from_board(BoardBatch batch, std::size_t first) {
    if (batch.rows != nullptr)
        batch.rows += first;
    else
        batch.boards += first * batch.stride;
    batch.count -= first;
    return batch;
}

template <bool shared_columns>
void count_batch_as(const BoardBatch& batch, BatchScratch& scratch, double* out) {
    if (batch.n > largest_side_by_side) return count_on_lines_for<shared_columns>(batch, scratch, out);
    // A tile takes as long for one board as for all, and as long as about n/4 boards take on lines.
    const std::size_t left_over = batch.count % (8 * lanes());
    const std::size_t on_lines = 4 * left_over < batch.n ? left_over : 0;
    BoardBatch in_tiles = batch;
    in_tiles.count -= on_lines;
    const std::size_t size = Lines<shared_columns>::kinds * batch.n * hn::Lanes(byte_tag);
    count_side_by_side<shared_columns>(in_tiles, aligned_bytes(scratch, size), out);
    if (on_lines != 0)
        count_on_lines_for<shared_columns>(from_board(batch, in_tiles.count), scratch, out + in_tiles.count);
}

} // namespace

void count_batch(const BoardBatch& batch, BatchScratch& scratch, double* out) {
    if (batch.permutations)
        count_batch_as<false>(batch, scratch, out);
    else
        count_batch_as<true>(batch, scratch, out);
}

#endif

} // namespace knossos::queens::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace knossos::queens {

namespace {

HWY_EXPORT(count_batch);

void check(const BoardBatch& batch, std::size_t room) {
    if (batch.gene_bytes != 1 && batch.gene_bytes != 2 && batch.gene_bytes != 4)
        throw InvalidInput{
            fmt::format("batch.gene_bytes is {}; genes are 1, 2 or 4 bytes wide", batch.gene_bytes)};
    if (batch.stride < std::size_t{batch.n} * batch.gene_bytes && batch.count > 1)
        throw InvalidInput{fmt::format("batch.stride is {} bytes; a board of {} genes takes {}", batch.stride,
                                       batch.n, std::size_t{batch.n} * batch.gene_bytes)};
    if (room < batch.count)
        throw InvalidInput{
            fmt::format("there is room for {} of the {} results of the batch", room, batch.count)};
}

} // namespace

void count_conflicts(const BoardBatch& batch, std::span<double> out, BatchScratch& scratch) {
    check(batch, out.size());
    if (batch.count == 0 || batch.n == 0) {
        std::fill_n(out.begin(), batch.count, 0.0);
        return;
    }
    HWY_DYNAMIC_DISPATCH(count_batch)(batch, scratch, out.data());
}

} // namespace knossos::queens

#endif
