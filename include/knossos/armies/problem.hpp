#pragma once

#include <knossos/armies/board.hpp>
#include <knossos/core/genome.hpp>
#include <knossos/core/objective.hpp>
#include <knossos/core/random.hpp>

#include <cstdint>

namespace knossos::armies {

/// Peaceable armies of queens: as many queens as possible in the smallest of several armies, none of which
/// attacks another. A genome holds the board itself, square by square. Every genome is repaired into a
/// peaceable board; one that is not is worth nothing.
struct PeaceableArmies {
    std::uint32_t size = 8;
    std::uint32_t armies = 2;
    std::uint32_t tries = 100; ///< queens that the shortest campaign tries on each square

    static constexpr Objective objective = Objective::maximise;
    [[nodiscard]] Space space() const { return Space::integers(std::size_t{size} * size, armies + 1); }
    [[nodiscard]] double evaluate(IntegerView<std::uint8_t> squares) const;
    /// Queens at random, repaired.
    void initialise(Stream& stream, Integers<std::uint8_t> squares) const;
    /// Queens stay, in random order, if nobody of another army who stayed before stands on their lines.
    void repair(Stream& stream, Integers<std::uint8_t> squares) const;
    /// A campaign: from an empty board, or from the one that is there.
    [[nodiscard]] bool propose(Stream& stream, Integers<std::uint8_t> squares) const;
};

} // namespace knossos::armies
