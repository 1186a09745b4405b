#include "core/distances.hpp"
#include <knossos/core/error.hpp>

#include <knossos/core/genome.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace knossos {

namespace {

constexpr unsigned bytes_for(std::uint64_t largest) {
    if (largest <= 0xFF) return 1;
    return largest <= 0xFFFF ? 2 : 4;
}

void require_length(std::size_t length) {
    if (length == 0) throw InvalidInput{"space.length is 0; a genome has at least one gene"};
}

// What is wrong with the bounds of a gene, or of all; the sentence starts with whose they are.
void require_bounds(const Bounds& bounds, const std::string& whose) {
    const auto refuse = [&](std::string_view fault) {
        throw InvalidInput{fmt::format("{} {}..{}: {}", whose, bounds.low, bounds.high, fault)};
    };
    if (!std::isfinite(bounds.low) || !std::isfinite(bounds.high))
        refuse("bounds are finite numbers, such as -5..5");
    if (bounds.low > bounds.high)
        refuse(fmt::format("they are the wrong way round; {}..{} would do", bounds.high, bounds.low));
    if (!std::isfinite(bounds.width()))
        refuse("they are too far apart; the distance between them must be below 1.7e308");
}

} // namespace

std::string_view to_string(GenomeKind kind) {
    switch (kind) {
    case GenomeKind::bits:
        return "bits";
    case GenomeKind::packed:
        return "packed";
    case GenomeKind::integers:
        return "integers";
    case GenomeKind::permutation:
        return "permutation";
    case GenomeKind::reals:
        return "reals";
    }
    return "unknown";
}

Space Space::bits(std::size_t length) {
    require_length(length);
    return {.kind = GenomeKind::bits, .length = length, .alphabet = 2, .ones = std::nullopt, .gene_bytes = 0};
}

Space Space::bits_with_ones(std::size_t length, std::size_t ones) {
    if (ones > length)
        throw InvalidInput{fmt::format("space.ones is {}; it lies in 0..{} (the length)", ones, length)};
    Space space = bits(length);
    space.ones = ones;
    return space;
}

Space Space::packed(std::size_t length, std::uint32_t alphabet) {
    Space space = integers(length, alphabet);
    space.kind = GenomeKind::packed;
    space.gene_bytes = 0;
    return space;
}

Space Space::integers(std::size_t length, std::uint32_t alphabet) {
    require_length(length);
    if (alphabet == 0) throw InvalidInput{"space.alphabet is 0; a gene has at least one value"};
    return {.kind = GenomeKind::integers,
            .length = length,
            .alphabet = alphabet,
            .ones = std::nullopt,
            .gene_bytes = bytes_for(alphabet - 1)};
}

Space Space::permutation(std::size_t length) {
    require_length(length);
    if (length > 0xFFFFFFFFU)
        throw InvalidInput{
            fmt::format("space.length is {}; permutations have at most 4,294,967,295 genes", length)};
    return {.kind = GenomeKind::permutation,
            .length = length,
            .alphabet = static_cast<std::uint32_t>(length),
            .ones = std::nullopt,
            .gene_bytes = bytes_for(length - 1)};
}

Space Space::reals(std::size_t length, Bounds bounds) {
    require_length(length);
    require_bounds(bounds, "the bounds of the genes are");
    return {.kind = GenomeKind::reals,
            .length = length,
            .alphabet = 0,
            .ones = std::nullopt,
            .gene_bytes = sizeof(double),
            .common_bounds = bounds,
            .own_bounds = nullptr};
}

Space Space::reals(std::vector<Bounds> bounds) {
    require_length(bounds.size());
    for (std::size_t i = 0; i < bounds.size(); ++i)
        require_bounds(bounds[i], fmt::format("the bounds of gene {} are", i));
    Space space = reals(bounds.size(), bounds.front());
    if (std::ranges::any_of(bounds, [&](const Bounds& one) { return one != bounds.front(); })) {
        space.common_bounds = {};
        space.own_bounds = std::make_shared<const std::vector<Bounds>>(std::move(bounds));
    }
    return space;
}

bool operator==(const Space& a, const Space& b) {
    const bool same_own =
        a.own_bounds == b.own_bounds || (a.own_bounds && b.own_bounds && *a.own_bounds == *b.own_bounds);
    return a.kind == b.kind && a.length == b.length && a.alphabet == b.alphabet && a.ones == b.ones &&
           a.gene_bytes == b.gene_bytes && a.common_bounds == b.common_bounds && same_own;
}

