#pragma once

#include "dungeon/ground.hpp"

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
    [[nodiscard]] bool is_passed(std::size_t condition, const Ground::Piece& piece) const;
    [[nodiscard]] bool is_reached(std::size_t condition, std::size_t piece) const {
        return (marks_[condition * pieces_ + piece] & reached) != 0;
    }
    [[nodiscard]] bool is_winning(std::size_t condition, std::size_t piece) const {
        return (marks_[condition * pieces_ + piece] & winning) != 0;
    }
    /// Whether somebody in the first condition can do all that somebody in the second can, in the same
    /// place: the same small doors are open, and more keys taken.
    [[nodiscard]] bool dominates(std::size_t first, std::size_t second) const;

  private:
    static constexpr std::uint8_t reached = 1;
    static constexpr std::uint8_t winning = 2;
    static constexpr std::uint8_t changed_here = 4;
    static constexpr std::uint8_t settled = 8;

    bool run(const Ground& ground, bool to_the_end);
    bool expand(std::uint32_t condition);
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
    [[nodiscard]] std::size_t bit_of(const Ground::Piece& piece) const;

    const Ground* ground_ = nullptr;
    std::size_t pieces_ = 0;
    std::size_t words_ = 1;           ///< of the bits of a condition
    std::vector<std::uint64_t> bits_; ///< colours first, then small keys, then small doors
    std::vector<std::int32_t> spare_; ///< small keys in hand, by condition
    std::vector<std::uint8_t> marks_; ///< by condition and piece
    std::vector<Change> changes_;     ///< in the order of the conditions they are from
    std::vector<std::uint32_t> first_change_;
    std::vector<std::uint32_t> table_;  ///< conditions by their bits: open addressing
    std::vector<std::uint64_t> wanted_; ///< bits that are looked for
    std::vector<std::uint32_t> stack_;
    std::vector<std::uint64_t> now_;
    std::vector<std::uint64_t> later_;
};

} // namespace knossos::dungeon
