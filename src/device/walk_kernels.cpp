#include "device/walk_kernels.hpp"

#include <knossos/algorithms/algorithm.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knossos::device {

namespace {

constexpr std::string_view walk_text = R"CL(
bool is_better(int a, int b) { return IS_MINIMISED ? a < b : a > b; }

void copy_words(const uint* from, uint* to) {
    for (uint w = 0; w < WORDS; ++w) to[w] = from[w];
}

void read_words(__global const uint* rows, size_t row, uint* to) {
    for (uint w = 0; w < WORDS; ++w) to[w] = rows[row * WORDS + w];
}

void write_words(const uint* from, __global uint* rows, size_t row) {
    for (uint w = 0; w < WORDS; ++w) rows[row * WORDS + w] = from[w];
}

// What a work item looks things up in, a byte of each member of its group after the other: permutations while they
// change, then what the evaluation counts.
#ifdef SCRATCH
#define SHARED_BYTES (IS_PERMUTATION && 4 * WORDS > SCRATCH ? 4 * WORDS : SCRATCH)
#else
#define SHARED_BYTES (IS_PERMUTATION ? 4 * WORDS : 1)
#endif

bool change(Stream* s, uint* genome, __local uchar* own, __global const ulong* mutate_table,
            __constant const uint* table) {
#if IS_PERMUTATION
    for (uint w = 0; w < WORDS; ++w) {
        const uint word = genome[w];
        for (uint k = 0; k < 4; ++k) AT(own, 4 * w + k) = word >> 8 * k;
    }
    const bool is_changed = mutate(s, own, mutate_table, ANY_KIND, table);
    for (uint w = 0; w < WORDS; ++w) {
        uint word = 0;
        for (uint k = 0; k < 4; ++k) word |= (uint)AT(own, 4 * w + k) << 8 * k;
        genome[w] = word;
    }
    return is_changed;
#else
    return mutate(s, genome, mutate_table, ANY_KIND, table);
#endif
}

int repaired_value(uint* genome, __local uchar* own, __constant const uint* table) {
#if REPAIRS
    repair((GENE*)genome, table);
#endif
#ifdef SCRATCH
    return evaluate((const GENE*)genome, table, own);
#else
    return evaluate((const GENE*)genome, table);
#endif
}

// Rounds of the duels of islands, two individuals each, until they have all been fought, somebody is at the target,
// or there is no room for another find. Of each island: how many rounds there were, how many finds, who is the newer,
// and whether it is done with this generation; the best of its era, the last of its hall of fame, and whether the
// target still counts. Of each find: its round, from 1, and its fitness.
__kernel void duel(__global uint* pairs, __global int* pair_values, __global uint4* states, __global const int4* bars,
                   uint islands, uint rounds, uint low, uint high, __global const uint2* keys, int target,
                   uint one_in_hall, __global uint* found, __global int2* found_values,
                   __global const ulong* mutate_table, __constant const uint* table) {
    __local uchar shared[SHARED_BYTES * GROUP];
    __local uchar* own = shared + get_local_id(0);
    const uint island = get_global_id(0);
    if (island >= islands) return;
    uint4 state = states[island];
    if (state.w != 0) return;
    const uint2 key = keys[2 * island];
    int4 bar = bars[island];
    uint newer[WORDS], older[WORDS];
    uint newest = state.z;
    state.y = 0;
    read_words(pairs, 2 * (size_t)island + newest, newer);
    read_words(pairs, 2 * (size_t)island + 1 - newest, older);
    int newer_value = pair_values[2 * island + newest], older_value = pair_values[2 * island + 1 - newest];
    while (state.x < rounds && state.y < DUEL_FINDS) {
        if (is_better(older_value, newer_value)) {
            copy_words(older, newer);
        } else {
            copy_words(newer, older);
            older_value = newer_value;
            newest = 1 - newest;
        }
        Stream s = stream_of(key, low, high, state.x);
        change(&s, newer, own, mutate_table, table);
        newer_value = repaired_value(newer, own, table);
        ++state.x;
        const bool is_era = is_better(newer_value, bar.x), is_hall = is_better(newer_value, bar.y);
        if (!is_era && !is_hall) continue;
        const size_t place = (size_t)island * DUEL_FINDS + state.y;
        write_words(newer, found, place);
        found_values[place] = (int2)((int)state.x, newer_value);
        ++state.y;
        if (is_era) bar.x = newer_value;
        if (is_hall && one_in_hall != 0) bar.y = newer_value;
        if (bar.z != 0 && !is_better(target, newer_value)) {
            state.w = 1;
            break;
        }
    }
    if (state.x == rounds) state.w = 1;
    state.z = newest;
    states[island] = state;
    write_words(newer, pairs, 2 * (size_t)island + newest);
    write_words(older, pairs, 2 * (size_t)island + 1 - newest);
    pair_values[2 * island + newest] = newer_value;
    pair_values[2 * island + 1 - newest] = older_value;
}

// The moves of walkers, so many on each island. Of each island: what duel() knows, and where its chances are and how
// many. Of each walker: how many evaluations there were, and which of them, from 1, found the best, if that is better
// than what its island knows; and whether it would have had to know chances past the most that there are.
__kernel void anneal(__global uint* walkers, __global int* values, __global const int4* bars, uint count, uint each,
                     uint moves, uint low, uint high, __global const uint2* keys, int target,
                     __global const uint2* warmth, uint most_lost, __global const ulong* chances, __global uint* bests,
                     __global uint4* progress, __global const ulong* mutate_table, __constant const uint* table) {
    __local uchar shared[SHARED_BYTES * GROUP];
    __local uchar* own = shared + get_local_id(0);
    const uint i = get_global_id(0);
    if (i >= count) return;
    const uint island = i / each, number = i % each;
    const uint2 mutate_key = keys[2 * island], chance_key = keys[2 * island + 1];
    const int4 bar = bars[island];
    const uint2 its_chances = warmth[island];
    uint walker[WORDS], genome[WORDS];
    read_words(walkers, i, walker);
    int value = values[i];
    uint evaluations = 0, best_at = 0, is_unknown = 0;
    int best = is_better(bar.x, bar.y) ? bar.y : bar.x;
    for (uint move = 0; move < moves; ++move) {
        const uint slot = number * moves + move;
        Stream s = stream_of(mutate_key, low, high, slot);
        if (!MUTATE_ALL && next32(&s) >= MUTATE_MOST) continue;
        copy_words(walker, genome);
        if (!change(&s, genome, own, mutate_table, table)) continue;
        const int proposed = repaired_value(genome, own, table);
        ++evaluations;
        if (is_better(proposed, best)) {
            best = proposed;
            best_at = evaluations;
            write_words(genome, bests, i);
        }
        if (is_better(value, proposed)) {
            const uint lost = (uint)(IS_MINIMISED ? proposed - value : value - proposed);
            if (lost > its_chances.y) {
                is_unknown |= its_chances.y == most_lost ? 1 : 0;
                continue;
            }
            Stream draws = stream_of(chance_key, low, high, slot);
            const ulong first = next32(&draws);
            const ulong drawn = (first << 32 | next32(&draws)) >> 11;
            __global const ulong* chance = chances + 2 * (size_t)(its_chances.x + lost - 1);
            if (drawn < chance[0]) continue;
            if (drawn - chance[0] < NEAR_CHANCE && (chance[1] >> (drawn - chance[0]) & 1) == 0) continue;
        }
        copy_words(genome, walker);
        value = proposed;
        if (bar.z != 0 && !is_better(target, value)) break;
    }
    write_words(walker, walkers, i);
    values[i] = value;
    progress[i] = (uint4)(evaluations, best_at, (uint)best, is_unknown);
}
)CL";

