#include "support.hpp"

#include <knossos/core/error.hpp>
#include <knossos/core/random.hpp>
#include <knossos/queens/counting.hpp>
#include <knossos/queens/solver.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace knossos::queens::solver_test {
namespace {

bool attack(Square a, Square b) {
    return a.row == b.row || a.column == b.column || a.row + a.column == b.row + b.column ||
           a.row + b.column == b.row + a.column;
}

// Queens that don't attack each other; fewer than wanted if the board fills up.
std::vector<Square> random_queens(std::uint32_t n, std::size_t wanted, Stream& stream) {
    std::vector<Square> queens;
    for (int tries = 0; tries < 200 && queens.size() < wanted; ++tries) {
        const Square square{stream.below(n), stream.below(n)};
        if (std::none_of(queens.begin(), queens.end(), [&](Square queen) { return attack(queen, square); }))
            queens.push_back(square);
    }
    return queens;
}

std::vector<Square> some_queens_of(const std::vector<std::uint32_t>& columns, std::size_t count,
                                   Stream& stream) {
    std::vector<Square> queens;
    for (std::uint32_t row = 0; row < columns.size(); ++row) queens.push_back({row, columns[row]});
    stream.shuffle(std::span{queens});
    queens.resize(count);
    return queens;
}

// The plainest possible twin of exists_completion().
bool plain_exists(std::uint32_t n, std::vector<Square>& queens, std::uint32_t row) {
    if (row == n) return true;
    if (std::any_of(queens.begin(), queens.end(), [row](Square queen) { return queen.row == row; }))
        return plain_exists(n, queens, row + 1);
    for (std::uint32_t column = 0; column < n; ++column) {
        const Square square{row, column};
        if (std::any_of(queens.begin(), queens.end(), [&](Square queen) { return attack(queen, square); }))
            continue;
        queens.push_back(square);
        const bool exists = plain_exists(n, queens, row + 1);
        queens.pop_back();
        if (exists) return true;
    }
    return false;
}

void expect_honest(const SolverResult& result, std::uint32_t n) {
    CountingScratch scratch;
    ASSERT_EQ(result.columns.size(), n);
    const std::span<const std::uint32_t> columns{result.columns};
    EXPECT_EQ(result.conflicts, conflicts(columns, scratch));
    EXPECT_EQ(result.solved, result.conflicts == 0);
    EXPECT_EQ(result.solved, is_solution(columns));
}

} // namespace

