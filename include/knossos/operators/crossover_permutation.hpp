#pragma once

#include <knossos/operators/variation.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace knossos {

namespace detail {

struct Stretch {
    std::size_t from;
    std::size_t to; ///< one past the last position
};

/// A random stretch of at least one position: two different borders out of the length + 1 there are.
inline Stretch draw_stretch(Stream& stream, std::size_t length) {
    std::size_t from = stream.below64(length + 1);
    std::size_t to = stream.below64(length);
    to += to >= from ? 1U : 0U;
    if (from > to) std::swap(from, to);
    return {from, to};
}

/// Writes the positions at which two genomes differ, in ascending order, and returns how many they are.
/// Stretches that are alike are passed over a word at a time.
template <class Gene>
std::size_t differing_positions(Permutation<Gene> a, Permutation<Gene> b, std::span<Gene> positions) {
    constexpr std::size_t step = sizeof(std::uint64_t) / sizeof(Gene);
    std::size_t count = 0;
    // Whether two genes differ is anybody's guess, so it is added rather than branched on.
    const auto note = [&](std::size_t i) {
        positions[count] = static_cast<Gene>(i);
        count += a[i] != b[i] ? 1U : 0U;
    };
    std::size_t begin = 0;
    for (; begin + step <= a.size(); begin += step)
        if (std::memcmp(a.data() + begin, b.data() + begin, sizeof(std::uint64_t)) != 0)
            for (std::size_t i = begin; i < begin + step; ++i) note(i);
    for (std::size_t i = begin; i < a.size(); ++i) note(i);
    return count;
}

template <class Gene>
void positions_of(Permutation<Gene> genome, std::span<std::uint32_t> position) {
    for (std::size_t i = 0; i < genome.size(); ++i) position[genome[i]] = static_cast<std::uint32_t>(i);
}

} // namespace detail

/// Partially matched (PMX): within a random stretch the children exchange genes position by position, and
/// each gene that this would repeat moves to where its partner came from, so that both stay permutations and
/// most positions survive. D. E. Goldberg, R. Lingle: "Alleles, loci, and the traveling salesman problem",
/// ICGA 1985.
struct PartiallyMatched {
    double probability = 0.9;

    static constexpr std::string_view name = "partially-matched";
    static constexpr auto fields() {
        return std::tuple{probability_field("probability", &PartiallyMatched::probability,
                                            "how often a couple is recombined")};
    }

    template <class Gene>
    bool operator()(Stream& stream, Permutation<Gene> a, Permutation<Gene> b, Scratch& scratch) const {
        if (a.size() < 2) return false;
        // Once a population has settled most parents are alike, and so are their children, whatever the
        // stretch.
        if (std::memcmp(a.data(), b.data(), a.size() * sizeof(Gene)) == 0) return true;
        const auto stretch = detail::draw_stretch(stream, a.size());
        exchange(a, b, stretch, scratch);
        return true;
    }

  private:
    // Where the parents agree nothing moves, within the stretch or outside it: a gene that is displaced goes
    // to where its partner stood, and they differ there, too. So only the positions where they differ are
    // looked at.
    template <class Gene>
    static void exchange(Permutation<Gene> a, Permutation<Gene> b, detail::Stretch stretch,
                         Scratch& scratch) {
        // Positions as wide as genes: half or a quarter of the memory, and all of it in the first-level
        // cache.
        auto* const in_a = reinterpret_cast<Gene*>(scratch.genome(3 * a.size() * sizeof(Gene)));
        auto* const in_b = in_a + a.size();
        const std::span<Gene> all{in_b + a.size(), a.size()};
        const auto differing = all.first(detail::differing_positions(a, b, all));
        for (const Gene i : differing) {
            in_a[a[i]] = i;
            in_b[b[i]] = i;
        }
        for (const Gene i : differing) {
            if (i < stretch.from) continue;
            if (i >= stretch.to) break;
            const Gene from_a = a[i];
            const Gene from_b = b[i];
            const Gene other_a = in_a[from_b];
            const Gene other_b = in_b[from_a];
            a[other_a] = from_a;
            a[i] = from_b;
            b[other_b] = from_b;
            b[i] = from_a;
            in_a[from_a] = other_a;
            in_a[from_b] = i;
            in_b[from_b] = other_b;
            in_b[from_a] = i;
        }
    }
};

/// Order (OX): each child keeps a random stretch of one parent; the other positions are filled, from the end
/// of the stretch and round the end of the genome, with the missing genes in the order in which the other
/// parent has them. L. Davis: "Applying adaptive algorithms to epistatic domains", IJCAI 1985.
struct OrderCrossover {
    double probability = 0.9;

