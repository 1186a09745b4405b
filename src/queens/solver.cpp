#include <knossos/core/error.hpp>
#include <knossos/queens/solver.hpp>

#include <boost/container/small_vector.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
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

/// Random 16-bit numbers in bulk, from the stream (generation, slot 0) of Purpose::solve, 32 blocks at a
/// time: first the low halves of all first words, then those of the second, third and fourth, then the high
/// halves in the same order.
class RandomHalves {
  public:
    explicit RandomHalves(PhiloxKey key) : key_{key} {}

    void start(std::uint64_t generation) {
        generation_ = generation;
        block_ = 0;
        place_ = halves_.size();
    }

    /// Uniform in 0 .. 2¹⁶ − 1.
    std::uint32_t next() {
        if (place_ == halves_.size()) refill();
        return halves_[place_++];
    }

    /// Uniform in 0 .. bound − 1 up to a bias that no search notices: bound / 2¹⁶ for small bounds, else
    /// bound / 2³².
    std::size_t below(std::size_t bound) {
        const std::size_t high = next();
        if (bound <= 256) return high * bound >> 16U;
        return (high << 16U | next()) * bound >> 32U;
    }

  private:
    static constexpr std::size_t blocks = 32;

    void refill() {
        std::array<PhiloxBlock, blocks> words;
        for (PhiloxBlock& block : words)
            block = {block_++, 0, static_cast<std::uint32_t>(generation_),
                     static_cast<std::uint32_t>(generation_ >> 32U)};
        philox4x32_each(key_, words);
        for (std::size_t word = 0; word < 4; ++word)
            for (std::size_t i = 0; i < blocks; ++i) {
                halves_[word * blocks + i] = static_cast<std::uint16_t>(words[i][word]);
                halves_[(4 + word) * blocks + i] = static_cast<std::uint16_t>(words[i][word] >> 16U);
            }
        place_ = 0;
    }

    PhiloxKey key_;
    std::uint64_t generation_ = 0;
    std::uint32_t block_ = 0;
    std::array<std::uint16_t, 8 * blocks> halves_{};
    std::size_t place_ = 8 * blocks;
};

/// A list that takes no memory of its own while it is short: on small boards allocating takes as long as
/// searching.
template <class T>
using ShortList = boost::container::small_vector<T, 16>;

/// A queen's two diagonals, as indices. Both grow with the column, so that the diagonals of 64 neighbouring
/// squares of a row are 64 neighbouring bits.
struct Diagonals {
    std::size_t rising;  ///< row + column
    std::size_t falling; ///< n − 1 − row + column
};

/// One bit per diagonal: set if a queen is on it.
class DiagonalBits {
  public:
    explicit DiagonalBits(std::uint32_t n) : words_(2 * (2 * std::size_t{n} / 64 + 2)) {}

    void clear() { std::fill(words_.begin(), words_.end(), std::uint64_t{0}); }
    void take(Diagonals at) {
        rising()[at.rising / 64] |= std::uint64_t{1} << at.rising % 64;
        falling()[at.falling / 64] |= std::uint64_t{1} << at.falling % 64;
    }
    [[nodiscard]] bool any(Diagonals at) const {
        return ((rising()[at.rising / 64] >> at.rising % 64 | falling()[at.falling / 64] >> at.falling % 64) &
                1U) != 0;
    }
    /// Bit i is set if square i of the 64 that begin at these diagonals is attacked along one.
    [[nodiscard]] std::uint64_t attacked(Diagonals first) const {
        return word_at(rising(), first.rising) | word_at(falling(), first.falling);
    }
    [[nodiscard]] std::uint64_t* rising() { return words_.data(); }
    [[nodiscard]] std::uint64_t* falling() { return words_.data() + words_.size() / 2; }

  private:
    [[nodiscard]] const std::uint64_t* rising() const { return words_.data(); }
    [[nodiscard]] const std::uint64_t* falling() const { return words_.data() + words_.size() / 2; }
    static std::uint64_t word_at(const std::uint64_t* bits, std::size_t first) {
        const std::size_t shift = first % 64;
        return bits[first / 64] >> shift | bits[first / 64 + 1] << 1U << (63 - shift);
    }

    ShortList<std::uint64_t> words_;
};

/// Queens per diagonal, counted.
class DenseLines {
  public:
    explicit DenseLines(std::uint32_t n) : bits_{n}, falling_{2 * std::size_t{n}}, counts_(2 * falling_) {}

    static constexpr bool placed_queens_count = false;

