#include "device/gathering.hpp"
#include "device/kernels.hpp"
#include "device/memory.hpp"
#include "device/opencl.hpp"
#include "device/wanted.hpp"
#include "on_some_device.hpp"
#include "support.hpp"

#include <knossos/core/error.hpp>
#include <knossos/device/generations.hpp>
#include <knossos/recipe/recipe.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What runs take of a device's memory, and whether that is known before they begin: no buffer is made past
/// what is usable of it.
namespace knossos::device_memory_test {
namespace {

using device::Device;
using test::message_of;

class DeviceMemory : public test::OnSomeDevice {
  protected:
    [[nodiscard]] Device small(std::uint64_t bytes) const {
        Device its = device_;
        its.memory = bytes;
        return its;
    }
};

// How many would fit, by what a refusal says.
std::optional<std::uint64_t> fitting(const std::string& refused) {
    const std::string_view before = "in which ";
    const std::size_t place = refused.find(before);
    if (place == std::string::npos) return std::nullopt;
    std::string rest = refused.substr(place + before.size());
    const std::string_view duels = "the duels of ";
    if (rest.starts_with(duels)) rest = rest.substr(duels.size());
    return std::strtoull(rest.c_str(), nullptr, 10);
}

struct Case {
    std::string recipe; ///< its name, or what it is
    std::vector<std::string> overrides;
    std::string number; ///< of which there may be too many
    std::uint64_t too_many;
    std::uint64_t memory;
};

Recipe recipe_of(const Case& its, std::uint64_t number) {
    std::vector<std::string> overrides = its.overrides;
    overrides.push_back(its.number + "=" + std::to_string(number));
    return its.recipe.starts_with("[") ? Recipe::parse(its.recipe, "its", overrides)
                                       : Recipe::load(its.recipe, overrides);
}

// Whatever keeps another buffer: genomes that come home one by one or all together, halls of fame, many
// islands, hosts that select or replace, archives that are compared there or here, walkers, duels.
const std::vector<Case>& cases() {
    static const std::vector<Case> all{
        {"one-max",
         {"stages.replace.elites=0", "stop.solved=false", "stop.generations=2", "problem.length=64"},
         "algorithm.population",
         400'000,
         9'000'000},
        {"one-max",
         {"stop.solved=false", "stop.generations=2", "problem.length=1000", "algorithm.hall_of_fame=3"},
         "algorithm.population",
         100'000,
         9'000'000},
        {"one-max",
         {"stages.replace.elites=0", "stop.solved=false", "stop.generations=3", "problem.length=256",
          "islands.count=2000", "islands.interval=2"},
         "algorithm.population",
         100,
         9'000'000},
        {"pmx-queens",
         {"problem.n=30", "stop.solved=false", "stop.generations=2", "stages.select.kind=linear-rank",
          "stages.replace.kind=plus", "algorithm.population=300"},
         "algorithm.offspring",
         200'000,
         6'000'000},
        {"maze-gallery",
         {"stages.mutate.kind=bit-flip", "stop.evaluations=200000"},
         "algorithm.offspring",
         100'000,
         12'000'000},
        {"maze-gallery",
         {"stages.mutate.moves='flips, blocks'", "stop.evaluations=200000", "problem.goal='maximise loops'"},
         "algorithm.offspring",
         100'000,
         12'000'000},
        {"[problem]\nkind = \"maze\"\nwidth = 9\nheight = 11\nfitness = \"exit-path\"\n[algorithm]\nkind = "
         "\"annealing\"\nmoves = 20\n[stages.mutate]\nkind = \"point\"\n[stop]\ngenerations = 3\n",
         {},
         "algorithm.population",
         400'000,
         6'000'000},
        {"[problem]\nkind = \"one-max\"\nlength = 90\n[algorithm]\nkind = \"duel\"\npopulation = 2\n"
         "rounds = 30\n[stages.mutate]\nkind = \"point\"\n[stop]\nsolved = false\ngenerations = 3\n",
         {},
         "islands.count",
         60'000,
         6'000'000},
    };
    return all;
}

TEST_F(DeviceMemory, WhatIsSaidToFitGoesToTheEndAndOneMoreIsRefused) {
    for (const Case& one : cases()) {
        SCOPED_TRACE(one.recipe + testing::PrintToString(one.overrides));
        const Device there = small(one.memory);
        const auto told = [&](std::uint64_t number) {
            const Recipe recipe = recipe_of(one, number);
            return message_of([&] { (void)device::on_device(recipe, recipe.settings(), there); });
        };
        const std::string refused = told(one.too_many);
        EXPECT_NE(refused.find("is " + std::to_string(one.too_many)), std::string::npos) << refused;
        const std::optional<std::uint64_t> most = fitting(refused);
        ASSERT_TRUE(most) << refused;
        ASSERT_GT(*most, one.too_many / 100) << refused;
        EXPECT_EQ(fitting(told(*most + 1)), most);
        const Recipe recipe = recipe_of(one, *most);
        const Settings settings = device::on_device(recipe, recipe.settings(), there);
        EXPECT_NO_THROW((void)evolve(recipe.problem(), settings));
    }
}

TEST_F(DeviceMemory, TooManyIndividualsAreSaidWithTheirIslands) {
    const Recipe many = Recipe::load("one-max", {"algorithm.population=100", "islands.count=1000"});
    EXPECT_NE(message_of([&] {
                  (void)device::on_device(many, many.settings(), small(9'000'000));
              }).find("population is 100 on each of 1000 islands; device"),
              std::string::npos);
}

TEST_F(DeviceMemory, LargeBlocksAreRefusedAsWell) {
    Device there = device_;
    there.largest_block = 1'000'000;
    const Recipe recipe = Recipe::load("one-max", {"problem.length=64", "algorithm.population=125001"});
    EXPECT_EQ(fitting(message_of([&] { (void)device::on_device(recipe, recipe.settings(), there); })),
              125'000U);
}

// As those of a study.
TEST_F(DeviceMemory, RunsAtOnceHaveToFitTogether) {
    const Case its{
        "one-max",
        {"stages.replace.elites=0", "stop.solved=false", "stop.generations=3", "problem.length=64"},
        "algorithm.population",
        400'000,
        12'000'000};
    const Device there = small(its.memory);
    const auto settings_of = [&](const Recipe& recipe, device::RunsAtOnce& runs) {
        return device::on_devices(recipe, recipe.settings(), {&there, 1}, {.runs = &runs});
    };
    const auto most_of = [&](device::RunsAtOnce runs) {
        const Recipe recipe = recipe_of(its, its.too_many);
        return fitting(message_of([&] { (void)settings_of(recipe, runs); })).value_or(0);
    };
    device::RunsAtOnce four{.count = 4};
    const std::uint64_t most = most_of(four);
    EXPECT_LT(most, most_of({.count = 1}) / 3);
    const Recipe recipe = recipe_of(its, most);
    const Problem problem = recipe.problem();
    const Settings settings = settings_of(recipe, four);
    std::vector<std::unique_ptr<knossos::Run>> runs;
    for (int i = 0; i < 4; ++i) runs.push_back(std::make_unique<knossos::Run>(problem, settings));
    for (int generation = 0; generation < 3; ++generation)
        for (const auto& run : runs) EXPECT_NO_THROW(run->step());
    // Those of a second recipe are some of the four, but what recipes keep adds up.
    device::RunsAtOnce mixed{.count = 4};
    const Recipe smaller = recipe_of(its, most / 2);
    (void)settings_of(smaller, mixed);
    EXPECT_LT(most_of(mixed), most);
    EXPECT_GT(most_of(mixed), most / 2);
    const Recipe too_large = recipe_of(its, most + 1);
    const std::string told = message_of([&] { (void)settings_of(too_large, four); });
    EXPECT_NE(told.find(" in each of 4 runs at once; device '"), std::string::npos) << told;
    EXPECT_NE(told.find(" would fit beside the recipes before it; with fewer threads there are fewer"),
              std::string::npos)
        << told;
}

TEST_F(DeviceMemory, RunsGiveItBackWhenTheyEnd) {
    const Case its{
        "one-max",
        {"stages.replace.elites=0", "stop.solved=false", "stop.generations=2", "problem.length=64"},
        "algorithm.population",
        400'000,
        9'000'000};
    const Device there = small(its.memory);
    const Recipe large = recipe_of(its, its.too_many);
    const std::uint64_t most =
        fitting(message_of([&] { (void)device::on_device(large, large.settings(), there); })).value_or(0);
    const Recipe recipe = recipe_of(its, most);
    const Settings settings = device::on_device(recipe, recipe.settings(), there);
    const std::uint64_t expected = evolve(recipe.problem(), recipe.settings()).digest;
    for (int i = 0; i < 3; ++i) EXPECT_EQ(evolve(recipe.problem(), settings).digest, expected);
}

TEST_F(DeviceMemory, RowsAreGatheredInPieces) {
    constexpr std::array<std::string_view, 1> name{"gather"};
    const device::Queue queue{device_};
    for (const std::size_t words : {2U, 300U}) {
        const std::string source = "#define WORDS " + std::to_string(words) + "\n";
        auto kernels = queue.build(source + std::string{device::gather_source()}, name);
        std::vector<std::uint32_t> rows(1000 * words);
        Stream stream = test::stream_for(words);
        for (auto& word : rows) word = stream.next32();
        const device::Buffer there = queue.make_buffer_of(rows);
        device::Gathering gathering;
        for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{700}, std::size_t{70'001},
                                        std::size_t{words == 2 ? 600'001U : 5U}}) {
            std::vector<std::uint32_t> places(count);
            for (auto& place : places) place = stream.below(1000);
            std::vector<std::uint32_t> found(count * words);
            gathering.read(queue, kernels[0], there, places, words * 4,
                           std::as_writable_bytes(std::span{found}));
            std::vector<std::uint32_t> expected;
            for (const std::uint32_t place : places)
                expected.insert(expected.end(), rows.begin() + static_cast<std::ptrdiff_t>(place * words),
                                rows.begin() + static_cast<std::ptrdiff_t>((place + 1) * words));
            EXPECT_EQ(found, expected);
        }
    }
}

TEST_F(DeviceMemory, NobodyTakesMoreThanIsUsable) {
    const device::Queue queue{small(1'600'000)};
    {
        const device::Buffer first = queue.make_buffer(1'000'000);
        EXPECT_THROW((void)queue.make_buffer(500'001), DeviceLost);
        EXPECT_NO_THROW((void)queue.make_buffer(500'000));
    }
    EXPECT_NO_THROW((void)queue.make_buffer(1'500'000)); // what was there is given back
    device::MemoryNeed need;
    need.add(100'000, 5);
    need.add(1);
    EXPECT_EQ(need.bytes(), 500'008U);
    EXPECT_EQ(need.largest_block(), 100'000U);
    EXPECT_NO_THROW(queue.try_memory(need, 2));
    EXPECT_THROW(queue.try_memory(need, 3), DeviceLost);
}

TEST(LargestThat, IsTheLastThatDoes) {
    for (std::uint64_t most = 0; most < 20; ++most)
        for (std::uint64_t last = 0; last <= most; ++last)
            EXPECT_EQ(device::largest_that(most, [&](std::uint64_t some) { return some <= last; }), last);
}

} // namespace
} // namespace knossos::device_memory_test
