#pragma once

#include <knossos/core/fields.hpp>
#include <knossos/core/random.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace knossos::levels {

/// What the ground of a level looks like before anything is placed on it. `cave`: chambers with uneven walls
/// that grow into each other. `halls`: rooms here and there, with corridors between them. `labyrinth`:
/// corridors that branch, with a few loops. `keep`: a house of rooms wall to wall, with doorways.
enum class Style : unsigned char { cave, halls, labyrinth, keep };

/// Rock and open cells in reading order.
struct Ground {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<std::uint8_t> open{};

    Ground(std::uint32_t columns, std::uint32_t rows)
        : width{columns}, height{rows}, open(std::size_t{columns} * rows) {}
    [[nodiscard]] std::size_t area() const { return open.size(); }
    [[nodiscard]] std::uint32_t x_of(std::size_t cell) const {
        return static_cast<std::uint32_t>(cell % width);
    }
    [[nodiscard]] std::uint32_t y_of(std::size_t cell) const {
        return static_cast<std::uint32_t>(cell / width);
    }
};

/// Ground of that style, all of which hangs together, at least two cells of it.
Ground make_ground(Stream& stream, Style style, std::uint32_t width, std::uint32_t height);

/// Digs a corridor from a cell to the nearest ground, if it is rock.
void join_to_ground(Ground& ground, std::uint32_t x, std::uint32_t y);

} // namespace knossos::levels

namespace knossos {
template <>
struct EnumNames<levels::Style> {
    static constexpr std::array<std::string_view, 4> names{"cave", "halls", "labyrinth", "keep"};
};
} // namespace knossos
