#pragma once

#include <cstdint>
#include <vector>

namespace knossos::dungeon {

/// The root of what hangs together with i; whoever is passed on the way is hung nearer to it.
inline std::uint32_t root_of(std::vector<std::uint32_t>& roots, std::uint32_t i) {
    while (roots[i] != i) i = roots[i] = roots[roots[i]];
    return i;
}

} // namespace knossos::dungeon
