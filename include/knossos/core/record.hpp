#pragma once

#include <knossos/core/objective.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace knossos {

/// What a column of a record is for. An *objective* is made large or small. A *violation* is by how much a
/// condition that must hold is missed; 0: it holds. A *descriptor* says what an individual is like, not how
/// good it is. A *guide* steers the search, by a finer slope than the objective has, and is never a result.
enum class Role : unsigned char { objective, violation, descriptor, guide };

std::string_view to_string(Role role);

/// A short name that a constant can hold.
class ColumnName {
  public:
    static constexpr std::size_t most = 47;

    constexpr ColumnName() = default;
    constexpr ColumnName(std::string_view text) { // NOLINT(google-explicit-constructor): it is a text
        if (text.empty() || text.size() > most)
            throw std::invalid_argument{"the name of a column has 1 to 47 characters"};
        for (std::size_t i = 0; i < text.size(); ++i) letters_[i] = text[i];
        size_ = static_cast<unsigned char>(text.size());
    }
    constexpr ColumnName(const char* text) : ColumnName{std::string_view{text}} {} // NOLINT: as above

    [[nodiscard]] constexpr std::string_view text() const { return {letters_.data(), size_}; }
    friend constexpr bool operator==(const ColumnName& a, const ColumnName& b) {
        return a.text() == b.text();
    }

  private:
    std::array<char, most> letters_{};
    unsigned char size_ = 0;
};

/// One of the values that an evaluation gives.
struct Column {
    ColumnName name{};
    Role role = Role::objective;
    Objective direction = Objective::minimise; ///< of objectives and guides
    double low = -std::numeric_limits<double>::infinity();
    /// A descriptor has both ends. Objectives that have them are put in proportion by them: a front then has
    /// a hypervolume.
    double high = std::numeric_limits<double>::infinity();
    /// What counts as much as 1 in another column: violations are divided by it before they are added up, and
    /// annealing divides by it the amount by which an objective is worse.
    double scale = 1.0;
    bool whole = false; ///< whether the values are whole numbers

    [[nodiscard]] constexpr Column scaled(double by) const {
        Column changed = *this;
        changed.scale = by;
        return changed;
    }
    [[nodiscard]] constexpr Column between(double lowest, double highest) const {
        Column changed = *this;
        changed.low = lowest;
        changed.high = highest;
        return changed;
    }
    [[nodiscard]] constexpr Column in_whole_numbers() const {
        Column changed = *this;
        changed.whole = true;
        return changed;
    }
    friend constexpr bool operator==(const Column&, const Column&) = default;
};

constexpr Column minimise(ColumnName name) { return {.name = name, .role = Role::objective}; }
constexpr Column maximise(ColumnName name) {
    return {.name = name, .role = Role::objective, .direction = Objective::maximise};
}
/// A condition; its value is by how much it is missed, which is never negative.
constexpr Column must_hold(ColumnName name, double scale = 1.0) {
    return {.name = name, .role = Role::violation, .scale = scale};
}
constexpr Column descriptor(ColumnName name, double low, double high) {
    return {.name = name, .role = Role::descriptor, .low = low, .high = high};
}
/// guide(maximise("slope"))
constexpr Column guide(Column objective) {
    objective.role = Role::guide;
    return objective;
}

/// The lower the better: a value of an objective, or its negative.
inline double lower_is_better(const Column& column, double value) {
    return column.direction == Objective::minimise ? value : -value;
}

/// The columns of a problem, in the order in which evaluate() writes them.
template <class... Columns>
constexpr std::array<Column, sizeof...(Columns)> record(Columns... columns) {
    return {columns...};
}

/// Columns by name, as a recipe writes them: "maximise value 0..100, must-hold weight 50, descriptor things
/// 0..40, guide maximise slope"; the number behind a condition is its scale. Throws InvalidInput that quotes
/// what can't be read.
std::vector<Column> columns_from_text(std::string_view text);

/// The values of one individual, to be written by evaluate(): out[0] is the first column, and so on.
class Record {
  public:
    Record(double* first, std::size_t apart) : first_{first}, apart_{apart} {}
    double& operator[](std::size_t column) const { return first_[column * apart_]; }

  private:
    friend class RecordView;
    double* first_;
    std::size_t apart_;
};

/// The same to be read.
class RecordView {
  public:
    RecordView(Record record) // NOLINT(google-explicit-constructor): a record can be read
        : first_{record.first_}, apart_{record.apart_} {}
    RecordView(std::span<const double> values) // NOLINT(google-explicit-constructor): they are a record
        : first_{values.data()}, apart_{1} {}
    RecordView(const std::vector<double>& values) // NOLINT(google-explicit-constructor): as above
        : RecordView{std::span<const double>{values}} {}
    double operator[](std::size_t column) const { return first_[column * apart_]; }

