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
    void find_dominated(const Search& search);
    std::uint32_t find_exit();
    std::uint32_t find_loss();
    bool visit_free(std::uint32_t at);
    void visit(std::uint32_t cell, std::uint32_t condition, std::uint32_t before);
    void trace(std::uint32_t last);
    /// The condition in which one stands there when coming from another; none if one may not.
    [[nodiscard]] std::uint32_t condition_there(std::uint32_t cell, std::uint32_t condition) const;

    const Ground* ground_ = nullptr;
    const Search* search_ = nullptr;
    static constexpr std::uint8_t free = 0;
    static constexpr std::uint8_t visited = 1;
    static constexpr std::uint8_t to_ask = 2; ///< not visited, and something happens there

    std::size_t stride_ = 0;          ///< from condition to condition
    std::vector<std::uint8_t> marks_; ///< by condition and cell
    std::vector<std::uint8_t> row_;   ///< those of a condition at the beginning
    std::vector<Ground::Steps> steps_;
    std::vector<Place> places_;
    std::vector<std::uint32_t> dominated_; ///< conditions, one list after the other
    std::vector<std::uint32_t> first_dominated_;
    Walk walk_;
};

} // namespace knossos::dungeon
