#include "device/kernels.hpp"

#include <knossos/core/error.hpp>
#include <knossos/core/random.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace knossos::device {

namespace {

constexpr std::string_view random_text = R"CL(
typedef struct { uint first, second, third, fourth, left, block, slot, low, high, key, other_key; } Stream;

Stream stream_of(uint2 key, uint low, uint high, uint slot) {
    Stream s = {0, 0, 0, 0, 0, 0, slot, low, high, key.x, key.y};
    return s;
}

void refill(Stream* s) {
    uint a = s->block, b = s->slot, c = s->low, d = s->high, key = s->key, other_key = s->other_key;
    for (int round = 0; round < 10; ++round) {
        const uint left_high = mul_hi(0xD2511F53u, a), left_low = 0xD2511F53u * a;
        const uint right_high = mul_hi(0xCD9E8D57u, c), right_low = 0xCD9E8D57u * c;
        a = right_high ^ b ^ key;
        b = right_low;
        c = left_high ^ d ^ other_key;
        d = left_low;
        key += 0x9E3779B9u;
        other_key += 0xBB67AE85u;
    }
    s->first = a;
    s->second = b;
    s->third = c;
    s->fourth = d;
    ++s->block;
    s->left = 4;
}

uint next32(Stream* s) {
    if (s->left == 0) refill(s);
    const uint left = --s->left;
    return left == 3 ? s->fourth : left == 2 ? s->third : left == 1 ? s->second : s->first;
}

uint below(Stream* s, uint bound) {
    uint drawn = next32(s);
    if (drawn * bound < bound) {
        const uint threshold = (0u - bound) % bound;
        while (drawn * bound < threshold) drawn = next32(s);
    }
    return mul_hi(drawn, bound);
}

__kernel void numbers(uint2 key, uint low, uint high, uint count, uint bound, __global uint* out) {
    const uint i = get_global_id(0);
    if (i >= count) return;
    Stream s = stream_of(key, low, high, i);
    for (uint k = 0; k < 6; ++k) out[i * 8 + k] = next32(&s);
    out[i * 8 + 6] = below(&s, bound);
    out[i * 8 + 7] = below(&s, 0xC0000001u);
}

__kernel void sum_numbers(uint2 key, uint count, uint blocks, __global uint* out) {
    const uint i = get_global_id(0);
    if (i >= count) return;
    Stream s = stream_of(key, 0, 0, i);
    uint sum = 0;
    for (uint k = 0; k < blocks; ++k) {
        refill(&s);
        sum += s.first ^ s.second ^ s.third ^ s.fourth;
    }
    out[i] = sum;
}

__kernel void copy(__global const uint4* from, __global uint4* to, uint count) {
    const uint i = get_global_id(0);
    if (i < count) to[i] = from[i];
}
)CL";

// What all operators of a kind of genome share.
constexpr std::string_view common_text = R"CL(
// How many genes are passed over before the next that changes; GENES or more past the last.
uint skip(Stream* s, __global const ulong* table) {
    const ulong high = next32(s);
    const ulong drawn = (1UL << 53) - ((high << 32 | next32(s)) >> 11);
    uint low = 0, up = GENES;
    while (low < up) {
        const uint middle = (low + up) / 2;
        if (drawn >= table[middle]) up = middle; else low = middle + 1;
    }
    return low;
}
)CL";

constexpr std::string_view bits_text = R"CL(
void flip(uint* words, uint i) { words[i / 32] ^= 1u << i % 32; }

void swap_masked(uint* a, uint* b, uint mask) {
    const uint difference = (*a ^ *b) & mask;
    *a ^= difference;
    *b ^= difference;
}

// The bits from .. to - 1 of both.
void swap_sites(uint* a, uint* b, uint from, uint to) {
    for (uint w = 0; w < WORDS; ++w) {
        const uint begin = w * 32;
        if (to <= begin || from >= begin + 32) continue;
        uint mask = 0xFFFFFFFFu;
        if (from > begin) mask &= 0xFFFFFFFFu << (from - begin);
        if (to < begin + 32) mask &= 0xFFFFFFFFu >> (begin + 32 - to);
        swap_masked(a + w, b + w, mask);
    }
}
)CL";

struct Operator {
    std::string_view name;
    std::string_view text;
};

constexpr Operator clone{"clone", R"CL(
bool cross(Stream* s, GENOME a, GENOME b, GENOME scratch, __global const ulong* table) { return false; }
)CL"};

