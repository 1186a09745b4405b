#include "maze/steps.hpp"

#include <algorithm>
#include <limits>

namespace knossos::maze {

void StepField::load(const Grid& grid) {
    stride_ = grid.width() + 1;
    walled_ = grid.has_walls();
    blank_.assign((std::size_t{grid.height()} + 2) * stride_ + 1, rock);
    distance_.resize(blank_.size());
    queue_.resize(grid.area() + 4);
    for (std::size_t i = 0; i < grid.area(); ++i)
        if (const Cell cell = grid.cell(i); !grid.is_rock(cell)) blank_[position(cell)] = unseen;
    if (!walled_) return;
    steps_.assign(blank_.size(), 0);
    const auto join = [&](std::uint32_t from, std::uint32_t to, unsigned there, unsigned back) {
        steps_[from] = static_cast<std::uint8_t>(steps_[from] | there);
        steps_[to] = static_cast<std::uint8_t>(steps_[to] | back);
    };
    for (std::size_t i = 0; i < grid.area(); ++i) {
        const Cell cell = grid.cell(i);
        const std::uint32_t at = position(cell);
        if (grid.steps(cell, Direction::east)) join(at, at + 1, 4, 2);
        if (grid.steps(cell, Direction::south)) join(at, at + stride_, 8, 1);
    }
}

// Without branches that depend on the maze: the queue takes every neighbour, and its end moves on only past
// new ones.
template <bool walled>
std::size_t StepField::run(std::uint32_t from) {
    std::ranges::copy(blank_, distance_.begin());
    std::int32_t* const distance = distance_.data();
    std::uint32_t* const queue = queue_.data();
    std::size_t head = 0;
    std::size_t tail = 1;
    queue[0] = from;
    distance[from] = 0;
    while (head != tail) {
        const std::uint32_t at = queue[head++];
        const std::int32_t next = distance[at] + 1;
        const auto look = [&](std::uint32_t to, unsigned direction) {
            const std::int32_t there = distance[to];
            std::uint32_t fresh = static_cast<std::uint32_t>(there) >> 31U;
            if constexpr (walled) fresh &= static_cast<std::uint32_t>(steps_[at]) >> direction;
            distance[to] = fresh != 0 ? next : there;
            queue[tail] = to;
            tail += fresh;
        };
        look(at - stride_, 0);
        look(at - 1, 1);
        look(at + 1, 2);
        look(at + stride_, 3);
    }
    return tail;
}

std::span<const std::uint32_t> StepField::search(std::uint32_t from) {
    return {queue_.data(), walled_ ? run<true>(from) : run<false>(from)};
}

std::uint32_t DiameterFinder::diameter(StepField& field) {
    std::uint32_t longest = 0;
    is_seen_.assign(field.positions(), 0);
    lowest_.resize(field.positions());
    highest_.resize(field.positions());
    for (std::uint32_t at = 0; at < field.positions(); ++at) {
        if (!field.is_open(at) || is_seen_[at] != 0) continue;
        const auto reached = field.search(at);
        candidates_.assign(reached.begin(), reached.end());
        for (const std::uint32_t cell : candidates_) is_seen_[cell] = 1;
        // So few cells can't hold a longer way.
        if (candidates_.size() > longest + 1) longest = diameter_of_part(field, longest);
    }
    return longest;
}

// The field has just been searched from the first of the candidates. If the farthest cell from v is e steps
// away, the farthest from a cell d steps beside v is at most d + e and at least max(d, e − d) away: each
// search narrows the bounds of all cells, and whoever can't be farther from anything than what is known is
// left out. In turns from the cell that may be the farthest out and the one that may be in the middle. F. W.
// Takes, W. A. Kosters: "Determining the diameter of small world networks", 2011.
std::uint32_t DiameterFinder::diameter_of_part(StepField& field, std::uint32_t known) {
    for (const std::uint32_t cell : candidates_) {
        lowest_[cell] = 0;
        highest_[cell] = std::numeric_limits<std::int32_t>::max();
    }
    auto longest = static_cast<std::int32_t>(known);
    std::uint32_t searched = candidates_.front();
    std::int32_t farthest = field.distance(candidates_.back());
    for (bool outwards = true; !candidates_.empty(); outwards = !outwards) {
        longest = std::max(longest, farthest);
        std::uint32_t out = 0;
        std::uint32_t middle = 0;
        std::int32_t out_distance = -1;
        std::size_t kept = 0;
        for (const std::uint32_t cell : candidates_) {
            const std::int32_t distance = field.distance(cell);
            std::int32_t& lowest = lowest_[cell];
            std::int32_t& highest = highest_[cell];
            lowest = std::max({lowest, distance, farthest - distance});
            highest = std::min(highest, farthest + distance);
            if (cell == searched || highest <= longest) continue;
            if (kept == 0 || highest > highest_[out] ||
                (highest == highest_[out] && distance > out_distance)) {
                out = cell;
                out_distance = distance;
            }
            if (kept == 0 || lowest < lowest_[middle]) middle = cell;
            candidates_[kept++] = cell;
        }
        candidates_.resize(kept);
        if (kept == 0) break;
        searched = outwards ? out : middle;
        farthest = field.distance(field.search(searched).back());
    }
    return static_cast<std::uint32_t>(longest);
}

// M. Held, R. M. Karp: "A dynamic programming approach to sequencing problems", 1962: the shortest walk over
// a set of checkpoints that ends at one of them, set by set.
std::int32_t shortest_tour(StepField& field, const Level& level) {
    const std::size_t count = level.checkpoints.size();
    if (count > most_on_tour || level.grid.is_rock(level.entrance) || level.grid.is_rock(level.exit))
        return -1;
    constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max() / 2;
    const auto distance_to = [&](Cell cell) {
        const std::int32_t distance = field.distance(field.position(cell));
        return distance < 0 || level.grid.is_rock(cell) ? none : distance;
    };
    (void)field.search(field.position(level.entrance));
    if (count == 0) return distance_to(level.exit) == none ? -1 : distance_to(level.exit);
    std::vector<std::int32_t> first(count);
    std::vector<std::int32_t> last(count);
    std::vector<std::int32_t> between(count * count);
    for (std::size_t i = 0; i < count; ++i) {
        first[i] = distance_to(level.checkpoints[i]);
        if (first[i] == none) return -1;
    }
    for (std::size_t i = 0; i < count; ++i) {
        (void)field.search(field.position(level.checkpoints[i]));
        last[i] = distance_to(level.exit);
        if (last[i] == none) return -1;
        for (std::size_t j = 0; j < count; ++j) between[i * count + j] = distance_to(level.checkpoints[j]);
    }
    const std::size_t sets = std::size_t{1} << count;
    std::vector<std::int32_t> shortest(sets * count, none);
    for (std::size_t i = 0; i < count; ++i) shortest[(std::size_t{1} << i) * count + i] = first[i];
    for (std::size_t set = 1; set < sets; ++set)
        for (std::size_t i = 0; i < count; ++i) {
            const std::int32_t here = shortest[set * count + i];
            if (here == none) continue;
            for (std::size_t j = 0; j < count; ++j) {
                if ((set >> j & 1U) != 0) continue;
                std::int32_t& there = shortest[(set | std::size_t{1} << j) * count + j];
                there = std::min(there, here + between[i * count + j]);
            }
        }
    std::int32_t best = none;
    for (std::size_t i = 0; i < count; ++i) best = std::min(best, shortest[(sets - 1) * count + i] + last[i]);
    return best;
}

} // namespace knossos::maze
