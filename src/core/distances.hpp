#pragma once

#include <knossos/core/genome.hpp>

#include <cstddef>
#include <span>

namespace knossos {

/// Two genomes of one space.
struct GenomePair {
    const std::byte* first;
    const std::byte* second;
};

/// Adds the distances of pairs to a sum, one after the other: genome_distance(), which looks only once at
/// what the genomes are.
double add_distances(const Space& space, std::span<const GenomePair> pairs, double sum);

} // namespace knossos
