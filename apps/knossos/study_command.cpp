#include "commands.hpp"
#include "signals.hpp"
#include "terminal.hpp"

#include <knossos/device/generations.hpp>
#include <knossos/study/analysis.hpp>
#include <knossos/study/report.hpp>
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

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines{""};
    for (const char c : text)
        if (c == '\n')
            lines.emplace_back();
        else
            lines.back() += c;
    return lines;
}

// The first column is text: it goes over several lines where the table would be wider than the terminal.
void print_table(const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> widths(rows.front().size(), 0);
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
    std::size_t numbers = 0;
    for (std::size_t i = 1; i < widths.size(); ++i) numbers += 2 + widths[i];
    constexpr std::size_t least = 8;
    const std::size_t space = output_width();
    widths[0] = std::min(widths[0], std::max(least, space - std::min(space, numbers)));
    for (const auto& row : rows) {
        const auto text = lines_of(wrapped(row[0], "", widths[0], true));
        std::string line = padded(text[0], widths[0], false);
        for (std::size_t i = 1; i < row.size(); ++i) line += "  " + padded(row[i], widths[i], true);
        while (line.ends_with(' ')) line.pop_back();
        fmt::print("{}\n", line);
        for (std::size_t i = 1; i < text.size(); ++i) fmt::print("{}\n", text[i]);
    }
}

std::string number_or_dash(double number) { return std::isfinite(number) ? short_number(number) : "–"; }

// A best value; infinite if nothing was found that holds all it must.
std::string value_or_none(double value) { return std::isinf(value) ? "none" : number_or_dash(value); }

std::string percent(double share) {
    const double value = share * 100.0;
    return fmt::format("{:.{}f} %", value, value == std::floor(value) ? 0 : 1);
}

// What a table says of each configuration: a heading, and the cell of a row.
struct ResultColumn {
    const char* heading;
    std::string (*cell)(const study::Row& row);
};

std::string solved_cell(const study::Row& row) {
    return percent(static_cast<double>(row.solved) / static_cast<double>(row.runs));
}

constexpr ResultColumn runs_column{"runs", [](const study::Row& row) { return thousands(row.runs); }};
constexpr ResultColumn solved_column{"solved", solved_cell};
constexpr ResultColumn median_column{"best: median",
                                     [](const study::Row& row) { return value_or_none(row.best.median); }};

std::vector<ResultColumn> columns_for(const study::Analysis& analysis, const study::Group& group) {
    std::vector<ResultColumn> columns{runs_column};
    if (group.is_solved) {
        columns.push_back(solved_column);
        columns.push_back({"95 %", [](const study::Row& row) {
                               return fmt::format("{:.1f}–{:.1f}", 100.0 * row.success.low,
                                                  100.0 * row.success.high);
                           }});
        columns.push_back({"ERT", [](const study::Row& row) { return number_or_dash(row.expected); }});
        columns.push_back(
            {"median", [](const study::Row& row) { return number_or_dash(row.evaluations.median); }});
        columns.push_back({"p95", [](const study::Row& row) { return number_or_dash(row.evaluations.p95); }});
        const bool all = std::ranges::all_of(group.members, [&](std::size_t member) {
            const study::Row& row = analysis.configurations[member].row;
            return row.solved == row.runs;
        });
        if (!all)
            columns.push_back({"best", [](const study::Row& row) { return value_or_none(row.best.median); }});
        return columns;
    }
    if (group.is_solvable) columns.push_back(solved_column);
    columns.push_back(median_column);
    columns.push_back({"quartiles", [](const study::Row& row) {
                           return fmt::format("{}–{}", value_or_none(row.best.lower_quartile),
                                              value_or_none(row.best.upper_quartile));
                       }});
    columns.push_back({"range", [](const study::Row& row) {
                           return fmt::format("{}–{}", value_or_none(row.best.least),
                                              value_or_none(row.best.most));
                       }});
    if (std::ranges::any_of(group.members, [&](std::size_t member) {
            return analysis.configurations[member].row.archives > 0;
        })) {
        columns.push_back({"coverage", [](const study::Row& row) {
                               return row.archives == 0 ? "–" : percent(row.coverage.median);
                           }});
        columns.push_back({"QD-score", [](const study::Row& row) {
                               return row.archives == 0 ? "–" : value_or_none(row.qd_score.median);
                           }});
    }
    if (!group.is_solvable)
        columns.push_back(
            {"time per run", [](const study::Row& row) { return duration(row.seconds.median); }});
    return columns;
}

// A sentence below a table.
void print_sentence(const std::string& text) {
    fmt::print("  {}\n", wrapped(text, "    ", output_width(), true).substr(4));
}

// As many sentences as a screen bears.
void print_sentences(const std::vector<std::string>& sentences, std::string_view one, std::string_view many) {
    constexpr std::size_t most = 6;
    for (std::size_t i = 0; i < std::min(most, sentences.size()); ++i) print_sentence(sentences[i]);
    if (sentences.size() > most)
        fmt::print("  … and {} in the report\n", counted(sentences.size() - most, one, many));
}

