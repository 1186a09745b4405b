#pragma once

#include <knossos/maze/measures.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

namespace knossos::maze {

/// Up to 64 bits from bit `first` on.
inline std::uint64_t bits_at(const std::uint64_t* words, std::size_t first, std::uint32_t count) {
    std::uint64_t value = words[first / 64] >> first % 64;
    if (first % 64 + count > 64) value |= words[first / 64 + 1] << (64 - first % 64);
    return count == 64 ? value : value & ((std::uint64_t{1} << count) - 1);
}

/// For each pair of checkpoints the distance at which they first meet, filled in while cells are met in
/// ascending order of distance. Definitions: docs/mazes.md, reconvergence and isolated reconvergence.
class Reconvergences {
  public:
    void clear(std::size_t checkpoints) {
        std::fill_n(seen_, checkpoints, std::uint64_t{0});
        std::fill_n(isolated_, checkpoints, std::uint64_t{0});
        sum_ = 0;
        isolated_sum_ = 0;
    }

    void meet(std::uint64_t members, std::uint32_t distance) {
        std::uint64_t fresh_pairs = 0;
        for (std::uint64_t rest = members; rest != 0;) {
            const int i = std::countr_zero(rest);
            rest &= rest - 1;
            std::uint64_t fresh = rest & ~seen_[i];
            seen_[i] |= fresh;
            fresh_pairs += static_cast<std::uint64_t>(std::popcount(fresh));
            for (; fresh != 0; fresh &= fresh - 1) primary_[i][std::countr_zero(fresh)] = distance;
        }
        sum_ += fresh_pairs * distance;
        if (std::popcount(members) == 2) meet_alone(members, distance);
    }

    [[nodiscard]] std::uint64_t sum() const { return sum_; }
    [[nodiscard]] std::uint64_t isolated_sum() const { return isolated_sum_; }
    /// Only for i < j.
    [[nodiscard]] std::uint32_t primary(std::size_t i, std::size_t j) const {
        return (seen_[i] >> j & 1U) != 0 ? primary_[i][j] : 0;
    }
    [[nodiscard]] std::uint32_t isolated(std::size_t i, std::size_t j) const {
        return (isolated_[i] >> j & 1U) != 0 ? primary_[i][j] : 0;
    }

  private:
    void meet_alone(std::uint64_t members, std::uint32_t distance) {
        const int i = std::countr_zero(members);
        const std::uint64_t second = members & (members - 1);
        const int j = std::countr_zero(second) & 63; // never 64, which the compiler can't see
        if (primary_[i][j] != distance || (isolated_[i] & second) != 0) return;
        isolated_[i] |= second;
        isolated_sum_ += distance;
    }

    std::uint64_t seen_[most_checkpoints] = {};
    std::uint64_t isolated_[most_checkpoints] = {};
    std::uint32_t primary_[most_checkpoints][most_checkpoints] = {};
    std::uint64_t sum_ = 0;
    std::uint64_t isolated_sum_ = 0;
};

__extension__ using Record128 = unsigned __int128;
__extension__ using SignedRecord128 = __int128;

/// How a cell is written down during a flood, in one number: its distance above its members, the topmost bit
/// for a cell not seen yet, and between distance and members a bit that says that ways with different members
/// have met here. Wide enough for any grid and 64 checkpoints, or narrower and faster.
template <class Record>
struct RecordLayout;

template <>
struct RecordLayout<std::uint32_t> {
    using Signed = std::int32_t;
    static constexpr int distance_shift = 16;
    static constexpr std::size_t most_cells = 60'000;
};

template <>
struct RecordLayout<std::uint64_t> {
    using Signed = std::int64_t;
    static constexpr int distance_shift = 40;
    static constexpr std::size_t most_cells = std::size_t{largest_drawn_side} * largest_drawn_side;
};

template <>
struct RecordLayout<Record128> {
    using Signed = SignedRecord128;
    static constexpr int distance_shift = 72;
    static constexpr std::size_t most_cells = RecordLayout<std::uint64_t>::most_cells;
};

template <class Record>
constexpr bool record_fits(std::size_t cells, std::size_t checkpoints) {
    using Packing = RecordLayout<Record>;
    return cells <= Packing::most_cells && checkpoints < static_cast<std::size_t>(Packing::distance_shift);
}

/// Number and total distance of culs-de-sac, in one register. The total can't spill into the number: with n
/// of them in the largest grid none is farther than its cells less n, and n times that is below 2⁴².
class CulsDeSac {
  public:
    /// `exempt` is all ones or zero.
    void add_unless(std::uint64_t exempt, std::uint64_t distance) {
        packed_ += (distance | std::uint64_t{1} << length_bits) & ~exempt;
    }
    [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(packed_ >> length_bits); }
    [[nodiscard]] std::uint64_t length() const { return packed_ & ((std::uint64_t{1} << length_bits) - 1); }

