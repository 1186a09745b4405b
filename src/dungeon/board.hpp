#pragma once

#include "dungeon/ground.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace knossos::dungeon {

/// Cells of a level that has no more rows than this, and no more columns than a row has bits: as many rows in
/// a word as fit. Loops over all words are as long as the compiler knows.
template <class Row, std::size_t Rows>
class Board {
  public:
    static constexpr std::uint32_t columns = 8 * sizeof(Row);

    static constexpr bool holds(const Level& level) { return level.width <= columns && level.height <= Rows; }

    void set_row(std::uint32_t y, std::uint64_t bits) { words_[y / in_word] |= bits << shift(y); }
    [[nodiscard]] bool has(std::uint32_t x, std::uint32_t y) const {
        return (words_[y / in_word] >> (shift(y) + x) & 1U) != 0;
    }
    void set(std::uint32_t x, std::uint32_t y) { words_[y / in_word] |= bit(x, y); }
    void unset(std::uint32_t x, std::uint32_t y) { words_[y / in_word] &= ~bit(x, y); }
    [[nodiscard]] bool any() const {
        std::uint64_t all = 0;
        for (const std::uint64_t word : words_) all |= word;
        return all != 0;
    }

    friend Board operator&(const Board& a, const Board& b) {
        Board both;
        for (std::size_t i = 0; i < words; ++i) both.words_[i] = a.words_[i] & b.words_[i];
        return both;
    }
    friend Board operator|(const Board& a, const Board& b) {
        Board either;
        for (std::size_t i = 0; i < words; ++i) either.words_[i] = a.words_[i] | b.words_[i];
        return either;
    }
    [[nodiscard]] Board without(const Board& other) const {
        Board rest;
        for (std::size_t i = 0; i < words; ++i) rest.words_[i] = words_[i] & ~other.words_[i];
        return rest;
    }

  private:
    template <class, std::size_t>
    friend class Steps;

    static constexpr std::uint32_t in_word = 64 / columns;
    static constexpr std::size_t words = Rows / in_word;
    static constexpr std::uint32_t shift(std::uint32_t y) { return y % in_word * columns; }
    static constexpr std::uint64_t bit(std::uint32_t x, std::uint32_t y) {
        return std::uint64_t{1} << (shift(y) + x);
    }

    std::array<std::uint64_t, words> words_{};
};

/// The steps that a ground allows, keys and doors being floor, for all cells of a board at once.
template <class Row, std::size_t Rows>
class Steps {
  public:
    using Cells = Board<Row, Rows>;

    explicit Steps(const Ground& ground) {
        const Level& level = ground.level();
        for (std::uint32_t y = 0; y < level.height; ++y) in_[0].set_row(y, ground.open().bits[y]);
        in_[1] = in_[2] = in_[3] = in_[0];
        // Nobody comes from outside, where the neighbouring row would begin.
        for (std::uint32_t y = 0; y < level.height; ++y) {
            in_[1].unset(level.width - 1, y);
            in_[2].unset(0, y);
        }
        for (const std::uint32_t special : ground.specials())
            if (const Ground::Piece& piece = ground.pieces()[special]; is_one_way(piece.tile))
                restrict_to(level, piece);
    }

    /// From where one step leads to any of the cells.
    [[nodiscard]] Cells before(const Cells& to) const {
        constexpr std::size_t words = Cells::words;
        constexpr std::uint32_t row = Cells::columns;
        const auto& [north, west, east, south] = in_;
        Cells from;
        for (std::size_t i = 0; i < words; ++i)
            from.words_[i] = (to.words_[i] & west.words_[i]) << 1U | (to.words_[i] & east.words_[i]) >> 1U;
        if constexpr (row < 64)
            for (std::size_t i = 0; i < words; ++i)
                from.words_[i] |=
                    (to.words_[i] & north.words_[i]) << row | (to.words_[i] & south.words_[i]) >> row;
        for (std::size_t i = 0; i + 1 < words; ++i) {
            from.words_[i] |= (to.words_[i + 1] & south.words_[i + 1]) << (64 - row);
            from.words_[i + 1] |= (to.words_[i] & north.words_[i]) >> (64 - row);
        }
        return from;
    }

  private:
    void restrict_to(const Level& level, const Ground::Piece& one_way) {
        const std::uint32_t x = level.x_of(one_way.cell);
        const std::uint32_t y = level.y_of(one_way.cell);
        const auto ahead = static_cast<std::size_t>(step_of(one_way.tile));
        in_[3 - ahead].unset(x, y);
        if (ahead != 0 && y > 0) in_[0].unset(x, y - 1);
        if (ahead != 1 && x > 0) in_[1].unset(x - 1, y);
        if (ahead != 2 && x + 1 < level.width) in_[2].unset(x + 1, y);
        if (ahead != 3 && y + 1 < level.height) in_[3].unset(x, y + 1);
    }

    std::array<Cells, 4> in_; ///< by step: the cells that it may lead to
};

} // namespace knossos::dungeon
