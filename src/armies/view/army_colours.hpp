#pragma once

#include <knossos/render/theme.hpp>

#include <array>
#include <cstdint>

namespace knossos::armies {

/// The colour of an army, from 1. Seven are those of Okabe and Ito, which people who see colours differently
/// can tell apart; the eighth is the theme's ink. Numbers say the same.
inline render::Colour army_colour(std::uint8_t army, const render::Theme& theme) {
    constexpr std::array<std::uint32_t, 7> colours{0x0072B2, 0xE69F00, 0x009E73, 0xCC79A7,
                                                   0x56B4E9, 0xD55E00, 0xF0E442};
    return army <= colours.size() ? render::rgb(colours[army - 1U]) : theme.ink;
}

/// Black or white: what can be read on a colour.
inline render::Colour colour_on(render::Colour colour) {
    const render::Colour black = render::rgb(0x000000);
    const render::Colour white = render::rgb(0xFFFFFF);
    return render::contrast(colour, black) >= render::contrast(colour, white) ? black : white;
}

} // namespace knossos::armies
