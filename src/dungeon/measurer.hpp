#pragma once

#include "dungeon/search.hpp"

#include <knossos/dungeon/judge.hpp>

#include <vector>

namespace knossos::dungeon {

/// Takes the measures of a level whose ground, states and solution are known.
class Measurer {
  public:
    /// What lies on the ground and how it hangs together; one-ways and doors are floor here.
    void measure_ground(Ground& ground, MeasureSet wanted, Measures& out);
    /// With all doors open, or all shut. Of a way with all doors open the steps are known already.
    void measure_ways(const Ground& ground, std::int32_t exit_path, MeasureSet wanted, Measures& out);
    /// What can be reached and lost; the search has found what is winning.
    void measure_states(const Ground& ground, const Search& search, Measures& out);
    /// Of the walk, in numbers of the ground's cells; empty if there is none.
    void measure_solution(const Ground& ground, const Walk& solution, Measures& out);

  private:
    struct OpenedDoor {
        std::uint32_t piece;
        std::uint32_t key; ///< the piece of the key that opened it
    };

    void count_things(const Ground& ground, Measures& out) const;
    [[nodiscard]] bool is_dead_end(const Ground& ground, std::uint32_t cell) const;
    void measure_rooms(Measures& out);
    void flood(const Ground& ground, bool doors_shut, std::uint32_t closed);
    double tour(const Ground& ground, std::int32_t exit_path);
    void open_doors(const Ground& ground, const Walk& solution);
    double key_depth(const Ground& ground);

    std::vector<std::uint8_t> marks_; ///< by cell or piece
    std::vector<std::uint32_t> stack_;
    BitRows connected_;
    BitRows squares_;
    Runs room_runs_;
    struct Overlap {
        std::uint32_t upper;
        std::uint32_t lower;
        std::uint32_t cells;
    };
    std::vector<Overlap> overlaps_;
    std::vector<std::uint32_t> sizes_;
    std::vector<std::int32_t> distance_;
    std::vector<OpenedDoor> opened_;
    std::vector<std::uint32_t> in_hand_; ///< pieces of small keys, in the order in which they were taken
    std::vector<std::uint32_t> depth_;   ///< by opened door
    std::vector<std::uint32_t> places_;
    std::vector<std::int32_t> legs_;
    std::vector<std::int32_t> best_;
};

} // namespace knossos::dungeon
