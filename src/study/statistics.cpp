#include <knossos/core/random.hpp>
#include <knossos/study/statistics.hpp>

// In double: long double is another type on every platform, and valgrind's is too short for the tables that
// Boost makes at start-up.
#define BOOST_MATH_PROMOTE_DOUBLE_POLICY false
#include <boost/math/distributions/chi_squared.hpp>
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

// Ranks of the values from 1, equal ones sharing the middle of theirs, and what corrections need of ties.
struct Ranks {
    std::vector<double> of;
    double ties = 0.0; ///< sum of t³ − t over groups of t equal values
};

Ranks rank(std::span<const double> values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
    Ranks ranks{.of = std::vector<double>(values.size())};
    for (std::size_t begin = 0; begin < order.size();) {
        std::size_t end = begin;
        while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
        const double middle = 0.5 * (static_cast<double>(begin + 1) + static_cast<double>(end));
        for (std::size_t i = begin; i < end; ++i) ranks.of[order[i]] = middle;
        const auto size = static_cast<double>(end - begin);
        ranks.ties += size * size * size - size;
        begin = end;
    }
    return ranks;
}

// Pairs in which the first's value is better, ties counting half, and the ties among all.
struct Pairs {
    double won = 0.0;
    double ties = 0.0;
};

Pairs pairs_won(std::span<const double> first, std::span<const double> second, Objective objective) {
    std::vector<double> all(first.begin(), first.end());
    all.insert(all.end(), second.begin(), second.end());
    const Ranks ranks = rank(all);
    const auto m = static_cast<double>(first.size());
    const auto n = static_cast<double>(second.size());
    const double sum = std::accumulate(ranks.of.begin(), ranks.of.begin() + std::ssize(first), 0.0);
    const double larger = sum - m * (m + 1.0) / 2.0;
    return {objective == Objective::maximise ? larger : m * n - larger, ranks.ties};
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

// P(W ≥ w) of n pairs without ties: counts[k] is the number of sets of ranks whose sum is k.
double exact_signed_tail(std::size_t n, std::size_t w) {
    std::vector<double> counts(n * (n + 1) / 2 + 1, 0.0);
    counts[0] = 1.0;
    for (std::size_t rank = 1; rank <= n; ++rank)
        for (std::size_t k = rank * (rank + 1) / 2; k >= rank; --k) counts[k] += counts[k - rank];
    return std::accumulate(counts.begin() + static_cast<std::ptrdiff_t>(w), counts.end(), 0.0) /
           std::pow(2.0, static_cast<double>(n));
}

double two_sided(double z) { return std::min(1.0, 2.0 * upper_tail(z)); }

// The interval between the quantiles of what `draw` makes of streams of its own.
template <class Draw>
Interval percentile_interval(std::uint64_t seed, std::size_t resamples, double confidence, Draw draw) {
    const Streams streams{seed};
    std::vector<double> drawn;
    drawn.reserve(resamples);
    for (std::size_t sample = 0; sample < resamples; ++sample)
        drawn.push_back(draw(streams.at(Purpose::study, sample, 0)));
    std::ranges::sort(drawn);
    return {quantile(drawn, 0.5 - 0.5 * confidence), quantile(drawn, 0.5 + 0.5 * confidence)};
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
    return percentile_interval(seed, resamples, confidence, [&](Stream stream) {
        double spent = 0.0;
        double hits = 0.0;
        for (std::size_t i = 0; i < attempts.size(); ++i) {
            const Attempt& drawn = attempts[stream.below64(attempts.size())];
            spent += drawn.evaluations;
            hits += drawn.hit ? 1.0 : 0.0;
        }
        return hits == 0.0 ? never : spent / hits;
    });
}

Estimate bootstrap_mean(std::span<const double> values, std::uint64_t seed, std::size_t resamples,
                        double confidence) {
    if (values.empty()) return {};
    const auto count = static_cast<double>(values.size());
    return {std::accumulate(values.begin(), values.end(), 0.0) / count,
            percentile_interval(seed, resamples, confidence, [&](Stream stream) {
                double sum = 0.0;
                for (std::size_t i = 0; i < values.size(); ++i) sum += values[stream.below64(values.size())];
                return sum / count;
            })};
}

double reached_share(double evaluations, double budget) {
    if (evaluations > budget) return 0.0;
    return evaluations <= 1.0 ? 1.0 : 1.0 - std::log(evaluations) / std::log(budget);
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

double a12(std::span<const double> first, std::span<const double> second, Objective objective) {
    if (first.empty() || second.empty()) return 0.5;
    return pairs_won(first, second, objective).won /
           (static_cast<double>(first.size()) * static_cast<double>(second.size()));
}

Comparison mann_whitney(std::span<const double> first, std::span<const double> second, Objective objective) {
    Comparison result;
    if (first.empty() || second.empty()) return result;
    const auto m = static_cast<double>(first.size());
    const auto n = static_cast<double>(second.size());
    const Pairs pairs = pairs_won(first, second, objective);
    result.statistic = pairs.won;
    result.a12 = pairs.won / (m * n);
    result.lead = pairs.won - m * n / 2.0;
    const double larger = std::max(pairs.won, m * n - pairs.won);
    constexpr std::size_t most_exact = 20;
    if (pairs.ties == 0.0 && first.size() <= most_exact && second.size() <= most_exact) {
        result.is_exact = true;
        result.p = std::min(1.0, 2.0 * exact_tail(first.size(), second.size(),
                                                  static_cast<std::size_t>(std::lround(larger))));
        return result;
    }
    const double all = m + n;
    const double variance = m * n / 12.0 * (all + 1.0 - pairs.ties / (all * (all - 1.0)));
    if (variance <= 0.0) return result; // all values are equal
    result.p = two_sided((larger - m * n / 2.0 - 0.5) / std::sqrt(variance));
    return result;
}

Comparison signed_rank(std::span<const double> first, std::span<const double> second, Objective objective) {
    Comparison result{.a12 = a12(first, second, objective)};
    std::vector<double> sizes;
    std::vector<bool> won;
    for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
        if (first[i] == second[i]) continue; // also where neither ever came
        sizes.push_back(std::abs(first[i] - second[i]));
        won.push_back(better(objective, first[i], second[i]));
    }
    if (sizes.empty()) return result;
    result.unequal_pairs = sizes.size();
    result.won_pairs = static_cast<std::size_t>(std::ranges::count(won, true));
    const Ranks ranks = rank(sizes);
    const auto n = static_cast<double>(sizes.size());
    const double all = n * (n + 1.0) / 2.0;
    for (std::size_t i = 0; i < sizes.size(); ++i) result.statistic += won[i] ? ranks.of[i] : 0.0;
    result.lead = result.statistic - all / 2.0;
    const double larger = std::max(result.statistic, all - result.statistic);
    constexpr std::size_t most_exact = 50;
    if (ranks.ties == 0.0 && sizes.size() <= most_exact) {
        result.is_exact = true;
        result.p = std::min(
            1.0, 2.0 * exact_signed_tail(sizes.size(), static_cast<std::size_t>(std::lround(larger))));
        return result;
    }
    const double variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ranks.ties / 48.0;
    result.p = two_sided((larger - all / 2.0 - 0.5) / std::sqrt(variance));
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

Friedman friedman(std::span<const std::vector<double>> values, Objective objective) {
    Friedman result;
    const std::size_t methods = values.empty() ? 0 : values.front().size();
    result.mean_ranks.assign(methods, 0.0);
    const auto n = static_cast<double>(values.size());
    const auto k = static_cast<double>(methods);
    double ties = 0.0;
    for (const std::vector<double>& problem : values) {
        const Ranks ranks = rank(problem);
        ties += ranks.ties;
        for (std::size_t i = 0; i < methods; ++i)
            result.mean_ranks[i] +=
                (objective == Objective::minimise ? ranks.of[i] : k + 1.0 - ranks.of[i]) / n;
    }
    if (methods < 2 || values.size() < 2) return result;
    double spread = 0.0;
    for (const double mean : result.mean_ranks) spread += (mean - (k + 1.0) / 2.0) * (mean - (k + 1.0) / 2.0);
    const double correction = 1.0 - ties / (n * k * (k * k - 1.0));
    if (correction > 0.0) { // else every problem has them all equal
        result.chi_square = 12.0 * n / (k * (k + 1.0)) * spread / correction;
        result.p = boost::math::cdf(boost::math::complement(
            boost::math::chi_squared_distribution<double>{k - 1.0}, result.chi_square));
    }
    std::vector<double> p;
    for (std::size_t a = 0; a < methods; ++a)
        for (std::size_t b = a + 1; b < methods; ++b) {
            const double z =
                (result.mean_ranks[b] - result.mean_ranks[a]) / std::sqrt(k * (k + 1.0) / (6.0 * n));
            p.push_back(two_sided(std::abs(z)));
            result.pairs.push_back({.first = a, .second = b, .z = z, .p = p.back()});
        }
    const std::vector<double> adjusted = holm(p);
    for (std::size_t i = 0; i < p.size(); ++i) result.pairs[i].p_holm = adjusted[i];
    return result;
}

std::string p_text(double p) {
    if (p < 0.001) return "p < 0.001";
    // What lies below the usual level must not be rounded up to it.
    const bool is_close = p < 0.05 && p >= 0.0495;
    return fmt::format("p = {:.{}f}", p, is_close ? 4 : p < 0.1 ? 3 : 2);
}

std::string p_texts(double raw, double holm, std::size_t family) {
    std::string text = p_text(raw);
    if (family < 2) return text;
    const std::string adjusted = p_text(holm);
    if (text == adjusted) return text + " raw and by Holm";
    return fmt::format("{} raw, {} by Holm", text, adjusted.substr(adjusted.starts_with("p = ") ? 4 : 2));
}

} // namespace knossos::study
