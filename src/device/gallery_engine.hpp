#pragma once

#include "device/engine.hpp"

#include <knossos/algorithms/map_elites.hpp>

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace knossos::device {

/// Breeds and measures the children of galleries on one device. The archive stays with the host, which
/// decides by its own code who comes to which cell: the elites go to the device as parents, what was measured
/// on their children comes back, and of those who get a cell the genomes.
class GalleryEngine {
  public:
    GalleryEngine(const Device& device, GenerationPlan plan);

    /// A generation, for which the island has evaluations enough.
    void step(const MapElites& algorithm, const Context& context, Island& island);

    /// Bytes of the device's memory for one generation.
    static std::size_t bytes_needed(std::size_t elites, std::size_t children, std::size_t genome_bytes,
                                    std::size_t numbers);

  private:
    void make_room(const Island& island);
    void breed(const Context& context, Island& island, std::span<const std::uint32_t> parents);
    void take_records(const Context& context, Island& island);
    void note_finds(const Context& context, Island& island);
    void bring(Island& island, std::span<const std::uint32_t> children);

    std::mutex mutex_;
    Queue queue_;
    GenerationPlan plan_;
    std::vector<Kernel> kernels_;
    Buffer table_;
    Buffer cross_table_;
    Buffer mutate_table_;
    std::size_t elites_ = 0;   ///< there is room for
    std::size_t children_ = 0; ///< likewise
    Buffer current_{};
    Buffer fitness_{}; ///< nobody reads it: the host selects
    Buffer parents_{};
    Buffer keys_{};
    Buffer offspring_{};
    Buffer evaluated_{};
    Buffer measured_{};
    HostMemory read_{}; ///< what was measured

    // Working memory.
    std::span<const std::int16_t> numbers_{};
    std::vector<std::uint8_t> is_notable_;
    std::vector<std::byte> rows_;
};

} // namespace knossos::device
