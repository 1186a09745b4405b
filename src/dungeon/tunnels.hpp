#pragma once

#include "dungeon/digging.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace knossos::dungeon {

/// Ways from one cell to all others that go through as little rock as can be. Only memory is kept between
/// levels.
class Tunnels {
  public:
    /// Through rock that `may_dig` allows.
    template <class MayDig>
    void find(const Level& level, std::size_t from, MayDig may_dig) {
        before_.assign(level.area(), unseen);
        taken_.assign(level.area(), 0);
        before_[from] = static_cast<std::uint32_t>(from);
        rock_.assign(1, before_[from]);
        // Round by round: what is open from there on, then rock beside that, of which the next round begins.
        while (!rock_.empty()) {
            open_.swap(rock_);
            rock_.clear();
            for (std::size_t head = 0; head < open_.size(); ++head) {
                const std::uint32_t here = open_[head];
                for_each_beside(level, here, [&](std::size_t to) {
                    const bool is_rock = level.cells[to] == Tile::rock;
                    if (before_[to] != unseen || (is_rock && !may_dig(to))) return;
                    before_[to] = here;
                    (is_rock ? rock_ : open_).push_back(static_cast<std::uint32_t>(to));
                });
            }
        }
    }
    /// The cells of the way to a cell, if there is one, from its end on, up to those that have been taken
    /// before.
    template <class Visit>
    void take(std::size_t to, Visit visit) {
        for (std::size_t cell = to; before_[cell] != unseen && taken_[cell] == 0; cell = before_[cell]) {
            taken_[cell] = 1;
            visit(cell);
        }
    }

  private:
    static constexpr std::uint32_t unseen = ~std::uint32_t{0};

    std::vector<std::uint32_t> before_; ///< by way of which neighbour one comes to each cell
    std::vector<std::uint8_t> taken_;
    std::vector<std::uint32_t> open_;
    std::vector<std::uint32_t> rock_;
};

} // namespace knossos::dungeon
