#pragma once

#include "maze/flood.hpp"

#include <knossos/core/genome.hpp>
#include <knossos/core/random.hpp>
#include <knossos/maze/problem.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace knossos::maze {

/// Proposes changes to direct mazes: a stretch of the shortest path is led along a new way, drawn at random
/// among those that touch the rest of the path nowhere, and the rock is closed around it; or a few cells are
/// flipped. Keeps its memory, and the path of the last maze, between calls: nothing of that changes what is
/// proposed.
class Proposer {
  public:
    bool propose(const Blueprint& blueprint, const ProposalMix& mix, Stream& stream, Bits genome);
    bool propose(const Blueprint& blueprint, Move move, Stream& stream, Bits genome);

  private:
    /// A stretch is this long at least and at most, in steps. Long ones find ways that a chain of small
    /// changes would have to pass through worse mazes for; what a search may look at bounds their cost.
    static constexpr std::uint32_t shortest_stretch = 4;
    static constexpr std::uint32_t longest_stretch = 60;

    /// By how much a new way may be longer than the old one.
    enum class Length : std::uint8_t { same, longer, shorter, longer_or_same, any };

    enum State : std::uint8_t { free, on_path, closed }; // closed: outside, or locked as rock

    void prepare(const Blueprint& blueprint);
    void find_path(const Blueprint& blueprint, Bits genome);
    bool reroute(const Blueprint& blueprint, Length change, Stream& stream, Bits genome);
    bool fill(const Blueprint& blueprint, Stream& stream, Bits genome) const;
    bool clear(const Blueprint& blueprint, Stream& stream, Bits genome);
    static bool set_block(const Blueprint& blueprint, Stream& stream, Bits genome);
    static bool copy_block(const Blueprint& blueprint, Stream& stream, Bits genome);
    [[nodiscard]] std::span<const std::uint32_t> path() const { return std::span{path_}.first(path_length_); }
    [[nodiscard]] std::span<const std::uint32_t> way() const { return std::span{way_}.first(way_length_); }
    [[nodiscard]] std::uint32_t position_of(const Blueprint& blueprint, std::size_t index) const;
    bool flip(const Blueprint& blueprint, Stream& stream, Bits genome) const;
    bool search(Stream& stream, std::uint32_t from, std::uint32_t came_from, std::uint32_t left);
    [[nodiscard]] bool touches_path(std::uint32_t at, std::uint32_t from, bool last) const;
    void write(const Blueprint& blueprint, std::size_t first, std::size_t length, Bits genome);
    void put(const Blueprint& blueprint, Bits genome, std::uint32_t position, bool rock) const;
    [[nodiscard]] std::uint32_t steps_to_goal(std::uint32_t position) const;

    AnyFlood flood_;
    Grid locked_rock_;
    Cell entrance_{};
    Cell exit_{};
    std::uint32_t stride_ = 0; // as in Flood: cells are numbered with a frame around the grid
    std::vector<State> blank_;
    std::vector<Cell> cells_; // by position
    std::vector<State> states_;
    std::vector<std::uint64_t> known_; // the maze whose path this is
    // Written by index, as both grow in the innermost loops: memory for the longest, and how much of it
    // counts.
    std::vector<std::uint32_t> path_; // from the exit to the entrance
    std::uint32_t path_length_ = 0;
    std::array<std::uint32_t, longest_stretch + 2> way_{}; // a new way may be two steps longer
    std::uint32_t way_length_ = 0;
    std::uint32_t goal_ = 0;
    Cell goal_cell_{};
    std::uint32_t nodes_ = 0;
};

} // namespace knossos::maze
