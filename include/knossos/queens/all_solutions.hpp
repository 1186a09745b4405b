#pragma once

#include <knossos/core/random.hpp>
#include <knossos/queens/solver.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace knossos::queens {

/// How many solutions the n × n board has in all and up to symmetry, for n = 1 … 27 (OEIS A000170 and
/// A002562).
struct KnownCount {
    std::uint64_t all;
    std::uint64_t fundamental;
};
std::optional<KnownCount> known_count(std::uint32_t size);

/// A point on the curve of solutions found against evaluations spent.
struct CollectionPoint {
    std::uint64_t evaluations = 0;
    std::uint64_t solutions = 0;
    std::uint64_t fundamental = 0;
};

struct CollectionOptions {
    std::uint64_t max_evaluations = 10'000'000'000;
    /// Called now and then; the search ends when it returns false. Where it is called depends on the search
    /// alone.
    std::function<bool(const CollectionPoint&)> keep_going{};
};

struct Collection {
    /// One board of each class under the eight symmetries, its columns the lexicographically smallest, in
    /// ascending order.
    std::vector<std::vector<std::uint32_t>> fundamental;
    std::uint64_t solutions = 0; ///< with all their images
    bool complete = false;       ///< the known count was reached
    std::uint64_t evaluations = 0;
    std::uint64_t attempts = 0;
    std::vector<CollectionPoint> progress; ///< at each doubling of the evaluations, and at the end
};

/// Collects solutions of the n queens problem by evolution with an archive. Each attempt starts from a mutant
/// of an archived solution or from a random permutation, and is improved by swaps evaluated in O(1) until
/// nobody attacks anybody or it is stuck. A new solution enters the archive with its whole class under the
/// symmetries. Diversity pressure: parents are those archived solutions around which the fewest attempts were
/// made, and attempts that end in a known solution count against it. Ends when the known count or the budget
/// is reached. The result is a function of n, the streams and the options.
Collection collect_solutions(std::uint32_t size, const Streams& streams,
                             const CollectionOptions& options = {});

/// All boards of the collection's classes, in ascending order.
std::vector<std::vector<std::uint32_t>> all_boards(const Collection& collection);

} // namespace knossos::queens
