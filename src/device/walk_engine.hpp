#pragma once

#include "device/engine.hpp"
#include "device/walk_kernels.hpp"

#include <knossos/algorithms/algorithm.hpp>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

namespace knossos::device {

/// Lets individuals that go their own way, duels and walkers of annealing, do so on one device: a generation
/// of all of them, all its rounds or moves, is one launch. They come home at its end.
class WalkEngine {
  public:
    WalkEngine(const Device& device, GenerationPlan plan);

    /// A generation of islands that are all at the same one, and may each make a whole one.
    void duel(const Duel& algorithm, const Context& context, std::span<Island> islands);
    void anneal(const Annealing& algorithm, const Context& context, std::span<Island> islands);

    /// What all runs together take of the device's memory, on so many islands with so many individuals each.
    static RunMemory memory_of(const GenerationPlan& plan, const Device& device, std::size_t islands,
                               std::size_t population, bool is_duel);
    /// Takes that, and gives it back. Throws DeviceLost if it is not there.
    void try_memory(const RunMemory& memory);
    /// How many rows of genomes there are to an individual, of those that lie together.
    static constexpr std::size_t rows_of(bool is_duel) { return is_duel ? duel_finds / 2 : 1; }

  private:
    // What kernels take as they are.
    struct Pair {
        std::uint32_t first;
        std::uint32_t second;
    };
    struct Bars {
        std::int32_t of_era;
        std::int32_t of_hall;
        std::int32_t has_target;
        std::int32_t unused = 0;
    };
    struct DuelState {
        std::uint32_t rounds;
        std::uint32_t finds;
        std::uint32_t newest;
        std::uint32_t is_done;
    };
    struct Progress {
        std::uint32_t evaluations;
        std::uint32_t best_at;
        std::int32_t best;
        std::uint32_t is_unknown;
    };

    [[nodiscard]] std::size_t genome_bytes() const { return plan_.variation.genome_bytes; }
    void make_room(std::size_t islands, std::size_t individuals, std::size_t finds);
    void send(const Context& context, std::span<Island> islands);
    void send_bars(const Context& context, std::span<Island> islands);
    [[nodiscard]] Bars bars_of(const Context& context, const Island& island) const;
    [[nodiscard]] std::int32_t target_of(const Problem& problem) const;
    bool make_chances(const Annealing& algorithm, const Context& context, std::span<const Island> islands);
    void read_finds(const Context& context);
    void bring_home(const Context& context, std::span<Island> islands);
    void note_duels(const Context& context, std::span<Island> islands);
    void anneal_held(const Annealing& algorithm, const Context& context, std::span<Island> islands);
    bool walk(const Annealing& algorithm, const Context& context, std::span<Island> islands);
    void settle_walkers(const Context& context, std::span<Island> islands, std::uint64_t moves);

    std::mutex mutex_;
    Queue queue_;
    GenerationPlan plan_;
    std::vector<Kernel> kernels_;
    Buffer table_;
    Buffer mutate_table_;
    std::size_t islands_ = 0;     ///< there is room for
    std::size_t individuals_ = 0; ///< likewise
    std::size_t finds_ = 0;       ///< likewise
    Buffer rows_{};
    Buffer values_{};
    Buffer bars_{};
    Buffer keys_{};
    Buffer found_{};
    Buffer found_values_{};
    Buffer states_{};
    Buffer progress_{};
    Buffer warmth_{};
    Buffer chances_{};
    Gathering gathering_{};
    std::size_t most_lost_; ///< past that, chances are not in the table

    // What goes to the device and comes back.
    HostMemory host_rows_{};
    std::vector<std::int32_t> numbers_;
    std::vector<Bars> host_bars_;
    std::vector<DuelState> host_states_;
    std::vector<Progress> host_progress_;
    std::vector<Pair> pairs_;
    std::vector<std::uint64_t> host_chances_;
    std::vector<std::uint32_t> places_;   ///< rows of those who may belong into a hall of fame
    std::vector<std::size_t> first_find_; ///< of each island, among them
    std::vector<std::byte> found_rows_;
    Population notable_; ///< the same, with what they are worth
};

} // namespace knossos::device
