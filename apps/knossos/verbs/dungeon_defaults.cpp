#include "verbs/dungeon_defaults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace knossos::app::dungeons {

namespace {

using dungeon::Count;
using dungeon::Placement;
using dungeon::Tile;

constexpr std::array coloured_doors{Tile::red_door, Tile::green_door, Tile::blue_door, Tile::yellow_door};

std::uint32_t drawn(const levels::Drawing& drawing, Tile tile) {
    return static_cast<std::uint32_t>(std::ranges::count(drawing.cells, dungeon::letter(tile)));
}

Tile key_of(Tile door) {
    return static_cast<Tile>(static_cast<std::uint32_t>(Tile::red_key) + dungeon::colour_of(door));
}

std::uint32_t less(std::uint32_t count, std::uint32_t by) { return count - std::min(count, by); }

} // namespace

std::string default_goal(const dungeon::Fields& fields) {
    constexpr std::uint32_t largest = 4096;
    const Placement placement = dungeon::parse_placement(fields.place);
    const Placement locked =
        fields.locks.empty() ? Placement{} : things_in(levels::parse_drawing(fields.locks, "locks", largest));
    std::uint32_t doors =
        std::min(less(placement.of(Tile::small_door).fewest, locked.of(Tile::small_door).fewest),
                 placement.of(Tile::small_key).fewest);
    for (const Tile door : coloured_doors)
        if (locked.of(door).fewest == 0) doors += std::min(placement.of(door).fewest, 1U);
    const std::uint32_t sides = fields.width + fields.height;
    const std::uint32_t steps = std::min(sides, fields.width * fields.height / 5);
    std::string goal = fmt::format("solution {}..", std::max(steps, 1U));
    if (doors > 0) goal += fmt::format(", doors_opened {}.., key_depth {}..", doors, std::min(doors, 2U));
    if (const auto treasure = less(placement.of(Tile::treasure).fewest, locked.of(Tile::treasure).fewest);
        treasure > 0)
        goal += fmt::format(", treasure_reachable {}..", treasure);
    return goal;
}

Placement things_in(const levels::Drawing& drawing) {
    Placement things;
    for (std::size_t kind = static_cast<std::size_t>(Tile::floor) + 1; kind < dungeon::tile_kinds; ++kind) {
        const auto tile = static_cast<Tile>(kind);
        const Tile counted_as = dungeon::is_one_way(tile) ? Tile::one_way_north : tile;
        Count& count = things.of(counted_as);
        count.fewest = count.most = count.most + drawn(drawing, tile);
    }
    const auto checkpoints = static_cast<std::uint32_t>(drawing.checkpoints.size());
    things.of(Tile::checkpoint) = {checkpoints, checkpoints};
    things.of(Tile::entrance) = things.of(Tile::exit) = {1, 1};
    return things;
}

Placement raised_to(Placement placement, const levels::Drawing& locks) {
    const Placement locked = things_in(locks);
    const auto raise = [&](Tile tile, std::uint32_t least) {
        Count& count = placement.of(tile);
        count = {std::max(count.fewest, least), std::max(count.most, least)};
    };
    for (std::size_t kind = 0; kind < dungeon::tile_kinds; ++kind)
        raise(static_cast<Tile>(kind), locked.counts[kind].most);
    raise(Tile::small_key, placement.of(Tile::small_door).fewest);
    for (const Tile door : coloured_doors) {
        // A key is placed with its doors only, so that a key without one leaves room for a door.
        if (locked.of(key_of(door)).most > 0) placement.of(door).most = std::max(placement.of(door).most, 1U);
        if (placement.of(door).most > 0) raise(key_of(door), 1);
    }
    return placement;
}

Placement grown(Placement placement, std::uint64_t usual, std::uint64_t area) {
    // Up to a few times the usual size what is usual is not lost in it.
    constexpr std::uint64_t large = 6;
    constexpr std::uint64_t vast = 24;
    if (area <= large * usual) return placement;
    const double factor = std::sqrt(static_cast<double>(area) / static_cast<double>(usual));
    for (const Tile tile : {Tile::treasure, Tile::monster}) {
        Count& count = placement.of(tile);
        count = {static_cast<std::uint32_t>(count.fewest * factor),
                 static_cast<std::uint32_t>(count.most * factor)};
    }
    // Each key and door multiplies what has to be judged, so that these grow slowly.
    for (const Tile tile : {Tile::small_key, Tile::small_door})
        if (Count& count = placement.of(tile); count.fewest > 0) count = {count.fewest + 1, count.most + 1};
    if (area > vast * usual)
        for (const Tile tile : {Tile::blue_door, Tile::blue_key}) placement.of(tile) = {1, 1};
    return placement;
}

} // namespace knossos::app::dungeons
