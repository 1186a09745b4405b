#pragma once

#include <knossos/maze/problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace knossos::maze {

/// A direct maze problem whose mazes must also be unlike others: at least `least` cells differ from the
/// nearest of them. To annealing, each that is missing counts as `price`.
struct UnlikeOthers {
    DirectMaze maze;
    std::vector<std::vector<std::uint64_t>> others; ///< genomes
    std::size_t least = 0;
    double price = 1.0;

    [[nodiscard]] Space space() const { return maze.space(); }
    [[nodiscard]] std::vector<Column> record() const;
    [[nodiscard]] std::optional<double> target() const { return maze.target(); }
    void initialise(Stream& stream, Bits genome) const { maze.initialise(stream, genome); }
    void repair(Stream& stream, Bits genome) const { maze.repair(stream, genome); }
    bool propose(Stream& stream, Bits genome) const { return maze.propose(stream, genome); }
    void evaluate_batch(Batch batch, std::span<double> out) const;

    /// How many cells differ between a genome and the nearest of the others; all of them if there are none.
    [[nodiscard]] std::size_t distance_to_nearest(const std::byte* genome) const;
};

} // namespace knossos::maze
