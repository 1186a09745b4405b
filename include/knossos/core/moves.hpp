#pragma once

#include <knossos/core/genome.hpp>
#include <knossos/core/random.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace knossos {

/// Small changes that a problem may know how to evaluate by their difference alone (delta evaluation). A
/// problem offers the ones it knows through its tracker: see docs/extending.md.
enum class MoveKind : unsigned char { flip, assign, swap, reverse };

struct Flip {
    static constexpr MoveKind kind = MoveKind::flip;
    std::size_t position;
};
struct Assign {
    static constexpr MoveKind kind = MoveKind::assign;
    std::size_t position;
    std::uint32_t value;
};
struct Swap {
    static constexpr MoveKind kind = MoveKind::swap;
    std::size_t first;
    std::size_t second;
};
/// Reverses the stretch first .. last, both included: the 2-opt move of a tour.
struct Reverse {
    static constexpr MoveKind kind = MoveKind::reverse;
    std::size_t first;
    std::size_t last;
};

inline void apply(Flip move, Bits genome) { genome.flip(move.position); }

template <class Gene>
void apply(Assign move, Integers<Gene> genome) {
    genome.set(move.position, move.value);
}

inline void apply(Assign move, Packed genome) { genome.set(move.position, move.value); }

template <class Gene>
void apply(Swap move, Permutation<Gene> genome) {
    std::swap(genome[move.first], genome[move.second]);
}

template <class Gene>
void apply(Reverse move, Permutation<Gene> genome) {
    std::reverse(genome.begin() + move.first, genome.begin() + move.last + 1);
}

} // namespace knossos
