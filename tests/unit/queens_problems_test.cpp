#include "support.hpp"

#include <knossos/queens/board.hpp>
#include <knossos/queens/problems.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

namespace knossos::queens::problems_test {
namespace {

using test::GeneList;
using test::Individual;
using test::stream_for;

double value_of(const Problem& problem, const Individual& genome) {
    double fitness = -1.0;
    problem.evaluate(Batch{&problem.space(), genome.bytes(), problem.space().genome_bytes(), std::size_t{1}},
                     {&fitness, 1});
    return fitness;
}

GeneList squares_of(const GeneList& columns) {
    GeneList squares(columns.size() * columns.size());
    for (std::size_t row = 0; row < columns.size(); ++row) squares[row * columns.size() + columns[row]] = 1;
    return squares;
}

// One board in each encoding that can hold it.
std::vector<std::pair<Problem, Individual>> encodings_of(const GeneList& columns, Counting counting) {
    const auto n = static_cast<std::uint32_t>(columns.size());
    std::vector<std::pair<Problem, Individual>> all;
    for (const Encoding encoding :
         {Encoding::permutation, Encoding::integers, Encoding::packed, Encoding::board}) {
        const Problem problem = make_problem(n, encoding, counting);
        const Individual genome{problem.space(), encoding == Encoding::board ? squares_of(columns) : columns};
        if (genome.valid()) all.emplace_back(problem, genome);
    }
    return all;
}

TEST(QueensEncodings, DecodeToTheBoardThatWasEncodedAndAgreeOnItsWorth) {
    for (const std::uint32_t n : {1U, 2U, 3U, 5U, 8U, 31U, 32U, 33U, 63U, 64U, 65U, 129U, 257U})
        for (std::uint32_t seed = 0; seed < (n < 64 ? 40 : 4); ++seed) {
            Stream stream = stream_for(seed, n);
            const bool permutation = seed % 2 == 0;
            const GeneList columns =
                Individual{permutation ? Space::permutation(n) : Space::integers(n, n), stream}.genes();
            const Board board = from_columns(columns);
            ASSERT_EQ(to_columns(board), columns);
            for (const Counting counting : {Counting::conflicts, Counting::collisions}) {
                const auto encodings = encodings_of(columns, counting);
                ASSERT_GE(encodings.size(), permutation ? 4U : 3U);
                const double expected = value_of(encodings[0].first, encodings[0].second);
                for (const auto& [problem, genome] : encodings) {
                    ASSERT_EQ(decode(problem.space(), genome.bytes()), board);
                    ASSERT_EQ(value_of(problem, genome), expected) << describe(problem.space());
                    ASSERT_EQ(problem.reached(expected), is_solution(board));
                }
            }
        }
}

// Any number of queens anywhere, also several in a row: every pair on a line, queens between them or not.
TEST(QueensEncodings, BitBoardsCountEveryPairOnALine) {
    for (const std::uint32_t n : {1U, 2U, 5U, 8U, 9U, 20U, 65U})
        for (std::uint32_t seed = 0; seed < 20; ++seed) {
            Stream stream = stream_for(seed, n);
            const double density = stream.real() / std::sqrt(n);
            GeneList squares(std::size_t{n} * n);
            for (std::uint32_t& square : squares) square = stream.chance(density) ? 1 : 0;
            std::vector<std::pair<int, int>> queens;
            for (std::size_t i = 0; i < squares.size(); ++i)
                if (squares[i] != 0) queens.emplace_back(static_cast<int>(i / n), static_cast<int>(i % n));
            double pairs = 0.0;
            for (std::size_t a = 0; a < queens.size(); ++a)
                for (std::size_t b = 0; b < a; ++b) {
                    const int down = std::abs(queens[a].first - queens[b].first);
                    const int across = std::abs(queens[a].second - queens[b].second);
                    if (down == 0 || across == 0 || down == across) ++pairs;
                }
            const Space space = Space::bits(squares.size());
            const Individual genome{space, squares};
            ASSERT_EQ((BitBoards{n, Counting::conflicts}.evaluate(view_as<BitView>(space, genome.bytes()))),
                      pairs)
                << "n " << n << ", seed " << seed;
        }
}

TEST(QueensEncodings, BatchesAreWorthWhatTheirBoardsAre) {
    for (const Encoding encoding :
         {Encoding::permutation, Encoding::integers, Encoding::packed, Encoding::board})
        for (const std::size_t count : {1U, 63U, 64U, 65U, 200U}) {
            const Problem problem = make_problem(20, encoding, Counting::conflicts);
            Population boards{problem.space(), count};
            std::vector<double> expected;
            for (std::uint32_t i = 0; i < count; ++i) {
                Stream stream = stream_for(count, i);
                const Individual one{problem.space(), stream};
                std::copy_n(one.bytes(), problem.space().genome_bytes(), boards.genome(i));
                expected.push_back(value_of(problem, one));
            }
            std::vector<double> together(count, -1.0);
            problem.evaluate(boards.batch(), together);
            ASSERT_EQ(together, expected);
        }
}

// Children that are still copies are not counted anew, and what they are worth is nobody else's.
TEST(QueensEncodings, ChildrenAreWorthWhatTheyWouldBeWithoutParents) {
    for (const std::size_t apart : {1U, 2U})
        for (const std::uint32_t n : {1U, 8U, 32U, 100U, 300U}) {
            const Problem problem = make_problem(n, Encoding::permutation, Counting::collisions);
            Population parents{problem.space(), 20};
            for (std::uint32_t i = 0; i < parents.size(); ++i) {
                Stream stream = stream_for(n, i);
                randomise(stream, problem.space(), parents.genome(i));
            }
            problem.evaluate(parents.batch(), parents.fitness());
            Population children{problem.space(), 150};
            std::vector<std::uint32_t> parent_of(children.size() * apart, 7);
            std::vector<std::uint32_t> rows;
            Stream stream = stream_for(n, 1000);
            for (std::uint32_t i = 0; i < children.size(); ++i) {
                parent_of[i * apart] = stream.below(20);
                children.copy_from(parents, parent_of[i * apart], i);
                if (stream.chance(0.4)) randomise(stream, problem.space(), children.genome(i));
                if (stream.chance(0.8)) rows.push_back(i);
            }
            Batch batch = children.batch();
            batch.rows = rows.data();
            batch.count = rows.size();
            std::vector<double> expected(rows.size());
            problem.evaluate(batch, expected);
            const Parentage parentage{&parents, parent_of.data(), apart};
            batch.parentage = &parentage;
            std::vector<double> found(rows.size(), -1.0);
            problem.evaluate(batch, found);
            ASSERT_EQ(found, expected) << "n " << n;
        }
}

TEST(QueensTracker, PricesSwapsAsEvaluationWould) {
    for (const std::uint32_t n : {1U, 2U, 3U, 4U, 8U, 31U, 64U, 65U, 300U})
        for (const Counting counting : {Counting::conflicts, Counting::collisions}) {
            const Problem problem = make_problem(n, Encoding::permutation, counting);
            Stream stream = stream_for(n);
            Individual genome{problem.space(), stream};
            const auto deltas = problem.deltas();
            ASSERT_TRUE(problem.incremental());
            ASSERT_EQ(deltas->start(genome.bytes()), value_of(problem, genome));
            for (int step = 0; step < 400; ++step) {
                const Swap move{stream.below(n), stream.below(n)};
                const double after = deltas->evaluate(move);
                deltas->apply(move, after);
                ASSERT_TRUE(genome.valid());
                ASSERT_EQ(after, value_of(problem, genome)) << "n " << n << ", step " << step;
            }
        }
}

TEST(QueensRepair, PutsFixedQueensBackInEveryEncoding) {
    const std::vector<Square> fixed{{0, 2}, {3, 7}, {6, 1}};
    for (const Encoding encoding :
         {Encoding::permutation, Encoding::integers, Encoding::packed, Encoding::board}) {
        const Problem problem = make_problem(9, encoding, Counting::conflicts, fixed);
        ASSERT_TRUE(problem.repairs());
        for (std::uint32_t seed = 0; seed < 200; ++seed) {
            Stream stream = stream_for(seed);
            Individual genome{problem.space(), stream};
            problem.repair(stream, genome.bytes());
            ASSERT_TRUE(genome.valid());
            const Board board = decode(problem.space(), genome.bytes());
            for (const Square square : fixed)
                ASSERT_NE(std::ranges::find(board.queens, square), board.queens.end());
            const Individual once = genome;
            problem.repair(stream, genome.bytes());
            ASSERT_EQ(genome, once) << "what is right is left alone";
        }
    }
}

} // namespace
} // namespace knossos::queens::problems_test
