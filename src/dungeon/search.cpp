#include "dungeon/search.hpp"

#include <knossos/core/error.hpp>
#include <knossos/core/text.hpp>
#include <knossos/dungeon/judge.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace knossos::dungeon {

namespace {

// Conditions that a table starts with room for, twice over.
constexpr std::size_t first_table = 64;

std::uint32_t lowest(std::uint64_t bits) { return static_cast<std::uint32_t>(std::countr_zero(bits)); }

} // namespace

// What was found last is looked at first, as it has the most doors open. A condition is looked at again when
// somebody comes to it on another piece.
bool Search::finds_exit(const Ground& ground) {
    begin(ground);
    open_.assign(1, 0);
    while (!open_.empty()) {
        const std::uint32_t condition = open_.back();
        open_.pop_back();
        if (expand(condition)) return true;
        check_states();
    }
    return false;
}

bool Search::reach_all(const Ground& ground) {
    begin(ground);
    bool found = false;
    for (std::uint32_t condition = 0; condition < spare_.size(); ++condition) {
        first_change_.push_back(static_cast<std::uint32_t>(changes_.size()));
        found = expand(condition) || found;
        check_states();
    }
    return found;
}

void Search::begin(const Ground& ground) {
    ground_ = &ground;
    row_ = (ground.pieces().size() + 63) / 64;
    words_ = (colours + std::size_t{ground.small_keys()} + ground.small_doors() + 63) / 64;
    bits_.assign(words_, 0);
    spare_.assign(1, 0);
    reached_.assign(row_, 0);
    set(reached_, 0, ground.piece_of(ground.entrance()));
    changes_.clear();
    first_change_.clear();
    open_.clear();
    wanted_.assign(words_, 0);
    table_.assign(first_table, Ground::none);
    table_[slot_of(bits(0))] = 0;
    if (row_ == 1) link_pieces();
}

void Search::link_pieces() {
    const auto& pieces = ground_->pieces();
    const auto bit = [](std::uint32_t piece) { return std::uint64_t{1} << piece; };
    out_.assign(pieces.size(), 0);
    in_.assign(pieces.size(), 0);
    for (const Ground::Edge& edge : ground_->edges()) {
        out_[edge.from] |= bit(edge.to);
        in_[edge.to] |= bit(edge.from);
    }
    by_bit_.assign(std::size_t{colours} + ground_->small_keys() + ground_->small_doors(), 0);
    passed_.assign(1, ~std::uint64_t{0});
    keys_ = small_doors_ = 0;
    for (const std::uint32_t piece : ground_->specials()) {
        const Ground::Piece& its = pieces[piece];
        if (its.bit == Ground::none) continue;
        by_bit_[its.bit] |= bit(piece);
        passed_[0] &= ~bit(piece);
        if (is_key(its.tile)) keys_ |= bit(piece);
        if (its.tile == Tile::small_door) small_doors_ |= bit(piece);
    }
}

void Search::check_states() const {
    if (spare_.size() * ground_->open_cells() > most_states)
        throw TooManyStates{fmt::format(
            "the dungeon has more than {} states (its open cells, times the ways in which keys can have "
            "been taken and doors opened); it needs fewer cells, small keys or locked doors",
            thousands(most_states))};
}

// All that can be walked to within a condition; whether that is the exit, too.
bool Search::expand(std::uint32_t condition) {
    if (row_ == 1) return expand_one_word(condition);
    const auto& pieces = ground_->pieces();
    const auto& edges = ground_->edges();
    bool found = false;
    changing_.assign(row_, 0);
    stack_.clear();
    for (std::size_t word = 0; word < row_; ++word)
        for (std::uint64_t rest = reached_[condition * row_ + word]; rest != 0; rest &= rest - 1)
            stack_.push_back(static_cast<std::uint32_t>(64 * word) + lowest(rest));
    while (!stack_.empty()) {
        const std::uint32_t from = stack_.back();
        stack_.pop_back();
        for (std::uint32_t e = pieces[from].first_out; e != Ground::none; e = edges[e].next_out) {
            const std::uint32_t to = edges[e].to;
            if (has(reached_, condition, to) || has(changing_, 0, to)) continue;
            const Ground::Piece& piece = pieces[to];
            if (piece.tile == Tile::exit) found = true;
            if (is_passed(condition, piece)) {
                set(reached_, condition, to);
                stack_.push_back(to);
            } else if (may_enter(condition, piece)) {
                set(changing_, 0, to);
                change(condition, to);
            }
        }
    }
    return found;
}

bool Search::expand_one_word(std::uint32_t condition) {
    const std::uint64_t passed = passed_[condition];
    std::uint64_t reached = reached_[condition];
    std::uint64_t near = 0;
    for (std::uint64_t rest = reached; rest != 0;) {
        const std::uint64_t next = out_[lowest(rest)];
        near |= next;
        rest = (rest & (rest - 1)) | (next & passed & ~reached);
        reached |= next & passed;
    }
    reached_[condition] = reached;
    const std::uint64_t enterable = keys_ | (spare_[condition] > 0 ? small_doors_ : 0);
    for (std::uint64_t rest = near & ~passed & enterable; rest != 0; rest &= rest - 1)
        change(condition, lowest(rest));
    return (reached >> ground_->piece_of(ground_->exit()) & 1U) != 0;
}

bool Search::may_enter(std::uint32_t condition, const Ground::Piece& piece) const {
    if (is_key(piece.tile)) return true;
    return piece.tile == Tile::small_door && spare_[condition] > 0;
}

