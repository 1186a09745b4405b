#include "study/tables.hpp"

#include "study/figures.hpp"

#include <knossos/core/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace knossos::study {

namespace {

std::string percent(double share) {
    const double value = share * 100.0;
    return fmt::format("{:.{}f} %", value, value == std::floor(value) ? 0 : 1);
}

std::string range(double low, double high) {
    const auto end = [](double value) { return std::isinf(value) ? std::string{"∞"} : figure(value); };
    return std::isinf(low) ? "–" : fmt::format("{} – {}", end(low), end(high));
}

std::string seconds_text(double seconds) {
    if (seconds < 1e-3) return fmt::format("{:.3g} µs", seconds * 1e6);
    if (seconds < 1.0) return fmt::format("{:.3g} ms", seconds * 1e3);
    if (seconds < 120.0) return fmt::format("{:.3g} s", seconds);
    return fmt::format("{:.3g} min", seconds / 60.0);
}

struct Member {
    std::string label;
    const AnalysedConfiguration* configuration;
    Row row;
};

Table success_table(const std::vector<Member>& members) {
    Table table{
        .title = "Success and expected running time",
        .head = {"", "runs", "solved", "95 % interval", "ERT (evaluations)", "95 % interval", "time per run"},
        .rows = {},
        .note = "Interval of success: Wilson. ERT: all evaluations divided by the number of successes; its "
                "interval by bootstrap."};
    for (const Member& one : members)
        table.rows.push_back(
            {one.label, thousands(one.row.runs),
             percent(static_cast<double>(one.row.solved) / static_cast<double>(one.row.runs)),
             fmt::format("{:.1f} – {:.1f} %", 100.0 * one.row.success.low, 100.0 * one.row.success.high),
             figure(one.row.expected), range(one.row.expected_interval.low, one.row.expected_interval.high),
             seconds_text(one.row.seconds.median)});
    return table;
}

Table quantile_table(const std::vector<Member>& members, std::string title, Summary Row::* summary) {
    Table table{.title = std::move(title),
                .head = {"", "least", "lower quartile", "median", "upper quartile", "p95", "most", "mean"},
                .rows = {}};
    for (const Member& one : members) {
        const Summary& of = one.row.*summary;
        table.rows.push_back({one.label, figure(of.least), figure(of.lower_quartile), figure(of.median),
                              figure(of.upper_quartile), figure(of.p95), figure(of.most), figure(of.mean)});
    }
    return table;
}

// Rows and columns exchanged where that makes a wide table a long one.
void stand_up(Table& table) {
    if (table.head.size() <= table.rows.size() + 1) return;
    Table turned{.title = table.title, .head = {table.head.front()}, .rows = {}, .note = table.note};
    for (const auto& row : table.rows) turned.head.push_back(row.front());
    for (std::size_t column = 1; column < table.head.size(); ++column) {
        turned.rows.push_back({table.head[column]});
        for (const auto& row : table.rows) turned.rows.back().push_back(row[column]);
    }
    table = std::move(turned);
}

Table target_table(const Analysis& analysis, const Group& group, const std::vector<Member>& members) {
    const std::size_t resamples = resamples_for(analysis);
    Table table{
        .title = "Expected running time to each target",
        .head = {"target"},
        .rows = {},
        .note = fmt::format("In evaluations, with the 95 % bootstrap interval ({} resamples); a dash: no run "
                            "got there.",
                            resamples)};
    for (const double target : group.targets) table.head.push_back(figure(target));
    for (const Member& one : members) {
        std::vector<std::string> cells{one.label};
        for (const double target : group.targets) {
            const auto attempts = one.configuration->attempts(target);
            const double expected = expected_running_time(attempts);
            if (std::isinf(expected)) {
                cells.emplace_back("–");
                continue;
            }
            const Interval interval = bootstrap_running_time(attempts, 1, resamples);
            cells.push_back(fmt::format("{} ({})", figure(expected), range(interval.low, interval.high)));
        }
        table.rows.push_back(std::move(cells));
    }
    stand_up(table);
    return table;
}

Table budget_table(const Group& group, const std::vector<Member>& members) {
    Table table{.title = "Best value within a budget",
                .head = {"evaluations"},
                .rows = {},
                .note = "Median, and quartiles in brackets, over the runs that had a value by then."};
    for (const double budget : group.budgets) table.head.push_back(figure(budget));
    for (const Member& one : members) {
        std::vector<std::string> cells{one.label};
        for (const double budget : group.budgets) {
            const auto values = one.configuration->best_within(budget);
            if (values.empty())
                cells.emplace_back("–");
            else
                cells.push_back(fmt::format("{} ({})", figure(quantile(values, 0.5)),
                                            range(quantile(values, 0.25), quantile(values, 0.75))));
        }
        table.rows.push_back(std::move(cells));
    }
    stand_up(table);
    return table;
}

// Where runs ended, if there are few enough places.
std::optional<Table> ending_table(const Analysis& analysis, const Group& group,
                                  const std::vector<Member>& members) {
    constexpr std::size_t most = 10;
    std::set<double> values;
    for (const Member& one : members)
        for (const AnalysedRun& run : one.configuration->runs)
            if (!std::isnan(run.best)) values.insert(run.best);
    if (!group.same_scale || values.size() < 2 || values.size() > most) return std::nullopt;
    Table table{
        .title = "Where runs ended", .head = {"best value"}, .rows = {}, .note = "Share of the runs."};
    std::vector<double> ordered(values.begin(), values.end());
    if (analysis.configurations[group.members.front()].info.objective == Objective::maximise)
        std::ranges::reverse(ordered);
    for (const double value : ordered) table.head.push_back(figure(value));
    for (const Member& one : members) {
        std::vector<std::string> cells{one.label};
        for (const double value : ordered) {
            const auto ended = std::ranges::count(one.configuration->runs, value, &AnalysedRun::best);
            cells.push_back(ended == 0 ? "–"
                                       : percent(std::round(1000.0 * static_cast<double>(ended) /
                                                            static_cast<double>(one.row.runs)) /
                                                 1000.0));
        }
        table.rows.push_back(std::move(cells));
    }
    return table;
}

Table comparison_table(const Analysis& analysis, const Group& group) {
    Table table{
        .title = group.is_solvable ? "Compared: evaluations to success" : "Compared: best values",
        .head = {"", "A12", "p"},
        .rows = {},
        .note = "Mann–Whitney, two-sided, p adjusted by Holm; A12 is the chance that a run of the first does "
                "better than one of the second (Vargha–Delaney)."};
    if (group.is_solvable) table.note += " A run that did not succeed counts as later than all that did.";
    if (group.against_best_only)
        table.note += " Listed is each against the one with the best mean rank; p is adjusted for all pairs.";
    const bool smaller = group.is_solvable ||
                         analysis.configurations[group.members.front()].info.objective == Objective::minimise;
    for (const Versus& one : group.comparisons)
        table.rows.push_back({one.verdict.substr(0, one.verdict.rfind(": p ")),
                              fmt::format("{:.2f}", smaller ? 1.0 - one.comparison.a12 : one.comparison.a12),
                              p_text(one.p).substr(one.p < 0.001 ? 2 : 4)});
    return table;
}

} // namespace

