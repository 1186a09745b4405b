#pragma once

#include <knossos/core/grid_batch.hpp>
#include <knossos/maze/distance_batch.hpp>

#include <functional>
#include <span>

namespace knossos::maze {

/// What is told of mazes that have been measured: those from number `first` on. Called from several threads,
/// for each maze once.
using Measured = std::function<void(std::size_t first, std::span<const Measures> measures)>;

/// Measures mazes of bytes, 0 for open cells and 1 for rock, on so many threads (0: one per hardware
/// thread). Throws InvalidInput for places that don't fit the size, and for a cell of any other value.
void measure(const GridBatch& mazes, const Places& places, MeasureSet wanted, unsigned threads,
             const Measured& measured);

} // namespace knossos::maze