  private:
    static constexpr int length_bits = 42;
    std::uint64_t packed_ = 0;
};

/// Breadth-first search over a grid with a frame of rock around it, one cell at a time and without branches
/// that depend on the maze: the queue takes every neighbour, and its end moves on only past new ones. Such
/// branches can't be foreseen by the processor and cost more than all the rest.
template <class Record>
class Flood {
  public:
    /// Takes size and places; the grids that follow are of this kind until the next call.
    void prepare(std::uint32_t width, std::uint32_t height, Cell entrance, Cell exit,
                 std::span<const Cell> checkpoints) {
        if (width != width_ || height != height_) resize(width, height);
        for (const std::uint32_t position : marked_) records_[own_offset_ + position] = 0;
        marked_.clear();
        for (const Cell checkpoint : checkpoints) {
            marked_.push_back(position(checkpoint));
            records_[own_offset_ + marked_.back()] = Record{1} << (marked_.size() - 1);
        }
        entrance_ = position(entrance);
        exit_ = position(exit);
    }

    void load(const Grid& grid) {
        std::memcpy(records_.data(), blank_.data(), blank_.size() * sizeof(Record));
        for (std::uint32_t y = 0; y < height_; ++y) {
            const auto row = grid.rock_row(y);
            for (std::size_t i = 0; i < row.size(); ++i)
                block(row[i], (y + 1) * stride_ + 1 + static_cast<std::uint32_t>(i) * 64);
        }
        walled_ = grid.has_walls();
        if (walled_) load_steps(grid);
    }

    /// A grid without walls from width · height bits in reading order.
    void load(const std::uint64_t* bits) {
        std::memcpy(records_.data(), blank_.data(), blank_.size() * sizeof(Record));
        walled_ = false;
        std::size_t first = 0;
        for (std::uint32_t y = 0; y < height_; ++y, first += width_)
            for (std::uint32_t x = 0; x < width_; x += 64)
                block(bits_at(bits, first + x, std::min(width_ - x, 64U)), (y + 1) * stride_ + 1 + x);
    }

    std::int32_t exit_path() {
        walled_ ? run<true, false, true>() : run<false, false, true>();
        return distance(exit_);
    }

    FitnessValues fitness_values() {
        if (marked_.empty())
            walled_ ? run<true, false, false>() : run<false, false, false>();
        else
            walled_ ? run<true, true, false>() : run<false, true, false>();
        values_.exit_path = distance(exit_);
        values_.exit_members = static_cast<std::uint32_t>(std::popcount(members(exit_)));
        values_.reconvergence = reconvergences_.sum();
        values_.isolated_reconvergence = reconvergences_.isolated_sum();
        return values_;
    }

    [[nodiscard]] std::uint32_t position(Cell cell) const { return (cell.y + 1) * stride_ + cell.x + 1; }
    [[nodiscard]] Cell cell(std::uint32_t position) const {
        return {position % stride_ - 1, position / stride_ - 1};
    }
    /// One more than the largest position.
    [[nodiscard]] std::size_t positions() const { return blank_.size(); }
    [[nodiscard]] std::int32_t distance(std::uint32_t position) const {
        return records_[position] >= in_pocket ? -1 : static_cast<std::int32_t>(records_[position] >> shift);
    }
    [[nodiscard]] std::uint64_t members(std::uint32_t position) const {
        return records_[position] >= in_pocket ? 0 : members_of(records_[position]);
    }
    [[nodiscard]] bool is_unseen(std::uint32_t position) const { return records_[position] == unseen; }
    [[nodiscard]] const Reconvergences& reconvergences() const { return reconvergences_; }
    /// What was reached, in the order in which it was.
    [[nodiscard]] std::size_t reached() const { return reached_; }
    [[nodiscard]] std::uint32_t reached(std::size_t i) const {
        return static_cast<std::uint32_t>(queue_[i] - records_.data());
    }
    [[nodiscard]] std::uint32_t exit() const { return exit_; }
    /// The largest distance, −1 if nothing was reached.
    [[nodiscard]] std::int32_t farthest() const {
        return reached_ == 0 ? -1 : distance(reached(reached_ - 1));
    }

