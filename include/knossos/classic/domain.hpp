#pragma once

#include <knossos/domain/domain.hpp>

namespace knossos {

/// OneMax: as many ones as possible.
Domain one_max_domain();

} // namespace knossos