    void clear() {
        bits_.clear();
        std::fill(counts_.begin(), counts_.end(), Count{0});
    }
    void add(Diagonals at) {
        ++counts_[at.rising];
        ++counts_[falling_ + at.falling];
    }
    void remove(Diagonals at) {
        --counts_[at.rising];
        --counts_[falling_ + at.falling];
    }
    [[nodiscard]] std::uint32_t queens_on(Diagonals at) const {
        return std::uint32_t{counts_[at.rising]} + counts_[falling_ + at.falling];
    }
    [[nodiscard]] DiagonalBits& bits() { return bits_; }

  private:
    using Count = std::uint16_t;

    DiagonalBits bits_;
    std::size_t falling_; ///< where the counts of the falling diagonals begin
    boost::container::small_vector<Count, 64> counts_;
};

/// Queens per diagonal on a board on which hardly any diagonal has more than one: the bits, and a hash table
/// for those with more.
class SparseLines {
  public:
    explicit SparseLines(std::uint32_t n) : bits_{n} { clear_table(); }

    static constexpr bool placed_queens_count = true;

    void clear() {
        bits_.clear();
        clear_table();
    }
    void add(Diagonals at) {
        add_line(bits_.rising(), at.rising, rising_key(at));
        add_line(bits_.falling(), at.falling, falling_key(at));
    }
    void remove(Diagonals at) {
        remove_line(bits_.rising(), at.rising, rising_key(at));
        remove_line(bits_.falling(), at.falling, falling_key(at));
    }
    [[nodiscard]] std::uint32_t queens_on(Diagonals at) {
        return count(bits_.rising(), at.rising, rising_key(at)) +
               count(bits_.falling(), at.falling, falling_key(at));
    }
    [[nodiscard]] DiagonalBits& bits() { return bits_; }

  private:
    struct Entry {
        std::size_t key = nobody;
        std::uint32_t more = 0; ///< queens beyond the first
    };
    static constexpr std::size_t nobody = ~std::size_t{0};

    static std::size_t rising_key(Diagonals at) { return 2 * at.rising; }
    static std::size_t falling_key(Diagonals at) { return 2 * at.falling + 1; }

    [[nodiscard]] std::uint32_t count(const std::uint64_t* bits, std::size_t line, std::size_t key) const {
        if ((bits[line / 64] >> line % 64 & 1U) == 0) return 0;
        return 1 + table_[place_of(key)].more;
    }
    void add_line(std::uint64_t* bits, std::size_t line, std::size_t key) {
        const std::uint64_t mask = std::uint64_t{1} << line % 64;
        if ((bits[line / 64] & mask) == 0) {
            bits[line / 64] |= mask;
            return;
        }
        Entry& entry = table_[place_of(key)];
        if (entry.key == nobody) ++used_;
        entry = {key, entry.more + 1};
        if (2 * used_ > table_.size()) grow();
    }
    void remove_line(std::uint64_t* bits, std::size_t line, std::size_t key) {
        Entry& entry = table_[place_of(key)];
        if (entry.more > 0)
            --entry.more;
        else
            bits[line / 64] &= ~(std::uint64_t{1} << line % 64);
    }
    [[nodiscard]] std::size_t place_of(std::size_t key) const {
        const std::size_t mask = table_.size() - 1;
        std::size_t place = key * 0x9E3779B97F4A7C15U >> 32U & mask;
        while (table_[place].key != key && table_[place].key != nobody) place = (place + 1) & mask;
        return place;
    }
    void clear_table() {
        table_.assign(1024, Entry{});
        used_ = 0;
    }
    // Lines that are no longer crowded stay in the table until it grows.
    void grow() {
        const std::vector<Entry> old = std::exchange(table_, std::vector<Entry>(2 * table_.size()));
        used_ = 0;
        for (const Entry& entry : old) {
            if (entry.more == 0) continue;
            table_[place_of(entry.key)] = entry;
            ++used_;
        }
    }

    DiagonalBits bits_;
    std::vector<Entry> table_{};
    std::size_t used_ = 0;
};

/// The rows whose queens may move: genome position k stands for row at(k).
struct AllRows {
    [[nodiscard]] std::size_t at(std::size_t position) const { return position; }
};
struct SomeRows {
    std::vector<std::uint32_t> rows;
    [[nodiscard]] std::size_t at(std::size_t position) const { return rows[position]; }
};

