#include <knossos/queens/solver.hpp>

#include <vector>

namespace knossos::queens {

bool is_solution(std::span<const std::uint32_t> columns) {
    const std::size_t n = columns.size();
    const std::size_t words = 2 * n / 64 + 1;
    std::vector<std::uint64_t> taken(5 * words / 2 + 2);
    // True if the line was free; takes it.
    const auto take = [&taken](std::size_t line) {
        std::uint64_t& word = taken[line / 64];
        const std::uint64_t bit = std::uint64_t{1} << line % 64;
        const bool free = (word & bit) == 0;
        word |= bit;
        return free;
    };
    for (std::size_t row = 0; row < n; ++row) {
        const std::size_t column = columns[row];
        if (column >= n || !take(column) || !take(n + row + column) || !take(3 * n + row + (n - 1) - column))
            return false;
    }
    return n > 0;
}

} // namespace knossos::queens
