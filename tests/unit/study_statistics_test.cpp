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
    EXPECT_DOUBLE_EQ(found.statistic, 3.0); // of the smaller values; SciPy counts the 17 larger ones
    EXPECT_NEAR(found.p, 0.1111111111111111, 1e-12);
    EXPECT_DOUBLE_EQ(found.a12, 3.0 / 20.0);
    std::vector<double> first;
    std::vector<double> second;
    for (int i = 0; i < 20; ++i) {
        first.push_back(i + 1);
        second.push_back(i + 6.5);
    }
    EXPECT_DOUBLE_EQ(mann_whitney(first, second, Objective::maximise).statistic, 105.0);
    EXPECT_NEAR(mann_whitney(first, second).p, 0.009483607191205003, 1e-12);
}

TEST(MannWhitney, TiesAndLargeSamplesAreNormalWithCorrections) {
    const Comparison tied = mann_whitney(std::array{1.0, 2.0, 2.0, 3.0, 5.0, 8.0, 8.0, 8.0, 13.0},
                                         std::array{2.0, 3.0, 3.0, 4.0, 9.0, 10.0, 21.0, 8.0});
    EXPECT_FALSE(tied.is_exact);
    EXPECT_DOUBLE_EQ(tied.statistic, 72.0 - 27.5);
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
    EXPECT_DOUBLE_EQ(found.statistic, 15.0);
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

// By hand, of {1, 3, 4} and {2, 4}: the first is smaller in 1 < 2, 1 < 4 and 3 < 4, larger in 3 > 2 and 4 >
// 2, and 4 = 4. So 3.5 of 6 pairs where small is good, 2.5 of 6 where large is.
TEST(VarghaDelaney, IsTheChanceThatTheFirstIsBetterInBothDirections) {
    const std::array first{1.0, 3.0, 4.0};
    const std::array second{2.0, 4.0};
    for (const bool large_is_good : {false, true}) {
        const Objective objective = large_is_good ? Objective::maximise : Objective::minimise;
        const double expected = large_is_good ? 2.5 / 6.0 : 3.5 / 6.0;
        EXPECT_DOUBLE_EQ(a12(first, second, objective), expected);
        EXPECT_DOUBLE_EQ(a12(second, first, objective), 1.0 - expected);
        EXPECT_DOUBLE_EQ(mann_whitney(first, second, objective).a12, expected);
        EXPECT_DOUBLE_EQ(mann_whitney(first, second, objective).statistic, 6.0 * expected);
        EXPECT_EQ(mann_whitney(first, second, objective).lead > 0.0, expected > 0.5);
    }
    // Paired or not, it is the same: by hand 1.5 of 4, and the pairs are 1 > 2 (lost), 5 > 3 (won).
    EXPECT_DOUBLE_EQ(signed_rank(std::array{1.0, 5.0}, std::array{2.0, 3.0}, Objective::maximise).a12, 0.5);
    EXPECT_DOUBLE_EQ(a12(first, {}, Objective::minimise), 0.5);
}

// W. by hand of the differences 6, −1, 5, −2, 3, 4 (first less second): ranks 6, 1, 5, 2, 3, 4, of which the
// positive sum up to 18 of 21. Sets of ranks from 1 to 6 with a sum of at most 3: {}, {1}, {2}, {3}, {1, 2}:
// 5 of 64, and as many at the other end.
TEST(SignedRank, SmallSamplesWithoutTiesAreExact) {
    const std::array first{16.0, 19.0, 25.0, 8.0, 13.0, 34.0};
    const std::array second{10.0, 20.0, 20.0, 10.0, 10.0, 30.0};
    const Comparison found = signed_rank(first, second, Objective::maximise);
    EXPECT_TRUE(found.is_exact);
    EXPECT_DOUBLE_EQ(found.statistic, 18.0);
    EXPECT_DOUBLE_EQ(found.p, 10.0 / 64.0);
    EXPECT_GT(found.lead, 0.0);
    EXPECT_EQ(found.won_pairs, 4U);
    EXPECT_EQ(found.unequal_pairs, 6U);
    EXPECT_LT(signed_rank(first, second, Objective::minimise).lead, 0.0);
    EXPECT_EQ(signed_rank(first, second, Objective::minimise).won_pairs, 2U);
}

TEST(SignedRank, RunsThatNeverCameLoseToAllThatDid) {
    // Two pairs without a difference are left out; the lost one weighs most.
    const Comparison found =
        signed_rank(std::array{never, 7.0, never, 10.0, 20.0}, std::array{never, 7.0, 5.0, 11.0, 22.0});
    EXPECT_TRUE(found.is_exact);
    EXPECT_DOUBLE_EQ(found.statistic, 3.0);
    EXPECT_EQ(found.won_pairs, 2U);
    EXPECT_EQ(found.unequal_pairs, 3U);
    EXPECT_EQ(signed_rank(std::array{never, never}, std::array{never, never}).p, 1.0);
    EXPECT_EQ(signed_rank({}, {}).p, 1.0);
}

// By hand: ranks (1, 2, 3), (1, 3, 2), (1.5, 1.5, 3), (1, 2, 3).
TEST(Friedman, RanksEachProblemByItself) {
    const std::vector<std::vector<double>> values{{1, 2, 3}, {10, 30, 20}, {5, 5, 6}, {0.1, 0.2, 0.3}};
    const Friedman found = friedman(values);
    EXPECT_DOUBLE_EQ(found.mean_ranks[0], 4.5 / 4.0);
    EXPECT_DOUBLE_EQ(found.mean_ranks[1], 8.5 / 4.0);
    EXPECT_DOUBLE_EQ(found.mean_ranks[2], 11.0 / 4.0);
    EXPECT_NEAR(found.chi_square, 5.733333333333333, 1e-12);
    EXPECT_NEAR(found.p, 0.056888238346101516, 1e-12);
    ASSERT_EQ(found.pairs.size(), 3U);
    EXPECT_NEAR(found.pairs[1].z, (11.0 - 4.5) / 4.0 / std::sqrt(0.5), 1e-12);
    EXPECT_DOUBLE_EQ(found.pairs[1].p_holm, 3.0 * found.pairs[1].p);
    EXPECT_DOUBLE_EQ(friedman(values, Objective::maximise).mean_ranks[0], 4.0 - 4.5 / 4.0);
    const std::vector<std::vector<double>> equal(3, std::vector<double>(3, 1.0));
    EXPECT_EQ(friedman(equal).p, 1.0);
    EXPECT_EQ(friedman({}).p, 1.0);
}

TEST(AreaUnderTheEcdf, IsTheShareOfBudgetsAtWhichATargetIsReached) {
    EXPECT_DOUBLE_EQ(reached_share(1.0, 10'000.0), 1.0);
    EXPECT_DOUBLE_EQ(reached_share(100.0, 10'000.0), 0.5);
    EXPECT_DOUBLE_EQ(reached_share(10'000.0, 10'000.0), 0.0);
    EXPECT_EQ(reached_share(never, 10'000.0), 0.0);
    EXPECT_EQ(reached_share(1.0, 1.0), 1.0);
    const Estimate estimate = bootstrap_mean(std::array{0.0, 0.25, 0.5, 1.0});
    EXPECT_DOUBLE_EQ(estimate.value, 0.4375);
    EXPECT_LT(estimate.interval.low, 0.3);
    EXPECT_GT(estimate.interval.high, 0.6);
    EXPECT_TRUE(std::isnan(bootstrap_mean({}).value));
}

TEST(PTexts, NameBothWhereThereAreTwo) {
    EXPECT_EQ(p_texts(0.0121, 0.0363, 3), "p = 0.012 raw, 0.036 by Holm");
    EXPECT_EQ(p_texts(0.0004, 0.0012, 3), "p < 0.001 raw, 0.001 by Holm");
    EXPECT_EQ(p_texts(0.0001, 0.0003, 3), "p < 0.001 raw and by Holm");
    EXPECT_EQ(p_texts(0.0121, 0.0121, 1), "p = 0.012");
    EXPECT_EQ(p_text(0.0498), "p = 0.0498");
    EXPECT_EQ(p_text(0.0502), "p = 0.050");
}

} // namespace
} // namespace knossos::study::statistics_test