std::string figure(double number) { return std::isfinite(number) ? short_number(number) : "–"; }

std::size_t resamples_for(const Analysis& analysis) {
    std::size_t targets = 1;
    for (const Group& group : analysis.groups) targets = std::max(targets, group.targets.size());
    constexpr double most_draws = 2e8;
    const double draws = static_cast<double>(analysis.runs) * static_cast<double>(targets);
    return static_cast<std::size_t>(std::clamp(most_draws / std::max(draws, 1.0), 100.0, 1000.0));
}

std::vector<Table> tables_of(const Analysis& analysis, const Group& group) {
    std::vector<Member> members;
    const auto& labels = group.labels;
    for (std::size_t i = 0; i < group.members.size(); ++i) {
        const auto& configuration = analysis.configurations[group.members[i]];
        members.push_back({labels[i], &configuration, row_of(configuration)});
    }
    std::vector<Table> tables;
    if (group.is_solvable) {
        tables.push_back(success_table(members));
        tables.push_back(quantile_table(members, "Evaluations to success", &Row::evaluations));
        tables.push_back(quantile_table(members, "Generations to success", &Row::generations));
    } else {
        tables.push_back(quantile_table(members, "Best value of each run", &Row::best));
    }
    if (auto endings = ending_table(analysis, group, members)) tables.push_back(std::move(*endings));
    if (group.targets.size() > 1) tables.push_back(target_table(analysis, group, members));
    tables.push_back(budget_table(group, members));
    if (!group.comparisons.empty()) tables.push_back(comparison_table(analysis, group));
    return tables;
}

