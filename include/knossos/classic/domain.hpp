#pragma once

#include <knossos/domain/domain.hpp>

namespace knossos {

/// OneMax: as many ones as possible.
Domain one_max_domain();
/// Bits, integers, permutations or reals, and nothing else: for an evaluator of one's own.
Domain genomes_domain();

// Functions of real vectors: see test_functions.hpp.
Domain sphere_domain();
Domain rosenbrock_domain();
Domain rastrigin_domain();
/// `number` is 1, 2 or 3.
Domain zdt_domain(int number);
Domain dtlz2_domain();

} // namespace knossos
