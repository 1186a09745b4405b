#include "commands.hpp"
#include "signals.hpp"
#include "terminal.hpp"

#include <knossos/study/analysis.hpp>
#include <knossos/study/runner.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace knossos::app {

namespace {

std::string padded(const std::string& text, std::size_t width, bool right) {
    const std::string space(width - std::min(width, width_of(text)), ' ');
    return right ? space + text : text + space;
}

void print_table(const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> widths(rows.front().size(), 0);
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i)
            line += (i == 0 ? "" : "  ") + padded(row[i], widths[i], i != 0);
        while (line.ends_with(' ')) line.pop_back();
        fmt::print("{}\n", line);
    }
}

std::string number_or_dash(double number) { return std::isfinite(number) ? short_number(number) : "–"; }

std::string percent(double share) {
    const double value = share * 100.0;
    return fmt::format("{:.{}f} %", value, value == std::floor(value) ? 0 : 1);
}

void print_group(const study::Analysis& analysis, const study::Group& group) {
    fmt::print("\n{}\n", group.name);
    std::vector<std::vector<std::string>> rows;
    if (group.is_solvable)
        rows.push_back({"", "runs", "solved", "95 %", "ERT", "median", "p95", "evaluations"});
    else
        rows.push_back({"", "runs", "best: median", "quartiles", "range", "time per run"});
    for (std::size_t i = 0; i < group.members.size(); ++i) {
        const auto& configuration = analysis.configurations[group.members[i]];
        const study::Row row = study::row_of(configuration);
        const std::string runs = thousands(row.runs);
        if (group.is_solvable)
            rows.push_back({group.labels[i], runs,
                            percent(static_cast<double>(row.solved) / static_cast<double>(row.runs)),
                            fmt::format("{:.1f}–{:.1f}", 100.0 * row.success.low, 100.0 * row.success.high),
                            number_or_dash(row.expected), number_or_dash(row.evaluations.median),
                            number_or_dash(row.evaluations.p95), ""});
        else
            rows.push_back(
                {group.labels[i], runs, number_or_dash(row.best.median),
                 fmt::format("{}–{}", number_or_dash(row.best.lower_quartile),
                             number_or_dash(row.best.upper_quartile)),
                 fmt::format("{}–{}", number_or_dash(row.best.least), number_or_dash(row.best.most)),
                 duration(row.seconds.median)});
    }
    if (group.is_solvable)
        for (auto& row : rows) row.pop_back();
    print_table(rows);
    constexpr std::size_t most = 6;
    for (std::size_t i = 0; i < std::min(most, group.comparisons.size()); ++i)
        fmt::print("  {}\n", wrapped(group.comparisons[i].verdict, "    ").substr(4));
    if (group.comparisons.size() > most)
        fmt::print("  … and {} in the report\n",
                   counted(group.comparisons.size() - most, "more comparison", "more comparisons"));
}

nlohmann::ordered_json number_json(double number) {
    return std::isfinite(number) ? nlohmann::ordered_json(number) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json summary_json(const study::Summary& summary) {
    return {{"median", number_json(summary.median)},
            {"lower_quartile", number_json(summary.lower_quartile)},
            {"upper_quartile", number_json(summary.upper_quartile)},
            {"p95", number_json(summary.p95)},
            {"mean", number_json(summary.mean)}};
}

void print_json(const study::Analysis& analysis, const std::string& file, bool complete) {
    nlohmann::ordered_json json{{"study", analysis.study.name},
                                {"database", file},
                                {"complete", complete},
                                {"runs", analysis.runs},
                                {"configurations", nlohmann::ordered_json::array()},
                                {"comparisons", nlohmann::ordered_json::array()}};
    for (const auto& configuration : analysis.configurations) {
        const study::Row row = study::row_of(configuration);
        json["configurations"].push_back(
            {{"label", configuration.info.label},
             {"runs", row.runs},
             {"solved", row.solved},
             {"success_interval", {row.success.low, row.success.high}},
             {"expected_running_time", number_json(row.expected)},
             {"expected_running_time_interval",
              {number_json(row.expected_interval.low), number_json(row.expected_interval.high)}},
             {"evaluations_to_success", summary_json(row.evaluations)},
             {"generations_to_success", summary_json(row.generations)},
             {"best", summary_json(row.best)},
             {"seconds", summary_json(row.seconds)}});
    }
    for (const study::Group& group : analysis.groups)
        for (const study::Versus& one : group.comparisons)
            json["comparisons"].push_back({{"first", analysis.configurations[one.first].info.label},
                                           {"second", analysis.configurations[one.second].info.label},
                                           {"p", one.p},
                                           {"u", one.comparison.u},
                                           {"a12", one.comparison.a12},
                                           {"verdict", one.verdict}});
    fmt::print("{}\n", json.dump(2));
}

} // namespace

