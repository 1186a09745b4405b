#include <knossos/core/text.hpp>
#include <knossos/core/values.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knossos {

namespace {

std::string allowed(const FieldInfo& field) {
    const auto number = [&](double bound) {
        return field.type == FieldType::integer ? fmt::format("{:.0f}", bound) : fmt::format("{}", bound);
    };
    std::string what = field.type == FieldType::integer ? "a whole number" : "a number";
    if (std::isinf(field.minimum) && std::isinf(field.maximum)) return what;
    if (std::isinf(field.maximum)) return fmt::format("{} of at least {}", what, number(field.minimum));
    return fmt::format("{} in {}..{}", what, number(field.minimum), number(field.maximum));
}

std::optional<std::string> fit_number(const FieldInfo& field, Value& value) {
    const bool whole = field.type == FieldType::integer;
    if (whole && std::holds_alternative<double>(value)) {
        const double given = std::get<double>(value);
        // 1e6 is a handy way to write a whole number.
        if (given == std::floor(given) && std::abs(given) < 9.0e15) value = static_cast<std::int64_t>(given);
    }
    if (!whole && std::holds_alternative<std::int64_t>(value))
        value = static_cast<double>(std::get<std::int64_t>(value));
    const bool typed =
        whole ? std::holds_alternative<std::int64_t>(value) : std::holds_alternative<double>(value);
    if (!typed) return fmt::format("is {}; it must be {}", to_text(value), allowed(field));
    const double number =
        whole ? static_cast<double>(std::get<std::int64_t>(value)) : std::get<double>(value);
    if (number >= field.minimum && number <= field.maximum) return std::nullopt;
    return fmt::format("is {}; it must be {}", to_text(value), allowed(field));
}

} // namespace

std::vector<std::string> entries_by_generation(std::string_view text) {
    std::vector<std::string> entries;
    if (trimmed(text).empty()) return entries;
    while (true) {
        const std::size_t end = std::min(text.find(';'), text.size());
        entries.emplace_back(trimmed(text.substr(0, end)));
        if (end == text.size()) return entries;
        text.remove_prefix(end + 1);
    }
}

std::vector<std::string> entries_of(std::string_view list) {
    std::vector<std::string> entries;
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(','), list.size());
        const std::string_view entry = trimmed(list.substr(0, end));
        list.remove_prefix(std::min(end + 1, list.size()));
        if (!entry.empty()) entries.emplace_back(entry);
    }
    return entries;
}

std::string to_text(const Value& value) {
    return std::visit(
        []<class T>(const T& held) {
            if constexpr (std::same_as<T, std::string>)
                return fmt::format("\"{}\"", held);
            else if constexpr (std::same_as<T, double>) {
                const std::string text = fmt::format("{}", held);
                return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
            } else
                return fmt::format("{}", held);
        },
        value);
}

std::string toml_value(const Value& value) {
    const auto* text = std::get_if<std::string>(&value);
    return text != nullptr ? toml_text(*text) : to_text(value);
}

std::optional<std::string> fit(const FieldInfo& field, Value& value) {
    if (field.type == FieldType::boolean) {
        if (std::holds_alternative<bool>(value)) return std::nullopt;
        return fmt::format("is {}; it must be true or false", to_text(value));
    }
    if (field.type == FieldType::text) {
        if (std::holds_alternative<std::string>(value)) return std::nullopt;
        return fmt::format("is {}; it must be a text in quotes", to_text(value));
    }
    if (field.type != FieldType::choice) return fit_number(field, value);
    const auto* given = std::get_if<std::string>(&value);
    if (given != nullptr && std::ranges::find(field.choices, *given) != field.choices.end())
        return std::nullopt;
    std::string choices;
    for (const auto& choice : field.choices) choices += (choices.empty() ? "" : ", ") + choice;
    const auto meant = given != nullptr ? nearest(*given, field.choices) : std::nullopt;
    return fmt::format("is {}; it must be one of {}{}", to_text(value), choices,
                       meant ? fmt::format(" (did you mean {}?)", *meant) : "");
}

} // namespace knossos
