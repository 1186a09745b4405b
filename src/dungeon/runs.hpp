#pragma once

#include "dungeon/roots.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace knossos::dungeon {

/// Cells of a level as bits: every row begins with a word of its own.
struct BitRows {
    std::size_t words = 0; ///< of a row
    std::vector<std::uint64_t> bits{};

    void clear(std::uint32_t width, std::uint32_t height) {
        words = (width + 63U) / 64;
        bits.assign(words * height, 0);
    }
    [[nodiscard]] std::size_t rows() const { return bits.size() / words; }
    void set(std::uint32_t x, std::uint32_t y) { bits[y * words + x / 64] |= std::uint64_t{1} << x % 64; }
    void set(std::uint32_t begin, std::uint32_t end, std::uint32_t y) {
        for (std::size_t word = begin / 64; word <= (end - 1) / 64; ++word) {
            const std::uint64_t from =
                word == begin / 64 ? ~std::uint64_t{0} << begin % 64 : ~std::uint64_t{0};
            const std::uint64_t to =
                word == (end - 1) / 64 ? ~std::uint64_t{0} >> (63 - (end - 1) % 64) : ~std::uint64_t{0};
            bits[y * words + word] |= from & to;
        }
    }
    /// Calls act(x, y) for every cell, in reading order.
    template <class Act>
    void for_each(Act act) const {
        for (std::uint32_t y = 0; y < rows(); ++y)
            for (std::uint32_t word = 0; word < words; ++word)
                for (std::uint64_t rest = bits[y * words + word]; rest != 0; rest &= rest - 1)
                    act(64 * word + static_cast<std::uint32_t>(std::countr_zero(rest)), y);
    }
};

/// Cells side by side in a row, and which of them hang together over the rows: a tenth of the work that
/// cells one by one would be.
class Runs {
  public:
    struct Run {
        std::uint32_t row;
        std::uint32_t begin; ///< column
        std::uint32_t end;   ///< the column behind the last
    };

    /// Of all cells whose bit is set. Two runs in neighbouring rows hang together if they share a column;
    /// are_near(upper, lower) is also called for those that only touch at a corner.
    template <class AreNear>
    void find(const BitRows& rows, AreNear are_near) {
        runs_.clear();
        roots_.clear();
        std::size_t above = 0;
        for (std::uint32_t y = 0; y < rows.rows(); ++y) {
            const std::size_t here = runs_.size();
            add_row(rows, y, here);
            unite_rows(above, here, are_near);
            above = here;
        }
    }
    void find(const BitRows& rows) {
        find(rows, [](std::size_t, std::size_t) {});
    }

    [[nodiscard]] std::size_t size() const { return runs_.size(); }
    [[nodiscard]] const Run& operator[](std::size_t run) const { return runs_[run]; }
    /// The first run of all that hang together with this one.
    [[nodiscard]] std::uint32_t first_of(std::size_t run) {
        return root_of(roots_, static_cast<std::uint32_t>(run));
    }

  private:
    void add_row(const BitRows& rows, std::uint32_t y, std::size_t here) {
        for (std::uint32_t word = 0; word < rows.words; ++word)
            for (std::uint64_t rest = rows.bits[y * rows.words + word]; rest != 0;) {
                const std::uint64_t past = rest + (rest & (0 - rest)); // 0 if the run goes to the last bit
                const std::uint32_t begin = 64 * word + static_cast<std::uint32_t>(std::countr_zero(rest));
                const std::uint32_t end = 64 * word + static_cast<std::uint32_t>(std::countr_zero(past));
                rest &= past;
                if (runs_.size() > here && runs_.back().end == begin) {
                    runs_.back().end = end;
                    continue;
                }
                roots_.push_back(static_cast<std::uint32_t>(runs_.size()));
                runs_.push_back({y, begin, end});
            }
    }

    template <class AreNear>
    void unite_rows(std::size_t above, std::size_t here, AreNear are_near) {
        for (std::size_t lower = here; lower < runs_.size(); ++lower) {
            while (above < here && runs_[above].end < runs_[lower].begin) ++above;
            for (std::size_t upper = above; upper < here && runs_[upper].begin <= runs_[lower].end; ++upper) {
                if (runs_[upper].begin < runs_[lower].end && runs_[lower].begin < runs_[upper].end)
                    unite(static_cast<std::uint32_t>(upper), static_cast<std::uint32_t>(lower));
                are_near(upper, lower);
            }
        }
    }

    void unite(std::uint32_t upper, std::uint32_t lower) {
        const std::uint32_t a = root_of(roots_, upper);
        const std::uint32_t b = root_of(roots_, lower);
        // The first run is the root, so that it is met before the others.
        if (a < b)
            roots_[b] = a;
        else
            roots_[a] = b;
    }

    std::vector<Run> runs_;
    std::vector<std::uint32_t> roots_;
};

} // namespace knossos::dungeon
