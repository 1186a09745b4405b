#include <knossos/recipe/domains.hpp>
#include <knossos/study/analysis.hpp>

#include "study/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

namespace knossos::study {

namespace {

constexpr std::size_t most_for_all_pairs = 8;

// What makes two configurations comparable: the problem but for how it is written down. Fitness values mean
// the same where the scale is the same as well.
struct ProblemKey {
    std::string group;
    std::string name;
    std::string scale;
};

ProblemKey key_of(const RecordedConfiguration& configuration, const Registry& registry) {
    ProblemKey key{.group = configuration.problem, .name = configuration.problem, .scale = {}};
    try {
        const Recipe recipe = Recipe::parse(configuration.recipe, configuration.label, {}, registry);
        const auto* problem = recipe.choice("problem");
        if (problem == nullptr) throw InvalidInput{"the recipe names no problem"};
        const Domain& domain = domain_of(recipe);
        key.name = domain.description_of(problem->values);
        if (domain.scale) key.scale = domain.scale(problem->values);
        for (const auto& [field, value] : problem->values)
            if (std::ranges::find(domain.notation_fields, field) == domain.notation_fields.end())
                key.group += fmt::format("\n{}={}", field, plain_text(value));
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

std::string joined(const std::vector<std::string>& parts) {
    std::string text;
    for (const auto& part : parts) text += (text.empty() ? "" : " ") + part;
    return text;
}

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

// Evaluations to the target, or final values where there is none: the sample that is compared. Smaller is
// better for the former.
std::vector<double> sample_of(const AnalysedConfiguration& configuration, bool times) {
    std::vector<double> sample;
    for (const AnalysedRun& run : configuration.runs) {
        if (times)
            sample.push_back(configuration.time_to(run, *configuration.info.target));
        else if (!std::isnan(run.best))
            sample.push_back(run.best);
    }
    return sample;
}

// The sample with the best mean rank among all: a median says nothing where most runs fail.
std::size_t best_sample(const std::vector<std::vector<double>>& samples, bool smaller_is_better) {
    std::vector<std::pair<double, std::size_t>> pooled;
    for (std::size_t i = 0; i < samples.size(); ++i)
        for (const double value : samples[i]) pooled.emplace_back(value, i);
    std::ranges::sort(pooled);
    std::vector<double> ranks(samples.size(), 0.0);
    for (std::size_t begin = 0; begin < pooled.size();) {
        std::size_t end = begin;
        while (end < pooled.size() && pooled[end].first == pooled[begin].first) ++end;
        for (std::size_t i = begin; i < end; ++i)
            ranks[pooled[i].second] += 0.5 * static_cast<double>(begin + end);
        begin = end;
    }
    for (std::size_t i = 0; i < samples.size(); ++i) {
        ranks[i] /= static_cast<double>(std::max<std::size_t>(samples[i].size(), 1));
        if (!smaller_is_better) ranks[i] = -ranks[i];
        if (samples[i].empty()) ranks[i] = never;
    }
    return static_cast<std::size_t>(std::ranges::min_element(ranks) - ranks.begin());
}

void compare(const Analysis& analysis, Group& group) {
    if (!group.is_solvable && !group.same_scale) return;
    std::vector<std::vector<double>> samples;
    const bool maximise =
        analysis.configurations[group.members.front()].info.objective == Objective::maximise;
    const bool smaller_is_better = group.is_solvable || !maximise;
    for (const std::size_t member : group.members)
        samples.push_back(sample_of(analysis.configurations[member], group.is_solvable));
    group.against_best_only = group.members.size() > most_for_all_pairs;
    const std::size_t best = best_sample(samples, smaller_is_better);
    std::vector<double> p;
    for (std::size_t a = 0; a < samples.size(); ++a) {
        for (std::size_t b = a + 1; b < samples.size(); ++b) {
            if (samples[a].empty() || samples[b].empty()) continue;
            if (group.against_best_only && a != best && b != best) continue;
            Versus one{.first = group.members[a],
                       .second = group.members[b],
                       .comparison = mann_whitney(samples[a], samples[b])};
            // The one that does better speaks first.
            if (smaller_is_better ? one.comparison.a12 > 0.5 : one.comparison.a12 < 0.5)
                one = {.first = group.members[b],
                       .second = group.members[a],
                       .comparison = mann_whitney(samples[b], samples[a])};
            group.comparisons.push_back(std::move(one));
            p.push_back(group.comparisons.back().comparison.p);
        }
    }
    // The best was chosen by looking, so that all pairs count as tested even where only some are listed.
    p.resize(std::max(p.size(), samples.size() * (samples.size() - 1) / 2), 1.0);
    const std::vector<double> adjusted = holm(p);
    const auto label = [&](std::size_t member) -> const std::string& {
        return group.labels[static_cast<std::size_t>(std::ranges::find(group.members, member) -
                                                     group.members.begin())];
    };
    for (std::size_t i = 0; i < group.comparisons.size(); ++i) {
        Versus& one = group.comparisons[i];
        one.p = adjusted[i];
        const std::string& first = label(one.first);
        const std::string& second = label(one.second);
        one.verdict = group.is_solvable
                          ? verdict(first, second, one.comparison, one.p, "needs fewer evaluations",
                                    "needs more evaluations", true)
                          : verdict(first, second, one.comparison, one.p, "ends with lower values",
                                    "ends with higher values", !maximise);
    }
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
        if (group.same_scale)
            group.targets =
                analysis.study.targets.empty() ? default_targets(analysis, group) : analysis.study.targets;
        else if (group.is_solvable)
            group.targets = {*analysis.configurations[group.members.front()].info.target};
        group.budgets = default_budgets(analysis, group);
        compare(analysis, group);
    }
}

} // namespace

std::string label_without_size(const std::string& label, const Registry& registry) {
    auto kept = words(label);
    std::erase_if(kept, [&](const std::string& word) { return is_size_word(word, registry); });
    return kept.empty() ? label : joined(kept);
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
    analysis.program = registry.program();
    analysis.registry = registry;
    analysis.study = store.study();
    for (const RecordedConfiguration& one : analysis.study.configurations)
        analysis.configurations.push_back({.info = one});
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
                                      .is_record = !run.values.empty(),
                                      .trace_begin = begin,
                                      .trace_end = configuration.traces.size()});
        ++analysis.runs;
        analysis.seconds += run.seconds;
    });
    make_groups(analysis, registry);
    return analysis;
}

Row row_of(const AnalysedConfiguration& configuration) {
    Row row{.runs = configuration.runs.size(), .solved = configuration.solved()};
    row.success = wilson_interval(row.solved, row.runs);
    std::vector<double> evaluations;
    std::vector<double> generations;
    std::vector<double> best;
    std::vector<double> seconds;
    for (const AnalysedRun& run : configuration.runs) {
        if (!std::isnan(run.best)) best.push_back(run.best);
        seconds.push_back(run.seconds);
        if (!configuration.info.target || run.outcome != Outcome::solved) continue;
        evaluations.push_back(configuration.time_to(run, *configuration.info.target));
        generations.push_back(static_cast<double>(run.found_generation));
    }
    row.evaluations = summarise(std::move(evaluations));
    row.generations = summarise(std::move(generations));
    row.best = summarise(std::move(best));
    row.seconds = summarise(std::move(seconds));
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