constexpr Operator bit_crossovers[] = {clone,
                                       {"one-point", R"CL(
bool cross(Stream* s, GENOME a, GENOME b, GENOME scratch, __global const ulong* table) {
    if (GENES < 2) return false;
    const uint cut = CROSSES_ANYWHERE ? below(s, GENES) : 1 + below(s, GENES - 1);
    if (cut == 0) return false;
    swap_sites(a, b, cut, GENES);
    return true;
}
)CL"},
                                       {"two-point", R"CL(
bool cross(Stream* s, GENOME a, GENOME b, GENOME scratch, __global const ulong* table) {
    if (GENES < 2) return false;
    uint from = below(s, GENES);
    uint to = below(s, GENES - 1);
    to += to >= from ? 1 : 0;
    swap_sites(a, b, min(from, to), max(from, to));
    return true;
}
)CL"},
                                       {"uniform", R"CL(
bool cross(Stream* s, GENOME a, GENOME b, GENOME scratch, __global const ulong* table) {
#if CROSSES_HALF
    for (uint w = 0; w < WORDS; w += 2) {
        const uint high = next32(s);
        swap_masked(a + w, b + w, next32(s));
        swap_masked(a + w + 1, b + w + 1, high);
    }
    return true;
#else
    bool changed = false;
    for (uint i = CROSSES_ALWAYS ? 0 : skip(s, table); i < GENES; i += 1 + (CROSSES_ALWAYS ? 0 : skip(s, table))) {
        swap_masked(a + i / 32, b + i / 32, 1u << i % 32);
        changed = true;
    }
    return changed;
#endif
}
)CL"}};

constexpr std::string_view flips_text = R"CL(
bool mutate(Stream* s, GENOME genome, __global const ulong* skips, uint kind, __constant const uint* table) {
    bool changed = false;
    for (uint i = MUTATES_ALWAYS ? 0 : skip(s, skips); i < GENES; i += 1 + (MUTATES_ALWAYS ? 0 : skip(s, skips))) {
        flip(genome, i);
        changed = true;
    }
    return changed;
}
)CL";

