#include "queens/fixed_queens.hpp"
#include "queens/solver_lines.hpp"
#include "queens/solver_random.hpp"

#include <knossos/queens/solver.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

namespace knossos::queens {

namespace {

// Columns are handed out in runs of 64 neighbours, looked at together in one word. A row picks its run among
// this many: few enough for the stretches of diagonals they lead to to stay in the cache, and enough for a
// free square to be there (measured up to n = 10⁸).
constexpr std::size_t open_runs = 2048;
// Runs a row looks at, and partners a queen in conflict looks at, before it gives up for now.
constexpr std::size_t most_runs_tried = 50;
constexpr std::size_t most_partners_tried = 4096;
// Swaps in a row that don't help before a board counts as stuck, and mutants of it that are tried then.
constexpr std::uint32_t patience = 3;
constexpr int mutants_per_board = 20;
constexpr int swaps_per_mutation = 3;
// Larger boards don't get stuck, and copying them would cost memory.
constexpr std::size_t largest_mutated = 100'000;

constexpr std::uint64_t evaluations_between_polls = 100'000;

// Up to here a counter per diagonal is cheap; beyond, a bit per diagonal and a table of the few crowded ones.
constexpr std::uint32_t largest_dense = 2048;

/// The rows whose queens may move: genome position k stands for row at(k).
struct AllRows {
    [[nodiscard]] std::size_t at(std::size_t position) const { return position; }
};
struct SomeRows {
    std::vector<std::uint32_t> rows;
    [[nodiscard]] std::size_t at(std::size_t position) const { return rows[position]; }
};

/// Bit c is set if no fixed queen stands in column c.
ShortList<std::uint64_t> free_columns(std::uint32_t n, std::span<const Square> fixed) {
    ShortList<std::uint64_t> words((std::size_t{n} + 63) / 64, ~std::uint64_t{0});
    if (n % 64 != 0) words.back() = (std::uint64_t{1} << n % 64) - 1;
    for (const Square& queen : fixed) words[queen.column / 64] &= ~(std::uint64_t{1} << queen.column % 64);
    return words;
}

/// One run of the solver. The genome is a permutation of the free columns over the movable rows.
template <class Lines, class Rows>
class Search {
  public:
    Search(std::uint32_t n, const Streams& streams, const SolverOptions& options, Rows rows);

    SolverResult run();

  private:
    struct Run {
        std::uint64_t unused; ///< bit i: no queen has column first + i yet
        std::size_t first;
    };
    /// A queen that looks for a partner to swap columns with.
    struct Mover {
        std::size_t row;
        std::size_t column;
        std::int32_t queens_met; ///< on its two diagonals, itself on both
    };
    struct Move {
        std::size_t partner;
        std::int32_t delta;
    };

    [[nodiscard]] std::size_t size() const { return genome_.size(); }
    [[nodiscard]] Diagonals diagonals_at(std::size_t row, std::size_t column) const {
        return {row + column, n_ - 1 - row + column};
    }
    [[nodiscard]] Diagonals diagonals(std::size_t position) const {
        return diagonals_at(rows_.at(position), genome_[position]);
    }
    [[nodiscard]] std::uint32_t queens_on(Diagonals at) { return lines_.queens_on(at); }
    [[nodiscard]] bool in_conflict(std::size_t position) { return queens_on(diagonals(position)) > 2; }
    [[nodiscard]] bool spent() const { return stopped_ || evaluations_ >= budget_; }

    void clear_board();
    template <class T>
    void shuffle(ShortList<T>& values) {
        for (std::size_t remaining = values.size(); remaining > 1; --remaining)
            std::swap(values[remaining - 1], values[random_.below(remaining)]);
    }
    void shuffle_runs();
    void place_queens();
    bool place_queen(std::size_t position);
    bool open_run(std::size_t place);
    void place_suspects();
    [[nodiscard]] Mover mover(std::size_t position) {
        return {rows_.at(position), genome_[position],
                static_cast<std::int32_t>(queens_on(diagonals(position)))};
    }
    [[nodiscard]] std::int32_t swap_delta(const Mover& i, std::size_t j);
    Move find_move(std::size_t position);
    Move find_free_move(std::size_t position);
    void apply(std::size_t position, Move move);
    bool improve();
    void restore(std::span<const std::uint32_t> genome);
    void mutate();
    bool improve_mutants();
    void keep_if_best();
    void poll();
    SolverResult result();