TEST(Solver, SolvesEveryBoardOnEverySeed) {
    for (std::uint32_t n = 4; n <= 200; ++n) {
        for (std::uint64_t seed = 0; seed < 200; ++seed) {
            const SolverResult result = solve(n, Streams{seed});
            ASSERT_TRUE(result.solved) << "n = " << n << ", seed = " << seed;
            ASSERT_TRUE(is_solution(result.columns)) << "n = " << n << ", seed = " << seed;
        }
    }
    for (const std::uint32_t n : {1U, 500U, 2047U, 2048U, 2049U, 4096U, 4097U, 10'000U, 65'537U, 200'000U}) {
        for (std::uint64_t seed = 0; seed < 3; ++seed) expect_honest(solve(n, Streams{seed}), n);
        EXPECT_TRUE(solve(n, Streams{9}).solved);
    }
}

// Beyond 2,048 rows crowded diagonals are counted in a table of their own.
TEST(Solver, CountsTheConflictsItIsStoppedWith) {
    std::uint64_t unsolved = 0;
    for (const std::uint32_t n : {50U, 2048U, 2049U, 5000U, 70'001U})
        for (const std::uint64_t budget : {1U, 10U, 100U, 1000U})
            for (std::uint64_t seed = 0; seed < 5; ++seed) {
                const SolverResult result = solve(n, Streams{seed}, {.max_evaluations = budget});
                expect_honest(result, n);
                unsolved += result.solved ? 0U : 1U;
            }
    EXPECT_GT(unsolved, 20U);
}

TEST(Solver, SaysThatTwoAndThreeHaveNoSolution) {
    for (const std::uint32_t n : {2U, 3U}) {
        const SolverResult result = solve(n, Streams{1});
        EXPECT_FALSE(result.solved);
        EXPECT_TRUE(result.impossible);
        expect_honest(result, n);
        EXPECT_FALSE(exists_completion(n, {}));
    }
    EXPECT_FALSE(solve(4, Streams{1}).impossible);
}

TEST(Solver, IsAFunctionOfItsInput) {
    for (const std::uint32_t n : {20U, 100U, 5000U}) {
        const SolverResult first = solve(n, Streams{5, 2, 1});
        const SolverResult second = solve(n, Streams{5, 2, 1});
        EXPECT_EQ(first.columns, second.columns);
        EXPECT_EQ(first.evaluations, second.evaluations);
        EXPECT_NE(first.columns, solve(n, Streams{6, 2, 1}).columns);
    }
}

TEST(Solver, SameBoardOnEverySystemAndInEveryVersion) {
    // A change here breaks the promise that a seed means the same board forever: only for a very good reason.
    const auto fingerprint = [](std::uint32_t n) {
        std::uint64_t hash = 0xCBF29CE484222325U;
        for (const std::uint32_t column : solve(n, Streams{2024}).columns)
            hash = (hash ^ column) * 0x100000001B3U;
        return hash;
    };
    EXPECT_EQ(fingerprint(8), 0x16AF9BA3A1D586DDU);
    EXPECT_EQ(fingerprint(100), 0xC74A2983D4449847U);
    EXPECT_EQ(fingerprint(2048), 0x6DE599D0522F066BU);
    EXPECT_EQ(fingerprint(2049), 0x179CD5D1AC770CA5U);
    EXPECT_EQ(fingerprint(150'000), 0x878382EE6DE3EAEFU);
}

TEST(Solver, FindsManyDifferentSolutions) {
    std::vector<std::vector<std::uint32_t>> found;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) found.push_back(solve(8, Streams{seed}).columns);
    std::sort(found.begin(), found.end());
    EXPECT_EQ(std::unique(found.begin(), found.end()) - found.begin(), 92);
}

TEST(Solver, FixedQueensStay) {
    for (const std::uint32_t n : {1U, 8U, 20U, 50U, 300U, 3000U, 10'000U}) {
        for (std::uint32_t part = 0; part <= 4; ++part) {
            Stream stream = Streams{n}.at(Purpose::study, part, 0);
            const auto known = solve(n, Streams{77}).columns;
            const SolverOptions options{.max_evaluations = 20'000'000,
                                        .fixed = some_queens_of(known, n * part / 4, stream)};
            const SolverResult result = solve(n, Streams{part}, options);
            expect_honest(result, n);
            EXPECT_TRUE(result.solved) << "n = " << n << ", fixed " << options.fixed.size();
            for (const Square& queen : options.fixed) EXPECT_EQ(result.columns[queen.row], queen.column);
        }
    }
}

TEST(Solver, CompletesWhatTheExactCheckSaysCanBeCompleted) {
    std::uint64_t impossible = 0;
    const std::uint64_t trials = test::seeds(40);
    for (std::uint32_t n = 1; n <= 12; ++n) {
        for (std::uint32_t trial = 0; trial < trials; ++trial) {
            Stream stream = Streams{trial}.at(Purpose::study, n, 0);
            const auto fixed = random_queens(n, n / 2, stream);
            const bool exists = exists_completion(n, fixed);
            const SolverResult result = solve(n, Streams{trial}, {.max_evaluations = 60'000, .fixed = fixed});
            expect_honest(result, n);
            EXPECT_EQ(result.solved, exists) << "n = " << n << ", trial " << trial;
            impossible += exists ? 0U : 1U;
        }
    }
    EXPECT_GT(impossible, trials);
}

TEST(Solver, ExactCheckEqualsThePlainSearch) {
    for (std::uint32_t n = 1; n <= 9; ++n) {
        for (std::uint32_t trial = 0; trial < 60; ++trial) {
            Stream stream = Streams{trial}.at(Purpose::study, n, 1);
            auto fixed = random_queens(n, trial % 5, stream);
            const bool exists = exists_completion(n, fixed);
            EXPECT_EQ(exists, plain_exists(n, fixed, 0)) << "n = " << n << ", trial " << trial;
        }
    }
}

TEST(Solver, ExactCheckHandlesItsLargestBoard) {
    for (std::uint32_t trial = 0; trial < 200; ++trial) {
        Stream stream = Streams{trial}.at(Purpose::study, 20, 2);
        const auto fixed = random_queens(largest_exact_completion, trial % 12, stream);
        const bool exists = exists_completion(largest_exact_completion, fixed);
        EXPECT_TRUE(exists || trial % 12 >= 4);
    }
    EXPECT_THROW(exists_completion(largest_exact_completion + 1, {}), InvalidInput);
}

TEST(Solver, StopsAtItsBudgetWithTheBestBoard) {
    // Queens in two opposite corner regions that leave nothing for the rest: no completion of this 6 × 6
    // board.
    const SolverOptions options{.max_evaluations = 5000, .fixed = {{0, 0}}};
    ASSERT_FALSE(exists_completion(6, options.fixed));
    const SolverResult result = solve(6, Streams{1}, options);
    expect_honest(result, 6);
    EXPECT_FALSE(result.solved);
    EXPECT_FALSE(result.impossible);
    EXPECT_GE(result.evaluations, 5000U);
    EXPECT_LT(result.evaluations, 5200U);
    EXPECT_EQ(result.columns[0], 0U);
    EXPECT_GE(result.conflicts, 1U);
    EXPECT_GT(result.restarts, 0U);
}

TEST(Solver, StopsWhenAsked) {
    int calls = 0;
    const SolverOptions options{.fixed = {{0, 0}}, .keep_going = [&calls](const SolverStatus& status) {
                                    EXPECT_GT(status.conflicts, 0U);
                                    return ++calls < 3;
                                }};
    const SolverResult result = solve(6, Streams{1}, options);
    EXPECT_FALSE(result.solved);
    EXPECT_EQ(calls, 3);
    expect_honest(result, 6);
}

TEST(Solver, RejectsBadInput) {
    const Streams streams{1};
    EXPECT_THROW(solve(0, streams), InvalidInput);
    EXPECT_THROW(solve(8, streams, {.fixed = {{8, 0}}}), InvalidInput);
    EXPECT_THROW(solve(8, streams, {.fixed = {{0, 8}}}), InvalidInput);
    EXPECT_THROW(solve(8, streams, {.fixed = {{0, 0}, {0, 4}}}), InvalidInput);
    EXPECT_THROW(solve(8, streams, {.fixed = {{0, 4}, {1, 0}, {3, 4}}}), InvalidInput);
    EXPECT_THROW(solve(8, streams, {.fixed = {{2, 2}, {5, 5}}}), InvalidInput);
    EXPECT_THROW(solve(8, streams, {.fixed = {{7, 0}, {0, 7}}}), InvalidInput);
    EXPECT_THROW(exists_completion(8, std::vector<Square>{{7, 0}, {0, 7}}), InvalidInput);
    try {
        solve(8, streams, {.fixed = {{2, 2}, {5, 5}}});
    } catch (const InvalidInput& error) {
        EXPECT_NE(std::string{error.what()}.find("row 2, column 2 and row 5, column 5"), std::string::npos);
    }
}

TEST(IsSolution, KnowsSolutionsFromOthers) {
    const auto check = [](std::vector<std::uint32_t> columns) { return is_solution(columns); };
    EXPECT_TRUE(check({5, 1, 6, 0, 2, 4, 7, 3}));
    EXPECT_TRUE(check({0}));
    EXPECT_FALSE(check({}));
    EXPECT_FALSE(check({1}));
    EXPECT_FALSE(check({0, 1}));
    EXPECT_FALSE(check({1, 3, 0, 1}));
    EXPECT_FALSE(check({1, 3, 0, 4}));
    EXPECT_FALSE(check({0, 2, 3, 1}));
    CountingScratch scratch;
    for (std::uint32_t n = 4; n < 12; ++n) {
        // One swap away from a solution: still one exactly if there are no conflicts.
        Stream stream = Streams{3}.at(Purpose::study, n, 0);
        for (int trial = 0; trial < 300; ++trial) {
            auto columns = solve(n, Streams{n}).columns;
            std::swap(columns[stream.below(n)], columns[stream.below(n)]);
            EXPECT_EQ(is_solution(columns), conflicts(std::span<const std::uint32_t>{columns}, scratch) == 0);
        }
    }
}

} // namespace knossos::queens::solver_test
