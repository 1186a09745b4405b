#include <knossos/core/text.hpp>
#include <knossos/recipe/domains.hpp>
#include <knossos/study/analysis.hpp>

#include "study/comparing.hpp"
#include "study/tables.hpp"
#include "study/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

namespace knossos::study {

namespace {

// What makes two configurations comparable: the problem but for how it is written down. Fitness values mean
// the same where the scale is the same as well.
struct ProblemKey {
    std::string group;
    std::string name;
    std::string scale;
};

// What the best value of a run is, where that is not its best fitness; empty where it is.
std::string merit_of(const Schema& schema) {
    switch (schema.merit()) {
    case Merit::hypervolume:
        return "hypervolume";
    case Merit::qd_score:
        return "QD-score";
    case Merit::best:
        break;
    }
    return schema.objectives().size() > 1 ? std::string{schema.merit_name()} : std::string{};
}

ProblemKey key_of(const RecordedConfiguration& configuration, const Registry& registry) {
    ProblemKey key{.group = configuration.problem, .name = configuration.problem, .scale = {}};
    try {
        const Recipe recipe = Recipe::parse(configuration.recipe, configuration.label, {}, registry);
        const auto* problem = recipe.choice("problem");
        if (problem == nullptr) throw InvalidInput{"the recipe names no problem"};
        const Domain& domain = domain_of(recipe);
        key.name = domain.description_of(problem->values);
        if (domain.scale) key.scale = domain.scale(problem->values);
        if (const std::string merit = merit_of(recipe.problem().schema()); !merit.empty()) {
            key.name += fmt::format(" ({})", merit);
            key.group += "\nmerit=" + merit; // a fitness and a QD-score can't be compared
        }
        for (const auto& [field, value] : problem->values)
            if (std::ranges::find(domain.notation_fields, field) == domain.notation_fields.end())
                key.group += fmt::format("\n{}={}", field, plain_text(value));
        // Who evaluates, and which way, decides what values mean.
        key.group += configuration.objective == Objective::maximise ? "\nmaximise" : "\nminimise";
        if (const auto* evaluator = recipe.choice("evaluator"); evaluator != nullptr)
            for (const auto& [field, value] : evaluator->values)
                key.group += fmt::format("\nevaluator.{}={}", field, plain_text(value));
        // Runs on data that have changed since are of another problem.
        if (recipe.fingerprint() != 0 && identity_of(recipe) != configuration.hash)
            key.group += "\n" + configuration.hash;
    } catch (const InvalidInput&) {
        // A recipe of another version of Knossos, or whose data are not here, stands for itself.
        key.group += "\n" + configuration.recipe;
    }
    return key;
}

std::vector<std::string> words(const std::string& text) {
    std::istringstream stream{text};
    std::vector<std::string> found;
    for (std::string word; stream >> word;) found.push_back(word);
    return found;
}

std::string joined(const std::vector<std::string>& parts) { return fmt::format("{}", fmt::join(parts, " ")); }

bool is_size_word(const std::string& word, const Registry& registry) {
    return std::ranges::any_of(registry.domains(), [&](const Domain& domain) {
        return std::ranges::any_of(domain.size_fields,
                                   [&](const std::string& field) { return word.starts_with(field + "="); });
    });
}

// What members of a group are called beside each other: without the words that all of them have.
std::vector<std::string> short_labels(const Analysis& analysis, const Group& group,
                                      const Registry& registry) {
    std::vector<std::vector<std::string>> labels;
    for (const std::size_t member : group.members)
        labels.push_back(words(analysis.configurations[member].info.label));
    std::set<std::string> common(labels.front().begin(), labels.front().end());
    for (const auto& label : labels)
        std::erase_if(common,
                      [&](const std::string& word) { return std::ranges::find(label, word) == label.end(); });
    std::vector<std::string> shortened;
    for (const auto& label : labels) {
        auto kept = label;
        std::erase_if(kept, [&](const std::string& word) { return common.contains(word); });
        // With nothing left that tells it apart, the name stands, without its size.
        if (kept.empty()) {
            kept = label;
            std::erase_if(kept, [&](const std::string& word) { return is_size_word(word, registry); });
        }
        shortened.push_back(joined(kept.empty() ? label : kept));
    }
    return shortened;
}

std::vector<double> default_targets(const Analysis& analysis, const Group& group) {
    const AnalysedConfiguration& first = analysis.configurations[group.members.front()];
    const Objective objective = first.info.objective;
    std::set<double> values;
    for (const std::size_t member : group.members)
        for (const TracePoint& point : analysis.configurations[member].traces) values.insert(point.best);
    if (first.info.target) values.insert(*first.info.target);
    std::vector<double> ordered(values.begin(), values.end());
    if (objective == Objective::minimise) std::ranges::reverse(ordered); // easiest first
    if (first.info.target)
        std::erase_if(ordered, [&](double value) { return better(objective, value, *first.info.target); });
    constexpr std::size_t most = 10;
    if (ordered.size() <= most) return ordered;
    // Evenly spaced between the median first value and the best one.
    std::vector<double> starts;
    for (const std::size_t member : group.members)
        for (const AnalysedRun& run : analysis.configurations[member].runs)
            if (run.trace_begin != run.trace_end)
                starts.push_back(analysis.configurations[member].traces[run.trace_begin].best);
    std::ranges::sort(starts);
    const double from = quantile(starts, 0.5);
    const double to = ordered.back();
    std::vector<double> targets;
    for (std::size_t i = 1; i <= most; ++i) {
        const double wanted = from + (to - from) * static_cast<double>(i) / static_cast<double>(most);
        // The nearest value that some run has had.
        const double seen =
            *std::ranges::min_element(ordered, {}, [&](double value) { return std::abs(value - wanted); });
        if (targets.empty() || seen != targets.back()) targets.push_back(seen);
    }
    return targets;
}

std::vector<double> default_budgets(const Analysis& analysis, const Group& group) {
    double longest = 1.0;
    for (const std::size_t member : group.members)
        longest = std::max(longest, analysis.configurations[member].longest());
    std::vector<double> budgets;
    for (double power = 1.0; power < longest; power *= 10.0) budgets.push_back(power);
    if (budgets.size() > 5) budgets.erase(budgets.begin(), budgets.end() - 5);
    budgets.push_back(longest);
    return budgets;
}

void make_groups(Analysis& analysis, const Registry& registry) {
    std::map<std::string, std::size_t> index;
    std::vector<std::set<std::string>> scales;
    for (std::size_t i = 0; i < analysis.configurations.size(); ++i) {
        if (analysis.configurations[i].runs.empty()) continue;
        const ProblemKey key = key_of(analysis.configurations[i].info, registry);
        const auto [found, is_new] = index.emplace(key.group, analysis.groups.size());
        if (is_new) {
            analysis.groups.push_back({.name = key.name});
            scales.emplace_back();
        }
        analysis.groups[found->second].members.push_back(i);
        scales[found->second].insert(key.scale);
    }
    for (std::size_t i = 0; i < analysis.groups.size(); ++i) {
        Group& group = analysis.groups[i];
        group.labels = short_labels(analysis, group, registry);
        group.same_scale = scales[i].size() == 1;
        group.is_solvable = std::ranges::all_of(group.members, [&](std::size_t member) {
            return analysis.configurations[member].info.target.has_value();
        });
        group.is_solved = group.is_solvable && std::ranges::any_of(group.members, [&](std::size_t member) {
                              return analysis.configurations[member].row.solved > 0;
                          });
        if (group.same_scale)
            group.targets =
                analysis.study.targets.empty() ? default_targets(analysis, group) : analysis.study.targets;
        else if (group.is_solvable)
            group.targets = {*analysis.configurations[group.members.front()].info.target};
        group.budgets = default_budgets(analysis, group);
        compare(analysis, group);
    }
}

// How soon runs reach the targets, whatever the budget; each run counts by its mean over the targets.
void measure_areas(Analysis& analysis) {
    const std::size_t resamples = resamples_for(analysis);
    for (const Group& group : analysis.groups) {
        if (group.targets.empty()) continue;
        for (const std::size_t member : group.members) {
            AnalysedConfiguration& one = analysis.configurations[member];
            std::vector<double> shares;
            shares.reserve(one.runs.size());
            for (const AnalysedRun& run : one.runs) {
                double sum = 0.0;
                for (const double target : group.targets)
                    sum += reached_share(one.time_to(run, target), group.budgets.back());
                shares.push_back(sum / static_cast<double>(group.targets.size()));
            }
            one.area = bootstrap_mean(shares, 1, resamples);
        }
    }
}

} // namespace

std::string label_without_size(const std::string& label, const Registry& registry) {
    auto kept = words(label);
    std::erase_if(kept, [&](const std::string& word) { return is_size_word(word, registry); });
    return kept.empty() ? label : joined(kept);
}

std::string_view compared_name(const Versus& one) { return one.by_values ? "best values" : "evaluations"; }

std::string_view test_name(const Analysis& analysis) {
    return analysis.study.paired ? "wilcoxon" : "mann-whitney";
}

std::string text_of(const OlderConfiguration& older) {
    return fmt::format("{} ({}, {})", older.label, older.hash.substr(0, 8),
                       counted(older.runs, "run", "runs"));
}

double AnalysedConfiguration::time_to(const AnalysedRun& run, double target) const {
    const auto points = trace(run);
    // Values only ever improve along a trace.
    const auto hit = std::ranges::partition_point(
        points, [&](const TracePoint& point) { return better(info.objective, target, point.best); });
    return hit == points.end() ? never : static_cast<double>(hit->evaluations);
}

std::vector<Attempt> AnalysedConfiguration::attempts(double target) const {
    std::vector<Attempt> found;
    found.reserve(runs.size());
    for (const AnalysedRun& run : runs) {
        const double time = time_to(run, target);
        found.push_back(std::isinf(time) ? Attempt{static_cast<double>(run.evaluations), false}
                                         : Attempt{time, true});
    }
    return found;
}

std::vector<double> AnalysedConfiguration::best_within(double budget) const {
    std::vector<double> values;
    values.reserve(runs.size());
    for (const AnalysedRun& run : runs) {
        const auto points = trace(run);
        const auto after = std::ranges::partition_point(points, [&](const TracePoint& point) {
            return static_cast<double>(point.evaluations) <= budget;
        });
        if (after != points.begin())
            values.push_back(std::prev(after)->best);
        else if (run.is_record && run.outcome != Outcome::failed)
            values.push_back(worst_value(info.objective)); // nothing yet that holds all it must
    }
    std::ranges::sort(values);
    return values;
}

double AnalysedConfiguration::final_value(const AnalysedRun& run) const {
    return std::isnan(run.best) ? worst_value(info.objective) : run.best;
}

std::uint64_t AnalysedConfiguration::solved() const {
    return static_cast<std::uint64_t>(
        std::ranges::count(runs, Outcome::solved, [](const AnalysedRun& run) { return run.outcome; }));
}

double AnalysedConfiguration::longest() const {
    std::uint64_t most = 0;
    for (const AnalysedRun& run : runs) most = std::max(most, run.evaluations);
    return static_cast<double>(most);
}

Analysis analyse(const Store& store, const Registry& registry) {
    Analysis analysis;
    analysis.registry = registry;
    analysis.study = store.study();
    for (const RecordedConfiguration& one : analysis.study.configurations)
        analysis.configurations.push_back({.info = one});
    const auto value_of = [](const RunRecord& run, std::string_view name) {
        const auto found = std::ranges::find(run.values, name, &NamedValue::name);
        return found == run.values.end() ? std::numeric_limits<double>::quiet_NaN() : found->value;
    };
    store.for_each_run(true, false, [&](const RunRecord& run) {
        AnalysedConfiguration& configuration = analysis.configurations[run.configuration];
        const std::size_t begin = configuration.traces.size();
        configuration.traces.insert(configuration.traces.end(), run.trace.begin(), run.trace.end());
        configuration.runs.push_back({.number = run.number,
                                      .seed = run.seed,
                                      .outcome = run.outcome,
                                      .evaluations = run.evaluations,
                                      .generations = run.generations,
                                      .found_at = run.found_at,
                                      .found_generation = run.found_generation,
                                      .seconds = run.seconds,
                                      .best = run.best,
                                      .coverage = value_of(run, archive_coverage),
                                      .qd_score = value_of(run, archive_qd_score),
                                      .is_record = !run.values.empty(),
                                      .trace_begin = begin,
                                      .trace_end = configuration.traces.size()});
        ++analysis.runs;
        analysis.seconds += run.seconds;
    });
    for (AnalysedConfiguration& one : analysis.configurations) one.row = row_of(one);
    make_groups(analysis, registry);
    measure_areas(analysis);
    analysis.across = compare_across(analysis);
    return analysis;
}

Row row_of(const AnalysedConfiguration& configuration) {
    Row row{.runs = configuration.runs.size(), .solved = configuration.solved()};
    row.success = wilson_interval(row.solved, row.runs);
    std::vector<double> evaluations;
    std::vector<double> generations;
    std::vector<double> best;
    std::vector<double> seconds;
    std::vector<double> coverage;
    std::vector<double> qd_score;
    for (const AnalysedRun& run : configuration.runs) {
        best.push_back(configuration.final_value(run));
        row.failed += run.outcome == Outcome::failed ? 1U : 0U;
        row.without_value += std::isfinite(best.back()) ? 0U : 1U;
        seconds.push_back(run.seconds);
        if (!std::isnan(run.coverage)) {
            coverage.push_back(run.coverage);
            qd_score.push_back(run.qd_score);
        }
        if (!configuration.info.target || run.outcome != Outcome::solved) continue;
        evaluations.push_back(configuration.time_to(run, *configuration.info.target));
        generations.push_back(static_cast<double>(run.found_generation));
    }
    row.evaluations = summarise(std::move(evaluations));
    row.generations = summarise(std::move(generations));
    row.best = summarise(std::move(best));
    row.seconds = summarise(std::move(seconds));
    row.archives = coverage.size();
    row.coverage = summarise(std::move(coverage));
    row.qd_score = summarise(std::move(qd_score));
    if (configuration.info.target) {
        const auto attempts = configuration.attempts(*configuration.info.target);
        row.expected = expected_running_time(attempts);
        row.expected_interval = bootstrap_running_time(attempts);
    }
    return row;
}

std::vector<EcdfStep> ecdf_over_targets(const AnalysedConfiguration& configuration,
                                        std::span<const double> targets) {
    std::vector<double> times;
    times.reserve(configuration.runs.size() * targets.size());
    for (const AnalysedRun& run : configuration.runs)
        for (const double target : targets) times.push_back(configuration.time_to(run, target));
    return ecdf(std::move(times));
}

std::vector<double> log_spaced(double low, double high, std::size_t count) {
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i)
        values.push_back(low * std::pow(high / low, static_cast<double>(i) / static_cast<double>(count - 1)));
    return values;
}

} // namespace knossos::study
