#include <knossos/core/random.hpp>
#include <knossos/study/statistics.hpp>

// In double: long double is another type on every platform, and valgrind's is too short for the tables that
// Boost makes at start-up.
#define BOOST_MATH_PROMOTE_DOUBLE_POLICY false
#include <boost/math/distributions/normal.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace knossos::study {

namespace {

const boost::math::normal_distribution<double> standard_normal{};

double normal_quantile(double share) { return boost::math::quantile(standard_normal, share); }
double upper_tail(double z) { return boost::math::cdf(boost::math::complement(standard_normal, z)); }

// Mid-ranks of the joint sample: what Mann–Whitney and its correction for ties need.
struct Ranks {
    double first_sum = 0.0; ///< of the first sample's ranks, from 1
    double ties = 0.0;      ///< sum of t³ − t over groups of t equal values
};

Ranks rank(std::span<const double> first, std::span<const double> second) {
    struct Entry {
        double value;
        bool of_first;
    };
    std::vector<Entry> entries;
    entries.reserve(first.size() + second.size());
    for (const double value : first) entries.push_back({value, true});
    for (const double value : second) entries.push_back({value, false});
    std::ranges::sort(entries, {}, &Entry::value);
    Ranks ranks;
    for (std::size_t begin = 0; begin < entries.size();) {
        std::size_t end = begin;
        std::size_t of_first = 0;
        for (; end < entries.size() && entries[end].value == entries[begin].value; ++end)
            of_first += entries[end].of_first ? 1U : 0U;
        const auto size = static_cast<double>(end - begin);
        const double mid = 0.5 * (static_cast<double>(begin + 1) + static_cast<double>(end));
        ranks.first_sum += mid * static_cast<double>(of_first);
        ranks.ties += size * size * size - size;
        begin = end;
    }
    return ranks;
}

// P(U ≥ u) for samples of m and n without ties: counts[k] is the number of arrangements with U = k, built up
// by the recurrence of Gaussian binomial coefficients.
double exact_tail(std::size_t m, std::size_t n, std::size_t u) {
    std::vector<double> counts(m * n + 1, 0.0);
    counts[0] = 1.0;
    for (std::size_t i = 1; i <= m; ++i) {
        for (std::size_t k = m * n; k + 1 > n + i; --k) counts[k] -= counts[k - n - i];
        for (std::size_t k = i; k <= m * n; ++k) counts[k] += counts[k - i];
    }
    const double all = std::accumulate(counts.begin(), counts.end(), 0.0);
    return std::accumulate(counts.begin() + static_cast<std::ptrdiff_t>(u), counts.end(), 0.0) / all;
}

} // namespace

Interval wilson_interval(std::uint64_t successes, std::uint64_t trials, double confidence) {
    if (trials == 0) return {0.0, 1.0};
    const double z = normal_quantile(0.5 + 0.5 * confidence);
    const auto n = static_cast<double>(trials);
    const double share = static_cast<double>(successes) / n;
    const double centre = (share + z * z / (2.0 * n)) / (1.0 + z * z / n);
    const double half = z / (1.0 + z * z / n) * std::sqrt(share * (1.0 - share) / n + z * z / (4.0 * n * n));
    return {successes == 0 ? 0.0 : std::max(0.0, centre - half),
            successes == trials ? 1.0 : std::min(1.0, centre + half)};
}

double quantile(std::span<const double> sorted, double share) {
    if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
    const double place = static_cast<double>(sorted.size() - 1) * share;
    const auto below = static_cast<std::size_t>(place);
    const double rest = place - static_cast<double>(below);
    if (rest == 0.0 || below + 1 >= sorted.size()) return sorted[below];
    for (const std::size_t end : {below, below + 1})
        if (std::isinf(sorted[end])) return sorted[end];
    return sorted[below] + rest * (sorted[below + 1] - sorted[below]);
}

Summary summarise(std::vector<double> values) {
    Summary summary{.count = values.size()};
    if (values.empty()) return summary;
    std::ranges::sort(values);
    summary.least = values.front();
    summary.lower_quartile = quantile(values, 0.25);
    summary.median = quantile(values, 0.5);
    summary.upper_quartile = quantile(values, 0.75);
    summary.p95 = quantile(values, 0.95);
    summary.most = values.back();
    summary.mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    return summary;
}

