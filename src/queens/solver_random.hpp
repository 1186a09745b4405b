#pragma once

#include <knossos/core/random.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace knossos::queens {

/// Random 16-bit numbers in bulk, from the stream (generation, slot 0) of Purpose::solve, 32 blocks at a
/// time: first the low halves of all first words, then those of the second, third and fourth, then the high
/// halves in the same order.
class RandomHalves {
  public:
    explicit RandomHalves(PhiloxKey key) : key_{key} {}

    void start(std::uint64_t generation) {
        generation_ = generation;
        block_ = 0;
        place_ = halves_.size();
    }

    /// Uniform in 0 .. 2¹⁶ − 1.
    std::uint32_t next() {
        if (place_ == halves_.size()) refill();
        return halves_[place_++];
    }

    /// Uniform in 0 .. bound − 1 up to a bias that no search notices: bound / 2¹⁶ for small bounds, else
    /// bound / 2³².
    std::size_t below(std::size_t bound) {
        const std::uint64_t high = next();
        if (bound <= 256) return static_cast<std::size_t>(high * bound >> 16U);
        return static_cast<std::size_t>((high << 16U | next()) * bound >> 32U);
    }

  private:
    static constexpr std::size_t blocks = 32;

    void refill() {
        std::array<PhiloxBlock, blocks> words;
        for (PhiloxBlock& block : words)
            block = {block_++, 0, static_cast<std::uint32_t>(generation_),
                     static_cast<std::uint32_t>(generation_ >> 32U)};
        philox4x32_each(key_, words);
        for (std::size_t word = 0; word < 4; ++word)
            for (std::size_t i = 0; i < blocks; ++i) {
                halves_[word * blocks + i] = static_cast<std::uint16_t>(words[i][word]);
                halves_[(4 + word) * blocks + i] = static_cast<std::uint16_t>(words[i][word] >> 16U);
            }
        place_ = 0;
    }

    PhiloxKey key_;
    std::uint64_t generation_ = 0;
    std::uint32_t block_ = 0;
    std::array<std::uint16_t, 8 * blocks> halves_{};
    std::size_t place_ = 8 * blocks;
};

} // namespace knossos::queens
