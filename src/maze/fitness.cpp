#include <knossos/core/error.hpp>
#include <knossos/core/text.hpp>
#include <knossos/maze/fitness.hpp>
#include <knossos/maze/representation.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knossos::maze {

namespace {

constexpr std::array<Measure, 5> measure_of{Measure::exit_path, Measure::reconvergence,
                                            Measure::isolated_reconvergence, Measure::culs_de_sac,
                                            Measure::cul_de_sac_length};

FitnessValues fitness_values(const Measures& measures) {
    return {measures.exit_path,     measures.exit_members,
            measures.reconvergence, measures.isolated_reconvergence,
            measures.culs_de_sac,   measures.cul_de_sac_length};
}

bool has_aims(const std::vector<Term>& terms) {
    return std::ranges::any_of(terms, [](const Term& term) { return term.near.has_value(); });
}

std::size_t objectives_in(const std::vector<Term>& terms) {
    return static_cast<std::size_t>(
        std::ranges::count_if(terms, [](const Term& term) { return term.aim != Aim::range; }));
}

// Checkpoints that are missing on the way; without a way, all of them and the exit.
double missing_on_the_way(const Measures& measures, std::uint32_t mandatory) {
    if (measures.exit_path < 0) return mandatory + 1.0;
    return measures.exit_members < mandatory ? mandatory - measures.exit_members : 0.0;
}

// Whoever can't be walked through is worse than whoever misses some wishes.
constexpr double way_scale = 0.001;

std::string_view name_of(const Term& term) { return info(term.measure).name; }

} // namespace

std::string_view to_string(FitnessFunction function) {
    return fitness_function_names[static_cast<std::size_t>(function)];
}

FitnessFunction parse_fitness_function(std::string_view name) {
    const auto found = std::ranges::find(fitness_function_names, name);
    if (found == fitness_function_names.end()) {
        std::string names;
        for (const std::string_view one : fitness_function_names)
            names += (names.empty() ? "" : ", ") + std::string{one};
        throw InvalidInput{fmt::format("'{}' is not a fitness function; there are {}", name, names)};
    }
    return static_cast<FitnessFunction>(found - fitness_function_names.begin());
}

double fitness_value(FitnessFunction function, std::uint32_t mandatory, const FitnessValues& values) {
    if (values.exit_path < 0 || values.exit_members < mandatory) return 0.0;
    switch (function) {
    case FitnessFunction::exit_path:
        return values.exit_path;
    case FitnessFunction::reconvergence:
        return static_cast<double>(values.reconvergence);
    case FitnessFunction::isolated_reconvergence:
        return static_cast<double>(values.isolated_reconvergence);
    case FitnessFunction::culs_de_sac:
        return values.culs_de_sac;
    case FitnessFunction::cul_de_sac_length:
        return static_cast<double>(values.cul_de_sac_length);
    }
    return 0.0;
}

bool Score::met() const {
    return usable && std::ranges::all_of(terms, [](const TermScore& score) { return score.met; });
}

void Fitness::check(std::size_t checkpoints) const {
    if (mandatory > checkpoints)
        throw InvalidSetting{
            "problem", "", "k",
            fmt::format("is {}, but there {}; problem.checkpoints takes cells such as 3,4 10,12, or "
                        "auto:{}",
                        mandatory,
                        checkpoints == 0   ? "are no checkpoints"
                        : checkpoints == 1 ? "is only 1 checkpoint"
                                           : fmt::format("are only {} checkpoints", checkpoints),
                        mandatory)};
    if (has_aims(terms) && objectives_in(terms) > 0)
        throw InvalidSetting{"problem", "", "goal",
                             "has 'near', which says where in its range a measure is to lie; a goal that "
                             "maximises or minimises something leaves that open"};
    constexpr double least = 1e-6;
    constexpr double most = 1e6;
    for (const Term& term : terms) {
        if (!(term.weight >= least && term.weight <= most))
            throw InvalidInput{fmt::format("the weight of '{}' is {}; weights are positive numbers, {} to {}",
                                           name_of(term), term.weight, least, most)};
        if (term.aim == Aim::range && !(term.low <= term.high))
            throw InvalidInput{
                fmt::format("the range {}..{} of '{}' is empty", term.low, term.high, name_of(term))};
    }
}

