#include "run_support.hpp"

#include <knossos/run/checkpoint.hpp>
#include <knossos/run/run.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace knossos::run_snapshot_test {
namespace {

using test::expect_mentions;
using test::expect_same;
using test::Landscape;
using test::message_of;
using test::small;
using test::small_settings;
using test::stream_for;

// Inside a test, Run is a member of GoogleTest's.
using Evolution = Run;

std::vector<std::byte> small_snapshot() {
    Settings settings = small_settings();
    settings.population = 4;
    settings.islands = {.count = 2, .migrants = 1};
    Evolution run{Landscape{small}, settings};
    run.step();
    run.step();
    return run.snapshot();
}

Evolution from_small_snapshot(std::span<const std::byte> snapshot) {
    Settings settings = small_settings();
    settings.population = 4;
    settings.islands = {.count = 2, .migrants = 1};
    return {Landscape{small}, settings, snapshot};
}

TEST(Snapshot, IsRefusedWhenTruncatedAnywhere) {
    const std::vector<std::byte> whole = small_snapshot();
    EXPECT_NO_THROW(from_small_snapshot(whole));
    for (std::size_t length = 0; length < whole.size(); ++length)
        expect_mentions(message_of([&] { from_small_snapshot(std::span{whole}.first(length)); }),
                        {"snapshot"});
}

TEST(Snapshot, IsRefusedWhenSomethingIsAppended) {
    std::vector<std::byte> longer = small_snapshot();
    longer.push_back(std::byte{0});
    expect_mentions(message_of([&] { from_small_snapshot(longer); }), {"snapshot", "damaged"});
}

TEST(Snapshot, IsRefusedWhenAnyByteIsDamaged) {
    const std::vector<std::byte> whole = small_snapshot();
    std::size_t accepted = 0;
    for (std::size_t i = 0; i < whole.size(); ++i)
        for (const std::byte damage : {std::byte{1}, std::byte{0x80}, std::byte{0xFF}}) {
            std::vector<std::byte> damaged = whole;
            damaged[i] ^= damage;
            try {
                from_small_snapshot(damaged);
                ++accepted;
            } catch (const InvalidInput&) { // as it should be
            }
        }
    EXPECT_EQ(accepted, 0U) << "of " << 3 * whole.size() << " damaged snapshots";
}

// With other values in it, and a checksum that fits: forged, or written by a program with a defect.
std::vector<std::byte> forged(std::vector<std::byte> snapshot, std::size_t at, std::uint64_t value,
                              std::size_t bytes = 8) {
    std::memcpy(snapshot.data() + at, &value, bytes);
    const std::uint64_t checksum = stable_hash(std::span{snapshot}.first(snapshot.size() - 8));
    std::memcpy(snapshot.data() + snapshot.size() - 8, &checksum, 8);
    return snapshot;
}
std::vector<std::byte> forged(std::size_t at, std::uint64_t value, std::size_t bytes = 8) {
    return forged(small_snapshot(), at, value, bytes);
}

constexpr std::size_t statistics = 8 + 8 + 4 + 4 + 8 + 22 + 8 + 8; // behind settings, space, columns, data
constexpr std::size_t behind = statistics + sizeof(Statistics);
constexpr std::size_t interval = behind + 8 + 1 + 8;
constexpr std::size_t history = interval + 16;
constexpr std::size_t island = history + 3 * sizeof(Statistics); // generations 0, 1 and 2

TEST(Snapshot, IsRefusedWhenItHoldsWhatNoRunWrites) {
    constexpr std::size_t population = island + 9 * 8;
    constexpr std::size_t hall = population + 4 * (8 + 8);
    constexpr std::uint64_t no_number = 0x7FF8000000000000U;
    constexpr std::uint64_t one = 0x3FF0000000000000U; // as a double
    const auto finish = [](const std::vector<std::byte>& snapshot) {
        Evolution run = from_small_snapshot(snapshot);
        run.finish();
        (void)run.result();
    };
    EXPECT_NO_THROW(finish(forged(island, 2))) << "the layout has changed: put the places right";
    EXPECT_NO_THROW(finish(forged(interval, 1)));
    struct Forgery {
        const char* what;
        std::size_t at;
        std::uint64_t value;
    };
    for (const auto& [what, at, value] : std::vector<Forgery>{
             {"generation", statistics, ~std::uint64_t{0}},
             {"another generation than the islands'", statistics, 3},
             {"evaluations", statistics + 8, ~std::uint64_t{0}},
             {"steps", statistics + 16, ~std::uint64_t{0}},
             {"fewer evaluations than an island's", statistics + 8, 1},
             {"best", statistics + 24, no_number},
             {"worst", statistics + 40, no_number},
             {"best ever", statistics + 64, no_number},
             {"merit", statistics + 72, no_number},
             {"violation", statistics + 80, no_number},
             {"violation below 0", statistics + 80, one | std::uint64_t{1} << 63U},
             {"violation of the worst", statistics + 88, no_number},
             {"feasible", statistics + 96, no_number},
             {"more than all feasible", statistics + 96, one + 1},
             {"seconds", statistics + 112, no_number},
             {"seconds below 0", statistics + 112, one | std::uint64_t{1} << 63U},
             {"stagnation", behind, 3},
             {"interval 0", interval, 0},
             {"interval 3", interval, 3},
             {"interval that the history does not have", interval, 2},
             {"length of the history", interval + 8, 1'000'000'000},
             {"order of the history", history, 1},
             {"history later than the run", history + 2 * sizeof(Statistics), 3},
             {"fitness in the history", history + 24, no_number},
             {"generation of an island", island, 1},
             {"restarts", island + 24, 3},
             {"last improvement", island + 32, 3},
             {"violation of the era's best", island + 40, no_number},
             {"best of the era", island + 48, no_number},
             {"violation of the front", island + 56, no_number},
             {"merit of the front", island + 64, no_number},
             {"merit of the front above 1", island + 64, one + 1},
             {"a gene beyond the last", population, std::uint64_t{1} << 63U},
             {"fitness of an individual", population + 4 * 8, no_number},
             {"entries of the hall of fame", hall, 1'000'000'000},
             {"no hall of fame", hall, 0},
             {"violation in the hall of fame", hall + 8, one},
             {"fitness in the hall of fame", hall + 16, no_number},
             {"order of the hall of fame", hall + 16, 0x7FF0000000000000U},
             {"generation in the hall of fame", hall + 24, 3},
             {"genome in the hall of fame", hall + 40, std::uint64_t{1} << 63U},
         })
        EXPECT_THROW(finish(forged(at, value)), InvalidInput) << what;
    EXPECT_THROW(finish(forged(behind + 8, 2, 1)), InvalidInput) << "solved";
}

TEST(Snapshot, IsRefusedWhenItsAlgorithmCanNotHaveKeptWhatItHolds) {
    const Settings settings{
        .algorithm = Duel{.rounds = 3}, .population = 2, .mutate = SwapMutation{}, .stop = generations(9)};
    const Landscape landscape{Space::permutation(8)};
    Evolution run{landscape, settings};
    run.step();
    run.step();
    constexpr std::size_t newest = island + 9 * 8;
    EXPECT_NO_THROW(Evolution(landscape, settings, forged(run.snapshot(), newest, 1, 4)));
    expect_mentions(message_of([&] { Evolution(landscape, settings, forged(run.snapshot(), newest, 2, 4)); }),
                    {"damaged", "algorithm"});
}

// Its data are no part of the space.
struct Weighted {
    std::vector<double> weights;
    static constexpr Objective objective = Objective::maximise;
    [[nodiscard]] Space space() const { return Space::bits(weights.size()); }
    [[nodiscard]] std::uint64_t fingerprint() const { return stable_hash(std::as_bytes(std::span{weights})); }
    [[nodiscard]] double evaluate(BitView genome) const {
        double sum = 0.0;
        for (std::size_t i = 0; i < genome.size(); ++i) sum += genome[i] ? weights[i] : 0.0;
        return sum;
    }
};

TEST(Snapshot, OfAProblemWithOtherDataIsRefused) {
    const Weighted first{{1.0, 2.0, 3.0, 4.0}};
    const Settings settings{.population = 6, .stop = generations(5)};
    Evolution run{first, settings};
    run.step();
    Evolution same{first, settings, run.snapshot()};
    same.finish();
    expect_same(same.result(), evolve(first, settings));
    expect_mentions(message_of([&] { Evolution(Weighted{{1.0, 2.0, 3.0, 5.0}}, settings, run.snapshot()); }),
                    {"another run", "fingerprint()"});
}

TEST(Snapshot, OfAnOlderFormatIsRefusedBySayingSo) {
    expect_mentions(message_of([] { from_small_snapshot(forged(7, '1', 1)); }), {"format 1", "format 3"});
    expect_mentions(message_of([] { from_small_snapshot(forged(7, '2', 1)); }), {"format 2", "format 3"});
    expect_mentions(message_of([] { from_small_snapshot(forged(7, '4', 1)); }), {"not a snapshot"});
}

TEST(Snapshot, WithoutHistoryIsTakenUpByARunThatKeepsOne) {
    Settings settings = small_settings();
    settings.history = 0;
    const Evolution first{Landscape{small}, settings};
    settings.history = 100;
    const Evolution second{Landscape{small}, settings, first.snapshot()};
    EXPECT_EQ(second.result().history.size(), 1U);
}

TEST(Snapshot, IsRefusedWhenItIsNone) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Stream stream = stream_for(seed);
        std::vector<std::byte> noise(stream.below(2000));
        for (std::byte& byte : noise) byte = static_cast<std::byte>(stream.below(256));
        expect_mentions(message_of([&] { from_small_snapshot(noise); }), {"snapshot"});
    }
}

TEST(Snapshot, OfAnotherRunIsRefusedAndTheDifferenceNamed) {
    const std::vector<std::byte> snapshot = Evolution{Landscape{small}, small_settings()}.snapshot();
    const auto refused = [&](const Space& space, std::string_view what,
                             const std::function<void(Settings&)>& change) {
        Settings settings = small_settings();
        change(settings);
        const Landscape landscape{space};
        expect_mentions(message_of([&] { Evolution(landscape, settings, snapshot); }), {"another run", what});
        EXPECT_EQ(landscape.gauge->evaluations, 0U);
    };
    const auto same = [](Settings&) {};
    refused(small, "seed", [](Settings& settings) { settings.seed = 12; });
    refused(small, "run", [](Settings& settings) { settings.run = 1; });
    refused(small, "islands", [](Settings& settings) { settings.islands = {.count = 2}; });
    refused(small, "population", [](Settings& settings) { settings.population = 22; });
    refused(Space::bits(25), "25 bits", same);
    refused(Space::integers(24, 9), "genome", [](Settings& settings) { settings.mutate = PointMutation{}; });
    // As long and as large, and yet something else.
    refused(Space::packed(24, 2), "genome", [](Settings& settings) { settings.mutate = PointMutation{}; });
}

TEST(Snapshot, OfAStoppedRunGoesOnUnderALaterStopRule) {
    Settings settings = small_settings();
    settings.stop = generations(9);
    const Result straight = evolve(Landscape{small}, settings);

    settings.stop = generations(4);
    Evolution first{Landscape{small}, settings};
    first.finish();
    settings.stop = generations(9);
    Evolution second{Landscape{small}, settings, first.snapshot()};
    second.finish();
    expect_same(second.result(), straight);
    EXPECT_EQ(second.result().stopped_by, straight.stopped_by);
}

TEST(Snapshot, OfARunThatACallbackStoppedGoesOn) {
    Settings settings = small_settings();
    const Result straight = evolve(Landscape{small}, settings);
    settings.on_generation = [](const Status& status) {
        return status.statistics.generation < 3 ? Proceed::yes : Proceed::no;
    };
    Evolution interrupted{Landscape{small}, settings};
    interrupted.finish();
    EXPECT_EQ(interrupted.result().stopped_by, "callback");
    settings.on_generation = {};
    Evolution second{Landscape{small}, settings, interrupted.snapshot()};
    second.finish();
    expect_same(second.result(), straight);
}

} // namespace
} // namespace knossos::run_snapshot_test
