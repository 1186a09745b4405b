#pragma once

#include <knossos/core/genome.hpp>
#include <knossos/core/random.hpp>
#include <knossos/core/record.hpp>

#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace knossos {

class Population;

/// Where the genomes of a batch come from: each began as a copy of an individual whose fitness is known.
struct Parentage {
    const Population* parents;
    const std::uint32_t* parent_of; ///< of the genome in row r, at index r · apart
    std::size_t apart = 1;

    [[nodiscard]] std::size_t operator[](std::size_t row) const { return parent_of[row * apart]; }
};

/// Some genomes of one space, seen in place: row i lies at data + stride · rows[i], or · i where rows is
/// null. What a batch kernel is handed.
struct Batch {
    const Space* space;
    const std::byte* data;
    std::size_t stride;
    std::size_t count;
    const std::uint32_t* rows = nullptr;
    /// If it is known. A genome that equals its parent is worth as much.
    const Parentage* parentage = nullptr;

    [[nodiscard]] std::size_t row(std::size_t i) const { return rows != nullptr ? rows[i] : i; }
    [[nodiscard]] const std::byte* operator[](std::size_t i) const { return data + stride * row(i); }
};

/// Genomes of one space in one contiguous, 64-byte aligned block, with their records beside them, column
/// after column. Where a record is one number, that is the fitness and the only column.
class Population {
  public:
    Population() = default;
    /// `columns` is how many values a record has.
    Population(const Space& space, std::size_t size, std::size_t columns = 1);
    Population(const Population& other);
    Population(Population&& other) noexcept
        // NOLINTNEXTLINE(performance-move-constructor-init): what is left still knows its space
        : space_{other.space_}, stride_{other.stride_}, size_{std::exchange(other.size_, 0)},
          room_{std::exchange(other.room_, 0)}, columns_{other.columns_}, block_{std::move(other.block_)},
          values_{std::move(other.values_)} {}
    Population& operator=(const Population& other);
    Population& operator=(Population&& other) noexcept {
        space_ = other.space_;
        stride_ = other.stride_;
        columns_ = other.columns_;
        size_ = std::exchange(other.size_, 0); // whoever copies over it later finds that nothing is there
        room_ = std::exchange(other.room_, 0);
        block_ = std::move(other.block_);
        values_ = std::move(other.values_);
        return *this;
    }
    ~Population() = default;

    [[nodiscard]] const Space& space() const { return space_; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t stride() const { return stride_; }
    /// Keeps the first individuals, as many as are left; what is new is zero. Room for some more is taken
    /// along, a sixteenth, so that a population may grow one by one.
    void resize(std::size_t size);
    /// What it takes of the memory, room for more included.
    [[nodiscard]] std::size_t memory() const { return room_ * stride_ + values_.size() * sizeof(double); }

    [[nodiscard]] std::byte* genome(std::size_t i) { return block_.get() + i * stride_; }
    [[nodiscard]] const std::byte* genome(std::size_t i) const { return block_.get() + i * stride_; }
    [[nodiscard]] std::span<std::byte> bytes() { return {block_.get(), size() * stride_}; }
    [[nodiscard]] std::span<const std::byte> bytes() const { return {block_.get(), size() * stride_}; }

    /// What is reported of each.
    [[nodiscard]] std::span<double> fitness() { return row(0); }
    [[nodiscard]] std::span<const double> fitness() const { return row(0); }

    /// Whether a record is one number, so that there is nothing but the fitness.
    [[nodiscard]] bool plain() const { return columns_ == 1; }
    [[nodiscard]] std::size_t columns() const { return columns_; }
    /// A column of the records, as evaluate() wrote it.
    [[nodiscard]] std::span<double> column(std::size_t index) { return row(first_column() + index); }
    [[nodiscard]] std::span<const double> column(std::size_t index) const {
        return row(first_column() + index);
    }
    [[nodiscard]] Record record(std::size_t i) {
        return {values_.data() + first_column() * room_ + i, room_};
    }

    // What records are compared by, worked out by rate() and rank_together(); not there in the plain case.
    [[nodiscard]] std::span<double> violations() { return row(1); }
    [[nodiscard]] std::span<const double> violations() const { return row(1); }
    [[nodiscard]] std::span<double> keys() { return row(2); }
    [[nodiscard]] std::span<const double> keys() const { return row(2); }
    [[nodiscard]] std::span<double> ties() { return row(3); }
    [[nodiscard]] std::span<const double> ties() const { return row(3); }

    [[nodiscard]] Batch batch() const { return {&space_, block_.get(), stride_, size()}; }

    /// Copies genome and record of `from`'s individual `source` over this population's individual `target`.
    void copy_from(const Population& from, std::size_t source, std::size_t target) {
        std::memcpy(genome(target), from.genome(source), stride_);
        values_[target] = from.values_[source];
        if (!plain()) copy_record(from, source, target);
    }

  private:
    struct Release {
        void operator()(std::byte* block) const;
    };

    [[nodiscard]] std::size_t first_column() const { return plain() ? 0 : 4; }
    [[nodiscard]] std::span<double> row(std::size_t index) { return {values_.data() + index * room_, size_}; }
    [[nodiscard]] std::span<const double> row(std::size_t index) const {
        return {values_.data() + index * room_, size_};
    }
    void copy_record(const Population& from, std::size_t source, std::size_t target);
    void copy_all(const Population& other); ///< as many as there are

    Space space_{};
    std::size_t stride_ = 0;
    std::size_t size_ = 0;
    std::size_t room_ = 0; ///< individuals there is memory for
    std::size_t columns_ = 1;
    std::unique_ptr<std::byte, Release> block_;
    std::vector<double> values_; ///< fitness; if not plain also violations, keys, ties, and the columns
};

/// A number drawn evenly from within the bounds.
inline double uniform(Stream& stream, const Bounds& bounds) {
    const double drawn = bounds.low + stream.real() * bounds.width();
    return drawn < bounds.high ? drawn : bounds.high; // the sum may have been rounded up past the end
}

/// Fills one genome uniformly at random from its space. Packed bits, integers, permutations and reals each
/// take their genes straight from the stream; a space with a fixed number of ones gets exactly that many.
void randomise(Stream& stream, const Space& space, std::byte* genome);

/// Whether the bytes are a genome of the space: genes inside the alphabet or bounds, a permutation without
/// repeats, the right number of ones, padding clear. For tests and for readers of stored genomes.
bool is_valid(const Space& space, const std::byte* genome);

/// Shannon entropy of the values at each position, averaged over positions and scaled to 0..1: 0 when all
/// individuals agree everywhere, 1 when every position is as mixed as its alphabet allows. The values of a
/// real gene are sixteen equal parts of its bounds.
double position_entropy(const Population& population);

} // namespace knossos
