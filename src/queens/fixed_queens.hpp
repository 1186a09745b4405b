#pragma once

#include <knossos/queens/solver.hpp>

#include <cstdint>
#include <span>

namespace knossos::queens {

/// Throws InvalidInput if the board has no rows, or queens lie off it or attack each other.
void check_fixed(std::uint32_t n, std::span<const Square> fixed);

} // namespace knossos::queens
