#include "support.hpp"

#include <knossos/queens/all_solutions.hpp>
#include <knossos/queens/symmetry.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace knossos::queens::all_solutions_test {
namespace {

TEST(AllSolutions, AreAllFoundOnSmallBoards) {
    for (std::uint32_t n = 1; n <= 9; ++n)
        for (std::uint64_t seed = 0; seed < 3; ++seed) {
            SCOPED_TRACE("n " + std::to_string(n) + ", seed " + std::to_string(seed));
            const Collection collection = collect_solutions(n, Streams{seed});
            const KnownCount known = known_count(n).value();
            EXPECT_TRUE(collection.complete);
            EXPECT_EQ(collection.solutions, known.all);
            EXPECT_EQ(collection.fundamental.size(), known.fundamental);
            EXPECT_TRUE(std::ranges::all_of(collection.fundamental,
                                            [](const auto& board) { return is_fundamental(board); }));
            const auto boards = all_boards(collection);
            EXPECT_EQ(boards.size(), known.all);
            EXPECT_TRUE(std::ranges::is_sorted(boards));
            EXPECT_TRUE(std::ranges::adjacent_find(boards) == boards.end()) << "a board is there twice";
            for (const auto& board : boards) EXPECT_TRUE(is_solution(board));
        }
}

TEST(AllSolutions, ProgressGrowsAndEndsAtWhatWasFound) {
    const Collection collection = collect_solutions(10, Streams{4});
    ASSERT_GE(collection.progress.size(), 2U);
    for (std::size_t i = 1; i < collection.progress.size(); ++i) {
        EXPECT_GE(collection.progress[i].evaluations, collection.progress[i - 1].evaluations);
        EXPECT_GE(collection.progress[i].solutions, collection.progress[i - 1].solutions);
        EXPECT_GE(collection.progress[i].fundamental, collection.progress[i - 1].fundamental);
    }
    EXPECT_EQ(collection.progress.back().solutions, collection.solutions);
    EXPECT_EQ(collection.progress.back().fundamental, collection.fundamental.size());
    EXPECT_EQ(collection.progress.back().evaluations, collection.evaluations);
}

TEST(AllSolutions, AreAFunctionOfTheStreams) {
    const CollectionOptions some{.max_evaluations = 20'000};
    const Collection once = collect_solutions(12, Streams{7}, some);
    const Collection again = collect_solutions(12, Streams{7}, some);
    EXPECT_EQ(once.fundamental, again.fundamental);
    EXPECT_EQ(once.evaluations, again.evaluations);
    EXPECT_NE(once.fundamental, collect_solutions(12, Streams{8}, some).fundamental);
}

TEST(AllSolutions, StopAtTheBudgetOrWhenAsked) {
    const Collection poor = collect_solutions(30, Streams{1}, {.max_evaluations = 50'000});
    EXPECT_FALSE(poor.complete);
    EXPECT_GE(poor.evaluations, 50'000U);
    EXPECT_LT(poor.evaluations, 100'000U) << "one attempt is the most it may go too far";
    std::uint64_t asked = 0;
    const Collection stopped =
        collect_solutions(12, Streams{1}, {.keep_going = [&](const CollectionPoint& point) {
                              EXPECT_GT(point.evaluations, 0U);
                              return ++asked < 3;
                          }});
    EXPECT_EQ(asked, 3U);
    EXPECT_FALSE(stopped.complete);
    EXPECT_EQ(stopped.attempts, 3 * 256U);
}

TEST(AllSolutions, KnownCountsAreThoseOfTheirClasses) {
    EXPECT_FALSE(known_count(0).has_value());
    EXPECT_FALSE(known_count(28).has_value());
    for (std::uint32_t n = 1; n <= 27; ++n) {
        const KnownCount known = known_count(n).value();
        EXPECT_LE(known.fundamental, known.all);
        EXPECT_LE(known.all, 8 * known.fundamental) << "a class has at most eight boards";
    }
    test::expect_mentions(test::message_of([] { collect_solutions(0, Streams{1}); }), {"n is 0"});
}

} // namespace
} // namespace knossos::queens::all_solutions_test
