#include "study/tables.hpp"

#include "study/figures.hpp"

#include <knossos/core/text.hpp>
#include <knossos/study/report.hpp>

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

// Quartiles of best values.
std::string value_range(double low, double high) {
    return fmt::format("{} – {}", value_text(low), value_text(high));
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
        table.rows.push_back({one.label});
        for (const double value :
             {of.least, of.lower_quartile, of.median, of.upper_quartile, of.p95, of.most, of.mean})
            table.rows.back().push_back(value_text(value));
    }
    return table;
}

bool keeps_archive(const Member& one) { return one.row.archives > 0; }

Table archive_table(const std::vector<Member>& members) {
    Table table{.title = "Archives at the end",
                .head = {"", "coverage", "quartiles", "QD-score", "quartiles"},
                .rows = {},
                .note = "Medians over the runs. Coverage: share of the cells that are filled. QD-score: the "
                        "sum of what the elites are worth, each from 0 to 1 by the range of the objective; "
                        "where it has none, their number."};
    for (const Member& one : members) {
        if (!keeps_archive(one)) continue;
        const Summary& coverage = one.row.coverage;
        const Summary& score = one.row.qd_score;
        table.rows.push_back({one.label, fmt::format("{:.1f} %", 100.0 * coverage.median),
                              fmt::format("{:.1f} – {:.1f} %", 100.0 * coverage.lower_quartile,
                                          100.0 * coverage.upper_quartile),
                              figure(score.median), range(score.lower_quartile, score.upper_quartile)});
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
                cells.push_back(fmt::format("{} ({})", value_text(quantile(values, 0.5)),
                                            value_range(quantile(values, 0.25), quantile(values, 0.75))));
        }
        table.rows.push_back(std::move(cells));
    }
    stand_up(table);
    return table;
}

Table area_table(const Group& group, const std::vector<Member>& members) {
    Table table{.title = "At any time: area under the distribution (AUC)",
                .head = {"", "AUC", "95 % interval"},
                .rows = {},
                .note = fmt::format(
                    "Over {} and budgets up to {} evaluations on a logarithmic axis: 1 if everything "
                    "is reached at once, 0 if nothing ever is. Interval by bootstrap of the runs.",
                    counted(group.targets.size(), "target", "targets"), figure(group.budgets.back()))};
    for (const Member& one : members) {
        const Estimate& area = one.configuration->area;
        table.rows.push_back({one.label, fmt::format("{:.3f}", area.value),
                              fmt::format("{:.3f} – {:.3f}", area.interval.low, area.interval.high)});
    }
    return table;
}

// Where runs ended, if there are few enough places.
std::optional<Table> ending_table(const Analysis& analysis, const Group& group,
                                  const std::vector<Member>& members) {
    constexpr std::size_t most = 10;
    std::set<double> values;
    for (const Member& one : members)
        for (const AnalysedRun& run : one.configuration->runs)
            values.insert(one.configuration->final_value(run));
    if (!group.same_scale || values.size() < 2 || values.size() > most) return std::nullopt;
    Table table{
        .title = "Where runs ended", .head = {"best value"}, .rows = {}, .note = "Share of the runs."};
    std::vector<double> ordered(values.begin(), values.end());
    if (analysis.configurations[group.members.front()].info.objective == Objective::maximise)
        std::ranges::reverse(ordered);
    for (const double value : ordered) table.head.push_back(value_text(value));
    for (const Member& one : members) {
        std::vector<std::string> cells{one.label};
        for (const double value : ordered) {
            const auto ended =
                std::ranges::count(one.configuration->runs, value, [&](const AnalysedRun& run) {
                    return one.configuration->final_value(run);
                });
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
    const bool values = std::ranges::all_of(group.comparisons, &Versus::by_values);
    Table table{.title = values ? "Compared: best values" : "Compared: evaluations to success",
                .head = {"", "A12", "p raw", "p by Holm"},
                .rows = {},
                .note = fmt::format(
                    "{}, two-sided; p raw, and adjusted by Holm for {}. A12 is the chance that a run "
                    "of the first does better than one of the second (Vargha–Delaney).",
                    analysis.study.paired ? "Wilcoxon's signed ranks, of the runs with the same seed in pairs"
                                          : "Mann–Whitney",
                    counted(group.family, "comparison", "comparisons"))};
    if (!values) table.note += " A run that did not succeed counts as later than all that did.";
    if (group.is_solvable && std::ranges::any_of(group.comparisons, &Versus::by_values))
        table.note += " Where neither succeeds, best values are compared.";
    if (group.against_best_only)
        table.note += " Listed is each against the one with the best mean rank; p is adjusted for all pairs.";
    const auto number = [](double p) { return p_text(p).substr(p < 0.001 ? 2 : 4); };
    for (const Versus& one : group.comparisons)
        table.rows.push_back({one.statement, fmt::format("{:.2f}", one.comparison.a12),
                              number(one.comparison.p), number(one.p_holm)});
    if (!analysis.study.paired) return table;
    table.note += " Pairs without a difference don't count.";
    table.head.insert(table.head.begin() + 1, "pairs won");
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const Comparison& of = group.comparisons[i].comparison;
        table.rows[i].insert(table.rows[i].begin() + 1,
                             fmt::format("{} of {}", of.won_pairs, of.unequal_pairs));
    }
    return table;
}

} // namespace

