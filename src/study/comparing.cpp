#include "study/comparing.hpp"

#include <knossos/core/error.hpp>
#include <knossos/core/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace knossos::study {

namespace {

constexpr std::size_t most_for_all_pairs = 8;
constexpr double level = 0.05;

// Seeds by the numbers of runs.
using Seeds = std::map<std::uint64_t, std::uint64_t>;

// The runs that all members have: those of one number begin alike, by their seed.
Seeds common_runs(const Analysis& analysis, std::span<const std::size_t> members) {
    Seeds common;
    for (const AnalysedRun& run : analysis.configurations[members.front()].runs)
        common.emplace(run.number, run.seed);
    for (const std::size_t member : members.subspan(1)) {
        const AnalysedConfiguration& configuration = analysis.configurations[member];
        Seeds both;
        for (const AnalysedRun& run : configuration.runs) {
            const auto partner = common.find(run.number);
            if (partner == common.end()) continue;
            if (partner->second != run.seed)
                throw InvalidInput{fmt::format(
                    "{}: the study is paired, but run {} of '{}' has seed {} where another "
                    "configuration's has {}; run it into another file (-o)",
                    analysis.study.file, run.number, configuration.info.label, run.seed, partner->second)};
            both.insert(*partner);
        }
        common = std::move(both);
    }
    return common;
}

// What is compared of a configuration's runs, by their order: evaluations to the target, or final values. Of
// a paired study only runs that have partners.
std::vector<double> sample_of(const AnalysedConfiguration& configuration, bool values, const Seeds* common) {
    std::vector<double> sample;
    sample.reserve(configuration.runs.size());
    for (const AnalysedRun& run : configuration.runs)
        if (common == nullptr || common->contains(run.number))
            sample.push_back(values ? configuration.final_value(run)
                                    : configuration.time_to(run, *configuration.info.target));
    return sample;
}

bool has_success(std::span<const double> times) {
    return std::ranges::any_of(times, [](double time) { return std::isfinite(time); });
}

// Of each sample, the mean rank of its values among those of all: a median says nothing where most runs fail.
// 1 is best.
std::vector<double> mean_ranks(const std::vector<std::vector<double>>& samples, Objective objective) {
    std::vector<std::pair<double, std::size_t>> pooled;
    for (std::size_t i = 0; i < samples.size(); ++i)
        for (const double value : samples[i])
            pooled.emplace_back(objective == Objective::minimise ? value : -value, i);
    std::ranges::sort(pooled);
    std::vector<double> ranks(samples.size(), 0.0);
    for (std::size_t begin = 0; begin < pooled.size();) {
        std::size_t end = begin;
        while (end < pooled.size() && pooled[end].first == pooled[begin].first) ++end;
        for (std::size_t i = begin; i < end; ++i)
            ranks[pooled[i].second] += 0.5 * static_cast<double>(begin + 1 + end);
        begin = end;
    }
    for (std::size_t i = 0; i < samples.size(); ++i)
        ranks[i] = samples[i].empty() ? never : ranks[i] / static_cast<double>(samples[i].size());
    return ranks;
}

// The samples of a group's members, and which of them is to be looked at.
struct Samples {
    std::vector<std::vector<double>> times;    ///< none without a target
    std::vector<std::vector<double>> values;   ///< none if they don't mean the same
    Objective objective = Objective::minimise; ///< of the values

    Samples(const Analysis& analysis, const Group& group, std::span<const std::size_t> members)
        : objective{analysis.configurations[group.members.front()].info.objective} {
        const Seeds common = analysis.study.paired ? common_runs(analysis, members) : Seeds{};
        const Seeds* partners = analysis.study.paired ? &common : nullptr;
        for (const std::size_t member : members) {
            const AnalysedConfiguration& configuration = analysis.configurations[member];
            if (group.is_solvable) times.push_back(sample_of(configuration, false, partners));
            if (group.same_scale) values.push_back(sample_of(configuration, true, partners));
        }
    }
    [[nodiscard]] bool nobody_succeeds(std::size_t a, std::size_t b) const {
        return !times.empty() && !has_success(times[a]) && !has_success(times[b]);
    }
    // Where nobody succeeds all times are the same, and only values can tell the two apart.
    [[nodiscard]] bool by_values(std::size_t a, std::size_t b) const {
        return !values.empty() && (times.empty() || nobody_succeeds(a, b));
    }
    [[nodiscard]] std::vector<double> all_mean_ranks() const {
        const bool by_time = !times.empty() && (values.empty() || std::ranges::any_of(times, has_success));
        return by_time ? mean_ranks(times, Objective::minimise) : mean_ranks(values, objective);
    }
};

// "A needs fewer evaluations than B", in the words that fit what was compared. The members are still numbered
// within their group.
std::string statement_of(const std::vector<std::string>& labels, const Versus& one, const Samples& samples) {
    const std::string& first = labels[one.first];
    const std::string& second = labels[one.second];
    const bool hopeless = samples.nobody_succeeds(one.first, one.second);
    if (one.p_holm >= level) {
        const char* why = !hopeless       ? ""
                          : one.by_values ? " in best values, as neither succeeds"
                                          : ", as neither succeeds and their values don't mean the same";
        return fmt::format("no difference shown between {} and {}{}", first, second, why);
    }
    if (!one.by_values)
        return fmt::format("{} needs {} evaluations than {}", first,
                           one.comparison.lead >= 0.0 ? "fewer" : "more", second);
    const bool higher = (samples.objective == Objective::maximise) == (one.comparison.lead >= 0.0);
    return fmt::format("{} ends with {} values than {}{}", first, higher ? "higher" : "lower", second,
                       hopeless ? ", as neither succeeds" : "");
}

// A12 takes runs of all pairs alike and may say nothing where the test of pairs does.
std::string pairs_text(const Comparison& comparison) {
    if (comparison.unequal_pairs == 0) return " (paired: all pairs alike)";
    return fmt::format(" (paired: better in {} of {})", comparison.won_pairs,
                       counted(comparison.unequal_pairs, "unequal pair", "unequal pairs"));
}

// A configuration but for its problem: "maze-direct" of "maze-direct fitness=exit-path".
std::string method_of(const RecordedConfiguration& configuration, const Registry& registry) {
    constexpr std::string_view problem = "problem.";
    std::string label = configuration.label;
    for (const auto& [name, value] : configuration.varied) {
        if (!name.starts_with(problem)) continue;
        for (const std::string& key : {name, name.substr(problem.size())}) {
            const std::string part = fmt::format(" {}={}", key, value);
            if (const std::size_t at = label.find(part); at != std::string::npos)
                label.erase(at, part.size());
        }
    }
    return label_without_size(label, registry);
}

constexpr std::size_t least_for_ranks = 3; // of methods and of problems

// The members of a group by their methods; those that share one stand for none.
std::map<std::string, std::size_t> methods_of(const Analysis& analysis, const Group& group) {
    std::map<std::string, std::size_t> found;
    std::map<std::string, std::size_t> seen;
    for (const std::size_t member : group.members) {
        const std::string name = method_of(analysis.configurations[member].info, analysis.registry);
        found.emplace(name, member);
        ++seen[name];
    }
    std::erase_if(found, [&](const auto& one) { return seen[one.first] > 1; });
    return found;
}

} // namespace