    static constexpr std::string_view name = "order";
    static constexpr auto fields() {
        return std::tuple{probability_field("probability", &OrderCrossover::probability,
                                            "how often a couple is recombined")};
    }

    template <class Gene>
    bool operator()(Stream& stream, Permutation<Gene> a, Permutation<Gene> b, Scratch& scratch) const {
        if (a.size() < 2) return false;
        const detail::Stretch stretch = detail::draw_stretch(stream, a.size());
        auto* const old_a = reinterpret_cast<Gene*>(scratch.genome(a.size() * sizeof(Gene)));
        std::ranges::copy(a, old_a);
        const auto kept = scratch.first(a.size());
        fill_from(a, b.data(), stretch, kept);
        fill_from(b, old_a, stretch, kept);
        return true;
    }

  private:
    template <class Gene>
    static void fill_from(Permutation<Gene> child, const Gene* donor, detail::Stretch stretch,
                          std::span<std::uint32_t> kept) {
        const std::size_t length = child.size();
        std::ranges::fill(kept, 0U);
        for (std::size_t i = stretch.from; i < stretch.to; ++i) kept[child[i]] = 1;
        std::size_t target = stretch.to % length;
        std::size_t source = stretch.to % length;
        for (std::size_t step = 0; step < length; ++step, source = source + 1 == length ? 0 : source + 1) {
            const Gene gene = donor[source];
            if (kept[gene] != 0) continue;
            child[target] = gene;
            target = target + 1 == length ? 0 : target + 1;
        }
    }
};

/// Cycle (CX): the positions fall into cycles on which both parents hold the same set of genes; one random
/// cycle changes places, so that every gene keeps the position it had in one of the parents. I. M. Oliver, D.
/// J. Smith, J. R. C. Holland: "A study of permutation crossover operators on the TSP", ICGA 1987.
struct CycleCrossover {
    double probability = 0.9;

    static constexpr std::string_view name = "cycle";
    static constexpr auto fields() {
        return std::tuple{probability_field("probability", &CycleCrossover::probability,
                                            "how often a couple is recombined")};
    }

    template <class Gene>
    bool operator()(Stream& stream, Permutation<Gene> a, Permutation<Gene> b, Scratch& scratch) const {
        const auto in_a = scratch.first(a.size());
        detail::positions_of(a, in_a);
        const std::size_t start = stream.below64(a.size());
        if (a[start] == b[start]) return false;
        std::size_t position = start;
        do {
            const std::size_t next = in_a[b[position]];
            std::swap(a[position], b[position]);
            position = next;
        } while (position != start);
        return true;
    }
};

/// Edge recombination (ERX): a child is a walk over the genes that goes, wherever it can, to a neighbour that
/// the gene had in either parent, preferring the neighbour with the fewest ways left. For tours, where
/// adjacency is what counts. D. Whitley, T. Starkweather, D. Fuquay: "Scheduling problems and traveling
/// salesmen", ICGA 1989.
struct EdgeRecombination {
    double probability = 0.9;

    static constexpr std::string_view name = "edge-recombination";
    static constexpr auto fields() {
        return std::tuple{probability_field("probability", &EdgeRecombination::probability,
                                            "how often a couple is recombined")};
    }

    template <class Gene>
    bool operator()(Stream& stream, Permutation<Gene> a, Permutation<Gene> b, Scratch& scratch) const {
        if (a.size() < 3) return false;
        const std::size_t length = a.size();
        Edges edges{scratch.first(length * 5), scratch.second(length * 2)};
        const Gene start_a = a[0];
        const Gene start_b = b[0];
        auto* const child = reinterpret_cast<Gene*>(scratch.genome(length * sizeof(Gene)));
        edges.collect(a, b);
        walk(stream, edges, start_a, Permutation<Gene>{child, length});
        edges.collect(a, b);
        std::copy_n(child, length, a.begin());
        walk(stream, edges, start_b, b);
        return true;
    }

  private:
    /// For each gene its up to four neighbours and their number, and the genes not yet visited.
    struct Edges {
        std::span<std::uint32_t> table;
        std::span<std::uint32_t> unvisited;

