#pragma once

#include <knossos/maze/measures.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace knossos::maze {

/// A grid on which many searches are made, each from another cell.
class StepField {
  public:
    void load(const Grid& grid);

    /// One search: the cells it reached, in ascending order of distance.
    std::span<const std::uint32_t> search(std::uint32_t from);
    /// Of a cell, in the last search; negative for open cells that it did not reach.
    [[nodiscard]] std::int32_t distance(std::uint32_t position) const { return distance_[position]; }

    [[nodiscard]] std::uint32_t position(Cell cell) const { return (cell.y + 1) * stride_ + cell.x + 1; }
    [[nodiscard]] std::size_t positions() const { return blank_.size(); }
    [[nodiscard]] bool is_open(std::uint32_t position) const { return blank_[position] == unseen; }

  private:
    static constexpr std::int32_t unseen = -1;
    static constexpr std::int32_t rock = 1 << 30;

    template <bool walled>
    std::size_t run(std::uint32_t from);

    std::uint32_t stride_ = 0;
    bool walled_ = false;
    std::vector<std::int32_t> blank_;
    std::vector<std::int32_t> distance_;
    std::vector<std::uint32_t> queue_;
    std::vector<std::uint8_t> steps_; ///< with walls: bits 0..3 for north, west, east, south
};

/// The longest of the shortest ways between any two open cells that a way joins; 0 without open cells.
class DiameterFinder {
  public:
    std::uint32_t diameter(StepField& field);

  private:
    std::uint32_t diameter_of_part(StepField& field, std::uint32_t known);

    // What each cell's largest distance lies between.
    std::vector<std::int32_t> lowest_, highest_;
    std::vector<std::uint32_t> candidates_;
    std::vector<std::uint8_t> is_seen_;
};

/// Steps of a shortest walk from the entrance over all checkpoints, in any order, to the exit; −1 if there is
/// none, or if there are more than most_on_tour checkpoints.
std::int32_t shortest_tour(StepField& field, const Level& level);

} // namespace knossos::maze
