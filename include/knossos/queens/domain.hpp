#pragma once

#include <knossos/domain/domain.hpp>

namespace knossos::queens {

/// n queens that leave each other in peace, in several encodings.
Domain domain();

/// The pseudo-Boolean benchmark: any number of queens on n × n squares.
Domain pseudo_boolean_domain();

} // namespace knossos::queens
