#include "letters.hpp"

#include <knossos/core/text.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace knossos::render {

namespace {

// On a grid: capitals and digits stand between 0 and 6, small letters between 2 and 6, tails reach 7.8. A
// path is M, L and C as in SVG. Digits are those of digits().
struct Letter {
    char32_t sign;
    double width;
    std::string_view path;
};

constexpr std::array letters{
    Letter{'A', 4.4, "M0 6 L2.2 0 L4.4 6 M0.8 4 L3.6 4"},
    Letter{'B', 3.8, "M0.2 0 L0.2 6 M0.2 0 L2 0 C4 0 4 2.8 2 2.8 L0.2 2.8 M2 2.8 C4.5 2.8 4.5 6 2 6 L0.2 6"},
    Letter{'C', 4.2, "M4.1 1 C2.6 -0.9 0.1 0.2 0.1 3 C0.1 5.8 2.6 6.9 4.1 5"},
    Letter{'D', 4.2, "M0.2 0 L0.2 6 L1.6 6 C5.1 6 5.1 0 1.6 0 L0.2 0"},
    Letter{'E', 3.4, "M3.4 0 L0.2 0 L0.2 6 L3.4 6 M0.2 2.9 L3 2.9"},
    Letter{'F', 3.3, "M3.3 0 L0.2 0 L0.2 6 M0.2 2.9 L2.9 2.9"},
    Letter{'G', 4.4, "M4.2 1 C2.6 -0.9 0.1 0.2 0.1 3 C0.1 6.5 4.3 7 4.3 3.4 L2.6 3.4"},
    Letter{'H', 4.0, "M0.2 0 L0.2 6 M3.8 0 L3.8 6 M0.2 2.9 L3.8 2.9"},
    Letter{'I', 0.4, "M0.2 0 L0.2 6"},
    Letter{'J', 2.6, "M2.4 0 L2.4 4.2 C2.4 6.4 0.6 6.4 0.1 5.2"},
    Letter{'K', 3.8, "M0.2 0 L0.2 6 M3.6 0 L0.2 3.6 M1.5 2.3 L3.8 6"},
    Letter{'L', 3.2, "M0.2 0 L0.2 6 L3.2 6"},
    Letter{'M', 4.8, "M0.2 6 L0.2 0 L2.4 3.8 L4.6 0 L4.6 6"},
    Letter{'N', 4.0, "M0.2 6 L0.2 0 L3.8 6 L3.8 0"},
    Letter{'O', 4.6, "M2.3 0 C-0.6 0 -0.6 6 2.3 6 C5.2 6 5.2 0 2.3 0"},
    Letter{'P', 3.7, "M0.2 6 L0.2 0 L2 0 C4.3 0 4.3 3.3 2 3.3 L0.2 3.3"},
    Letter{'Q', 4.6, "M2.3 0 C-0.6 0 -0.6 6 2.3 6 C5.2 6 5.2 0 2.3 0 M2.8 4.6 L4.5 6.4"},
    Letter{'R', 3.8, "M0.2 6 L0.2 0 L2 0 C4.3 0 4.3 3.2 2 3.2 L0.2 3.2 M2 3.2 L3.8 6"},
    Letter{'S', 3.6, "M3.4 0.8 C2.3 -0.5 0.2 -0.1 0.2 1.5 C0.2 3.5 3.5 2.5 3.5 4.5 C3.5 6.3 1 6.5 0.1 5.1"},
    Letter{'T', 4.0, "M0 0 L4 0 M2 0 L2 6"},
    Letter{'U', 4.0, "M0.2 0 L0.2 3.8 C0.2 6.7 3.8 6.7 3.8 3.8 L3.8 0"},
    Letter{'V', 4.2, "M0 0 L2.1 6 L4.2 0"},
    Letter{'W', 6.0, "M0 0 L1.5 6 L3 1.2 L4.5 6 L6 0"},
    Letter{'X', 4.0, "M0 0 L4 6 M4 0 L0 6"},
    Letter{'Y', 4.0, "M0 0 L2 3 L4 0 M2 3 L2 6"},
    Letter{'Z', 3.8, "M0.2 0 L3.8 0 L0 6 L3.8 6"},
    Letter{'a', 3.2,
           "M0.4 2.7 C1.2 1.8 3 1.7 3 3.4 L3 6 M3 3.8 C1.6 3.7 0.1 3.8 0.1 5 C0.1 6.6 2.6 6.3 3 4.8"},
    Letter{'b', 3.4, "M0.2 0 L0.2 6 M0.2 4 C0.2 1.3 3.3 1.3 3.3 4 C3.3 6.7 0.2 6.7 0.2 4"},
    Letter{'c', 3.0, "M3 2.7 C1.8 1.4 0.1 2.2 0.1 4 C0.1 5.8 1.8 6.6 3 5.3"},
    Letter{'d', 3.4, "M3.2 0 L3.2 6 M3.2 4 C3.2 1.3 0.1 1.3 0.1 4 C0.1 6.7 3.2 6.7 3.2 4"},
    Letter{'e', 3.2, "M0.1 4 L3.2 4 C3.2 1.4 0.1 1.3 0.1 4 C0.1 6.3 2 6.6 3 5.3"},
    Letter{'f', 2.2, "M2.2 0.1 C1.2 -0.2 0.8 0.3 0.8 1.4 L0.8 6 M0 2.1 L2 2.1"},
    Letter{'g', 3.4,
           "M3.2 2 L3.2 6 C3.2 8.3 1 8.2 0.3 7.2 M3.2 4 C3.2 1.3 0.1 1.3 0.1 4 C0.1 6.7 3.2 6.7 3.2 4"},
    Letter{'h', 3.2, "M0.2 0 L0.2 6 M0.2 3.8 C0.4 1.5 3 1.4 3 3.6 L3 6"},
    Letter{'i', 0.4, "M0.2 2.1 L0.2 6 M0.2 0.5 L0.2 0.6"},
    Letter{'j', 1.1, "M0.9 2.1 L0.9 6.6 C0.9 7.8 0.3 7.8 -0.2 7.6 M0.9 0.5 L0.9 0.6"},
    Letter{'k', 2.9, "M0.2 0 L0.2 6 M2.7 2.1 L0.2 4.5 M1.2 3.6 L2.9 6"},
    Letter{'l', 0.4, "M0.2 0 L0.2 6"},
    Letter{
        'm', 5.0,
        "M0.2 2.1 L0.2 6 M0.2 3.7 C0.4 1.6 2.5 1.5 2.5 3.5 L2.5 6 M2.5 3.7 C2.7 1.6 4.8 1.5 4.8 3.5 L4.8 6"},
    Letter{'n', 3.2, "M0.2 2.1 L0.2 6 M0.2 3.8 C0.4 1.5 3 1.4 3 3.6 L3 6"},
    Letter{'o', 3.4, "M1.7 2 C-0.4 2 -0.4 6 1.7 6 C3.8 6 3.8 2 1.7 2"},
    Letter{'p', 3.4, "M0.2 2.1 L0.2 7.8 M0.2 4 C0.2 1.3 3.3 1.3 3.3 4 C3.3 6.7 0.2 6.7 0.2 4"},
    Letter{'q', 3.4, "M3.2 2.1 L3.2 7.8 M3.2 4 C3.2 1.3 0.1 1.3 0.1 4 C0.1 6.7 3.2 6.7 3.2 4"},
    Letter{'r', 2.1, "M0.2 2.1 L0.2 6 M0.2 3.8 C0.4 2.2 1.4 1.9 2.1 2.2"},
    Letter{'s', 2.7, "M2.5 2.6 C1.8 1.7 0.2 1.9 0.2 3 C0.2 4.4 2.6 3.6 2.6 5 C2.6 6.3 0.8 6.3 0.1 5.3"},
    Letter{'t', 2.1, "M0.8 0.8 L0.8 5 C0.8 6.1 1.5 6.1 2.1 5.8 M0 2.1 L2 2.1"},
    Letter{'u', 3.2, "M0.2 2.1 L0.2 4.4 C0.2 6.6 2.8 6.5 3 4.2 M3 2.1 L3 6"},
    Letter{'v', 3.0, "M0 2.1 L1.5 6 L3 2.1"},
    Letter{'w', 4.6, "M0 2.1 L1.1 6 L2.3 2.8 L3.5 6 L4.6 2.1"},
    Letter{'x', 2.9, "M0 2.1 L2.9 6 M2.9 2.1 L0 6"},
    Letter{'y', 3.0, "M0 2.1 L1.5 6 M3 2.1 L1.3 6.6 C1 7.6 0.6 7.9 0 7.7"},
    Letter{'z', 2.7, "M0.1 2.1 L2.6 2.1 L0.1 6 L2.7 6"},
    Letter{';', 0.6, "M0.4 2.7 L0.4 2.8 M0.4 5.9 L0 7.1"},
    Letter{'!', 0.4, "M0.2 0 L0.2 4.2 M0.2 5.8 L0.2 5.9"},
    Letter{'?', 2.8, "M0.1 1 C0.8 -0.5 2.8 -0.2 2.8 1.5 C2.8 2.9 1.4 2.7 1.4 4.2 M1.4 5.8 L1.4 5.9"},
    Letter{'*', 2.6, "M1.3 0.2 L1.3 3 M0 0.9 L2.6 2.3 M2.6 0.9 L0 2.3"},
    Letter{'#', 3.8, "M1.4 0.6 L0.8 5.6 M3 0.6 L2.4 5.6 M0.2 2.2 L3.8 2.2 M0 4 L3.6 4"},
    Letter{',', 0.6, "M0.4 5.9 L0 7.1"},
    Letter{':', 0.4, "M0.2 2.7 L0.2 2.8 M0.2 5.8 L0.2 5.9"},
    Letter{'+', 3.2, "M0 3.6 L3.2 3.6 M1.6 2 L1.6 5.2"},
    Letter{'=', 3.2, "M0 2.9 L3.2 2.9 M0 4.5 L3.2 4.5"},
    Letter{'/', 2.4, "M0 6.6 L2.4 -0.4"},
    Letter{'(', 1.4, "M1.4 -0.4 C-0.3 1.6 -0.3 5 1.4 7"},
    Letter{')', 1.4, "M0 -0.4 C1.7 1.6 1.7 5 0 7"},
    Letter{'%', 5.0,
           "M1 0.2 C-0.2 0.2 -0.2 2.6 1 2.6 C2.2 2.6 2.2 0.2 1 0.2 M4 0 L1 6 M4 3.4 C2.8 3.4 2.8 5.8 4 5.8 "
           "C5.2 5.8 5.2 3.4 4 3.4"},
    Letter{'_', 3.4, "M0 6.8 L3.4 6.8"},
    Letter{'\'', 0.4, "M0.2 0 L0.2 1.4"},
    Letter{'<', 3.0, "M3 1.8 L0 3.6 L3 5.4"},
    Letter{'>', 3.0, "M0 1.8 L3 3.6 L0 5.4"},
    Letter{U'–', 3.2, "M0 3.6 L3.2 3.6"},
    Letter{U'×', 2.8, "M0 2.2 L2.8 5 M2.8 2.2 L0 5"},
    Letter{U'·', 0.4, "M0.2 3.5 L0.2 3.6"},
};

constexpr double between_letters = 1.3;
constexpr double blank = 2.0; // beside what stands between letters
constexpr double grid = 6.0;  // from the foot to the head of a capital

// The next sign of a text in UTF-8; what is none is passed over byte by byte.
char32_t take_sign(std::string_view& text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::size_t length = byte(0) < 0x80 ? 1 : byte(0) < 0xE0 ? 2 : byte(0) < 0xF0 ? 3 : 4;
    char32_t sign = length == 1 ? byte(0) : byte(0) & (0x7FU >> length);
    for (std::size_t i = 1; i < length && i < text.size(); ++i) sign = sign << 6U | (byte(i) & 0x3FU);
    text.remove_prefix(std::min(length, text.size()));
    return sign;
}

double take_number(std::string_view& path) {
    path.remove_prefix(std::min(path.find_first_not_of(' '), path.size()));
    double value = 0.0;
    const auto [end, error] = read_number(path.data(), path.data() + path.size(), value);
    path.remove_prefix(static_cast<std::size_t>(end - path.data()));
    return value;
}

Path drawn(std::string_view path) {
    Path lines;
    const auto point = [&] {
        const double x = take_number(path);
        return Point{x, take_number(path)};
    };
    while (!path.empty()) {
        const char kind = path.front();
        path.remove_prefix(1);
        if (kind == 'M') lines.move_to(point());
        if (kind == 'L') lines.line_to(point());
        if (kind == 'C') {
            const Point first = point();
            const Point second = point();
            lines.curve_to(first, second, point());
        }
    }
    return lines;
}

// One sign with its left edge at 0, and how much room it takes.
struct Placed {
    Path path{};
    double width = 0.0;
};

Placed placed(char32_t sign) {
    if (sign == U' ') return {.width = blank - between_letters};
    if (sign < 0x80) {
        const char plain = static_cast<char>(sign);
        const std::string_view text{&plain, 1};
        if ((plain >= '0' && plain <= '9') || plain == '.' || plain == '-')
            return {digits(text, {0.0, grid / 2}, grid, Anchor::start), digits_width(text, grid)};
    }
    const auto found = std::ranges::find(letters, sign, &Letter::sign);
    if (found == letters.end()) return {.width = blank};
    return {drawn(found->path), found->width};
}

} // namespace

Stroke lettering(const Label& label) {
    const double scale = label.size * capital_height / grid;
    Path text;
    double at = 0.0;
    for (std::string_view rest = label.text; !rest.empty();) {
        const Placed one = placed(take_sign(rest));
        text.add(one.path.scaled_and_moved(1.0, {at, 0.0}));
        at += one.width + between_letters;
    }
    const double width = lettering_width(label.text, label.size);
    const double shift = label.anchor == Anchor::start    ? 0.0
                         : label.anchor == Anchor::middle ? width / 2
                                                          : width;
    return {.path = text.scaled_and_moved(scale, {label.place.x - shift, label.place.y - grid / 2 * scale}),
            .colour = label.colour,
            .width = std::max(1.0, label.size / 10.0)};
}

double lettering_width(std::string_view text, double size) {
    double width = 0.0;
    while (!text.empty()) width += placed(take_sign(text)).width + between_letters;
    return std::max(0.0, width - between_letters) * size * capital_height / grid;
}

Glyph glyph_of(char32_t sign) {
    constexpr double scale = capital_height / grid;
    const Placed one = placed(sign);
    return {one.path.scaled_and_moved(scale, {0.0, -capital_height}), (one.width + between_letters) * scale};
}

} // namespace knossos::render
