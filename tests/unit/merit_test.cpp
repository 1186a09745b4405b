// What a run with several objectives has come to, as one number: hypervolumes, and who looks at them.
#include "run_support.hpp"

#include <knossos/core/hypervolume.hpp>
#include <knossos/knossos.hpp>
#include <knossos/recipe/run_folder.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <vector>

namespace knossos::merit_test {
namespace {

using test::expect_mentions;
using test::message_of;
using test::stream_for;

double volume_of(const Schema& schema, const std::vector<std::vector<double>>& front) {
    std::vector<std::span<const double>> records;
    for (const auto& record : front) records.emplace_back(record);
    return hypervolume(schema, records);
}

Schema objectives(std::size_t count, double steps) {
    constexpr std::array<std::string_view, 4> names{"a", "b", "c", "d"};
    std::vector<Column> columns;
    for (std::size_t i = 0; i < count; ++i)
        columns.push_back((i % 2 == 0 ? maximise(names[i]) : minimise(names[i])).between(0.0, steps));
    return Schema{columns};
}

TEST(Hypervolume, IsTheShareOfTheRangesThatAFrontDominates) {
    const Schema schema{record(maximise("gain").between(0, 10), minimise("cost").between(0, 4))};
    EXPECT_EQ(volume_of(schema, {}), 0.0);
    EXPECT_EQ(volume_of(schema, {{10.0, 0.0}}), 1.0);
    EXPECT_EQ(volume_of(schema, {{5.0, 2.0}}), 0.25);
    EXPECT_EQ(volume_of(schema, {{5.0, 2.0}, {10.0, 3.0}}), 0.25 + 0.125);
    EXPECT_EQ(volume_of(schema, {{10.0, 3.0}, {5.0, 2.0}, {5.0, 2.0}, {1.0, 3.5}}), 0.25 + 0.125);
    // Beyond a range counts as its end.
    EXPECT_EQ(volume_of(schema, {{20.0, 2.0}}), 0.5);
    EXPECT_EQ(volume_of(schema, {{20.0, 5.0}}), 0.0);
}

// Objectives in whole steps: every unit cell of the space is dominated or not.
TEST(Hypervolume, IsWhatCountingCellsGives) {
    constexpr int steps = 6;
    for (std::size_t count = 2; count <= 4; ++count) {
        const Schema schema = objectives(count, steps);
        for (std::uint32_t seed = 0; seed < 60; ++seed) {
            Stream stream = stream_for(seed, static_cast<std::uint32_t>(count));
            std::vector<std::vector<double>> front(1 + stream.below(12));
            for (auto& record : front)
                for (std::size_t i = 0; i < count; ++i)
                    record.push_back(static_cast<double>(stream.below(steps + 1)));
            int cells = 1;
            for (std::size_t i = 0; i < count; ++i) cells *= steps;
            int dominated = 0;
            for (int cell = 0; cell < cells; ++cell) {
                const bool is_under = std::ranges::any_of(front, [&](const auto& record) {
                    int rest = cell;
                    for (std::size_t i = 0; i < count; ++i, rest /= steps) {
                        const double gain = i % 2 == 0 ? record[i] : steps - record[i];
                        if (gain <= rest % steps) return false;
                    }
                    return true;
                });
                dominated += is_under ? 1 : 0;
            }
            ASSERT_NEAR(volume_of(schema, front), static_cast<double>(dominated) / cells, 1e-12);
            auto turned = front;
            std::ranges::reverse(turned);
            ASSERT_EQ(volume_of(schema, turned), volume_of(schema, front)) << "order must not matter";
        }
    }
}

TEST(Merit, IsTheHypervolumeWhereObjectivesHaveRanges) {
    EXPECT_EQ(objectives(2, 5).merit(), Merit::hypervolume);
    EXPECT_EQ(objectives(4, 5).merit_name(), "hypervolume");
    EXPECT_EQ(objectives(4, 5).merit_objective(), Objective::maximise);
    const Schema unbounded{record(minimise("a"), minimise("b").between(0, 1))};
    EXPECT_EQ(unbounded.merit(), Merit::best);
    EXPECT_EQ(unbounded.merit_name(), "a");
    EXPECT_EQ(unbounded.merit_objective(), Objective::minimise);
    EXPECT_EQ(Schema{record(minimise("a").between(0, 1))}.merit(), Merit::best);
    expect_mentions(message_of([] { (void)Schema{record(minimise("a").between(5, 1))}; }),
                    {"'a'", "5..1", "lower end comes first"});
}

constexpr std::size_t length = 12;

struct LeadingTrailing {
    static constexpr auto record = knossos::record(maximise("leading ones").between(0, length),
                                                   maximise("trailing zeros").between(0, length));
    std::optional<double> wanted{};