namespace {

bool is_about_pairs(Measure measure) {
    return measure == Measure::reconvergence || measure == Measure::isolated_reconvergence;
}

// How many checkpoints there must be for a wish to be more than a constant, or to be met.
double checkpoints_for(const Term& term) {
    const bool is_about_members =
        term.measure == Measure::exit_members || term.measure == Measure::on_one_way;
    if (!is_about_pairs(term.measure) && !is_about_members) return 0.0;
    const double pair = is_about_pairs(term.measure) ? 2.0 : 1.0;
    if (term.aim != Aim::range) return pair;
    if (term.low <= 0.0) return 0.0;
    // One more than possible for those who made a wish that can't be read.
    return is_about_members ? std::min(std::ceil(term.low), most_checkpoints + 1.0) : pair;
}

} // namespace

void Fitness::require_checkpoints(std::size_t checkpoints) const {
    const auto require = [&](double least, std::string_view field, std::string_view what) {
        if (static_cast<double>(checkpoints) >= least) return;
        throw InvalidSetting{
            "problem", "", field,
            fmt::format("{} needs at least {}, and there {}; problem.checkpoints takes cells such as "
                        "3,4 10,12, or auto:{}",
                        what, counted(static_cast<std::uint64_t>(least), "checkpoint", "checkpoints"),
                        checkpoints == 0   ? "are none"
                        : checkpoints == 1 ? "is one"
                                           : fmt::format("are {}", checkpoints),
                        std::max(least, 4.0))};
    };
    if (terms.empty() && is_about_pairs(measure_of[static_cast<std::size_t>(function)]))
        require(2.0, "fitness", fmt::format("is {}, which", to_string(function)));
    for (const Term& term : terms)
        require(checkpoints_for(term), "goal", fmt::format("has '{}', which", to_text(term)));
    const auto refuse_tour = [&](std::string_view field, std::string_view what) {
        throw InvalidSetting{"problem", "", field,
                             fmt::format("has '{}', which is worked out for up to {} checkpoints, and there "
                                         "are {}",
                                         what, most_on_tour, checkpoints)};
    };
    if (checkpoints <= most_on_tour) return;
    for (const Term& term : terms)
        if (term.measure == Measure::tour) refuse_tour("goal", to_text(term));
    for (const NamedMeasure& one : descriptors)
        if (one.measure == Measure::tour) refuse_tour("descriptors", one.name);
}

std::vector<Column> Fitness::columns(std::size_t cells) const {
    std::vector<Column> columns;
    if (terms.empty())
        add_named(columns, maximise("?").in_whole_numbers(), to_string(function));
    else
        columns = columns_of_terms(cells);
    for (const NamedMeasure& one : descriptors) {
        const MeasureRange range = widest_range_of(one.measure, cells);
        Column column = descriptor("?", range.lowest, range.highest);
        column.whole = kind_of(one.measure) == MeasureKind::count;
        add_named(columns, column, one.name);
    }
    return columns;
}

std::vector<Column> Fitness::columns_of_terms(std::size_t cells) const {
    std::vector<Column> columns;
    const bool is_sum = several == Several::weighted_sum && objectives_in(terms) > 1;
    if (is_sum) columns.push_back(maximise("weighted sum").scaled(100.0));
    if (has_aims(terms)) columns.push_back(minimise("from the aims"));
    for (const Term& term : terms) {
        if (term.aim == Aim::range || is_sum) continue;
        Column column = (term.aim == Aim::maximise ? maximise("?") : minimise("?"))
                            .scaled(scale_of(term, kind_of(term.measure)));
        column.whole = kind_of(term.measure) == MeasureKind::count;
        if (const auto range = range_of(term.measure, cells))
            column = column.between(range->lowest, range->highest);
        add_named(columns, column, name_of(term));
    }
    columns.push_back(must_hold("way to the exit", way_scale).in_whole_numbers());
    for (Term term : terms) {
        if (term.aim != Aim::range) continue;
        const double scale = scale_of(term, kind_of(term.measure));
        term.weight = 1.0;
        term.near.reset();
        add_named(columns, must_hold("?", scale), to_text(term));
    }
    return columns;
}