        [[nodiscard]] std::span<std::uint32_t> neighbours(std::size_t gene) const {
            return table.subspan(gene * 5, table[gene * 5 + 4]);
        }
        void link(std::size_t gene, std::uint32_t neighbour) const {
            if (std::ranges::find(neighbours(gene), neighbour) == neighbours(gene).end())
                table[gene * 5 + table[gene * 5 + 4]++] = neighbour;
        }
        void unlink(std::size_t gene, std::uint32_t neighbour) const {
            const auto list = neighbours(gene);
            const auto found = std::ranges::find(list, neighbour);
            if (found == list.end()) return;
            *found = list.back();
            --table[gene * 5 + 4];
        }
        template <class Gene>
        void collect(Permutation<Gene> a, Permutation<Gene> b) const {
            const std::size_t length = a.size();
            for (std::size_t gene = 0; gene < length; ++gene) {
                table[gene * 5 + 4] = 0;
                unvisited[gene] = static_cast<std::uint32_t>(gene);
                unvisited[length + gene] = static_cast<std::uint32_t>(gene);
            }
            for (const auto& parent : {a, b}) {
                for (std::size_t i = 0; i < length; ++i) {
                    const std::size_t next = i + 1 == length ? 0 : i + 1;
                    link(parent[i], parent[next]);
                    link(parent[next], parent[i]);
                }
            }
        }
        // The first half of `unvisited` is the list, the second tells where each gene stands in it.
        void visit(std::uint32_t gene, std::size_t left) const {
            const std::size_t length = unvisited.size() / 2;
            const std::uint32_t last = unvisited[left - 1];
            const std::uint32_t place = unvisited[length + gene];
            unvisited[place] = last;
            unvisited[length + last] = place;
        }
    };

    template <class Gene>
    static void walk(Stream& stream, const Edges& edges, std::uint32_t current, Permutation<Gene> child) {
        for (std::size_t i = 0; i < child.size(); ++i) {
            child[i] = static_cast<Gene>(current);
            const std::size_t left = child.size() - i;
            edges.visit(current, left);
            for (const std::uint32_t neighbour : edges.neighbours(current)) edges.unlink(neighbour, current);
            if (left > 1) current = next_gene(stream, edges, current, left - 1);
        }
    }

    static std::uint32_t next_gene(Stream& stream, const Edges& edges, std::uint32_t current,
                                   std::size_t left) {
        const auto candidates = edges.neighbours(current);
        if (candidates.empty()) return edges.unvisited[stream.below64(left)];
        std::uint32_t chosen = candidates[0];
        std::uint32_t ties = 1;
        for (const std::uint32_t candidate : candidates.subspan(1)) {
            const std::size_t ways = edges.neighbours(candidate).size();
            const std::size_t fewest = edges.neighbours(chosen).size();
            if (ways < fewest) {
                chosen = candidate;
                ties = 1;
            } else if (ways == fewest && stream.below(++ties) == 0) {
                chosen = candidate;
            }
        }
        return chosen;
    }
};

/// Position-based: each child keeps the genes of one parent at randomly chosen positions (each with
/// probability `keep`) and takes the others in the order in which the second parent has them. G. Syswerda:
/// "Schedule optimization using genetic algorithms", Handbook of Genetic Algorithms, 1991.
struct PositionBased {
    double probability = 0.9;
    double keep = 0.5;

    static constexpr std::string_view name = "position-based";
    static constexpr auto fields() {
        return std::tuple{
            probability_field("probability", &PositionBased::probability, "how often a couple is recombined"),
            probability_field("keep", &PositionBased::keep, "how often a position is kept")};
    }

    template <class Gene>
    bool operator()(Stream& stream, Permutation<Gene> a, Permutation<Gene> b, Scratch& scratch) const {
        const std::size_t length = a.size();
        auto* const old_a = reinterpret_cast<Gene*>(scratch.genome(length * sizeof(Gene)));
        std::ranges::copy(a, old_a);
        const auto positions = scratch.first(length);
        const auto kept = scratch.second(length);
        for (auto& position : positions) position = stream.chance(keep) ? 1U : 0U;
        fill_from(a, b.data(), positions, kept);
        fill_from(b, old_a, positions, kept);
        return true;
    }

  private:
    template <class Gene>
    static void fill_from(Permutation<Gene> child, const Gene* donor,
                          std::span<const std::uint32_t> positions, std::span<std::uint32_t> kept) {
        for (std::size_t i = 0; i < child.size(); ++i) kept[child[i]] = positions[i];
        std::size_t source = 0;
        for (std::size_t i = 0; i < child.size(); ++i) {
            if (positions[i] != 0) continue;
            while (kept[donor[source]] != 0) ++source;
            child[i] = donor[source++];
        }
    }
};

} // namespace knossos
