#include "device/kernels.hpp"

namespace knossos::device {

namespace {

constexpr std::string_view lots_text = R"CL(
// Four children of each draw lie side by side: which elite had it is looked up among the draws before each.
__kernel void spread_parents(__global const uint* draws_before, uint elites, uint children, __global uint* parents) {
    const uint i = get_global_id(0);
    if (i >= children) return;
    uint low = 0, up = elites - 1;
    while (low < up) {
        const uint middle = (low + up + 1) / 2;
        if (draws_before[middle] <= i / 4) low = middle; else up = middle - 1;
    }
    parents[i] = low;
}

// The numbers of one stream, two for each child.
__kernel void draw_kinds(uint2 key, uint low, uint high, uint children, __global const ulong* least_draws,
                         __global uchar* kinds) {
    const uint i = get_global_id(0);
    if (2 * i >= children) return;
    Stream s = stream_of(key, low, high, 0);
    s.block = i;
    for (uint k = 0; k < 2 && 2 * i + k < children; ++k) {
        const ulong upper = next32(&s);
        const ulong drawn = (upper << 32 | next32(&s)) >> 11;
        uint kind = 0;
        for (uint j = 0; j + 1 < KINDS; ++j) kind += drawn >= least_draws[j] ? 1 : 0;
        kinds[2 * i + k] = kind;
    }
}
)CL";

// Per cell the least key, and of those who have it the first. A child in no cell has NOWHERE; the highest bit
// is that of children for the hall of fame.
constexpr std::string_view archive_text = R"CL(
#define NOWHERE 0xFFFFFFFFu
#define NOTABLE 0x80000000u

__kernel void clear_cells(__global uint* best, __global uint* first, __global uint* counts) {
    const uint i = get_global_id(0);
    if (i < 3 + KINDS) counts[i] = 0;
    if (i >= CELLS) return;
    best[i] = NOWHERE;
    first[i] = NOWHERE;
}

__kernel void seat_elites(__global const uint* elites, uint count, __global uint* best) {
    const uint i = get_global_id(0);
    if (i < count) best[elites[2 * i]] = elites[2 * i + 1];
}

__kernel void compare(__global const short* numbers, __global const uchar* evaluated, __global const uchar* kinds,
                      uint children, __global const uint* tables, uint bar, volatile __global uint* best,
                      __global uint* cells, __global uint* keys, __global uint* counts) {
    __local uint said[3 + KINDS];
    const uint i = get_global_id(0), lane = get_local_id(0);
    if (lane < 3 + KINDS) said[lane] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < children) {
#if CHOOSES_KINDS
        atomic_inc(said + 3 + kinds[i]);
#endif
        uint cell = NOWHERE;
        if (evaluated[i] != 0) {
            short measured[NUMBERS];
            for (uint k = 0; k < NUMBERS; ++k) measured[k] = numbers[(size_t)i * NUMBERS + k];
            int columns[COLUMNS];
            record(measured, columns);
            uint key, quality;
            const uint clamped = keep_inside(columns);
            place(columns, tables, &cell, &key, &quality);
            if (key <= best[cell]) atomic_min(best + cell, key);
            keys[i] = key;
            if (quality < bar) cell |= NOTABLE;
            atomic_inc(said);
            if (clamped != 0) atomic_add(said + 1, clamped);
        }
        cells[i] = cell;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < 3 + KINDS && said[lane] != 0) atomic_add(counts + lane, said[lane]);
}

__kernel void choose(__global const uint* cells, __global const uint* keys, uint children, __global const uint* best,
                     volatile __global uint* first) {
    const uint i = get_global_id(0);
    if (i >= children || cells[i] == NOWHERE) return;
    const uint cell = cells[i] & ~NOTABLE;
    if (keys[i] == best[cell]) atomic_min(first + cell, i);
}

// Of each child that somebody asks for: its slot, its cell, its kind and whether it is the best there, what was
// measured, its genome. In any order.
__kernel void collect(__global const uint* cells, __global const uint* first, __global const short* numbers,
                      __global const uchar* kinds, __global const uint* offspring, uint children,
                      __global uint* counts, __global uint* out) {
    const uint i = get_global_id(0);
    if (i >= children || cells[i] == NOWHERE) return;
    const uint cell = cells[i] & ~NOTABLE;
    const bool is_best = first[cell] == i;
    if (!is_best && cell == cells[i]) return;
    __global uint* entry = out + (size_t)atomic_inc(counts + 2) * (4 + NUMBERS + WORDS);
    entry[0] = i;
    entry[1] = cell;
    entry[2] = CHOOSES_KINDS ? kinds[i] : 0;
    entry[3] = (is_best ? 1 : 0) | (cell == cells[i] ? 0 : 2);
    for (uint k = 0; k < NUMBERS; ++k) entry[4 + k] = (uint)(int)numbers[(size_t)i * NUMBERS + k];
    for (uint w = 0; w < WORDS; ++w) entry[4 + NUMBERS + w] = offspring[(size_t)i * WORDS + w];
}
)CL";

} // namespace

std::string_view lots_source() { return lots_text; }

std::string_view archive_source() { return archive_text; }

} // namespace knossos::device
