// Somebody's own parts: one of every stage and an algorithm, as docs/extending.md shows them, in runs.
#include <knossos/knossos.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace own_parts_test {
namespace {

// Nothing but the public header, and from outside its namespace.

struct LeadingOnes {
    static constexpr auto objective = knossos::Objective::maximise;
    [[nodiscard]] static knossos::Space space() { return knossos::Space::bits(64); }
    [[nodiscard]] static std::optional<double> target() { return 64.0; }
    [[nodiscard]] static double evaluate(knossos::BitView bits) {
        std::size_t ones = 0;
        while (ones < bits.size() && bits[ones]) ++ones;
        return static_cast<double>(ones);
    }
};

struct FlipFirst {
    double probability = 1.0;
    void operator()(knossos::Stream& stream, knossos::Bits bits) const { bits.flip(stream.below(8)); }
};

struct FlipSomewhere {
    bool operator()(knossos::Stream& stream, knossos::Bits bits, knossos::Scratch& scratch) const {
        const std::span<std::uint32_t> drawn = scratch.first(2);
        for (std::uint32_t& place : drawn) place = stream.below(static_cast<std::uint32_t>(bits.size()));
        if (drawn[0] == drawn[1]) return false;
        for (const std::uint32_t place : drawn) bits.flip(place);
        return true;
    }
};

struct ExchangeBit {
    double probability = 0.9;
    bool operator()(knossos::Stream& stream, knossos::Bits a, knossos::Bits b) const {
        const auto place = stream.below(static_cast<std::uint32_t>(a.size()));
        if (a[place] == b[place]) return false;
        a.flip(place);
        b.flip(place);
        return true;
    }
};

struct BetterOfTwo {
    [[nodiscard]] std::uint32_t pick(knossos::Stream& stream, const knossos::Scores& scores,
                                     const knossos::SelectionTable& /*table*/, std::size_t /*slot*/) const {
        const auto size = static_cast<std::uint32_t>(scores.size());
        const std::uint32_t one = stream.below(size);
        const std::uint32_t other = stream.below(size);
        return scores.better(other, one) ? other : one;
    }
};

// Chooses from what it prepared once for the generation.
struct BestThree {
    static void prepare(knossos::Stream& /*stream*/, const knossos::Scores& scores, std::size_t /*draws*/,
                        knossos::SelectionTable& table) {
        knossos::rank_best_first(scores, table.order);
    }
    [[nodiscard]] static std::uint32_t pick(knossos::Stream& stream, const knossos::Scores& /*scores*/,
                                            const knossos::SelectionTable& table, std::size_t /*slot*/) {
        return table.order[stream.below(3)];
    }
};

struct SlotBySlot {
    void operator()(knossos::Stream& /*stream*/, knossos::Succession turn) const {
        for (std::size_t i = 0; i < turn.offspring.size(); ++i)
            if (!turn.resident_better(i, i)) turn.current.copy_from(turn.offspring, i, i);
    }
};

struct OneFlip {
    double probability = 0.5;
    knossos::Improved operator()(knossos::Stream& stream, knossos::DeltaEvaluator& deltas,
                                 const knossos::Space& space, knossos::Objective objective,
                                 std::byte* genome) const {
        const double fitness = deltas.start(genome);
        const knossos::Flip move{stream.below64(space.length)};
        const double after = deltas.evaluate(move);
        if (!knossos::better(objective, after, fitness)) return {.fitness = fitness, .evaluations = 2};
        deltas.apply(move, after);
        return {.fitness = after, .evaluations = 2};
    }
};

struct EverybodyLeaves {
    void step(const knossos::Context& context, knossos::Island& island) const {
        knossos::breed(context, context.stages.select, island, island.offspring.size(), 2);
        std::swap(island.current, island.offspring);
    }
};

// Has what an algorithm may have beside step().
struct OnlyEven {
    static constexpr std::string_view name = "only-even";
    static constexpr auto fields() { return std::tuple{}; }
    static void check(const knossos::Problem& problem, const knossos::Stages& stages, std::size_t population,
                      std::size_t /*offspring*/) {
        stages.mutate.check(problem.space());
        if (population % 2 != 0) throw knossos::InvalidInput{"the population must be even"};
    }
    static std::size_t offspring_buffer(std::size_t population, std::size_t /*offspring*/) {
        return population / 2;
    }
    void step(const knossos::Context& context, knossos::Island& island) const {
        knossos::breed(context, context.stages.select, island, island.offspring.size(), 2);
        for (std::size_t i = 0; i < island.offspring.size(); ++i)
            island.current.copy_from(island.offspring, i, 2 * i);
    }
};

// Takes turns, and keeps a list of how often it did, which grows.
struct TakesTurns {
    struct State {
        std::vector<std::uint64_t> turns;

