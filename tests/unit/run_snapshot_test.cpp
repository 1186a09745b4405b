#include "run_support.hpp"

#include <knossos/run/run.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
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
