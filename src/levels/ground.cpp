#include "levels/digging.hpp"

#include <knossos/levels/ground.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace knossos::levels {

namespace {

void dig_cell(Ground& ground, std::uint32_t x, std::uint32_t y) {
    ground.open[std::size_t{y} * ground.width + x] = 1;
}

void dig_rectangle(Ground& ground, const Rectangle& room) {
    for_each_in(room, [&](std::uint32_t x, std::uint32_t y) { dig_cell(ground, x, y); });
}

void dig_corridor(Ground& ground, std::uint32_t from_x, std::uint32_t from_y, std::uint32_t to_x,
                  std::uint32_t to_y, bool row_first) {
    for_each_along(from_x, from_y, to_x, to_y, row_first,
                   [&](std::uint32_t x, std::uint32_t y) { dig_cell(ground, x, y); });
}

// Whether a cell parts the ground on two opposite sides of it.
bool is_framed(const Ground& ground, std::size_t cell) {
    const std::uint32_t x = ground.x_of(cell);
    const std::uint32_t y = ground.y_of(cell);
    const bool north = y > 0 && ground.open[cell - ground.width] != 0;
    const bool south = y + 1 < ground.height && ground.open[cell + ground.width] != 0;
    const bool west = x > 0 && ground.open[cell - 1] != 0;
    const bool east = x + 1 < ground.width && ground.open[cell + 1] != 0;
    return north == south && west == east && north != west;
}

std::uint32_t between(Stream& stream, std::uint32_t low, std::uint32_t high) {
    return high <= low ? low : low + stream.below(high - low + 1);
}

// Fills all parts but the first that are too small to be a place.
void fill_small_parts(Ground& ground, std::size_t least) {
    std::vector<std::uint8_t> marks(ground.area());
    std::vector<std::uint32_t> queue;
    bool is_first = true;
    for (std::size_t i = 0; i < ground.area(); ++i) {
        if (ground.open[i] == 0 || marks[i] != 0) continue;
        const std::size_t size =
            mark_connected(ground, i, [&](std::size_t cell) { return ground.open[cell] != 0; }, marks, queue);
        if (size < least && !is_first)
            for (const std::uint32_t cell : queue) ground.open[cell] = 0;
        is_first = false;
    }
}

// Digs a way from each part to the one before it, so that all hang together.
void join_parts(Stream& stream, Ground& ground) {
    std::vector<std::uint8_t> marks(ground.area());
    std::vector<std::uint32_t> queue;
    std::vector<std::uint32_t> joined;
    for (std::size_t i = 0; i < ground.area(); ++i) {
        if (ground.open[i] == 0 || marks[i] != 0) continue;
        mark_connected(ground, i, [&](std::size_t cell) { return ground.open[cell] != 0; }, marks, queue);
        const std::uint32_t here = queue[stream.below(static_cast<std::uint32_t>(queue.size()))];
        if (!joined.empty()) {
            // The nearest of a few cells of what hangs together already.
            std::uint32_t best = joined.front();
            std::uint32_t nearest = ground.width + ground.height;
            for (int tried = 0; tried < 12; ++tried) {
                const std::uint32_t there = joined[stream.below(static_cast<std::uint32_t>(joined.size()))];
                const auto apart = [](std::uint32_t a, std::uint32_t b) { return a < b ? b - a : a - b; };
                const std::uint32_t distance = apart(ground.x_of(here), ground.x_of(there)) +
                                               apart(ground.y_of(here), ground.y_of(there));
                if (distance >= nearest) continue;
                nearest = distance;
                best = there;
            }
            dig_corridor(ground, ground.x_of(here), ground.y_of(here), ground.x_of(best), ground.y_of(best),
                         stream.below(2) != 0);
        }
        joined.insert(joined.end(), queue.begin(), queue.end());
    }
}

void make_cave(Stream& stream, Ground& ground) {
    const double rock = 0.40 + 0.06 * stream.real();
    for (std::uint8_t& cell : ground.open) cell = stream.chance(rock) ? 0 : 1;
    std::vector<std::uint8_t> next(ground.area());
    for (int round = 0; round < 3; ++round) {
        for (std::size_t i = 0; i < ground.area(); ++i) {
            const auto x = static_cast<std::int64_t>(ground.x_of(i));
            const auto y = static_cast<std::int64_t>(ground.y_of(i));
            int walls = 0;
            for (std::int64_t dy = -1; dy <= 1; ++dy)
                for (std::int64_t dx = -1; dx <= 1; ++dx) {
                    const bool inside =
                        x + dx >= 0 && y + dy >= 0 && x + dx < ground.width && y + dy < ground.height;
                    walls +=
                        !inside ||
                                ground.open[static_cast<std::size_t>((y + dy) * ground.width + x + dx)] == 0
                            ? 1
                            : 0;
                }
            next[i] = walls >= 5 ? 0 : 1;
        }
        ground.open.swap(next);
    }
    fill_small_parts(ground, 4);
    join_parts(stream, ground);
}

bool lies_apart(const Rectangle& a, const Rectangle& b) {
    return a.x > b.x + b.width || b.x > a.x + a.width || a.y > b.y + b.height || b.y > a.y + a.height;
}

void make_halls(Stream& stream, Ground& ground) {
    const std::uint32_t wanted = std::clamp<std::uint32_t>(ground.width * ground.height / 26, 2, 60);
    std::vector<Rectangle> rooms;
    for (std::uint32_t tried = 0; tried < 30 * wanted && rooms.size() < wanted; ++tried) {
        Rectangle room;
        room.width = std::min(between(stream, 2, 5), ground.width);
        room.height = std::min(between(stream, 2, 4), ground.height);
        room.x = stream.below(ground.width - room.width + 1);
        room.y = stream.below(ground.height - room.height + 1);
        if (std::ranges::all_of(rooms, [&](const Rectangle& other) { return lies_apart(room, other); }))
            rooms.push_back(room);
    }
    for (const Rectangle& room : rooms) dig_rectangle(ground, room);
    const auto join = [&](const Rectangle& a, const Rectangle& b) {
        dig_corridor(ground, a.middle_x(), a.middle_y(), b.middle_x(), b.middle_y(), stream.below(2) != 0);
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

// --- large levels: places on a coarse grid, so that all of it is used and ways are short ---

// Joins places that lie side by side: a tree of ways, drawn by lot, and a few more that make loops. `join`
// gets the numbers of two fields.
template <class Join>
void join_fields(Stream& stream, const FieldGrid& fields, Join join) {
    std::vector<std::uint8_t> joined(fields.count());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edge;
    const auto reach = [&](std::uint32_t from) {
        joined[from] = 1;
        const std::uint32_t x = from % fields.columns;
        if (x > 0) edge.emplace_back(from, from - 1);
        if (x + 1 < fields.columns) edge.emplace_back(from, from + 1);
        if (from >= fields.columns) edge.emplace_back(from, from - fields.columns);
        if (from + fields.columns < fields.count()) edge.emplace_back(from, from + fields.columns);
    };
    reach(stream.below(fields.count()));
    while (!edge.empty()) {
        // Mostly on from where the last way ended, which makes long branches.
        const std::size_t recent = std::min<std::size_t>(edge.size(), stream.below(3) == 0 ? edge.size() : 3);
        const std::size_t at = edge.size() - 1 - stream.below(static_cast<std::uint32_t>(recent));
        const auto [from, to] = edge[at];
        edge.erase(edge.begin() + static_cast<std::ptrdiff_t>(at));
        if (joined[to] != 0) {
            if (stream.below(16) == 0) join(from, to);
            continue;
        }
        join(from, to);
        reach(to);
    }
}

// Rooms of many sizes with rock all around them.
void make_large_halls(Stream& stream, Ground& ground) {
    const FieldGrid fields{ground.width, ground.height, 9, 7};
    std::vector<Rectangle> rooms;
    for (std::uint32_t i = 0; i < fields.count(); ++i) {
        const Rectangle field = fields.field(i);
        Rectangle room;
        room.width = between(stream, 3, field.width - 2);
        room.height = between(stream, 3, field.height - 2);
        room.x = field.x + 1 + stream.below(field.width - 1 - room.width);
        room.y = field.y + 1 + stream.below(field.height - 1 - room.height);
        // Some fields are only passed through.
        if (stream.below(7) == 0) room = {room.middle_x(), room.middle_y(), 1, 1};
        rooms.push_back(room);
        dig_rectangle(ground, room);
    }
    join_fields(stream, fields, [&](std::uint32_t a, std::uint32_t b) {
        dig_corridor(ground, rooms[a].middle_x(), rooms[a].middle_y(), rooms[b].middle_x(),
                     rooms[b].middle_y(), stream.below(2) != 0);
    });
}

// Chambers with uneven walls, and ways between them that wind.
void make_large_cave(Stream& stream, Ground& ground) {
    const FieldGrid fields{ground.width, ground.height, 13, 10};
    std::vector<std::uint32_t> middles;
    for (std::uint32_t i = 0; i < fields.count(); ++i) {
        const Rectangle field = fields.field(i);
        Ground chamber{field.width - 1, field.height - 1};
        make_cave(stream, chamber);
        std::vector<std::uint32_t> cells;
        for (std::size_t cell = 0; cell < chamber.area(); ++cell) {
            if (chamber.open[cell] == 0) continue;
            const std::uint32_t x = field.x + chamber.x_of(cell);
            const std::uint32_t y = field.y + chamber.y_of(cell);
            dig_cell(ground, x, y);
            cells.push_back(y * ground.width + x);
        }
        if (cells.empty())
            cells.push_back((field.y + field.height / 2) * ground.width + field.x + field.width / 2);
        middles.push_back(cells[stream.below(static_cast<std::uint32_t>(cells.size()))]);
    }
    join_fields(stream, fields, [&](std::uint32_t a, std::uint32_t b) {
        std::uint32_t x = ground.x_of(middles[a]);
        std::uint32_t y = ground.y_of(middles[a]);
        const std::uint32_t to_x = ground.x_of(middles[b]);
        const std::uint32_t to_y = ground.y_of(middles[b]);
        dig_cell(ground, x, y);
        while (x != to_x || y != to_y) {
            if (y == to_y || (x != to_x && stream.below(2) != 0))
                x = x < to_x ? x + 1 : x - 1;
            else
                y = y < to_y ? y + 1 : y - 1;
            dig_cell(ground, x, y);
        }
    });
}

void make_labyrinth(Stream& stream, Ground& ground) {
    const std::uint32_t columns = (ground.width + 1) / 2;
    const std::uint32_t rows = (ground.height + 1) / 2;
    constexpr std::array<int, 4> step_x{0, -1, 1, 0};
    constexpr std::array<int, 4> step_y{-1, 0, 0, 1};
    const auto is_inside = [&](std::int64_t x, std::int64_t y) {
        return x >= 0 && y >= 0 && x < columns && y < rows;
    };
    std::vector<std::uint32_t> trail{stream.below(columns * rows)};
    dig_cell(ground, 2 * (trail[0] % columns), 2 * (trail[0] / columns));
    while (!trail.empty()) {
        const std::uint32_t x = trail.back() % columns;
        const std::uint32_t y = trail.back() / columns;
        std::array<std::size_t, 4> ways{};
        std::uint32_t count = 0;
        for (std::size_t d = 0; d < 4; ++d) {
            const std::int64_t to_x = std::int64_t{x} + step_x[d];
            const std::int64_t to_y = std::int64_t{y} + step_y[d];
            if (is_inside(to_x, to_y) &&
                ground.open[static_cast<std::size_t>(2 * to_y * ground.width + 2 * to_x)] == 0)
                ways[count++] = d;
        }
        if (count == 0) {
            trail.pop_back();
            continue;
        }
        const std::size_t d = ways[stream.below(count)];
        const auto to_x = static_cast<std::uint32_t>(std::int64_t{x} + step_x[d]);
        const auto to_y = static_cast<std::uint32_t>(std::int64_t{y} + step_y[d]);
        dig_corridor(ground, 2 * x, 2 * y, 2 * to_x, 2 * to_y, true);
        trail.push_back(to_y * columns + to_x);
    }
    // Some walls fall, so that not every way has to be walked back. In large ones few, or nothing would be
    // cut off by one door.
    const double falling = is_large(ground.width, ground.height) ? 0.015 : 0.12;
    for (std::size_t i = 0; i < ground.area(); ++i)
        if (ground.open[i] == 0 && is_framed(ground, i) && stream.chance(falling)) ground.open[i] = 1;
}

// Splits a room by a wall with a doorway, again and again.
void split(Stream& stream, Ground& ground, const Rectangle& room) {
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
        return std::size_t{y} * ground.width + x;
    };
    for (std::uint32_t i = 0; i < length; ++i) ground.open[cell(i)] = 0;
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
    split(stream, ground, first);
    split(stream, ground, second);
    // Afterwards, where no wall of a smaller room ends.
    std::vector<std::size_t> free;
    for (std::uint32_t i = 0; i < length; ++i) {
        const std::size_t here = cell(i);
        const std::size_t beside = upright ? 1 : ground.width;
        if (ground.open[here - beside] != 0 && ground.open[here + beside] != 0) free.push_back(here);
    }
    for (std::uint32_t i = 0; i < doorways && !free.empty(); ++i)
        ground.open[free[stream.below(static_cast<std::uint32_t>(free.size()))]] = 1;
}

void make_keep(Stream& stream, Ground& ground) {
    std::ranges::fill(ground.open, std::uint8_t{1});
    split(stream, ground, {0, 0, ground.width, ground.height});
    join_parts(stream, ground);
}

} // namespace

Ground make_ground(Stream& stream, Style style, std::uint32_t width, std::uint32_t height) {
    Ground ground{width, height};
    switch (style) {
    case Style::cave:
        is_large(width, height) ? make_large_cave(stream, ground) : make_cave(stream, ground);
        break;
    case Style::halls:
        is_large(width, height) ? make_large_halls(stream, ground) : make_halls(stream, ground);
        break;
    case Style::labyrinth:
        make_labyrinth(stream, ground);
        break;
    case Style::keep:
        make_keep(stream, ground);
        break;
    }
    // A cave may have closed up altogether.
    if (std::ranges::count(ground.open, 1) < 2) {
        std::ranges::fill(ground.open, std::uint8_t{0});
        dig_rectangle(ground, {(width - 1) / 2, (height - 1) / 2, std::min(width, 2U), std::min(height, 2U)});
    }
    return ground;
}

void join_to_ground(Ground& ground, std::uint32_t x, std::uint32_t y) {
    const std::size_t from = std::size_t{y} * ground.width + x;
    if (ground.open[from] != 0) return;
    std::vector<std::uint8_t> marks(ground.area());
    std::vector<std::uint32_t> queue;
    // Breadth first through rock: the first open cell is one of the nearest.
    queue.assign(1, static_cast<std::uint32_t>(from));
    marks[from] = 1;
    std::size_t found = from;
    for (std::size_t at = 0; at < queue.size() && found == from; ++at)
        for_each_beside(ground, queue[at], [&](std::size_t next) {
            if (marks[next] != 0) return;
            marks[next] = 1;
            queue.push_back(static_cast<std::uint32_t>(next));
            if (found == from && ground.open[next] != 0) found = next;
        });
    dig_corridor(ground, x, y, ground.x_of(found), ground.y_of(found), true);
}

} // namespace knossos::levels