constexpr Operator bit_mutations[] = {{"bit-flip", flips_text},
                                      {"uniform", flips_text},
                                      {"point", R"CL(
bool mutate(Stream* s, GENOME genome, __global const ulong* skips, uint kind, __constant const uint* table) {
    flip(genome, below(s, GENES));
    return true;
}
)CL"},
                                      {"problem-move", R"CL(
bool propose(Stream* s, GENOME genome, uint move, __constant const uint* table);

bool mutate(Stream* s, GENOME genome, __global const ulong* skips, uint kind, __constant const uint* table) {
    return propose(s, genome, moves[kind < KINDS ? kind : below(s, KINDS)], table);
}
)CL"}};

// Permutations are looked up all over, which registers can't do: they lie in the memory that a group shares,
// a byte of each of its members after the other.
constexpr Operator permutation_crossovers[] = {clone, {"partially-matched", R"CL(
bool cross(Stream* s, GENOME a, GENOME b, GENOME scratch, __global const ulong* table) {
    if (GENES < 2) return false;
    bool alike = true;
    for (uint i = 0; i < GENES; ++i) alike = alike && AT(a, i) == AT(b, i);
    if (alike) return true;
    uint from = below(s, GENES + 1);
    uint to = below(s, GENES);
    to += to >= from ? 1 : 0;
    const uint begin = min(from, to), end = max(from, to);
    GENOME in_a = scratch;
    GENOME in_b = &AT(scratch, GENES);
    for (uint i = 0; i < GENES; ++i) {
        AT(in_a, AT(a, i)) = i;
        AT(in_b, AT(b, i)) = i;
    }
    for (uint i = begin; i < end; ++i) {
        const uchar from_a = AT(a, i), from_b = AT(b, i);
        if (from_a == from_b) continue;
        const uchar other_a = AT(in_a, from_b), other_b = AT(in_b, from_a);
        AT(a, other_a) = from_a;
        AT(a, i) = from_b;
        AT(b, other_b) = from_b;
        AT(b, i) = from_a;
        AT(in_a, from_a) = other_a;
        AT(in_a, from_b) = i;
        AT(in_b, from_b) = other_b;
        AT(in_b, from_a) = i;
    }
    return true;
}
)CL"}};

constexpr Operator permutation_mutations[] = {{"swap", R"CL(
bool mutate(Stream* s, GENOME genome, __global const ulong* skips, uint kind, __constant const uint* table) {
    if (GENES < 2) return false;
    const uint one = below(s, GENES);
    uint other = below(s, GENES - 1);
    other += other >= one ? 1 : 0;
    const uchar kept = AT(genome, one);
    AT(genome, one) = AT(genome, other);
    AT(genome, other) = kept;
    return true;
}
)CL"},
                                              {"shuffle-indexes", R"CL(
bool mutate(Stream* s, GENOME genome, __global const ulong* skips, uint kind, __constant const uint* table) {
    if (GENES < 2) return false;
    bool changed = false;
    for (uint i = MUTATES_ALWAYS ? 0 : skip(s, skips); i < GENES; i += 1 + (MUTATES_ALWAYS ? 0 : skip(s, skips))) {
        uint other = below(s, GENES - 1);
        other += other >= i ? 1 : 0;
        const uchar kept = AT(genome, i);
        AT(genome, i) = AT(genome, other);
        AT(genome, other) = kept;
        changed = true;
    }
    return changed;
}
)CL"}};

constexpr std::string_view gather_text = R"CL(
__kernel void gather(__global const uint* rows, __global const uint* places, uint count, __global uint* out) {
    const size_t i = get_global_id(0);
    if (i >= (size_t)count * WORDS) return;
    out[i] = rows[(size_t)places[i / WORDS] * WORDS + i % WORDS];
}
)CL";

constexpr std::string_view kernels_text = R"CL(
#if TOURNAMENT > 0
bool is_better(int a, int b) { return IS_MINIMISED ? a < b : a > b; }

uint pick(Stream* s, __global const int* fitness, uint population) {
    uint winner = below(s, population);
    if (TOURNAMENT == 1) return winner;
    int best = fitness[winner];
    for (uint contestant = 1; contestant < TOURNAMENT; ++contestant) {
        const uint rival = below(s, population);
        const int value = fitness[rival];
        if (is_better(value, best)) {
            winner = rival;
            best = value;
        }
    }
    return winner;
}
#endif

#if IS_PERMUTATION
void load(__global const uint* rows, uint row, GENOME genome) {
    for (uint w = 0; w < WORDS; ++w) {
        const uint word = rows[(size_t)row * WORDS + w];
        for (uint k = 0; k < 4; ++k) AT(genome, 4 * w + k) = word >> 8 * k;
    }
}

void store(__global uint* rows, uint row, GENOME genome) {
    for (uint w = 0; w < WORDS; ++w) {
        uint word = 0;
        for (uint k = 0; k < 4; ++k) word |= (uint)AT(genome, 4 * w + k) << 8 * k;
        rows[(size_t)row * WORDS + w] = word;
    }
}
#else
void load(__global const uint* rows, uint row, GENOME genome) {
    for (uint w = 0; w < WORDS; ++w) genome[w] = rows[(size_t)row * WORDS + w];
}

void store(__global uint* rows, uint row, GENOME genome) {
    for (uint w = 0; w < WORDS; ++w) rows[(size_t)row * WORDS + w] = genome[w];
}
#endif

// Two children of a couple, from the selection to the repair. Islands lie one after the other; each has three keys,
// and parents are counted from its first individual.
__kernel void vary(__global const uint* all_current, __global const int* all_fitness, uint islands, uint population,
                   uint children, __global uint* all_parents, __global uint* all_offspring,
                   __global uchar* all_evaluated, uint low, uint high, __global const uint2* keys,
                   __global const ulong* cross_table, __global const ulong* mutate_table,
                   __constant const uint* table, __global const uchar* kinds) {
#if IS_PERMUTATION
    __local uchar shared[(8 * WORDS + 2 * GENES) * GROUP];
    GENOME a = shared + get_local_id(0);
    GENOME b = &AT(a, 4 * WORDS);
    GENOME scratch = &AT(b, 4 * WORDS);
#else
    uint a[WORDS], b[WORDS];
    GENOME scratch = 0;
#endif
    const uint couples = (children + 1) / 2;
    const uint island = get_global_id(0) / couples;
    if (island >= islands) return;
    const uint couple = get_global_id(0) % couples;
    const uint slot = 2 * couple;
    __global const uint* current = all_current + (size_t)island * population * WORDS;
    __global const int* fitness = all_fitness + (size_t)island * population;
    __global uint* parents = all_parents + (size_t)island * 2 * couples;
    __global uint* offspring = all_offspring + (size_t)island * children * WORDS;
    __global uchar* evaluated = all_evaluated + (size_t)island * children;
    const uint2 recombine_key = keys[3 * island + 1], mutate_key = keys[3 * island + 2];
#if TOURNAMENT > 0
    Stream choices = stream_of(keys[3 * island], low, high, couple);
    const uint father = pick(&choices, fitness, population);
    const uint mother = pick(&choices, fitness, population);
    parents[slot] = father;
    parents[slot + 1] = mother;
#else
    const uint father = parents[slot], mother = parents[slot + 1];
#endif
    load(current, father, a);
    load(current, mother, b);
    Stream crossing = stream_of(recombine_key, low, high, slot);
    const bool crossed =
        (CROSS_ALL || next32(&crossing) < CROSS_MOST) && cross(&crossing, a, b, scratch, cross_table);
    for (uint k = 0; k < 2; ++k) {
        if (slot + k >= children) return;
        GENOME genome = k == 0 ? a : b;
        Stream mutation = stream_of(mutate_key, low, high, slot + k);
        const bool mutated =
            (MUTATE_ALL || next32(&mutation) < MUTATE_MOST) &&
            mutate(&mutation, genome, mutate_table, CHOOSES_KINDS ? kinds[slot + k] : ANY_KIND, table);
#if REPAIRS
        if (crossed || mutated) repair(genome, table);
#endif
        store(offspring, slot + k, genome);
        evaluated[slot + k] = crossed || mutated ? 1 : 0;
    }
}

#if NUMBERS > 0
// What the host makes records of.
__kernel void measure_all(__global const uint* offspring, __global const uchar* evaluated, uint children,
                          __global short* numbers, __constant const uint* table) {
    const uint i = get_global_id(0);
    if (i >= children || evaluated[i] == 0) return;
    uint genome[WORDS];
    for (uint w = 0; w < WORDS; ++w) genome[w] = offspring[(size_t)i * WORDS + w];
    short measured[NUMBERS];
    measure((const GENE*)genome, table, measured);
    for (uint k = 0; k < NUMBERS; ++k) numbers[(size_t)i * NUMBERS + k] = measured[k];
}
#else
__kernel void evaluate_all(__global const uint* offspring, __global const uchar* evaluated,
                           __global const uint* parents, __global const int* fitness, uint islands, uint population,
                           uint children, __global int* values, __constant const uint* table) {
#ifdef SCRATCH
    __local uchar shared[SCRATCH * GROUP];
#endif
    const uint i = get_global_id(0);
    if (i >= islands * children) return;
    if (evaluated[i] == 0) {
        const uint island = i / children;
        values[i] = fitness[(size_t)island * population + parents[i + island * (children % 2)]];
        return;
    }
    uint genome[WORDS];
    for (uint w = 0; w < WORDS; ++w) genome[w] = offspring[(size_t)i * WORDS + w];
#ifdef SCRATCH
    values[i] = evaluate((const GENE*)genome, table, shared + get_local_id(0));
#else
    values[i] = evaluate((const GENE*)genome, table);
#endif
}
#endif

// Whom the tickets stand for comes to their places: a resident of the island, or, past those, a child. Who is there
// already, be it among the residents or among the children that have become them, stays.
__kernel void move_rows(__global const uint* from, __global const int* from_fitness, __global uint* to,
                        __global int* to_fitness, __global const uint* tickets, uint islands, uint population,
                        uint children, uint takes_over) {
    const uint i = get_global_id(0);
    if (i >= islands * population) return;
    const uint island = i / population, ticket = tickets[i];
    const bool is_child = ticket >= population;
    if (is_child == (takes_over != 0)) return;
    const size_t source = is_child ? (size_t)island * children + ticket - population
                                   : (size_t)island * population + ticket;
    for (uint w = 0; w < WORDS; ++w) to[(size_t)i * WORDS + w] = from[source * WORDS + w];
    to_fitness[i] = from_fitness[source];
}
)CL";

template <std::size_t count>
std::string_view text_of(const Operator (&operators)[count], std::string_view name, std::string_view stage) {
    std::string known;
    for (const Operator& one : operators) {
        if (one.name == name) return one.text;
        known += fmt::format("{}{}", known.empty() ? "" : ", ", one.name);
    }
    throw InvalidInput{fmt::format("stages.{}: {} has no kernel for such genomes; {} have one; or take the "
                                   "device cpu",
                                   stage, name, known)};
}

// A chance as a device draws it: whether one number is below this.
std::uint32_t most_of(double probability) {
    return probability < 1.0 ? static_cast<std::uint32_t>(probability * 0x1.0p32) : ~std::uint32_t{0};
}

// What the processor makes of a draw.
std::size_t skip_of(const Skips& skips, std::uint64_t drawn) {
    const std::uint64_t word = (end_of_draws - drawn) << 11U;
    const PhiloxBlock block{0, 0, static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32U)};
    Stream stream{{}, 0, 0, {&block, 1}};
    return skips.next(stream);
}

} // namespace