/// One run of the solver. The genome is a permutation of the free columns over the movable rows.
template <class Lines, class Rows>
class Search {
  public:
    /// Bit c of the free columns is set if no fixed queen stands in column c.
    Search(std::uint32_t n, const Streams& streams, const SolverOptions& options, Rows rows,
           ShortList<std::uint64_t> free_columns);

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
Search<Lines, Rows>::Search(std::uint32_t n, const Streams& streams, const SolverOptions& options, Rows rows,
                            ShortList<std::uint64_t> free_columns)
    : n_{n}, options_{options}, rows_{std::move(rows)}, free_columns_{std::move(free_columns)},
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

void check_fixed(std::uint32_t n, std::span<const Square> fixed) {
    if (n == 0) throw InvalidInput{"the board has 0 rows; it needs at least 1"};
    std::vector<Square> queens(fixed.begin(), fixed.end());
    for (const Square& queen : queens)
        if (queen.row >= n || queen.column >= n)
            throw InvalidInput{
                fmt::format("the queen in row {}, column {} lies off the board; rows and columns are 0..{}",
                            queen.row, queen.column, n - 1)};
    const auto check_line = [&queens](auto line_of, const char* line_name) {
        std::sort(queens.begin(), queens.end(), [&](Square a, Square b) { return line_of(a) < line_of(b); });
        const auto pair = std::adjacent_find(queens.begin(), queens.end(),
                                             [&](Square a, Square b) { return line_of(a) == line_of(b); });
        if (pair != queens.end())
            throw InvalidInput{
                fmt::format("the queens in row {}, column {} and row {}, column {} attack each other: "
                            "they share a {}",
                            pair[0].row, pair[0].column, pair[1].row, pair[1].column, line_name)};
    };
    check_line([](Square at) { return std::int64_t{at.row}; }, "row");
    check_line([](Square at) { return std::int64_t{at.column}; }, "column");
    check_line([](Square at) { return std::int64_t{at.row} + at.column; }, "diagonal");
    check_line([](Square at) { return std::int64_t{at.row} - at.column; }, "diagonal");
}

ShortList<std::uint64_t> free_columns(std::uint32_t n, std::span<const Square> fixed) {
    ShortList<std::uint64_t> words((std::size_t{n} + 63) / 64, ~std::uint64_t{0});
    if (n % 64 != 0) words.back() = (std::uint64_t{1} << n % 64) - 1;
    for (const Square& queen : fixed) words[queen.column / 64] &= ~(std::uint64_t{1} << queen.column % 64);
    return words;
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
    ShortList<std::uint64_t> columns = free_columns(n, options.fixed);
    if (options.fixed.empty())
        return Search<Lines, AllRows>{n, streams, options, {}, std::move(columns)}.run();
    return Search<Lines, SomeRows>{n, streams, options, movable_rows(n, options.fixed), std::move(columns)}
        .run();
}

/// Exhaustive search with a word per direction: bit c of (rising >> r) is square (r, c)'s rising diagonal,
/// bit c of (falling >> (n − 1 − r)) its falling one.
class Completion {
  public:
    explicit Completion(std::uint32_t n) : n_{n}, all_{(std::uint64_t{1} << n) - 1} {}

    [[nodiscard]] bool exists(std::span<const Square> fixed) {
        Board board{.free_rows = static_cast<std::uint32_t>(all_)};
        for (const Square& queen : fixed)
            board = with_queen(board, queen.row, std::uint64_t{1} << queen.column);
        return exists(board);
    }

  private:
    struct Board {
        std::uint32_t free_rows = 0;
        std::uint64_t columns = 0;
        std::uint64_t rising = 0;
        std::uint64_t falling = 0;
    };

    [[nodiscard]] Board with_queen(const Board& board, std::uint32_t row, std::uint64_t column) const {
        return {board.free_rows & ~(1U << row), board.columns | column, board.rising | column << row,
                board.falling | column << (n_ - 1 - row)};
    }

    // Goes on with the row that has the fewest squares left, and turns back as soon as a row or a column has
    // none.
    [[nodiscard]] bool exists(const Board& board) {
        if (board.free_rows == 0) return true;
        std::uint32_t best_row = 0;
        std::uint64_t best_squares = 0;
        int fewest = std::numeric_limits<int>::max();
        std::uint64_t reachable = board.columns;
        for (std::uint32_t rows = board.free_rows; rows != 0; rows &= rows - 1) {
            const auto row = static_cast<std::uint32_t>(std::countr_zero(rows));
            const std::uint64_t squares =
                all_ & ~(board.columns | board.rising >> row | board.falling >> (n_ - 1 - row));
            reachable |= squares;
            const int count = std::popcount(squares);
            if (count >= fewest) continue;
            fewest = count;
            best_row = row;
            best_squares = squares;
        }
        if (fewest == 0 || reachable != all_) return false;
        for (; best_squares != 0; best_squares &= best_squares - 1)
            if (exists(with_queen(board, best_row, best_squares & (~best_squares + 1)))) return true;
        return false;
    }

    std::uint32_t n_;
    std::uint64_t all_;
};

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

bool exists_completion(std::uint32_t n, std::span<const Square> fixed) {
    if (n > largest_exact_completion)
        throw InvalidInput{fmt::format("the board has {} rows; the exact check handles at most {}", n,
                                       largest_exact_completion)};
    check_fixed(n, fixed);
    return Completion{n}.exists(fixed);
}

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