std::string figure(double number) { return std::isfinite(number) ? short_number(number) : "–"; }

std::string value_text(double value) { return std::isinf(value) ? "none" : figure(value); }

std::vector<std::string> remarks(const Analysis& analysis, const Group& group) {
    std::vector<std::string> said;
    for (std::size_t i = 0; i < group.members.size(); ++i) {
        const Row& row = analysis.configurations[group.members[i]].row;
        if (row.failed > 0)
            said.push_back(fmt::format("{}: {} of {} failed in an evaluation", group.labels[i],
                                       thousands(row.failed), counted(row.runs, "run", "runs")));
        if (row.without_value > 0)
            said.push_back(fmt::format("{}: {} of {} found nothing that holds all it must (none)",
                                       group.labels[i], thousands(row.without_value),
                                       counted(row.runs, "run", "runs")));
    }
    return said;
}

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
        members.push_back({labels[i], &configuration, configuration.row});
    }
    std::vector<Table> tables;
    if (group.is_solvable) tables.push_back(success_table(members));
    if (group.is_solved) {
        tables.push_back(quantile_table(members, "Evaluations to success", &Row::evaluations));
        tables.push_back(quantile_table(members, "Generations to success", &Row::generations));
    }
    if (!group.is_solved) tables.push_back(quantile_table(members, "Best value of each run", &Row::best));
    if (std::ranges::any_of(members, keeps_archive)) tables.push_back(archive_table(members));
    for (const std::string& one : remarks(analysis, group))
        tables.front().note += fmt::format("{}{}.", tables.front().note.empty() ? "" : " ", one);
    if (auto endings = ending_table(analysis, group, members)) tables.push_back(std::move(*endings));
    if (group.targets.size() > 1) tables.push_back(target_table(analysis, group, members));
    if (!group.targets.empty()) tables.push_back(area_table(group, members));
    tables.push_back(budget_table(group, members));
    if (!group.comparisons.empty()) tables.push_back(comparison_table(analysis, group));
    return tables;
}

std::vector<Table> tables_across(const Across& across) {
    const Friedman& found = across.friedman;
    Table ranks{
        .title = "Mean ranks",
        .head = {"", "mean rank"},
        .rows = {},
        .note = fmt::format("On each of {} problems the methods are ranked by the mean rank of their runs, 1 "
                            "being best. Friedman's test: chi square = {:.2f}, {}. It is an approximation, "
                            "rough with fewer than ten problems.",
                            across.problems.size(), found.chi_square, p_text(found.p))};
    for (std::size_t i = 0; i < across.methods.size(); ++i)
        ranks.rows.push_back({across.methods[i], fmt::format("{:.2f}", found.mean_ranks[i])});
    Table pairs{.title = "Compared over all problems",
                .head = {"", "z", "p raw", "p by Holm"},
                .rows = {},
                .note =
                    fmt::format("Differences of mean ranks, two-sided (Demšar); p adjusted by Holm for {}.",
                                counted(found.pairs.size(), "comparison", "comparisons"))};
    const auto number = [](double p) { return p_text(p).substr(p < 0.001 ? 2 : 4); };
    // A table of all pairs of many would be read by nobody; the CSV file has them.
    constexpr std::size_t most_for_all_pairs = 8;
    const auto best =
        static_cast<std::size_t>(std::ranges::min_element(found.mean_ranks) - found.mean_ranks.begin());
    const bool best_only = across.methods.size() > most_for_all_pairs;
    if (best_only) pairs.note += " Listed is each against the one with the best mean rank.";
    for (const RankDifference& one : found.pairs) {
        if (best_only && one.first != best && one.second != best) continue;
        const bool swapped = one.z < 0.0; // the better one stands first
        pairs.rows.push_back({fmt::format("{} against {}", across.methods[swapped ? one.second : one.first],
                                          across.methods[swapped ? one.first : one.second]),
                              fmt::format("{:.2f}", std::abs(one.z)), number(one.p), number(one.p_holm)});
    }
    return {std::move(ranks), std::move(pairs)};
}

