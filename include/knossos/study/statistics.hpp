#pragma once

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

/// How the values of two independent samples compare. Smaller values rank first; equal ones share a rank,
/// and so do all that are `never`.
struct Comparison {
    double u = 0.0;        ///< pairs in which the first sample's value is the larger, ties counting half
    double p = 1.0;        ///< of a difference at least this large, either way, if there were none
    double a12 = 0.5;      ///< chance that a value of the first is larger than one of the second, ties half
    bool is_exact = false; ///< p from the exact distribution rather than the normal one
};

/// The two-sided Mann–Whitney test and the effect size that goes with it. Exact where neither sample has more
/// than 20 values and no two are equal; else normal, corrected for ties and continuity. H. B. Mann,
/// D. R. Whitney, 1947; A. Vargha, H. D. Delaney: "A critique and improvement of the CL common language
/// effect size statistics", 2000. Without values in either sample nothing is shown: p is 1.
Comparison mann_whitney(std::span<const double> first, std::span<const double> second);

/// Adjusts the p values of several tests so that the chance of even one false alarm stays below the level.
/// S. Holm: "A simple sequentially rejective multiple test procedure", 1979.
std::vector<double> holm(std::span<const double> p);

/// "p < 0.001" or "p = 0.032".
std::string p_text(double p);

/// What a comparison says, in words: "A needs fewer evaluations than B: p < 0.001, A12 = 0.83" (the chance
/// that a run of A does better than one of B), or "no difference shown between A and B: p = 0.41, A12 =
/// 0.52". `p` is the adjusted one; `first_smaller` and `first_larger` are the verbs for either outcome, and
/// `smaller_is_better` says which way the effect is to be read.
std::string verdict(std::string_view first, std::string_view second, const Comparison& comparison, double p,
                    std::string_view first_smaller, std::string_view first_larger, bool smaller_is_better,
                    double level = 0.05);

} // namespace knossos::study
