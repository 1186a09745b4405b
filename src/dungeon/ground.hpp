#pragma once

#include <knossos/dungeon/level.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace knossos::dungeon {

/// The open cells of a level under numbers of their own, in reading order, with the steps between them; and
/// the *pieces* that it falls into: cells that something happens on are pieces each, floor between them
/// that hangs together is one. What can be walked to changes by whole pieces only.
class Ground {
  public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    using Steps = std::array<std::uint32_t, 4>;

    struct Piece {
        Tile tile = Tile::floor; ///< floor for all that nothing happens on
        std::uint32_t cells = 0;
        std::uint32_t treasures = 0;
        std::uint32_t number = 0; ///< of small keys, and of small doors: which of them it is
        std::uint32_t first_out = none;
        std::uint32_t first_in = none;
    };
    struct Edge {
        std::uint32_t from;
        std::uint32_t to;
        std::uint32_t next_out; ///< the next edge from the same piece
        std::uint32_t next_in;  ///< the next edge to the same piece
    };

    /// Whether monsters are pieces of their own costs time, and is needed only to avoid them.
    void build(const Level& level, bool monsters_apart);

    [[nodiscard]] std::size_t size() const { return tiles_.size(); }
    [[nodiscard]] Tile tile(std::size_t i) const { return tiles_[i]; }
    [[nodiscard]] std::uint32_t cell(std::size_t i) const { return cells_[i]; }
    [[nodiscard]] std::uint32_t piece_of(std::size_t i) const { return piece_of_[i]; }
    /// Where the four steps lead, none where they can't be made.
    [[nodiscard]] const Steps& steps(std::size_t i) const { return one_ways_ != 0 ? steps_[i] : beside_[i]; }
    /// The same as if one-ways were floor.
    [[nodiscard]] const Steps& beside(std::size_t i) const { return beside_[i]; }
    [[nodiscard]] std::uint32_t entrance() const { return entrance_; }
    [[nodiscard]] std::uint32_t exit() const { return exit_; }

    [[nodiscard]] const std::vector<Piece>& pieces() const { return pieces_; }
    [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }
    [[nodiscard]] std::uint32_t small_keys() const { return small_keys_; }
    [[nodiscard]] std::uint32_t small_doors() const { return small_doors_; }

  private:
    void number_cells(const Level& level);
    void make_steps();
    void make_pieces(bool monsters_apart);
    void make_edges();
    void add_edge(std::uint32_t from, std::uint32_t to);

    std::vector<Tile> tiles_;
    std::vector<std::uint32_t> cells_;
    std::vector<Steps> beside_;
    std::vector<Steps> steps_;
    std::vector<std::uint32_t> piece_of_;
    std::vector<std::uint32_t> above_;    ///< the numbers of the row above, by column
    std::vector<std::uint32_t> roots_;    ///< of cells that hang together
    std::vector<std::uint32_t> specials_; ///< cells that something happens on
    std::vector<Piece> pieces_;
    std::vector<Edge> edges_;
    std::uint32_t entrance_ = none;
    std::uint32_t exit_ = none;
    std::uint32_t one_ways_ = 0;
    std::uint32_t small_keys_ = 0;
    std::uint32_t small_doors_ = 0;
};

} // namespace knossos::dungeon
