#include <knossos/core/error.hpp>
#include <knossos/core/text.hpp>
#include <knossos/maze/fitness.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace knossos::maze {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr std::array<Measure, 5> measure_of{Measure::exit_path, Measure::reconvergence,
                                            Measure::isolated_reconvergence, Measure::culs_de_sac,
                                            Measure::cul_de_sac_length};

FitnessValues fitness_values(const Measures& measures) {
    return {measures.exit_path,     measures.exit_members,
            measures.reconvergence, measures.isolated_reconvergence,
            measures.culs_de_sac,   measures.cul_de_sac_length};
}

// What one part of a whole weighs as much as.
double scale_of(const Term& term) {
    const bool is_share = info(term.measure).share;
    if (term.aim != Aim::range) return is_share ? 1.0 : 100.0;
    double largest = 1.0;
    if (!is_share)
        for (const double bound : {term.low, term.high})
            if (std::isfinite(bound)) largest = std::max(largest, std::abs(bound));
    return largest / term.weight;
}

double gap(const Term& term, double value) {
    if (value < term.low) return term.low - value;
    return value > term.high ? value - term.high : 0.0;
}

double contribution(const Term& term, double value) {
    if (term.aim == Aim::maximise) return term.weight * value;
    if (term.aim == Aim::minimise) return -term.weight * value;
    const double missed = gap(term, value);
    return missed == 0.0 ? 0.0 : -missed / scale_of(term);
}

// Checkpoints that are missing on the way; without a way, all of them and the exit.
double missing_on_the_way(const Measures& measures, std::uint32_t mandatory) {
    if (measures.exit_path < 0) return mandatory + 1.0;
    return measures.exit_members < mandatory ? mandatory - measures.exit_members : 0.0;
}

// Whoever can't be walked through is worse than whoever misses some wishes.
constexpr double way_scale = 0.001;

std::string_view name_of(const Term& term) { return info(term.measure).name; }

// Each column has a name of its own, even if somebody wishes for the same twice.
void add_named(std::vector<Column>& columns, Column column, std::string_view name) {
    std::string unique{name.substr(0, ColumnName::most - 4)};
    const auto is_taken = [&] {
        return std::ranges::any_of(columns, [&](const Column& one) { return one.name.text() == unique; });
    };
    for (int number = 2; is_taken(); ++number)
        unique = fmt::format("{} {}", name.substr(0, ColumnName::most - 4), number);
    column.name = ColumnName{unique};
    columns.push_back(column);
}

// Words of a goal text, each with the place where it starts.
class GoalReader {
  public:
    GoalReader(std::string_view text, std::string_view source) : text_{text}, source_{source} {}

    std::vector<Term> terms() {
        std::vector<Term> terms;
        for (skip_separators(); at_ < text_.size(); skip_separators()) terms.push_back(term());
        if (terms.empty()) refuse("there is no goal here; expected something like 'path 60..70'");
        return terms;
    }

  private:
    Term term() {
        Term term;
        bool has_goal = read_aim(term);
        mark();
        const std::string_view name = word();
        const auto measure = find_measure(name);
        if (!measure) refuse(fmt::format("'{}' is not a measure; there are {}", name, names()));
        term.measure = *measure;
        if (!has_goal) has_goal = read_aim(term);
        if (!has_goal) read_range(term);
        skip_blanks();
        mark();
        if (const std::string_view keyword = word(); keyword == "weight")
            read_weight(term);
        else if (!keyword.empty())
            refuse(fmt::format(
                "'{}' is not expected here; a goal ends with 'weight' and a number, or a comma", keyword));
        return term;
    }

    bool read_aim(Term& term) {
        skip_blanks();
        const std::size_t before = at_;
        const std::string_view keyword = word();
        if (keyword == "maximise" || keyword == "maximize" || keyword == "max") return true;
        if (keyword == "minimise" || keyword == "minimize" || keyword == "min") {
            term.aim = Aim::minimise;
            return true;
        }
        at_ = before;
        return false;
    }

    void read_range(Term& term) {
        skip_blanks();
        mark();
        const std::string_view range = word();
        if (range.empty())
            refuse("a goal is missing; expected 'maximise', 'minimise', a value or a range like 60..70");
        term.aim = Aim::range;
        const std::size_t dots = range.find("..");
        if (dots == std::string_view::npos) {
            term.low = term.high = number(range);
            return;
        }
        if (dots > 0) term.low = number(range.substr(0, dots));
        if (dots + 2 < range.size()) term.high = number(range.substr(dots + 2));
        if (range == "..") refuse("the range '..' has no bound; expected at least one, as in 60.. or ..70");
        if (term.low > term.high)
            refuse(fmt::format("the range {} is empty: {} is more than {}", range, term.low, term.high));
    }

    void read_weight(Term& term) {
        skip_blanks();
        mark();
        const std::string_view given = word();
        if (given.empty()) refuse("a number is missing after 'weight'");
        term.weight = number(given);
        if (!(term.weight > 0.0)) refuse(fmt::format("the weight {} is not positive", given));
    }

