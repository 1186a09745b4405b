#include <knossos/core/error.hpp>
#include <knossos/core/record.hpp>
#include <knossos/core/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace knossos {

namespace {

constexpr std::string_view example = "such as 'maximise value 0..100' or 'must-hold weight 50'";

[[noreturn]] void refuse(std::string_view column, std::string_view fault) {
    throw InvalidInput{fmt::format("in '{}' {}; a column is {}", column, fault, example)};
}

double number(std::string_view column, std::string_view text) {
    if (const auto value = finite_number(text)) return *value;
    refuse(column, fmt::format("'{}' is not a number", text));
}

Column with_range(Column column, std::string_view whole, std::string_view range) {
    const std::size_t dots = range.find("..");
    if (dots == std::string_view::npos) refuse(whole, fmt::format("'{}' is not a range like 0..100", range));
    return column.between(number(whole, range.substr(0, dots)), number(whole, range.substr(dots + 2)));
}

ColumnName name_in(std::string_view column, std::string_view& rest) {
    const std::string_view word = take_word(rest);
    if (word.empty()) refuse(column, "a name is missing");
    if (word.size() > ColumnName::most)
        refuse(column, fmt::format("the name has {} characters, and at most {} are allowed", word.size(),
                                   ColumnName::most));
    const bool is_name = std::ranges::all_of(word, [](unsigned char letter) {
        return std::isalnum(letter) != 0 || letter == '_' || letter == '-';
    });
    if (!is_name)
        refuse(column, fmt::format("'{}' is no name, which has letters, digits, '_' and '-'", word));
    return word;
}

Column column_from_text(std::string_view text) {
    std::string_view rest = text;
    std::string_view verb = take_word(rest);
    const bool is_guide = verb == "guide";
    if (is_guide) verb = take_word(rest);
    Column column;
    if (verb == "maximise" || verb == "minimise") {
        column = verb == "maximise" ? maximise(name_in(text, rest)) : minimise(name_in(text, rest));
        if (!rest.empty()) column = with_range(column, text, take_word(rest));
    } else if (verb == "must-hold" && !is_guide) {
        column = must_hold(name_in(text, rest));
        if (!rest.empty()) column = column.scaled(number(text, take_word(rest)));
    } else if (verb == "descriptor" && !is_guide) {
        column = descriptor(name_in(text, rest), 0.0, 1.0);
        if (rest.empty()) refuse(text, "the range is missing, as in 'descriptor things 0..40'");
        column = with_range(column, text, take_word(rest));
    } else {
        refuse(text, fmt::format("'{}' is not {}", verb,
                                 is_guide ? "maximise or minimise"
                                          : "maximise, minimise, must-hold, descriptor or guide"));
    }
    if (!rest.empty()) refuse(text, fmt::format("'{}' is too much", rest));
    return is_guide ? guide(column) : column;
}

} // namespace

std::vector<Column> columns_from_text(std::string_view text) {
    std::vector<Column> columns;
    while (true) {
        const std::size_t end = std::min(text.find(','), text.size());
        const std::string_view one = trimmed(text.substr(0, end));
        if (one.empty())
            throw InvalidInput{
                fmt::format("a column is empty; columns are apart by commas, each {}", example)};
        columns.push_back(column_from_text(one));
        if (end == text.size()) return columns;
        text.remove_prefix(end + 1);
    }
}

} // namespace knossos
