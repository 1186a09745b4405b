#pragma once

#include <knossos/operators/variation.hpp>

#include <algorithm>
#include <cstring>

namespace knossos {

/// Genomes of integers, packed or not.
template <class View>
concept Integral = requires(View genome) {
    genome.alphabet();
    genome.set(std::size_t{0}, std::uint32_t{0});
};

/// Point: one random gene changes. A bit flips; an integer is drawn anew, and may come out as it was; so is a
/// real, evenly from within its bounds.
struct PointMutation {
    double probability = 1.0;

    static constexpr std::string_view name = "point";
    static constexpr auto fields() {
        return std::tuple{
            probability_field("probability", &PointMutation::probability, "how often a genome is mutated")};
    }
    void operator()(Stream& stream, Bits genome) const { genome.flip(stream.below64(genome.size())); }

    template <Integral View>
    void operator()(Stream& stream, View genome) const {
        const std::size_t position = stream.below64(genome.size());
        genome.set(position, stream.below(genome.alphabet()));
    }
    void operator()(Stream& stream, Reals genome) const {
        const std::size_t position = stream.below64(genome.size());
        genome[position] = uniform(stream, genome.bounds(position));
    }
};

/// Uniform: every gene changes independently with probability `per_gene`. Bits flip; integers are drawn anew,
/// and so are reals, evenly from within their bounds.
struct UniformMutation {
    double probability = 1.0;
    double per_gene = 0.01;

    static constexpr std::string_view name = "uniform";
    static constexpr auto fields() {
        return std::tuple{
            probability_field("probability", &UniformMutation::probability, "how often a genome is mutated"),
            probability_field("per_gene", &UniformMutation::per_gene, "how often a gene of it changes")};
    }
    /// The operator with its table of skips, made once per batch.
    struct Prepared {
        Skips skips;

        bool operator()(Stream& stream, Bits genome) const {
            bool changed = false;
            for_each_hit(stream, skips, genome.size(), [&](std::size_t i) {
                genome.flip(i);
                changed = true;
            });
            return changed;
        }
        template <Integral View>
        bool operator()(Stream& stream, View genome) const {
            bool changed = false;
            for_each_hit(stream, skips, genome.size(), [&](std::size_t i) {
                genome.set(i, stream.below(genome.alphabet()));
                changed = true;
            });
            return changed;
        }
        bool operator()(Stream& stream, Reals genome) const {
            bool changed = false;
            for_each_hit(stream, skips, genome.size(), [&](std::size_t i) {
                genome[i] = uniform(stream, genome.bounds(i));
                changed = true;
            });
            return changed;
        }
    };
    [[nodiscard]] Prepared prepared(const Space& /*space*/) const { return {Skips{per_gene}}; }

    template <class View>
        requires std::same_as<View, Bits> || Integral<View> || std::same_as<View, Reals>
    bool operator()(Stream& stream, View genome) const {
        return Prepared{Skips{per_gene}}(stream, genome);
    }
};

/// Bit flip: every bit flips independently with probability `per_bit`; 0 stands for the usual 1/length.
/// H. Mühlenbein: "How genetic algorithms really work: mutation and hillclimbing", PPSN 1992.
struct BitFlip {
    double probability = 1.0;
    double per_bit = 0.0;

    static constexpr std::string_view name = "bit-flip";
    static constexpr auto fields() {
        return std::tuple{
            probability_field("probability", &BitFlip::probability, "how often a genome is mutated"),
            probability_field("per_bit", &BitFlip::per_bit, "how often a bit of it flips; 0 means 1/length")};
    }
    [[nodiscard]] double rate(std::size_t length) const {
        return per_bit > 0.0 ? per_bit : 1.0 / static_cast<double>(length);
    }
    [[nodiscard]] UniformMutation::Prepared prepared(const Space& space) const {
        return {Skips{rate(space.length)}};
    }

    bool operator()(Stream& stream, Bits genome) const {
        return UniformMutation::Prepared{Skips{rate(genome.size())}}(stream, genome);
    }
};

/// Rotate: the genome is turned by a random number of places, so that every gene is kept and its neighbours
/// stay so. Not for reals, whose genes have bounds of their own.
struct Rotate {
    double probability = 1.0;

    static constexpr std::string_view name = "rotate";
    static constexpr bool preserves_ones = true;
    static constexpr auto fields() {
        return std::tuple{
            probability_field("probability", &Rotate::probability, "how often a genome is mutated")};
    }
    bool operator()(Stream& stream, Bits genome, Scratch& scratch) const {
        return turn(genome, 1, stream, genome.size(), scratch);
    }
    bool operator()(Stream& stream, Packed genome, Scratch& scratch) const {
        return turn(genome.bits(), genome.gene_bits(), stream, genome.size(), scratch);
    }
    template <class View>
        requires(!std::same_as<View, Reals> &&
                 requires(View genome) { std::rotate(genome.begin(), genome.begin(), genome.end()); })
    bool operator()(Stream& stream, View genome, Scratch& /*scratch*/) const {
        if (genome.size() < 2) return false;
        std::rotate(genome.begin(), genome.begin() + 1 + stream.below64(genome.size() - 1), genome.end());
        return true;
    }

  private:
    static bool turn(Bits genome, std::size_t width, Stream& stream, std::size_t genes, Scratch& scratch);
};

/// Move ones: between `least` and `most` of the ones each move to a random zero, so that their number stays.
/// `most` = 0 stands for all of them. In the duel-queens system: 1 to n queens move to empty squares.
struct MoveOnes {
    double probability = 1.0;
    std::uint32_t least = 1;
    std::uint32_t most = 0;

    static constexpr std::string_view name = "move-ones";
    static constexpr bool preserves_ones = true;
    static constexpr std::size_t random_blocks() { return 4; }
    static constexpr auto fields() {
        return std::tuple{
            probability_field("probability", &MoveOnes::probability, "how often a genome is mutated"),
            field("least", &MoveOnes::least, 1, 4294967295.0, "fewest ones that move"),
            field("most", &MoveOnes::most, 0, 4294967295.0, "most ones that move; 0 means all")};
    }
    void check(const Space& space) const;
    bool operator()(Stream& stream, Bits genome, Scratch& scratch) const;
};

} // namespace knossos
