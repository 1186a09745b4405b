#include <knossos/core/memory.hpp>

#include <algorithm>
#include <fstream>

#include <unistd.h>

namespace knossos {

std::uint64_t usable_memory() {
    const auto machine = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    // "max" where there is no limit, nothing where there are no such groups: both leave it as it is.
    std::uint64_t limit = 0;
    return std::ifstream{"/sys/fs/cgroup/memory.max"} >> limit ? std::min(machine, limit) : machine;
}

} // namespace knossos
