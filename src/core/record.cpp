#include <knossos/core/error.hpp>
#include <knossos/core/record.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knossos {

namespace {

bool has_range(const Column& column) {
    return std::isfinite(column.low) && std::isfinite(column.high) && column.low < column.high;
}

void check_column(const Column& column) {
    const auto name = column.name.text();
    if (name.empty()) throw InvalidInput{"a column of the record has no name"};
    if (!(column.scale > 0.0) || !std::isfinite(column.scale))
        throw InvalidInput{
            fmt::format("the column '{}' has the scale {}; it must be above 0", name, column.scale)};
    if (column.role == Role::descriptor && !has_range(column))
        throw InvalidInput{fmt::format("the descriptor '{}' has the range {}..{}; it needs two ends, the "
                                       "lower one first",
                                       name, column.low, column.high)};
    if (!(column.low < column.high))
        throw InvalidInput{fmt::format("the column '{}' has the range {}..{}; the lower end comes first",
                                       name, column.low, column.high)};
}

} // namespace

std::string_view to_string(Role role) {
    constexpr std::array<std::string_view, 4> names{"objective", "violation", "descriptor", "guide"};
    return names[static_cast<std::size_t>(role)];
}

Schema::Schema(Objective objective)
    : columns_{Column{.name = "fitness", .role = Role::objective, .direction = objective}}, objectives_{0},
      objective_{objective}, prefers_{true} {}

Schema::Schema(std::span<const Column> columns) : columns_{columns.begin(), columns.end()} {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        const Column& column = columns_[i];
        check_column(column);
        if (std::ranges::find(columns_.begin(), columns_.begin() + static_cast<std::ptrdiff_t>(i),
                              column.name,
                              &Column::name) != columns_.begin() + static_cast<std::ptrdiff_t>(i))
            throw InvalidInput{
                fmt::format("two columns of the record are called '{}'; each needs a name of its own",
                            column.name.text())};
        if (column.role == Role::objective) objectives_.push_back(i);
        if (column.role == Role::violation) violations_.push_back(i);
    }
    if (objectives_.empty() && violations_.empty())
        throw InvalidInput{"the record has neither an objective nor a violation, so that nobody could say "
                           "which individual is better; it needs at least one of them"};
    const auto guides = std::ranges::count(columns_, Role::guide, &Column::role);
    if (guides > 1) throw InvalidInput{"the record has several guides; a search follows one"};
    if (guides == 1 && objectives_.size() > 1)
        throw InvalidInput{"the record has a guide and several objectives; a guide stands in for one"};
    ranking_ = objectives_.size() > 1 ? Ranking::pareto
               : columns_.size() > 1  ? Ranking::feasible_first
                                      : Ranking::one_column;
    // Five objectives and more take too long to work out in every generation.
    constexpr std::size_t most = 4;
    if (ranking_ == Ranking::pareto && objectives_.size() <= most &&
        std::ranges::all_of(objectives_, [&](std::size_t i) { return has_range(columns_[i]); }))
        merit_ = Merit::hypervolume;
    if (!objectives_.empty()) {
        objective_ = columns_[objectives_.front()].direction;
        preferred_ = objectives_.front();
        prefers_ = true;
    }
    if (guides == 1) {
        preferred_ = static_cast<std::size_t>(std::ranges::find(columns_, Role::guide, &Column::role) -
                                              columns_.begin());
        prefers_ = true;
    }
    if (prefers_) preference_scale_ = columns_[preferred_].scale;
    if (plain() && objectives_.empty()) columns_.front().scale = 1.0; // there is nothing to weigh it against
}

std::string_view Schema::fitness_name() const {
    return objectives_.empty() ? "violation" : columns_[objectives_.front()].name.text();
}

std::string_view Schema::merit_name() const {
    if (merit_ == Merit::qd_score) return "qd_score";
    return merit_ == Merit::hypervolume ? "hypervolume" : fitness_name();
}

Schema Schema::with_merit(Merit merit) const {
    Schema other = *this;
    other.merit_ = merit;
    return other;
}

bool Schema::whole_fitness() const {
    if (!objectives_.empty()) return columns_[objectives_.front()].whole;
    return std::ranges::all_of(violations_,
                               [&](std::size_t i) { return columns_[i].whole && columns_[i].scale == 1.0; });
}

double Schema::violation(RecordView values) const {
    double total = 0.0;
    for (const std::size_t i : violations_) total += values[i] / columns_[i].scale;
    return total;
}

Quality Schema::quality(RecordView values) const {
    if (objectives_.empty()) return {0.0, violation(values)};
    return {violation(values), values[objectives_.front()]};
}

double Schema::preference(RecordView values) const {
    return prefers_ ? lower_is_better(columns_[preferred_], values[preferred_]) : 0.0;
}

void Schema::write_worst(const Record& out) const {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        const Column& column = columns_[i];
        out[i] = column.role == Role::descriptor  ? column.low
                 : column.role == Role::violation ? std::numeric_limits<double>::infinity()
                                                  : worst_value(column.direction);
    }
}

std::string Schema::identity() const {
    std::string text = to_text();
    for (const Column& column : columns_)
        text += fmt::format("\n{} {} {} {}", column.low, column.high, column.scale, column.whole);
    return text;
}

std::string Schema::to_text() const {
    std::string text;
    for (const Column& column : columns_) {
        const std::string_view verb = column.role == Role::violation            ? "must hold"
                                      : column.role == Role::descriptor         ? "descriptor"
                                      : column.role == Role::guide              ? "guide"
                                      : column.direction == Objective::maximise ? "maximise"
                                                                                : "minimise";
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", verb, column.name.text());
    }
    return text;
}

} // namespace knossos
