#pragma once

#include "device/kernels.hpp"
#include "device/opencl.hpp"

#include <knossos/algorithms/island.hpp>
#include <knossos/algorithms/kept_elsewhere.hpp>

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace knossos::device {

/// An island's individuals in the memory of a device, and room for their children.
struct Resident {
    std::size_t population = 0;
    std::size_t children = 0;
    Buffer current{};
    Buffer fitness{};
    Buffer offspring{};
    Buffer values{}; ///< the children's fitness
    Buffer evaluated{};
    Buffer parents{};
    Buffer summary{};
};

/// What the host hears of the children of a generation.
struct Summary {
    FitnessSums sums{};
    std::uint64_t evaluated = 0;
    std::int64_t best = 0;    ///< of those that were evaluated
    std::int64_t parents = 0; ///< sum of the parents' fitness
};

/// What a generation is made of, as far as it does not follow from the stages.
struct GenerationPlan {
    Variation variation{};
    DeviceKernel evaluation{};
    double crossed_genes = -1.0; ///< chance of each gene, where an operator draws skips; else negative
    double mutated_genes = -1.0;
    std::uint32_t diversity_pairs = 16;
    bool replaces_all = false; ///< the children take every place, so that nobody has to look
};

/// Breeds generations on one device. Whatever is compared or noted by fitness alone is done by the host, with
/// the very code that does it without a device.
class Engine {
  public:
    Engine(const Device& device, GenerationPlan plan);

    /// A generation. What the island's population holds of it is told by KeptElsewhere.
    void step(const Context& context, const Selection& select, const Replacement& replace, Island& island,
              KeptElsewhere& kept);
    /// Brings everybody back into the island, which has them alone from then on.
    void fetch(Island& island, KeptElsewhere& kept);

    /// Bytes of the device's memory for one island.
    static std::size_t bytes_needed(std::size_t population, std::size_t children, std::size_t genome_bytes);

  private:
    /// Whether nobody on the host has to know each fitness value.
    [[nodiscard]] bool is_apart() const { return plan_.replaces_all && plan_.variation.tournament > 0; }
    Resident& settle(const Island& island, KeptElsewhere& kept);
    void select_on_host(const Context& context, const Selection& select, Island& island,
                        const Resident& home);
    void vary_and_evaluate(const Island& island, const Resident& home);
    [[nodiscard]] Summary summary_of(const Resident& home);
    void read_children(Island& island, const Resident& home);
    void count(const Context& context, Island& island, const Resident& home, const Summary& summary);
    void read_finds(const Context& context, Island& island, const Resident& home);
    [[nodiscard]] bool note_finds(const Context& context, Island& island, const Resident& home,
                                  std::int32_t bar);
    void replace_on_host(const Context& context, const Replacement& replace, Island& island, Resident& home);
    void read_sampled(Island& island, const Resident& home);
    void read_rows(const Buffer& rows, std::span<const std::uint32_t> places, Population& population);
    void read_fitness(const Buffer& values, std::span<double> fitness);

    std::mutex mutex_;
    Queue queue_;
    GenerationPlan plan_;
    std::vector<Kernel> kernels_;
    Buffer table_;
    Buffer cross_table_;
    Buffer mutate_table_;
    Buffer finds_;
    std::vector<std::shared_ptr<Resident>> spare_; ///< of islands that have been fetched

    // Working memory.
    std::vector<std::int32_t> numbers_;
    std::vector<std::int64_t> partial_;
    std::vector<std::uint32_t> places_;
    std::vector<std::byte> rows_;
};

} // namespace knossos::device
