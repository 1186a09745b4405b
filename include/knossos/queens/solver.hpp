#pragma once

#include <knossos/core/random.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace knossos::queens {

struct Square {
    std::uint32_t row = 0;
    std::uint32_t column = 0;

    friend bool operator==(const Square&, const Square&) = default;
};

/// How far the solver has come; what its observer is told.
struct SolverStatus {
    std::uint64_t evaluations = 0;
    std::uint64_t restarts = 0;
    std::uint64_t conflicts = 0; ///< of the board at hand
};

/// What the solver may spend and must respect. The defaults solve the plain problem for any n.
struct SolverOptions {
    std::uint64_t max_evaluations = 0; ///< 0: 200 million and 1,000 per row
    std::vector<Square> fixed{};       ///< queens that are on the board already and never move
    /// Called now and then; the solver stops when it returns false. Where it is called depends on the search
    /// alone, never on time.
    std::function<bool(const SolverStatus&)> keep_going{};
};

struct SolverResult {
    std::vector<std::uint32_t> columns{}; ///< columns[r] is the column of row r's queen: the best board found
    bool solved = false;
    bool impossible = false;     ///< known to have no solution: n is 2 or 3
    std::uint64_t conflicts = 0; ///< pairs of queens of the board that attack each other
    /// Fitness values obtained: swaps weighed, and looks at the squares of a row, up to 64 of which count as
    /// one.
    std::uint64_t evaluations = 0;
    std::uint64_t restarts = 0; ///< boards that were given up for a fresh one
};

/// Finds n queens that don't attack each other, on any board that has room for them. An evolutionary
/// algorithm on permutations: boards are born with few conflicts (each row takes a random free column whose
/// diagonals are free), are improved by swaps of two rows of which one is in conflict, each weighed in O(1),
/// and when one is stuck a mutant of it or a new board takes its place. The result is a function of n, the
/// streams and the options. Throws InvalidInput if n is 0, or fixed queens lie off the board or attack each
/// other.
SolverResult solve(std::uint32_t n, const Streams& streams, const SolverOptions& options = {});

/// Whether the columns, row by row, are a solution: each column once, no diagonal twice. O(n), and shares no
/// code with the solver, so that it can be asked about the solver's answers.
bool is_solution(std::span<const std::uint32_t> columns);

/// The largest board that exists_completion() accepts.
inline constexpr std::uint32_t largest_exact_completion = 20;

/// Whether n queens that include the fixed ones can be placed, by exhaustive search. Throws InvalidInput if n
/// is larger than largest_exact_completion, or the fixed queens are not acceptable to solve().
bool exists_completion(std::uint32_t n, std::span<const Square> fixed);

} // namespace knossos::queens
