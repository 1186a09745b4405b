#include <knossos/queens/conflict_batch.hpp>
#include <knossos/queens/problems.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace knossos::queens {

namespace {

// Working memory of the counting kernels. Nothing in it survives a call, so that it does not matter whose it
// is.
BatchScratch& scratch_of_thread() {
    thread_local BatchScratch scratch;
    return scratch;
}

void scale(std::span<double> fitness, Counting counting) {
    if (counting == Counting::collisions)
        for (double& value : fitness) value *= 2.0;
}

void count(const Batch& batch, std::uint32_t size, bool permutations, Counting counting,
           std::span<double> fitness) {
    count_conflicts({.boards = batch.data,
                     .stride = batch.stride,
                     .rows = batch.rows,
                     .count = batch.count,
                     .n = size,
                     .gene_bytes = batch.space->gene_bytes,
                     .permutations = permutations},
                    fitness, scratch_of_thread());
    scale(fitness, counting);
}

// As count(), but boards that are still those of their parents, as most are once a population has settled,
// are worth what those are.
void count_changed(const Batch& batch, std::uint32_t size, Counting counting, std::span<double> fitness) {
    struct Memory {
        std::vector<std::uint32_t> places{};
        std::vector<std::uint32_t> rows{};
        std::vector<double> values{};
    };
    thread_local Memory memory;
    auto& [places, rows, values] = memory;
    places.resize(batch.count);
    rows.resize(batch.count);
    values.resize(batch.count);
    std::size_t found = 0;
    const Population& parents = *batch.parentage->parents;
    for (std::size_t i = 0; i < batch.count; ++i) {
        const std::size_t row = batch.row(i);
        const std::size_t parent = (*batch.parentage)[row];
        fitness[i] = parents.fitness()[parent];
        places[found] = static_cast<std::uint32_t>(i);
        rows[found] = static_cast<std::uint32_t>(row);
        found += std::memcmp(batch[i], parents.genome(parent), batch.stride) != 0 ? 1U : 0U;
    }
    Batch changed = batch;
    changed.rows = rows.data();
    changed.count = found;
    count(changed, size, true, counting, std::span{values}.first(found));
    for (std::size_t i = 0; i < found; ++i) fitness[places[i]] = values[i];
}

double pairs(std::uint32_t queens) {
    return 0.5 * static_cast<double>(queens) * (static_cast<double>(queens) - 1.0);
}

// The row, the column and the two diagonals of a square, as places in one array of 6 · size counters.
std::array<std::size_t, 4> lines_of(std::size_t bit, std::uint32_t size) {
    const std::size_t row = bit / size;
    const std::size_t column = bit % size;
    return {row, size + column, 2 * std::size_t{size} + row + column,
            4 * std::size_t{size} + row + size - 1 - column};
}

// Queens on each line of any set of squares.
void count_lines(BitView board, std::uint32_t size, std::vector<std::uint32_t>& counters) {
    counters.assign(std::size_t{6} * size, 0);
    const auto words = board.words();
    for (std::size_t w = 0; w < words.size(); ++w)
        for (std::uint64_t rest = words[w]; rest != 0; rest &= rest - 1)
            for (const std::size_t line :
                 lines_of(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)), size))
                ++counters[line];
}

// Conflicts of any set of squares: every line with k queens holds k(k − 1)/2 pairs.
double board_conflicts(BitView board, std::uint32_t size) {
    thread_local std::vector<std::uint32_t> counters;
    count_lines(board, size, counters);
    double total = 0.0;
    for (const std::uint32_t queens : counters)
        if (queens > 1) total += pairs(queens);
    return total;
}

double pseudo_boolean_value(BitView board, std::uint32_t size, const std::vector<std::uint32_t>& counters) {
    std::uint64_t excess = 0;
    for (const std::uint32_t queens : counters) excess += queens > 1 ? queens - 1 : 0;
    return static_cast<double>(board.count()) - static_cast<double>(size) * static_cast<double>(excess);
}

} // namespace

void Permutations::evaluate_batch(const Batch& batch, std::span<double> fitness) const {
    if (batch.parentage != nullptr)
        count_changed(batch, size, counting, fitness);
    else
        count(batch, size, true, counting, fitness);
}

double Permutations::Tracker::count() {
    counters_.assign(std::size_t{4} * size_, 0);
    for (std::size_t row = 0; row < columns_.size(); ++row) {
        ++rising(row, columns_[row]);
        ++falling(row, columns_[row]);
    }
    double total = 0.0;
    for (const std::uint32_t queens : counters_)
        if (queens > 1) total += pairs(queens);
    return total;
}

double Permutations::Tracker::delta(Swap move) const {
    const std::size_t i = move.first;
    const std::size_t j = move.second;
    if (i == j) return 0.0;
    const std::uint32_t a = columns_[i];
    const std::uint32_t b = columns_[j];
    const bool same_rising = i + a == j + b;
    const bool same_falling = i + size_ - a == j + size_ - b;
    const std::int64_t after = std::int64_t{rising(i, b)} + rising(j, a) + falling(i, b) + falling(j, a);
    const std::int64_t before = std::int64_t{rising(i, a)} + rising(j, b) + falling(i, a) + falling(j, b);
    return weight_ * static_cast<double>(after - before + 4 + (same_rising ? 2 : 0) + (same_falling ? 2 : 0));
}

