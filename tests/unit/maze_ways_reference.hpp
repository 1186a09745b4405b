#pragma once

#include "maze_reference.hpp"

#include <map>
#include <optional>

/// Plain twins of what is measured by many searches, on one way, or room by room.
namespace knossos::maze::reference {

/// Every pair of cells, so nothing for large grids.
inline std::optional<std::uint32_t> diameter(const Grid& grid) {
    if (grid.area() > 600) return std::nullopt;
    int longest = 0;
    for (std::size_t x = 0; x < grid.area(); ++x) {
        const std::vector<int> distance = distances(grid, grid.cell(x));
        longest = std::max(longest, *std::ranges::max_element(distance));
    }
    return static_cast<std::uint32_t>(std::max(longest, 0));
}

/// A search through the pairs of a cell and the checkpoints that were passed, so nothing where there are
/// many.
inline std::optional<std::int32_t> tour(const Level& level) {
    const Grid& grid = level.grid;
    const std::size_t count = level.checkpoints.size();
    if (count > most_on_tour) return -1;
    if (grid.area() << count > 300'000) return std::nullopt;
    if (grid.is_rock(level.entrance)) return -1;
    const auto passed = [&](Cell cell) {
        std::size_t bit = 0;
        for (std::size_t i = 0; i < count; ++i)
            if (level.checkpoints[i] == cell) bit = std::size_t{1} << i;
        return bit;
    };
    const std::size_t all = (std::size_t{1} << count) - 1;
    std::vector<std::int32_t> steps(grid.area() << count, -1);
    std::queue<std::pair<Cell, std::size_t>> queue;
    const auto visit = [&](Cell cell, std::size_t seen, std::int32_t distance) {
        seen |= passed(cell);
        std::int32_t& known = steps[grid.index(cell) << count | seen];
        if (known >= 0) return;
        known = distance;
        queue.emplace(cell, seen);
    };
    for (visit(level.entrance, 0, 0); !queue.empty(); queue.pop()) {
        const auto [cell, seen] = queue.front();
        const std::int32_t distance = steps[grid.index(cell) << count | seen];
        if (cell == level.exit && seen == all) return distance;
        for_each_step(grid, cell, [&, before = seen](Cell to) { visit(to, before, distance + 1); });
    }
    return -1;
}

/// The shortest way that is shown: back from the exit, over as many checkpoints as any has, each time to the
/// first predecessor in the order north, west, east, south.
inline std::vector<Cell> shown_way(const Level& level, const std::vector<int>& distance) {
    const Grid& grid = level.grid;
    if (distance[grid.index(level.exit)] < 0) return {};
    std::vector<std::size_t> order;
    for (std::size_t x = 0; x < grid.area(); ++x)
        if (distance[x] >= 0) order.push_back(x);
    std::ranges::sort(order, {}, [&](std::size_t x) { return distance[x]; });
    std::vector<std::size_t> most(grid.area(), 0);
    const auto best_before = [&](Cell cell) {
        std::optional<Cell> best;
        for (const Cell from : steps_from(grid, cell))
            if (distance[grid.index(from)] == distance[grid.index(cell)] - 1 &&
                (!best || most[grid.index(from)] > most[grid.index(*best)]))
                best = from;
        return best;
    };
    for (const std::size_t x : order) {
        const auto before = best_before(grid.cell(x));
        const bool is_checkpoint =
            std::ranges::find(level.checkpoints, grid.cell(x)) != level.checkpoints.end();
        most[x] = (before ? most[grid.index(*before)] : 0) + (is_checkpoint ? 1 : 0);
    }
    std::vector<Cell> way;
    for (std::optional<Cell> cell = level.exit; cell; cell = best_before(*cell)) way.push_back(*cell);
    std::ranges::reverse(way);
    return way;
}

inline void measure_way(const std::vector<Cell>& way, const Level& level, Measures& m) {
    for (const Cell cell : level.checkpoints)
        if (std::ranges::find(way, cell) != way.end()) ++m.on_one_way;
    for (std::size_t i = 2; i < way.size(); ++i) {
        const bool along_row = way[i].y == way[i - 2].y;
        const bool along_column = way[i].x == way[i - 2].x;
        ++(along_row || along_column ? m.straights : m.turns);
    }
}

/// Squares of reachable cells, joined side by side.
inline void measure_rooms(const Grid& grid, const std::vector<int>& distance, Measures& m) {
    std::set<Cell> squares;
    for (std::size_t x = 0; x < grid.area(); ++x)
        if (distance[x] >= 0 && is_square(grid, grid.cell(x))) squares.insert(grid.cell(x));
    while (!squares.empty()) {
        std::set<Cell> covered;
        std::queue<Cell> queue;
        const auto take = [&](Cell square) {
            if (squares.erase(square) > 0) queue.push(square);
        };
        for (take(*squares.begin()); !queue.empty(); queue.pop()) {
            const auto [x, y] = queue.front();
            covered.insert({{x, y}, {x + 1, y}, {x, y + 1}, {x + 1, y + 1}});
            take({x + 1, y});
            take({x - 1, y});
            take({x, y + 1});
            take({x, y - 1});
        }
        ++m.rooms;
        m.largest_room = std::max(m.largest_room, static_cast<std::uint32_t>(covered.size()));
    }
}

/// Everything; what is too much for a plain search is taken over from `found`.
inline Measures measure_all(const Level& level, const Measures& found) {
    Measures m = reference::measure(level);
    const std::vector<int> distance = distances(level.grid, level.entrance);
    m.diameter = diameter(level.grid).value_or(found.diameter);
    m.tour = tour(level).value_or(found.tour);
    measure_way(shown_way(level, distance), level, m);
    measure_rooms(level.grid, distance, m);
    return m;
}

} // namespace knossos::maze::reference
