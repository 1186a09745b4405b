#include "device/walk_engine.hpp"
#include "on_some_device.hpp"

#include <knossos/core/error.hpp>
#include <knossos/device/generations.hpp>
#include <knossos/recipe/recipe.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// Duels and annealing on a device, and runs on several.
namespace knossos::device_walks_test {
namespace {

using device::Device;

class Walks : public test::OnSomeDevice {};
class SeveralDevices : public test::OnSomeDevice {};

struct Configuration {
    std::string recipe;
    std::vector<std::string> overrides;
};

Recipe recipe_of(const Configuration& one) { return Recipe::parse(one.recipe, "walk", one.overrides); }

std::string text_of(const std::string& problem, const std::string& algorithm, const std::string& mutation) {
    return "[problem]\n" + problem + "\n[algorithm]\n" + algorithm + "\n[stages.mutate]\n" + mutation +
           "\n[stop]\nsolved = true\nevaluations = 40000\n";
}

const std::string ones = "kind = \"one-max\"\nlength = 90";
const std::string queens = "kind = \"queens\"\nn = 24\nencoding = \"permutation\"";
const std::string maze = "kind = \"maze\"\nwidth = 9\nheight = 11\nfitness = \"exit-path\"";
const std::string duel = "kind = \"duel\"\npopulation = 2\nrounds = 70";
const std::string annealing = "kind = \"annealing\"\npopulation = 9\nmoves = 13";

// Every mutation that has a kernel; halls of fame with room; islands, migration, restarts; targets that are
// reached in the middle of a generation, and none; budgets that cut; so much warmth that nearly everything is
// taken.
const std::vector<Configuration>& configurations() {
    static const std::vector<Configuration> all{
        {text_of(ones, duel, "kind = \"bit-flip\""), {}},
        {text_of(ones, duel, "kind = \"point\"\nprobability = 0.4"),
         {"stop.solved=false", "stop.evaluations=20011", "algorithm.hall_of_fame=7"}},
        {text_of(ones, duel, "kind = \"uniform\"\nper_gene = 0.02"),
         {"islands.count=40", "islands.interval=4", "algorithm.rounds=20", "algorithm.hall_of_fame=3"}},
        {text_of(queens, duel, "kind = \"swap\""), {}},
        {text_of(queens, duel, "kind = \"shuffle-indexes\"\nper_index = 0.05"),
         {"stop.solved=false", "islands.count=7", "stop.evaluations=30013", "restart.stagnation=9"}},
        {text_of(maze, duel, "kind = \"bit-flip\""), {"stop.solved=false", "stop.generations=12"}},
        {text_of(maze, duel, "kind = \"point\""),
         {"stop.solved=false", "stop.generations=9", "islands.count=67", "islands.interval=3"}},
        {text_of(ones, annealing, "kind = \"point\""), {}},
        {text_of(ones, annealing, "kind = \"bit-flip\"\nprobability = 0.5"),
         {"stop.solved=false", "stop.evaluations=20011", "algorithm.hall_of_fame=7", "algorithm.start=8"}},
        {text_of(queens, annealing, "kind = \"swap\""), {"algorithm.start=2", "algorithm.end=0.2"}},
        {text_of(queens, annealing, "kind = \"shuffle-indexes\"\nprobability = 0.7"),
         {"stop.solved=false", "islands.count=5", "islands.interval=4", "stop.evaluations=30013",
          "algorithm.start=1e4", "restart.stagnation=11"}},
        {text_of(maze, annealing, "kind = \"point\""),
         {"stop.solved=false", "stop.generations=12", "algorithm.start=5", "algorithm.hall_of_fame=4"}},
        {text_of(maze, annealing, "kind = \"bit-flip\""),
         {"stop.solved=false", "stop.generations=9", "islands.count=12", "islands.interval=3"}},
    };
    return all;
}

TEST_F(Walks, ComeToTheSameDigestAsOnTheProcessor) {
    for (const Configuration& one : configurations()) {
        SCOPED_TRACE(one.recipe + testing::PrintToString(one.overrides));
        const Recipe recipe = recipe_of(one);
        const Result expected = evolve(recipe.problem(), recipe.settings());
        Settings there = device::on_device(recipe, recipe.settings(), device_);
        for (const unsigned threads : {1U, 3U}) {
            there.threads = threads;
            const Result found = evolve(recipe.problem(), there);
            EXPECT_EQ(found.digest, expected.digest);
            EXPECT_EQ(found.evaluations, expected.evaluations);
            EXPECT_EQ(found.steps, expected.steps);
            EXPECT_EQ(found.best, expected.best);
            EXPECT_EQ(found.solved, expected.solved);
            EXPECT_EQ(found.stopped_by, expected.stopped_by);
            ASSERT_EQ(found.hall_of_fame.size(), expected.hall_of_fame.size());
            for (std::size_t i = 0; i < found.hall_of_fame.size(); ++i) {
                EXPECT_EQ(found.hall_of_fame[i].genome, expected.hall_of_fame[i].genome);
                EXPECT_EQ(found.hall_of_fame[i].evaluations, expected.hall_of_fame[i].evaluations);
            }
        }
    }
}

TEST_F(Walks, SnapshotsGoOnOnEither) {
    for (const Configuration& one : configurations()) {
        SCOPED_TRACE(one.recipe + testing::PrintToString(one.overrides));
        const Recipe recipe = recipe_of(one);
        const Problem problem = recipe.problem();
        const Settings there = device::on_device(recipe, recipe.settings(), device_);
        const std::uint64_t expected = evolve(problem, recipe.settings()).digest;
        knossos::Run first{problem, there};
        knossos::Run plain{problem, recipe.settings()};
        for (int i = 0; i < 5; ++i) first.step();
        for (int i = 0; i < 5; ++i) plain.step();
        EXPECT_EQ(first.snapshot_parts().islands, plain.snapshot_parts().islands);
        knossos::Run here{problem, recipe.settings(), first.snapshot()};
        here.step();
        knossos::Run again{problem, there, here.snapshot()};
        for (knossos::Run* const run : {&first, &here, &again}) {
            run->finish();
            EXPECT_EQ(run->result().digest, expected);
        }
    }
}

// The algorithm's own next draw, from the table that kernels look it up in.
bool is_taken(std::span<const std::uint64_t> chances, std::uint32_t lost, std::uint64_t drawn) {
    if (lost > chances.size() / 2) return false;
    const std::uint64_t first = chances[2 * (lost - 1)];
    const std::uint64_t some = chances[2 * (lost - 1) + 1];
    if (drawn < first) return false;
    return drawn - first >= device::near_chance || (some >> (drawn - first) & 1U) != 0;
}

TEST(Chances, TakeWhomTheProcessorTakes) {
    constexpr std::uint64_t end = std::uint64_t{1} << 53U;
    for (const double temperature : {1e-9, 0.05, 0.2, 1.0, 3.7, 50.0, 1e6})
        for (const double scale : {1.0, 0.3, 7.0}) {
            SCOPED_TRACE(testing::Message() << temperature << " " << scale);
            const auto chances = device::chances(temperature, scale, 200);
            std::size_t taken = 0;
            const auto compare = [&](std::uint32_t lost, std::uint64_t drawn) {
                const bool expected =
                    Annealing::takes(lost / scale, temperature, static_cast<double>(end - drawn) * 0x1p-53);
                taken += expected ? 1U : 0U;
                ASSERT_EQ(is_taken(chances, lost, drawn), expected) << lost << " " << drawn;
            };
            for (std::uint32_t lost = 1; lost <= 200; ++lost) {
                Stream stream = Streams{3}.at(Purpose::study, 1, lost);
                for (int i = 0; i < 100; ++i) compare(lost, stream.next64() >> 11U);
                for (std::uint64_t i = 0; i < 50; ++i) {
                    compare(lost, i);
                    compare(lost, end - 1 - i);
                    if (lost <= chances.size() / 2) {
                        const std::uint64_t first = chances[2 * (lost - 1)];
                        compare(lost, std::min(first + i, end - 1));
                        compare(lost, first > i ? first - i : 0);
                    }
                }
            }
            EXPECT_EQ(taken > 0, 1.0 / scale < 36.0 * temperature); // 2⁻⁵³ is the least that is drawn
        }
}

TEST_F(SeveralDevices, DivideTheIslandsAndComeToTheSame) {
    const std::string generations = "kind = \"generational\"\npopulation = 12";
    std::vector<Configuration> all{
        {text_of(ones, generations, "kind = \"bit-flip\"") +
             "[stages.replace]\nkind = \"generational\"\nelites = 0\n",
         {"islands.count=31", "islands.interval=3", "stop.solved=false", "stop.evaluations=12345"}},
        {text_of(queens, generations, "kind = \"swap\""), {"islands.count=10", "restart.stagnation=8"}},
        {text_of(ones, "kind = \"mu-plus-lambda\"\npopulation = 10\noffspring = 7", "kind = \"point\""),
         {"islands.count=2", "islands.interval=5"}},
        {text_of(ones, generations, "kind = \"bit-flip\""), {}}, // one island
    };
    for (const Configuration& one : configurations())
        if (std::ranges::any_of(one.overrides,
                                [](const std::string& text) { return text.starts_with("islands.count"); }))
            all.push_back(one);
    const std::vector<Device> both{device_, device_, device_};
    for (const Configuration& one : all) {
        SCOPED_TRACE(one.recipe + testing::PrintToString(one.overrides));
        const Recipe recipe = recipe_of(one);
        const Problem problem = recipe.problem();
        const Result expected = evolve(problem, recipe.settings());
        Settings there = device::on_devices(recipe, recipe.settings(), both);
        for (const unsigned threads : {1U, 7U}) {
            there.threads = threads;
            const Result found = evolve(problem, there);
            EXPECT_EQ(found.digest, expected.digest);
            EXPECT_EQ(found.evaluations, expected.evaluations);
            EXPECT_EQ(found.best, expected.best);
        }
        knossos::Run first{problem, there};
        for (int i = 0; i < 4; ++i) first.step();
        knossos::Run again{problem, device::on_device(recipe, recipe.settings(), device_), first.snapshot()};
        for (knossos::Run* const run : {&first, &again}) {
            run->finish();
            EXPECT_EQ(run->result().digest, expected.digest);
        }
    }
}

TEST_F(SeveralDevices, AreRefusedByName) {
    const Recipe recipe = recipe_of(configurations()[2]);
    const auto told = [&](const std::string& wanted) {
        std::string remark;
        try {
            (void)device::on_wanted(recipe, recipe.settings(), wanted, remark);
        } catch (const InvalidInput& error) {
            return std::string{error.what()};
        }
        return remark;
    };
    EXPECT_TRUE(
        told(device_.name + ", no such thing").starts_with("there is no device 'no such thing'; there is '"));
    EXPECT_EQ(told("auto," + device_.name), "'auto' can't be one of several devices; it stands alone");
    std::size_t alike = 0;
    for (const Device& one : device::devices()) alike += one.name == device_.name ? 1U : 0U;
    std::string list = device_.name;
    for (std::size_t i = 0; i < alike; ++i) list += "," + device_.name;
    EXPECT_TRUE(told(list).starts_with("device '" + device_.name + "' is wanted " +
                                       std::to_string(alike + 1) + " times, and there "))
        << told(list);
}

} // namespace
} // namespace knossos::device_walks_test
