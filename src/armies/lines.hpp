#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace knossos::armies {

/// Rows, columns and diagonals of a board.
constexpr std::size_t count_of_lines(std::uint32_t size) { return std::size_t{6} * size - 2; }

/// The four lines that meet at a square.
constexpr std::array<std::uint16_t, 4> lines_through(std::uint32_t square, std::uint32_t size) {
    const std::uint32_t row = square / size;
    const std::uint32_t column = square % size;
    return {static_cast<std::uint16_t>(row), static_cast<std::uint16_t>(size + column),
            static_cast<std::uint16_t>(2 * size + row + column),
            static_cast<std::uint16_t>(4 * size - 1 + row + (size - 1 - column))};
}

/// The same on a board whose edges are joined, row 0 to the last row and column 0 to the last column: all its
/// lines are of one length, and two diagonals may meet twice.
constexpr std::array<std::uint16_t, 4> joined_lines_through(std::uint32_t square, std::uint32_t size) {
    const std::uint32_t row = square / size;
    const std::uint32_t column = square % size;
    return {static_cast<std::uint16_t>(row), static_cast<std::uint16_t>(size + column),
            static_cast<std::uint16_t>(2 * size + (row + column) % size),
            static_cast<std::uint16_t>(3 * size + (row + size - column) % size)};
}

} // namespace knossos::armies
