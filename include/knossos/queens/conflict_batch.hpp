#pragma once

#include <knossos/queens/counting.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace knossos::queens {

/// Where the boards of a batch lie: one row→column array of n genes every `stride` bytes, or the listed rows
/// of such a block. Genes are 1, 2 or 4 bytes wide and less than n.
struct BoardBatch {
    const std::byte* boards = nullptr;
    std::size_t stride = 0;
    const std::uint32_t* rows =
        nullptr; ///< which boards to count, in this order; nullptr for the first `count`
    std::size_t count = 0;
    std::uint32_t n = 0;
    unsigned gene_bytes = 1;
    bool permutations = true; ///< no two queens of a board share a column
};

/// Working memory of count_conflicts(). One per thread, reused between calls.
struct BatchScratch {
    CountingScratch counting{};
    std::vector<std::uint8_t> bytes{};
};

/// Writes the conflicts of each board of the batch to out[0 .. count − 1]: the same numbers as conflicts()
/// one board at a time, from kernels chosen at run time for the processor. Throws InvalidInput if the batch
/// contradicts itself.
void count_conflicts(const BoardBatch& batch, std::span<double> out, BatchScratch& scratch);

/// The same on so many threads (0: one per hardware thread), of boards that nobody has looked at yet: finds
/// out by itself whether they are permutations, and throws InvalidInput for a gene that is no column.
void count_conflicts(const BoardBatch& batch, std::span<double> out, unsigned threads);

} // namespace knossos::queens
