#pragma once

#include <knossos/dungeon/level.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace knossos::dungeon {

/// How many of a thing there are to be.
struct Count {
    std::uint32_t fewest = 0;
    std::uint32_t most = 0;

    friend constexpr bool operator==(const Count&, const Count&) = default;
};

/// How many of each thing a dungeon has; one entrance and one exit in any case.
struct Placement {
    std::array<Count, tile_kinds> counts{};

    [[nodiscard]] const Count& of(Tile tile) const { return counts[static_cast<std::size_t>(tile)]; }
    Count& of(Tile tile) { return counts[static_cast<std::size_t>(tile)]; }
    /// All things together, at least and at most, entrance and exit among them.
    [[nodiscard]] Count total() const;
    friend bool operator==(const Placement&, const Placement&) = default;
};

/// Reads "keys 2, doors 2, red 1, treasure 5, monsters 3..6": small keys and their doors; for a colour one
/// key and so many doors; treasure, monsters, checkpoints, one-ways. What is not named there is not placed.
/// Throws InvalidInput that quotes what can't be read.
Placement parse_placement(std::string_view text);

/// The same, written; a key of a colour is said by its doors.
std::string to_text(const Placement& placement);

/// Kinds that are placed, the most constrained first.
std::vector<Tile> placed_kinds(const Placement& placement);

} // namespace knossos::dungeon
