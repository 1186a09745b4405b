#include "dungeon/measurer.hpp"
#include "dungeon/roots.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace knossos::dungeon {

// Which pieces can be walked to from the entrance, with all doors open or shut, and one piece closed in any
// case.
void Measurer::flood(const Ground& ground, bool doors_shut, std::uint32_t closed) {
    const auto& pieces = ground.pieces();
    const auto& edges = ground.edges();
    marks_.assign(pieces.size(), 0);
    if (closed != Ground::none) marks_[closed] = 2;
    stack_.assign(1, ground.piece_of(ground.entrance()));
    marks_[stack_.front()] = 1;
    while (!stack_.empty()) {
        const std::uint32_t from = stack_.back();
        stack_.pop_back();
        for (std::uint32_t e = pieces[from].first_out; e != Ground::none; e = edges[e].next_out) {
            const std::uint32_t to = edges[e].to;
            if (marks_[to] != 0 || (doors_shut && is_door(pieces[to].tile))) continue;
            marks_[to] = 1;
            stack_.push_back(to);
        }
    }
}

// With all doors open; nobody walks on from the exit.
void Measurer::distances(const Ground& ground, std::uint32_t from) {
    const auto past = static_cast<std::uint32_t>(ground.size()); // stands for none
    distance_.assign(past + 1, -1);
    distance_[from] = 0;
    distance_[past] = 0;
    stack_.resize(past + 4); // the last cells may be written past the end
    stack_[0] = from;
    std::size_t found = 1;
    for (std::size_t at = 0; at < found; ++at) {
        const std::uint32_t cell = stack_[at];
        if (cell == ground.exit() && at != 0) continue;
        const std::int32_t there = distance_[cell] + 1;
        for (const std::uint32_t step : ground.steps(cell)) {
            const std::uint32_t next = std::min(step, past);
            const bool is_new = distance_[next] < 0;
            stack_[found] = next;
            found += is_new ? 1U : 0U;
            distance_[next] = is_new ? there : distance_[next];
        }
    }
}

void Measurer::measure_ways(const Ground& ground, MeasureSet wanted, Measures& out) {
    if (wanted.has(Measure::tour)) out[Measure::tour] = tour(ground);
    distances(ground, ground.entrance());
    out[Measure::exit_path] = distance_[ground.exit()];
    if (!wanted.has(Measure::behind_doors)) return;
    const auto reached = [&](bool shut) {
        flood(ground, shut, Ground::none);
        double cells = 0.0;
        for (std::size_t i = 0; i < marks_.size(); ++i)
            if (marks_[i] != 0) cells += ground.pieces()[i].cells;
        return cells;
    };
    const double shut = reached(true);
    out[Measure::behind_doors] = 1.0 - shut / reached(false);
}

// From set to set of checkpoints (M. Held, R. M. Karp: "A dynamic programming approach to sequencing
// problems", 1962).
double Measurer::tour(const Ground& ground) {
    places_.clear();
    for (std::uint32_t i = 0; i < ground.size(); ++i)
        if (ground.tile(i) == Tile::checkpoint) places_.push_back(i);
    const std::size_t count = places_.size();
    if (count > most_on_tour) return -1.0;
    places_.push_back(ground.entrance());
    legs_.resize((count + 1) * (count + 1)); // to each checkpoint, and to the exit
    for (std::size_t i = 0; i <= count; ++i) {
        distances(ground, places_[i]);
        for (std::size_t j = 0; j < count; ++j) legs_[i * (count + 1) + j] = distance_[places_[j]];
        legs_[i * (count + 1) + count] = distance_[ground.exit()];
    }
    if (count == 0) return legs_[0];
    constexpr std::int32_t far = std::numeric_limits<std::int32_t>::max() / 2;
    const auto leg = [&](std::size_t from, std::size_t to) {
        const std::int32_t steps = legs_[from * (count + 1) + to];
        return steps < 0 ? far : steps;
    };
    best_.assign((std::size_t{1} << count) * count, far); // by checkpoints visited, and the last of them
    for (std::size_t i = 0; i < count; ++i) best_[(std::size_t{1} << i) * count + i] = leg(count, i);
    const std::size_t all = (std::size_t{1} << count) - 1;
    for (std::size_t visited = 1; visited <= all; ++visited)
        for (std::size_t last = 0; last < count; ++last) {
            const std::int32_t so_far = best_[visited * count + last];
            if (so_far >= far) continue;
            for (std::size_t next = 0; next < count; ++next) {
                if ((visited >> next & 1U) != 0) continue;
                std::int32_t& there = best_[(visited | std::size_t{1} << next) * count + next];
                there = std::min(there, so_far + leg(last, next));
            }
        }
    std::int32_t shortest = far;
    for (std::size_t last = 0; last < count; ++last)
        shortest = std::min(shortest, best_[all * count + last] + leg(last, count));
    return shortest >= far ? -1.0 : shortest;
}

