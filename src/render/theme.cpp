#include <knossos/core/error.hpp>
#include <knossos/render/theme.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace knossos::render {

namespace {

// Seventeen even steps of the published table of 256.
constexpr std::array<std::uint32_t, 17> cividis_steps{
    0x00224E, 0x002E6A, 0x1A386F, 0x32436D, 0x434E6C, 0x52596D, 0x61656F, 0x6F7073, 0x7C7B78,
    0x8B8778, 0x9B9376, 0xABA072, 0xBBAD6C, 0xCCBA64, 0xDDC958, 0xEFD748, 0xFEE838};

std::uint8_t between(std::uint8_t low, std::uint8_t high, double share) {
    return static_cast<std::uint8_t>(std::lround(low + (static_cast<double>(high) - low) * share));
}

double luminance(Colour colour) {
    const auto linear = [](std::uint8_t channel) {
        const double value = channel / 255.0;
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);
}

std::string declarations(const Theme& theme) {
    std::string text = fmt::format("color-scheme:{};", theme.name);
    for (const auto& [role, colour] : roles(theme))
        fmt::format_to(std::back_inserter(text), "--{}:{};", role, hex(colour));
    return text;
}

} // namespace

std::string hex(Colour colour) {
    return fmt::format("#{:02X}{:02X}{:02X}", colour.red, colour.green, colour.blue);
}

const Theme& theme_named(std::string_view name) {
    if (name == light.name) return light;
    if (name == dark.name) return dark;
    throw InvalidInput{fmt::format("there is no theme '{}'; the themes are light and dark", name)};
}

std::array<std::pair<std::string_view, Colour>, 11> roles(const Theme& theme) {
    return {{{"ground", theme.ground},
             {"ink", theme.ink},
             {"quiet", theme.quiet},
             {"terracotta", theme.terracotta},
             {"aegean", theme.aegean},
             {"ochre", theme.ochre},
             {"ochre-fill", theme.ochre_fill},
             {"olive", theme.olive},
             {"rock", theme.rock},
             {"floor", theme.floor},
             {"floor-shade", theme.floor_shade}}};
}

std::string css_properties() {
    const std::string of_dark = declarations(dark);
    return fmt::format(
        ":root{{{}}}\n@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{}}}}}\n"
        ":root[data-theme=dark]{{{}}}\n",
        declarations(light), of_dark, of_dark);
}

Colour cividis(double share) {
    constexpr double last = cividis_steps.size() - 1;
    // Written so that NaN takes the lower end.
    const double place = share > 0.0 ? std::min(share, 1.0) * last : 0.0;
    const auto step = std::min(static_cast<std::size_t>(place), cividis_steps.size() - 2);
    const Colour low = rgb(cividis_steps[step]);
    const Colour high = rgb(cividis_steps[step + 1]);
    const double rest = place - static_cast<double>(step);
    return {between(low.red, high.red, rest), between(low.green, high.green, rest),
            between(low.blue, high.blue, rest)};
}

double contrast(Colour a, Colour b) {
    const double of_a = luminance(a) + 0.05;
    const double of_b = luminance(b) + 0.05;
    return std::max(of_a, of_b) / std::min(of_a, of_b);
}

} // namespace knossos::render
