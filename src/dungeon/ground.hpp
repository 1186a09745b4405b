#pragma once

#include "dungeon/runs.hpp"

#include <knossos/dungeon/level.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace knossos::dungeon {

/// A level as it can be walked on: its cells as bits, and the *pieces* that it falls into: cells that
/// something happens on are pieces each, floor between them that hangs together is one. What can be walked to
/// changes by whole pieces only.
class Ground {
  public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    struct Piece {
        Tile tile = Tile::floor; ///< floor for all that nothing happens on
        std::uint32_t cell = 0;  ///< its first
        std::uint32_t cells = 0;
        std::uint32_t treasures = 0;
        std::uint32_t bit = none; ///< of a condition: which one says whether it has been taken or opened
        std::uint32_t first_out = none;
        std::uint32_t first_in = none;
    };
    struct Edge {
        std::uint32_t from;
        std::uint32_t to;
        std::uint32_t next_out; ///< the next edge from the same piece
        std::uint32_t next_in;  ///< the next edge to the same piece
    };

    /// Whether monsters are pieces of their own costs time, and is needed only to avoid them. The level must
    /// stay where it is.
    void build(const Level& level, bool monsters_apart);

    [[nodiscard]] const Level& level() const { return *level_; }
    [[nodiscard]] std::size_t area() const { return level_->area(); }
    [[nodiscard]] std::size_t open_cells() const { return open_cells_; }
    [[nodiscard]] Tile tile(std::size_t cell) const { return level_->cells[cell]; }
    /// Of a cell that is not rock.
    [[nodiscard]] std::uint32_t piece_of(std::size_t cell) const { return piece_of_[cell]; }
    /// Where a step leads, none if it can't be made. Nobody walks on from the exit.
    [[nodiscard]] std::uint32_t step(std::uint32_t cell, Step step) const;
    [[nodiscard]] std::uint32_t entrance() const { return entrance_; }
    [[nodiscard]] std::uint32_t exit() const { return exit_; }

    /// All that is not rock.
    [[nodiscard]] const BitRows& open() const { return open_; }
    [[nodiscard]] const std::vector<Piece>& pieces() const { return pieces_; }
    /// Pieces of cells that something happens on, in reading order.
    [[nodiscard]] const std::vector<std::uint32_t>& specials() const { return specials_; }
    [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }
    [[nodiscard]] std::uint32_t small_keys() const { return small_keys_; }
    [[nodiscard]] std::uint32_t small_doors() const { return small_doors_; }
    /// Sets what hangs together with the entrance if one-ways and doors are floor.
    void find_connected(BitRows& connected);

  private:
    void classify(bool monsters_apart);
    void make_pieces();
    void add_special(std::uint32_t cell);
    void make_edges();
    void add_edge(std::uint32_t from, std::uint32_t to);
    [[nodiscard]] std::uint32_t neighbour(std::uint32_t cell, Step step) const;

    const Level* level_ = nullptr;
    BitRows open_;
    BitRows plain_; ///< floor that nothing happens on
    BitRows special_;
    BitRows treasures_;
    Runs runs_; ///< of the plain floor
    std::vector<std::uint32_t> piece_of_;
    std::vector<std::uint32_t> specials_;
    std::vector<Piece> pieces_;
    std::vector<Edge> edges_;
    std::vector<std::uint32_t> roots_; ///< of pieces that hang together
    std::size_t open_cells_ = 0;
    std::uint32_t entrance_ = none;
    std::uint32_t exit_ = none;
    std::uint32_t small_keys_ = 0;
    std::uint32_t small_doors_ = 0;
};

} // namespace knossos::dungeon
