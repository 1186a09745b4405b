#pragma once

#include "device/gathering.hpp"
#include "device/kernels.hpp"
#include "device/memory.hpp"
#include "device/opencl.hpp"
#include "device/resident.hpp"

#include <knossos/algorithms/island.hpp>
#include <knossos/algorithms/kept_elsewhere.hpp>

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace knossos::device {

/// What the host hears of the children of an island's generation.
struct Summary {
    FitnessSums sums{};
    std::uint64_t evaluated = 0;
    std::int64_t best = 0;    ///< of those that were evaluated
    std::int64_t parents = 0; ///< sum of the parents' fitness
};

/// A child that is better than the bar of its island: its row, of all islands, and its fitness.
struct Find {
    std::uint32_t place;
    std::int32_t value;
};

/// Numbers that stand for the individuals of an island while a replacement decides who stays: it looks at
/// nothing else.
struct Tickets {
    Population residents{};
    Population children{};
};

/// What a generation is made of, as far as it does not follow from the stages.
struct GenerationPlan {
    Variation variation{};
    DeviceKernel evaluation{};
    double crossed_genes = -1.0; ///< chance of each gene, where an operator draws skips; else negative
    double mutated_genes = -1.0;
    std::uint32_t diversity_pairs = 16;
    bool replaces_all = false; ///< the children take every place, so that nobody has to look

    /// Of the device's memory, by what is looked up.
    [[nodiscard]] MemoryNeed tables() const {
        MemoryNeed need;
        need.add(evaluation.table.size() * sizeof(std::uint32_t));
        for (const double chance : {crossed_genes, mutated_genes})
            need.add(chance >= 0.0 ? variation.genes * sizeof(std::uint64_t) : 0);
        return need;
    }
    /// The table of skips for one of these chances; empty if it is none.
    [[nodiscard]] std::vector<std::uint64_t> skips_of(double chance) const {
        return chance >= 0.0 ? skip_table(chance, variation.genes) : std::vector<std::uint64_t>{};
    }
};

/// Breeds generations on one device. Whatever is compared or noted by fitness alone is done by the host, with
/// the very code that does it without a device.
class Engine {
  public:
    Engine(const Device& device, GenerationPlan plan);

    /// A generation of islands that are all at the same one. What their populations hold of it is told by
    /// KeptElsewhere.
    void step(const Context& context, const Selection& select, const Replacement& replace,
              std::span<Island> islands);
    /// Brings everybody back into the island, which has them alone from then on.
    void fetch(Island& island);
    /// From so many on there are work items enough for what is done by one of each.
    static constexpr std::uint32_t many_islands = 32;

    /// What runs take of the device's memory whose islands have so many individuals and children. They go
    /// together, or each alone.
    static RunMemory memory_of(const GenerationPlan& plan, std::size_t islands, std::size_t population,
                               std::size_t children, bool are_together);

    /// Has the kernels that tell of islands answer what is known: see wrong_summary(). Throws InvalidInput if
    /// one of them is wrong.
    void check_summaries(bool are_many);
    /// Takes what so many runs will take, and gives it back. Throws DeviceLost if it is not there.
    void try_memory(const RunMemory& memory, std::size_t runs);

  private:
    // Rows of all islands, counted from the first individual of the first.
    using Places = std::vector<std::uint32_t>;

    /// Whether nobody on the host has to know each fitness value.
    [[nodiscard]] bool is_apart() const { return plan_.replaces_all && plan_.variation.tournament > 0; }
    void fetch_held(Island& island);
    void read_home(Island& island);
    static void take_home(Island& island);
    void leave_home(Island& island);
    std::shared_ptr<Resident> settle(const Context& context, std::span<Island> islands);
    [[nodiscard]] static std::shared_ptr<Resident> home_of_all(const Context& context,
                                                               std::span<Island> islands);
    [[nodiscard]] std::shared_ptr<Resident> room_for(std::span<const Island> islands);
    void bring_in(const Context& context, std::span<Island> islands, std::size_t place, Resident& home);
    void select_on_host(const Context& context, const Selection& select, std::span<Island> islands,
                        const Resident& home);
    void vary_and_evaluate(std::uint64_t generation, const Resident& home);
    void summarise_all(const Resident& home);
    [[nodiscard]] Summary summary_of(std::size_t island, const Resident& home) const;
    void read_values(const Context& context, std::span<Island> islands, const Resident& home);
    void take_summaries(const Context& context, std::span<Island> islands, const Resident& home);
    void count_all(const Context& context, std::span<Island> islands, const Resident& home);
    void read_finds(const Context& context, std::span<Island> islands, const Resident& home);
    [[nodiscard]] bool note_finds(const Context& context, std::span<Island> islands, const Resident& home);
    void replace_on_host(const Context& context, const Replacement& replace, std::span<Island> islands,
                         Resident& home);
    void sample_all(const Context& context, std::span<Island> islands, const Resident& home);
    void read_sampled(const Context& context, std::span<Island> islands, const Resident& home);
    void sort_finds(const Context& context, std::size_t places);
    void gather_rows(const Buffer& rows, std::size_t genome);
    void read_rows(const Context& context, const Buffer& rows, std::span<Island> islands,
                   Population Island::* population);
    void read_evaluated(const Resident& home);

    std::mutex mutex_;
    Queue queue_;
    GenerationPlan plan_;
    std::vector<Kernel> kernels_;
    Buffer table_;
    Buffer cross_table_;
    Buffer mutate_table_;
    Gathering gathering_{};

    // Working memory.
    std::vector<std::int32_t> numbers_;
    std::vector<std::int32_t> bars_; ///< of each island: who is better may belong into a hall of fame
    bool are_halls_full_ = false;
    bool is_anybody_better_ = false;
    std::vector<Find> finds_;
    std::vector<std::int64_t> partial_; ///< summaries, as they come
    std::vector<std::uint64_t> differing_;
    std::vector<Tickets> tickets_of_workers_;
    std::vector<std::uint8_t> evaluated_;
    std::vector<std::uint32_t> parents_;
    std::vector<std::uint32_t> tickets_; ///< of whoever stays, island after island
    Places places_;
    std::vector<std::byte> rows_;
};

} // namespace knossos::device
