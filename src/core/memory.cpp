#include <knossos/core/memory.hpp>

#include <algorithm>
#ifndef __EMSCRIPTEN__
#include <fstream>
#endif

#include <unistd.h>

namespace knossos {

std::uint64_t usable_memory() {
    const auto machine = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
#ifdef __EMSCRIPTEN__
    return machine; // a browser has no groups of processes
#else
    // "max" where there is no limit, nothing where there are no such groups: both leave it as it is.
    std::uint64_t limit = 0;
    return std::ifstream{"/sys/fs/cgroup/memory.max"} >> limit ? std::min(machine, limit) : machine;
#endif
}

} // namespace knossos