std::string summary_line(const Analysis& analysis) {
    std::uint64_t wanted = 0;
    for (const auto& one : analysis.configurations) wanted += one.info.runs;
    return fmt::format("{} of {}, {} of computing time.{}", counted(analysis.runs, "run", "runs"),
                       counted(analysis.configurations.size(), "configuration", "configurations"),
                       seconds_text(analysis.seconds),
                       analysis.runs < wanted
                           ? fmt::format(" {} are still missing.", thousands(wanted - analysis.runs))
                           : "");
}

std::vector<std::string> findings(const Analysis& analysis) {
    std::vector<std::string> found;
    for (const Group& group : analysis.groups) {
        std::string text = group.name + ": ";
        if (group.members.size() == 1) {
            const auto& one = analysis.configurations[group.members.front()];
            const Row row = row_of(one);
            if (group.is_solvable)
                text += fmt::format(
                    "{} solves {} (95 % interval {:.1f} – {:.1f} %), expected running time {} "
                    "evaluations, median {}.",
                    one.info.label, percent(static_cast<double>(row.solved) / static_cast<double>(row.runs)),
                    100.0 * row.success.low, 100.0 * row.success.high, figure(row.expected),
                    figure(row.evaluations.median));
            else
                text += fmt::format("{} ends with a median of {} (quartiles {}).", one.info.label,
                                    figure(row.best.median),
                                    range(row.best.lower_quartile, row.best.upper_quartile));
            found.push_back(std::move(text));
            continue;
        }
        if (group.comparisons.empty()) continue;
        // The best is whoever nobody beats; its weakest lead is what can be said of all.
        std::vector<std::size_t> beaten;
        const Versus* closest = nullptr;
        for (const Versus& one : group.comparisons)
            if (one.p < 0.05) beaten.push_back(one.second);
        const auto leads = [&](std::size_t member) {
            const auto wins = std::ranges::count_if(
                group.comparisons, [&](const Versus& one) { return one.first == member && one.p < 0.05; });
            return static_cast<std::size_t>(wins) + 1 == group.members.size();
        };
        const auto best = std::ranges::find_if(group.members, leads);
        if (best != group.members.end()) {
            for (const Versus& one : group.comparisons)
                if (one.first == *best && (closest == nullptr || one.p > closest->p)) closest = &one;
            const std::string& name = group.labels[static_cast<std::size_t>(best - group.members.begin())];
            text += group.members.size() == 2
                        ? closest->verdict + "."
                        : fmt::format("{} {} than each of the {} others ({} at most, after Holm).", name,
                                      group.is_solvable ? "needs fewer evaluations" : "ends better",
                                      group.members.size() - 1, p_text(closest->p));
        } else if (group.members.size() == 2) {
            text += group.comparisons.front().verdict + ".";
        } else {
            std::string front;
            for (std::size_t i = 0; i < group.members.size(); ++i)
                if (std::ranges::find(beaten, group.members[i]) == beaten.end())
                    front += (front.empty() ? "" : ", ") + group.labels[i];
            text += beaten.empty()
                        ? fmt::format("no difference is shown among the {}.", group.members.size())
                        : fmt::format("no single best is shown; nobody is shown to beat {}.", front);
        }
        found.push_back(std::move(text));
    }
    return found;
}

} // namespace knossos::study