void Permutations::Tracker::apply(Swap move) {
    const std::size_t i = move.first;
    const std::size_t j = move.second;
    --rising(i, columns_[i]);
    --falling(i, columns_[i]);
    --rising(j, columns_[j]);
    --falling(j, columns_[j]);
    std::swap(columns_[i], columns_[j]);
    ++rising(i, columns_[i]);
    ++falling(i, columns_[i]);
    ++rising(j, columns_[j]);
    ++falling(j, columns_[j]);
}

void IntegerArrays::evaluate_batch(const Batch& batch, std::span<double> fitness) const {
    count(batch, size, false, counting, fitness);
}

void PackedGenes::evaluate_batch(const Batch& batch, std::span<double> fitness) const {
    // Unpacked a few boards at a time, so that the counting kernels see the array they know.
    thread_local std::vector<std::uint32_t> unpacked;
    const Space flat = Space::integers(size, size);
    constexpr std::size_t boards = 64;
    const std::size_t stride = flat.genome_bytes();
    unpacked.resize(boards * stride / sizeof(std::uint32_t));
    auto* const bytes = reinterpret_cast<std::byte*>(unpacked.data());
    for (std::size_t first = 0; first < batch.count; first += boards) {
        const std::size_t some = std::min(boards, batch.count - first);
        for (std::size_t i = 0; i < some; ++i) {
            const auto genes = view_as<PackedView>(*batch.space, batch[first + i]);
            visit_genome(flat, bytes + i * stride, [&](auto view) {
                if constexpr (requires {
                                  view.set(std::size_t{0}, std::uint32_t{0});
                                  view.alphabet();
                              })
                    for (std::size_t row = 0; row < genes.size(); ++row) view.set(row, genes[row]);
            });
        }
        count({&flat, bytes, stride, some}, size, false, counting, fitness.subspan(first, some));
    }
}

double BitBoards::evaluate(BitView board) const {
    if (counting != Counting::captures) {
        const double found = board_conflicts(board, size);
        return counting == Counting::collisions ? 2.0 * found : found;
    }
    if (size == 8) return static_cast<double>(captures_8x8(board.words()[0]));
    return static_cast<double>(captures(board, size, scratch_of_thread().counting));
}

void BitBoards::repair(Stream& stream, Bits board) const {
    const auto is_fixed = [&](std::size_t bit) {
        return std::ranges::any_of(
            fixed, [&](Square square) { return std::size_t{square.row} * size + square.column == bit; });
    };
    for (const Square square : fixed) {
        const std::size_t bit = std::size_t{square.row} * size + square.column;
        if (board[bit]) continue;
        board.set(bit, true);
        std::vector<std::size_t> movable;
        for (std::size_t other = 0; other < board.size(); ++other)
            if (board[other] && !is_fixed(other)) movable.push_back(other);
        board.set(movable[stream.below64(movable.size())], false);
    }
}

double PseudoBoolean::evaluate(BitView board) const {
    thread_local std::vector<std::uint32_t> counters;
    count_lines(board, size, counters);
    return pseudo_boolean_value(board, size, counters);
}

double PseudoBoolean::Tracker::start(BitView board) {
    board_ = board;
    count_lines(board, size_, counters_);
    return pseudo_boolean_value(board, size_, counters_);
}

double PseudoBoolean::Tracker::delta(Flip move) const {
    // A queen that comes costs on every line that has one; one that goes relieves every line that has two.
    const bool goes = (*board_)[move.position];
    const std::uint32_t enough = goes ? 2 : 1;
    std::uint32_t crowded = 0;
    for (const std::size_t line : lines_of(move.position, size_))
        crowded += counters_[line] >= enough ? 1U : 0U;
    const double change = 1.0 - static_cast<double>(size_) * crowded;
    return goes ? -change : change;
}

void PseudoBoolean::Tracker::apply(Flip move) {
    const bool goes = (*board_)[move.position];
    for (const std::size_t line : lines_of(move.position, size_))
        goes ? --counters_[line] : ++counters_[line];
}

Counting default_counting(Encoding encoding) {
    if (encoding == Encoding::packed) return Counting::collisions;
    return encoding == Encoding::board ? Counting::captures : Counting::conflicts;
}

Problem make_problem(std::uint32_t size, Encoding encoding, Counting counting, std::vector<Square> fixed) {
    if (size == 0) throw InvalidSetting{"problem", "problem", "n", "is 0; a board has at least one row"};
    if (counting == Counting::captures && encoding != Encoding::board)
        throw InvalidSetting{"problem", "problem", "counting",
                             "is 'captures', which needs the encoding 'board': with one queen per row count "
                             "'conflicts' or 'collisions'"};
    switch (encoding) {
    case Encoding::integers:
        return IntegerArrays{size, counting, std::move(fixed)};
    case Encoding::packed:
        return PackedGenes{size, counting, std::move(fixed)};
    case Encoding::board:
        return BitBoards{size, counting, std::move(fixed)};
    case Encoding::permutation:
        break;
    }
    return Permutations{size, counting, std::move(fixed)};
}

} // namespace knossos::queens
