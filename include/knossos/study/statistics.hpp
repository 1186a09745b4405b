#pragma once

#include <knossos/core/objective.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace knossos::study {

/// A run that never got there took this many evaluations.
inline constexpr double never = std::numeric_limits<double>::infinity();

struct Interval {
    double low = 0.0;
    double high = 0.0;

    friend bool operator==(const Interval&, const Interval&) = default;
};

/// The interval of a share that was seen `successes` times in `trials`. Unlike the textbook one it stays
/// within 0..1 and says something for 0 and for all. E. B. Wilson: "Probable inference, the law of
/// succession, and statistical inference", JASA 22, 1927. Without trials it is 0..1.
Interval wilson_interval(std::uint64_t successes, std::uint64_t trials, double confidence = 0.95);

/// The value below which a share of the sorted values lies, interpolated between the two nearest: at
/// (n − 1)·share counted from 0. This is type 7 of R. J. Hyndman, Y. Fan: "Sample quantiles in statistical
/// packages", 1996, the default of R, NumPy and spreadsheets. Between a finite value and `never` it is
/// `never`. Not a number without values.
double quantile(std::span<const double> sorted, double share);

/// What a sample looks like. All are not a number without values.
struct Summary {
    std::size_t count = 0;
    double least = std::numeric_limits<double>::quiet_NaN();
    double lower_quartile = std::numeric_limits<double>::quiet_NaN();
    double median = std::numeric_limits<double>::quiet_NaN();
    double upper_quartile = std::numeric_limits<double>::quiet_NaN();
    double p95 = std::numeric_limits<double>::quiet_NaN();
    double most = std::numeric_limits<double>::quiet_NaN();
    double mean = std::numeric_limits<double>::quiet_NaN();
};

Summary summarise(std::vector<double> values);

/// What one run spent: evaluations until it hit the target, or all it made without hitting it.
struct Attempt {
    double evaluations = 0.0;
    bool hit = false;
};

/// Expected running time: what all runs spent on a target, divided by the number that hit it. It estimates
/// how long independent restarts take to the first hit. `never` if none did. A. Auger, N. Hansen:
/// "Performance evaluation of an advanced local search evolutionary algorithm", CEC 2005.
double expected_running_time(std::span<const Attempt> attempts);

/// The percentile interval of the ERT over `resamples` samples of the runs drawn with replacement. The
/// numbers drawn depend on `seed` alone, so the same data give the same interval.
Interval bootstrap_running_time(std::span<const Attempt> attempts, std::uint64_t seed = 1,
                                std::size_t resamples = 1000, double confidence = 0.95);

/// One step of an empirical cumulative distribution: the share of the values at or below `value`.
struct EcdfStep {
    double value = 0.0;
    double share = 0.0;

    friend bool operator==(const EcdfStep&, const EcdfStep&) = default;
};

/// The distribution of the values; those that are `never` count but have no step. Pass the evaluations that
/// each run took to each target to get the distribution over targets and budgets.
std::vector<EcdfStep> ecdf(std::vector<double> values);

/// How two samples compare. Equal values share a rank, and so do all that are `never`.
struct Comparison {
    /// Mann–Whitney: pairs of runs in which the first's is better, ties counting half. Signed ranks: the sum
    /// of the ranks of the pairs in which the first's is better.
    double statistic = 0.0;
    double p = 1.0; ///< raw: of a difference at least this large, either way, if there were none
    /// The chance that a run of the first is better than one of the second, ties half; over all pairs of
    /// runs, whatever the test.
    double a12 = 0.5;
    bool is_exact = false; ///< p from the exact distribution rather than the normal one
    double lead = 0.0;     ///< above 0 if the test speaks for the first, below if for the second
    /// Of signed ranks: the pairs that are not equal, and those of them in which the first's is better.
    std::size_t unequal_pairs = 0;
    std::size_t won_pairs = 0;
};

/// The chance that a value of the first is better than one of the second, ties counting half: 0.5 is no
/// difference, 1 is certain. A. Vargha, H. D. Delaney: "A critique and improvement of the CL common language
/// effect size statistics", 2000. Half without values in either.
double a12(std::span<const double> first, std::span<const double> second, Objective objective);

/// The two-sided Mann–Whitney test of two independent samples. Exact where neither has more than 20 values
/// and no two are equal; else normal, corrected for ties and continuity. H. B. Mann, D. R. Whitney, 1947.
/// Without values in either sample nothing is shown: p is 1.
Comparison mann_whitney(std::span<const double> first, std::span<const double> second,
                        Objective objective = Objective::minimise);

/// The two-sided signed-rank test of two samples whose values belong together in pairs: `first[i]` and
/// `second[i]`. Pairs without a difference are left out. Exact for up to 50 pairs of which no two differ by
/// the same; else normal, corrected for ties and continuity. F. Wilcoxon: "Individual comparisons by ranking
/// methods", 1945. If no pair differs nothing is shown: p is 1.
Comparison signed_rank(std::span<const double> first, std::span<const double> second,
                       Objective objective = Objective::minimise);

/// Adjusts the p values of several tests so that the chance of even one false alarm stays below the level.
/// S. Holm: "A simple sequentially rejective multiple test procedure", 1979.
std::vector<double> holm(std::span<const double> p);

/// Two of several methods, compared by their mean ranks.
struct RankDifference {
    std::size_t first = 0;
    std::size_t second = 0;
    double z = 0.0; ///< above 0 if the first has the better ranks
    double p = 1.0; ///< raw, two-sided
    double p_holm = 1.0;
};

/// Several methods over several problems.
struct Friedman {
    std::vector<double> mean_ranks{}; ///< of each method over the problems; 1 is best
    double chi_square = 0.0;
    double p = 1.0; ///< of differences at least this large if there were none
    std::vector<RankDifference> pairs{};
};

/// Friedman's test: `values[problem][method]`, of which each problem ranks its own; equal values share a
/// rank, and chi square is corrected for that. M. Friedman: "The use of ranks to avoid the assumption of
/// normality implicit in the analysis of variance", 1937. Post hoc all pairs of methods are compared by the
/// normal test of mean ranks, adjusted by Holm: J. Demšar: "Statistical comparisons of classifiers over
/// multiple data sets", 2006. With fewer than two methods or problems nothing is shown: p is 1.
Friedman friedman(std::span<const std::vector<double>> values, Objective objective = Objective::minimise);

/// The share of a logarithmic axis of budgets, from 1 to `budget`, on which a target is reached that took so
/// many evaluations. Its mean over runs and targets is the area under their ECDF (AUC): how good a method is
/// at any time, 1 if it reaches everything at once. N. Hansen, A. Auger, D. Brockhoff, T. Tušar: "Anytime
/// performance assessment in blackbox optimization benchmarking", 2022.
double reached_share(double evaluations, double budget);

/// The mean of the values, and the percentile interval of it over `resamples` samples of them drawn with
/// replacement. Not a number without values.
struct Estimate {
    double value = std::numeric_limits<double>::quiet_NaN();
    Interval interval{std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
};
Estimate bootstrap_mean(std::span<const double> values, std::uint64_t seed = 1, std::size_t resamples = 1000,
                        double confidence = 0.95);

/// "p < 0.001" or "p = 0.032".
std::string p_text(double p);

/// Both, where there are two: "p = 0.012 raw, 0.036 by Holm"; "p = 0.012" in a family of one.
std::string p_texts(double raw, double holm, std::size_t family);

} // namespace knossos::study
