#include <knossos/core/error.hpp>
#include <knossos/core/genome.hpp>

#include <fmt/format.h>

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

std::string describe(const Space& space) {
    if (space.kind == GenomeKind::permutation) return fmt::format("permutations of {}", space.length);
    if (space.kind == GenomeKind::packed)
        return fmt::format("{} packed integers 0..{}", space.length, space.alphabet - 1);
    if (space.kind == GenomeKind::integers)
        return fmt::format("{} integers 0..{}", space.length, space.alphabet - 1);
    return space.ones ? fmt::format("{} bits with {} ones", space.length, *space.ones)
                      : fmt::format("{} bits", space.length);
}

std::size_t hamming_distance(const Space& space, const std::byte* a, const std::byte* b) {
    return visit_genome(space, a, [&]<class View>(View first) -> std::size_t {
        std::size_t distance = 0;
        if constexpr (std::same_as<View, BitView>) {
            const BitView second{reinterpret_cast<const std::uint64_t*>(b), space.length};
            for (std::size_t w = 0; w < first.words().size(); ++w)
                distance += static_cast<std::size_t>(std::popcount(first.words()[w] ^ second.words()[w]));
        } else if constexpr (std::same_as<View, PackedView>) {
            const auto second = view_as<PackedView>(space, b);
            for (std::size_t i = 0; i < first.size(); ++i) distance += first[i] != second[i] ? 1U : 0U;
        } else {
            const auto* second = reinterpret_cast<decltype(first.data())>(b);
            for (std::size_t i = 0; i < first.size(); ++i) distance += first[i] != second[i] ? 1U : 0U;
        }
        return distance;
    });
}

std::string to_text(const Space& space, const std::byte* genome) {
    return visit_genome(space, genome, []<class View>(View view) {
        if constexpr (std::same_as<View, BitView>) {
            std::string text(view.size(), '0');
            for (std::size_t i = 0; i < view.size(); ++i)
                if (view[i]) text[i] = '1';
            return text;
        } else {
            std::string text = "[";
            for (std::size_t i = 0; i < view.size(); ++i)
                text += (i == 0 ? "" : ", ") + std::to_string(static_cast<std::uint32_t>(view[i]));
            return text + "]";
        }
    });
}

} // namespace knossos
