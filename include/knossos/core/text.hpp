#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace knossos {

/// 12345678 → "12,345,678".
std::string thousands(std::uint64_t number);

/// "1 queen", "2,000 queens".
std::string counted(std::uint64_t number, std::string_view one, std::string_view many);

/// At most three significant digits and a unit: "1.24 M", "870 k", "12".
std::string short_number(double number);

/// A text as TOML writes it: in quotes, with whatever must not stand there escaped.
std::string toml_text(std::string_view text);

/// A text as one word of a shell's command line: in quotes if it has to be.
std::string shell_word(std::string_view text);

/// Without the blanks around it.
std::string_view trimmed(std::string_view text);

/// The first word of a text, which is taken away from it together with the blanks around it.
std::string_view take_word(std::string_view& text);

/// What std::from_chars does for reals, for standard libraries that know it for whole numbers only.
std::from_chars_result read_real(const char* first, const char* last, double& value);

/// As std::from_chars, for reals too, whatever the standard library knows.
template <class Number>
std::from_chars_result read_number(const char* first, const char* last, Number& value) {
    if constexpr (requires { std::from_chars(first, last, value); })
        return std::from_chars(first, last, value);
    else
        return read_real(first, last, value);
}

/// The number that a text is, from its first letter to its last; nothing if it is none or not finite.
std::optional<double> finite_number(std::string_view text);

/// The candidate that looks most like a mistyped name, if any does. Two letters in the wrong order are one
/// mistake.
std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& candidates);

} // namespace knossos
