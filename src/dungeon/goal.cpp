#include <knossos/core/error.hpp>
#include <knossos/dungeon/goal.hpp>
#include <knossos/dungeon/representation.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace knossos::dungeon {

namespace {

// Whoever can't be walked through, or can be lost in, is worse than whoever misses some wishes.
constexpr double unsolvable_scale = 0.01;
constexpr double losable_scale = 0.05;
constexpr double loose_scale = 4.0;

Wish as_wish(const Term& term) { return about(static_cast<std::size_t>(term.measure), term); }

MeasureKind kind_of(Measure measure) { return info(measure).kind; }

std::size_t objectives_in(const std::vector<Term>& terms) {
    return static_cast<std::size_t>(
        std::ranges::count_if(terms, [](const Term& term) { return term.aim != Aim::range; }));
}

bool has_aims(const std::vector<Term>& terms) {
    return std::ranges::any_of(terms, [](const Term& term) { return term.near.has_value(); });
}

bool is_sum(const Goal& goal) { return !goal.pareto && objectives_in(goal.terms) > 1; }

} // namespace

WishList wish_list() {
    return {.measures = wishables(),
            .example = "solution 40..70",
            .aim_example = "minimise backtracking",
            .near_example = "solution 40..70 near 55"};
}

std::vector<Term> parse_terms(std::string_view text, std::string_view source) {
    std::vector<Term> terms;
    for (const Wish& wish : parse_wishes(text, source, wish_list()))
        terms.push_back(about(static_cast<Measure>(wish.measure), wish));
    return terms;
}

std::string to_text(const Term& term) { return knossos::to_text(as_wish(term), info(term.measure).name); }

std::string to_text(const std::vector<Term>& terms) {
    std::string all;
    for (const Term& term : terms) all += (all.empty() ? "" : ", ") + to_text(term);
    return all;
}

std::vector<Term> aimed_inside(std::vector<Term> terms, Stream& stream) {
    for (Term& term : terms) term.near = drawn_aim(as_wish(term), kind_of(term.measure), stream);
    return terms;
}

void Goal::check() const {
    if (has_aims(terms) && objectives_in(terms) > 0)
        throw InvalidSetting{"problem", "", "goal",
                             "has 'near', which says where in its range a measure is to lie; a goal that "
                             "maximises or minimises something leaves that open"};
    constexpr double least = 1e-6;
    constexpr double most = 1e6;
    for (const Term& term : terms)
        if (!(term.weight >= least && term.weight <= most))
            throw InvalidSetting{
                "problem", "", "goal",
                fmt::format("has '{}'; weights are positive numbers, {} to {}", to_text(term), least, most)};
}

std::vector<Column> Goal::columns(std::size_t cells) const {
    std::vector<Column> columns;
    if (is_sum(*this)) columns.push_back(maximise("weighted sum").scaled(100.0));
    if (has_aims(terms)) columns.push_back(minimise("from the aims"));
    if (terms.empty()) columns.push_back(maximise("solution").in_whole_numbers().scaled(100.0));
    for (const Term& term : terms) {
        if (term.aim == Aim::range || is_sum(*this)) continue;
        const MeasureRange range = range_of(term.measure, cells);
        Column column = (term.aim == Aim::maximise ? maximise("?") : minimise("?"))
                            .scaled(scale_of(term, kind_of(term.measure)))
                            .between(range.lowest, range.highest);
        column.whole = kind_of(term.measure) == MeasureKind::count;
        add_named(columns, column, info(term.measure).name);
    }
    if (solvable) columns.push_back(must_hold("solvable", unsolvable_scale).in_whole_numbers());
    if (unlosable) columns.push_back(must_hold("unlosable", losable_scale));
    if (framed) columns.push_back(must_hold("doors in frames", loose_scale).in_whole_numbers());
    for (Term term : terms) {
        if (term.aim != Aim::range) continue;
        const double scale = scale_of(term, kind_of(term.measure));
        term.weight = 1.0;
        term.near.reset();
        add_named(columns, must_hold("?", scale), to_text(term));
    }
    for (const auto& [measure, name] : descriptors) {
        const MeasureRange range = range_of(measure, cells);
        Column column = descriptor("?", range.lowest, range.highest);
        column.whole = kind_of(measure) == MeasureKind::count;
        add_named(columns, column, name);
    }
    return columns;
}

MeasureSet Goal::needs() const {
    MeasureSet needs;
    if (terms.empty()) needs.add(Measure::solution);
    for (const Term& term : terms) needs.add(term.measure);
    for (const auto& [measure, name] : descriptors) needs.add(measure);
    return needs;
}

void Goal::evaluate(const Judgement& judgement, Record out) const {
    const Measures& measures = judgement.measures;
    std::size_t column = 0;
    if (terms.empty()) out[column++] = measures[Measure::solution];
    if (is_sum(*this)) {
        double total = 0.0;
        for (const Term& term : terms)
            if (term.aim != Aim::range)
                total += contribution(term, kind_of(term.measure), measures[term.measure]);
        out[column++] = total;
    }
    if (has_aims(terms)) {
        double total = 0.0;
        for (const Term& term : terms)
            total += from_the_aim(term, kind_of(term.measure), measures[term.measure]);
        out[column++] = total;
    }
    if (!is_sum(*this))
        for (const Term& term : terms)
            if (term.aim != Aim::range) out[column++] = measures[term.measure];
    if (solvable) out[column++] = judgement.short_of_exit;
    if (unlosable) out[column++] = measures[Measure::lost];
    if (framed) out[column++] = measures[Measure::loose_doors];
    for (const Term& term : terms)
        if (term.aim == Aim::range) out[column++] = gap(term, measures[term.measure]);
    for (const auto& [measure, name] : descriptors) out[column++] = measures[measure];
}

std::vector<TermScore> Goal::scores(const Judgement& judgement) const {
    std::vector<TermScore> scores;
    for (const Term& term : terms) {
        const double value = judgement.measures[term.measure];
        const double missed =
            term.aim == Aim::range ? -contribution(term, kind_of(term.measure), value) : 0.0;
        scores.push_back({term, value, missed});
    }
    return scores;
}

bool Goal::holds(const Judgement& judgement) const {
    if ((solvable && !judgement.solvable) || (unlosable && !judgement.unlosable)) return false;
    if (framed && judgement.measures[Measure::loose_doors] > 0.0) return false;
    const auto all = scores(judgement);
    return std::ranges::all_of(all, [](const TermScore& one) { return one.missed == 0.0; });
}

Judgement judged(const Level& level, const Goal& goal) {
    Judgement judgement = Judge{}.judge(level);
    judgement.measures[Measure::changes] = static_cast<double>(changes(goal.start, level));
    return judgement;
}

std::optional<double> Goal::target() const {
    return !terms.empty() && objectives_in(terms) == 0 ? std::optional{0.0} : std::nullopt;
}

} // namespace knossos::dungeon
