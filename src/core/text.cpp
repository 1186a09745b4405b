#include <knossos/core/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <numeric>

namespace knossos {

namespace {

constexpr std::string_view blanks = " \t\n\r";

// Letters to be put in, left out, changed or exchanged with their neighbour; `limit` where there are at least
// so many.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
    const std::size_t width = b.size() + 1;
    std::vector<std::size_t> rows(3 * width);
    std::size_t* before_last = rows.data();
    std::size_t* last = before_last + width;
    std::size_t* row = last + width;
    std::iota(row, row + width, 0U);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t* const oldest = before_last;
        before_last = last;
        last = row;
        row = oldest;
        row[0] = i;
        std::size_t least = i;
        for (std::size_t j = 1; j < width; ++j) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before_last[j - 2] + 1);
            least = std::min(least, row[j]);
        }
        // What follows is no less, an exchange neither: it takes one more than a place two rows above, and so
        // does that place's change in this row.
        if (least >= limit) return limit;
    }
    return std::min(row[b.size()], limit);
}

} // namespace

std::string thousands(std::uint64_t number) {
    std::string digits = std::to_string(number);
    for (std::ptrdiff_t i = std::ssize(digits) - 3; i > 0; i -= 3) digits.insert(digits.begin() + i, ',');
    return digits;
}

std::string counted(std::uint64_t number, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", thousands(number), number == 1 ? one : many);
}

std::string short_number(double number) {
    constexpr std::array<const char*, 5> units{"", " k", " M", " G", " T"};
    std::size_t unit = 0;
    double scaled = number;
    while (std::abs(scaled) >= 999.5 && unit + 1 < units.size()) {
        scaled /= 1000.0;
        ++unit;
    }
    return fmt::format("{:.3g}{}", scaled == 0.0 ? 0.0 : scaled, units[unit]);
}

std::string toml_text(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') result += '\\';
        if (code < 0x20 || code == 0x7F)
            result += fmt::format("\\u{:04X}", code);
        else
            result += c;
    }
    return result + '"';
}

std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& candidates) {
    std::optional<std::string> found;
    // More than half of it must be right, or it is a guess.
    std::size_t shortest = std::max<std::size_t>(1, (name.size() + 1) / 2);
    if (name.size() > 2) shortest = std::max<std::size_t>(shortest, 2);
    for (const auto& candidate : candidates) {
        const std::size_t longer = std::max(name.size(), candidate.size());
        if (longer - std::min(name.size(), candidate.size()) >= shortest)
            continue; // the distance is at least that
        const std::size_t distance = edit_distance(name, candidate, shortest);
        if (distance >= shortest) continue;
        shortest = distance;
        found = candidate;
    }
    return found;
}

std::string shell_word(std::string_view text) {
    constexpr std::string_view harmless =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
    if (!text.empty() && text.find_first_not_of(harmless) == std::string::npos) return std::string{text};
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string{"'\\''"} : std::string{c};
    return quoted + "'";
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string_view take_word(std::string_view& text) {
    text = trimmed(text);
    const std::string_view word = text.substr(0, text.find_first_of(blanks));
    text = trimmed(text.substr(word.size()));
    return word;
}

std::from_chars_result read_real(const char* first, const char* last, double& value) {
    // Of all that strtod takes only what from_chars takes: no blanks, no plus, no hexadecimal digits.
    const char* const digits = first != last && *first == '-' ? first + 1 : first;
    const auto is_digit = [last](const char* at) { return at != last && *at >= '0' && *at <= '9'; };
    const auto starts = [&](std::string_view word) {
        return std::ranges::equal(std::string_view{digits, last}.substr(0, word.size()), word,
                                  [](char a, char b) { return (a | 0x20) == b; });
    };
    const bool is_number = is_digit(digits) || (digits != last && *digits == '.' && is_digit(digits + 1));
    if (!is_number && !starts("inf") && !starts("nan")) return {first, std::errc::invalid_argument};
    const bool is_hexadecimal =
        digits != last && *digits == '0' && last - digits > 1 && (digits[1] | 0x20) == 'x';
    const std::string copy{first, is_hexadecimal ? digits + 1 : last}; // strtod wants an end that it can see
    char* end = nullptr;
    errno = 0;
    const double read = std::strtod(copy.c_str(), &end);
    const char* const stop = first + (end - copy.c_str());
    // Too large or too small to be told from 0: as from_chars, without a value.
    if (errno == ERANGE && (std::isinf(read) || read == 0.0)) return {stop, std::errc::result_out_of_range};
    value = read;
    return {stop, std::errc{}};
}

std::optional<double> finite_number(std::string_view text) {
    double value = 0.0;
    const auto [end, error] = read_number(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

} // namespace knossos
