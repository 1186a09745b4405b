#pragma once

#include <boost/container/small_vector.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

/// How the solver knows which diagonals are taken.
namespace knossos::queens {

/// A list that takes no memory of its own while it is short: on small boards allocating takes as long as
/// searching.
template <class T>
using ShortList = boost::container::small_vector<T, 16>;

/// A queen's two diagonals, as indices. Both grow with the column, so that the diagonals of 64 neighbouring
/// squares of a row are 64 neighbouring bits.
struct Diagonals {
    std::size_t rising;  ///< row + column
    std::size_t falling; ///< n − 1 − row + column
};

/// One bit per diagonal: set if a queen is on it.
class DiagonalBits {
  public:
    explicit DiagonalBits(std::uint32_t n) : words_(2 * (2 * std::size_t{n} / 64 + 2)) {}

    void clear() { std::fill(words_.begin(), words_.end(), std::uint64_t{0}); }
    void take(Diagonals at) {
        rising()[at.rising / 64] |= std::uint64_t{1} << at.rising % 64;
        falling()[at.falling / 64] |= std::uint64_t{1} << at.falling % 64;
    }
    [[nodiscard]] bool any(Diagonals at) const {
        return ((rising()[at.rising / 64] >> at.rising % 64 | falling()[at.falling / 64] >> at.falling % 64) &
                1U) != 0;
    }
    /// Bit i is set if square i of the 64 that begin at these diagonals is attacked along one.
    [[nodiscard]] std::uint64_t attacked(Diagonals first) const {
        return word_at(rising(), first.rising) | word_at(falling(), first.falling);
    }
    [[nodiscard]] std::uint64_t* rising() { return words_.data(); }
    [[nodiscard]] std::uint64_t* falling() { return words_.data() + words_.size() / 2; }

  private:
    [[nodiscard]] const std::uint64_t* rising() const { return words_.data(); }
    [[nodiscard]] const std::uint64_t* falling() const { return words_.data() + words_.size() / 2; }
    static std::uint64_t word_at(const std::uint64_t* bits, std::size_t first) {
        const std::size_t shift = first % 64;
        return bits[first / 64] >> shift | bits[first / 64 + 1] << 1U << (63 - shift);
    }

    ShortList<std::uint64_t> words_;
};

/// Queens per diagonal, counted.
class DenseLines {
  public:
    explicit DenseLines(std::uint32_t n) : bits_{n}, falling_{2 * std::size_t{n}}, counts_(2 * falling_) {}

    static constexpr bool placed_queens_count = false;

    void clear() {
        bits_.clear();
        std::fill(counts_.begin(), counts_.end(), Count{0});
    }
    void add(Diagonals at) {
        ++counts_[at.rising];
        ++counts_[falling_ + at.falling];
    }
    void remove(Diagonals at) {
        --counts_[at.rising];
        --counts_[falling_ + at.falling];
    }
    [[nodiscard]] std::uint32_t queens_on(Diagonals at) const {
        return std::uint32_t{counts_[at.rising]} + counts_[falling_ + at.falling];
    }
    [[nodiscard]] DiagonalBits& bits() { return bits_; }

  private:
    using Count = std::uint16_t;

    DiagonalBits bits_;
    std::size_t falling_; ///< where the counts of the falling diagonals begin
    boost::container::small_vector<Count, 64> counts_;
};

/// Queens per diagonal on a board on which hardly any diagonal has more than one: the bits, and a hash table
/// for those with more.
class SparseLines {
  public:
    explicit SparseLines(std::uint32_t n) : bits_{n} { clear_table(); }

    static constexpr bool placed_queens_count = true;

    void clear() {
        bits_.clear();
        clear_table();
    }
    void add(Diagonals at) {
        add_line(bits_.rising(), at.rising, rising_key(at));
        add_line(bits_.falling(), at.falling, falling_key(at));
    }
    void remove(Diagonals at) {
        remove_line(bits_.rising(), at.rising, rising_key(at));
        remove_line(bits_.falling(), at.falling, falling_key(at));
    }
    [[nodiscard]] std::uint32_t queens_on(Diagonals at) {
        return count(bits_.rising(), at.rising, rising_key(at)) +
               count(bits_.falling(), at.falling, falling_key(at));
    }
    [[nodiscard]] DiagonalBits& bits() { return bits_; }

  private:
    struct Entry {
        std::size_t key = nobody;
        std::uint32_t more = 0; ///< queens beyond the first
    };
    static constexpr std::size_t nobody = ~std::size_t{0};

    static std::size_t rising_key(Diagonals at) { return 2 * at.rising; }
    static std::size_t falling_key(Diagonals at) { return 2 * at.falling + 1; }

    [[nodiscard]] std::uint32_t count(const std::uint64_t* bits, std::size_t line, std::size_t key) const {
        if ((bits[line / 64] >> line % 64 & 1U) == 0) return 0;
        return 1 + table_[place_of(key)].more;
    }
    void add_line(std::uint64_t* bits, std::size_t line, std::size_t key) {
        const std::uint64_t mask = std::uint64_t{1} << line % 64;
        if ((bits[line / 64] & mask) == 0) {
            bits[line / 64] |= mask;
            return;
        }
        Entry& entry = table_[place_of(key)];
        if (entry.key == nobody) ++used_;
        entry = {key, entry.more + 1};
        if (2 * used_ > table_.size()) grow();
    }
    void remove_line(std::uint64_t* bits, std::size_t line, std::size_t key) {
        Entry& entry = table_[place_of(key)];
        if (entry.more > 0)
            --entry.more;
        else
            bits[line / 64] &= ~(std::uint64_t{1} << line % 64);
    }
    [[nodiscard]] std::size_t place_of(std::size_t key) const {
        const std::size_t mask = table_.size() - 1;
        std::size_t place = key * 0x9E3779B97F4A7C15U >> 32U & mask;
        while (table_[place].key != key && table_[place].key != nobody) place = (place + 1) & mask;
        return place;
    }
    void clear_table() {
        table_.assign(1024, Entry{});
        used_ = 0;
    }
    // Lines that are no longer crowded stay in the table until it grows.
    void grow() {
        const std::vector<Entry> old = std::exchange(table_, std::vector<Entry>(2 * table_.size()));
        used_ = 0;
        for (const Entry& entry : old) {
            if (entry.more == 0) continue;
            table_[place_of(entry.key)] = entry;
            ++used_;
        }
    }

    DiagonalBits bits_;
    std::vector<Entry> table_{};
    std::size_t used_ = 0;
};

} // namespace knossos::queens
