#pragma once

#include "device/memory.hpp"
#include "device/opencl.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace knossos::device {

/// Brings rows of genomes home that lie all over a buffer: so many at a time, as they may be half of all
/// there are, and a population may be as large as the memory of the device.
class Gathering {
  public:
    /// The rows at these places, side by side. The kernel is `gather`.
    void read(const Queue& queue, Kernel& kernel, const Buffer& rows, std::span<const std::uint32_t> places,
              std::size_t genome_bytes, std::span<std::byte> out);

    /// What that takes of the device's memory, of up to so many rows.
    static void add_to(MemoryNeed& need, std::size_t most_places, std::size_t genome_bytes);

  private:
    Buffer places_{};
    Buffer rows_{};
};

} // namespace knossos::device
