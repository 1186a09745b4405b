#pragma once

#include "dungeon/ground.hpp"

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace knossos::dungeon {

/// What walks can come to, piece by piece. A *condition* is which keys have been taken and which doors
/// opened; a state is a condition and a piece. Every key and every door leads to a condition with one more,
/// so conditions are worked through in the order in which they are found: all that lead to one come before.
class Search {
  public:
    /// Taking the key, or opening the door, of a piece.
    struct Change {
        std::uint32_t piece;
        std::uint32_t to; ///< the condition that it leads to
    };

    /// Looks for the exit, and ends where it is found or nowhere. Throws InvalidInput if the states are too
    /// many: see most_states.
    bool finds_exit(const Ground& ground);
    /// All that can be reached; whether the exit is among it.
    bool reach_all(const Ground& ground);
    /// Of all that can be reached, what the exit can be reached from.
    void find_winning();
    /// Of all that can be reached, what leads to where the exit can't be reached from. After find_winning().
    void find_losable();
    /// The fewest monsters on any walk to the exit, which must be among what can be reached; monsters must
    /// be pieces.
    std::uint32_t fewest_monsters();

    [[nodiscard]] std::size_t conditions() const { return spare_.size(); }
    [[nodiscard]] std::span<const Change> changes(std::size_t condition) const {
        const std::size_t end =
            condition + 1 < first_change_.size() ? first_change_[condition + 1] : changes_.size();
        return std::span{changes_}.subspan(first_change_[condition], end - first_change_[condition]);
    }
    /// Where a change leads, none if there is no such change.
    [[nodiscard]] std::uint32_t changed(std::size_t condition, std::uint32_t piece) const {
        for (const Change& one : changes(condition))
            if (one.piece == piece) return one.to;
        return Ground::none;
    }
    /// Whether a door has been opened, or a key taken: whether one walks through without a change.
    [[nodiscard]] bool is_passed(std::size_t condition, const Ground::Piece& piece) const {
        // A coloured door is open to whoever has its key.
        return piece.bit == Ground::none || has(condition, piece.bit);
    }
    /// The condition in which one stands on a cell when coming there in another; none if one may not.
    [[nodiscard]] std::uint32_t condition_there(std::uint32_t condition, std::uint32_t cell) const {
        const std::uint32_t piece = ground_->piece_of(cell);
        return is_passed(condition, ground_->pieces()[piece]) ? condition : changed(condition, piece);
    }
    [[nodiscard]] bool is_reached(std::size_t condition, std::size_t piece) const {
        return has(reached_, condition, piece);
    }
    /// Calls act(piece).
    template <class Act>
    void for_each_reached(std::size_t condition, Act act) const {
        for (std::size_t word = 0; word < row_; ++word)
            for (std::uint64_t rest = reached_[condition * row_ + word]; rest != 0; rest &= rest - 1)
                act(64 * word + static_cast<std::size_t>(std::countr_zero(rest)));
    }
    [[nodiscard]] bool is_winning(std::size_t condition, std::size_t piece) const {
        return has(winning_, condition, piece);
    }
    [[nodiscard]] bool is_losable(std::size_t condition, std::size_t piece) const {
        return has(losable_, condition, piece);
    }

  private:
    using Words = std::vector<std::uint64_t>;

    struct State {
        std::uint32_t condition;
        std::uint32_t piece;
    };

    void begin(const Ground& ground);
    void check_states() const;
    void link_pieces();
    bool expand(std::uint32_t condition);
    template <class Begin>
    void spread_back(Words& found, std::size_t condition, Begin begin);
    bool expand_one_word(std::uint32_t condition);
    void find_winning_one_word(std::size_t condition);
    [[nodiscard]] bool has(const Words& words, std::size_t condition, std::size_t piece) const {
        return (words[condition * row_ + piece / 64] >> piece % 64 & 1U) != 0;
    }
    void set(Words& words, std::size_t condition, std::size_t piece) const {
        words[condition * row_ + piece / 64] |= std::uint64_t{1} << piece % 64;
    }
    bool may_enter(std::uint32_t condition, const Ground::Piece& piece) const;
    void change(std::uint32_t condition, std::uint32_t piece);
    std::uint32_t find_or_add(std::uint32_t from, std::size_t bit, int spare);
    void grow_table();
    [[nodiscard]] std::size_t slot_of(std::span<const std::uint64_t> bits) const;
    [[nodiscard]] std::span<const std::uint64_t> bits(std::size_t condition) const {
        return std::span{bits_}.subspan(condition * words_, words_);
    }
    [[nodiscard]] bool has(std::size_t condition, std::size_t bit) const {
        return (bits_[condition * words_ + bit / 64] >> bit % 64 & 1U) != 0;
    }

    const Ground* ground_ = nullptr;
    std::size_t row_ = 1;             ///< words of a bit for each piece
    std::size_t words_ = 1;           ///< of the bits of a condition
    std::vector<std::uint64_t> bits_; ///< colours first, then small keys, then small doors
    std::vector<std::int32_t> spare_; ///< small keys in hand, by condition
    Words reached_;                   ///< by condition, a bit for each piece, as the next three
    Words winning_;
    Words losable_;
    Words settled_;
    Words changing_; ///< a bit for each piece
    // If one word has a bit for each piece, all that hangs together is found by whole words:
    Words out_;    ///< by piece: where one can go from it
    Words in_;     ///< by piece: from where one can go to it
    Words passed_; ///< by condition: what one walks through without a change
    Words by_bit_; ///< by bit of a condition: the pieces that one then walks through
    std::uint64_t keys_ = 0;
    std::uint64_t small_doors_ = 0;
    std::vector<Change> changes_; ///< in the order of the conditions they are from
    std::vector<std::uint32_t> first_change_;
    std::vector<std::uint32_t> table_;  ///< conditions by their bits: open addressing
    std::vector<std::uint64_t> wanted_; ///< bits that are looked for
    std::vector<std::uint32_t> stack_;
    std::vector<std::uint32_t> open_; ///< conditions
    std::vector<State> now_;
    std::vector<State> later_;
};

} // namespace knossos::dungeon
