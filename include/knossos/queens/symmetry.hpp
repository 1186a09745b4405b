#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace knossos::queens {

/// The eight symmetries of the square. Bit 0 reflects the columns, bit 1 the rows, and then bit 2 exchanges
/// rows and columns.
enum class Symmetry : unsigned char {
    identity = 0,
    reflect_columns = 1,
    reflect_rows = 2,
    half_turn = 3,
    transpose = 4,
    quarter_turn = 5,
    three_quarter_turn = 6,
    antitranspose = 7,
};

inline constexpr std::array<Symmetry, 8> symmetries{
    Symmetry::identity,  Symmetry::reflect_columns, Symmetry::reflect_rows,       Symmetry::half_turn,
    Symmetry::transpose, Symmetry::quarter_turn,    Symmetry::three_quarter_turn, Symmetry::antitranspose};

/// The image of a board, given as the columns of its queens, row by row. Throws InvalidInput if the board is
/// not a permutation: then exchanging rows and columns would leave a row without a queen.
std::vector<std::uint32_t> transform(std::span<const std::uint32_t> board, Symmetry symmetry);

/// The lexicographically smallest of a board's images: the same for all boards of an orbit.
std::vector<std::uint32_t> canonical(std::span<const std::uint32_t> board);

/// The distinct images of a board in lexicographic order: 8, 4, 2 or 1 of them.
std::vector<std::vector<std::uint32_t>> orbit(std::span<const std::uint32_t> board);

/// Whether a board is the canonical one of its orbit. Of all solutions, those are the fundamental ones.
bool is_fundamental(std::span<const std::uint32_t> board);

} // namespace knossos::queens