MeasureSet Fitness::needs() const {
    MeasureSet needs{Measure::exit_path};
    if (mandatory > 0) needs.add(Measure::exit_members);
    if (terms.empty()) needs.add(measure_of[static_cast<std::size_t>(function)]);
    for (const Term& term : terms) needs.add(term.measure);
    for (const NamedMeasure& one : descriptors) needs.add(one.measure);
    return needs;
}

void Fitness::evaluate(const Measures& measures, Record out) const {
    std::size_t column = 0;
    if (terms.empty())
        out[column++] = fitness_value(function, mandatory, fitness_values(measures));
    else
        column = evaluate_terms(measures, out);
    for (const NamedMeasure& one : descriptors) out[column++] = value_of(measures, one.measure);
}

std::size_t Fitness::evaluate_terms(const Measures& measures, Record out) const {
    std::size_t column = 0;
    if (several == Several::weighted_sum && objectives_in(terms) > 1) {
        double total = 0.0;
        for (const Term& term : terms)
            if (term.aim != Aim::range)
                total += contribution(term, kind_of(term.measure), value_of(measures, term.measure));
        out[column++] = total;
    } else {
        for (const Term& term : terms)
            if (term.aim != Aim::range) out[column++] = value_of(measures, term.measure);
    }
    if (has_aims(terms)) {
        double total = 0.0;
        for (const Term& term : terms)
            total += from_the_aim(term, kind_of(term.measure), value_of(measures, term.measure));
        out[column++] = total;
    }
    out[column++] = missing_on_the_way(measures, mandatory);
    for (const Term& term : terms)
        if (term.aim == Aim::range) out[column++] = gap(term, value_of(measures, term.measure));
    return column;
}

Score Fitness::score(const Measures& measures) const {
    Score score{.total = std::nullopt,
                .violation = 0.0,
                .usable = measures.exit_path >= 0 && measures.exit_members >= mandatory,
                .terms = {}};
    if (terms.empty()) {
        const Measure measure = measure_of[static_cast<std::size_t>(function)];
        score.total = fitness_value(function, mandatory, fitness_values(measures));
        score.terms.push_back({.term = {.measure = measure},
                               .value = value_of(measures, measure),
                               .contribution = *score.total,
                               .met = true});
        return score;
    }
    score.violation = missing_on_the_way(measures, mandatory) / way_scale;
    for (const Term& term : terms) {
        const double value = value_of(measures, term.measure);
        const double part = contribution(term, kind_of(term.measure), value);
        score.terms.push_back({term, value, part, term.aim != Aim::range || part == 0.0});
        if (term.aim == Aim::range)
            score.violation -= part;
        else
            score.total = objectives_in(terms) == 1 ? value : score.total.value_or(0.0) + part;
    }
    if (several == Several::pareto && objectives_in(terms) > 1) score.total.reset(); // none is the whole
    return score;
}

std::optional<double> Fitness::target() const {
    return !terms.empty() && objectives_in(terms) == 0 ? std::optional{0.0} : std::nullopt;
}

Measures measured(const Level& level, const Fitness& fitness, MeasureSet wanted) {
    Measures measures = measure(level, wanted);
    if (fitness.start != nullptr)
        measures.changes = static_cast<std::uint32_t>(fitness.start->changes(level.grid));
    return measures;
}

} // namespace knossos::maze