    [[nodiscard]] static Space space() { return Space::bits(length); }
    [[nodiscard]] std::optional<double> target() const { return wanted; }
    static void evaluate(BitView bits, Record out) {
        std::size_t ones = 0;
        while (ones < bits.size() && bits[ones]) ++ones;
        std::size_t zeros = 0;
        while (zeros < bits.size() && !bits[bits.size() - 1 - zeros]) ++zeros;
        out[0] = static_cast<double>(ones);
        out[1] = static_cast<double>(zeros);
    }
};

// All of the front: steps from (0, 12) to (12, 0).
constexpr double whole_front = (1.0 - 1.0 / length) / 2.0;

Settings plus() {
    return {.population = 20, .replace = PlusReplacement{}, .stop = evaluations(40'000), .seed = 7};
}

double volume_of(const Result& result) {
    std::vector<std::vector<double>> front;
    for (const HallEntry& one : result.hall_of_fame) front.push_back(one.record);
    return volume_of(Schema{result.columns}, front);
}

TEST(Merit, OfARunGrowsToThatOfTheWholeFront) {
    const Result result = evolve(LeadingTrailing{}, plus());
    EXPECT_EQ(result.merit_name, "hypervolume");
    EXPECT_NEAR(result.merit, whole_front, 1e-12);
    EXPECT_EQ(result.merit, volume_of(result));
    double before = 0.0;
    for (const Statistics& row : result.history) {
        EXPECT_GE(row.merit, before);
        before = row.merit;
    }
}

TEST(Merit, IsWhatTargetsAndStagnationLookAt) {
    Settings settings = plus();
    settings.stop = target(0.4) || evaluations(40'000);
    const Result wanted = evolve(LeadingTrailing{}, settings);
    EXPECT_EQ(wanted.stopped_by, "target(0.4)");
    EXPECT_GE(wanted.merit, 0.4);
    EXPECT_LT(wanted.merit, whole_front);

    settings.stop = solved() || evaluations(40'000);
    const Result own = evolve(LeadingTrailing{.wanted = 0.4}, settings);
    EXPECT_TRUE(own.solved);
    EXPECT_EQ(own.evaluations, wanted.evaluations);

    settings.stop = stagnation(30);
    const Result still = evolve(LeadingTrailing{}, settings);
    EXPECT_EQ(still.stopped_by, "stagnation(30)");
    const auto last = std::ranges::find(still.history, still.merit, &Statistics::merit);
    EXPECT_EQ(last->generation + 30, still.generations);
}

TEST(Merit, RepeatsOnThreadsFromSnapshotsAndUnderEveryBudget) {
    for (const std::uint32_t islands : {1U, 3U}) {
        Settings settings = plus();
        settings.islands = {.count = islands, .interval = 4, .migrants = 2};
        for (const std::uint64_t budget : {70U, 333U, 1000U, 2500U}) {
            settings.stop = target(0.45) || evaluations(budget);
            const Result straight = evolve(LeadingTrailing{}, settings);
            Settings on_threads = settings;
            on_threads.threads = 4;
            EXPECT_EQ(evolve(LeadingTrailing{}, on_threads).digest, straight.digest);
            knossos::Run stepped{LeadingTrailing{}, settings};
            for (int i = 0; i < 3 && !stepped.finished(); ++i) stepped.step();
            knossos::Run resumed{LeadingTrailing{}, settings, stepped.snapshot()};
            resumed.finish();
            EXPECT_EQ(resumed.result().digest, straight.digest);
            EXPECT_EQ(resumed.result().merit, straight.merit);
            EXPECT_EQ(resumed.result().stopped_by, straight.stopped_by);
        }
    }
}

// Immigrants may make the front larger between two generations, just before the snapshot.
TEST(Merit, IsTheSameFromASnapshotOfAnyGeneration) {
    Settings settings = plus();
    settings.islands = {.count = 3, .interval = 2, .migrants = 2};
    settings.stop = generations(24);
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        settings.seed = seed;
        const Result straight = evolve(LeadingTrailing{}, settings);
        knossos::Run stepped{LeadingTrailing{}, settings};
        while (!stepped.finished()) {
            stepped.step();
            knossos::Run resumed{LeadingTrailing{}, settings, stepped.snapshot()};
            resumed.finish();
            ASSERT_EQ(resumed.result().digest, straight.digest)
                << "seed " << seed << ", generation " << stepped.status().statistics.generation;
        }
    }
}

struct LowLow {
    static constexpr auto record =
        knossos::record(minimise("ones").between(0, length), minimise("zeros").between(0, length));
    [[nodiscard]] static Space space() { return Space::bits(length); }
    static void evaluate(BitView bits, Record out) {
        out[0] = static_cast<double>(bits.count());
        out[1] = static_cast<double>(length) - out[0];
    }
};

// A hypervolume is to be large, whatever becomes of the objectives.
TEST(Merit, OfMinimisedObjectivesDoesNotEndARunThatIsTakenUp) {
    Settings settings = plus();
    settings.stop = target(0.99) || generations(12);
    knossos::Run run{LowLow{}, settings};
    for (int i = 0; i < 5; ++i) run.step();
    knossos::Run resumed{LowLow{}, settings, run.snapshot()};
    EXPECT_FALSE(resumed.finished());
    resumed.finish();
    run.finish();
    EXPECT_EQ(resumed.result().generations, 12U);
    EXPECT_EQ(resumed.result().digest, run.result().digest);
}

TEST(Merit, IsAColumnOfTheTraceThatCanBeReadBack) {
    const Result result = evolve(LeadingTrailing{}, plus());
    const std::string csv = trace_csv(result.history);
    expect_mentions(csv, {"best_ever,seconds,merit,intensity\n"});
    const auto again = read_trace(csv, "trace.csv");
    ASSERT_EQ(again.size(), result.history.size());
    for (std::size_t i = 0; i < again.size(); ++i) EXPECT_EQ(again[i].merit, result.history[i].merit);
}

} // namespace
} // namespace knossos::merit_test