std::string describe(const Space& space) {
    if (space.kind == GenomeKind::reals)
        return space.own_bounds ? fmt::format("{} reals, each within its own bounds", space.length)
                                : fmt::format("{} reals {}..{}", space.length, space.common_bounds.low,
                                              space.common_bounds.high);
    if (space.kind == GenomeKind::permutation) return fmt::format("permutations of {}", space.length);
    if (space.kind == GenomeKind::packed)
        return fmt::format("{} packed integers 0..{}", space.length, space.alphabet - 1);
    if (space.kind == GenomeKind::integers)
        return fmt::format("{} integers 0..{}", space.length, space.alphabet - 1);
    return space.ones ? fmt::format("{} bits with {} ones", space.length, *space.ones)
                      : fmt::format("{} bits", space.length);
}

namespace {

// Of one word; count_ones() is for many.
std::size_t ones_in(std::uint64_t word) {
    word -= word >> 1U & 0x5555555555555555U;
    word = (word & 0x3333333333333333U) + (word >> 2U & 0x3333333333333333U);
    word = (word + (word >> 4U)) & 0x0F0F0F0F0F0F0F0FU;
    return word * 0x0101010101010101U >> 56U;
}

// In how many positions a genome differs from the one at `b`.
template <class View>
std::size_t positions_apart(const Space& space, View first, const std::byte* b) {
    std::size_t distance = 0;
    if constexpr (std::same_as<View, BitView>) {
        const BitView second{reinterpret_cast<const std::uint64_t*>(b), space.length};
        for (std::size_t w = 0; w < first.words().size(); ++w)
            distance += ones_in(first.words()[w] ^ second.words()[w]);
    } else if constexpr (std::same_as<View, PackedView>) {
        const auto second = view_as<PackedView>(space, b);
        for (std::size_t i = 0; i < first.size(); ++i) distance += first[i] != second[i] ? 1U : 0U;
    } else {
        const auto* second = reinterpret_cast<decltype(first.data())>(b);
        for (std::size_t i = 0; i < first.size(); ++i) distance += first[i] != second[i] ? 1U : 0U;
    }
    return distance;
}

double distance_of_reals(RealView first, RealView second) {
    double distance = 0.0;
    for (std::size_t i = 0; i < first.size(); ++i) {
        const double width = first.bounds(i).width();
        if (width > 0.0) distance += std::abs(first[i] - second[i]) / width;
    }
    return distance;
}

} // namespace

std::size_t hamming_distance(const Space& space, const std::byte* a, const std::byte* b) {
    return visit_genome(space, a, [&](auto first) { return positions_apart(space, first, b); });
}

double genome_distance(const Space& space, const std::byte* a, const std::byte* b) {
    if (space.kind != GenomeKind::reals) return static_cast<double>(hamming_distance(space, a, b));
    return distance_of_reals(view_as<RealView>(space, a), view_as<RealView>(space, b));
}

double add_distances(const Space& space, std::span<const GenomePair> pairs, double sum) {
    if (pairs.empty()) return sum;
    return visit_genome(space, pairs[0].first, [&]<class View>(View) {
        for (const auto& [a, b] : pairs) {
            const auto first = view_as<View>(space, a);
            if constexpr (std::same_as<View, RealView>)
                sum += distance_of_reals(first, view_as<RealView>(space, b));
            else
                sum += static_cast<double>(positions_apart(space, first, b));
        }
        return sum;
    });
}

std::string to_text(const Space& space, const std::byte* genome) {
    return visit_genome(space, genome, []<class View>(View view) {
        if constexpr (std::same_as<View, BitView>) {
            std::string text(view.size(), '0');
            for (std::size_t i = 0; i < view.size(); ++i)
                if (view[i]) text[i] = '1';
            return text;
        } else if constexpr (std::same_as<View, RealView>) {
            return fmt::format("[{}]", fmt::join(view, ", "));
        } else {
            std::string text = "[";
            for (std::size_t i = 0; i < view.size(); ++i)
                text += (i == 0 ? "" : ", ") + std::to_string(static_cast<std::uint32_t>(view[i]));
            return text + "]";
        }
    });
}

} // namespace knossos
