// Random samples and what our statistics make of them, a JSON object a line; tests/scipy/run compares them
// with SciPy's. `null` stands for a run that never got there.
#include <knossos/core/random.hpp>
#include <knossos/study/statistics.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <vector>

using namespace knossos;
using namespace knossos::study;
using nlohmann::json;

namespace {

json number(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }

json numbers(const std::vector<double>& values) {
    json list = json::array();
    for (const double value : values) list.push_back(number(value));
    return list;
}

// Some samples have many equal values, some have none, some have runs that never got there.
enum class Kind : unsigned char { distinct, tied, censored };

std::vector<double> sample(Stream& stream, std::size_t size, Kind kind, double shift) {
    std::vector<double> values;
    for (std::size_t i = 0; i < size; ++i) {
        const double value = stream.real() + shift;
        if (kind == Kind::distinct)
            values.push_back(value);
        else if (kind == Kind::censored && stream.real() < 0.3)
            values.push_back(never);
        else
            values.push_back(std::floor(8.0 * value));
    }
    return values;
}

void put(const json& line) { fmt::print("{}\n", line.dump()); }

json comparison(const char* statistic, const std::vector<double>& first, const std::vector<double>& second,
                Objective objective, const Comparison& found) {
    return {{"statistic", statistic},    {"first", numbers(first)},
            {"second", numbers(second)}, {"maximise", objective == Objective::maximise},
            {"value", found.statistic},  {"p", found.p},
            {"a12", found.a12},          {"exact", found.is_exact}};
}

void two_samples(Stream& stream, Kind kind) {
    // Values that are better the larger they are have no worst one that a run without success could count as.
    const Objective objective =
        kind != Kind::censored && stream.below64(2) == 1 ? Objective::maximise : Objective::minimise;
    const std::size_t m = 2 + stream.below64(stream.below64(2) == 1 ? 60 : 18);
    const std::size_t n = 2 + stream.below64(stream.below64(2) == 1 ? 60 : 18);
    const auto first = sample(stream, m, kind, 0.0);
    const auto second = sample(stream, n, kind, 0.4 * stream.real());
    put(comparison("mann_whitney", first, second, objective, mann_whitney(first, second, objective)));
    const auto partner = sample(stream, m, kind, 0.4 * stream.real());
    put(comparison("signed_rank", first, partner, objective, signed_rank(first, partner, objective)));
}

void several_methods(Stream& stream, Kind kind) {
    const std::size_t problems = 2 + stream.below64(20);
    const std::size_t methods = 3 + stream.below64(8);
    std::vector<std::vector<double>> values;
    json list = json::array();
    for (std::size_t i = 0; i < problems; ++i) {
        values.push_back(sample(stream, methods, kind, 0.0));
        list.push_back(numbers(values.back()));
    }
    const Friedman found = friedman(values);
    json pairs = json::array();
    for (const RankDifference& one : found.pairs)
        pairs.push_back({{"first", one.first},
                         {"second", one.second},
                         {"z", one.z},
                         {"p", one.p},
                         {"p_holm", one.p_holm}});
    put({{"statistic", "friedman"},
         {"values", list},
         {"mean_ranks", found.mean_ranks},
         {"chi_square", found.chi_square},
         {"p", found.p},
         {"pairs", pairs}});
}

void shares_and_summaries(Stream& stream) {
    const std::uint64_t trials = 1 + stream.below64(300);
    const std::uint64_t successes = stream.below64(trials + 1);
    const double confidence = 0.8 + 0.19 * stream.real();
    const Interval wilson = wilson_interval(successes, trials, confidence);
    put({{"statistic", "wilson"},
         {"successes", successes},
         {"trials", trials},
         {"confidence", confidence},
         {"low", wilson.low},
         {"high", wilson.high}});
    const auto values = sample(stream, 1 + stream.below64(200), Kind::distinct, 0.0);
    const Summary summary = summarise(values);
    put({{"statistic", "summary"},
         {"values", values},
         {"quantiles",
          {summary.least, summary.lower_quartile, summary.median, summary.upper_quartile, summary.p95,
           summary.most}},
         {"mean", summary.mean}});
    std::vector<double> p;
    for (std::size_t i = 0; i < 1 + stream.below64(12); ++i) p.push_back(std::pow(stream.real(), 3.0));
    put({{"statistic", "holm"}, {"p", p}, {"adjusted", holm(p)}});
}

void running_times(Stream& stream) {
    const double budget = std::floor(std::exp(2.0 + 8.0 * stream.real()));
    std::vector<double> times;
    std::vector<Attempt> attempts;
    std::vector<double> shares;
    for (std::size_t i = 0; i < 40 + stream.below64(100); ++i) {
        const bool hit = stream.real() < 0.8;
        times.push_back(hit ? 1.0 + std::floor(budget * std::pow(stream.real(), 3.0)) : never);
        if (hit && times.back() > budget) times.back() = budget;
        attempts.push_back({hit ? times.back() : budget, hit});
        shares.push_back(reached_share(times.back(), budget));
    }
    const Interval interval = bootstrap_running_time(attempts, 1, 4000);
    const Estimate area = bootstrap_mean(shares, 1, 4000);
    json steps = json::array();
    for (const EcdfStep& step : ecdf(times)) steps.push_back({step.value, step.share});
    put({{"statistic", "running_time"},
         {"times", numbers(times)},
         {"budget", budget},
         {"ert", number(expected_running_time(attempts))},
         {"interval", {number(interval.low), number(interval.high)}},
         {"auc", area.value},
         {"auc_interval", {area.interval.low, area.interval.high}},
         {"ecdf", steps}});
}

} // namespace

int main() {
    const Streams streams{2026};
    for (std::uint64_t turn = 0; turn < 200; ++turn) {
        Stream stream = streams.at(Purpose::study, turn, 0);
        for (const Kind kind : {Kind::distinct, Kind::tied, Kind::censored}) two_samples(stream, kind);
        for (const Kind kind : {Kind::distinct, Kind::tied}) several_methods(stream, kind);
        shares_and_summaries(stream);
        if (turn < 10) running_times(stream);
    }
}
