#pragma once

#include <knossos/core/population.hpp>
#include <knossos/core/random.hpp>
#include <knossos/maze/distance_batch.hpp>
#include <knossos/maze/measures.hpp>

#include <algorithm>
#include <cstdint>
#include <queue>
#include <set>
#include <vector>

/// The plain twin of the maze measures: a queue, vectors and the definitions of docs/mazes.md, word by word.
namespace knossos::maze::reference {

/// Calls visit(to) for each cell that one may step to.
template <class Visit>
void for_each_step(const Grid& grid, Cell cell, Visit visit) {
    if (grid.steps(cell, Direction::north)) visit(Cell{cell.x, cell.y - 1});
    if (grid.steps(cell, Direction::west)) visit(Cell{cell.x - 1, cell.y});
    if (grid.steps(cell, Direction::east)) visit(Cell{cell.x + 1, cell.y});
    if (grid.steps(cell, Direction::south)) visit(Cell{cell.x, cell.y + 1});
}

inline std::vector<Cell> steps_from(const Grid& grid, Cell cell) {
    std::vector<Cell> to;
    for_each_step(grid, cell, [&](Cell next) { to.push_back(next); });
    return to;
}

inline std::vector<int> distances(const Grid& grid, Cell from) {
    std::vector<int> distance(grid.area(), -1);
    if (grid.is_rock(from)) return distance;
    std::queue<Cell> queue;
    queue.push(from);
    distance[grid.index(from)] = 0;
    while (!queue.empty()) {
        const Cell cell = queue.front();
        queue.pop();
        for_each_step(grid, cell, [&](Cell to) {
            if (distance[grid.index(to)] >= 0) return;
            distance[grid.index(to)] = distance[grid.index(cell)] + 1;
            queue.push(to);
        });
    }
    return distance;
}

inline int exit_path(const Level& level) {
    return distances(level.grid, level.entrance)[level.grid.index(level.exit)];
}

/// M(x) from its definition: |c| + d(c, x) = |x|.
inline std::vector<std::uint64_t> members(const Level& level, const std::vector<int>& distance) {
    std::vector<std::uint64_t> sets(level.grid.area(), 0);
    for (std::size_t c = 0; c < level.checkpoints.size(); ++c) {
        const Cell checkpoint = level.checkpoints[c];
        const int to_checkpoint = distance[level.grid.index(checkpoint)];
        if (to_checkpoint < 0) continue;
        const std::vector<int> onwards = distances(level.grid, checkpoint);
        for (std::size_t x = 0; x < sets.size(); ++x)
            if (distance[x] >= 0 && onwards[x] >= 0 && to_checkpoint + onwards[x] == distance[x])
                sets[x] |= std::uint64_t{1} << c;
    }
    return sets;
}

/// M(x) in one pass, as a careful programmer would do it: in order of distance, from the predecessors. What
/// the benchmark takes as its baseline.
inline std::vector<std::uint64_t> members_in_one_pass(const Level& level, std::vector<int>& distance) {
    const Grid& grid = level.grid;
    distance.assign(grid.area(), -1);
    std::vector<std::uint64_t> sets(grid.area(), 0);
    if (grid.is_rock(level.entrance)) return sets;
    std::queue<Cell> queue;
    queue.push(level.entrance);
    distance[grid.index(level.entrance)] = 0;
    while (!queue.empty()) {
        const Cell cell = queue.front();
        const std::size_t here = grid.index(cell);
        queue.pop();
        for (std::size_t c = 0; c < level.checkpoints.size(); ++c)
            if (level.checkpoints[c] == cell) sets[here] |= std::uint64_t{1} << c;
        for_each_step(grid, cell, [&](Cell to) {
            const std::size_t there = grid.index(to);
            if (distance[there] < 0) {
                distance[there] = distance[here] + 1;
                queue.push(to);
            }
            if (distance[there] == distance[here] + 1) sets[there] |= sets[here];
        });
    }
    return sets;
}

inline std::uint32_t prc(const std::vector<int>& distance, const std::vector<std::uint64_t>& sets,
                         std::size_t i, std::size_t j) {
    const std::uint64_t both = std::uint64_t{1} << i | std::uint64_t{1} << j;
    int smallest = 0;
    for (std::size_t x = 0; x < sets.size(); ++x)
        if ((sets[x] & both) == both && (smallest == 0 || distance[x] < smallest)) smallest = distance[x];
    return static_cast<std::uint32_t>(smallest);
}

inline std::uint32_t iprc(const std::vector<int>& distance, const std::vector<std::uint64_t>& sets,
                          std::size_t i, std::size_t j) {
    const std::uint64_t both = std::uint64_t{1} << i | std::uint64_t{1} << j;
    const std::uint32_t primary = prc(distance, sets, i, j);
    for (std::size_t x = 0; x < sets.size(); ++x)
        if (sets[x] == both && distance[x] == static_cast<int>(primary)) return primary;
    return 0;
}

inline bool is_cul_de_sac(const Grid& grid, const std::vector<int>& distance, Cell cell) {
    const int here = distance[grid.index(cell)];
    if (here < 0) return false;
    bool goes_on = false;
    for_each_step(grid, cell, [&](Cell to) { goes_on = goes_on || distance[grid.index(to)] > here; });
    return !goes_on;
}

/// The six numbers, from distances and members however they were found.
inline FitnessValues values_from(const Level& level, const std::vector<int>& distance,
                                 const std::vector<std::uint64_t>& sets) {
    FitnessValues values;
    const std::size_t exit = level.grid.index(level.exit);
    values.exit_path = distance[exit];
    for (std::uint64_t rest = sets[exit]; rest != 0; rest &= rest - 1) ++values.exit_members;
    for (std::size_t i = 0; i < level.checkpoints.size(); ++i) {
        for (std::size_t j = i + 1; j < level.checkpoints.size(); ++j) {
            values.reconvergence += prc(distance, sets, i, j);
            values.isolated_reconvergence += iprc(distance, sets, i, j);
        }
    }
    for (std::size_t x = 0; x < level.grid.area(); ++x) {
        if (!is_cul_de_sac(level.grid, distance, level.grid.cell(x))) continue;
        ++values.culs_de_sac;
        values.cul_de_sac_length += static_cast<std::uint64_t>(distance[x]);
    }
    return values;
}

inline FitnessValues fitness_values(const Level& level) {
    const std::vector<int> distance = distances(level.grid, level.entrance);
    return values_from(level, distance, members(level, distance));
}

inline FitnessValues fitness_values_in_one_pass(const Level& level) {
    std::vector<int> distance;
    const std::vector<std::uint64_t> sets = members_in_one_pass(level, distance);
    return values_from(level, distance, sets);
}

/// Share of the pairs {a, image of a} on which the picture agrees with its image.
template <class At, class Image>
void count_agreement(std::uint32_t width, std::uint32_t height, At at, Image image, double& same,
                     double& pairs) {
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            const Cell other = image(Cell{x, y}, width, height);
            if (!(Cell{x, y} < other)) continue;
            pairs += 1.0;
            same += at(Cell{x, y}) == at(other) ? 1.0 : 0.0;
        }
    }
}

