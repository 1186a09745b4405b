#pragma once

#include "dungeon/search.hpp"

#include <knossos/dungeon/judge.hpp>

namespace knossos::dungeon {

/// Shortest walks cell by cell, of what a search has found piece by piece. Walks are extended in the order in
/// which they were found, north before west before east before south, so that of several shortest ones the
/// first in that order is found first.
class Walks {
  public:
    /// To the exit; the search has reached all. As numbers of the ground's cells.
    const Walk& to_exit(const Ground& ground, const Search& search);
    /// To where the exit can't be reached any more; the search has found what is winning.
    const Walk& to_loss(const Ground& ground, const Search& search);

  private:
    struct Place {
        std::uint32_t cell;
        std::uint32_t condition;
        std::uint32_t before; ///< the place that it was found from
    };

    void begin(const Ground& ground, const Search& search);
    template <class IsEnd>
    std::uint32_t find(IsEnd is_end);
    void prepare_few();
    std::uint32_t find_exit_among_few();
    void visit(std::uint32_t cell, std::uint32_t condition, std::uint32_t before);
    void trace(std::uint32_t last);
    /// The condition in which one stands there when coming from another; none if one may not.
    [[nodiscard]] std::uint32_t condition_there(std::uint32_t cell, std::uint32_t condition) const;

    const Ground* ground_ = nullptr;
    const Search* search_ = nullptr;
    std::vector<Place> places_;
    std::vector<std::uint8_t> visited_; ///< by condition and cell
    // Among few conditions:
    std::vector<Ground::Steps> steps_;
    std::vector<std::uint64_t> among_;   ///< by cell: conditions in which somebody has been there
    std::vector<std::uint64_t> covered_; ///< by condition: itself, and those that it dominates
    std::vector<std::uint8_t> closely_;
    Walk walk_;
};

} // namespace knossos::dungeon
