#pragma once

#include "dungeon/legs.hpp"
#include "dungeon/search.hpp"

#include <knossos/dungeon/judge.hpp>

#include <vector>

namespace knossos::dungeon {

/// Steps from a cell to each other, -1 where none lead, with all doors open; nobody walks on from the exit.
void find_distances(const Ground& ground, std::uint32_t from, std::vector<std::int32_t>& distances,
                    std::vector<std::uint32_t>& queue);

/// Shortest walks cell by cell, of what a search has found piece by piece. Of several shortest ones the first
/// is found: they are compared step by step, north before west before east before south.
class Walks {
  public:
    /// Before to_exit and exit_path of the same ground.
    void begin(const Ground& ground);
    /// To the exit; the search has reached it.
    const Walk& to_exit(const Ground& ground, const Search& search);
    /// To where the exit can't be reached any more; the search has found what is losable.
    const Walk& to_loss(const Ground& ground, const Search& search);
    /// Steps of a shortest way to the exit with all doors open, -1 if there is none.
    std::int32_t exit_path(const Ground& ground);

  private:
    struct Place {
        std::uint32_t cell;
        std::uint32_t condition;
        std::uint32_t before; ///< the place that it was found from
    };

    template <class Act>
    bool with_legs(const Ground& ground, Act act);
    template <class IsEnd, class LeadsOn>
    std::uint32_t find(const Ground& ground, const Search& search, IsEnd is_end, LeadsOn leads_on);
    void visit(const Ground& ground, std::uint32_t cell, std::uint32_t condition, std::uint32_t before);
    void trace(std::uint32_t last);

    std::vector<Place> places_;
    std::vector<std::uint8_t> visited_; ///< by condition and cell
    std::vector<std::int32_t> distances_;
    std::vector<std::uint32_t> queue_;
    Legs<std::uint16_t, 16> narrow_;
    Legs<std::uint32_t, 32> wider_;
    Legs<std::uint64_t, 64> widest_;
    bool by_legs_ = false;
    Walk walk_;
};

} // namespace knossos::dungeon
