#pragma once

#include <knossos/domain/domain.hpp>

namespace knossos {

/// OneMax: as many ones as possible.
Domain one_max_domain();
/// Bits, integers or permutations, and nothing else: for an evaluator of one's own.
Domain genomes_domain();

} // namespace knossos