    std::size_t n_;
    const SolverOptions& options_;
    Rows rows_;
    ShortList<std::uint64_t> free_columns_;
    ShortList<std::uint32_t> runs_{}; ///< in the order in which they are opened
    std::size_t next_run_ = 0;
    ShortList<Run> open_{};
    RandomHalves random_;
    Lines lines_;
    std::vector<std::uint32_t> genome_{}; ///< column of each movable row
    ShortList<std::size_t> suspects_{};   ///< positions; of every two queens in conflict one is here
    ShortList<std::uint32_t> best_{};
    std::uint64_t conflicts_ = 0;
    std::uint64_t best_conflicts_ = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t evaluations_ = 0;
    std::uint64_t budget_ = 0;
    std::uint64_t next_poll_ = evaluations_between_polls;
    std::uint64_t restarts_ = 0;
    bool stopped_ = false;
};

template <class Lines, class Rows>
Search<Lines, Rows>::Search(std::uint32_t n, const Streams& streams, const SolverOptions& options, Rows rows)
    : n_{n}, options_{options}, rows_{std::move(rows)}, free_columns_{free_columns(n, options.fixed)},
      random_{streams.key(Purpose::solve)}, lines_{n} {
    genome_.resize(n - options.fixed.size());
    budget_ = options.max_evaluations != 0 ? options.max_evaluations : 200'000'000 + 1000 * std::uint64_t{n};
}

template <class Lines, class Rows>
void Search<Lines, Rows>::clear_board() {
    lines_.clear();
    for (const Square& queen : options_.fixed) {
        lines_.add(diagonals_at(queen.row, queen.column));
        lines_.bits().take(diagonals_at(queen.row, queen.column));
    }
    suspects_.clear();
    conflicts_ = 0;
}

template <class Lines, class Rows>
void Search<Lines, Rows>::shuffle_runs() {
    runs_.resize(free_columns_.size());
    std::iota(runs_.begin(), runs_.end(), 0U);
    shuffle(runs_);
    next_run_ = 0;
}

// Puts the next run at a place of the open ones. False if there is none left.
template <class Lines, class Rows>
bool Search<Lines, Rows>::open_run(std::size_t place) {
    while (next_run_ < runs_.size()) {
        const std::size_t run = runs_[next_run_++];
        open_[place] = {free_columns_[run], run * 64};
        if (open_[place].unused != 0) return true;
    }
    return false;
}

// A board with few conflicts. Rows that find no free square come last: their conflicts are what improve()
// works on.
template <class Lines, class Rows>
void Search<Lines, Rows>::place_queens() {
    clear_board();
    shuffle_runs();
    open_.resize(std::min(open_runs, runs_.size()));
    std::size_t opened = 0;
    while (opened < open_.size() && open_run(opened)) ++opened;
    open_.resize(opened);
    for (std::size_t position = 0; position < size(); ++position) {
        if (!place_queen(position))
            suspects_.push_back(position);
        else if constexpr (!Lines::placed_queens_count)
            lines_.add(diagonals(position));
    }
    place_suspects();
}

// Looks at open runs from a random one on, and takes the first free square from a random one of the run on.
// The hot loop of large boards.
template <class Lines, class Rows>
bool Search<Lines, Rows>::place_queen(std::size_t position) {
    const std::size_t row = rows_.at(position);
    const std::uint32_t random = random_.next();
    const std::size_t tries = std::min(open_.size(), most_runs_tried);
    std::size_t place = random * open_.size() >> 16U;
    for (std::size_t tried = 0; tried < tries; ++tried) {
        Run& run = open_[place];
        ++evaluations_;
        const std::uint64_t free = run.unused & ~lines_.bits().attacked(diagonals_at(row, run.first));
        if (free != 0) {
            const int start = static_cast<int>(random % 64);
            const auto offset =
                static_cast<std::size_t>(std::countr_zero(std::rotr(free, start)) + start) % 64;
            genome_[position] = static_cast<std::uint32_t>(run.first + offset);
            lines_.bits().take(diagonals_at(row, run.first + offset));
            run.unused &= ~(std::uint64_t{1} << offset);
            if (run.unused == 0 && !open_run(place)) {
                run = open_.back();
                open_.pop_back();
            }
            return true;
        }
        if (++place == open_.size()) place = 0;
    }
    return false;
}

// The rows that found no square take the columns that are left.
template <class Lines, class Rows>
void Search<Lines, Rows>::place_suspects() {
    // Neighbours among the rows would get neighbouring columns, and share diagonals.
    shuffle(suspects_);
    auto suspect = suspects_.begin();
    const auto hand_out = [&](std::uint64_t unused, std::size_t first) {
        for (; unused != 0; unused &= unused - 1, ++suspect) {
            genome_[*suspect] =
                static_cast<std::uint32_t>(first + static_cast<std::size_t>(std::countr_zero(unused)));
            const Diagonals at = diagonals(*suspect);
            conflicts_ += queens_on(at);
            lines_.add(at);
        }
    };
    for (const Run& run : open_) hand_out(run.unused, run.first);
    for (; next_run_ < runs_.size(); ++next_run_)
        hand_out(free_columns_[runs_[next_run_]], runs_[next_run_] * std::size_t{64});
}

// What exchanging the columns of two rows adds to the conflicts: each queen leaves two lines and joins two. A
// pair that shares a line is counted twice when it leaves that one, and not at all when it joins one of the
// other kind together.
template <class Lines, class Rows>
std::int32_t Search<Lines, Rows>::swap_delta(const Mover& i, std::size_t j) {
    const std::size_t row_j = rows_.at(j);
    const std::size_t column_j = genome_[j];
    const auto joined = static_cast<std::int32_t>(queens_on(diagonals_at(i.row, column_j)) +
                                                  queens_on(diagonals_at(row_j, i.column)));
    const auto left = i.queens_met + static_cast<std::int32_t>(queens_on(diagonals_at(row_j, column_j)));
    const bool share_rising = i.row + i.column == row_j + column_j;
    const bool share_falling = i.row + column_j == row_j + i.column;
    return joined - left + 4 + (share_rising || share_falling ? 2 : 0);
}

// The first swap that helps, from a random row on; if none does, the best there is.
template <class Lines, class Rows>
auto Search<Lines, Rows>::find_move(std::size_t position) -> Move {
    if constexpr (Lines::placed_queens_count) {
        const Move move = find_free_move(position);
        if (move.delta < 0) return move;
    }
    Move best{position, std::numeric_limits<std::int32_t>::max()};
    const Mover moving = mover(position);
    const std::size_t tries = std::min(size(), most_partners_tried);
    std::size_t partner = random_.below(size());
    for (std::size_t i = 0; i < tries && best.delta >= 0; ++i) {
        if (partner != position) {
            ++evaluations_;
            const std::int32_t delta = swap_delta(moving, partner);
            if (delta < best.delta) best = {partner, delta};
        }
        if (++partner == size()) partner = 0;
    }
    return best;
}

// The first swap found that helps, looking only at partners that would stand on free diagonals. On large
// boards there are many, and rows in turn share cache lines of the diagonals.
template <class Lines, class Rows>
auto Search<Lines, Rows>::find_free_move(std::size_t position) -> Move {
    const Mover moving = mover(position);
    const std::size_t tries = std::min(size(), most_partners_tried);
    std::size_t partner = random_.below(size());
    for (std::size_t i = 0; i < tries; ++i) {
        ++evaluations_;
        if (!lines_.bits().any(diagonals_at(rows_.at(partner), moving.column))) {
            const std::int32_t delta = swap_delta(moving, partner);
            if (delta < 0) return {partner, delta};
        }
        if (++partner == size()) partner = 0;
    }
    return {position, 0};
}

template <class Lines, class Rows>
void Search<Lines, Rows>::apply(std::size_t position, Move move) {
    lines_.remove(diagonals(position));
    lines_.remove(diagonals(move.partner));
    std::swap(genome_[position], genome_[move.partner]);
    lines_.add(diagonals(position));
    lines_.add(diagonals(move.partner));
    conflicts_ += static_cast<std::uint64_t>(std::int64_t{move.delta});
    for (const std::size_t moved : {position, move.partner})
        if (in_conflict(moved) && std::find(suspects_.begin(), suspects_.end(), moved) == suspects_.end())
            suspects_.push_back(moved);
}

// Works on the suspects until none is in conflict (true), or the board seems stuck or the budget is spent
// (false).
template <class Lines, class Rows>
bool Search<Lines, Rows>::improve() {
    std::uint32_t since_better = 0;
    while (!suspects_.empty()) {
        std::size_t& suspect = suspects_[random_.below(suspects_.size())];
        const std::size_t position = suspect;
        if (!in_conflict(position)) {
            suspect = suspects_.back();
            suspects_.pop_back();
            continue;
        }
        const Move move = find_move(position);
        poll();
        if (spent()) return false;
        if (move.delta < 0)
            since_better = 0;
        else if (++since_better > patience)
            return false;
        if (move.delta <= 0) apply(position, move);
    }
    return true;
}

template <class Lines, class Rows>
void Search<Lines, Rows>::restore(std::span<const std::uint32_t> genome) {
    genome_.assign(genome.begin(), genome.end());
    clear_board();
    for (std::size_t position = 0; position < size(); ++position) {
        const Diagonals at = diagonals(position);
        conflicts_ += queens_on(at);
        lines_.add(at);
    }
    for (std::size_t position = 0; position < size(); ++position)
        if (in_conflict(position)) suspects_.push_back(position);
}

// A few swaps of queens in conflict with any others.
template <class Lines, class Rows>
void Search<Lines, Rows>::mutate() {
    for (int i = 0; i < swaps_per_mutation; ++i) {
        const std::size_t position = suspects_[random_.below(suspects_.size())];
        const std::size_t partner = random_.below(size());
        if (partner == position) continue;
        ++evaluations_;
        apply(position, {partner, swap_delta(mover(position), partner)});
    }
}

// Mutants of a stuck board, each improved, as long as one in `mutants_per_board` is no worse than its parent.
template <class Lines, class Rows>
bool Search<Lines, Rows>::improve_mutants() {
    ShortList<std::uint32_t> parent(genome_.begin(), genome_.end());
    std::uint64_t parent_conflicts = conflicts_;
    for (int mutant = 0; mutant < mutants_per_board && !spent(); ++mutant) {
        restore({parent.data(), parent.size()});
        mutate();
        if (improve()) return true;
        keep_if_best();
        if (conflicts_ > parent_conflicts) continue;
        if (conflicts_ < parent_conflicts) mutant = -1;
        parent.assign(genome_.begin(), genome_.end());
        parent_conflicts = conflicts_;
    }
    return false;
}

template <class Lines, class Rows>
void Search<Lines, Rows>::keep_if_best() {
    if (conflicts_ >= best_conflicts_) return;
    best_.assign(genome_.begin(), genome_.end());
    best_conflicts_ = conflicts_;
}

template <class Lines, class Rows>
void Search<Lines, Rows>::poll() {
    if (evaluations_ < next_poll_ || !options_.keep_going) return;
    next_poll_ = evaluations_ + evaluations_between_polls;
    stopped_ = !options_.keep_going({evaluations_, restarts_, conflicts_});
}

template <class Lines, class Rows>
SolverResult Search<Lines, Rows>::run() {
    for (;; ++restarts_) {
        random_.start(restarts_);
        place_queens();
        if (improve()) break;
        keep_if_best();
        if (spent() || (size() <= largest_mutated && improve_mutants()) || spent()) break;
    }
    return result();
}

template <class Lines, class Rows>
SolverResult Search<Lines, Rows>::result() {
    if (conflicts_ > best_conflicts_) {
        genome_.assign(best_.begin(), best_.end());
        conflicts_ = best_conflicts_;
    }
    SolverResult result{.solved = conflicts_ == 0,
                        .conflicts = conflicts_,
                        .evaluations = evaluations_,
                        .restarts = restarts_};
    if (options_.fixed.empty()) {
        result.columns = std::move(genome_);
        return result;
    }
    result.columns.resize(n_);
    for (const Square& queen : options_.fixed) result.columns[queen.row] = queen.column;
    for (std::size_t position = 0; position < size(); ++position)
        result.columns[rows_.at(position)] = genome_[position];
    return result;
}

SomeRows movable_rows(std::uint32_t n, std::span<const Square> fixed) {
    std::vector<bool> taken(n);
    for (const Square& queen : fixed) taken[queen.row] = true;
    SomeRows movable;
    movable.rows.reserve(n - fixed.size());
    for (std::uint32_t row = 0; row < n; ++row)
        if (!taken[row]) movable.rows.push_back(row);
    return movable;
}

template <class Lines>
SolverResult solve_with(std::uint32_t n, const Streams& streams, const SolverOptions& options) {
    if (options.fixed.empty()) return Search<Lines, AllRows>{n, streams, options, {}}.run();
    return Search<Lines, SomeRows>{n, streams, options, movable_rows(n, options.fixed)}.run();
}

} // namespace

SolverResult solve(std::uint32_t n, const Streams& streams, const SolverOptions& options) {
    check_fixed(n, options.fixed);
    const bool impossible = n == 2 || n == 3;
    SolverOptions allowed = options;
    // The search still finds the best there is.
    if (impossible) allowed.max_evaluations = 100;
    SolverResult result = n <= largest_dense ? solve_with<DenseLines>(n, streams, allowed)
                                             : solve_with<SparseLines>(n, streams, allowed);
    result.impossible = impossible;
    return result;
}

} // namespace knossos::queens