double expected_running_time(std::span<const Attempt> attempts) {
    double spent = 0.0;
    double hits = 0.0;
    for (const Attempt& attempt : attempts) {
        spent += attempt.evaluations;
        hits += attempt.hit ? 1.0 : 0.0;
    }
    return hits == 0.0 ? never : spent / hits;
}

Interval bootstrap_running_time(std::span<const Attempt> attempts, std::uint64_t seed, std::size_t resamples,
                                double confidence) {
    if (std::ranges::none_of(attempts, &Attempt::hit)) return {never, never};
    const Streams streams{seed};
    std::vector<double> times;
    times.reserve(resamples);
    for (std::size_t sample = 0; sample < resamples; ++sample) {
        Stream stream = streams.at(Purpose::study, sample, 0);
        double spent = 0.0;
        double hits = 0.0;
        for (std::size_t i = 0; i < attempts.size(); ++i) {
            const Attempt& drawn = attempts[stream.below64(attempts.size())];
            spent += drawn.evaluations;
            hits += drawn.hit ? 1.0 : 0.0;
        }
        times.push_back(hits == 0.0 ? never : spent / hits);
    }
    std::ranges::sort(times);
    return {quantile(times, 0.5 - 0.5 * confidence), quantile(times, 0.5 + 0.5 * confidence)};
}

std::vector<EcdfStep> ecdf(std::vector<double> values) {
    std::ranges::sort(values);
    std::vector<EcdfStep> steps;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::isinf(values[i])) break;
        const double share = static_cast<double>(i + 1) / static_cast<double>(values.size());
        if (!steps.empty() && steps.back().value == values[i])
            steps.back().share = share;
        else
            steps.push_back({values[i], share});
    }
    return steps;
}

Comparison mann_whitney(std::span<const double> first, std::span<const double> second) {
    Comparison result;
    if (first.empty() || second.empty()) return result;
    const auto m = static_cast<double>(first.size());
    const auto n = static_cast<double>(second.size());
    const Ranks ranks = rank(first, second);
    result.u = ranks.first_sum - m * (m + 1.0) / 2.0;
    result.a12 = result.u / (m * n);
    const double larger = std::max(result.u, m * n - result.u);
    constexpr std::size_t most_exact = 20;
    if (ranks.ties == 0.0 && first.size() <= most_exact && second.size() <= most_exact) {
        result.is_exact = true;
        result.p = std::min(1.0, 2.0 * exact_tail(first.size(), second.size(),
                                                  static_cast<std::size_t>(std::lround(larger))));
        return result;
    }
    const double all = m + n;
    const double variance = m * n / 12.0 * (all + 1.0 - ranks.ties / (all * (all - 1.0)));
    if (variance <= 0.0) return result; // all values are equal
    const double z = (larger - m * n / 2.0 - 0.5) / std::sqrt(variance);
    result.p = std::min(1.0, 2.0 * upper_tail(z));
    return result;
}

std::vector<double> holm(std::span<const double> p) {
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return p[i]; });
    std::vector<double> adjusted(p.size());
    double highest = 0.0;
    for (std::size_t place = 0; place < order.size(); ++place) {
        highest = std::max(highest, std::min(1.0, static_cast<double>(p.size() - place) * p[order[place]]));
        adjusted[order[place]] = highest;
    }
    return adjusted;
}

std::string p_text(double p) {
    if (p < 0.001) return "p < 0.001";
    return fmt::format("p = {:.{}f}", p, p < 0.1 ? 3 : 2);
}

std::string verdict(std::string_view first, std::string_view second, const Comparison& comparison, double p,
                    std::string_view first_smaller, std::string_view first_larger, bool smaller_is_better,
                    double level) {
    const double effect = smaller_is_better ? 1.0 - comparison.a12 : comparison.a12;
    const std::string figures = fmt::format("{}, A12 = {:.2f}", p_text(p), effect);
    if (p >= level) return fmt::format("no difference shown between {} and {}: {}", first, second, figures);
    return fmt::format("{} {} than {}: {}", first, comparison.a12 < 0.5 ? first_smaller : first_larger,
                       second, figures);
}

} // namespace knossos::study
