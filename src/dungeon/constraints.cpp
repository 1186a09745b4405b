#include <knossos/dungeon/representation.hpp>

namespace knossos::dungeon {

std::size_t changes(std::string_view start, const Level& level) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < start.size(); ++i)
        count += start[i] != levels::free_letter && start[i] != letter(level.cells[i]) ? 1U : 0U;
    return count;
}

void constrain(const Constraints& constraints, Level& level) {
    const auto make_ground_of = [&](std::size_t cell, bool rock) {
        Tile& tile = level.cells[cell];
        if (rock != (tile == Tile::rock)) tile = rock ? Tile::rock : Tile::floor;
    };
    for (std::size_t i = 0; i < constraints.rulers.size(); ++i)
        make_ground_of(i, level.cells[constraints.rulers[i]] == Tile::rock);
    for (std::size_t i = 0; i < constraints.locks.size(); ++i) {
        if (!constraints.is_locked(i)) continue;
        if (constraints.locks[i] == levels::floor_letter)
            make_ground_of(i, false);
        else
            level.cells[i] = static_cast<Tile>(tile_letters.find(constraints.locks[i]));
    }
}

} // namespace knossos::dungeon