    double number(std::string_view digits) {
        double value = 0.0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error != std::errc{} || end != digits.data() + digits.size() || !std::isfinite(value))
            refuse(fmt::format("'{}' is not a number; a goal is 'maximise', 'minimise', a value or a range "
                               "like 60..70",
                               digits));
        return value;
    }

    static std::string names() {
        std::string all;
        for (const MeasureInfo& row : measure_table()) {
            all += all.empty() ? "" : ", ";
            all += row.name;
            if (row.short_name != row.name) all += fmt::format(" ({})", row.short_name);
        }
        return all;
    }

    static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
    static bool is_separator(char c) { return c == ',' || c == ';' || c == '\n'; }

    void skip_blanks() {
        while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    }
    void skip_separators() {
        while (at_ < text_.size() && (is_blank(text_[at_]) || is_separator(text_[at_]))) ++at_;
        mark();
    }
    std::string_view word() {
        const std::size_t start = at_;
        while (at_ < text_.size() && !is_blank(text_[at_]) && !is_separator(text_[at_])) ++at_;
        return text_.substr(start, at_ - start);
    }
    void mark() {
        skip_blanks();
        marked_ = at_;
    }

    [[noreturn]] void refuse(const std::string& message) const {
        const std::string_view before = text_.substr(0, marked_);
        const auto line = std::ranges::count(before, '\n') + 1;
        const std::size_t start = before.rfind('\n') + 1; // npos + 1 is 0
        throw InvalidInput{fmt::format("{}:{}:{}: {}", source_, line, marked_ - start + 1, message)};
    }

    std::string_view text_;
    std::string_view source_;
    std::size_t at_ = 0;
    std::size_t marked_ = 0;
};

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

std::string to_text(const Term& term) {
    const std::string_view name = info(term.measure).name;
    const std::string weight = term.weight == 1.0 ? "" : fmt::format(" weight {}", term.weight);
    if (term.aim != Aim::range)
        return fmt::format("{} {}{}", term.aim == Aim::maximise ? "maximise" : "minimise", name, weight);
    if (term.low == term.high) return fmt::format("{} {}{}", name, term.low, weight);
    const std::string low = term.low == -infinity ? "" : fmt::format("{}", term.low);
    const std::string high = term.high == infinity ? "" : fmt::format("{}", term.high);
    return fmt::format("{} {}..{}{}", name, low, high, weight);
}

std::vector<Term> parse_terms(std::string_view text, std::string_view source) {
    return GoalReader{text, source}.terms();
}

bool Score::met() const {
    return usable && std::ranges::all_of(terms, [](const TermScore& score) { return score.met; });
}

void Fitness::check(std::size_t checkpoints) const {
    if (mandatory > checkpoints)
        throw InvalidInput{fmt::format("k is {}, but only {} could lie on the way", mandatory,
                                       counted(checkpoints, "checkpoint", "checkpoints"))};
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

std::size_t objectives_in(const std::vector<Term>& terms) {
    return static_cast<std::size_t>(
        std::ranges::count_if(terms, [](const Term& term) { return term.aim != Aim::range; }));
}

} // namespace

std::vector<Column> Fitness::columns() const {
    std::vector<Column> columns;
    if (terms.empty()) {
        add_named(columns, maximise("?").in_whole_numbers(), to_string(function));
        return columns;
    }
    const bool is_sum = several == Several::weighted_sum && objectives_in(terms) > 1;
    if (is_sum) columns.push_back(maximise("weighted sum").scaled(100.0));
    for (const Term& term : terms) {
        if (term.aim == Aim::range || is_sum) continue;
        Column column = (term.aim == Aim::maximise ? maximise("?") : minimise("?")).scaled(scale_of(term));
        column.whole = !info(term.measure).share;
        add_named(columns, column, name_of(term));
    }
    columns.push_back(must_hold("way to the exit", way_scale).in_whole_numbers());
    for (Term term : terms) {
        if (term.aim != Aim::range) continue;
        const double scale = scale_of(term);
        term.weight = 1.0;
        add_named(columns, must_hold("?", scale), to_text(term));
    }
    return columns;
}

void Fitness::evaluate(const Measures& measures, Record out) const {
    std::size_t column = 0;
    if (terms.empty()) {
        out[column] = fitness_value(function, mandatory, fitness_values(measures));
        return;
    }
    if (several == Several::weighted_sum && objectives_in(terms) > 1) {
        double total = 0.0;
        for (const Term& term : terms)
            if (term.aim != Aim::range) total += contribution(term, value_of(measures, term.measure));
        out[column++] = total;
    } else {
        for (const Term& term : terms)
            if (term.aim != Aim::range) out[column++] = value_of(measures, term.measure);
    }
    out[column++] = missing_on_the_way(measures, mandatory);
    for (const Term& term : terms)
        if (term.aim == Aim::range) out[column++] = gap(term, value_of(measures, term.measure));
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
        const double part = contribution(term, value);
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

} // namespace knossos::maze
