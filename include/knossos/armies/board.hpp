#pragma once

#include <knossos/core/genome.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace knossos::armies {

inline constexpr std::uint32_t smallest_board = 2;
inline constexpr std::uint32_t largest_board = 64;
inline constexpr std::uint32_t fewest_armies = 2;
inline constexpr std::uint32_t most_armies = 8;

/// Armies of queens on a board of size × size squares: row by row from the top, what stands on each square.
/// 0 is nobody, 1 to `armies` is a queen of that army.
struct Board {
    std::uint32_t size = 0;
    std::uint32_t armies = 0;
    std::vector<std::uint8_t> squares{};

    friend bool operator==(const Board&, const Board&) = default;
};

/// How many queens each army has.
std::vector<std::uint32_t> army_sizes(const Board& board);
std::uint32_t smallest_army(const Board& board);

/// Pairs of squares with queens of different armies on one row, column or diagonal, whether or not somebody
/// stands between them. Looks at every two queens: it shares nothing with the search, which it checks.
std::vector<std::pair<std::size_t, std::size_t>> attacks(const Board& board);

/// Whether no queen stands on a line with one of another army.
bool is_peaceable(const Board& board);

/// The board with armies of one size: those larger than the smallest lose their last queens, which never
/// brings an attack.
Board with_equal_armies(Board board);

/// The board that a genome stands for: its genes are the squares.
Board decode(std::uint32_t size, std::uint32_t armies, const Space& space, const std::byte* genome);

} // namespace knossos::armies
