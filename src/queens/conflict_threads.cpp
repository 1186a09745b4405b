#include <knossos/core/error.hpp>
#include <knossos/core/grid_batch.hpp>
#include <knossos/queens/conflict_batch.hpp>

#include <fmt/format.h>

#include <cstring>
#include <vector>

namespace knossos::queens {

namespace {

struct Worker {
    BatchScratch scratch{};
    std::vector<std::byte> boards{};   ///< copies: what was looked at must not change before it is counted
    std::vector<std::uint64_t> seen{}; ///< by column, the board that had a queen there last, counted from 1
};

// Whether no two queens of a board share a column.
template <class Gene>
bool is_permutation(const BoardBatch& batch, std::size_t board, std::size_t first, Worker& worker) {
    const auto* const columns = reinterpret_cast<const Gene*>(batch.boards + board * batch.stride);
    bool is_one = true;
    for (std::size_t row = 0; row < batch.n; ++row) {
        if (columns[row] >= batch.n)
            throw InvalidInput{fmt::format("boards[{}, {}] is {}; columns of a board of {} are 0 to {}",
                                           first + board, row, columns[row], batch.n, batch.n - 1)};
        is_one = is_one && worker.seen[columns[row]] != first + board + 1;
        worker.seen[columns[row]] = first + board + 1;
    }
    return is_one;
}

bool are_permutations(const BoardBatch& batch, std::size_t first, Worker& worker) {
    worker.seen.resize(batch.n);
    bool all = true;
    for (std::size_t board = 0; board < batch.count; ++board) { // all of them: every gene is looked at
        const bool one = batch.gene_bytes == 1   ? is_permutation<std::uint8_t>(batch, board, first, worker)
                         : batch.gene_bytes == 2 ? is_permutation<std::uint16_t>(batch, board, first, worker)
                                                 : is_permutation<std::uint32_t>(batch, board, first, worker);
        all = all && one;
    }
    return all;
}

} // namespace

void count_conflicts(const BoardBatch& batch, std::span<double> out, unsigned threads) {
    constexpr std::size_t together = 256;
    if (batch.n == 0) throw InvalidInput{"boards: a board has at least one row"};
    std::vector<Worker> workers;
    for_each_stretch(
        batch.count, together, threads, [&](std::size_t count) { workers.resize(count); },
        [&](std::size_t first, std::size_t end, std::size_t worker) {
            BoardBatch some = batch;
            some.stride = std::size_t{batch.n} * batch.gene_bytes;
            some.count = end - first;
            std::vector<std::byte>& copies = workers[worker].boards;
            copies.resize(some.count * some.stride);
            for (std::size_t i = 0; i < some.count; ++i)
                std::memcpy(copies.data() + i * some.stride, batch.boards + (first + i) * batch.stride,
                            some.stride);
            some.boards = copies.data();
            some.permutations = are_permutations(some, first, workers[worker]);
            count_conflicts(some, out.subspan(first, end - first), workers[worker].scratch);
        });
}

} // namespace knossos::queens
