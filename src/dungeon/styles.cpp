#include "dungeon/digging.hpp"

#include <knossos/dungeon/styles.hpp>

#include <algorithm>
#include <array>

namespace knossos::dungeon {

namespace {

std::uint32_t between(Stream& stream, std::uint32_t low, std::uint32_t high) {
    return high <= low ? low : low + stream.below(high - low + 1);
}

// Digs a way from each part to the one before it, so that all hang together.
void join_parts(Stream& stream, Level& level, std::size_t least) {
    std::vector<std::uint8_t> marks(level.area());
    std::vector<std::uint32_t> queue;
    std::vector<std::uint32_t> joined;
    for (std::size_t i = 0; i < level.area(); ++i) {
        if (level.cells[i] == Tile::rock || marks[i] != 0) continue;
        if (mark_connected(level, i, marks, queue) < least && !joined.empty()) {
            for (const std::uint32_t cell : queue) level.cells[cell] = Tile::rock; // too small to be a place
            continue;
        }
        const std::uint32_t here = queue[stream.below(static_cast<std::uint32_t>(queue.size()))];
        if (!joined.empty()) {
            // The nearest of a few cells of what hangs together already.
            std::uint32_t best = joined.front();
            std::uint32_t nearest = level.width + level.height;
            for (int tried = 0; tried < 12; ++tried) {
                const std::uint32_t there = joined[stream.below(static_cast<std::uint32_t>(joined.size()))];
                const auto apart = [](std::uint32_t a, std::uint32_t b) { return a < b ? b - a : a - b; };
                const std::uint32_t distance =
                    apart(level.x_of(here), level.x_of(there)) + apart(level.y_of(here), level.y_of(there));
                if (distance >= nearest) continue;
                nearest = distance;
                best = there;
            }
            dig_corridor(level, level.x_of(here), level.y_of(here), level.x_of(best), level.y_of(best),
                         stream.below(2) != 0);
        }
        joined.insert(joined.end(), queue.begin(), queue.end());
    }
}

void make_cave(Stream& stream, Level& level) {
    const double rock = 0.40 + 0.06 * stream.real();
    for (Tile& tile : level.cells) tile = stream.chance(rock) ? Tile::rock : Tile::floor;
    std::vector<Tile> next(level.area());
    for (int round = 0; round < 3; ++round) {
        for (std::size_t i = 0; i < level.area(); ++i) {
            const auto x = static_cast<std::int64_t>(level.x_of(i));
            const auto y = static_cast<std::int64_t>(level.y_of(i));
            int walls = 0;
            for (std::int64_t dy = -1; dy <= 1; ++dy)
                for (std::int64_t dx = -1; dx <= 1; ++dx) {
                    const bool inside =
                        x + dx >= 0 && y + dy >= 0 && x + dx < level.width && y + dy < level.height;
                    walls +=
                        !inside || level.cells[static_cast<std::size_t>((y + dy) * level.width + x + dx)] ==
                                       Tile::rock
                            ? 1
                            : 0;
                }
            next[i] = walls >= 5 ? Tile::rock : Tile::floor;
        }
        level.cells.swap(next);
    }
    join_parts(stream, level, 4);
}

bool lies_apart(const Rectangle& a, const Rectangle& b) {
    return a.x > b.x + b.width || b.x > a.x + a.width || a.y > b.y + b.height || b.y > a.y + a.height;
}

void make_halls(Stream& stream, Level& level) {
    const std::uint32_t wanted = std::clamp<std::uint32_t>(level.width * level.height / 26, 2, 60);
    std::vector<Rectangle> rooms;
    for (std::uint32_t tried = 0; tried < 30 * wanted && rooms.size() < wanted; ++tried) {
        Rectangle room;
        room.width = std::min(between(stream, 2, 5), level.width);
        room.height = std::min(between(stream, 2, 4), level.height);
        room.x = stream.below(level.width - room.width + 1);
        room.y = stream.below(level.height - room.height + 1);
        if (std::ranges::all_of(rooms, [&](const Rectangle& other) { return lies_apart(room, other); }))
            rooms.push_back(room);
    }
    for (const Rectangle& room : rooms) dig_rectangle(level, room);
    const auto join = [&](const Rectangle& a, const Rectangle& b) {
        dig_corridor(level, a.middle_x(), a.middle_y(), b.middle_x(), b.middle_y(), stream.below(2) != 0);
    };
    const auto distance = [](const Rectangle& a, const Rectangle& b) {
        const auto apart = [](std::uint32_t one, std::uint32_t other) {
            return one < other ? other - one : one - other;
        };
        return apart(a.middle_x(), b.middle_x()) + apart(a.middle_y(), b.middle_y());
    };
    for (std::size_t i = 1; i < rooms.size(); ++i)
        join(rooms[i], *std::min_element(rooms.begin(), rooms.begin() + static_cast<std::ptrdiff_t>(i),
                                         [&](const Rectangle& a, const Rectangle& b) {
                                             return distance(a, rooms[i]) < distance(b, rooms[i]);
                                         }));
    // A few more ways than are needed make loops.
    for (std::size_t i = 0; i < rooms.size() / 4; ++i) {
        const auto& a = rooms[stream.below(static_cast<std::uint32_t>(rooms.size()))];
        const auto& b = rooms[stream.below(static_cast<std::uint32_t>(rooms.size()))];
        join(a, b);
    }
}

void make_labyrinth(Stream& stream, Level& level) {
    const std::uint32_t columns = (level.width + 1) / 2;
    const std::uint32_t rows = (level.height + 1) / 2;
    constexpr std::array<int, 4> step_x{0, -1, 1, 0};
    constexpr std::array<int, 4> step_y{-1, 0, 0, 1};
    const auto is_inside = [&](std::int64_t x, std::int64_t y) {
        return x >= 0 && y >= 0 && x < columns && y < rows;
    };
    std::vector<std::uint32_t> trail{stream.below(columns * rows)};
    dig_cell(level, 2 * (trail[0] % columns), 2 * (trail[0] / columns));
    while (!trail.empty()) {
        const std::uint32_t x = trail.back() % columns;
        const std::uint32_t y = trail.back() / columns;
        std::array<std::size_t, 4> ways{};
        std::uint32_t count = 0;
        for (std::size_t d = 0; d < 4; ++d) {
            const std::int64_t to_x = std::int64_t{x} + step_x[d];
            const std::int64_t to_y = std::int64_t{y} + step_y[d];
            if (is_inside(to_x, to_y) &&
                level.cells[static_cast<std::size_t>(2 * to_y * level.width + 2 * to_x)] == Tile::rock)
                ways[count++] = d;
        }
        if (count == 0) {
            trail.pop_back();
            continue;
        }
        const std::size_t d = ways[stream.below(count)];
        const auto to_x = static_cast<std::uint32_t>(std::int64_t{x} + step_x[d]);
        const auto to_y = static_cast<std::uint32_t>(std::int64_t{y} + step_y[d]);
        dig_corridor(level, 2 * x, 2 * y, 2 * to_x, 2 * to_y, true);
        trail.push_back(to_y * columns + to_x);
    }
    // Some walls fall, so that not every way has to be walked back.
    for (std::size_t i = 0; i < level.area(); ++i)
        if (level.cells[i] == Tile::rock && is_framed(level, i) && stream.chance(0.12))
            level.cells[i] = Tile::floor;
}

// Splits a room by a wall with a doorway, again and again.
void split(Stream& stream, Level& level, const Rectangle& room) {
    constexpr std::uint32_t least = 2; // cells on either side of a wall
    const bool wide = room.width >= 2 * least + 1;
    const bool high = room.height >= 2 * least + 1;
    if (!wide && !high) return;
    if (room.width * room.height <= 16 && stream.chance(0.5)) return;
    const bool upright =
        wide && (!high || room.width > room.height || (room.width == room.height && stream.below(2) != 0));
    const std::uint32_t length = upright ? room.height : room.width;
    const std::uint32_t at = between(stream, least, (upright ? room.width : room.height) - least - 1);
    const auto cell = [&](std::uint32_t along) {
        const std::uint32_t x = upright ? room.x + at : room.x + along;
        const std::uint32_t y = upright ? room.y + along : room.y + at;
        return std::size_t{y} * level.width + x;
    };
    for (std::uint32_t i = 0; i < length; ++i) level.cells[cell(i)] = Tile::rock;
    const std::uint32_t doorways = length >= 5 && stream.chance(0.35) ? 2 : 1;
    Rectangle first = room;
    Rectangle second = room;
    if (upright) {
        first.width = at;
        second.x += at + 1;
        second.width -= at + 1;
    } else {
        first.height = at;
        second.y += at + 1;
        second.height -= at + 1;
    }
    split(stream, level, first);
    split(stream, level, second);
    // Afterwards, where no wall of a smaller room ends.
    std::vector<std::size_t> free;
    for (std::uint32_t i = 0; i < length; ++i) {
        const std::size_t here = cell(i);
        const std::size_t beside = upright ? 1 : level.width;
        if (level.cells[here - beside] == Tile::floor && level.cells[here + beside] == Tile::floor)
            free.push_back(here);
    }
    for (std::uint32_t i = 0; i < doorways && !free.empty(); ++i)
        level.cells[free[stream.below(static_cast<std::uint32_t>(free.size()))]] = Tile::floor;
}

void make_keep(Stream& stream, Level& level) {
    std::ranges::fill(level.cells, Tile::floor);
    split(stream, level, {0, 0, level.width, level.height});
    join_parts(stream, level, 1);
}

} // namespace

void make_ground(Stream& stream, Style style, Level& level) {
    std::ranges::fill(level.cells, Tile::rock);
    switch (style) {
    case Style::cave:
        make_cave(stream, level);
        break;
    case Style::halls:
        make_halls(stream, level);
        break;
    case Style::labyrinth:
        make_labyrinth(stream, level);
        break;
    case Style::keep:
        make_keep(stream, level);
        break;
    }
    // A cave may have closed up altogether.
    if (std::ranges::count(level.cells, Tile::floor) >= 2) return;
    std::ranges::fill(level.cells, Tile::rock);
    const std::uint32_t x = (level.width - 1) / 2;
    const std::uint32_t y = (level.height - 1) / 2;
    dig_rectangle(level, {x, y, std::min(level.width, 2U), std::min(level.height, 2U)});
}

} // namespace knossos::dungeon
