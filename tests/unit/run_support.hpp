#pragma once

#include "support.hpp"

#include <knossos/run/run.hpp>

#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string_view>

/// What tests of whole runs share: a problem on every kind of genome, and settings that suit it.
namespace knossos::test {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

// What the threads that evaluate may do to the test, and the test to them.
struct Gauge {
    std::atomic<std::uint64_t> evaluations{0};
    std::atomic<double> breaks_at{-infinity}; ///< evaluations of this fitness or better throw
    std::atomic<double> nan_at{-infinity};    ///< … or are not a number
};

// Every gene has a value it should hold; the fitness is how far the genes are from theirs, in sevenths so
// that sums round. Works on every kind of genome.
struct Landscape {
    Space its_space;
    std::shared_ptr<Gauge> gauge = std::make_shared<Gauge>();

    static constexpr Objective objective = Objective::minimise;
    [[nodiscard]] Space space() const { return its_space; }
    [[nodiscard]] static double target() { return 0.0; }

    template <class View>
    [[nodiscard]] double evaluate(View genome) const {
        gauge->evaluations.fetch_add(1, std::memory_order_relaxed);
        const double fitness = worth(genome);
        if (fitness <= gauge->breaks_at.load(std::memory_order_relaxed))
            throw std::runtime_error{"the sensor broke"};
        return fitness <= gauge->nan_at.load(std::memory_order_relaxed) ? std::nan("") : fitness;
    }

    template <class View>
    [[nodiscard]] double worth(const View& genome) const {
        double distance = 0.0;
        for (std::size_t i = 0; i < genome.size(); ++i) {
            if constexpr (std::same_as<View, RealView>) {
                const Bounds& bounds = genome.bounds(i);
                const double wanted = bounds.low + bounds.width() * static_cast<double>(i * 7 % 10) / 10.0;
                distance += std::abs(genome[i] - wanted) / 7.0;
                continue;
            }
            const auto gene = static_cast<double>(static_cast<std::uint32_t>(genome[i]));
            distance += std::abs(gene - static_cast<double>(i * 7 % its_space.alphabet)) / 7.0;
        }
        return distance;
    }
};

// With genes wider than they need to be, as in problems written for 32 bits alone.
inline Space wide_permutation(std::size_t length) {
    Space space = Space::permutation(length);
    space.gene_bytes = 4;
    return space;
}

inline Settings settings_for(const Space& space) {
    Settings settings{.population = 300, .stop = generations(6), .hall_of_fame = 3, .seed = 11};
    if (space.kind == GenomeKind::permutation) {
        settings.recombine = PartiallyMatched{};
        settings.mutate = ShuffleIndexes{};
    } else if (space.ones) {
        settings.mutate = MoveOnes{.probability = 0.8, .most = 3};
    } else if (space.kind == GenomeKind::bits) {
        settings.recombine = TwoPoint{};
    } else if (space.kind == GenomeKind::reals) {
        settings.recombine = SimulatedBinary{};
    } else {
        settings.recombine = UniformCrossover{.probability = 0.8, .exchange = 0.3};
    }
    return settings;
}

inline const Space small = Space::bits(24);

inline Settings small_settings() {
    Settings settings = settings_for(small);
    settings.population = 20;
    return settings;
}

// Crossover, for algorithms that cross.
inline Recombination crossover_for(const Algorithm& algorithm) {
    for (const std::string_view mutating : {"duel", "knockout", "annealing"})
        if (algorithm.name() == mutating) return Clone{};
    return TwoPoint{};
}

inline Settings island_settings(Settings settings, Topology topology) {
    settings.population = 40;
    settings.islands = {.count = 6, .topology = topology, .interval = 2, .migrants = 2};
    return settings;
}

inline void expect_same_statistics(const Statistics& a, const Statistics& b) {
    EXPECT_EQ(a.generation, b.generation);
    EXPECT_EQ(a.evaluations, b.evaluations);
    const auto same_bits = [](double x, double y) {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(x), std::bit_cast<std::uint64_t>(y)) << x << " and " << y;
    };
    same_bits(a.best, b.best);
    same_bits(a.mean, b.mean);
    same_bits(a.worst, b.worst);
    same_bits(a.deviation, b.deviation);
    same_bits(a.diversity, b.diversity);
    same_bits(a.best_ever, b.best_ever);
}

// To the bit, in everything but the time it took.
inline void expect_same(const Result& a, const Result& b) {
    EXPECT_EQ(a.digest, b.digest);
    EXPECT_EQ(a.best.to_text(), b.best.to_text());
    EXPECT_EQ(a.fitness, b.fitness);
    EXPECT_EQ(a.solved, b.solved);
    EXPECT_EQ(a.evaluations, b.evaluations);
    EXPECT_EQ(a.generations, b.generations);
    EXPECT_EQ(a.restarts, b.restarts);
    ASSERT_EQ(a.history.size(), b.history.size());
    for (std::size_t i = 0; i < a.history.size(); ++i) expect_same_statistics(a.history[i], b.history[i]);
    ASSERT_EQ(a.hall_of_fame.size(), b.hall_of_fame.size());
    for (std::size_t i = 0; i < a.hall_of_fame.size(); ++i) {
        EXPECT_EQ(a.hall_of_fame[i].genome.to_text(), b.hall_of_fame[i].genome.to_text());
        EXPECT_EQ(a.hall_of_fame[i].fitness, b.hall_of_fame[i].fitness);
        EXPECT_EQ(a.hall_of_fame[i].generation, b.hall_of_fame[i].generation);
        EXPECT_EQ(a.hall_of_fame[i].evaluations, b.hall_of_fame[i].evaluations);
        EXPECT_EQ(a.hall_of_fame[i].island, b.hall_of_fame[i].island);
    }
}

inline constexpr auto name_of = [](const auto& info) { return info.param.name; };

// Counts ones, and how often it was asked; more are better.
struct Maximised {
    static constexpr Objective objective = Objective::maximise;
    std::shared_ptr<std::atomic<int>> calls = std::make_shared<std::atomic<int>>(0);
    [[nodiscard]] static Space space() { return Space::bits(40); }
    [[nodiscard]] double evaluate(BitView genome) const {
        ++*calls;
        return static_cast<double>(genome.count());
    }
};

// Nothing is ever better than anything else.
struct Flat {
    static constexpr Objective objective = Objective::minimise;
    [[nodiscard]] static Space space() { return Space::bits(10); }
    [[nodiscard]] static double evaluate(BitView) { return 1.0; }
};

// Counts ones; its own move goes one up or down at random.
struct Staircase {
    static constexpr Objective objective = Objective::minimise;
    [[nodiscard]] static Space space() { return Space::bits(64); }
    [[nodiscard]] static double evaluate(BitView genome) { return static_cast<double>(genome.count()); }
    static bool propose(Stream& stream, Bits genome) {
        genome.flip(stream.below(64));
        return true;
    }
};

} // namespace knossos::test
