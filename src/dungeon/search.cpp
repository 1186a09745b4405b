#include "dungeon/search.hpp"

#include <knossos/core/error.hpp>
#include <knossos/core/text.hpp>
#include <knossos/dungeon/judge.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace knossos::dungeon {

namespace {

// Conditions that a table starts with room for, twice over.
constexpr std::size_t first_table = 64;

} // namespace

bool Search::finds_exit(const Ground& ground) { return run(ground, false); }

bool Search::reach_all(const Ground& ground) { return run(ground, true); }

bool Search::run(const Ground& ground, bool to_the_end) {
    ground_ = &ground;
    pieces_ = ground.pieces().size();
    words_ = (colours + std::size_t{ground.small_keys()} + ground.small_doors() + 63) / 64;
    bits_.assign(words_, 0);
    spare_.assign(1, 0);
    marks_.assign(pieces_, 0);
    changes_.clear();
    first_change_.clear();
    wanted_.assign(words_, 0);
    table_.assign(first_table, Ground::none);
    table_[slot_of(bits(0))] = 0;
    marks_[ground.piece_of(ground.entrance())] = reached;
    bool found = false;
    for (std::uint32_t condition = 0; condition < spare_.size(); ++condition) {
        first_change_.push_back(static_cast<std::uint32_t>(changes_.size()));
        found = expand(condition) || found;
        if (found && !to_the_end) return true;
        if (spare_.size() * ground.size() > most_states)
            throw InvalidInput{fmt::format(
                "the dungeon has more than {} states (its open cells, times the ways in which keys can have "
                "been taken and doors opened); it needs fewer cells, small keys or locked doors",
                thousands(most_states))};
    }
    return found;
}

// All that can be walked to within a condition; whether that is the exit, too.
bool Search::expand(std::uint32_t condition) {
    const auto& pieces = ground_->pieces();
    const auto& edges = ground_->edges();
    const std::size_t base = condition * pieces_;
    bool found = false;
    stack_.clear();
    for (std::uint32_t piece = 0; piece < pieces_; ++piece)
        if ((marks_[base + piece] & reached) != 0) stack_.push_back(piece);
    while (!stack_.empty()) {
        const std::uint32_t from = stack_.back();
        stack_.pop_back();
        for (std::uint32_t e = pieces[from].first_out; e != Ground::none; e = edges[e].next_out) {
            const std::uint32_t to = edges[e].to;
            if ((marks_[base + to] & (reached | changed_here)) != 0) continue;
            const Ground::Piece& piece = pieces[to];
            if (piece.tile == Tile::exit) found = true;
            if (is_passed(condition, piece)) {
                marks_[base + to] |= reached;
                stack_.push_back(to);
            } else if (may_enter(condition, piece)) {
                marks_[base + to] |= changed_here;
                change(condition, to);
            }
        }
    }
    return found;
}

std::size_t Search::bit_of(const Ground::Piece& piece) const {
    if (piece.tile == Tile::small_key) return colours + piece.number;
    if (piece.tile == Tile::small_door) return std::size_t{colours} + ground_->small_keys() + piece.number;
    return colour_of(piece.tile);
}

bool Search::is_passed(std::size_t condition, const Ground::Piece& piece) const {
    if (!is_key(piece.tile) && !is_door(piece.tile)) return true;
    return has(condition, bit_of(piece)); // a coloured door is open to whoever has its key
}

bool Search::may_enter(std::uint32_t condition, const Ground::Piece& piece) const {
    if (is_key(piece.tile)) return true;
    return piece.tile == Tile::small_door && spare_[condition] > 0;
}

void Search::change(std::uint32_t condition, std::uint32_t piece) {
    const Tile tile = ground_->pieces()[piece].tile;
    const int spare = tile == Tile::small_key ? 1 : tile == Tile::small_door ? -1 : 0;
    const std::uint32_t to = find_or_add(condition, bit_of(ground_->pieces()[piece]), spare);
    marks_[to * pieces_ + piece] |= reached;
    changes_.push_back({piece, to});
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
    marks_.resize(marks_.size() + pieces_, 0);
    if (2 * spare_.size() > table_.size()) grow_table();
    return added;
}

void Search::grow_table() {
    table_.assign(table_.size() * 4, Ground::none);
    for (std::uint32_t condition = 0; condition < spare_.size(); ++condition)
        table_[slot_of(bits(condition))] = condition;
}

// Backwards from the exit, the last conditions first.
void Search::find_winning() {
    const auto& pieces = ground_->pieces();
    const auto& edges = ground_->edges();
    for (std::size_t condition = spare_.size(); condition-- > 0;) {
        const std::size_t base = condition * pieces_;
        const auto spread_from = [&](std::uint32_t to) {
            for (std::uint32_t e = pieces[to].first_in; e != Ground::none; e = edges[e].next_in) {
                std::uint8_t& mark = marks_[base + edges[e].from];
                if ((mark & (reached | winning)) != reached) continue;
                mark |= winning;
                stack_.push_back(edges[e].from);
            }
        };
        const std::uint32_t exit = ground_->piece_of(ground_->exit());
        stack_.clear();
        if ((marks_[base + exit] & reached) != 0) {
            marks_[base + exit] |= winning;
            spread_from(exit);
        }
        for (const Change& one : changes(condition))
            if (is_winning(one.to, one.piece)) spread_from(one.piece);
        while (!stack_.empty()) {
            const std::uint32_t piece = stack_.back();
            stack_.pop_back();
            spread_from(piece);
        }
    }
}

std::uint32_t Search::fewest_monsters() {
    const auto& pieces = ground_->pieces();
    const auto& edges = ground_->edges();
    now_.clear();
    later_.assign(1, ground_->piece_of(ground_->entrance()));
    for (std::uint32_t met = 0;; ++met) {
        now_.swap(later_);
        later_.clear();
        while (!now_.empty()) {
            const std::uint64_t state = now_.back();
            now_.pop_back();
            if ((marks_[state] & settled) != 0) continue;
            marks_[state] |= settled;
            const std::size_t condition = state / pieces_;
            const auto& from = pieces[state % pieces_];
            if (from.tile == Tile::exit) return met;
            for (std::uint32_t e = from.first_out; e != Ground::none; e = edges[e].next_out) {
                const std::uint32_t to = edges[e].to;
                std::size_t next = condition * pieces_ + to;
                if ((marks_[next] & reached) == 0) {
                    const std::uint32_t after = changed(condition, to);
                    if (after == Ground::none) continue;
                    next = after * pieces_ + to;
                }
                if ((marks_[next] & settled) != 0) continue;
                (pieces[to].tile == Tile::monster ? later_ : now_).push_back(next);
            }
        }
    }
}

bool Search::dominates(std::size_t first, std::size_t second) const {
    const std::size_t doors = std::size_t{colours} + ground_->small_keys();
    for (std::size_t word = 0; word < words_; ++word) {
        const std::uint64_t a = bits_[first * words_ + word];
        const std::uint64_t b = bits_[second * words_ + word];
        // Bits of small doors must be equal, those of keys may be more.
        const std::uint64_t keys = doors >= 64 * (word + 1) ? ~std::uint64_t{0}
                                   : doors <= 64 * word     ? 0
                                                            : (std::uint64_t{1} << (doors - 64 * word)) - 1;
        if ((b & ~a) != 0 || ((a & ~b) & ~keys) != 0) return false;
    }
    return true;
}

} // namespace knossos::dungeon