        void write(knossos::ByteWriter& out) const {
            out.put(std::uint64_t{turns.size()});
            for (const std::uint64_t turn : turns) out.put(turn);
        }
        void read(knossos::ByteReader& in) {
            turns.clear();
            for (auto left = in.get<std::uint64_t>(); left > 0; --left)
                turns.push_back(in.get<std::uint64_t>());
        }
        [[nodiscard]] bool is_sound() const { return std::ranges::is_sorted(turns); }
    };
    void step(const knossos::Context& context, knossos::Island& island) const {
        knossos::breed(context, context.stages.select, island, island.offspring.size(), 2);
        auto& turns = island.kept.as<State>().turns;
        if (turns.size() % 3 != 0)
            std::swap(island.current, island.offspring);
        else
            island.current.copy_from(island.offspring, 0, turns.size() % island.current.size());
        turns.push_back(island.generation);
    }
};

// A run with the part: makes progress, and does not depend on the number of threads.
void expect_works(knossos::Settings settings) {
    settings.population = 40;
    settings.stop = knossos::generations(40);
    settings.seed = 5;
    settings.threads = 1;
    const knossos::Result alone = knossos::evolve(LeadingOnes{}, settings);
    EXPECT_EQ(alone.generations, 40U);
    EXPECT_GT(alone.fitness, alone.history.front().best);
    settings.threads = 3;
    EXPECT_EQ(knossos::evolve(LeadingOnes{}, settings).digest, alone.digest);
}

TEST(OwnParts, AMutationRuns) {
    const knossos::Result result =
        knossos::evolve(LeadingOnes{}, {.mutate = FlipFirst{}, .stop = knossos::generations(100)});
    EXPECT_GE(result.fitness, 8.0); // the first eight are all that it can mend
    expect_works({.mutate = FlipSomewhere{}});
}

TEST(OwnParts, TheProbabilityOfAMutationIsObeyed) {
    const knossos::Result never = knossos::evolve(
        LeadingOnes{}, {.mutate = FlipFirst{.probability = 0.0}, .stop = knossos::generations(10)});
    EXPECT_EQ(never.evaluations, 100U); // the first generation's: no child differs from its parent
}

TEST(OwnParts, ACrossoverRuns) { expect_works({.recombine = ExchangeBit{}}); }

TEST(OwnParts, ASelectionRuns) {
    expect_works({.select = BetterOfTwo{}});
    expect_works({.select = BestThree{}});
}

TEST(OwnParts, AReplacementRuns) { expect_works({.replace = SlotBySlot{}}); }

TEST(OwnParts, AnImprovementRuns) { expect_works({.improve = OneFlip{}}); }

TEST(OwnParts, AnAlgorithmRuns) {
    expect_works({.algorithm = EverybodyLeaves{}});
    expect_works({.algorithm = OnlyEven{}});
    EXPECT_THROW(knossos::evolve(LeadingOnes{}, {.algorithm = OnlyEven{}, .population = 41}),
                 knossos::InvalidInput);
}

TEST(OwnParts, WhatAnAlgorithmKeepsIsCopiedAndWrittenDown) {
    expect_works({.algorithm = TakesTurns{}});
    expect_works({.algorithm = TakesTurns{}, .islands = {.count = 3, .interval = 4}});
    knossos::Settings settings{.algorithm = TakesTurns{},
                               .population = 20,
                               .islands = {.count = 2, .interval = 3},
                               .stop = knossos::generations(20)};
    const knossos::Result straight = knossos::evolve(LeadingOnes{}, settings);
    knossos::Run begun{LeadingOnes{}, settings};
    for (int step = 0; step < 7; ++step) begun.step();
    knossos::Run resumed{LeadingOnes{}, settings, begun.snapshot()};
    const auto& turns = resumed.islands()[1].kept.as<TakesTurns::State>().turns;
    EXPECT_EQ(turns, (std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6, 7}));
    resumed.finish();
    EXPECT_EQ(resumed.result().digest, straight.digest);
    begun.finish();
    EXPECT_EQ(begun.result().digest, straight.digest);
}

TEST(OwnParts, WhatAnAlgorithmKeepsBeginsAnewWhenItRestarts) {
    knossos::Run run{LeadingOnes{},
                     {.algorithm = TakesTurns{},
                      .population = 20,
                      .mutate = FlipFirst{.probability = 0.0},
                      .restart = {.stagnation = 4},
                      .stop = knossos::generations(10)}};
    std::size_t longest = 0;
    while (!run.finished()) {
        run.step();
        longest = std::max(longest, run.islands()[0].kept.as<TakesTurns::State>().turns.size());
    }
    EXPECT_GT(run.islands()[0].restarts, 1U);
    EXPECT_LT(longest, 5U);
}

TEST(OwnParts, AllTogetherRun) {
    expect_works({.algorithm = EverybodyLeaves{},
                  .select = BetterOfTwo{},
                  .recombine = ExchangeBit{},
                  .mutate = FlipSomewhere{},
                  .improve = OneFlip{},
                  .islands = {.count = 3, .interval = 4}});
}

// How an own problem's populations are looked at while it runs: from between the steps.
TEST(OwnParts, PopulationsCanBeLookedAtBetweenTheSteps) {
    knossos::Run run{LeadingOnes{}, {.select = BestThree{}, .stop = knossos::generations(60)}};
    const double before = knossos::position_entropy(run.islands()[0].current);
    while (!run.finished()) run.step();
    EXPECT_GT(before, 0.9); // random bits
    EXPECT_LT(knossos::position_entropy(run.islands()[0].current), before);
}

} // namespace
} // namespace own_parts_test