std::string_view random_source() { return random_text; }

std::string_view gather_source() { return gather_text; }

std::uint32_t group_of(const Variation& variation, std::uint64_t shared_memory) {
    std::uint32_t group = 64;
    if (!variation.is_permutation) return group;
    // Two genomes and two tables, or four counters for each gene.
    const std::size_t each = 2 * variation.genome_bytes + 2 * variation.genes;
    while (group > 1 && group * each > shared_memory) group /= 2;
    return group;
}

std::string operators_source(const Variation& its, const DeviceKernel& evaluation) {
    std::string text = fmt::format(
        "#define GENES {}u\n#define WORDS {}u\n#define GENE {}\n#define TOURNAMENT {}\n#define IS_MINIMISED "
        "{}\n"
        "#define CROSS_ALL {}\n#define CROSS_MOST {}u\n#define MUTATE_ALL {}\n#define MUTATE_MOST {}u\n"
        "#define CROSSES_HALF {}\n#define CROSSES_ANYWHERE {}\n#define CROSSES_ALWAYS {}\n"
        "#define MUTATES_ALWAYS {}\n#define NUMBERS {}\n#define REPAIRS {}\n#define GROUP {}u\n#define "
        "IS_PERMUTATION "
        "{}\n#define GENOME {}\n"
        "#define AT(genome, i) (genome)[(i) * GROUP]\n"
        "#define KINDS {}u\n#define CHOOSES_KINDS {}\n#define ANY_KIND 255u\n",
        its.genes, its.genome_bytes / 4, its.is_permutation ? "uchar" : "uint", its.tournament,
        its.is_minimised ? 1 : 0, its.recombine_probability < 1.0 ? 0 : 1, most_of(its.recombine_probability),
        its.mutate_probability < 1.0 ? 0 : 1, most_of(its.mutate_probability), its.crosses_half ? 1 : 0,
        its.crosses_anywhere ? 1 : 0, its.crosses_always ? 1 : 0, its.mutates_always ? 1 : 0,
        evaluation.numbers, evaluation.repairs ? 1 : 0, its.group, its.is_permutation ? 1 : 0,
        its.is_permutation ? "__local uchar*" : "uint*", its.moves.size(), its.chooses_kinds ? 1 : 0);
    if (!its.moves.empty())
        text += fmt::format("__constant const uint moves[] = {{{}}};\n", fmt::join(its.moves, ", "));
    text += random_text;
    text += common_text;
    if (its.is_permutation) {
        text += text_of(permutation_crossovers, its.recombine, "recombine");
        text += text_of(permutation_mutations, its.mutate, "mutate");
    } else {
        text += bits_text;
        text += text_of(bit_crossovers, its.recombine, "recombine");
        text += text_of(bit_mutations, its.mutate, "mutate");
    }
    return text.append(evaluation.source);
}