void Measurer::measure_states(const Ground& ground, const Search& search, Measures& out) {
    const auto& pieces = ground.pieces();
    marks_.assign(pieces.size(), 0);
    std::uint64_t all = 0;
    std::uint64_t lost = 0;
    for (std::size_t condition = 0; condition < search.conditions(); ++condition)
        for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
            if (!search.is_reached(condition, piece)) continue;
            marks_[piece] = 1;
            all += pieces[piece].cells;
            if (!search.is_winning(condition, piece)) lost += pieces[piece].cells;
        }
    std::uint32_t treasures = 0;
    for (std::size_t piece = 0; piece < pieces.size(); ++piece)
        if (marks_[piece] != 0) treasures += pieces[piece].treasures;
    out[Measure::lost] = static_cast<double>(lost) / static_cast<double>(all);
    out[Measure::treasure_reachable] = treasures;
}

// Which doors the solution opens, each with its key: of small keys the one that was taken first, of coloured
// ones the first of the colour.
void Measurer::open_doors(const Ground& ground, const Walk& solution) {
    std::array<std::uint32_t, colours> coloured{};
    coloured.fill(Ground::none);
    opened_.clear();
    in_hand_.clear();
    std::size_t spent = 0;
    marks_.assign(ground.pieces().size(), 0); // what has been taken or opened
    for (const std::uint32_t cell : solution) {
        const Tile tile = ground.tile(cell);
        if (!is_key(tile) && !is_door(tile)) continue;
        const std::uint32_t piece = ground.piece_of(cell);
        if (marks_[piece] != 0) continue;
        marks_[piece] = 1;
        if (tile == Tile::small_key) in_hand_.push_back(piece);
        if (is_coloured_key(tile) && coloured[colour_of(tile)] == Ground::none)
            coloured[colour_of(tile)] = piece;
        if (tile == Tile::small_door) opened_.push_back({piece, in_hand_[spent++]});
        if (is_coloured_door(tile)) opened_.push_back({piece, coloured[colour_of(tile)]});
    }
}

// A door lies before a key if nobody can come to the key while that door is shut and all others are open.
double Measurer::key_depth(const Ground& ground) {
    depth_.assign(opened_.size(), 1);
    std::uint32_t deepest = opened_.empty() ? 0 : 1;
    for (std::size_t door = 0; door + 1 < opened_.size(); ++door) {
        flood(ground, false, opened_[door].piece);
        for (std::size_t later = door + 1; later < opened_.size(); ++later) {
            if (marks_[opened_[later].key] == 1) continue;
            depth_[later] = std::max(depth_[later], depth_[door] + 1);
            deepest = std::max(deepest, depth_[later]);
        }
    }
    return deepest;
}

void Measurer::measure_solution(const Ground& ground, const Walk& solution, Measures& out) {
    const auto steps = static_cast<double>(solution.empty() ? 0 : solution.size() - 1);
    open_doors(ground, solution);
    out[Measure::solution] = solution.empty() ? -1.0 : steps;
    out[Measure::doors_opened] = static_cast<double>(opened_.size());
    out[Measure::key_depth] = key_depth(ground);
    marks_.assign(ground.pieces().size(), 0);
    double keys = 0.0;
    for (const OpenedDoor& one : opened_) {
        keys += marks_[one.key] == 0 ? 1.0 : 0.0;
        marks_[one.key] = 1;
    }
    out[Measure::keys_used] = keys;
    marks_.assign(ground.size(), 0);
    std::uint32_t again = 0;
    std::uint32_t monsters = 0;
    for (const std::uint32_t cell : solution) {
        again += marks_[cell];
        marks_[cell] = 1;
        monsters += ground.tile(cell) == Tile::monster ? 1U : 0U;
    }
    out[Measure::backtracking] = steps > 0.0 ? again / steps : 0.0;
    out[Measure::encounters] = monsters;
    const double way = out[Measure::exit_path];
    out[Measure::detour] = way > 0.0 && steps > 0.0 ? steps / way : 0.0;
}

void Measurer::count_things(const Level& level, Measures& out) const {
    const auto counts = counts_of(level);
    const auto of = [&](Tile tile) -> double { return counts[static_cast<std::size_t>(tile)]; };
    const auto of_all = [&](Tile first) {
        const auto at = static_cast<std::size_t>(first);
        return static_cast<double>(counts[at] + counts[at + 1] + counts[at + 2] + counts[at + 3]);
    };
    out[Measure::small_keys] = of(Tile::small_key);
    out[Measure::small_doors] = of(Tile::small_door);
    out[Measure::coloured_keys] = of_all(Tile::red_key);
    out[Measure::coloured_doors] = of_all(Tile::red_door);
    out[Measure::treasures] = of(Tile::treasure);
    out[Measure::monsters] = of(Tile::monster);
    out[Measure::checkpoints] = of(Tile::checkpoint);
    out[Measure::one_ways] = of_all(Tile::one_way_north);
    double loose = 0.0;
    if (out[Measure::small_doors] + out[Measure::coloured_doors] + out[Measure::one_ways] > 0.0)
        for (std::size_t i = 0; i < level.area(); ++i)
            if ((is_door(level.cells[i]) || is_one_way(level.cells[i])) && !is_framed(level, i)) ++loose;
    out[Measure::loose_doors] = loose;
    out[Measure::wall_density] = of(Tile::rock) / static_cast<double>(level.area());
    out[Measure::open_cells] = static_cast<double>(level.area()) - of(Tile::rock);
}

