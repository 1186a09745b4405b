#pragma once

#include <knossos/core/genome.hpp>
#include <knossos/core/moves.hpp>
#include <knossos/core/population.hpp>
#include <knossos/core/problem.hpp>
#include <knossos/core/record.hpp>
#include <knossos/queens/solver.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace knossos::queens {

/// What is counted. Conflicts: pairs of queens on one line, each once. Collisions: the same charged to both
/// queens. Captures: what each queen can take in one move, so that a queen behind another is safe.
enum class Counting : unsigned char { conflicts, collisions, captures };
enum class Encoding : unsigned char { permutation, integers, packed, board };

/// One queen per row and column: the genome is the permutation of columns. The strongest of the encodings,
/// with delta evaluation of swaps in O(1).
struct Permutations {
    std::uint32_t size = 8;
    Counting counting = Counting::conflicts;
    std::vector<Square> fixed{}; ///< queens that every individual has and keeps

    static constexpr auto record = knossos::record(minimise("conflicts").in_whole_numbers());
    [[nodiscard]] Space space() const { return Space::permutation(size); }
    [[nodiscard]] static std::optional<double> target() { return 0.0; }
    [[nodiscard]] bool needs_repair() const { return !fixed.empty(); }
    void evaluate_batch(const Batch& batch, std::span<double> fitness) const;

    template <class Gene>
    void repair(Stream& /*stream*/, Permutation<Gene> genome) const {
        for (const Square square : fixed) {
            const auto place = std::find(genome.begin(), genome.end(), static_cast<Gene>(square.column));
            std::swap(*place, genome[square.row]);
        }
    }

    /// Queens per diagonal, from which the effect of a swap follows by looking at the eight diagonals it
    /// touches.
    class Tracker {
      public:
        Tracker(std::uint32_t size, double weight) : size_{size}, weight_{weight} {}

        template <class Gene>
        double start(Permutation<Gene> genome) {
            columns_.assign(genome.begin(), genome.end());
            return weight_ * count();
        }
        [[nodiscard]] double delta(Swap move) const;
        void apply(Swap move);

      private:
        double count();
        std::uint32_t& rising(std::size_t row, std::uint32_t column) { return counters_[row + column]; }
        std::uint32_t& falling(std::size_t row, std::uint32_t column) {
            return counters_[std::size_t{2} * size_ + row + size_ - column];
        }
        [[nodiscard]] std::uint32_t rising(std::size_t row, std::uint32_t column) const {
            return counters_[row + column];
        }
        [[nodiscard]] std::uint32_t falling(std::size_t row, std::uint32_t column) const {
            return counters_[std::size_t{2} * size_ + row + size_ - column];
        }

        std::uint32_t size_;
        double weight_;
        std::vector<std::uint32_t> columns_;
        std::vector<std::uint32_t> counters_;
    };
    [[nodiscard]] Tracker tracker() const { return {size, counting == Counting::collisions ? 2.0 : 1.0}; }
};

/// One queen per row, columns free: the genome is an integer array.
struct IntegerArrays {
    std::uint32_t size = 8;
    Counting counting = Counting::conflicts;
    std::vector<Square> fixed{};

    static constexpr auto record = knossos::record(minimise("conflicts").in_whole_numbers());
    [[nodiscard]] Space space() const { return Space::integers(size, size); }
    [[nodiscard]] static std::optional<double> target() { return 0.0; }
    [[nodiscard]] bool needs_repair() const { return !fixed.empty(); }
    void evaluate_batch(const Batch& batch, std::span<double> fitness) const;

    template <class Gene>
    void repair(Stream& /*stream*/, Integers<Gene> genome) const {
        for (const Square square : fixed) genome.set(square.row, square.column);
    }
};

/// As IntegerArrays, in genes of ceil(log2 n) bits. A gene never holds a column off the board.
struct PackedGenes {
    std::uint32_t size = 8;
    Counting counting = Counting::collisions;
    std::vector<Square> fixed{};

    static constexpr auto record = knossos::record(minimise("conflicts").in_whole_numbers());
    [[nodiscard]] Space space() const { return Space::packed(size, size); }
    [[nodiscard]] static std::optional<double> target() { return 0.0; }
    [[nodiscard]] bool needs_repair() const { return !fixed.empty(); }
    void evaluate_batch(const Batch& batch, std::span<double> fitness) const;

    void repair(Stream& /*stream*/, Packed genome) const {
        for (const Square square : fixed) genome.set(square.row, square.column);
    }
};

/// n queens anywhere on the board, two of them in one row as well: n × n bits with exactly n ones.
struct BitBoards {
    std::uint32_t size = 8;
    Counting counting = Counting::captures;
    std::vector<Square> fixed{};

    static constexpr auto record = knossos::record(minimise("conflicts").in_whole_numbers());
    [[nodiscard]] Space space() const { return Space::bits_with_ones(std::size_t{size} * size, size); }
    [[nodiscard]] static std::optional<double> target() { return 0.0; }
    [[nodiscard]] bool needs_repair() const { return !fixed.empty(); }
    [[nodiscard]] double evaluate(BitView board) const;

    /// Puts missing fixed queens back; for each, another queen that is not fixed leaves the board.
    void repair(Stream& stream, Bits board) const;
};

/// The pseudo-Boolean N-Queens benchmark (IOHprofiler, PBO F23): any number of queens on a board of n × n
/// bits, as many as possible, each line with q > 1 of them costing n·(q − 1). The optimum is n. C. Doerr,
/// F. Ye, N. Horesh, H. Wang, O. M. Shir, T. Bäck: "Benchmarking discrete optimization heuristics with
/// IOHprofiler", 2020.
struct PseudoBoolean {
    std::uint32_t size = 8;

    static constexpr auto record = knossos::record(maximise("queens less penalty").in_whole_numbers());
    [[nodiscard]] Space space() const { return Space::bits(std::size_t{size} * size); }
    /// Two boards are too small for as many queens as rows.
    [[nodiscard]] std::optional<double> target() const {
        return static_cast<double>(size == 2 || size == 3 ? size - 1 : size);
    }
    [[nodiscard]] double evaluate(BitView board) const;

    /// Queens per line, from which the effect of a flip follows by looking at the four lines it lies on.
    class Tracker {
      public:
        explicit Tracker(std::uint32_t size) : size_{size} {}
        double start(BitView board);
        [[nodiscard]] double delta(Flip move) const;
        void apply(Flip move);

      private:
        std::uint32_t size_;
        std::optional<BitView> board_;
        std::vector<std::uint32_t> counters_;
    };
    [[nodiscard]] Tracker tracker() const { return Tracker{size}; }
};

/// The queens problem as recipes and programs name it. Throws InvalidInput if the parts don't go together.
Problem make_problem(std::uint32_t size, Encoding encoding, Counting counting,
                     std::vector<Square> fixed = {});

/// What each encoding counts in its founding document: packed genes collisions, boards captures, the others
/// conflicts.
Counting default_counting(Encoding encoding);

} // namespace knossos::queens
