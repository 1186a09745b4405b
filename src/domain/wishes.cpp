#include <knossos/core/error.hpp>
#include <knossos/core/text.hpp>
#include <knossos/domain/wishes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knossos {

namespace {

bool same_name(std::string_view a, std::string_view b) {
    const auto plain = [](char c) { return c == '-' ? '_' : c; };
    return std::ranges::equal(a, b, {}, plain, plain);
}

// "60..70", "60.." or "60".
std::string range_text(const Wish& term) {
    if (term.low == term.high) return fmt::format("{}", term.low);
    return fmt::format("{}..{}", std::isfinite(term.low) ? fmt::format("{}", term.low) : std::string{},
                       std::isfinite(term.high) ? fmt::format("{}", term.high) : std::string{});
}

// Words of a goal text, each with the place where it starts.
class GoalReader {
  public:
    GoalReader(std::string_view text, std::string_view source, const WishList& list)
        : text_{text}, source_{source}, list_{list} {}

    std::vector<Wish> terms() {
        std::vector<Wish> terms;
        for (skip_separators(); at_ < text_.size(); skip_separators()) terms.push_back(term());
        if (terms.empty())
            refuse(fmt::format("there is no goal here; expected something like '{}'", list_.example));
        return terms;
    }

  private:
    Wish term() {
        Wish term;
        bool has_goal = read_aim(term);
        mark();
        const std::string_view name = word();
        // Only 'maximise' and its like can stand before nothing: a goal begins with a word.
        if (name.empty())
            refuse(fmt::format("a measure is missing, as in '{}'; there are {}", list_.aim_example,
                               measure_names(list_.measures)));
        const auto measure = find_measure(list_.measures, name);
        if (!measure) refuse(why_no_measure(list_.measures, name));
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

    bool read_aim(Wish& term) {
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

    void read_range(Wish& term) {
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

    // What nothing can have would only be found out when the whole budget is spent.
    void check_possible(const Wish& term, std::string_view range) const {
        const Wishable& its = list_.measures[term.measure];
        if (its.kind != MeasureKind::share) {
            if (term.high < 0.0) refuse(fmt::format("{} is never below 0, so never {}", its.name, range));
            if (its.kind == MeasureKind::count && std::ceil(term.low) > std::floor(term.high))
                refuse(fmt::format("{} is a whole number, so never {}", its.name, range));
            if (const auto why = list_.why_impossible ? list_.why_impossible(term) : std::nullopt)
                refuse(fmt::format("{} {}, so never {}", its.name, *why, range));
            return;
        }
        for (const double bound : {term.low, term.high})
            if (std::isfinite(bound) && (bound < 0.0 || bound > 1.0))
                refuse(fmt::format(
                    "{} is a share, which lies in 0..1; {} does not{}", its.name, bound,
                    bound > 1.0 && bound <= 100.0 ? fmt::format(" ({} % is {})", bound, bound / 100.0) : ""));
    }

    void read_weight(Wish& term) {
        skip_blanks();
        mark();
        const std::string_view given = word();
        if (given.empty()) refuse("a number is missing after 'weight'");
        const auto weight = parse_number(given);
        if (!weight || !(*weight > 0.0))
            refuse(fmt::format("the weight is '{}'; it must be a positive number, such as 2", given));
        term.weight = *weight;
    }

    void read_near(Wish& term) {
        skip_blanks();
        mark();
        const std::string_view given = word();
        const auto value = given.empty() ? std::nullopt : parse_number(given);
        if (!value) refuse(fmt::format("a number is missing after 'near', as in '{}'", list_.near_example));
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
        const auto [end, error] = read_number(digits.data(), digits.data() + digits.size(), value);
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
    const WishList& list_;
    std::size_t at_ = 0;
    std::size_t marked_ = 0;
};

} // namespace

std::optional<std::size_t> find_measure(std::span<const Wishable> measures, std::string_view name) {
    for (std::size_t i = 0; i < measures.size(); ++i)
        if (same_name(name, measures[i].name) || same_name(name, measures[i].short_name)) return i;
    return std::nullopt;
}

std::string measure_names(std::span<const Wishable> measures) {
    std::string all;
    for (const Wishable& row : measures) {
        all += all.empty() ? "" : ", ";
        all += row.name;
        if (row.short_name != row.name) all += fmt::format(" ({})", row.short_name);
    }
    return all;
}

std::string why_no_measure(std::span<const Wishable> measures, std::string_view name) {
    std::vector<std::string> known;
    for (const Wishable& row : measures)
        for (const std::string_view one : {row.short_name, row.name}) known.emplace_back(one);
    std::string plain{name};
    std::ranges::replace(plain, '-', '_');
    const auto meant = nearest(plain, known);
    return fmt::format("'{}' is not a measure; {}", name,
                       meant ? "did you mean " + *meant + "?" : "there are " + measure_names(measures));
}

std::vector<std::pair<std::size_t, std::string>> parse_measures(std::span<const Wishable> measures,
                                                                std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    std::vector<std::pair<std::size_t, std::string>> found;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t comma = std::min(text.find(',', start), text.size());
        std::string_view name = text.substr(start, comma - start);
        start = comma + 1;
        const std::size_t first = name.find_first_not_of(blanks);
        if (first == std::string_view::npos) continue;
        name = name.substr(first, name.find_last_not_of(blanks) + 1 - first);
        const auto measure = find_measure(measures, name);
        if (!measure) throw InvalidInput{why_no_measure(measures, name)};
        const std::pair named{*measure, std::string{name}};
        if (std::ranges::find(found, named) == found.end()) found.push_back(named);
    }
    return found;
}

std::string to_text(const Wish& wish, std::string_view name) {
    const std::string weight = wish.weight == 1.0 ? "" : fmt::format(" weight {}", wish.weight);
    if (wish.aim != Aim::range)
        return fmt::format("{} {}{}", wish.aim == Aim::maximise ? "maximise" : "minimise", name, weight);
    return fmt::format("{} {}{}{}", name, range_text(wish),
                       wish.near ? fmt::format(" near {}", *wish.near) : std::string{}, weight);
}

std::optional<double> drawn_aim(const Wish& wish, MeasureKind kind, Stream& stream) {
    if (wish.aim != Aim::range || wish.near) return wish.near;
    if (!std::isfinite(wish.low) || !std::isfinite(wish.high) || wish.low == wish.high) return std::nullopt;
    if (kind != MeasureKind::count) {
        // In so few digits that it can be read.
        const double drawn = std::round((wish.low + stream.real() * (wish.high - wish.low)) * 1e4) / 1e4;
        return std::clamp(drawn, wish.low, wish.high);
    }
    const double first = std::ceil(wish.low);
    const double values = std::min(std::floor(wish.high) - first + 1.0, 0x1p31);
    return first + stream.below(static_cast<std::uint32_t>(values));
}

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

std::vector<Wish> parse_wishes(std::string_view text, std::string_view source, const WishList& list) {
    return GoalReader{text, source, list}.terms();
}

} // namespace knossos
