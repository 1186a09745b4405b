#pragma once

#include <vector>

/// Pairs of queens on a line, by counters: what every C++ peer evaluates. In a permutation no two share a
/// column.
template <bool permutation, class Columns>
int conflicting_pairs(const Columns& columns, int n, std::vector<int>& counters) {
    counters.assign(static_cast<std::size_t>(5 * n), 0);
    int pairs = 0;
    for (int row = 0; row < n; ++row) {
        const int column = static_cast<int>(columns[row]);
        if (!permutation) pairs += counters[static_cast<std::size_t>(column)]++;
        pairs += counters[static_cast<std::size_t>(n + row + column)]++;
        pairs += counters[static_cast<std::size_t>(4 * n + row - column)]++;
    }
    return pairs;
}
