#pragma once

#include <knossos/run/run.hpp>

#include <nlohmann/json.hpp>

namespace knossos {

/// The genes of a genome as a list: whole numbers, or reals.
inline nlohmann::ordered_json genes_json(const Genome& genome) {
    if (genome.space.kind == GenomeKind::reals) return genome.reals();
    return genome.genes();
}

} // namespace knossos
