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
    const std::size_t open = ground.size();
    stride_ = open + 1;
    // A cell past the last stands for steps that can't be made.
    steps_.resize(open);
    row_.assign(stride_, visited);
    for (std::size_t i = 0; i < open; ++i) {
        const Tile tile = ground.tile(i);
        row_[i] = is_key(tile) || is_door(tile) || tile == Tile::exit ? to_ask : free;
        for (std::size_t d = 0; d < 4; ++d)
            steps_[i][d] = std::min(ground.steps(i)[d], static_cast<std::uint32_t>(open));
    }
    marks_.resize(search.conditions() * stride_);
    for (std::size_t condition = 0; condition < search.conditions(); ++condition)
        std::ranges::copy(row_, marks_.begin() + static_cast<std::ptrdiff_t>(condition * stride_));
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
    marks_[condition * stride_ + cell] = visited;
    for (std::uint32_t i = first_dominated_[condition]; i < first_dominated_[condition + 1]; ++i)
        marks_[dominated_[i] * stride_ + cell] = visited;
    places_.push_back({cell, condition, before});
}

// All neighbours that can be stepped on without asking, without a branch for each; whether there are others.
bool Walks::visit_free(std::uint32_t at) {
    const auto [cell, condition, before] = places_[at];
    const auto& next = steps_[cell];
    std::uint8_t* const here = marks_.data() + condition * stride_;
    const std::size_t found = places_.size();
    places_.resize(found + 4);
    Place* to = places_.data() + found;
    bool others = false;
    for (std::size_t d = 0; d < 4; ++d) {
        std::uint8_t& mark = here[next[d]];
        *to = {next[d], condition, at};
        to += mark == free ? 1 : 0;
        others = others || mark == to_ask;
        mark = mark == free ? visited : mark;
    }
    places_.resize(static_cast<std::size_t>(to - places_.data()));
    for (std::uint32_t i = first_dominated_[condition]; i < first_dominated_[condition + 1]; ++i) {
        std::uint8_t* const below = marks_.data() + dominated_[i] * stride_;
        for (std::size_t d = 0; d < 4; ++d)
            below[next[d]] = below[next[d]] == free ? visited : below[next[d]];
    }
    return others;
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
    visit(ground_->entrance(), 0, Ground::none);
    for (std::uint32_t at = 0; at < places_.size(); ++at) {
        const std::size_t found = places_.size();
        if (!visit_free(at)) continue;
        // In their order among the free ones: those are taken back and found again one by one.
        while (places_.size() > found) {
            marks_[places_.back().condition * stride_ + places_.back().cell] = free;
            places_.pop_back();
        }
        const auto [cell, condition, before] = places_[at];
        for (const std::uint32_t next : steps_[cell]) {
            const std::uint8_t mark = marks_[condition * stride_ + next];
            if (mark == visited) continue;
            if (next == ground_->exit()) {
                visit(next, condition, at);
                return static_cast<std::uint32_t>(places_.size() - 1);
            }
            const std::uint32_t there = mark == free ? condition : condition_there(next, condition);
            if (there != Ground::none && marks_[there * stride_ + next] != visited) visit(next, there, at);
        }
    }
    return Ground::none;
}

std::uint32_t Walks::find_loss() {
    visit(ground_->entrance(), 0, Ground::none);
    for (std::uint32_t at = 0; at < places_.size(); ++at) {
        const auto [cell, condition, before] = places_[at];
        if (!search_->is_winning(condition, ground_->piece_of(cell))) return at;
        if (cell == ground_->exit()) continue;
        for (const std::uint32_t next : ground_->steps(cell)) {
            if (next == Ground::none) continue;
            const std::uint32_t there = condition_there(next, condition);
            if (there == Ground::none || marks_[there * stride_ + next] == visited) continue;
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