study::StoreOptions store_options(double wait, bool quiet, const std::string& program) {
    study::StoreOptions options;
    options.wait = wait;
    options.on_wait = [quiet, program, told = false](double seconds) mutable {
        if (seconds >= 1.0 && !told && !quiet)
            fmt::print(stderr, "{}: waiting for another program that has the database locked …\n", program);
        told = told || seconds >= 1.0;
        return !SignalWatch::asked_to_stop();
    };
    return options;
}

std::string progress_text(const study::StudyProgress& progress) {
    if (progress.is_waiting && progress.done < progress.runs)
        return fmt::format("{} of {}; the rest is being done by another process", thousands(progress.done),
                           counted(progress.runs, "run", "runs"));
    std::string left;
    if (progress.here > 0)
        left = fmt::format("  {} left",
                           duration(progress.seconds * static_cast<double>(progress.runs - progress.done) /
                                    static_cast<double>(progress.here)));
    return fmt::format("{} of {}  {} solved{}", thousands(progress.done),
                       counted(progress.runs, "run", "runs"),
                       progress.done == 0 ? "–"
                                          : percent(std::floor(1000.0 * static_cast<double>(progress.solved) /
                                                               static_cast<double>(progress.done)) /
                                                    1000.0),
                       left);
}

void print_findings(const study::Store& store, const std::string& database, bool complete, bool json,
                    const Registry& registry) {
    const study::Analysis analysis = study::analyse(store, registry);
    if (json) return print_json(analysis, database, complete);
    fmt::print("{}: {} in {}\n", analysis.study.name, counted(analysis.runs, "run", "runs"), database);
    for (const study::Group& group : analysis.groups) print_group(analysis, group);
    if (complete) fmt::print("\nmore: {} report {}\n", registry.program(), database);
}

std::string database_of(const StudyOptions& options) {
    return options.database.empty() ? std::filesystem::path{options.file}.stem().string() + ".db"
                                    : options.database;
}

int run_study(const StudyOptions& options, const Registry& registry) {
    study::StudyChanges changes{
        .runs = options.runs, .seed = options.seed, .budget = options.budget, .overrides = options.overrides};
    const study::Study study = study::Study::load(options.file, changes, registry);
    for (const auto& one : study.configurations) one.recipe.require_program();
    const std::string database = database_of(options);
    const SignalWatch watch;
    study::Store store = study::Store::open_for(
        database, study, store_options(options.wait, options.quiet, registry.program()));
    if (const auto before = store.progress(); before.done > 0 && !options.quiet && !options.json)
        fmt::print(stderr, "{}: {} of {} there already\n", database, thousands(before.done),
                   counted(study.runs * study.configurations.size(), "run is", "runs are"));
    LiveLine line{is_live() && !options.quiet && !options.json};
    const bool complete = study::carry_out(study, store,
                                           {.threads = options.threads,
                                            .should_stop = [] { return SignalWatch::asked_to_stop(); },
                                            .on_progress =
                                                [&](const study::StudyProgress& progress) {
                                                    line.show([&] { return progress_text(progress); });
                                                }});
    line.clear();
    if (options.json || !options.quiet) print_findings(store, database, complete, options.json, registry);
    if (complete && !options.ioh.empty())
        write_ioh(store, options.ioh, options.quiet || options.json, registry);
    if (!complete)
        fmt::print(stderr, "interrupted; the same command again does the runs that are missing in {}\n",
                   database);
    return complete ? reached : not_reached;
}

} // namespace knossos::app
