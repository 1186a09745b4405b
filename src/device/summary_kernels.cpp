#include "device/kernels.hpp"

namespace knossos::device {

namespace {

constexpr std::string_view summary_text = R"CL(
// Lowest, highest, sum and sum of squares of the values, how many were evaluated, the best of those, and the sum of
// what the parents were worth: of each island, by so many groups.
__kernel void summarise(__global const int* all_values, __global const uchar* all_evaluated,
                        __global const uint* all_parents, __global const int* all_fitness, uint population,
                        uint children, uint groups, __global long* out) {
    const uint lane = get_local_id(0), lanes = 64;
    const size_t island = get_group_id(0) / groups;
    __global const int* values = all_values + island * children;
    __global const uchar* evaluated = all_evaluated + island * children;
    __global const uint* parents = all_parents + island * (children + children % 2);
    __global const int* fitness = all_fitness + island * population;
    int lowest = INT_MAX, highest = INT_MIN, best = IS_MINIMISED ? INT_MAX : INT_MIN;
    long sum = 0, squares = 0, count = 0, chosen = 0;
    for (uint i = get_group_id(0) % groups * lanes + lane; i < children + children % 2; i += groups * lanes) {
        chosen += fitness[parents[i]];
        if (i >= children) continue;
        const int value = values[i];
        lowest = min(lowest, value);
        highest = max(highest, value);
        sum += value;
        squares += (long)value * value;
        if (evaluated[i] == 0) continue;
        ++count;
        best = IS_MINIMISED ? min(best, value) : max(best, value);
    }
    __local long said[7 * 64];
    __local long* own = said + lane * 7;
    own[0] = lowest;
    own[1] = highest;
    own[2] = sum;
    own[3] = squares;
    own[4] = count;
    own[5] = best;
    own[6] = chosen;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane >= 7) return;
    long all = said[lane];
    for (uint i = 1; i < lanes; ++i) {
        const long one = said[i * 7 + lane];
        const bool is_least = lane == 0 || lane == (IS_MINIMISED ? 5 : 0);
        const bool is_most = lane == 1 || lane == (IS_MINIMISED ? 1 : 5);
        all = is_least ? min(all, one) : is_most ? max(all, one) : all + one;
    }
    out[get_group_id(0) * 7 + lane] = all;
}

// The places and values of those evaluated that are better than the bar of their island, in any order, as long as
// there is room; the first number says how many there are.
__kernel void find_better(__global const int* values, __global const uchar* evaluated, uint islands, uint children,
                          __global const int* bars, uint room, __global uint* out) {
    const uint i = get_global_id(0);
    if (i >= islands * children || evaluated[i] == 0) return;
    const int value = values[i], bar = bars[i / children];
    if (IS_MINIMISED ? value >= bar : value <= bar) return;
    const uint place = atomic_inc(out);
    if (place >= room) return;
    out[1 + 2 * place] = i;
    out[2 + 2 * place] = (uint)value;
}

// In how many genes the pairs differ that the processor would sample for the diversity of each island.
__kernel void sample(__global const uint* rows, uint islands, uint population, uint pairs, uint low, uint high,
                     __global const uint2* keys, __global ulong* out) {
    const uint island = get_global_id(0);
    if (island >= islands) return;
    Stream s = stream_of(keys[island], low, high, 0);
    ulong differing = 0;
    for (uint pair = 0; pair < pairs; ++pair) {
        const uint one = below(&s, population);
        uint other = below(&s, population - 1);
        other += other >= one ? 1 : 0;
        __global const uint* first = rows + ((size_t)island * population + one) * WORDS;
        __global const uint* second = rows + ((size_t)island * population + other) * WORDS;
        for (uint w = 0; w < WORDS; ++w) {
            uint apart = first[w] ^ second[w];
#if IS_PERMUTATION
            apart = (apart | apart >> 4) & 0x0F0F0F0Fu;
            apart = (apart | apart >> 2) & 0x03030303u;
            apart = (apart | apart >> 1) & 0x01010101u;
#endif
            differing += popcount(apart);
        }
    }
    out[island] = differing;
}
)CL";

} // namespace

std::string_view summary_source() { return summary_text; }

} // namespace knossos::device
