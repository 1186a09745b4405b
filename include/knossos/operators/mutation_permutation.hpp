#pragma once

#include <knossos/operators/variation.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace knossos {

namespace detail {

/// Two different positions, in ascending order.
inline std::pair<std::size_t, std::size_t> draw_two_positions(Stream& stream, std::size_t length) {
    std::size_t first = stream.below64(length);
    std::size_t second = stream.below64(length - 1);
    second += second >= first ? 1U : 0U;
    return first < second ? std::pair{first, second} : std::pair{second, first};
}

} // namespace detail

/// Swap: two different random positions exchange their genes.
struct SwapMutation {
    double probability = 1.0;

    static constexpr std::string_view name = "swap";
    static constexpr auto fields() {
        return std::tuple{
            probability_field("probability", &SwapMutation::probability, "how often a genome is mutated")};
    }
    template <class Gene>
    bool operator()(Stream& stream, Permutation<Gene> genome) const {
        if (genome.size() < 2) return false;
        const auto [first, second] = detail::draw_two_positions(stream, genome.size());
        std::swap(genome[first], genome[second]);
        return true;
    }
};

/// Insertion: a random gene is taken out and put back at another random place; those between move up by one.
struct Insertion {
    double probability = 1.0;

    static constexpr std::string_view name = "insertion";
    static constexpr auto fields() {
        return std::tuple{
            probability_field("probability", &Insertion::probability, "how often a genome is mutated")};
    }
    template <class Gene>
    bool operator()(Stream& stream, Permutation<Gene> genome) const {
        if (genome.size() < 2) return false;
        const std::size_t from = stream.below64(genome.size());
        std::size_t to = stream.below64(genome.size() - 1);
        to += to >= from ? 1U : 0U;
        if (from < to)
            std::rotate(genome.begin() + from, genome.begin() + from + 1, genome.begin() + to + 1);
        else
            std::rotate(genome.begin() + to, genome.begin() + from, genome.begin() + from + 1);
        return true;
    }
};

/// Inversion: a random stretch is turned round, which changes only two adjacencies.
struct Inversion {
    double probability = 1.0;

    static constexpr std::string_view name = "inversion";
    static constexpr auto fields() {
        return std::tuple{
            probability_field("probability", &Inversion::probability, "how often a genome is mutated")};
    }
    template <class Gene>
    bool operator()(Stream& stream, Permutation<Gene> genome) const {
        if (genome.size() < 2) return false;
        const auto [from, last] = detail::draw_two_positions(stream, genome.size());
        std::reverse(genome.begin() + from, genome.begin() + last + 1);
        return true;
    }
};

/// Scramble: the genes of a random stretch are put into random order.
struct Scramble {
    double probability = 1.0;

    static constexpr std::string_view name = "scramble";
    static constexpr auto fields() {
        return std::tuple{
            probability_field("probability", &Scramble::probability, "how often a genome is mutated")};
    }
    template <class Gene>
    bool operator()(Stream& stream, Permutation<Gene> genome) const {
        if (genome.size() < 2) return false;
        const auto [from, last] = detail::draw_two_positions(stream, genome.size());
        stream.shuffle(std::span<Gene>{genome.begin() + from, last + 1 - from});
        return true;
    }
};

/// Shuffle indexes: every position, independently with probability `per_index`, exchanges its gene with
/// another random position. The index shuffling of the pmx-queens system.
struct ShuffleIndexes {
    double probability = 0.2;
    double per_index = 0.05;

    static constexpr std::string_view name = "shuffle-indexes";
    static constexpr auto fields() {
        return std::tuple{
            probability_field("probability", &ShuffleIndexes::probability, "how often a genome is mutated"),
            probability_field("per_index", &ShuffleIndexes::per_index,
                              "how often a position of it is exchanged")};
    }
    struct Prepared {
        ShortSkips skips;
        double hits; ///< expected

        /// The chance, a skip of two numbers and a position for each hit, and the skip past the end; enough
        /// for a deviation more hits than expected.
        [[nodiscard]] std::size_t random_blocks() const {
            return static_cast<std::size_t>((3.0 + 3.0 * (hits + std::sqrt(hits))) / 4.0) + 1;
        }

        template <class Gene>
        bool operator()(Stream& stream, Permutation<Gene> genome) const {
            const std::size_t length = genome.size();
            if (length < 2) return false;
            bool changed = false;
            for (std::size_t i = skips.next(stream, length); i < length;
                 i += 1 + skips.next(stream, length - 1 - i)) {
                std::size_t other = stream.below64(length - 1);
                other += other >= i ? 1U : 0U;
                std::swap(genome[i], genome[other]);
                changed = true;
            }
            return changed;
        }
    };
    [[nodiscard]] Prepared prepared(const Space& space) const {
        return {ShortSkips{per_index, space.length}, per_index * static_cast<double>(space.length)};
    }

    template <class Gene>
    bool operator()(Stream& stream, Permutation<Gene> genome) const {
        return Prepared{ShortSkips{per_index, 0}, 0.0}(stream, genome);
    }
};

} // namespace knossos
