#pragma once

#include <knossos/core/fields.hpp>
#include <knossos/core/random.hpp>
#include <knossos/dungeon/level.hpp>

#include <array>
#include <string_view>

namespace knossos::dungeon {

/// What the ground of a dungeon looks like before anything is placed on it. `cave`: chambers with uneven
/// walls that grow into each other. `halls`: rooms here and there, with corridors between them. `labyrinth`:
/// corridors that branch, with a few loops. `keep`: a house of rooms wall to wall, with doorways.
enum class Style : unsigned char { cave, halls, labyrinth, keep };

/// Makes ground of that style: rock and floor alone, all floor hanging together, at least two cells of it.
void make_ground(Stream& stream, Style style, Level& level);

} // namespace knossos::dungeon

namespace knossos {
template <>
struct EnumNames<dungeon::Style> {
    static constexpr std::array<std::string_view, 4> names{"cave", "halls", "labyrinth", "keep"};
};
} // namespace knossos
