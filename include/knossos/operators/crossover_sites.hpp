#pragma once

#include <knossos/operators/variation.hpp>

#include <algorithm>
#include <utility>

namespace knossos {

/// Exchanges the genes from .. to − 1 of two genomes.
void swap_sites(Bits a, Bits b, std::size_t from, std::size_t to);

inline void swap_sites(Packed a, Packed b, std::size_t from, std::size_t to) {
    swap_sites(a.bits(), b.bits(), from * a.gene_bits(), to * a.gene_bits());
}

template <class Gene>
void swap_sites(Integers<Gene> a, Integers<Gene> b, std::size_t from, std::size_t to) {
    std::swap_ranges(a.begin() + from, a.begin() + to, b.begin() + from);
}

inline void swap_sites(Reals a, Reals b, std::size_t from, std::size_t to) {
    std::swap_ranges(a.begin() + from, a.begin() + to, b.begin() + from);
}

/// Genomes whose genes can be exchanged site by site: everything but permutations.
template <class View>
concept Exchangeable = requires(View a) { swap_sites(a, a, std::size_t{0}, std::size_t{0}); };

/// Clone: both children stay exact copies of their parents.
struct Clone {
    static constexpr std::string_view name = "clone";
    static constexpr bool only_copies = true;
    static constexpr bool preserves_ones = true;
    static constexpr auto fields() { return std::tuple{}; }
    static constexpr std::size_t random_blocks() { return 0; }

    template <class View>
    bool operator()(Stream& /*stream*/, View /*a*/, View /*b*/) const {
        return false;
    }
};

/// One-point: the genomes are cut at the same random place between two genes and exchange their tails. With
/// `anywhere` the cut may also fall before the first gene, as in the roulette-queens document: then the
/// children are copies.
struct OnePoint {
    double probability = 0.9;
    bool anywhere = false;

    static constexpr std::string_view name = "one-point";
    static constexpr auto fields() {
        return std::tuple{
            probability_field("probability", &OnePoint::probability, "how often a couple is recombined"),
            field("anywhere", &OnePoint::anywhere, "whether the cut may fall before the first gene")};
    }

    template <Exchangeable View>
    bool operator()(Stream& stream, View a, View b) const {
        const auto length = static_cast<std::uint32_t>(a.size());
        if (length < 2) return false;
        const std::uint32_t cut = anywhere ? stream.below(length) : 1 + stream.below(length - 1);
        if (cut == 0) return false;
        swap_sites(a, b, cut, length);
        return true;
    }
};

/// Two-point: the stretch between two random cuts changes places.
struct TwoPoint {
    double probability = 0.9;

    static constexpr std::string_view name = "two-point";
    static constexpr auto fields() {
        return std::tuple{
            probability_field("probability", &TwoPoint::probability, "how often a couple is recombined")};
    }

    template <Exchangeable View>
    bool operator()(Stream& stream, View a, View b) const {
        const auto length = static_cast<std::uint32_t>(a.size());
        if (length < 2) return false;
        // Two different cuts out of the length + 1 borders, not the two outermost ones together: that would
        // exchange all.
        std::uint32_t from = stream.below(length);
        std::uint32_t to = stream.below(length - 1);
        to += to >= from ? 1U : 0U;
        if (from > to) std::swap(from, to);
        swap_sites(a, b, from, to);
        return true;
    }
};

/// K-point: `points` different cuts; every second stretch between them changes places.
struct KPoint {
    double probability = 0.9;
    std::uint32_t points = 3;

    static constexpr std::string_view name = "k-point";
    static constexpr auto fields() {
        return std::tuple{
            probability_field("probability", &KPoint::probability, "how often a couple is recombined"),
            field("points", &KPoint::points, 1, 1000000, "number of cuts")};
    }
    void check(const Space& space) const;

    template <Exchangeable View>
    bool operator()(Stream& stream, View a, View b, Scratch& scratch) const {
        const auto cuts = draw_cuts(stream, a.size(), scratch);
        for (std::size_t i = 0; i < cuts.size(); i += 2)
            swap_sites(a, b, cuts[i], i + 1 < cuts.size() ? cuts[i + 1] : a.size());
        return true;
    }

  private:
    std::span<const std::uint32_t> draw_cuts(Stream& stream, std::size_t length, Scratch& scratch) const;
};

/// Uniform: every gene changes places independently with probability `exchange`.
/// G. Syswerda: "Uniform crossover in genetic algorithms", ICGA 1989.
struct UniformCrossover {
    double probability = 0.9;
    double exchange = 0.5;

    static constexpr std::string_view name = "uniform";
    static constexpr auto fields() {
        return std::tuple{
            probability_field("probability", &UniformCrossover::probability,
                              "how often a couple is recombined"),
            probability_field("exchange", &UniformCrossover::exchange, "how often a gene changes places")};
    }

    template <Exchangeable View>
    bool operator()(Stream& stream, View a, View b) const {
        if constexpr (std::same_as<View, Bits>) {
            if (exchange == 0.5) return exchange_half(stream, a, b);
        }
        bool changed = false;
        for_each_hit(stream, Skips{exchange}, a.size(), [&](std::size_t i) {
            swap_sites(a, b, i, i + 1);
            changed = true;
        });
        return changed;
    }

  private:
    static bool exchange_half(Stream& stream, Bits a, Bits b);
};

} // namespace knossos
