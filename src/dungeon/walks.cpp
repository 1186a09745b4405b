#include "dungeon/walks.hpp"

#include <algorithm>

namespace knossos::dungeon {

namespace {

// As many conditions as a word has bits.
constexpr std::size_t most_compared = 64;

} // namespace

void Walks::begin(const Ground& ground, const Search& search) {
    ground_ = &ground;
    search_ = &search;
}

void Walks::visit(std::uint32_t cell, std::uint32_t condition, std::uint32_t before) {
    visited_[condition * ground_->size() + cell] = 1;
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

// The number of the last place, none if there is no way. Ends where is_end(place) says.
template <class IsEnd>
std::uint32_t Walks::find(IsEnd is_end) {
    const std::size_t open = ground_->size();
    places_.clear();
    visited_.assign(search_->conditions() * open, 0);
    visit(ground_->entrance(), 0, Ground::none);
    for (std::uint32_t at = 0; at < places_.size(); ++at) {
        const auto [cell, condition, before] = places_[at];
        if (is_end(cell, condition)) return at;
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

// What find_exit_among_few() needs of the ground: a cell past the last stands for steps that can't be made,
// and whoever has a key, a door or the exit beside it is looked at closely.
void Walks::prepare_few() {
    const std::size_t open = ground_->size();
    const std::size_t conditions = search_->conditions();
    steps_.resize(open);
    among_.assign(open + 1, 0);
    among_[open] = ~std::uint64_t{0};
    closely_.assign(open + 1, 0);
    for (std::size_t i = 0; i < open; ++i) {
        const Tile tile = ground_->tile(i);
        const bool asks = is_key(tile) || is_door(tile) || tile == Tile::exit;
        for (std::size_t d = 0; d < 4; ++d)
            steps_[i][d] = std::min(ground_->steps(i)[d], static_cast<std::uint32_t>(open));
        if (!asks) continue;
        for (const std::uint32_t beside : ground_->beside(i))
            closely_[std::min(beside, static_cast<std::uint32_t>(open))] = 1;
    }
    covered_.assign(conditions, 0);
    for (std::size_t condition = 0; condition < conditions; ++condition)
        for (std::size_t other = 0; other <= condition; ++other)
            if (search_->dominates(condition, other)) covered_[condition] |= std::uint64_t{1} << other;
    if (places_.size() < open * conditions + 4) places_.resize(open * conditions + 4);
}

// The same for up to 64 conditions: who has been to a cell is one word, and whoever comes there later and
// with fewer keys, all else being equal, has been there as well, as nothing better can come of it. Most cells
// are left without a branch for each step, which no processor could guess.
std::uint32_t Walks::find_exit_among_few() {
    prepare_few();
    const std::uint32_t exit = ground_->exit();
    std::uint64_t* const among = among_.data();
    Place* const places = places_.data();
    std::uint32_t found = 0;
    const auto visit_it = [&](std::uint32_t cell, std::uint32_t condition, std::uint32_t before) {
        among[cell] |= covered_[condition];
        places[found++] = {cell, condition, before};
    };
    visit_it(ground_->entrance(), 0, Ground::none);
    for (std::uint32_t at = 0; at < found; ++at) {
        const std::uint32_t cell = places[at].cell;
        const std::uint32_t condition = places[at].condition;
        const Ground::Steps next = steps_[cell];
        if (closely_[cell] == 0) {
            const std::uint64_t covered = covered_[condition];
            for (std::size_t d = 0; d < 4; ++d) {
                const std::uint64_t been = among[next[d]];
                places[found] = {next[d], condition, at};
                found += static_cast<std::uint32_t>(~been >> condition & 1U);
                among[next[d]] = been | covered;
            }
            continue;
        }
        for (const std::uint32_t to : next) {
            if (to == ground_->size()) continue;
            const std::uint32_t there = condition_there(to, condition);
            if (there == Ground::none || (among[to] >> there & 1U) != 0) continue;
            visit_it(to, there, at);
            if (to == exit) return found - 1;
        }
    }
    return Ground::none;
}

const Walk& Walks::to_exit(const Ground& ground, const Search& search) {
    begin(ground, search);
    trace(search.conditions() <= most_compared
              ? find_exit_among_few()
              : find([&](std::uint32_t cell, std::uint32_t) { return cell == ground.exit(); }));
    return walk_;
}

const Walk& Walks::to_loss(const Ground& ground, const Search& search) {
    begin(ground, search);
    trace(find([&](std::uint32_t cell, std::uint32_t condition) {
        return !search.is_winning(condition, ground.piece_of(cell));
    }));
    return walk_;
}

} // namespace knossos::dungeon
