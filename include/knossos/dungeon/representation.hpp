#pragma once

#include <knossos/core/genome.hpp>
#include <knossos/core/random.hpp>
#include <knossos/dungeon/level.hpp>
#include <knossos/dungeon/placement.hpp>
#include <knossos/levels/ground.hpp>
#include <knossos/levels/symmetry.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace knossos::dungeon {

using levels::Style;

/// What a designer laid down of single cells. Texts hold the cells of a levels::Drawing, in reading order, or
/// nothing.
struct Constraints {
    std::string locks{}; ///< rock stays rock, floor ground, a thing where it is
    levels::Symmetry symmetry = levels::Symmetry::none; ///< of the ground; things lie where they lie
    std::vector<std::uint32_t> rulers{};                ///< see levels::rulers()
    std::string start{};                                ///< what dungeons begin as, where it is not free
    std::size_t most_changes = 0;                       ///< to the start, if not all cells may change
    bool keeps = false;
    std::vector<std::uint8_t> stays_open{}; ///< ground that nobody can reach and that is not filled

    [[nodiscard]] bool empty() const { return locks.empty() && rulers.empty() && start.empty(); }
    [[nodiscard]] bool is_locked(std::size_t cell) const {
        return !locks.empty() && locks[cell] != levels::free_letter;
    }
    /// Whether a cell holds a thing for good.
    [[nodiscard]] bool is_fixed(std::size_t cell) const {
        return is_locked(cell) && locks[cell] != levels::floor_letter;
    }
};

/// Cells of a level that differ from a start, where that is not free.
std::size_t changes(std::string_view start, const Level& level);

/// The size of dungeons and what is to be in them.
struct Plan {
    std::uint32_t width = 16;
    std::uint32_t height = 12;
    Placement placement{};
    Constraints constraints{};

    [[nodiscard]] std::size_t area() const { return std::size_t{width} * height; }
};

/// Makes the level keep to symmetry and locks, as far as that takes no dice. One-ways and things on cells
/// that become rock are lost.
void constrain(const Constraints& constraints, Level& level);

/// A gene a cell: what it holds. Genomes begin as ground of a style with the things placed on it. Repaired
/// ones have as many of each thing as the plan says, all of them on ground that hangs together.
struct Tiles {
    Plan plan{};
    Style style = Style::halls;
    double carve = 0.2; ///< share of the changes that are to the ground

    enum class Move : unsigned char { things, swaps, doors, counts, ways, flips };
    static std::vector<std::string> moves() {
        return {"things", "swaps", "doors", "counts", "ways", "flips"};
    }

    [[nodiscard]] Space space() const { return Space::integers(plan.area(), tile_kinds); }
    void initialise(Stream& stream, Integers<std::uint8_t> genes) const;
    void repair(Stream& stream, Integers<std::uint8_t> genes) const;
    bool propose(Stream& stream, Integers<std::uint8_t> genes) const;
    bool propose(Stream& stream, Integers<std::uint8_t> genes, std::uint32_t move) const;
    void decode(IntegerView<std::uint8_t> genes, Level& level) const;
};

/// Rooms and corridors that are dug, with the things placed by genes: four genes a room (where, and how
/// large), two a corridor from a room to an earlier one, three for each corridor more, a gene for how many of
/// each thing there are where that is open, and two for where each thing lies. Every genome is a dungeon.
struct Rooms {
    Plan plan{};
    std::uint32_t rooms = 0; ///< 0: as many as suit the size

    enum class Move : unsigned char { things, swaps, doors, rooms, ways };
    static std::vector<std::string> moves() { return {"things", "swaps", "doors", "rooms", "ways"}; }

    [[nodiscard]] Space space() const;
    void initialise(Stream& stream, Integers<std::uint8_t> genes) const;
    bool propose(Stream& stream, Integers<std::uint8_t> genes) const;
    bool propose(Stream& stream, Integers<std::uint8_t> genes, std::uint32_t move) const;
    void decode(IntegerView<std::uint8_t> genes, Level& level) const;

    [[nodiscard]] std::uint32_t room_count() const;
    [[nodiscard]] std::uint32_t extra_ways() const;
};

} // namespace knossos::dungeon