std::string generation_source(const Variation& variation, const DeviceKernel& evaluation) {
    return operators_source(variation, evaluation)
        .append(gather_text)
        .append(kernels_text)
        .append(summary_source());
}

std::vector<std::uint64_t> skip_table(double probability, std::size_t length) {
    const Skips skips{probability};
    std::vector<std::uint64_t> table(length, end_of_draws + 1);
    std::uint64_t up = end_of_draws + 1;
    for (std::size_t skip = 0; skip < length; ++skip) {
        const auto is_short = [&](std::uint64_t drawn) { return skip_of(skips, drawn) <= skip; };
        std::uint64_t low = 1; // is_short() from `up` on, and not below `low`
        while (low < up) {
            const std::uint64_t middle = low + (up - low) / 2;
            if (is_short(middle))
                up = middle;
            else
                low = middle + 1;
        }
        table[skip] = up;
        // Farther away, draws differ by more than a logarithm can be wrong.
        constexpr std::uint64_t near = 8;
        for (std::uint64_t drawn = up > near ? up - near : 1; drawn < std::min(up + near, end_of_draws + 1);
             ++drawn)
            if (is_short(drawn) != (drawn >= up))
                throw InvalidInput{
                    fmt::format("a chance of {} for each gene can't be tabulated for a device; "
                                "one a little larger or smaller can",
                                probability)};
    }
    return table;
}

} // namespace knossos::device
