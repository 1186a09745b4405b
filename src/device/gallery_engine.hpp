#pragma once

#include "device/archive_tables.hpp"
#include "device/engine.hpp"

#include <knossos/algorithms/map_elites.hpp>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace knossos::device {

/// Breeds and measures the children of galleries on one device. The archive stays with the host, which lets
/// children in by its own code: the elites go to the device as parents. Where records are whole numbers,
/// children are brought to their cells and compared there, too, and only those come back who get a cell, or a
/// place in the hall of fame; else what was measured of each child comes back, and the host compares.
class GalleryEngine {
  public:
    /// Where there are `tables`, they are those of the cells.
    GalleryEngine(const Device& device, GenerationPlan plan, std::shared_ptr<const Cells> cells,
                  std::optional<ArchiveTables> tables);

    /// A generation, for which the island has evaluations enough.
    void step(const MapElites& algorithm, const Context& context, Island& island);

    /// What all runs together take of the device's memory, with so many children in a generation.
    static RunMemory memory_of(const GenerationPlan& plan, const Device& device, const Cells& cells,
                               const std::optional<ArchiveTables>& tables, std::size_t children);
    /// Takes that, and gives it back. Throws DeviceLost if it is not there.
    void try_memory(const RunMemory& memory);

  private:
    void make_room(const Island& island);
    void give_back_elites();
    void give_back_children();
    void send_elites(const Island& island);
    void vary_and_measure(const Island& island);
    void breed(const Context& context, Island& island, std::span<const std::uint32_t> parents);
    void take_records(const Context& context, Island& island);
    void note_finds(const Context& context, Island& island);
    void bring(Island& island, std::span<const std::uint32_t> children);
    [[nodiscard]] bool seat(const Context& context, const Island& island);
    MapElites::Harvest harvest(const Context& context, Island& island, const MapElites::Lots& lots);
    void send_lots(const Island& island, const MapElites::Lots& lots);
    void compare_all(const Context& context, const Island& island);
    void take_collected(const Context& context, Island& island);
    void note_collected(const Context& context, Island& island);

    std::mutex mutex_;
    Queue queue_;
    GenerationPlan plan_;
    std::shared_ptr<const Cells> cells_;
    std::optional<ArchiveTables> tables_;
    std::vector<Kernel> kernels_;
    Buffer table_;
    Buffer cross_table_;
    Buffer mutate_table_;
    std::size_t elites_ = 0;   ///< there is room for
    std::size_t children_ = 0; ///< likewise
    Buffer current_{};
    Buffer fitness_{}; ///< nobody reads it: the host selects
    Buffer parents_{};
    Buffer kinds_{};
    Buffer keys_{};
    Buffer offspring_{};
    Buffer evaluated_{};
    Buffer measured_{};
    HostMemory read_{}; ///< what was measured
    // Where children are compared there.
    Buffer lots_{};
    Buffer least_draws_{};
    Buffer seats_{};
    Buffer tables_there_{};
    Buffer best_{};
    Buffer first_{};
    Buffer cell_{}; ///< of each child
    Buffer key_{};  ///< likewise
    Buffer counts_{};
    Buffer collected_{};
    Gathering gathering_{};

    // Working memory.
    std::span<const std::int16_t> numbers_{};
    std::vector<std::uint8_t> is_notable_;
    std::vector<std::uint8_t> kinds_read_;
    std::vector<std::byte> rows_;
    std::vector<std::uint32_t> seated_;
    std::vector<std::uint32_t> counted_;
    std::vector<std::uint32_t> entries_;
    std::vector<std::uint64_t> by_child_; ///< the child of each entry, and the entry
    std::vector<std::uint32_t> order_;    ///< of the entries, by their children
    std::vector<std::int16_t> some_numbers_;
};

} // namespace knossos::device