  private:
    const double* first_;
    std::size_t apart_;
};

/// What an individual is worth in what is reported: first, by how much it misses what must hold, then its
/// fitness. K. Deb: "An efficient constraint handling method for genetic algorithms", 2000.
struct Quality {
    double violation = 0.0;
    double fitness = 0.0;

    friend constexpr bool operator==(const Quality&, const Quality&) = default;
};

constexpr bool better(Objective objective, const Quality& a, const Quality& b) {
    if (a.violation != b.violation) return a.violation < b.violation;
    return better(objective, a.fitness, b.fitness);
}

constexpr Quality worst_quality(Objective objective) {
    return {std::numeric_limits<double>::infinity(), worst_value(objective)};
}

/// How individuals are compared: by their only column; by their violations first and then by the objective,
/// or the guide if there is one; or by how many others are better in every objective.
enum class Ranking : unsigned char { one_column, feasible_first, pareto };

/// What a run has come to, as one number, which targets, stagnation and studies look at: the fitness of its
/// best, how much its front dominates, or how many good ones of different kinds its archive holds.
enum class Merit : unsigned char { best, hypervolume, qd_score };

/// The columns that a problem's evaluations have: a value of the run, as a goal decides which are wanted.
class Schema {
  public:
    /// One objective, called fitness.
    Schema(Objective objective); // NOLINT(google-explicit-constructor): the short form of a record
    /// Throws InvalidInput that names the column: two of one name, none to compare by, a descriptor without a
    /// range, a scale that is not positive.
    explicit Schema(std::span<const Column> columns);

    [[nodiscard]] std::span<const Column> columns() const { return columns_; }
    [[nodiscard]] std::size_t size() const { return columns_.size(); }
    [[nodiscard]] Ranking ranking() const { return ranking_; }
    /// Whether a record is one number.
    [[nodiscard]] bool plain() const { return columns_.size() == 1; }
    /// Which way the reported fitness is better. It is the first objective; where there is none, the sum of
    /// the violations.
    [[nodiscard]] Objective objective() const { return objective_; }
    /// The name of that.
    [[nodiscard]] std::string_view fitness_name() const;
    [[nodiscard]] bool has_objective() const { return !objectives_.empty(); }
    [[nodiscard]] std::span<const std::size_t> objectives() const { return objectives_; }
    [[nodiscard]] bool has_violations() const { return !violations_.empty(); }
    /// The hypervolume where there are two to four objectives, each with a range; else the best, unless an
    /// algorithm is measured otherwise.
    [[nodiscard]] Merit merit() const { return merit_; }
    /// The same columns, of a run that is measured otherwise.
    [[nodiscard]] Schema with_merit(Merit merit) const;
    [[nodiscard]] Objective merit_objective() const {
        return merit_ == Merit::best ? objective_ : Objective::maximise;
    }
    /// "hypervolume", "qd_score", or the name of the fitness.
    [[nodiscard]] std::string_view merit_name() const;
    /// Whether the reported fitness is a whole number.
    [[nodiscard]] bool whole_fitness() const;

    /// By how much a record misses what must hold: the violations, each divided by its scale.
    [[nodiscard]] double violation(RecordView values) const;
    /// What is reported of a record.
    [[nodiscard]] Quality quality(RecordView values) const;
    /// By how much an individual of this quality misses what must hold: without an objective, that is its
    /// fitness.
    [[nodiscard]] double missed(const Quality& quality) const {
        return has_objective() ? quality.violation : quality.fitness;
    }
    /// What the search prefers among those that violate as much, the lower the better.
    [[nodiscard]] double preference(RecordView values) const;
    /// What a difference of preference() counts as much as 1.
    [[nodiscard]] double preference_scale() const { return preference_scale_; }

    /// The worst values that a record can have.
    void write_worst(const Record& out) const;

    /// A text that differs where anything about the columns does.
    [[nodiscard]] std::string identity() const;

    /// "maximise path, must hold late": for messages.
    [[nodiscard]] std::string to_text() const;

    friend bool operator==(const Schema& a, const Schema& b) { return a.columns_ == b.columns_; }

  private:
    std::vector<Column> columns_;
    std::vector<std::size_t> objectives_{};
    std::vector<std::size_t> violations_{};
    Ranking ranking_ = Ranking::one_column;
    Merit merit_ = Merit::best;
    Objective objective_ = Objective::minimise;
    std::size_t preferred_ = 0; ///< the column that the search prefers by
    bool prefers_ = false;      ///< whether there is one
    double preference_scale_ = 1.0;
};

} // namespace knossos