void Search::change(std::uint32_t condition, std::uint32_t piece) {
    const Tile tile = ground_->pieces()[piece].tile;
    const int spare = tile == Tile::small_key ? 1 : tile == Tile::small_door ? -1 : 0;
    const std::uint32_t to = find_or_add(condition, ground_->pieces()[piece].bit, spare);
    changes_.push_back({piece, to});
    if (has(reached_, to, piece)) return;
    set(reached_, to, piece);
    open_.push_back(to);
}

std::size_t Search::slot_of(std::span<const std::uint64_t> bits) const {
    std::uint64_t hash = 0;
    for (const std::uint64_t word : bits) hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
    std::size_t slot = (hash >> 32U) & (table_.size() - 1);
    while (table_[slot] != Ground::none &&
           !std::equal(bits.begin(), bits.end(),
                       bits_.begin() + static_cast<std::ptrdiff_t>(std::size_t{table_[slot]} * words_)))
        slot = (slot + 1) & (table_.size() - 1);
    return slot;
}

std::uint32_t Search::find_or_add(std::uint32_t from, std::size_t bit, int spare) {
    const auto before = bits(from);
    std::copy(before.begin(), before.end(), wanted_.begin());
    wanted_[bit / 64] |= std::uint64_t{1} << bit % 64;
    const std::size_t slot = slot_of(wanted_);
    if (table_[slot] != Ground::none) return table_[slot];
    const auto added = static_cast<std::uint32_t>(spare_.size());
    table_[slot] = added;
    bits_.insert(bits_.end(), wanted_.begin(), wanted_.end());
    spare_.push_back(spare_[from] + spare);
    reached_.resize(reached_.size() + row_, 0);
    if (row_ == 1) passed_.push_back(passed_[from] | by_bit_[bit]);
    if (2 * spare_.size() > table_.size()) grow_table();
    return added;
}

void Search::grow_table() {
    table_.assign(table_.size() * 4, Ground::none);
    for (std::uint32_t condition = 0; condition < spare_.size(); ++condition)
        table_[slot_of(bits(condition))] = condition;
}

// Backwards from the pieces that begin(mark) marks; the conditions after this one are done.
template <class Begin>
void Search::spread_back(Words& found, std::size_t condition, Begin begin) {
    const auto& pieces = ground_->pieces();
    const auto& edges = ground_->edges();
    const auto mark = [&](std::uint32_t piece) {
        if (!is_reached(condition, piece) || has(found, condition, piece)) return;
        set(found, condition, piece);
        stack_.push_back(piece);
    };
    const auto spread_from = [&](std::uint32_t to) {
        for (std::uint32_t e = pieces[to].first_in; e != Ground::none; e = edges[e].next_in)
            mark(edges[e].from);
    };
    stack_.clear();
    begin(mark);
    for (const Change& one : changes(condition))
        if (has(found, one.to, one.piece)) spread_from(one.piece);
    while (!stack_.empty()) {
        const std::uint32_t piece = stack_.back();
        stack_.pop_back();
        spread_from(piece);
    }
}

void Search::find_winning_one_word(std::size_t condition) {
    const std::uint64_t reached = reached_[condition];
    std::uint64_t winning = reached & std::uint64_t{1} << ground_->piece_of(ground_->exit());
    for (const Change& one : changes(condition))
        if (is_winning(one.to, one.piece)) winning |= in_[one.piece] & reached;
    for (std::uint64_t rest = winning; rest != 0 && winning != reached;) {
        const std::uint64_t before = in_[lowest(rest)] & reached;
        rest = (rest & (rest - 1)) | (before & ~winning);
        winning |= before;
    }
    winning_[condition] = winning;
}

void Search::find_winning() {
    const std::uint32_t exit = ground_->piece_of(ground_->exit());
    winning_.assign(reached_.size(), 0);
    for (std::size_t condition = spare_.size(); condition-- > 0;) {
        if (row_ == 1)
            find_winning_one_word(condition);
        else
            spread_back(winning_, condition, [&](auto mark) { mark(exit); });
    }
}

void Search::find_losable() {
    losable_.assign(reached_.size(), 0);
    for (std::size_t condition = spare_.size(); condition-- > 0;)
        spread_back(losable_, condition, [&](auto mark) {
            for (std::uint32_t piece = 0; piece < ground_->pieces().size(); ++piece)
                if (!is_winning(condition, piece)) mark(piece);
        });
}

std::uint32_t Search::fewest_monsters() {
    const auto& pieces = ground_->pieces();
    const auto& edges = ground_->edges();
    now_.clear();
    later_.assign(1, {0, ground_->piece_of(ground_->entrance())});
    settled_.assign(reached_.size(), 0);
    for (std::uint32_t met = 0;; ++met) {
        now_.swap(later_);
        later_.clear();
        while (!now_.empty()) {
            const State state = now_.back();
            now_.pop_back();
            if (has(settled_, state.condition, state.piece)) continue;
            set(settled_, state.condition, state.piece);
            const Ground::Piece& from = pieces[state.piece];
            if (from.tile == Tile::exit) return met;
            for (std::uint32_t e = from.first_out; e != Ground::none; e = edges[e].next_out) {
                State next{state.condition, edges[e].to};
                if (!is_reached(next.condition, next.piece)) {
                    next.condition = changed(next.condition, next.piece);
                    if (next.condition == Ground::none) continue;
                }
                if (has(settled_, next.condition, next.piece)) continue;
                (pieces[next.piece].tile == Tile::monster ? later_ : now_).push_back(next);
            }
        }
    }
}

} // namespace knossos::dungeon