void compare(const Analysis& analysis, Group& group) {
    if (!group.is_solvable && !group.same_scale) return;
    const Samples samples{analysis, group, group.members};
    const std::size_t count = group.members.size();
    group.against_best_only = count > most_for_all_pairs;
    const std::vector<double> ranks = samples.all_mean_ranks();
    const auto best = static_cast<std::size_t>(std::ranges::min_element(ranks) - ranks.begin());
    const auto test = analysis.study.paired ? signed_rank : mann_whitney;
    std::vector<double> p;
    for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = a + 1; b < count; ++b) {
            if (group.against_best_only && a != best && b != best) continue;
            const bool by_values = samples.by_values(a, b);
            const auto& of = by_values ? samples.values : samples.times;
            const Objective objective = by_values ? samples.objective : Objective::minimise;
            Versus one{.first = a, .second = b, .comparison = test(of[a], of[b], objective)};
            // The one that does better speaks first.
            if (one.comparison.lead < 0.0)
                one = {.first = b, .second = a, .comparison = test(of[b], of[a], objective)};
            one.by_values = by_values;
            group.comparisons.push_back(std::move(one));
            p.push_back(group.comparisons.back().comparison.p);
        }
    }
    // The best was chosen by looking, so that all pairs count as tested even where only some are listed.
    group.family = count * (count - 1) / 2;
    p.resize(group.family, 1.0);
    const std::vector<double> adjusted = holm(p);
    for (std::size_t i = 0; i < group.comparisons.size(); ++i) {
        Versus& one = group.comparisons[i];
        one.p_holm = adjusted[i];
        one.statement = statement_of(group.labels, one, samples);
        one.verdict = fmt::format(
            "{}: {}{}, A12 = {:.2f}", one.statement, p_texts(one.comparison.p, one.p_holm, group.family),
            analysis.study.paired ? pairs_text(one.comparison) : "", one.comparison.a12);
        one.first = group.members[one.first];
        one.second = group.members[one.second];
    }
}

std::optional<Across> compare_across(const Analysis& analysis) {
    Across across;
    std::vector<const Group*> groups;
    std::vector<std::map<std::string, std::size_t>> members;
    for (const Group& group : analysis.groups) {
        if (!group.is_solvable && !group.same_scale) continue;
        auto methods = methods_of(analysis, group);
        if (methods.size() < least_for_ranks) continue;
        groups.push_back(&group);
        members.push_back(std::move(methods));
    }
    if (groups.size() < least_for_ranks) return std::nullopt;
    for (const auto& [name, member] : members.front())
        if (std::ranges::all_of(members, [&](const auto& one) { return one.contains(name); }))
            across.methods.push_back(name);
    if (across.methods.size() < least_for_ranks) return std::nullopt;
    // In the order of the file, as everywhere.
    std::ranges::sort(across.methods, {}, [&](const std::string& name) { return members.front().at(name); });
    std::vector<std::vector<double>> ranks;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        std::vector<std::size_t> chosen;
        for (const std::string& name : across.methods) chosen.push_back(members[i].at(name));
        auto found = Samples{analysis, *groups[i], chosen}.all_mean_ranks();
        if (!std::ranges::all_of(found, [](double rank) { return std::isfinite(rank); })) continue;
        across.problems.push_back(groups[i]->name);
        ranks.push_back(std::move(found));
    }
    if (ranks.size() < least_for_ranks) return std::nullopt;
    across.friedman = friedman(ranks);
    return across;
}

} // namespace knossos::study