    Flood() = default;
    Flood(const Flood&) = delete; // the queue points into the records
    Flood& operator=(const Flood&) = delete;

    /// Calls visit(neighbour) for each cell that one may step to.
    template <class Visit>
    void for_each_step(std::uint32_t from, Visit visit) const {
        const std::uint32_t to[] = {from - stride_, from - 1, from + 1, from + stride_};
        for (unsigned i = 0; i < 4; ++i)
            if (records_[to[i]] != blocked &&
                (!walled_ || (static_cast<unsigned>(steps_[from]) >> i & 1U) != 0))
                visit(to[i]);
    }

    /// Marks all that is connected with an unseen cell as seen, in a pocket.
    void take_pocket(std::uint32_t first) {
        std::size_t head = reached_;
        std::size_t tail = reached_;
        queue_[tail++] = &records_[first];
        records_[first] = in_pocket;
        while (head != tail) {
            for_each_step(reached(head++), [&](std::uint32_t to) {
                if (records_[to] != unseen) return;
                records_[to] = in_pocket;
                queue_[tail++] = &records_[to];
            });
        }
    }

  private:
    using Signed = typename RecordLayout<Record>::Signed;
    static constexpr int shift = RecordLayout<Record>::distance_shift;
    static constexpr int last_bit = 8 * sizeof(Record) - 1;
    static constexpr Record one_step = Record{1} << shift;
    static constexpr Record has_met = Record{1} << (shift - 1);
    static constexpr Record unseen = Record{1} << last_bit;
    static constexpr Record blocked = unseen - one_step;
    static constexpr Record in_pocket = blocked - one_step;

