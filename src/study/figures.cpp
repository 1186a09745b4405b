#include "study/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace knossos::study {

namespace {

using render::Theme;

constexpr std::size_t most_series = 6;
constexpr std::size_t most_bands = 3;
constexpr std::array<render::Colour Theme::*, most_series> colours{
    &Theme::aegean, &Theme::terracotta, &Theme::olive, &Theme::ochre, &Theme::ink, &Theme::quiet};

std::vector<double> dashes_of(std::size_t series) {
    static const std::array<std::vector<double>, most_series> patterns{
        {{}, {7, 4}, {2, 4}, {10, 4, 2, 4}, {1, 5}, {14, 4}}};
    return patterns[series % most_series];
}

// The members of a group, six at a time.
std::vector<std::vector<std::size_t>> in_sixes(std::size_t count) {
    std::vector<std::vector<std::size_t>> parts;
    for (std::size_t i = 0; i < count; ++i) {
        if (i % most_series == 0) parts.emplace_back();
        parts.back().push_back(i);
    }
    return parts;
}

// Quartiles of the best values at moments along the runs.
struct Course {
    std::vector<render::Point> lower, median, upper;
};

Course course_of(const AnalysedConfiguration& configuration) {
    Course course;
    const double end = std::max(2.0, configuration.longest());
    // Values hold until the next one, so curves and bands go in steps.
    const auto step = [](std::vector<render::Point>& points, double x, double y) {
        if (!points.empty() && points.back().y != y) points.push_back({x, points.back().y});
        points.push_back({x, y});
    };
    double last = 0.0;
    for (const double moment : log_spaced(1.0, end, 120)) {
        const double budget = std::floor(moment + 1e-6);
        if (budget <= last) continue;
        last = budget;
        const auto values = configuration.best_within(budget);
        // Before every run has evaluated something there is nothing to compare.
        if (values.size() < configuration.runs.size()) continue;
        step(course.lower, budget, quantile(values, 0.25));
        step(course.median, budget, quantile(values, 0.5));
        step(course.upper, budget, quantile(values, 0.75));
    }
    return course;
}

} // namespace

std::vector<render::Chart> ecdf_charts(const Analysis& analysis, const Group& group) {
    std::vector<render::Chart> charts;
    if (group.targets.empty()) return charts;
    const auto& labels = group.labels;
    for (const auto& part : in_sixes(group.members.size())) {
        render::Chart chart{.title =
                                group.targets.size() == 1
                                    ? std::string{"How soon: share of runs that are solved"}
                                    : fmt::format("How soon: share of runs × {} targets that are reached",
                                                  group.targets.size()),
                            .x_name = "evaluations",
                            .y_name = "share",
                            .log_x = true};
        double end = 1.0;
        for (const std::size_t i : part)
            end = std::max(end, analysis.configurations[group.members[i]].longest());
        for (std::size_t s = 0; s < part.size(); ++s) {
            render::Series series{
                .name = labels[part[s]], .colour = colours[s], .steps = true, .dashes = dashes_of(s)};
            series.points.push_back({1.0, 0.0});
            for (const EcdfStep& step :
                 ecdf_over_targets(analysis.configurations[group.members[part[s]]], group.targets))
                series.points.push_back({step.value, step.share});
            series.points.push_back({end, series.points.back().y});
            chart.series.push_back(std::move(series));
        }
        // The axis shows the whole, even if nobody gets there.
        chart.bands.push_back({.upper = {{1.0, 1.0}}, .lower = {{1.0, 0.0}}});
        charts.push_back(std::move(chart));
    }
    return charts;
}