std::string finding_across(const Across& across) {
    const Friedman& found = across.friedman;
    const auto best =
        static_cast<std::size_t>(std::ranges::min_element(found.mean_ranks) - found.mean_ranks.begin());
    std::string text = fmt::format("over {} problems: ", across.problems.size());
    if (found.p >= 0.05)
        return text + fmt::format("no difference is shown among the {} methods (Friedman, {}).",
                                  across.methods.size(), p_text(found.p));
    std::string beaten;
    for (const RankDifference& one : found.pairs)
        if (one.p_holm < 0.05 && (one.z > 0.0 ? one.first : one.second) == best)
            beaten += (beaten.empty() ? "" : ", ") + across.methods[one.z > 0.0 ? one.second : one.first];
    return text + fmt::format("the methods differ (Friedman, {}); {} has the best mean rank, {:.2f}, and {}.",
                              p_text(found.p), across.methods[best], found.mean_ranks[best],
                              beaten.empty() ? "is not shown to be better than any other one"
                                             : "is shown to be better than " + beaten);
}

std::string summary_line(const Analysis& analysis) {
    std::uint64_t wanted = 0;
    for (const auto& one : analysis.configurations) wanted += one.info.runs;
    return fmt::format("{} of {}, {} of computing time.{}{}{}", counted(analysis.runs, "run", "runs"),
                       counted(analysis.configurations.size(), "configuration", "configurations"),
                       seconds_text(analysis.seconds),
                       analysis.runs < wanted
                           ? fmt::format(" {} are still missing.", thousands(wanted - analysis.runs))
                           : "",
                       analysis.study.paired ? " Paired: runs of the same number have the same seed." : "",
                       analysis.study.older.empty()
                           ? ""
                           : fmt::format(" {} left out, as the study's file does not have them any more.",
                                         counted(analysis.study.older.size(), "older configuration is",
                                                 "older configurations are")));
}

std::vector<std::string> findings(const Analysis& analysis) {
    std::vector<std::string> found;
    if (analysis.across) found.push_back(finding_across(*analysis.across));
    for (const Group& group : analysis.groups) {
        std::string text = group.name + ": ";
        if (group.members.size() == 1) {
            const auto& one = analysis.configurations[group.members.front()];
            const Row& row = one.row;
            if (group.is_solved)
                text += fmt::format(
                    "{} solves {} (95 % interval {:.1f} – {:.1f} %), expected running time {} "
                    "evaluations, median {}.",
                    one.info.label, percent(static_cast<double>(row.solved) / static_cast<double>(row.runs)),
                    100.0 * row.success.low, 100.0 * row.success.high, figure(row.expected),
                    figure(row.evaluations.median));
            else
                text +=
                    fmt::format("{} {}ends with a median of {} (quartiles {}).", one.info.label,
                                group.is_solvable ? "never succeeds, and " : "", value_text(row.best.median),
                                value_range(row.best.lower_quartile, row.best.upper_quartile));
            found.push_back(std::move(text));
            continue;
        }
        if (group.comparisons.empty()) continue;
        // The best is whoever nobody beats; its weakest lead is what can be said of all.
        std::vector<std::size_t> beaten;
        const Versus* closest = nullptr;
        for (const Versus& one : group.comparisons)
            if (one.p_holm < 0.05) beaten.push_back(one.second);
        const auto leads = [&](std::size_t member) {
            const auto wins = std::ranges::count_if(group.comparisons, [&](const Versus& one) {
                return one.first == member && one.p_holm < 0.05;
            });
            return static_cast<std::size_t>(wins) + 1 == group.members.size();
        };
        const auto best = std::ranges::find_if(group.members, leads);
        if (best != group.members.end()) {
            for (const Versus& one : group.comparisons)
                if (one.first == *best && (closest == nullptr || one.p_holm > closest->p_holm))
                    closest = &one;
            const std::string& name = group.labels[static_cast<std::size_t>(best - group.members.begin())];
            text += group.members.size() == 2
                        ? closest->verdict + "."
                        : fmt::format("{} {} than each of the {} others ({} at most, after Holm).", name,
                                      closest->by_values ? "ends better" : "needs fewer evaluations",
                                      group.members.size() - 1, p_text(closest->p_holm));
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