template <class Image>
double symmetry(const Grid& grid, Image image) {
    double same = 0.0;
    double pairs = 0.0;
    const auto at = [&](Cell cell) { return grid.is_rock(cell); };
    const auto east = [&](Cell cell) { return grid.steps(cell, Direction::east); };
    const auto south = [&](Cell cell) { return grid.steps(cell, Direction::south); };
    if (grid.has_walls()) {
        count_agreement(grid.width() - 1, grid.height(), east, image, same, pairs);
        count_agreement(grid.width(), grid.height() - 1, south, image, same, pairs);
    } else {
        count_agreement(grid.width(), grid.height(), at, image, same, pairs);
    }
    return pairs == 0.0 ? 1.0 : same / pairs;
}

inline bool is_square(const Grid& grid, Cell corner) {
    return corner.x + 1 < grid.width() && corner.y + 1 < grid.height() &&
           grid.steps(corner, Direction::east) && grid.steps(corner, Direction::south) &&
           grid.steps({corner.x, corner.y + 1}, Direction::east) &&
           grid.steps({corner.x + 1, corner.y}, Direction::south);
}

inline std::uint64_t shortest_paths(const Level& level, const std::vector<int>& distance) {
    const Grid& grid = level.grid;
    if (distance[grid.index(level.exit)] < 0) return 0;
    std::vector<std::size_t> order(grid.area());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return distance[i]; });
    std::vector<std::uint64_t> ways(grid.area(), 0);
    for (const std::size_t x : order) {
        if (distance[x] < 0) continue;
        if (distance[x] == 0) ways[x] = 1;
        for (const Cell from : steps_from(grid, grid.cell(x)))
            if (distance[grid.index(from)] == distance[x] - 1)
                ways[x] += std::min(ways[grid.index(from)], ~std::uint64_t{0} - ways[x]);
    }
    return ways[grid.index(level.exit)];
}