void Measurer::measure_ground(const Level& level, const Ground& ground, MeasureSet wanted, Measures& out) {
    constexpr MeasureSet shapes{Measure::reachable_cells, Measure::dead_ends, Measure::branching_cells,
                                Measure::loops,           Measure::openness,  Measure::rooms,
                                Measure::largest_room};
    count_things(level, out);
    if (!wanted.has_any(shapes)) return;
    const auto past = static_cast<std::uint32_t>(ground.size()); // stands for none
    marks_.assign(past + 1, 0);
    marks_[past] = 1;
    stack_.resize(past + 4); // the last cells may be written past the end
    stack_[0] = ground.entrance();
    marks_[ground.entrance()] = 1;
    std::size_t found = 1;
    std::uint32_t ends = 0;
    std::uint32_t branches = 0;
    std::uint32_t steps = 0;
    for (std::size_t at = 0; at < found; ++at) {
        const std::uint32_t cell = stack_[at];
        std::uint32_t degree = 0;
        for (const std::uint32_t beside : ground.beside(cell)) {
            const std::uint32_t next = std::min(beside, past);
            degree += beside == Ground::none ? 0U : 1U;
            stack_[found] = next;
            found += marks_[next] == 0 ? 1U : 0U;
            marks_[next] = 1;
        }
        steps += degree;
        branches += degree >= 3 ? 1U : 0U;
        ends += degree <= 1 && cell != ground.entrance() && cell != ground.exit() ? 1U : 0U;
    }
    stack_.resize(found);
    out[Measure::reachable_cells] = static_cast<double>(stack_.size());
    out[Measure::dead_ends] = ends;
    out[Measure::branching_cells] = branches;
    // Less the open squares, which measure_rooms() counts.
    out[Measure::loops] = steps / 2.0 - static_cast<double>(stack_.size()) + 1.0;
    measure_rooms(ground, out);
}

// Open squares that lie side by side are one room: each is known by its upper left cell.
void Measurer::measure_rooms(const Ground& ground, Measures& out) {
    const std::size_t open = ground.size();
    roots_.assign(open, Ground::none);
    std::uint32_t squares = 0;
    std::uint32_t rooms = 0;
    for (std::uint32_t i = 0; i < open; ++i) {
        if (marks_[i] == 0) continue;
        const auto [up, left, right, down] = ground.beside(i);
        if (right == Ground::none || down == Ground::none || ground.beside(right)[3] == Ground::none)
            continue;
        ++squares;
        ++rooms;
        roots_[i] = i;
        for (const std::uint32_t other : {left, up}) {
            if (other == Ground::none || roots_[other] == Ground::none) continue;
            const std::uint32_t a = root_of(roots_, i);
            const std::uint32_t b = root_of(roots_, other);
            if (a == b) continue;
            roots_[std::max(a, b)] = std::min(a, b);
            --rooms;
        }
    }
    out[Measure::loops] -= squares;
    out[Measure::rooms] = rooms;
    // A cell may be of two rooms that touch at a corner: it counts for both.
    sizes_.assign(open, 0);
    std::uint32_t covered = 0;
    for (std::uint32_t i = 0; i < open; ++i) {
        if (marks_[i] == 0) continue;
        const std::uint32_t up = ground.beside(i)[0];
        const std::uint32_t left = ground.beside(i)[1];
        const std::uint32_t corner = up != Ground::none ? ground.beside(up)[1] : Ground::none;
        std::array<std::uint32_t, 4> its{};
        std::size_t count = 0;
        for (const std::uint32_t square : {i, left, up, corner}) {
            if (square == Ground::none || roots_[square] == Ground::none) continue;
            const std::uint32_t room = root_of(roots_, square);
            if (std::find(its.begin(), its.begin() + static_cast<std::ptrdiff_t>(count), room) !=
                its.begin() + static_cast<std::ptrdiff_t>(count))
                continue;
            its[count++] = room;
            ++sizes_[room];
        }
        covered += count > 0 ? 1U : 0U;
    }
    out[Measure::largest_room] = open == 0 ? 0.0 : *std::ranges::max_element(sizes_);
    out[Measure::openness] = covered / out[Measure::reachable_cells];
}

} // namespace knossos::dungeon
