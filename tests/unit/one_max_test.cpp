#include "support.hpp"

#include <knossos/classic/one_max.hpp>
#include <knossos/core/problem.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace knossos::one_max_test {
namespace {

TEST(OneMax, CountsOnesAndPricesFlips) {
    for (const std::size_t length : test::lengths) {
        const Problem problem = OneMax{length};
        EXPECT_EQ(problem.target(), static_cast<double>(length));
        Stream stream = test::stream_for(length);
        test::Individual genome{problem.space(), stream};
        const auto deltas = problem.deltas();
        double fitness = deltas->start(genome.bytes());
        for (int step = 0; step < 200; ++step) {
            const test::GeneList genes = genome.genes();
            ASSERT_EQ(fitness, static_cast<double>(std::ranges::count(genes, 1U)));
            const Flip move{stream.below64(length)};
            fitness = deltas->evaluate(move);
            deltas->apply(move, fitness);
        }
    }
}

} // namespace
} // namespace knossos::one_max_test