/// Numbers of the pockets, from 1 in reading order of their first cells; 0 elsewhere.
inline std::vector<std::uint32_t> pockets(const Grid& grid, const std::vector<int>& distance) {
    std::vector<std::uint32_t> number(grid.area(), 0);
    std::uint32_t last = 0;
    for (std::size_t x = 0; x < grid.area(); ++x) {
        if (grid.is_rock(grid.cell(x)) || distance[x] >= 0 || number[x] != 0) continue;
        const std::vector<int> inside = distances(grid, grid.cell(x));
        ++last;
        for (std::size_t i = 0; i < inside.size(); ++i)
            if (inside[i] >= 0) number[i] = last;
    }
    return number;
}

inline Measures measure(const Level& level) {
    const Grid& grid = level.grid;
    const std::vector<int> distance = distances(grid, level.entrance);
    const FitnessValues values = fitness_values(level);
    Measures m;
    m.exit_path = values.exit_path;
    m.exit_members = values.exit_members;
    m.reconvergence = values.reconvergence;
    m.isolated_reconvergence = values.isolated_reconvergence;
    m.culs_de_sac = values.culs_de_sac;
    m.cul_de_sac_length = values.cul_de_sac_length;
    m.shortest_paths = shortest_paths(level, distance);
    m.farthest = *std::ranges::max_element(distance);
    const std::vector<std::uint32_t> number = pockets(grid, distance);
    m.pockets = *std::ranges::max_element(number);
    std::size_t steps = 0;
    std::size_t all_steps = 0;
    std::set<Cell> in_squares;
    for (std::size_t i = 0; i < grid.area(); ++i) {
        const Cell cell = grid.cell(i);
        const std::size_t degree = steps_from(grid, cell).size();
        all_steps += degree;
        if (!grid.is_rock(cell)) ++m.open_cells;
        if (number[i] != 0) ++m.pocket_cells;
        if (distance[i] < 0) continue;
        ++m.reachable_cells;
        steps += degree;
        if (degree >= 3) ++m.branching_cells;
        if (degree <= 1 && cell != level.entrance && cell != level.exit) ++m.dead_ends;
        if (!is_square(grid, cell)) continue;
        ++m.open_squares;
        in_squares.insert({cell, {cell.x + 1, cell.y}, {cell.x, cell.y + 1}, {cell.x + 1, cell.y + 1}});
    }
    if (m.reachable_cells > 0)
        m.loops = static_cast<std::uint32_t>(steps / 2 + 1 - m.reachable_cells - m.open_squares);
    const double possible = (grid.width() - 1.0) * grid.height() + grid.width() * (grid.height() - 1.0);
    const double area = static_cast<double>(grid.area());
    const std::size_t passages = all_steps / 2; // each is a step both ways
    const double walled = possible - static_cast<double>(passages);
    if (grid.has_walls())
        m.wall_density = possible == 0.0 ? 0.0 : walled / possible;
    else
        m.wall_density = (area - m.open_cells) / area;
    if (m.reachable_cells > 0) m.openness = static_cast<double>(in_squares.size()) / m.reachable_cells;
    m.symmetry_left_right =
        symmetry(grid, [](Cell c, std::uint32_t width, std::uint32_t) { return Cell{width - 1 - c.x, c.y}; });
    m.symmetry_top_bottom = symmetry(
        grid, [](Cell c, std::uint32_t, std::uint32_t height) { return Cell{c.x, height - 1 - c.y}; });
    m.symmetry_rotation = symmetry(grid, [](Cell c, std::uint32_t width, std::uint32_t height) {
        return Cell{width - 1 - c.x, height - 1 - c.y};
    });
    m.rock_cells = static_cast<std::uint32_t>(grid.area()) - m.open_cells;
    return m;
}