std::vector<render::Chart> convergence_charts(const Analysis& analysis, const Group& group) {
    std::vector<render::Chart> charts;
    const auto& labels = group.labels;
    // Values that don't mean the same share no axis.
    std::vector<std::vector<std::size_t>> parts;
    if (group.same_scale)
        parts = in_sixes(group.members.size());
    else
        for (std::size_t i = 0; i < group.members.size(); ++i) parts.push_back({i});
    for (const auto& part : parts) {
        render::Chart chart{.title = part.size() == 1 ? fmt::format("The way there: {}", labels[part[0]])
                                     : part.size() <= most_bands ? "The way there: median and quartiles"
                                                                 : "The way there: medians",
                            .x_name = "evaluations",
                            .y_name = "best so far",
                            .log_x = true};
        double end = 1.0;
        for (const std::size_t i : part)
            end = std::max(end, analysis.configurations[group.members[i]].longest());
        if (parts.size() > 1 && part.size() == 1) {
            chart.width = 500;
            chart.height = 300;
        }
        for (std::size_t s = 0; s < part.size(); ++s) {
            const auto& configuration = analysis.configurations[group.members[part[s]]];
            Course course = course_of(configuration);
            if (configuration.info.target) chart.target = configuration.info.target;
            // Curves go on to the end of the longest, where their names stand; more than a few bands would
            // only cover each other.
            if (!course.median.empty()) course.median.push_back({end, course.median.back().y});
            if (part.size() <= most_bands)
                chart.bands.push_back({.colour = colours[s], .upper = course.upper, .lower = course.lower});
            chart.series.push_back({.name = part.size() == 1 ? "median" : labels[part[s]],
                                    .colour = colours[s],
                                    .points = std::move(course.median),
                                    .dashes = dashes_of(s)});
        }
        charts.push_back(std::move(chart));
    }
    return charts;
}

render::BoxPlot box_plot(const Analysis& analysis, const Group& group) {
    render::BoxPlot plot{.title = group.is_solved ? "Evaluations to success" : "Best value of each run",
                         .x_name = group.is_solved ? "evaluations" : "best value",
                         .log_x = group.is_solved};
    const auto& labels = group.labels;
    for (std::size_t i = 0; i < group.members.size(); ++i) {
        const Row& row = analysis.configurations[group.members[i]].row;
        const Summary& summary = group.is_solved ? row.evaluations : row.best;
        plot.boxes.push_back({.name = labels[i],
                              .colour = colours[i % most_series],
                              .least = summary.least,
                              .lower_quartile = summary.lower_quartile,
                              .median = summary.median,
                              .upper_quartile = summary.upper_quartile,
                              .most = summary.most,
                              .note = group.is_solved && row.solved < row.runs
                                          ? fmt::format("{} of {}", row.solved, row.runs)
                                          : ""});
    }
    return plot;
}

std::vector<render::Chart> size_charts(const Analysis& analysis) {
    struct Place {
        double size, expected;
        Interval interval;
    };
    std::map<std::string, std::vector<Place>> series;
    std::vector<std::string> order;
    for (const AnalysedConfiguration& one : analysis.configurations) {
        if (one.runs.empty() || !one.info.size || !one.info.target) continue;
        const std::string name =
            one.info.problem + "\n" + label_without_size(one.info.label, analysis.registry);
        const Row& row = one.row;
        if (std::isinf(row.expected)) continue;
        if (!series.contains(name)) order.push_back(name);
        series[name].push_back({*one.info.size, row.expected, row.expected_interval});
    }
    std::erase_if(order, [&](const std::string& name) { return series[name].size() < 2; });
    std::vector<render::Chart> charts;
    for (const auto& part : in_sixes(order.size())) {
        render::Chart chart{.title = "Expected running time against the size of the problem",
                            .x_name = "n",
                            .y_name = "expected evaluations to success",
                            .log_y = true};
        double least = never;
        double most = 0.0;
        for (std::size_t s = 0; s < part.size(); ++s) {
            auto& places = series[order[part[s]]];
            std::ranges::sort(places, {}, &Place::size);
            render::Series line{.name = order[part[s]].substr(order[part[s]].find('\n') + 1),
                                .colour = colours[s],
                                .dashes = dashes_of(s)};
            render::Band band{.colour = colours[s]};
            least = std::min(least, places.front().size);
            most = std::max(most, places.back().size);
            for (const Place& place : places) {
                line.points.push_back({place.size, place.expected});
                const double high = std::isinf(place.interval.high) ? place.expected : place.interval.high;
                band.upper.push_back({place.size, high});
                band.lower.push_back({place.size, place.interval.low});
            }
            chart.series.push_back(std::move(line));
            chart.bands.push_back(std::move(band));
        }
        chart.log_x = most >= 4.0 * least;
        charts.push_back(std::move(chart));
    }
    return charts;
}

} // namespace knossos::study
