#include <knossos/core/error.hpp>
#include <knossos/maze/fitness.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace knossos::maze {

namespace {

// "60..70", "60.." or "60".
std::string range_text(const Term& term) {
    if (term.low == term.high) return fmt::format("{}", term.low);
    return fmt::format("{}..{}", std::isfinite(term.low) ? fmt::format("{}", term.low) : std::string{},
                       std::isfinite(term.high) ? fmt::format("{}", term.high) : std::string{});
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
        // Only 'maximise' and its like can stand before nothing: a goal begins with a word.
        if (name.empty())
            refuse("a measure is missing, as in 'minimise pockets'; there are " + measure_names());
        const auto measure = find_measure(name);
        if (!measure) refuse(why_no_measure(name));
        term.measure = *measure;
        if (!has_goal) has_goal = read_aim(term);
        if (!has_goal) read_range(term);
        for (bool has_weight = false;;) {
            skip_blanks();
            mark();
            const std::string_view keyword = word();
            if (keyword.empty()) return term;
            if (keyword == "weight" && !has_weight) {
                read_weight(term);
                has_weight = true;
            } else if (keyword == "near" && term.aim == Aim::range && !term.near)
                read_near(term);
            else
                refuse(
                    fmt::format("'{}' is not expected here; a goal ends with 'weight' and a number, {}or a "
                                "comma",
                                keyword, term.aim == Aim::range ? "'near' and a value of its range, " : ""));
        }
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
        if (range.find("...") != std::string_view::npos)
            refuse(fmt::format("'{}' has too many dots; a range has two, as in 60..70", range));
        const std::size_t dots = range.find("..");
        if (dots == std::string_view::npos) {
            term.low = term.high = number(range);
            return check_possible(term, range);
        }
        if (dots > 0) term.low = number(range.substr(0, dots));
        if (dots + 2 < range.size()) term.high = number(range.substr(dots + 2));
        if (range == "..") refuse("the range '..' has no bound; expected at least one, as in 60.. or ..70");
        if (term.low > term.high)
            refuse(fmt::format("the range {} is empty: {} is more than {}", range, term.low, term.high));
        check_possible(term, range);
    }

    // What no maze can have would only be found out when the whole budget is spent.
    void check_possible(const Term& term, std::string_view range) const {
        const MeasureInfo& its = info(term.measure);
        if (!its.share) {
            if (term.high < 0.0) refuse(fmt::format("{} is never below 0, so never {}", its.name, range));
            if (std::ceil(term.low) > std::floor(term.high))
                refuse(fmt::format("{} is a whole number, so never {}", its.name, range));
            if ((term.measure == Measure::exit_members || term.measure == Measure::on_one_way) &&
                term.low > most_checkpoints)
                refuse(fmt::format("{} is at most {}, the most checkpoints that are possible, so never {}",
                                   its.name, most_checkpoints, range));
            return;
        }
        for (const double bound : {term.low, term.high})
            if (std::isfinite(bound) && (bound < 0.0 || bound > 1.0))
                refuse(fmt::format(
                    "{} is a share, which lies in 0..1; {} does not{}", its.name, bound,
                    bound > 1.0 && bound <= 100.0 ? fmt::format(" ({} % is {})", bound, bound / 100.0) : ""));
    }

    void read_weight(Term& term) {
        skip_blanks();
        mark();
        const std::string_view given = word();
        if (given.empty()) refuse("a number is missing after 'weight'");
        const auto weight = parse_number(given);
        if (!weight || !(*weight > 0.0))
            refuse(fmt::format("the weight is '{}'; it must be a positive number, such as 2", given));
        term.weight = *weight;
    }

    void read_near(Term& term) {
        skip_blanks();
        mark();
        const std::string_view given = word();
        const auto value = given.empty() ? std::nullopt : parse_number(given);
        if (!value) refuse("a number is missing after 'near', as in 'path 60..80 near 72'");
        if (*value < term.low || *value > term.high)
            refuse(
                fmt::format("{} is not in the range that it is to be near to, {}", given, range_text(term)));
        term.near = value;
    }

    double number(std::string_view digits) const {
        const auto value = parse_number(digits);
        if (!value)
            refuse(fmt::format("'{}' is not a number; a goal is 'maximise', 'minimise', a value or a range "
                               "like 60..70",
                               digits));
        return *value;
    }

    static std::optional<double> parse_number(std::string_view digits) {
        double value = 0.0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error != std::errc{} || end != digits.data() + digits.size() || !std::isfinite(value))
            return std::nullopt;
        return value;
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

std::string to_text(const Term& term) {
    const std::string_view name = info(term.measure).name;
    const std::string weight = term.weight == 1.0 ? "" : fmt::format(" weight {}", term.weight);
    if (term.aim != Aim::range)
        return fmt::format("{} {}{}", term.aim == Aim::maximise ? "maximise" : "minimise", name, weight);
    return fmt::format("{} {}{}{}", name, range_text(term),
                       term.near ? fmt::format(" near {}", *term.near) : std::string{}, weight);
}

std::string to_text(const std::vector<Term>& terms) {
    std::string all;
    for (const Term& term : terms) all += (all.empty() ? "" : ", ") + to_text(term);
    return all;
}

std::vector<Term> aimed_inside(std::vector<Term> terms, Stream& stream) {
    for (Term& term : terms) {
        if (term.aim != Aim::range || term.near) continue;
        if (!std::isfinite(term.low) || !std::isfinite(term.high) || term.low == term.high) continue;
        if (info(term.measure).share) {
            // In so few digits that it can be read.
            const double drawn = std::round((term.low + stream.real() * (term.high - term.low)) * 1e4) / 1e4;
            term.near = std::clamp(drawn, term.low, term.high);
            continue;
        }
        const double first = std::ceil(term.low);
        const double values = std::min(std::floor(term.high) - first + 1.0, 0x1p31);
        term.near = first + stream.below(static_cast<std::uint32_t>(values));
    }
    return terms;
}

std::vector<Term> parse_terms(std::string_view text, std::string_view source) {
    return GoalReader{text, source}.terms();
}

} // namespace knossos::maze