inline Cell random_cell(Stream& stream, const Grid& grid) {
    return {stream.below(grid.width()), stream.below(grid.height())};
}

/// A level to try things on: any size up to `largest`, any density, sometimes with walls between cells, with
/// up to 64 checkpoints, and places that may be rock.
inline Level random_level(Stream& stream, std::uint32_t largest, bool walls) {
    const double density = stream.real() * (walls ? 0.3 : 0.7);
    Level level{
        .grid = Grid{1 + stream.below(largest), 1 + stream.below(largest)}, .entrance = {}, .exit = {}};
    Grid& grid = level.grid;
    if (walls) grid.add_walls();
    const double wall_density = stream.real() * 0.6;
    for (std::size_t i = 0; i < grid.area(); ++i) {
        const Cell cell = grid.cell(i);
        grid.set_rock(cell, stream.chance(density));
        if (walls && cell.x + 1 < grid.width()) grid.set_wall_east(cell, stream.chance(wall_density));
        if (walls && cell.y + 1 < grid.height()) grid.set_wall_south(cell, stream.chance(wall_density));
    }
    level.entrance = random_cell(stream, grid);
    level.exit = random_cell(stream, grid);
    if (stream.chance(0.9)) grid.set_rock(level.entrance, false);
    if (stream.chance(0.9)) grid.set_rock(level.exit, false);
    const std::size_t wanted =
        stream.chance(0.2) ? 0 : 1 + stream.below(stream.chance(0.5) ? most_checkpoints : 6);
    for (std::size_t i = 0; i < wanted; ++i) {
        const Cell cell = random_cell(stream, grid);
        if (std::ranges::find(level.checkpoints, cell) == level.checkpoints.end())
            level.checkpoints.push_back(cell);
    }
    return level;
}

/// Direct mazes that share their places, as a batch of them is measured.
struct Sample {
    Places places;
    Population mazes;

    [[nodiscard]] Level level(std::size_t i) const {
        Level level{.grid = Grid{places.width, places.height},
                    .entrance = places.entrance,
                    .exit = places.exit,
                    .checkpoints = places.checkpoints};
        const BitView bits = view_as<BitView>(mazes.space(), mazes.genome(i));
        for (std::size_t c = 0; c < bits.size(); ++c) level.grid.set_rock(level.grid.cell(c), bits[c]);
        return level;
    }
};

inline Places random_places(Stream& stream, std::uint32_t width, std::uint32_t height,
                            std::uint32_t most = 6) {
    const Grid grid{width, height};
    Places places{.width = width,
                  .height = height,
                  .entrance = random_cell(stream, grid),
                  .exit = random_cell(stream, grid)};
    for (std::uint32_t i = stream.below(most + 1); i > 0; --i) {
        const Cell cell = random_cell(stream, grid);
        if (std::ranges::find(places.checkpoints, cell) == places.checkpoints.end())
            places.checkpoints.push_back(cell);
    }
    return places;
}

/// Of mixed densities, with at most so many checkpoints; in most of them entrance and exit are open.
inline Sample random_sample(Stream& stream, std::uint32_t width, std::uint32_t height, std::size_t count,
                            std::uint32_t most = 6) {
    const Places places = random_places(stream, width, height, most);
    const Grid grid{width, height};
    Population mazes{Space::bits(grid.area()), count};
    for (std::size_t i = 0; i < count; ++i) {
        const Bits bits = view_as<Bits>(mazes.space(), mazes.genome(i));
        const double density = stream.real() * 0.7;
        for (std::size_t c = 0; c < bits.size(); ++c) bits.set(c, stream.chance(density));
        if (stream.chance(0.9)) bits.set(grid.index(places.entrance), false);
        if (stream.chance(0.9)) bits.set(grid.index(places.exit), false);
    }
    return {places, std::move(mazes)};
}

} // namespace knossos::maze::reference
