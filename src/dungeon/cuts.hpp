#pragma once

#include <knossos/dungeon/level.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace knossos::dungeon {

/// How many cells each cell cuts off from one of them, found by one walk through all of the ground, depth
/// first: what was come to by way of a cell is cut off by it unless some way leads from there to a cell seen
/// before. Only memory is kept between levels.
class Cuts {
  public:
    /// Returns how many cells hang together with `from`.
    std::size_t find(const Level& level, std::size_t from) {
        order_.assign(level.area(), unseen);
        earliest_.assign(level.area(), unseen);
        below_.assign(level.area(), 1);
        cut_.assign(level.area(), 0);
        std::uint32_t seen = 1;
        order_[from] = earliest_[from] = seen;
        walk_.assign(1, {static_cast<std::uint32_t>(from), 0});
        while (!walk_.empty()) {
            Standing& here = walk_.back();
            if (here.step == 4) {
                leave();
                continue;
            }
            const std::size_t to = beside(level, here.cell, here.step++);
            if (to == level.area() || level.cells[to] == Tile::rock) continue;
            if (order_[to] != unseen) {
                earliest_[here.cell] = std::min(earliest_[here.cell], order_[to]);
                continue;
            }
            order_[to] = earliest_[to] = ++seen;
            walk_.push_back({static_cast<std::uint32_t>(to), 0});
        }
        return seen;
    }
    [[nodiscard]] std::size_t cut_off_by(std::size_t cell) const { return cut_[cell]; }

  private:
    static constexpr std::uint32_t unseen = 0;
    struct Standing {
        std::uint32_t cell;
        std::uint32_t step; ///< which neighbour is next
    };

    // A neighbour, or the area if that lies off the level.
    static std::size_t beside(const Level& level, std::size_t cell, std::uint32_t step) {
        const std::uint32_t x = level.x_of(cell);
        if (step == 0 && cell >= level.width) return cell - level.width;
        if (step == 1 && x > 0) return cell - 1;
        if (step == 2 && x + 1 < level.width) return cell + 1;
        if (step == 3 && cell + level.width < level.area()) return cell + level.width;
        return level.area();
    }

    // All ways from the last cell have been looked at.
    void leave() {
        const std::uint32_t cell = walk_.back().cell;
        walk_.pop_back();
        if (walk_.empty()) return;
        const std::uint32_t before = walk_.back().cell;
        below_[before] += below_[cell];
        if (earliest_[cell] >= order_[before])
            cut_[before] += below_[cell];
        else
            earliest_[before] = std::min(earliest_[before], earliest_[cell]);
    }

    std::vector<Standing> walk_;
    std::vector<std::uint32_t> order_;    ///< in which cells were seen, from 1
    std::vector<std::uint32_t> earliest_; ///< that can be come to from what lies below
    std::vector<std::uint32_t> below_;    ///< cells come to by way of this one, itself among them
    std::vector<std::uint32_t> cut_;
};

} // namespace knossos::dungeon
