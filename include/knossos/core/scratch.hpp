#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace knossos {

/// Working memory that an operator may use during one call: three arrays of 32-bit numbers and one of genome
/// bytes that keep their capacity between calls. Each worker has its own. Contents are undefined on entry.
class Scratch {
  public:
    [[nodiscard]] std::span<std::uint32_t> first(std::size_t size) { return sized(first_, size); }
    [[nodiscard]] std::span<std::uint32_t> second(std::size_t size) { return sized(second_, size); }
    [[nodiscard]] std::span<std::uint32_t> third(std::size_t size) { return sized(third_, size); }

    /// Room for one genome of the given number of bytes, aligned for any gene.
    [[nodiscard]] std::byte* genome(std::size_t bytes) {
        if (genome_.size() * 8 < bytes) genome_.resize((bytes + 7) / 8);
        return reinterpret_cast<std::byte*>(genome_.data());
    }

  private:
    static std::span<std::uint32_t> sized(std::vector<std::uint32_t>& memory, std::size_t size) {
        if (memory.size() < size) memory.resize(size);
        return {memory.data(), size};
    }

    std::vector<std::uint32_t> first_;
    std::vector<std::uint32_t> second_;
    std::vector<std::uint32_t> third_;
    std::vector<std::uint64_t> genome_;
};

} // namespace knossos
