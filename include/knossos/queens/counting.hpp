#pragma once

#include <knossos/core/genome.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace knossos::queens {

/// Working memory of the counters below. Make one per thread and reuse it: it grows to the largest board it
/// has seen and nothing is allocated after that.
class CountingScratch {
  public:
    /// `count` zeroed counters, valid until the next call.
    std::span<std::uint32_t> zeroed(std::size_t count);

  private:
    std::vector<std::uint32_t> counters_;
};

/// Pairs of queens that attack each other, each pair once; columns[r] is the column of row r's queen, and
/// columns may repeat. Every column must be less than the number of rows. O(n).
template <class Gene>
std::uint64_t conflicts(std::span<const Gene> columns, CountingScratch& scratch);

/// As conflicts(), for boards that are known to be permutations: only the diagonals are counted.
template <class Gene>
std::uint64_t permutation_conflicts(std::span<const Gene> columns, CountingScratch& scratch);

/// Collisions as the roulette-queens system counts them: each queen is charged for every queen it meets, so
/// twice the conflicts.
template <class Gene>
std::uint64_t collisions(std::span<const Gene> columns, CountingScratch& scratch) {
    return 2 * conflicts(columns, scratch);
}

/// Writes to each[r] how many queens the queen of row r meets; they add up to collisions().
template <class Gene>
void collisions_of_each(std::span<const Gene> columns, std::span<std::uint32_t> each,
                        CountingScratch& scratch);

/// Captures possible in one move on an n × n bit board (bit r·n + c), for any number of queens: the nearest
/// queen in each of the eight directions, summed over queens, so each capturing pair counts twice. A line
/// with k queens holds k − 1 such pairs, so only the number of occupied lines matters.
std::uint64_t captures(BitView board, std::uint32_t n, CountingScratch& scratch);

namespace detail {

/// Set bits of a word. Spelled out because std::popcount is a library call where the baseline has no such
/// instruction.
constexpr std::uint64_t ones(std::uint64_t word) {
    word -= word >> 1U & 0x5555555555555555U;
    word = (word & 0x3333333333333333U) + (word >> 2U & 0x3333333333333333U);
    word = (word + (word >> 4U)) & 0x0F0F0F0F0F0F0F0FU;
    return word * 0x0101010101010101U >> 56U;
}

} // namespace detail

/// captures() on an 8 × 8 board in one word. Folding the eight rows onto each other, shifted by one more
/// column each time, leaves one bit per occupied column, diagonal and antidiagonal.
constexpr std::uint64_t captures_8x8(std::uint64_t board) {
    constexpr std::uint64_t even_rows = 0x00FF00FF00FF00FFU;
    constexpr std::uint64_t even_pairs = 0x0000FFFF0000FFFFU;
    const std::uint64_t even = board & even_rows;
    const std::uint64_t odd = board >> 8U & even_rows;
    const auto fold = [](std::uint64_t first, std::uint64_t second, unsigned step) {
        const std::uint64_t pairs = first | second << step;
        const std::uint64_t fours = (pairs & even_pairs) | (pairs >> 16U & even_pairs) << 2 * step;
        return (fours | fours >> 32U << 4 * step) & 0x7FFFU;
    };
    const std::uint64_t diagonals = fold(even, odd, 1);
    // Antidiagonals: the same fold from the last row up.
    const std::uint64_t antipairs = even << 1U | odd;
    const std::uint64_t antifours = (antipairs & even_pairs) << 2U | (antipairs >> 16U & even_pairs);
    const std::uint64_t antidiagonals = ((antifours << 4U) | antifours >> 32U) & 0x7FFFU;
    const std::uint64_t columns = fold(even, odd, 0) & 0xFFU;
    std::uint64_t rows = board | board >> 4U;
    rows |= rows >> 2U;
    rows = (rows | rows >> 1U) & 0x0101010101010101U;
    const std::uint64_t lines =
        detail::ones(diagonals << 32U | antidiagonals << 16U | columns) + (rows * 0x0101010101010101U >> 56U);
    return 2 * (4 * detail::ones(board) - lines);
}

} // namespace knossos::queens
