#pragma once

#include <cstdint>

namespace knossos {

/// Bytes of memory that this machine has, or that this process may use of it where a container says so.
std::uint64_t usable_memory();

} // namespace knossos
