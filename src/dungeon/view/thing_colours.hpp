#pragma once

#include <knossos/dungeon/level.hpp>
#include <knossos/render/theme.hpp>

#include <array>
#include <cstdint>

namespace knossos::dungeon {

/// Red, green, blue and yellow as Okabe and Ito have them, which people who see colours differently can tell
/// apart; marks say the same.
inline render::Colour key_colour(std::uint32_t colour) {
    constexpr std::array<std::uint32_t, colours> all{0xD55E00, 0x009E73, 0x0072B2, 0xE8C420};
    return render::rgb(all[colour]);
}

inline render::Colour thing_colour(Tile tile, const render::Theme& theme) {
    if (is_coloured_key(tile) || is_coloured_door(tile)) return key_colour(colour_of(tile));
    switch (tile) {
    case Tile::small_key:
    case Tile::small_door:
    case Tile::treasure:
    case Tile::checkpoint:
        return theme.ochre;
    case Tile::monster:
        return theme.terracotta;
    default:
        return is_one_way(tile) ? theme.quiet : theme.ink;
    }
}

} // namespace knossos::dungeon
