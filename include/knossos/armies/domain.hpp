#pragma once

#include <knossos/domain/domain.hpp>

namespace knossos::armies {

/// Armies of queens that leave each other in peace, the smallest as large as possible.
Domain domain();

} // namespace knossos::armies
