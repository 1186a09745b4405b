#pragma once

#include <knossos/core/random.hpp>

#include <cstdint>
#include <span>

namespace knossos::armies {

/// Which turn of the board maps a campaign's armies onto each other: many of the best boards known look the
/// same from two sides or from four, once their armies have changed names, and are far easier to find among
/// their like.
enum class Turn : unsigned char { none, half, quarter };

/// How a campaign goes.
struct Plan {
    bool from_empty = true;    ///< else from the queens that are there
    Turn turn = Turn::none;    ///< only from an empty board
    bool joined = false;       ///< whether the edges of the board are joined
    double hot = 0.5;          ///< temperature at the start, roughly in queens
    double cold = 0.15;        ///< temperature at the end
    std::uint64_t tries = 100; ///< queens that are tried
};

/// A campaign is an annealing of its own, on a slope that is finer than the size of the smallest army. Each
/// try names a square and an army, more often than not the smallest; whoever stands on a line with that
/// square and is of another army has to leave; and the sum of the roots of the armies' sizes decides whether
/// that is done, which favours many queens and armies of equal sizes. With a turn, the same is done on the
/// squares and to the armies that it leads to. Boards with joined edges can be laid side by side. Leaves the
/// board on which the smallest army was largest. The squares must hold a peaceable board: see Board.
void campaign(Stream& stream, const Plan& plan, std::uint32_t size, std::uint32_t armies,
              std::span<std::uint8_t> squares);

} // namespace knossos::armies
