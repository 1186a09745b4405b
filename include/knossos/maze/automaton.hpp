#pragma once

#include <knossos/maze/grid.hpp>

#include <cstdint>

namespace knossos::maze {

/// The 18 rule bits of Adams, Parekh and Louis (2017): an open cell with m rock neighbours among its eight
/// becomes rock where bit m is set, a rock cell with m of them becomes open where bit 9 + m is.
struct AutomatonRules {
    std::uint32_t bits = 0;
};

constexpr std::size_t automaton_rule_bits = 18;

/// Lets a cellular automaton work on the rock of a grid: all cells change at once in each step, and what
/// lies beyond the border counts as rock. Walls between cells are left alone.
void run_automaton(AutomatonRules rules, std::uint32_t steps, Grid& grid);

} // namespace knossos::maze