    // All ones if the topmost bit is set, else zero.
    static Record spread(Record record) {
        return static_cast<Record>(static_cast<Signed>(record) >> last_bit);
    }
    static std::uint64_t widened(Record mask) {
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<Signed>(mask)));
    }
    static std::uint64_t members_of(Record record) {
        return static_cast<std::uint64_t>(record & (has_met - 1));
    }
    static std::uint32_t distance_of(Record record) { return static_cast<std::uint32_t>(record >> shift); }

    void resize(std::uint32_t width, std::uint32_t height) {
        width_ = width;
        height_ = height;
        stride_ = width + 1;
        const std::size_t size = (std::size_t{height} + 2) * stride_ + 1;
        blank_.assign(size, blocked);
        for (std::uint32_t y = 0; y < height; ++y)
            std::fill_n(blank_.begin() + (y + 1) * stride_ + 1, width, unseen);
        own_offset_ = size;
        records_.assign(2 * size, 0);
        queue_.resize(std::size_t{width} * height + 4);
        marked_.clear();
    }

    void block(std::uint64_t rock, std::uint32_t first) {
        for (; rock != 0; rock &= rock - 1)
            records_[first + static_cast<std::uint32_t>(std::countr_zero(rock))] = blocked;
    }

    // Bits 0..3 of a cell's steps: north, west, east, south.
    void load_steps(const Grid& grid) {
        steps_.assign(blank_.size(), 0);
        const auto allow = [&](std::uint32_t from, unsigned bit, std::uint32_t to, unsigned bit_back) {
            steps_[from] = static_cast<std::uint8_t>(steps_[from] | bit);
            steps_[to] = static_cast<std::uint8_t>(steps_[to] | bit_back);
        };
        for (std::uint32_t y = 0; y < height_; ++y) {
            for (std::uint32_t x = 0; x < width_; ++x) {
                const std::uint32_t at = position({x, y});
                if (records_[at] == blocked) continue;
                if (records_[at + 1] != blocked && !grid.wall_east({x, y})) allow(at, 4, at + 1, 2);
                if (records_[at + stride_] != blocked && !grid.wall_south({x, y}))
                    allow(at, 8, at + stride_, 1);
            }
        }
    }

    template <bool walled, bool with_members, bool stop_at_exit>
    void run() {
        values_ = {};
        reached_ = 0;
        reconvergences_.clear(marked_.size());
        if (records_[entrance_] != unseen) return;
        // Few enough variables for the registers of x86: one kept in memory costs half as much again. Local
        // copies, because the compiler can't know that writing to the queue leaves the fields alone.
        Record** const __restrict queue = queue_.data();
        const auto stride = static_cast<std::ptrdiff_t>(stride_);
        const auto own_offset = static_cast<std::ptrdiff_t>(own_offset_);
        CulsDeSac culs_de_sac;
        std::uint32_t head = 0;
        std::uint32_t tail = 1;
        queue[0] = &records_[entrance_];
        records_[entrance_] = 0;
        while (head != tail) {
            Record* const from = queue[head++];
            if constexpr (stop_at_exit)
                if (from == exit_record()) break;
            if constexpr (with_members)
                if (((*from & has_met) | from[own_offset]) != 0) [[unlikely]]
                    complete(*from, from[own_offset]);
            const Record next = *from + one_step;
            Record goes_on = 0;
            Record unequal = 0;
            const auto look = [&](Record* to, unsigned direction) {
                const Record passable = walled ? step_mask(from, direction) : ~Record{0};
                Record there = *to;
                const Record fresh = spread(there) & passable;
                there ^= (there ^ next) & fresh;
                *to = there;
                queue[tail] = to;
                tail -= static_cast<std::uint32_t>(fresh);
                // Only members differ if the cell is one step farther from the entrance.
                const Record difference = there ^ next;
                const Record farther = spread(difference - one_step) & passable;
                goes_on |= farther;
                if constexpr (with_members) unequal |= difference & farther;
            };
            look(from - stride, 0);
            look(from - 1, 1);
            look(from + 1, 2);
            look(from + stride, 3);
            culs_de_sac.add_unless(widened(goes_on), distance_of(next - one_step));
            if constexpr (with_members)
                if (unequal != 0) [[unlikely]]
                    share_members(from, next);
        }
        reached_ = tail;
        values_.culs_de_sac = culs_de_sac.count();
        values_.cul_de_sac_length = culs_de_sac.length();
    }

    [[nodiscard]] const Record* exit_record() const { return records_.data() + exit_; }
    [[nodiscard]] Record step_mask(const Record* from, unsigned direction) const {
        return Record{0} -
               (static_cast<unsigned>(steps_[static_cast<std::size_t>(from - records_.data())]) >> direction &
                1U);
    }

    // A cell whose members are more than those of the one predecessor that found it. All its predecessors
    // have been looked at. Only in such cells can a pair meet first.
    void complete(Record& record, Record own) {
        record = (record & ~has_met) | own;
        const std::uint64_t members = members_of(record);
        if ((members & (members - 1)) != 0) reconvergences_.meet(members, distance_of(record));
    }

    // Hands the members of a cell on to those successors that were found from elsewhere.
    void share_members(const Record* from, Record next) {
        for_each_step(static_cast<std::uint32_t>(from - records_.data()), [&](std::uint32_t to) {
            const Record difference = records_[to] ^ next;
            if (difference < one_step && members_of(difference) != 0)
                records_[to] |= (next & (has_met - 1)) | has_met;
        });
    }

    std::uint32_t width_ = 0;
    std::uint32_t height_ = 0;
    std::uint32_t stride_ = 0;
    std::uint32_t entrance_ = 0;
    std::uint32_t exit_ = 0;
    bool walled_ = false;
    std::size_t reached_ = 0;
    std::vector<Record> blank_;
    std::vector<Record> records_; // and behind them, from own_offset_ on, the cells' own checkpoints
    std::size_t own_offset_ = 0;
    std::vector<Record*> queue_;
    std::vector<std::uint32_t> marked_;
    std::vector<std::uint8_t> steps_;
    Reconvergences reconvergences_;
    FitnessValues values_;
};

/// A flood of each width of record; they take memory only once they are used.
class AnyFlood {
  public:
    /// Calls work(flood) with the narrowest flood that can hold such grids.
    template <class Work>
    decltype(auto) visit(std::size_t cells, std::size_t checkpoints, Work work) {
        if (record_fits<std::uint32_t>(cells, checkpoints)) return work(narrow_);
        if (record_fits<std::uint64_t>(cells, checkpoints)) return work(middle_);
        return work(wide_);
    }

  private:
    Flood<std::uint32_t> narrow_;
    Flood<std::uint64_t> middle_;
    Flood<Record128> wide_;
};

} // namespace knossos::maze
