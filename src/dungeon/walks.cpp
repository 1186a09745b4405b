#include "dungeon/walks.hpp"

#include <algorithm>

namespace knossos::dungeon {

namespace {

// Among more conditions, looking at every two takes longer than it saves.
constexpr std::size_t most_compared = 64;

} // namespace

void Walks::begin(const Ground& ground, const Search& search) {
    ground_ = &ground;
    search_ = &search;
    visited_.assign(search.conditions() * ground.size(), 0);
    plain_.resize(ground.size());
    for (std::size_t i = 0; i < ground.size(); ++i) {
        const Tile tile = ground.tile(i);
        plain_[i] = !is_key(tile) && !is_door(tile) && tile != Tile::exit ? 1 : 0;
    }
    places_.clear();
    dominated_.clear();
    first_dominated_.assign(search.conditions() + 1, 0);
}

// Whoever comes to a cell later and with fewer keys, all else being equal, can't do better.
void Walks::find_dominated(const Search& search) {
    if (search.conditions() > most_compared) return;
    for (std::size_t condition = 0; condition < search.conditions(); ++condition) {
        first_dominated_[condition] = static_cast<std::uint32_t>(dominated_.size());
        for (std::size_t other = 0; other < condition; ++other)
            if (search.dominates(condition, other)) dominated_.push_back(static_cast<std::uint32_t>(other));
    }
    first_dominated_[search.conditions()] = static_cast<std::uint32_t>(dominated_.size());
}

void Walks::visit(std::uint32_t cell, std::uint32_t condition, std::uint32_t before) {
    const std::size_t open = ground_->size();
    visited_[condition * open + cell] = 1;
    for (std::uint32_t i = first_dominated_[condition]; i < first_dominated_[condition + 1]; ++i)
        visited_[dominated_[i] * open + cell] = 1;
    places_.push_back({cell, condition, before});
}

std::uint32_t Walks::condition_there(std::uint32_t cell, std::uint32_t condition) const {
    const std::uint32_t piece = ground_->piece_of(cell);
    if (search_->is_passed(condition, ground_->pieces()[piece])) return condition;
    return search_->changed(condition, piece);
}

void Walks::trace(std::uint32_t last) {
    walk_.clear();
    for (std::uint32_t at = last; at != Ground::none; at = places_[at].before)
        walk_.push_back(places_[at].cell);
    std::ranges::reverse(walk_);
}

// The number of the last place, none if there is no way.
std::uint32_t Walks::find_exit() {
    const std::size_t open = ground_->size();
    const std::uint32_t exit = ground_->exit();
    visit(ground_->entrance(), 0, Ground::none);
    for (std::uint32_t at = 0; at < places_.size(); ++at) {
        const auto [cell, condition, before] = places_[at];
        const std::uint8_t* const seen = visited_.data() + condition * open;
        for (const std::uint32_t next : ground_->steps(cell)) {
            if (next == Ground::none || seen[next] != 0) continue;
            if (plain_[next] != 0) {
                visit(next, condition, at);
                continue;
            }
            if (next == exit) {
                visit(next, condition, at);
                return static_cast<std::uint32_t>(places_.size() - 1);
            }
            const std::uint32_t there = condition_there(next, condition);
            if (there == Ground::none || visited_[there * open + next] != 0) continue;
            visit(next, there, at);
        }
    }
    return Ground::none;
}

std::uint32_t Walks::find_loss() {
    const std::size_t open = ground_->size();
    visit(ground_->entrance(), 0, Ground::none);
    for (std::uint32_t at = 0; at < places_.size(); ++at) {
        const auto [cell, condition, before] = places_[at];
        if (!search_->is_winning(condition, ground_->piece_of(cell))) return at;
        if (cell == ground_->exit()) continue;
        for (const std::uint32_t next : ground_->steps(cell)) {
            if (next == Ground::none) continue;
            const std::uint32_t there = condition_there(next, condition);
            if (there == Ground::none || visited_[there * open + next] != 0) continue;
            visit(next, there, at);
        }
    }
    return Ground::none;
}

const Walk& Walks::to_exit(const Ground& ground, const Search& search) {
    begin(ground, search);
    find_dominated(search);
    trace(find_exit());
    return walk_;
}

const Walk& Walks::to_loss(const Ground& ground, const Search& search) {
    begin(ground, search);
    trace(find_loss());
    return walk_;
}

} // namespace knossos::dungeon
