#include "core/distances.hpp"
#include "core/whole_sums.hpp"

#include <knossos/run/status.hpp>

#include <algorithm>

namespace knossos {

void follow_from_sums(Moments& moments) {
    const auto total = static_cast<double>(moments.count);
    // Most sums are small, and 64 bits hold what 128 would.
    constexpr std::uint64_t few = 1'000'000;
    constexpr WideInteger small = 1'000'000'000'000;
    if (moments.count < few && moments.sum_of_squares < small) {
        const auto sum = static_cast<std::int64_t>(moments.sum);
        const auto squares = static_cast<std::int64_t>(moments.sum_of_squares);
        moments.mean = static_cast<double>(sum) / total;
        moments.squares =
            static_cast<double>(static_cast<std::int64_t>(moments.count) * squares - sum * sum) / total;
        return;
    }
    const auto count = static_cast<WideInteger>(moments.count);
    moments.mean = static_cast<double>(moments.sum) / static_cast<double>(moments.count);
    moments.squares = static_cast<double>(count * moments.sum_of_squares - moments.sum * moments.sum) /
                      static_cast<double>(moments.count);
}

namespace {

struct Range {
    double lowest;
    double highest;
};

// Sums of whole numbers so small that doubles hold them exactly. The range is that of any numbers.
bool sum_small(std::span<const double> fitness, Range& range, Moments& moments) {
    const auto sums = whole_sums(fitness);
    if (!sums) {
        const auto [lowest, highest] = std::ranges::minmax(fitness);
        range = {lowest, highest};
        return false;
    }
    range = {sums->lowest, sums->highest};
    moments.whole = 1;
    moments.sum = sums->sum;
    moments.sum_of_squares = sums->squares;
    return true;
}

// Sums of whole numbers, unless one of them is none, or so large that sums might not fit.
bool sum_large(std::span<const double> fitness, const Range& range, Moments& moments) {
    constexpr double most = 2147483648.0;
    if (!(range.lowest >= -most && range.highest <= most)) return false;
    std::int64_t sum = 0;
    WideInteger squares = 0;
    bool is_whole = true;
    for (const double value : fitness) {
        const auto number = static_cast<std::int64_t>(value);
        is_whole &= static_cast<double>(number) == value;
        sum += number;
        squares += static_cast<WideInteger>(number * number);
    }
    if (!is_whole) return false;
    moments.whole = 1;
    moments.sum = sum;
    moments.sum_of_squares = squares;
    return true;
}

// Those that whoever has the individuals has added up.
void take_sums(const FitnessSums& sums, Range& range, Moments& moments) {
    range = {static_cast<double>(sums.lowest), static_cast<double>(sums.highest)};
    moments.whole = 1;
    moments.sum = sums.sum;
    moments.sum_of_squares = sums.squares;
    follow_from_sums(moments);
}

// In how many genes the sampled pairs differ.
double sampled_differences(const Island& island, std::uint32_t diversity_pairs) {
    // A pair takes two numbers. Their blocks are computed together: where generations take microseconds, this
    // is a good part of them.
    const StageStreams streams = island.streams(Purpose::diversity);
    std::array<PhiloxBlock, 8> ahead; // left unset: only what has been computed is read
    const std::size_t blocks =
        std::min<std::size_t>(ahead.size(), (std::size_t{2} * diversity_pairs + 3) / 4);
    for (std::uint32_t block = 0; block < blocks; ++block) ahead[block] = streams.counter(0, block);
    philox4x32_each(streams.key, std::span{ahead}.first(blocks));
    Stream stream{streams.key, streams.generation, 0, std::span{ahead}.first(blocks)};
    const auto size = static_cast<std::uint32_t>(island.current.size());
    double differing = 0.0;           // whole numbers but for reals
    std::array<GenomePair, 16> pairs; // left unset, likewise
    for (std::uint32_t done = 0; done < diversity_pairs;) {
        const std::size_t some = std::min<std::size_t>(pairs.size(), diversity_pairs - done);
        for (std::size_t pair = 0; pair < some; ++pair) {
            const std::uint32_t a = stream.below(size);
            std::uint32_t b = stream.below(size - 1);
            b += b >= a ? 1U : 0U;
            pairs[pair] = {island.current.genome(a), island.current.genome(b)};
        }
        differing = add_distances(island.current.space(), std::span{pairs}.first(some), differing);
        done += static_cast<std::uint32_t>(some);
    }
    return differing;
}

void sum_rounded(std::span<const double> fitness, Range& range, Moments& moments) {
    // Four interleaved sums: a fixed order that still fits vector registers.
    std::array<double, 4> sums{};
    Range seen{fitness[0], fitness[0]};
    for (std::size_t i = 0; i < fitness.size(); ++i) {
        sums[i % 4] += fitness[i];
        seen.lowest = std::min(seen.lowest, fitness[i]);
        seen.highest = std::max(seen.highest, fitness[i]);
    }
    range = seen;
    moments.mean = ((sums[0] + sums[1]) + (sums[2] + sums[3])) / static_cast<double>(fitness.size());
    std::array<double, 4> squares{};
    for (std::size_t i = 0; i < fitness.size(); ++i) {
        const double difference = fitness[i] - moments.mean;
        squares[i % 4] += difference * difference;
    }
    moments.squares = (squares[0] + squares[1]) + (squares[2] + squares[3]);
}

// Best and worst where individuals have more than a fitness.
void note_extremes(const Population& population, const Schema& schema, Moments& moments) {
    const Objective objective = schema.objective();
    moments.best = moments.worst = quality_of(population, 0);
    for (std::size_t i = 0; i < population.size(); ++i) {
        const Quality one = quality_of(population, i);
        if (better(objective, one, moments.best)) moments.best = one;
        if (better(objective, moments.worst, one)) moments.worst = one;
        moments.feasible += schema.missed(one) == 0.0 ? 1U : 0U;
    }
}

} // namespace

Moments moments_of(const Island& island, const Schema& schema, std::uint32_t diversity_pairs) {
    const auto fitness = island.current.fitness();
    Moments moments;
    moments.count = fitness.size();
    Range range{};
    const auto* const elsewhere = island.kept.find<KeptElsewhere>();
    if (elsewhere != nullptr && elsewhere->sums)
        take_sums(*elsewhere->sums, range, moments);
    else if (schema.whole_fitness() &&
             (sum_small(fitness, range, moments) || sum_large(fitness, range, moments)))
        follow_from_sums(moments);
    else
        sum_rounded(fitness, range, moments);
    if (schema.plain()) {
        const bool minimise = schema.objective() == Objective::minimise;
        moments.best.fitness = minimise ? range.lowest : range.highest;
        moments.worst.fitness = minimise ? range.highest : range.lowest;
        moments.feasible = moments.count;
    } else {
        note_extremes(island.current, schema, moments);
    }
    if (fitness.size() < 2) return moments;
    const double differing = elsewhere != nullptr && elsewhere->differing
                                 ? static_cast<double>(*elsewhere->differing)
                                 : sampled_differences(island, diversity_pairs);
    moments.pairs = diversity_pairs;
    moments.distance = differing / static_cast<double>(island.current.space().length);
    return moments;
}

// T. F. Chan, G. H. Golub, R. J. LeVeque: "Updating formulae and a pairwise algorithm for computing sample
// variances".
Moments merge(const Moments& a, const Moments& b, Objective objective) {
    Moments both = merge_sums(a, b, objective);
    if (both.whole != 0) follow_from_sums(both);
    return both;
}

Moments merge_sums(const Moments& a, const Moments& b, Objective objective) {
    if (a.count == 0) return b;
    if (b.count == 0) return a;
    Moments both{.count = a.count + b.count,
                 .whole = a.whole & b.whole,
                 .sum = a.sum + b.sum,
                 .sum_of_squares = a.sum_of_squares + b.sum_of_squares,
                 .best = better(objective, b.best, a.best) ? b.best : a.best,
                 .worst = better(objective, a.worst, b.worst) ? b.worst : a.worst,
                 .distance = a.distance + b.distance,
                 .pairs = a.pairs + b.pairs,
                 .feasible = a.feasible + b.feasible};
    if (both.whole != 0) return both;
    const auto count_a = static_cast<double>(a.count);
    const auto count_b = static_cast<double>(b.count);
    const double difference = b.mean - a.mean;
    const double total = count_a + count_b;
    both.mean = a.mean + difference * (count_b / total);
    both.squares = a.squares + b.squares + difference * difference * (count_a * count_b / total);
    return both;
}

} // namespace knossos
