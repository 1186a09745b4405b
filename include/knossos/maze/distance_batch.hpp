#pragma once

#include <knossos/core/population.hpp>
#include <knossos/maze/measures.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace knossos::maze {

/// What the mazes of a batch share: their size, and where entrance, exit and checkpoints lie.
struct Places {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    Cell entrance{};
    Cell exit{};
    std::vector<Cell> checkpoints{};
};

/// Measures batches of direct mazes (width · height bits in reading order, 1 for rock) that share their
/// places, with kernels chosen at run time for the processor. Keeps its memory between batches: one per
/// thread.
class BatchMeasurer {
  public:
    /// Throws InvalidInput for places that don't fit the size.
    explicit BatchMeasurer(Places places);
    BatchMeasurer(BatchMeasurer&&) noexcept;
    BatchMeasurer& operator=(BatchMeasurer&&) noexcept;
    ~BatchMeasurer();

    /// Distance from entrance to exit of each maze, −1 where there is no way.
    void exit_paths(const Batch& batch, std::span<std::int32_t> out);
    /// What the five fitness functions look at, of each maze.
    void fitness_values(const Batch& batch, std::span<FitnessValues> out);
    /// Of each maze what is wanted; the other values are as they come.
    void measure(const Batch& batch, MeasureSet wanted, std::span<Measures> out);

    [[nodiscard]] const Places& places() const;

  private:
    class Memory;
    std::unique_ptr<Memory> memory_;
};

} // namespace knossos::maze
