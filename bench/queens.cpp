// Speed of the queens kernels and of the default solver, each against a named baseline in the same run.
//
//     queens [evaluate] [captures] [duel] [solve] [large] [huge]
//
// Without arguments: everything but huge (n = 10⁸, half a minute with its baseline). Times are processor time
// of one core, medians; a figure that misses its bar is marked, and the exit code is then 1.
#include "measure.hpp"

#include <knossos/core/random.hpp>
#include <knossos/queens/conflict_batch.hpp>
#include <knossos/queens/counting.hpp>
#include <knossos/queens/solver.hpp>
#include <knossos/recipe/recipe.hpp>
#include <knossos/run/run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#if defined(__linux__)
#include <fstream>
#endif

namespace {

using namespace knossos;
using namespace knossos::queens;

using bench::median;
using bench::processor_seconds;
using bench::verdict;

// The two works in turn; medians of each.
template <class First, class Second>
std::array<double, 2> seconds_in_turn(int repeats, First first, Second second) {
    const bench::Comparison times = bench::compare(processor_seconds, repeats, first, second);
    return {median(times.first), median(times.second)};
}

// Takes something from every answer, so that compilers can't drop the work.
std::uint64_t guard = 0;

template <class Gene>
void bench_evaluation(std::uint32_t n, std::size_t count, double least_ratio, double prototype) {
    const std::size_t stride = (n * sizeof(Gene) + 7) / 8 * 8;
    std::vector<std::byte> bytes(stride * count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::span genes{reinterpret_cast<Gene*>(bytes.data() + i * stride), n};
        std::iota(genes.begin(), genes.end(), Gene{0});
        Stream stream = Streams{1}.at(Purpose::initialise, 0, static_cast<std::uint32_t>(i));
        stream.shuffle(genes);
    }
    std::vector<double> plain(count);
    std::vector<double> fast(count);
    BatchScratch scratch;
    const BoardBatch batch{
        .boards = bytes.data(), .stride = stride, .count = count, .n = n, .gene_bytes = sizeof(Gene)};
    const auto [plain_time, fast_time] = seconds_in_turn(
        15,
        [&] {
            for (std::size_t i = 0; i < count; ++i) {
                const std::span genes{reinterpret_cast<const Gene*>(bytes.data() + i * stride), n};
                plain[i] = static_cast<double>(permutation_conflicts(genes, scratch.counting));
            }
        },
        [&] { count_conflicts(batch, fast, scratch); });
    if (plain != fast) throw std::runtime_error{"the batch kernel and the counters disagree"};
    const double millions = 1e-6 * static_cast<double>(count);
    const double rate = millions / fast_time;
    fmt::print("  n = {:<5} {:9.2f} M boards/s   plain counters {:7.2f}   ratio {:6.2f} (bar {:.1f}){}   "
               "prototype {:.2f}, "
               "within 1.5 x: {}{}\n",
               n, rate, millions / plain_time, plain_time / fast_time, least_ratio,
               verdict(plain_time / fast_time >= least_ratio), prototype,
               rate * 1.5 >= prototype ? "yes" : "no", verdict(rate * 1.5 >= prototype));
}

void evaluate() {
    fmt::print("Conflicts of a batch of random permutations\n");
    bench_evaluation<std::uint8_t>(8, 50'000, 8.0, 966.0);
    bench_evaluation<std::uint8_t>(64, 20'000, 3.5, 42.0);
    bench_evaluation<std::uint16_t>(1000, 4'000, 1.1, 0.63);
}

// Walks in the eight directions from each queen.
std::uint64_t walked_captures(std::uint64_t board) {
    std::uint64_t total = 0;
    for (std::uint64_t queens = board; queens != 0; queens &= queens - 1) {
        const int square = std::countr_zero(queens);
        for (int direction = 0; direction < 9; ++direction) {
            const int down = direction / 3 - 1;
            const int right = direction % 3 - 1;
            if (direction == 4) continue;
            int row = square / 8 + down;
            int column = square % 8 + right;
            while (row >= 0 && row < 8 && column >= 0 && column < 8) {
                if ((board >> (row * 8 + column) & 1U) != 0) {
                    ++total;
                    break;
                }
                row += down;
                column += right;
            }
        }
    }
    return total;
}

void captures_of_8x8() {
    fmt::print("Captures on an 8 x 8 board of 8 queens\n");
    std::vector<std::uint64_t> boards(100'000);
    for (std::size_t i = 0; i < boards.size(); ++i) {
        Stream stream = Streams{2}.at(Purpose::initialise, 0, static_cast<std::uint32_t>(i));
        while (std::popcount(boards[i]) < 8) boards[i] |= std::uint64_t{1} << stream.below(64);
    }
    std::uint64_t walked = 0;
    std::uint64_t folded = 0;
    const auto [walked_time, folded_time] = seconds_in_turn(
        9,
        [&] {
            for (const std::uint64_t board : boards) walked += walked_captures(board);
        },
        [&] {
            // Each board depends on the previous count, as in a search: latency, not throughput.
            std::uint64_t previous = 0;
            for (const std::uint64_t board : boards) {
                previous = captures_8x8(board ^ previous >> 63U);
                folded += previous;
            }
        });
    if (walked != folded) throw std::runtime_error{"the two ways to count captures disagree"};
    const double nanoseconds = 1e9 * folded_time / static_cast<double>(boards.size());
    fmt::print("  {:.2f} ns a board (bar 40){}   walking the directions {:.1f} ns, ratio {:.1f}\n",
               nanoseconds, verdict(nanoseconds <= 40.0),
               1e9 * walked_time / static_cast<double>(boards.size()), walked_time / folded_time);
}

/// The duel as one would write it down: pieces of the board as bytes, one random number after the other from
/// the standard library's generator, captures counted by walking.
std::uint64_t plain_duel(std::uint64_t rounds) {
    std::mt19937_64 random{1};
    const auto below = [&random](std::uint64_t bound) { return random() % bound; };
    const auto captures = [](const std::array<bool, 64>& board) {
        std::uint64_t word = 0;
        for (std::size_t square = 0; square < 64; ++square) word |= std::uint64_t{board[square]} << square;
        return walked_captures(word);
    };
    std::array<std::array<bool, 64>, 2> boards{};
    std::array<std::uint64_t, 2> fitness{};
    for (std::size_t i = 0; i < 2; ++i) {
        for (int queens = 0; queens < 8;)
            if (bool& square = boards[i][below(64)]; !square) square = true, ++queens;
        fitness[i] = captures(boards[i]);
    }
    std::size_t newest = 1;
    for (std::uint64_t round = 0; round < rounds; ++round) {
        const std::size_t loser = fitness[1 - newest] < fitness[newest] ? newest : 1 - newest;
        boards[loser] = boards[1 - loser];
        std::vector<std::size_t> queens;
        for (std::size_t square = 0; square < 64; ++square)
            if (boards[loser][square]) queens.push_back(square);
        const std::uint64_t moves = 1 + below(queens.size());
        for (std::size_t i = 0; i < moves; ++i) {
            std::swap(queens[i], queens[i + below(queens.size() - i)]);
            std::size_t square = below(64);
            while (boards[loser][square]) square = below(64);
            boards[loser][square] = true;
            boards[loser][queens[i]] = false;
        }
        fitness[loser] = captures(boards[loser]);
        newest = loser;
    }
    return fitness[0] + fitness[1];
}

void duel() {
    fmt::print("Rounds of duel-queens on 8 x 8\n");
    constexpr std::uint64_t rounds = 2'000'000;
    constexpr std::uint64_t plain_rounds = rounds / 10;
    const Recipe recipe =
        Recipe::load("duel-queens", {"stop.solved=false", fmt::format("stop.evaluations={}", rounds)});
    const Problem problem = recipe.problem();
    std::uint64_t evaluations = 0;
    const auto [time, plain_time] = seconds_in_turn(
        7, [&] { evaluations = evolve(problem, recipe.settings()).evaluations; },
        [&] { guard += plain_duel(plain_rounds); });
    const double rate = static_cast<double>(evaluations) / time;
    const double plain_rate = static_cast<double>(plain_rounds) / plain_time;
    fmt::print("  {:.2f} M rounds/s (bar 8){}   plain {:.2f} M, ratio {:.1f}\n", 1e-6 * rate,
               verdict(rate >= 8e6), 1e-6 * plain_rate, rate / plain_rate);
}

/// Sosič and Gu's QS4 as a baseline: "Efficient local search with conflict minimization: a case study of the
/// n-queens problem", IEEE TKDE 6(5), 1994. Each row takes a random remaining column whose diagonals are
/// free; the last c rows take what is left; then queens in conflict are swapped with random others while that
/// helps. Written to be fast: diagonals are bits, candidates are drawn in batches, and columns and diagonals
/// are fetched ahead.
class Qs4 {
  public:
    Qs4(std::uint32_t n, std::uint64_t seed)
        : n_{n}, state_{seed * 0x9E3779B97F4A7C15U + 1}, columns_(n), rising_(n), falling_(n) {}

    std::vector<std::uint32_t> solve() {
        while (true) {
            place();
            if (repair()) return std::move(columns_);
        }
    }

  private:
    static constexpr std::size_t nobody = ~std::size_t{0};
    struct Crowd {
        std::size_t line = nobody;
        std::uint32_t more = 0;
    };
    struct Bits {
        explicit Bits(std::uint32_t n) : words(2 * std::size_t{n} / 64 + 1) {}
        [[nodiscard]] std::uint64_t get(std::size_t i) const { return words[i / 64] >> i % 64 & 1U; }
        void set(std::size_t i) { words[i / 64] |= std::uint64_t{1} << i % 64; }
        void fetch(std::size_t i) const { __builtin_prefetch(words.data() + i / 64, 1); }
        std::vector<std::uint64_t> words;
    };

    // A plain xorshift-multiply generator: faster than Philox, to the baseline's advantage.
    std::uint32_t below(std::uint32_t bound) {
        state_ ^= state_ >> 12U;
        state_ ^= state_ << 25U;
        state_ ^= state_ >> 27U;
        return static_cast<std::uint32_t>((state_ * 0x2545F4914F6CDD1DU >> 32U) * bound >> 32U);
    }

    [[nodiscard]] std::size_t falling_line(std::size_t row, std::size_t column) const {
        return row + n_ - 1 - column;
    }

    // How many rows take what is left: the fewest that still let the placement end quickly (tried out).
    [[nodiscard]] std::uint32_t last_rows() const {
        const std::uint32_t rows = n_ <= 100'000 ? 50 : n_ <= 10'000'000 ? 100 : 150;
        return std::min(rows, n_);
    }

    void place() {
        std::iota(columns_.begin(), columns_.end(), 0U);
        std::fill(rising_.words.begin(), rising_.words.end(), 0U);
        std::fill(falling_.words.begin(), falling_.words.end(), 0U);
        crowded_.fill({});
        suspects_.clear();
        const std::uint32_t placed = n_ - last_rows();
        std::uint32_t row = 0;
        if (n_ >= fetched_ahead) {
            row = place_ahead(placed);
        }
        for (; row < placed; ++row) {
            std::uint32_t other = row + below(n_ - row);
            while (!free(row, columns_[other])) other = row + below(n_ - row);
            take(row, other);
        }
        for (; row < n_; ++row) {
            std::swap(columns_[row], columns_[row + below(n_ - row)]);
            suspects_.push_back(row);
            add(row);
        }
    }

    [[nodiscard]] bool free(std::uint32_t row, std::uint32_t column) const {
        return (rising_.get(std::size_t{row} + column) | falling_.get(falling_line(row, column))) == 0;
    }

    void take(std::uint32_t row, std::uint32_t other) {
        std::swap(columns_[row], columns_[other]);
        rising_.set(std::size_t{row} + columns_[row]);
        falling_.set(falling_line(row, columns_[row]));
    }

    // Two stages ahead of its use, a candidate's column is fetched; one stage ahead, its diagonals.
    std::uint32_t place_ahead(std::uint32_t placed) {
        constexpr std::uint32_t size = 64;
        std::array<std::array<std::uint32_t, size>, 3> stages{};
        std::uint32_t row = 0;
        const auto draw = [&](auto& stage) {
            for (auto& other : stage) {
                other = row + below(n_ - row);
                __builtin_prefetch(columns_.data() + other, 1);
            }
        };
        const auto fetch = [&](const auto& stage) {
            for (const std::uint32_t other : stage) {
                rising_.fetch(std::size_t{row} + columns_[other]);
                falling_.fetch(falling_line(row, columns_[other]));
            }
        };
        draw(stages[0]);
        draw(stages[1]);
        fetch(stages[0]);
        for (std::size_t turn = 0; row + 2 * size < placed; ++turn) {
            draw(stages[(turn + 2) % 3]);
            fetch(stages[(turn + 1) % 3]);
            for (const std::uint32_t other : stages[turn % 3]) {
                if (other < row || !free(row, columns_[other])) continue;
                take(row, other);
                ++row;
            }
        }
        return row;
    }

    // Queens beyond the first on a line: a small hash table, as there are few.
    [[nodiscard]] std::size_t place_of(std::size_t line) const {
        std::size_t place = line * 0x9E3779B97F4A7C15U >> 52U;
        while (crowded_[place].line != line && crowded_[place].line != nobody)
            place = (place + 1) % crowded_.size();
        return place;
    }
    [[nodiscard]] std::uint32_t more_on(std::size_t line) const { return crowded_[place_of(line)].more; }
    std::uint32_t& more_on(std::size_t line) {
        Crowd& crowd = crowded_[place_of(line)];
        crowd.line = line;
        return crowd.more;
    }
    [[nodiscard]] std::size_t falling_key(std::size_t line) const { return 2 * std::size_t{n_} + line; }

    [[nodiscard]] std::uint32_t queens_on(std::size_t row, std::size_t column) const {
        const std::size_t rising = row + column;
        const std::size_t falling = falling_line(row, column);
        std::uint32_t queens = 0;
        if (rising_.get(rising) != 0) queens += 1 + more_on(rising);
        if (falling_.get(falling) != 0) queens += 1 + more_on(falling_key(falling));
        return queens;
    }

    void add(std::uint32_t row) {
        const std::size_t rising = std::size_t{row} + columns_[row];
        const std::size_t falling = falling_line(row, columns_[row]);
        if (rising_.get(rising) != 0) ++more_on(rising);
        if (falling_.get(falling) != 0) ++more_on(falling_key(falling));
        rising_.set(rising);
        falling_.set(falling);
    }

    void remove(std::uint32_t row) {
        const auto leave = [this](Bits& bits, std::size_t line, std::size_t key) {
            if (std::as_const(*this).more_on(key) > 0)
                --more_on(key);
            else
                bits.words[line / 64] &= ~(std::uint64_t{1} << line % 64);
        };
        const std::size_t rising = std::size_t{row} + columns_[row];
        const std::size_t falling = falling_line(row, columns_[row]);
        leave(rising_, rising, rising);
        leave(falling_, falling, falling_key(falling));
    }

    bool repair() {
        for (std::uint32_t steps = 0; !suspects_.empty(); ++steps) {
            const std::uint32_t row = suspects_.back();
            if (queens_on(row, columns_[row]) == 2) {
                suspects_.pop_back();
                continue;
            }
            if (!swap_with_someone(row)) return false;
        }
        return true;
    }

    bool swap_with_someone(std::uint32_t row) {
        for (int tries = 0; tries < 7000; ++tries) {
            const std::uint32_t other = below(n_);
            if (other == row) continue;
            const std::uint32_t before =
                queens_on(row, columns_[row]) + queens_on(other, columns_[other]) - 4;
            // Quick: unless the new squares are almost free, the exact count can't be better.
            if (queens_on(row, columns_[other]) + queens_on(other, columns_[row]) >= before) continue;
            remove(row);
            remove(other);
            std::swap(columns_[row], columns_[other]);
            add(row);
            add(other);
            if (queens_on(other, columns_[other]) > 2) suspects_.push_back(other);
            return true;
        }
        return false;
    }

    static constexpr std::uint32_t fetched_ahead = 200'000; // smaller boards stay in the cache

    std::uint32_t n_;
    std::uint64_t state_;
    std::vector<std::uint32_t> columns_;
    Bits rising_;
    Bits falling_;
    std::array<Crowd, 4096> crowded_{};
    std::vector<std::uint32_t> suspects_{};
};

/// The memetic prototype as a baseline for small boards, rewritten several times faster than it was: a random
/// permutation, and swaps of a queen in conflict with any other that don't make it worse, weighed in O(1)
/// from diagonal counters; a new permutation when stuck.
class Memetic {
  public:
    Memetic(std::uint32_t n, std::uint64_t seed)
        : n_{n}, stream_{Streams{seed}.at(Purpose::solve, 0, 0)}, columns_(n), rising_(std::size_t{2} * n),
          falling_(std::size_t{2} * n) {}

    std::vector<std::uint32_t> solve() {
        while (true) {
            start();
            if (improve()) return columns_;
        }
    }

  private:
    void start() {
        std::iota(columns_.begin(), columns_.end(), 0U);
        stream_.shuffle(std::span{columns_});
        std::fill(rising_.begin(), rising_.end(), 0);
        std::fill(falling_.begin(), falling_.end(), 0);
        for (std::uint32_t row = 0; row < n_; ++row) move(row, 1);
    }
    void move(std::uint32_t row, int by) {
        rising_[row + columns_[row]] += by;
        falling_[row + n_ - 1 - columns_[row]] += by;
    }
    [[nodiscard]] int queens_on(std::uint32_t row, std::uint32_t column) const {
        return rising_[row + column] + falling_[row + n_ - 1 - column];
    }
    [[nodiscard]] int delta(std::uint32_t i, std::uint32_t j) const {
        const std::uint32_t a = columns_[i];
        const std::uint32_t b = columns_[j];
        return queens_on(i, b) + queens_on(j, a) - queens_on(i, a) - queens_on(j, b) + 4 +
               (i + a == j + b ? 2 : 0) + (i + b == j + a ? 2 : 0);
    }
    bool improve() {
        for (std::uint32_t calm = 0, idle = 0; calm < n_;) {
            const std::uint32_t row = at_;
            at_ = at_ + 1 == n_ ? 0 : at_ + 1;
            if (queens_on(row, columns_[row]) == 2) {
                ++calm;
                continue;
            }
            calm = 0;
            if (++idle > 50 * n_) return false;
            const std::uint32_t start = stream_.below(n_);
            for (std::uint32_t k = 0; k < n_; ++k) {
                const std::uint32_t other = start + k < n_ ? start + k : start + k - n_;
                if (other == row || delta(row, other) > (k + 1 == n_ ? 0 : -1)) continue;
                move(row, -1);
                move(other, -1);
                std::swap(columns_[row], columns_[other]);
                move(row, 1);
                move(other, 1);
                break;
            }
        }
        return true;
    }

    std::uint32_t n_;
    Stream stream_;
    std::vector<std::uint32_t> columns_;
    std::vector<int> rising_;
    std::vector<int> falling_;
    std::uint32_t at_ = 0;
};

void check(const std::vector<std::uint32_t>& columns) {
    if (!is_solution(columns)) throw std::runtime_error{"not a solution"};
    guard += columns[0];
}

template <class Baseline>
void bench_solver(std::uint32_t n, int repeats, int boards, const char* name, double bar = 1.2) {
    std::uint64_t seed = 0;
    std::uint64_t baseline_seed = 0;
    std::vector<std::vector<std::uint32_t>> answers(static_cast<std::size_t>(boards));
    std::vector<std::vector<std::uint32_t>> baseline_answers(static_cast<std::size_t>(boards));
    const auto [time, baseline_time] = seconds_in_turn(
        repeats,
        [&] {
            for (auto& answer : answers) answer = solve(n, Streams{seed++}).columns;
        },
        [&] {
            for (auto& answer : baseline_answers) answer = Baseline{n, ++baseline_seed}.solve();
        });
    for (const auto& answer : answers) check(answer);
    for (const auto& answer : baseline_answers) check(answer);
    fmt::print("  n = {:<10} {:12.7f} s   {} {:12.7f} s   ratio {:5.2f} (bar {:.2f}){}\n", n, time / boards,
               name, baseline_time / boards, time / baseline_time, bar, verdict(time <= bar * baseline_time));
}

// Peak memory of the process so far, in bytes; 0 where the system doesn't tell.
double peak_memory() {
#if defined(__linux__)
    std::ifstream status{"/proc/self/status"};
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:")) return 1024.0 * std::stod(line.substr(6));
#endif
    return 0.0;
}

void report_memory(std::uint32_t n) {
    const double bytes = peak_memory();
    const double allowed = 12.0 * n + 50e6;
    fmt::print("  n = {:<10} {:12.1f} MB at the peak, {:.2f} bytes a queen (bar {:.0f} MB){}\n", n,
               1e-6 * bytes, bytes / n, 1e-6 * allowed, verdict(bytes <= allowed));
}

void solve_small() {
    fmt::print("Time to solve, default solver against the memetic prototype\n");
    for (const std::uint32_t n : {8U, 20U, 50U, 100U, 199U}) bench_solver<Memetic>(n, 9, 500, "memetic");
    fmt::print("Time to solve, default solver against QS4\n");
    bench_solver<Qs4>(1'000, 9, 50, "QS4    ");
    bench_solver<Qs4>(10'000, 9, 10, "QS4    ");
    bench_solver<Qs4>(100'000, 9, 1, "QS4    ");
}

// Solves once alone first, so that the peak is the solver's own.
void solve_large() {
    fmt::print("Memory of the default solver\n");
    check(solve(1'000'000, Streams{1}).columns);
    report_memory(1'000'000);
    check(solve(10'000'000, Streams{1}).columns);
    report_memory(10'000'000);
    fmt::print("Time to solve, default solver against QS4\n");
    bench_solver<Qs4>(1'000'000, 5, 1, "QS4    ");
    bench_solver<Qs4>(10'000'000, 5, 1, "QS4    ");
}

void solve_huge() {
    constexpr std::uint32_t n = 100'000'000;
    fmt::print("n = 10^8\n");
    std::vector<std::uint32_t> columns;
    const double time = bench::seconds_of(processor_seconds, [&] { columns = solve(n, Streams{1}).columns; });
    fmt::print("  n = {:<10} {:12.3f} s (bar 30){}\n", n, time, verdict(time < 30.0));
    report_memory(n);
    check(columns);
    bench_solver<Qs4>(n, 1, 1, "QS4    ");
}

} // namespace

int main(int argc, char** argv) {
    std::set<std::string> parts(argv + 1, argv + argc);
    if (parts.empty()) parts = {"evaluate", "captures", "duel", "solve", "large"};
    // Memory first: the peak of a process never falls.
    if (parts.contains("large")) solve_large();
    if (parts.contains("huge")) solve_huge();
    if (parts.contains("evaluate")) evaluate();
    if (parts.contains("captures")) captures_of_8x8();
    if (parts.contains("duel")) duel();
    if (parts.contains("solve")) solve_small();
    return bench::all_bars_met && guard != 1 ? 0 : 1;
}