void print_group(const study::Analysis& analysis, const study::Group& group) {
    fmt::print("\n{}\n", wrapped(group.name, "", output_width(), true));
    const auto columns = columns_for(analysis, group);
    std::vector<std::vector<std::string>> rows{{""}};
    for (const ResultColumn& column : columns) rows.front().emplace_back(column.heading);
    for (std::size_t i = 0; i < group.members.size(); ++i) {
        rows.push_back({group.labels[i]});
        for (const ResultColumn& column : columns)
            rows.back().push_back(column.cell(analysis.configurations[group.members[i]].row));
    }
    print_table(rows);
    print_sentences(study::remarks(analysis, group), "more remark", "more remarks");
    std::vector<std::string> verdicts;
    for (const study::Versus& one : group.comparisons) verdicts.push_back(one.verdict);
    print_sentences(verdicts, "more comparison", "more comparisons");
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

nlohmann::ordered_json parameters_json(const study::RecordedConfiguration& configuration) {
    auto json = nlohmann::ordered_json::object();
    for (const auto& [name, value] : configuration.varied) json[name] = value;
    return json;
}

nlohmann::ordered_json across_json(const study::Across& across) {
    nlohmann::ordered_json json{
        {"problems", across.problems},
        {"friedman", {{"chi_square", across.friedman.chi_square}, {"p", across.friedman.p}}},
        {"methods", nlohmann::ordered_json::array()},
        {"comparisons", nlohmann::ordered_json::array()}};
    for (std::size_t i = 0; i < across.methods.size(); ++i)
        json["methods"].push_back(
            {{"method", across.methods[i]}, {"mean_rank", across.friedman.mean_ranks[i]}});
    for (const study::RankDifference& one : across.friedman.pairs)
        json["comparisons"].push_back({{"first", across.methods[one.first]},
                                       {"second", across.methods[one.second]},
                                       {"z", one.z},
                                       {"p_raw", one.p},
                                       {"p_holm", one.p_holm}});
    return json;
}

void print_json(const study::Analysis& analysis, const std::string& file, bool complete) {
    nlohmann::ordered_json json{{"study", analysis.study.name},
                                {"database", file},
                                {"complete", complete},
                                {"paired", analysis.study.paired},
                                {"runs", analysis.runs},
                                {"configurations", nlohmann::ordered_json::array()},
                                {"comparisons", nlohmann::ordered_json::array()}};
    for (const auto& configuration : analysis.configurations) {
        const study::Row& row = configuration.row;
        json["configurations"].push_back(
            {{"label", configuration.info.label},
             {"parameters", parameters_json(configuration.info)},
             {"runs", row.runs},
             {"solved", row.solved},
             {"failed", row.failed},
             {"without_value", row.without_value},
             {"success_interval", {row.success.low, row.success.high}},
             {"expected_running_time", number_json(row.expected)},
             {"expected_running_time_interval",
              {number_json(row.expected_interval.low), number_json(row.expected_interval.high)}},
             {"auc", number_json(configuration.area.value)},
             {"auc_interval",
              {number_json(configuration.area.interval.low), number_json(configuration.area.interval.high)}},
             {"evaluations_to_success", summary_json(row.evaluations)},
             {"generations_to_success", summary_json(row.generations)},
             {"best", summary_json(row.best)},
             {"seconds", summary_json(row.seconds)}});
        if (row.archives > 0) {
            json["configurations"].back()["coverage"] = summary_json(row.coverage);
            json["configurations"].back()["qd_score"] = summary_json(row.qd_score);
        }
    }
    for (const study::Group& group : analysis.groups)
        for (const study::Versus& one : group.comparisons) {
            json["comparisons"].push_back({{"first", analysis.configurations[one.first].info.label},
                                           {"second", analysis.configurations[one.second].info.label},
                                           {"compared", study::compared_name(one)},
                                           {"test", study::test_name(analysis)},
                                           {"statistic", one.comparison.statistic},
                                           {"p_raw", one.comparison.p},
                                           {"p_holm", one.p_holm},
                                           {"a12", one.comparison.a12}});
            if (analysis.study.paired) {
                json["comparisons"].back()["won_pairs"] = one.comparison.won_pairs;
                json["comparisons"].back()["unequal_pairs"] = one.comparison.unequal_pairs;
            }
            json["comparisons"].back()["verdict"] = one.verdict;
        }
    json["across_problems"] = analysis.across ? across_json(*analysis.across) : nullptr;
    json["older"] = nlohmann::ordered_json::array();
    for (const study::OlderConfiguration& one : analysis.study.older)
        json["older"].push_back({{"label", one.label}, {"hash", one.hash}, {"runs", one.runs}});
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
    fmt::print("{}\n", wrapped(fmt::format("{}: {} in {}", analysis.study.name,
                                           counted(analysis.runs, "run", "runs"), database),
                               "", output_width()));
    for (const study::Group& group : analysis.groups) print_group(analysis, group);
    if (analysis.across) {
        const study::Across& across = *analysis.across;
        fmt::print("\nall problems\n");
        std::vector<std::vector<std::string>> rows{{"", "mean rank"}};
        for (std::size_t i = 0; i < across.methods.size(); ++i)
            rows.push_back({across.methods[i], fmt::format("{:.2f}", across.friedman.mean_ranks[i])});
        print_table(rows);
        print_sentence(study::finding_across(across));
    }
    if (!analysis.study.older.empty()) {
        fmt::print("\nleft out, as the file does not have them any more (--drop forgets them)\n");
        std::vector<std::string> older;
        for (const study::OlderConfiguration& one : analysis.study.older) older.push_back(text_of(one));
        print_sentences(older, "more", "more");
    }
    if (complete) fmt::print("\nmore: {} report {}\n", registry.program(), database);
}

study::Store open_store(const StudyOptions& options, const std::string& database, const study::Study& study,
                        const Registry& registry) {
    study::StoreOptions opening = store_options(options.wait, options.quiet, registry.program());
    opening.drop_older = options.drop;
    study::Store store = study::Store::open_for(database, study, std::move(opening));
    if (options.drop && !options.quiet)
        fmt::print(stderr, "{}: dropped {} with {}\n", database,
                   counted(store.dropped().configurations, "older configuration", "older configurations"),
                   counted(store.dropped().runs, "run", "runs"));
    return store;
}

int end_study(const study::Store& store, const std::string& database, bool complete) {
    const auto failures = store.failures();
    if (failures.count > 0)
        fmt::print(
            stderr, "{}\n",
            wrapped(fmt::format("{}: {} in an evaluation: {}. What they had found is kept; once that is "
                                "repaired, run the study into another file (-o)",
                                database, counted(failures.count, "run failed", "runs failed"),
                                failures.first),
                    "", terminal_width()));
    if (!complete)
        fmt::print(stderr, "{}\n",
                   wrapped(fmt::format("interrupted; the same command again does the runs that are missing "
                                       "in {}",
                                       database),
                           "", terminal_width()));
    return !complete ? not_reached : failures.count > 0 ? failure : reached;
}

std::string database_of(const StudyOptions& options) {
    return options.database.empty() ? std::filesystem::path{options.file}.stem().string() + ".db"
                                    : options.database;
}

std::vector<Settings> settings_there(const StudyOptions& options, const study::Study& study,
                                     const Registry& registry, std::optional<std::size_t> rank) {
    std::vector<Settings> settings;
    std::string told;
    device::RunsAtOnce runs{.count = study::runs_at_once(study, options.threads)};
    for (const study::Configuration& one : study.configurations) {
        const std::string& wanted = options.device.empty() ? one.recipe.output().device : options.device;
        std::string remark;
        try {
            settings.push_back(
                device::on_wanted(one.recipe, one.recipe.settings(), wanted, remark, rank, &runs));
        } catch (const InvalidInput& error) {
            const std::string typed = options.device.empty() ? options.file : "--device " + options.device;
            throw InvalidInput{fmt::format("{}: {}: {}", typed, one.recipe.name(), error.what())};
        }
        if (remark.empty() || remark == told || options.quiet) continue;
        fmt::print(stderr, "{}: {}: {}\n", registry.program(), one.recipe.name(), remark);
        told = remark;
    }
    return settings;
}

int run_study(const StudyOptions& options, const Registry& registry) {
    study::StudyChanges changes{
        .runs = options.runs, .seed = options.seed, .budget = options.budget, .overrides = options.overrides};
    const study::Study study = study::Study::load(options.file, changes, registry);
    for (const auto& one : study.configurations) one.recipe.require_program();
    const std::string database = database_of(options);
    const std::vector<Settings> settings = settings_there(options, study, registry);
    const SignalWatch watch;
    study::Store store = open_store(options, database, study, registry);
    if (const auto before = store.progress(); before.done > 0 && !options.quiet && !options.json)
        fmt::print(stderr, "{}: {} of {} there already\n", database, thousands(before.done),
                   counted(study.runs * study.configurations.size(), "run is", "runs are"));
    LiveLine line{is_live() && !options.quiet && !options.json};
    const bool complete = study::carry_out(study, store,
                                           {.threads = options.threads,
                                            .settings = settings,
                                            .should_stop = [] { return SignalWatch::asked_to_stop(); },
                                            .on_progress =
                                                [&](const study::StudyProgress& progress) {
                                                    line.show([&] { return progress_text(progress); });
                                                }});
    line.clear();
    if (options.json || !options.quiet) print_findings(store, database, complete, options.json, registry);
    if (complete && !options.ioh.empty())
        write_ioh(store, options.ioh, options.quiet || options.json, registry);
    return end_study(store, database, complete);
}

} // namespace knossos::app
