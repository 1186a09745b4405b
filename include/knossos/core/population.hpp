#pragma once

#include <knossos/core/genome.hpp>
#include <knossos/core/random.hpp>

#include <cstring>
#include <memory>
#include <span>
#include <vector>

namespace knossos {

/// Some genomes of one space, seen in place: row i lies at data + stride · rows[i], or · i where rows is
/// null. What a batch kernel is handed.
struct Batch {
    const Space* space;
    const std::byte* data;
    std::size_t stride;
    std::size_t count;
    const std::uint32_t* rows = nullptr;

    [[nodiscard]] std::size_t row(std::size_t i) const { return rows != nullptr ? rows[i] : i; }
    [[nodiscard]] const std::byte* operator[](std::size_t i) const { return data + stride * row(i); }
};

/// Genomes of one space in one contiguous, 64-byte aligned block, with their fitness beside them.
class Population {
  public:
    Population() = default;
    Population(const Space& space, std::size_t size);
    Population(const Population& other);
    Population(Population&&) noexcept = default;
    Population& operator=(const Population& other);
    Population& operator=(Population&&) noexcept = default;
    ~Population() = default;

    [[nodiscard]] const Space& space() const { return space_; }
    [[nodiscard]] std::size_t size() const { return fitness_.size(); }
    [[nodiscard]] std::size_t stride() const { return stride_; }

    [[nodiscard]] std::byte* genome(std::size_t i) { return block_.get() + i * stride_; }
    [[nodiscard]] const std::byte* genome(std::size_t i) const { return block_.get() + i * stride_; }
    [[nodiscard]] std::span<std::byte> bytes() { return {block_.get(), size() * stride_}; }
    [[nodiscard]] std::span<const std::byte> bytes() const { return {block_.get(), size() * stride_}; }

    [[nodiscard]] std::span<double> fitness() { return fitness_; }
    [[nodiscard]] std::span<const double> fitness() const { return fitness_; }

    [[nodiscard]] Batch batch() const { return {&space_, block_.get(), stride_, size()}; }

    /// Copies genome and fitness of `from`'s individual `source` over this population's individual `target`.
    void copy_from(const Population& from, std::size_t source, std::size_t target) {
        std::memcpy(genome(target), from.genome(source), stride_);
        fitness_[target] = from.fitness_[source];
    }

  private:
    struct Release {
        void operator()(std::byte* block) const;
    };

    Space space_{};
    std::size_t stride_ = 0;
    std::unique_ptr<std::byte, Release> block_;
    std::vector<double> fitness_;
};

/// Fills one genome uniformly at random from its space. Packed bits, integers and permutations each take
/// their genes straight from the stream; a space with a fixed number of ones gets exactly that many.
void randomise(Stream& stream, const Space& space, std::byte* genome);

/// Whether the bytes are a genome of the space: genes inside the alphabet, a permutation without repeats, the
/// right number of ones, padding clear. For tests and for readers of stored genomes.
bool is_valid(const Space& space, const std::byte* genome);

/// Shannon entropy of the values at each position, averaged over positions and scaled to 0..1: 0 when all
/// individuals agree everywhere, 1 when every position is as mixed as its alphabet allows.
double position_entropy(const Population& population);

} // namespace knossos