// The least draw from which on the answer is yes, as far as it changes but once.
template <class Answer>
std::uint64_t least_of(std::uint64_t guess, Answer is_taken) {
    std::uint64_t low = 0; // not below it
    std::uint64_t up = end_of_draws;
    constexpr std::uint64_t about = 1024; // how far a guess may be off
    if (const std::uint64_t before = guess > about ? guess - about : 0; !is_taken(before)) low = before + 1;
    if (const std::uint64_t after = std::min(guess + about, end_of_draws - 1);
        after >= low && is_taken(after))
        up = after;
    while (low < up) {
        const std::uint64_t middle = low + (up - low) / 2;
        if (is_taken(middle))
            up = middle;
        else
            low = middle + 1;
    }
    return up;
}

} // namespace

std::string walk_source(const Variation& variation, const DeviceKernel& evaluation) {
    return operators_source(variation, evaluation)
        .append(fmt::format("#define DUEL_FINDS {}u\n#define NEAR_CHANCE {}u\n", duel_finds, near_chance))
        .append(walk_text)
        .append(gather_source());
}

std::vector<std::uint64_t> chances(double temperature, double scale, std::size_t most) {
    std::vector<std::uint64_t> table;
    for (std::size_t lost = 1; lost <= most; ++lost) {
        const double loss = static_cast<double>(lost) / scale;
        const auto is_taken = [&](std::uint64_t drawn) {
            return Annealing::takes(loss, temperature, static_cast<double>(end_of_draws - drawn) * 0x1.0p-53);
        };
        // Where it lies any logarithm tells; what is decided there ours does.
        const double share = std::clamp(1.0 - std::exp(-loss / temperature), 0.0, 1.0);
        const auto guess = static_cast<std::uint64_t>(share * static_cast<double>(end_of_draws - 1));
        const std::uint64_t least = least_of(guess, is_taken);
        // Farther away, draws differ by more than a logarithm can be wrong.
        const std::uint64_t from = least > near_chance / 2 ? least - near_chance / 2 : 0;
        std::uint64_t some = 0;
        for (std::uint64_t k = 0; k < near_chance && from + k < end_of_draws; ++k)
            if (is_taken(from + k)) some |= std::uint64_t{1} << k;
        if (least == end_of_draws && some == 0) break;
        table.push_back(from);
        table.push_back(some);
    }
    return table;
}

} // namespace knossos::device
