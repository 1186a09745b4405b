#include <knossos/queens/counting.hpp>

#include <array>
#include <bit>

namespace knossos::queens {

namespace {

// Up to here the counters fit in a cache line or a few and live on the stack.
constexpr std::size_t small_board = 64;

constexpr std::size_t diagonals_of(std::size_t n) { return 2 * n - 1; }

// Counts a pair whenever a queen lands on a line that holds queens already.
template <bool shared_columns, class Gene, class Counter>
std::uint64_t count_pairs(std::span<const Gene> columns, Counter* counters) {
    const std::size_t n = columns.size();
    Counter* const rising = counters;
    Counter* const falling = rising + diagonals_of(n);
    [[maybe_unused]] Counter* const upright = falling + diagonals_of(n);
    std::uint64_t pairs = 0;
    for (std::size_t row = 0; row < n; ++row) {
        const std::size_t column = columns[row];
        pairs += rising[row + column]++;
        pairs += falling[row + (n - 1) - column]++;
        if constexpr (shared_columns) pairs += upright[column]++;
    }
    return pairs;
}

template <bool shared_columns, class Gene>
std::uint64_t count_pairs_of_board(std::span<const Gene> columns, CountingScratch& scratch) {
    const std::size_t n = columns.size();
    if (n == 0) return 0;
    if (n <= small_board) {
        std::array<std::uint8_t, 5 * small_board> counters{};
        return count_pairs<shared_columns>(columns, counters.data());
    }
    return count_pairs<shared_columns>(columns, scratch.zeroed(2 * diagonals_of(n) + n).data());
}

// Row r of a board of n ≤ 64 columns, which may straddle two words.
std::uint64_t row_of(std::span<const std::uint64_t> words, std::size_t row, std::size_t n) {
    const std::size_t bit = row * n;
    const std::size_t shift = bit % 64;
    std::uint64_t value = words[bit / 64] >> shift;
    if (shift + n > 64) value |= words[bit / 64 + 1] << (64 - shift);
    return value & ~std::uint64_t{0} >> (64 - n);
}

std::uint64_t captures_in_one_word(std::uint64_t board, std::size_t n) {
    const std::uint64_t first_row = ~std::uint64_t{0} >> (64 - n);
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
    std::uint64_t diagonals = 0;
    std::uint64_t antidiagonals = 0;
    for (std::size_t row = 0; row < n; ++row) {
        const std::uint64_t queens = board >> row * n & first_row;
        rows += queens != 0 ? 1U : 0U;
        columns |= queens;
        diagonals |= queens << row;
        antidiagonals |= queens << (n - 1 - row);
    }
    const std::uint64_t lines = rows + detail::ones(diagonals << 32U | antidiagonals << 16U | columns);
    return 2 * (4 * detail::ones(board) - lines);
}

// A row shifted within 128 bits: low and high word.
struct WideLines {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    void add(std::uint64_t queens, std::size_t shift) {
        low |= queens << shift;
        high |= queens >> 1U >> (63 - shift);
    }
    [[nodiscard]] std::uint64_t count() const { return detail::ones(low) + detail::ones(high); }
};

std::uint64_t captures_row_by_row(std::span<const std::uint64_t> words, std::size_t n) {
    std::uint64_t queens_total = 0;
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
    WideLines diagonals;
    WideLines antidiagonals;
    for (std::size_t row = 0; row < n; ++row) {
        const std::uint64_t queens = row_of(words, row, n);
        if (queens == 0) continue;
        queens_total += detail::ones(queens);
        ++rows;
        columns |= queens;
        diagonals.add(queens, row);
        antidiagonals.add(queens, n - 1 - row);
    }
    const std::uint64_t lines = rows + detail::ones(columns) + diagonals.count() + antidiagonals.count();
    return 2 * (4 * queens_total - lines);
}

// Visits the queens only, so that an almost empty board costs little more than reading it.
std::uint64_t captures_queen_by_queen(std::span<const std::uint64_t> words, std::size_t n,
                                      CountingScratch& scratch) {
    std::uint32_t* const rows = scratch.zeroed(2 * n + 2 * diagonals_of(n)).data();
    std::uint32_t* const columns = rows + n;
    std::uint32_t* const diagonals = columns + n;
    std::uint32_t* const antidiagonals = diagonals + diagonals_of(n);
    std::uint64_t pairs = 0;
    const auto mark = [&pairs](std::uint32_t& line) {
        pairs += line;
        line = 1;
    };
    for (std::size_t index = 0; index < words.size(); ++index) {
        for (std::uint64_t word = words[index]; word != 0; word &= word - 1) {
            const std::size_t bit = index * 64 + static_cast<std::size_t>(std::countr_zero(word));
            const std::size_t row = bit / n;
            const std::size_t column = bit % n;
            mark(rows[row]);
            mark(columns[column]);
            mark(diagonals[row + column]);
            mark(antidiagonals[row + (n - 1) - column]);
        }
    }
    return 2 * pairs;
}

} // namespace

std::span<std::uint32_t> CountingScratch::zeroed(std::size_t count) {
    counters_.assign(count, 0);
    return counters_;
}

template <class Gene>
std::uint64_t conflicts(std::span<const Gene> columns, CountingScratch& scratch) {
    return count_pairs_of_board<true>(columns, scratch);
}

template <class Gene>
std::uint64_t permutation_conflicts(std::span<const Gene> columns, CountingScratch& scratch) {
    return count_pairs_of_board<false>(columns, scratch);
}

template <class Gene>
void collisions_of_each(std::span<const Gene> columns, std::span<std::uint32_t> each,
                        CountingScratch& scratch) {
    const std::size_t n = columns.size();
    if (n == 0) return;
    std::uint32_t* const rising = scratch.zeroed(2 * diagonals_of(n) + n).data();
    std::uint32_t* const falling = rising + diagonals_of(n);
    std::uint32_t* const upright = falling + diagonals_of(n);
    count_pairs<true>(columns, rising);
    for (std::size_t row = 0; row < n; ++row) {
        const std::size_t column = columns[row];
        each[row] = rising[row + column] + falling[row + (n - 1) - column] + upright[column] - 3;
    }
}

std::uint64_t captures(BitView board, std::uint32_t n, CountingScratch& scratch) {
    if (n == 0) return 0;
    if (n == 8) return captures_8x8(board.words()[0]);
    if (n < 8) return captures_in_one_word(board.words()[0], n);
    if (n <= 64) return captures_row_by_row(board.words(), n);
    return captures_queen_by_queen(board.words(), n, scratch);
}

template std::uint64_t conflicts(std::span<const std::uint8_t>, CountingScratch&);
template std::uint64_t conflicts(std::span<const std::uint16_t>, CountingScratch&);
template std::uint64_t conflicts(std::span<const std::uint32_t>, CountingScratch&);
template std::uint64_t permutation_conflicts(std::span<const std::uint8_t>, CountingScratch&);
template std::uint64_t permutation_conflicts(std::span<const std::uint16_t>, CountingScratch&);
template std::uint64_t permutation_conflicts(std::span<const std::uint32_t>, CountingScratch&);
template void collisions_of_each(std::span<const std::uint8_t>, std::span<std::uint32_t>, CountingScratch&);
template void collisions_of_each(std::span<const std::uint16_t>, std::span<std::uint32_t>, CountingScratch&);
template void collisions_of_each(std::span<const std::uint32_t>, std::span<std::uint32_t>, CountingScratch&);

} // namespace knossos::queens
