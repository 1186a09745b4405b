#include "operators/reals_each.hpp"

#include <knossos/operators/crossover_reals.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace knossos {

bool SimulatedBinary::operator()(Stream& stream, Reals a, Reals b) const {
    bool changed = false;
    const ChildSpread spread{eta};
    for_each_hit(stream, Skips{per_gene}, a.size(), [&](std::size_t i) {
        const double u = stream.real();
        const bool exchanged = stream.next32() % 2 == 1;
        if (a[i] == b[i]) return;
        const Bounds& bounds = a.bounds(i);
        spread_one(spread, u, a[i], b[i], bounds.low, bounds.high);
        if (exchanged) std::swap(a[i], b[i]);
        changed = true;
    });
    return changed;
}

namespace {

// The numbers of a stream, some blocks of them at a time, computed together.
class Window {
  public:
    static constexpr std::size_t most = 64; ///< blocks

    Window(const StageStreams& streams, std::uint32_t slot, std::size_t blocks)
        : streams_{streams}, slot_{slot}, blocks_{blocks} {}

    // Moves to the block that has this number; returns how many numbers there are from it on.
    std::size_t move_to(std::size_t number) {
        const auto first = static_cast<std::uint32_t>(number / 4);
        // A stream takes the words of a block from the last to the first. With the blocks the same way round,
        // two numbers that follow each other are one word of 64 bits.
        for (std::size_t i = 0; i < blocks_; ++i)
            computed_[i] = streams_.counter(slot_, first + static_cast<std::uint32_t>(blocks_ - 1 - i));
        philox4x32_each(streams_.key, std::span{computed_}.first(blocks_));
        end_ = 4 * (std::size_t{first} + blocks_);
        return end_ - number;
    }

    [[nodiscard]] std::uint32_t next32(std::size_t number) const {
        std::uint32_t word = 0;
        std::memcpy(&word, word_at(number), sizeof word);
        return word;
    }
    // As Stream::real(), of this number and the one that follows it.
    [[nodiscard]] double real(std::size_t number) const {
        if constexpr (std::endian::native == std::endian::little) {
            std::uint64_t words = 0;
            std::memcpy(&words, word_at(number + 1), sizeof words);
            return static_cast<double>(static_cast<std::int64_t>(words >> 11U)) * 0x1.0p-53;
        }
        const std::uint64_t high = next32(number);
        return static_cast<double>((high << 32U | next32(number + 1)) >> 11U) * 0x1.0p-53;
    }

  private:
    [[nodiscard]] const std::byte* word_at(std::size_t number) const {
        return reinterpret_cast<const std::byte*>(computed_.data()) + 4 * (end_ - 1 - number);
    }

    const StageStreams& streams_;
    std::uint32_t slot_;
    std::size_t blocks_;
    std::size_t end_ = 0;                    ///< the first number that is not in the window any more
    std::array<PhiloxBlock, most> computed_; // left unset: only what has been computed is read
};

// Gathers the genes that are to be recombined until there are enough to fill vectors.
class Recombining {
  public:
    explicit Recombining(double eta) : spread_{eta} {}

    void add(double u, bool exchanged, double& a, double& b, const Bounds& bounds) {
        if (genes_.count == GeneBatch::most) finish();
        const std::size_t i = genes_.count++;
        genes_.drawn[i] = u;
        genes_.first[i] = a;
        genes_.second[i] = b;
        genes_.low[i] = bounds.low;
        genes_.high[i] = bounds.high;
        genes_.to_first[i] = exchanged ? &b : &a;
        genes_.to_second[i] = exchanged ? &a : &b;
    }

    void finish() {
        spread_each(spread_, genes_);
        for (std::size_t i = 0; i < genes_.count; ++i) {
            *genes_.to_first[i] = genes_.first[i];
            *genes_.to_second[i] = genes_.second[i];
        }
        genes_.count = 0;
    }

  private:
    ChildSpread spread_;
    GeneBatch genes_;
};

// Draws which genes of a couple are recombined, and how, from the stream's number on that is given: as
// for_each_hit() in SimulatedBinary, but all numbers that may be needed are computed at once, and the
// logarithms for the skips.
bool draw(Window& window, std::size_t number, std::size_t left, const Skips& skips, Reals a, Reals b,
          Recombining& recombining) {
    const std::size_t for_skip = skips.always() ? 0 : 2;
    const std::size_t for_gene = for_skip + 3;
    std::array<double, 4 * Window::most / 3 + 8> skip; // left unset, too
    bool changed = false;
    std::size_t gene = 0;
    for (;; left = window.move_to(number)) {
        const std::size_t count = left / for_gene;
        if (skips.always()) {
            std::fill_n(skip.begin(), count, 0.0);
        } else {
            for (std::size_t i = 0; i < count; ++i) skip[i] = 1.0 - window.real(number + i * for_gene);
            scaled_log_each(skips.inverse_log_failure(), skip.data(), count);
        }
        for (std::size_t i = 0; i < count; ++i, ++gene, number += for_gene) {
            if (!(skip[i] < static_cast<double>(a.size() - gene))) return changed;
            gene += static_cast<std::size_t>(skip[i]);
            if (a[gene] == b[gene]) continue;
            recombining.add(window.real(number + for_skip), window.next32(number + for_skip + 2) % 2 == 1,
                            a[gene], b[gene], a.bounds(gene));
            changed = true;
        }
    }
}

} // namespace

void SimulatedBinary::cross_batch(const StageStreams& streams, const Space& space, std::span<Couple> couples,
                                  bool always) const {
    Recombining recombining{eta};
    const Skips skips{per_gene};
    const bool draws = !always && probability < 1.0;
    const double hits = per_gene * static_cast<double>(space.length);
    const double numbers = 3.0 + (skips.always() ? 3.0 : 5.0) * (hits + std::sqrt(hits * (1.0 - per_gene)));
    // At least three, in which there is a whole gene's worth of numbers wherever one begins.
    const auto blocks =
        static_cast<std::size_t>(std::clamp(numbers / 4.0 + 1.0, 3.0, static_cast<double>(Window::most)));
    for (Couple& couple : couples) {
        Window window{streams, couple.slot, blocks};
        std::size_t left = window.move_to(0);
        if (draws && !(window.next32(0) < static_cast<std::uint64_t>(probability * 0x1.0p32))) continue;
        couple.changed =
            draw(window, draws ? 1 : 0, left - (draws ? 1 : 0), skips, view_as<Reals>(space, couple.first),
                 view_as<Reals>(space, couple.second), recombining);
    }
    recombining.finish();
}

bool Blend::operator()(Stream& stream, Reals a, Reals b) const {
    bool changed = false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double lower = std::min(a[i], b[i]);
        const double upper = std::max(a[i], b[i]);
        if (!(lower < upper)) continue;
        const double beyond = alpha * (upper - lower);
        const Bounds stretch{std::max(lower - beyond, a.bounds(i).low),
                             std::min(upper + beyond, a.bounds(i).high)};
        a[i] = uniform(stream, stretch);
        b[i] = uniform(stream, stretch);
        changed = true;
    }
    return changed;
}

} // namespace knossos
