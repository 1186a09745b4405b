#pragma once

#include <knossos/device/devices.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace knossos::device {

/// Of a device's memory drivers keep some for themselves and for programs, and others may have theirs there:
/// so much of it is taken at the most, by everything that is there at once.
constexpr std::uint64_t usable_memory_of(const Device& device) { return device.memory - device.memory / 16; }

/// No block is smaller.
constexpr std::uint64_t smallest_block = 8;

/// Blocks of a device's memory that are there at the same time.
class MemoryNeed {
  public:
    struct Blocks {
        std::uint64_t bytes = 0; ///< of each
        std::uint64_t count = 1;
    };

    void add(std::uint64_t bytes, std::uint64_t count = 1) {
        if (count != 0) blocks_.push_back({std::max(bytes, smallest_block), count});
    }
    void add(const MemoryNeed& other) {
        blocks_.insert(blocks_.end(), other.blocks_.begin(), other.blocks_.end());
    }
    [[nodiscard]] const std::vector<Blocks>& blocks() const { return blocks_; }
    [[nodiscard]] std::uint64_t bytes() const {
        std::uint64_t all = 0;
        for (const Blocks& one : blocks_) all += one.bytes * one.count;
        return all;
    }
    [[nodiscard]] std::uint64_t largest_block() const {
        std::uint64_t largest = 0;
        for (const Blocks& one : blocks_) largest = std::max(largest, one.bytes);
        return largest;
    }

  private:
    std::vector<Blocks> blocks_{};
};

/// What the runs of a recipe take of a device's memory.
struct RunMemory {
    MemoryNeed tables{};   ///< with the kernels, by all runs together
    MemoryNeed kept{};     ///< as soon as there is a run, by all of them together
    MemoryNeed of_a_run{}; ///< by each

    [[nodiscard]] std::uint64_t shared_bytes() const { return tables.bytes() + kept.bytes(); }
    [[nodiscard]] std::uint64_t largest_block() const {
        return std::max({tables.largest_block(), kept.largest_block(), of_a_run.largest_block()});
    }
};

/// The largest of 0 .. most that does; 0 if none does. What is smaller than one that does, does.
template <class Does>
std::uint64_t largest_that(std::uint64_t most, Does does) {
    std::uint64_t low = 0;
    std::uint64_t high = most;
    while (low < high) {
        const std::uint64_t middle = high - (high - low) / 2;
        if (does(middle))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

} // namespace knossos::device
