#include <knossos/study/statistics.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

// The expected values were computed with SciPy 1.10.1 and NumPy 1.24: binomtest().proportion_ci("wilson"),
// mannwhitneyu() and quantile().

namespace knossos::study::statistics_test {
namespace {

TEST(Wilson, AgreesWithScipy) {
    struct Case {
        std::uint64_t successes, trials;
        double low, high;
    };
    for (const Case& one : {Case{0, 10, 0.0, 0.27753279986288926}, Case{10, 10, 0.7224672001371109, 1.0},
                            Case{7, 10, 0.39677814746114526, 0.892208732593699},
                            Case{523, 1000, 0.4920142012545934, 0.5538097678550709},
                            Case{1, 3, 0.06149194472039626, 0.7923403991979523}}) {
        const Interval found = wilson_interval(one.successes, one.trials);
        EXPECT_NEAR(found.low, one.low, 1e-12) << one.successes << " of " << one.trials;
        EXPECT_NEAR(found.high, one.high, 1e-12) << one.successes << " of " << one.trials;
    }
    EXPECT_NEAR(wilson_interval(7, 10, 0.99).low, 0.32002467920110256, 1e-12);
    EXPECT_EQ(wilson_interval(0, 0), (Interval{0.0, 1.0}));
}

TEST(Quantile, IsTypeSeven) {
    const Summary found = summarise({3, 1, 4, 1, 5, 9, 2, 6});
    EXPECT_EQ(found.count, 8U);
    EXPECT_DOUBLE_EQ(found.least, 1.0);
    EXPECT_DOUBLE_EQ(found.lower_quartile, 1.75);
    EXPECT_DOUBLE_EQ(found.median, 3.5);
    EXPECT_DOUBLE_EQ(found.upper_quartile, 5.25);
    EXPECT_NEAR(found.p95, 7.95, 1e-12);
    EXPECT_DOUBLE_EQ(found.most, 9.0);
    EXPECT_DOUBLE_EQ(found.mean, 3.875);
    EXPECT_TRUE(std::isnan(summarise({}).median));
}

TEST(Quantile, BetweenAValueAndNeverIsNever) {
    const std::array values{1.0, 2.0, never};
    EXPECT_EQ(quantile(values, 0.5), 2.0);
    EXPECT_EQ(quantile(values, 0.51), never);
    EXPECT_EQ(quantile(values, 1.0), never);
}

TEST(ExpectedRunningTime, DividesEverythingSpentByTheHits) {
    const std::array attempts{Attempt{100, true}, Attempt{1000, false}, Attempt{300, true}};
    EXPECT_DOUBLE_EQ(expected_running_time(attempts), 700.0);
    const std::array failures{Attempt{100, false}};
    EXPECT_EQ(expected_running_time(failures), never);
    EXPECT_EQ(bootstrap_running_time(failures), (Interval{never, never}));
}

TEST(ExpectedRunningTime, BootstrapHoldsTheEstimateAndRepeatsItself) {
    std::vector<Attempt> attempts;
    for (int i = 0; i < 100; ++i) attempts.push_back({1000.0 + 37.0 * (i * i % 101), i % 4 != 0});
    const double time = expected_running_time(attempts);
    const Interval interval = bootstrap_running_time(attempts);
    EXPECT_LT(interval.low, time);
    EXPECT_GT(interval.high, time);
    EXPECT_EQ(interval, bootstrap_running_time(attempts));
    EXPECT_NE(interval, bootstrap_running_time(attempts, 2));
    // NumPy's generator, with 20,000 resamples, gives 3341 and 4428.
    EXPECT_NEAR(interval.low, 3341.0, 60.0);
    EXPECT_NEAR(interval.high, 4428.0, 90.0);
}

TEST(Ecdf, StepsAtEachValueAndCountsThoseThatNeverCame) {
    const std::vector<EcdfStep> expected{{1.0, 0.25}, {2.0, 0.75}};
    EXPECT_EQ(ecdf({2.0, never, 1.0, 2.0}), expected);
    EXPECT_TRUE(ecdf({}).empty());
}

TEST(MannWhitney, SmallSamplesWithoutTiesAreExact) {
    const Comparison found =
        mann_whitney(std::array{19.0, 22.0, 16.0, 29.0, 24.0}, std::array{20.0, 11.0, 17.0, 12.0});
    EXPECT_TRUE(found.is_exact);
    EXPECT_DOUBLE_EQ(found.u, 17.0);
    EXPECT_NEAR(found.p, 0.1111111111111111, 1e-12);
    EXPECT_DOUBLE_EQ(found.a12, 17.0 / 20.0);
    std::vector<double> first;
    std::vector<double> second;
    for (int i = 0; i < 20; ++i) {
        first.push_back(i + 1);
        second.push_back(i + 6.5);
    }
    EXPECT_DOUBLE_EQ(mann_whitney(first, second).u, 105.0);
    EXPECT_NEAR(mann_whitney(first, second).p, 0.009483607191205003, 1e-12);
}

TEST(MannWhitney, TiesAndLargeSamplesAreNormalWithCorrections) {
    const Comparison tied = mann_whitney(std::array{1.0, 2.0, 2.0, 3.0, 5.0, 8.0, 8.0, 8.0, 13.0},
                                         std::array{2.0, 3.0, 3.0, 4.0, 9.0, 10.0, 21.0, 8.0});
    EXPECT_FALSE(tied.is_exact);
    EXPECT_DOUBLE_EQ(tied.u, 27.5);
    EXPECT_NEAR(tied.p, 0.43631325794631504, 1e-12);
    std::vector<double> first;
    std::vector<double> second;
    for (int i = 0; i < 30; ++i) {
        first.push_back(2 * i);
        second.push_back(3 * i + 1);
    }
    EXPECT_NEAR(mann_whitney(first, second).p, 0.02234150919145412, 1e-12);
}

TEST(MannWhitney, RunsThatNeverCameTieBehindAllOthers) {
    const Comparison found =
        mann_whitney(std::array{10.0, 20.0, 30.0, never, never}, std::array{5.0, 40.0, never, never, never});
    EXPECT_DOUBLE_EQ(found.u, 10.0);
    EXPECT_NEAR(found.p, 0.6558364965906589, 1e-12);
}

TEST(MannWhitney, ShowsNothingWhereThereIsNothing) {
    EXPECT_EQ(mann_whitney(std::array{1.0}, std::span<const double>{}).p, 1.0);
    const std::vector<double> same(30, 4.0);
    EXPECT_EQ(mann_whitney(same, same).p, 1.0);
    EXPECT_EQ(mann_whitney(same, same).a12, 0.5);
}

TEST(Holm, AdjustsStepwiseAndNeverFalls) {
    const auto adjusted = holm(std::array{0.01, 0.04, 0.03, 0.005});
    EXPECT_NEAR(adjusted[3], 0.02, 1e-12);
    EXPECT_NEAR(adjusted[0], 0.03, 1e-12);
    EXPECT_NEAR(adjusted[2], 0.06, 1e-12);
    EXPECT_NEAR(adjusted[1], 0.06, 1e-12);
    EXPECT_EQ(holm(std::array{0.9, 0.8})[0], 1.0);
}

TEST(Verdict, SpeaksPlainly) {
    const Comparison clear{.u = 17.0, .p = 0.0001, .a12 = 0.17};
    EXPECT_EQ(verdict("A", "B", clear, 0.0003, "needs fewer evaluations", "needs more evaluations", true),
              "A needs fewer evaluations than B: p < 0.001, A12 = 0.83");
    const Comparison unclear{.u = 49.0, .p = 0.4, .a12 = 0.49};
    EXPECT_EQ(verdict("A", "B", unclear, 0.41, "needs fewer evaluations", "needs more evaluations", true),
              "no difference shown between A and B: p = 0.41, A12 = 0.51");
}

} // namespace
} // namespace knossos::study::statistics_test
