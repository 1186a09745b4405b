#include "dungeon/walks.hpp"

#include <algorithm>

namespace knossos::dungeon {

void find_distances(const Ground& ground, std::uint32_t from, std::vector<std::int32_t>& distances,
                    std::vector<std::uint32_t>& queue) {
    distances.assign(ground.area(), -1);
    distances[from] = 0;
    queue.assign(1, from);
    for (std::size_t at = 0; at < queue.size(); ++at) {
        const std::uint32_t cell = queue[at];
        for (const Step step : all_steps) {
            const std::uint32_t next = ground.step(cell, step);
            if (next == Ground::none || distances[next] >= 0) continue;
            distances[next] = distances[cell] + 1;
            queue.push_back(next);
        }
    }
}

// Whether the level fits and act(its legs) is true.
template <class Act>
bool Walks::with_legs(const Ground& ground, Act act) {
    if (Board<std::uint16_t, 16>::holds(ground.level())) return act(narrow_);
    if (Board<std::uint32_t, 32>::holds(ground.level())) return act(wider_);
    if (Board<std::uint64_t, 64>::holds(ground.level())) return act(widest_);
    return false;
}

void Walks::visit(const Ground& ground, std::uint32_t cell, std::uint32_t condition, std::uint32_t before) {
    visited_[condition * ground.area() + cell] = 1;
    places_.push_back({cell, condition, before});
}

void Walks::trace(std::uint32_t last) {
    walk_.clear();
    for (std::uint32_t at = last; at != Ground::none; at = places_[at].before)
        walk_.push_back(places_[at].cell);
    std::ranges::reverse(walk_);
}

// The number of the last place, none if there is no way. Ends where is_end(place) says, and does not go where
// leads_on(place) says that there is no such end. Walks are extended in the order in which they were found,
// so that the first is found first.
template <class IsEnd, class LeadsOn>
std::uint32_t Walks::find(const Ground& ground, const Search& search, IsEnd is_end, LeadsOn leads_on) {
    places_.clear();
    visited_.assign(search.conditions() * ground.area(), 0);
    visit(ground, ground.entrance(), 0, Ground::none);
    for (std::uint32_t at = 0; at < places_.size(); ++at) {
        const auto [cell, condition, before] = places_[at];
        if (is_end(cell, condition)) return at;
        for (const Step step : all_steps) {
            const std::uint32_t next = ground.step(cell, step);
            if (next == Ground::none) continue;
            const std::uint32_t there = search.condition_there(condition, next);
            if (there == Ground::none || visited_[there * ground.area() + next] != 0 ||
                !leads_on(next, there))
                continue;
            visit(ground, next, there, at);
        }
    }
    return Ground::none;
}

void Walks::begin(const Ground& ground) {
    by_legs_ = with_legs(ground, [&](auto& legs) { return legs.measure(ground); });
}

const Walk& Walks::to_exit(const Ground& ground, const Search& search) {
    if (by_legs_)
        with_legs(ground, [&](auto& legs) {
            legs.to_exit(ground, search, walk_);
            return true;
        });
    else
        trace(find(
            ground, search, [&](std::uint32_t cell, std::uint32_t) { return cell == ground.exit(); },
            [](std::uint32_t, std::uint32_t) { return true; }));
    return walk_;
}

const Walk& Walks::to_loss(const Ground& ground, const Search& search) {
    walk_.clear();
    if (!search.is_losable(0, ground.piece_of(ground.entrance()))) return walk_;
    trace(find(
        ground, search,
        [&](std::uint32_t cell, std::uint32_t condition) {
            return !search.is_winning(condition, ground.piece_of(cell));
        },
        [&](std::uint32_t cell, std::uint32_t condition) {
            return search.is_losable(condition, ground.piece_of(cell));
        }));
    return walk_;
}

std::int32_t Walks::exit_path(const Ground& ground) {
    std::int32_t steps = -1;
    if (by_legs_) {
        with_legs(ground, [&](auto& legs) {
            steps = legs.exit_path();
            return true;
        });
        return steps;
    }
    find_distances(ground, ground.entrance(), distances_, queue_);
    return distances_[ground.exit()];
}

} // namespace knossos::dungeon
