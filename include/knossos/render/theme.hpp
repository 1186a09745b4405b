#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace knossos::render {

struct Colour {
    std::uint8_t red = 0;
    std::uint8_t green = 0;
    std::uint8_t blue = 0;
    std::uint8_t alpha = 255;

    friend constexpr bool operator==(const Colour&, const Colour&) = default;
};

/// 0xRRGGBB as a colour.
constexpr Colour rgb(std::uint32_t value) {
    return {static_cast<std::uint8_t>(value >> 16U & 0xFFU), static_cast<std::uint8_t>(value >> 8U & 0xFFU),
            static_cast<std::uint8_t>(value & 0xFFU)};
}

/// The colour with another opacity, 0 to 1.
constexpr Colour with_opacity(Colour colour, double opacity) {
    colour.alpha = static_cast<std::uint8_t>(opacity * 255.999);
    return colour;
}

/// "#A63D25", without the opacity.
std::string hex(Colour colour);

/// The colours of everything that people see, named by what they mean.
struct Theme {
    std::string_view name;
    Colour ground;      ///< page
    Colour ink;         ///< text, queens
    Colour quiet;       ///< secondary text, axes
    Colour terracotta;  ///< conflicts, errors, the worst curve
    Colour aegean;      ///< solution path, the best curve, controls
    Colour ochre;       ///< checkpoints, the mean curve, warnings
    Colour ochre_fill;  ///< area of a checkpoint
    Colour olive;       ///< solved, success
    Colour rock;        ///< maze cells that are closed, walls
    Colour floor;       ///< maze cells that are open, light squares
    Colour floor_shade; ///< dark squares: a near tone of floor
};

inline constexpr Theme light{.name = "light",
                             .ground = rgb(0xFAF6EE),
                             .ink = rgb(0x1F2430),
                             .quiet = rgb(0x5C5A55),
                             .terracotta = rgb(0xA63D25),
                             .aegean = rgb(0x1F5F8B),
                             .ochre = rgb(0x8A5F00),
                             .ochre_fill = rgb(0xD9A441),
                             .olive = rgb(0x56642A),
                             .rock = rgb(0x2E2A27),
                             .floor = rgb(0xF3EAD8),
                             .floor_shade = rgb(0xE3D5BA)};

inline constexpr Theme dark{.name = "dark",
                            .ground = rgb(0x16181D),
                            .ink = rgb(0xECE6DA),
                            .quiet = rgb(0xA7A294),
                            .terracotta = rgb(0xF08A6E),
                            .aegean = rgb(0x7CBCE6),
                            .ochre = rgb(0xE6BF6A),
                            .ochre_fill = rgb(0xE6BF6A),
                            .olive = rgb(0xB3C46A),
                            .rock = rgb(0x0B0C0F),
                            .floor = rgb(0x2C3038),
                            .floor_shade = rgb(0x23262D)};

/// The theme called "light" or "dark". Throws InvalidInput for any other name.
const Theme& theme_named(std::string_view name);

/// The roles of a theme with the names that style sheets use, in the order of the struct.
std::array<std::pair<std::string_view, Colour>, 11> roles(const Theme& theme);

/// Both themes as CSS custom properties (--ground, --ink, …): light by default, dark where the reader's
/// system asks for it or the root element says data-theme="dark".
std::string css_properties();

/// The cividis scale, which reads the same to people who see colours differently; share runs from 0 (dark
/// blue) to 1 (yellow), values outside are taken as the nearest end.
Colour cividis(double share);

/// How strongly two colours differ in lightness, 1 to 21, as WCAG 2 defines it.
double contrast(Colour a, Colour b);

} // namespace knossos::render
