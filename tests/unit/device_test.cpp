#include "device/kernels.hpp"
#include "device/opencl.hpp"
#include "device/wanted.hpp"
#include "on_some_device.hpp"

#include <knossos/classic/domain.hpp>
#include <knossos/core/error.hpp>
#include <knossos/core/files.hpp>
#include <knossos/device/generations.hpp>
#include <knossos/recipe/recipe.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace knossos::device_test {
namespace {

using device::Device;

class OnSomeDevice : public test::OnSomeDevice {};

constexpr std::string_view strategy = R"([problem]
kind = "one-max"
length = 33
[algorithm]
kind = "mu-plus-lambda"
population = 20
offspring = 31
[stages.recombine]
kind = "two-point"
[stop]
generations = 20
)";

Recipe recipe_of(const std::string& name, const std::vector<std::string>& overrides) {
    return name == "strategy" ? Recipe::parse(strategy, "strategy", overrides)
                              : Recipe::load(name, overrides);
}

std::string refusal(const std::function<void()>& action) {
    try {
        action();
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "accepted";
}

struct Configuration {
    std::string recipe;
    std::vector<std::string> overrides;
};

const std::vector<Configuration>& configurations() {
    // Every operator that has a kernel, each kind of selection and replacement, an odd number of children,
    // several islands, restarts, a budget that cuts a generation.
    static const std::vector<Configuration> all{
        {"one-max", {"problem.length=100", "algorithm.population=60", "stop.generations=25"}},
        {"one-max",
         {"problem.length=70", "algorithm.population=61", "stop.generations=20",
          "stages.recombine.kind=uniform", "stages.mutate.kind=point", "stages.mutate.probability=0.3",
          "stages.replace.elites=0"}},
        {"one-max",
         {"problem.length=129", "algorithm.population=40", "algorithm.offspring=57", "stop.generations=20",
          "stages.select.kind=random", "stages.recombine.kind=uniform", "stages.recombine.exchange=0.05",
          "stages.mutate.kind=uniform", "stages.replace.kind=plus"}},
        {"one-max",
         {"problem.length=64", "algorithm.population=40", "algorithm.offspring=80", "stop.generations=20",
          "stages.select.kind=linear-rank", "stages.recombine.kind=one-point", "stages.replace.kind=comma"}},
        {"strategy", {}},
        {"one-max",
         {"problem.length=40", "algorithm.population=30", "stop.solved=false", "stop.generations=40",
          "islands.count=3", "islands.interval=5", "restart.stagnation=6", "algorithm.hall_of_fame=5"}},
        {"pmx-queens", {"stop.evaluations=5003", "stop.solved=false"}},
        {"pmx-queens",
         {"problem.n=100", "problem.counting=collisions", "stop.generations=15", "algorithm.population=100",
          "stages.mutate.probability=1", "stages.replace.elites=3"}},
        {"pmx-queens",
         {"problem.n=255", "stop.generations=5", "algorithm.population=64", "stages.mutate.kind=swap",
          "stages.replace.kind=worst"}},
        {"maze-direct",
         {"algorithm.kind=generational", "algorithm.population=64", "stages.select.kind=tournament",
          "stop.generations=15"}},
        {"maze-direct",
         {"algorithm.kind=generational", "algorithm.population=40", "stages.mutate.kind=problem-move",
          "stages.mutate.moves='blocks, flips, copies'", "stop.generations=12"}},
        {"maze-direct",
         {"algorithm.kind=generational", "problem.width=37", "problem.height=33", "problem.entrance=5,7",
          "problem.exit=30,2", "algorithm.population=50", "stop.generations=8",
          "stages.mutate.kind=bit-flip"}},
        // Islands that go together: nothing but sums comes back, or all values; an odd number of children,
        // restarts, a host that selects, a budget that ends in the middle of a generation.
        {"one-max",
         {"problem.length=70", "algorithm.population=9", "stages.replace.elites=0", "islands.count=150",
          "islands.interval=4", "stop.generations=22", "stop.solved=false", "algorithm.hall_of_fame=2"}},
        {"one-max",
         {"problem.length=70", "algorithm.population=10", "islands.count=40", "islands.interval=3",
          "stages.select.kind=linear-rank", "stop.generations=14", "restart.stagnation=4"}},
        {"strategy", {"islands.count=50", "islands.interval=6"}},
        {"pmx-queens",
         {"problem.n=20", "algorithm.population=14", "algorithm.offspring=13", "stages.replace.kind=worst",
          "islands.count=33", "stop.evaluations=9001", "stop.solved=false"}},
        {"pmx-queens", {"problem.n=12", "algorithm.population=30", "islands.count=20"}},
        // Elites that come to other places, among few children.
        {"one-max",
         {"problem.length=40", "algorithm.population=4", "stages.replace.elites=3", "stop.generations=30",
          "stop.solved=false"}},
        {"one-max",
         {"problem.length=40", "algorithm.population=5", "stages.replace.elites=4", "stop.generations=30",
          "stop.solved=false", "islands.count=3"}},
        // Generations that differ in how much they evaluate, up to the end of the budget.
        {"one-max",
         {"problem.length=30", "algorithm.population=4", "stages.recombine.probability=0.2",
          "stages.mutate.probability=0.2", "islands.count=3", "stop.evaluations=101", "stop.solved=false"}},
        {"one-max",
         {"problem.length=30", "algorithm.population=4", "stages.recombine.probability=0.2",
          "stages.mutate.probability=0.2", "islands.count=3", "stop.evaluations=103", "stop.solved=false"}},
    };
    return all;
}

// Galleries: what is measured, with rock all over; wide mazes; couples; several islands; centroids; a budget
// that cuts a generation.
const std::vector<Configuration>& galleries() {
    static const std::vector<Configuration> all{
        {"maze-gallery", {"stages.mutate.kind=bit-flip", "stop.evaluations=9700"}},
        {"maze-gallery",
         {"stages.mutate.kind=bit-flip", "stages.mutate.per_bit=0.02", "stages.recombine.kind=two-point",
          "problem.width=9", "problem.height=13", "problem.fill=0.4", "problem.goal=''",
          "problem.descriptors='path, rock, depth, reachable, pockets, sealed, branches, ends, loops, "
          "squares, "
          "density, openness, left_right, top_bottom, rotation, rooms, open'",
          "algorithm.axes='rock 0..117 by 3, left_right 0..1 by 0.1'", "algorithm.offspring=301",
          "stop.evaluations=6000"}},
        {"maze-gallery",
         {"stages.mutate.kind=point", "problem.width=40", "problem.height=33", "problem.fill=0.3",
          "problem.goal='maximise rooms'", "problem.entrance=5,7", "problem.exit=39,2",
          "algorithm.axes='path 0..400 by 4, pockets 0..200 by 5'", "algorithm.offspring=200",
          "stop.evaluations=3000"}},
        {"maze-gallery",
         {"stages.mutate.kind=bit-flip", "problem.goal='path 10..80, minimise squares'", "islands.count=3",
          "islands.interval=3", "algorithm.axes='path, rock'", "algorithm.centroids=300",
          "algorithm.offspring=150", "stop.evaluations=7000"}},
        // Children that are brought to their cells there: moves that mazes propose, whose shares adapt, or
        // but one of them, seldom made; a hall of fame; axes that reach less far than what is measured, three
        // of them; what must hold; locks; odd numbers of children; couples; islands.
        {"maze-gallery", {"stages.mutate.moves='flips, blocks'", "stop.evaluations=9700"}},
        {"maze-gallery",
         {"stages.mutate.moves='blocks, copies, flips'", "stages.recombine.kind=one-point",
          "stages.recombine.probability=0.6", "algorithm.offspring=333", "islands.count=3",
          "islands.interval=4", "algorithm.hall_of_fame=5", "stop.evaluations=9000"}},
        {"maze-gallery",
         {"stages.mutate.moves='copies'", "stages.mutate.probability=0.4", "problem.width=40",
          "problem.height=33", "problem.goal='maximise rooms'", "problem.exit=39,2", "problem.fill=0.3",
          "algorithm.axes='path 30..200 by 7, loops 0..90 by 2.5, ends 2..30 by 3'",
          "algorithm.offspring=257", "stop.evaluations=6001"}},
        {"maze-gallery",
         {"stages.mutate.moves='copies, flips'", "stages.mutate.probability=0.7", "problem.width=9",
          "problem.height=7", "problem.goal='path 10..20, ends 3..5 weight 2, maximise loops'",
          "problem.locks=.........\n..#..#...\n.........\n"
          "? ? ? ? ?\n? ? ? ? ?\n? ? . ? ?\n? ? ? ? ?",
          "algorithm.axes='depth 8..25 by 1, reachable by 2'", "algorithm.offspring=501",
          "stop.evaluations=12000"}},
        {"maze-gallery",
         {"stages.mutate.kind=point", "stages.recombine.kind=uniform", "problem.goal='maximise path'",
          "algorithm.axes='rock 0..400 by 4'", "algorithm.hall_of_fame=3", "stop.evaluations=9000"}},
    };
    return all;
}

TEST_F(OnSomeDevice, GalleriesComeToTheSameDigestAsOnTheProcessor) {
    for (const Configuration& one : galleries()) {
        SCOPED_TRACE(testing::PrintToString(one.overrides));
        const Recipe recipe = recipe_of(one.recipe, one.overrides);
        const Result expected = evolve(recipe.problem(), recipe.settings());
        Settings there = device::on_device(recipe, recipe.settings(), device_);
        for (const unsigned threads : {1U, 3U}) {
            there.threads = threads;
            const Result found = evolve(recipe.problem(), there);
            EXPECT_EQ(found.digest, expected.digest);
            EXPECT_EQ(found.evaluations, expected.evaluations);
            EXPECT_EQ(found.best, expected.best);
            EXPECT_EQ(found.clamped, expected.clamped);
            EXPECT_EQ(found.gallery->qd_score, expected.gallery->qd_score);
            EXPECT_TRUE(std::ranges::equal(found.gallery->elites.bytes(), expected.gallery->elites.bytes()));
        }
    }
}

// The processor leaves children out early where it has threads and many children.
TEST_F(OnSomeDevice, LargeGenerationsOfGalleriesComeToTheSame) {
    const Recipe recipe = recipe_of("maze-gallery", {"stages.mutate.kind=bit-flip",
                                                     "algorithm.offspring=20001", "stop.evaluations=100000"});
    Settings settings = recipe.settings();
    settings.threads = 1;
    const std::uint64_t expected = evolve(recipe.problem(), settings).digest;
    settings.threads = 3;
    EXPECT_EQ(evolve(recipe.problem(), settings).digest, expected);
    EXPECT_EQ(evolve(recipe.problem(), device::on_device(recipe, settings, device_)).digest, expected);
}

TEST_F(OnSomeDevice, RunsComeToTheSameDigestAsOnTheProcessor) {
    for (const Configuration& one : configurations()) {
        SCOPED_TRACE(testing::PrintToString(one.overrides));
        const Recipe recipe = recipe_of(one.recipe, one.overrides);
        const Result expected = evolve(recipe.problem(), recipe.settings());
        const Result found = evolve(recipe.problem(), device::on_device(recipe, recipe.settings(), device_));
        EXPECT_EQ(found.digest, expected.digest);
        EXPECT_EQ(found.evaluations, expected.evaluations);
        EXPECT_EQ(found.best, expected.best);
        EXPECT_EQ(found.stopped_by, expected.stopped_by);
        EXPECT_EQ(found.history.back().selection_intensity, expected.history.back().selection_intensity);
    }
}

TEST_F(OnSomeDevice, SnapshotsGoOnOnEither) {
    const Recipe recipe =
        recipe_of("pmx-queens", {"problem.n=40", "stop.solved=false", "stop.generations=12"});
    const Problem problem = recipe.problem();
    const Settings there = device::on_device(recipe, recipe.settings(), device_);
    const std::uint64_t expected = evolve(problem, recipe.settings()).digest;
    knossos::Run first{problem, there};
    for (int i = 0; i < 5; ++i) first.step();
    const auto snapshot = first.snapshot();
    knossos::Run plain{problem, recipe.settings()};
    for (int i = 0; i < 5; ++i) plain.step();
    EXPECT_EQ(first.snapshot_parts().islands, plain.snapshot_parts().islands);
    knossos::Run here{problem, recipe.settings(), snapshot};
    here.step();
    knossos::Run again{problem, there, here.snapshot()};
    for (knossos::Run* const run : {&first, &here, &again}) {
        run->finish();
        EXPECT_EQ(run->result().digest, expected);
    }
}

TEST_F(OnSomeDevice, SnapshotsOfManyIslandsAndGalleriesGoOnOnEither) {
    const Configuration islands{"one-max",
                                {"problem.length=60", "algorithm.population=8", "islands.count=30",
                                 "islands.interval=5", "stop.generations=14", "stop.solved=false",
                                 "stages.replace.elites=0"}};
    for (const Configuration& one : {islands, galleries().front()}) {
        const Recipe recipe = recipe_of(one.recipe, one.overrides);
        const Problem problem = recipe.problem();
        const Settings there = device::on_device(recipe, recipe.settings(), device_);
        const std::uint64_t expected = evolve(problem, recipe.settings()).digest;
        knossos::Run first{problem, there};
        knossos::Run plain{problem, recipe.settings()};
        for (int i = 0; i < 6; ++i) first.step();
        for (int i = 0; i < 6; ++i) plain.step();
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

TEST_F(OnSomeDevice, TheIslandsOfARunAreWholeWhoeverLooks) {
    const Recipe recipe = recipe_of("one-max", {"problem.length=50", "algorithm.population=300"});
    const Problem problem = recipe.problem();
    knossos::Run expected{problem, recipe.settings()};
    knossos::Run found{problem, device::on_device(recipe, recipe.settings(), device_)};
    for (int i = 0; i < 4; ++i) {
        expected.step();
        found.step();
        if (i == 1) continue;
        EXPECT_TRUE(std::ranges::equal(expected.islands().front().current.bytes(),
                                       found.islands().front().current.bytes()));
    }
}

TEST_F(OnSomeDevice, WhatHasNoKernelIsRefusedWithWhatHas) {
    const auto refused = [&](const std::string& name, const std::vector<std::string>& overrides) {
        const Recipe recipe = recipe_of(name, overrides);
        return refusal([&] { (void)device::on_device(recipe, recipe.settings(), device_); });
    };
    EXPECT_EQ(refused("sphere", {}),
              "problem: sphere has no kernel; queens, maze, one-max have one; or take the device cpu");
    EXPECT_EQ(
        refused("maze-direct", {}),
        "algorithm: steady-state does not run on a device; generational, mu-plus-lambda, map-elites, duel, "
        "annealing can; or take the device cpu");
    EXPECT_EQ(refused("maze-gallery", {}),
              "stages.mutate: not all moves have a kernel, but flips, blocks, copies have one: name those "
              "that are to be made, as in moves = \"flips, copies\"; or take the device cpu");
    EXPECT_EQ(refused("maze-gallery", {"stages.mutate.moves='flips, ways'"}),
              "stages.mutate: ways has no kernel; flips, blocks, copies have one; or take the device cpu");
    EXPECT_NE(refused("maze-gallery", {"problem.descriptors=diameter"})
                  .find("; diameter has no kernel; exit_path, "),
              std::string::npos);
    EXPECT_NE(refused("dungeon-gallery", {}).find("dungeon has no kernel; queens, maze, one-max have one"),
              std::string::npos);
    EXPECT_EQ(
        refused("one-max", {"stages.recombine.kind=k-point"}),
        "stages.recombine: k-point has no kernel for such genomes; clone, one-point, two-point, uniform have "
        "one; or take the device cpu");
    EXPECT_EQ(refused("pmx-queens", {"stages.mutate.kind=inversion"}),
              "stages.mutate: inversion has no kernel for such genomes; swap, shuffle-indexes have one; or "
              "take the device cpu");
    EXPECT_EQ(
        refused("one-max", {"stages.replace.kind=crowding"}),
        "stages.replace: crowding does not run on a device; generational, plus, comma, worst, tournament "
        "can; or take the device cpu");
    EXPECT_EQ(refused("one-max", {"stages.improve.kind=hill-climb"}),
              "stages.improve does not run on a device; or take the device cpu");
    EXPECT_NE(refused("pmx-queens", {"problem.n=256"}).find("permutations of up to 255"), std::string::npos);
    EXPECT_NE(
        refused("maze-direct", {"algorithm.kind=generational", "problem.width=65"}).find("these are 65 wide"),
        std::string::npos);
    EXPECT_NE(refused("memetic-queens", {}).find("does not run on a device"), std::string::npos);
}

// OneMax of another name, with a kernel of its own.
Registry with_kernel(const std::string& source) {
    Domain domain = one_max_domain();
    domain.info.name = "own-max";
    domain.device_kernel = [source](const Values&) -> DeviceKernel { return {.source = source}; };
    return Registry{}.add(std::move(domain));
}

TEST_F(OnSomeDevice, KernelsThatComeToSomethingElseAreFoundByTheSelfTest) {
    const auto told = [&](const std::string& source) {
        const Recipe recipe = Recipe::load("one-max", {"problem.kind=own-max"}, with_kernel(source));
        return refusal([&] { (void)device::on_device(recipe, recipe.settings(), device_); });
    };
    const std::string signature = "int evaluate(const uint* genome, __constant const uint* table) ";
    EXPECT_EQ(told(signature +
                   "{ int ones = 0; for (uint w = 0; w < WORDS; ++w) ones += popcount(genome[w]); "
                   "return ones; }\n"),
              "accepted");
    const std::string wrong = told(signature + "{ return 7; }\n");
    EXPECT_NE(wrong.find("is not used: in generation 1 of its self-test"), std::string::npos) << wrong;
}

// What shows in large launches alone: the second pass of a loop, words of which all bits differ.
TEST_F(OnSomeDevice, KernelsThatAreWrongOfManyAloneAreFoundByTheSelfTest) {
    const std::string right = "int evaluate(const uint* genome, __constant const uint* table) "
                              "{ int ones = 0; for (uint w = 0; w < WORDS; ++w) ones += popcount(genome[w]); "
                              "return ones; }\n";
    const auto told = [&](const std::string& macro, const std::vector<std::string>& more) {
        std::vector<std::string> overrides{"problem.kind=own-max", "stages.replace.elites=0"};
        overrides.insert(overrides.end(), more.begin(), more.end());
        const Recipe recipe = Recipe::load("one-max", overrides, with_kernel(right + macro));
        return refusal([&] { (void)device::on_device(recipe, recipe.settings(), device_); });
    };
    EXPECT_EQ(told("", {"islands.count=40"}), "accepted");
    // The numbers of the loop have 32 bits, those of the sums after it 64.
    const std::string last = "long larger(long a, long b) { return max(a, b); }\n#undef max\n"
                             "#define max(a, b) (sizeof(b) == 4 ? (b) : larger((a), (b)))\n";
    const std::string least = "long smaller(long a, long b) { return min(a, b); }\n#undef min\n"
                              "#define min(a, b) (sizeof(b) == 4 ? (b) : smaller((a), (b)))\n";
    const std::string bits = "uint ones_of(uint word) { return popcount(word); }\n#undef popcount\n"
                             "#define popcount(word) (ones_of(word) & 31)\n";
    const std::string atomic = "uint next_of(volatile __global uint* p) { return atomic_inc(p); }\n"
                               "#undef atomic_inc\n#define atomic_inc(p) (next_of(p) & 4095)\n";
    for (const std::string& macro : {last, least})
        EXPECT_NE(told(macro, {}).find("is not used: in its self-test the kernel summarise says"),
                  std::string::npos)
            << told(macro, {});
    EXPECT_NE(told(atomic, {}).find("the kernel find_better says"), std::string::npos) << told(atomic, {});
    EXPECT_NE(told(bits, {"islands.count=40"}).find("the kernel sample says"), std::string::npos)
        << told(bits, {"islands.count=40"});
}

TEST_F(OnSomeDevice, WhatTheCompilerSaysIsInTheFileThatTheMessageNames) {
    const Recipe recipe = Recipe::load("one-max", {"problem.kind=own-max"}, with_kernel("no kernel at all"));
    const std::string told = refusal([&] { (void)device::on_device(recipe, recipe.settings(), device_); });
    const std::string before = "can't build the kernels; what it says is in ";
    const std::size_t place = told.find(before);
    ASSERT_NE(place, std::string::npos) << told;
    const std::filesystem::path file = told.substr(place + before.size());
    EXPECT_NE(read_file(file.string(), 1'000'000).find("no kernel at all"), std::string::npos);
    std::filesystem::remove(file);
}

TEST_F(OnSomeDevice, OnesThatAreUnfitSayWhy) {
    const Recipe recipe = recipe_of("one-max", {});
    Device unfit = device_;
    unfit.unfit = "its driver has OpenCL 1.1; OpenCL 1.2 or newer is needed";
    EXPECT_EQ(refusal([&] { (void)device::on_device(recipe, recipe.settings(), unfit); }),
              "device '" + device_.name + "' can't be used: " + unfit.unfit);
}

TEST_F(OnSomeDevice, UnknownOnesListThoseThereAre) {
    const std::string told = refusal([] { (void)device::device_named("no such thing"); });
    EXPECT_NE(told.find("there is no device 'no such thing'; there is '"), std::string::npos) << told;
    EXPECT_NE(told.find("'" + device_.name + "'"), std::string::npos) << told;
    EXPECT_EQ(device::device_named(device_.name.substr(1)).name, device_.name);
    for (const std::string blank : {"", "  "})
        EXPECT_TRUE(refusal([&] {
                        (void)device::device_named(blank);
                    }).starts_with("there is no device '" + blank + "'; there is '"));
    // Of several of one name each process takes its own, counted round.
    std::vector<void*> alike;
    for (const Device& one : device::devices())
        if (one.name == device_.name && one.unfit.empty()) alike.push_back(one.id);
    for (std::size_t nth = 0; nth < 2 * alike.size(); ++nth)
        EXPECT_EQ(device::device_named(device_.name, nth).id, alike[nth % alike.size()]);
}

TEST(DeviceNames, MayHaveCommas) {
    const std::vector<Device> there{{.name = "Radeon RX 480 (polaris10, LLVM 15.0.6, 6.1.0)"},
                                    {.name = "Radeon"},
                                    {.name = "Tesla, old"}};
    using Names = std::vector<std::string>;
    const auto names = [&](const std::string& list) { return device::names_in(list, there); };
    EXPECT_EQ(names(there[0].name), Names{there[0].name});
    EXPECT_EQ(names("radeon rx 480 (POLARIS10,LLVM 15.0.6,6.1.0)"), Names{there[0].name});
    EXPECT_EQ(names("Tesla, old, " + there[0].name + ",Radeon"),
              (Names{there[2].name, there[0].name, "Radeon"}));
    EXPECT_EQ(names("a, b,c"), (Names{"a", "b", "c"}));
    EXPECT_EQ(names("Tesla, new"), (Names{"Tesla", "new"}));
    EXPECT_EQ(names(" ,"), Names{});
}

TEST_F(OnSomeDevice, ArgumentsThatAreRefusedAreNamed) {
    const device::Queue queue{device_};
    constexpr std::array<std::string_view, 1> name{"copy"};
    auto kernels = queue.build(std::string{device::random_source()}, name);
    const device::Buffer buffer = queue.make_buffer(64);
    try {
        kernels[0].with(buffer, buffer, std::uint64_t{4});
        FAIL() << "numbers of 64 bits are accepted as such of 32";
    } catch (const DeviceLost& error) {
        EXPECT_EQ(error.what(),
                  "device '" + device_.name + "' was lost: the kernel copy: its argument 2 was refused");
    }
}

TEST_F(OnSomeDevice, AutomaticallyNothingIsRefused) {
    const Recipe recipe = recipe_of("sphere", {});
    std::string remark;
    (void)device::on_wanted(recipe, recipe.settings(), "auto", remark);
    EXPECT_TRUE(remark.starts_with("on the processor: ")) << remark;
}

TEST_F(OnSomeDevice, DrawsTheProcessorsNumbers) {
    const device::Speed speed = device::measure(device_, 0.01);
    EXPECT_GT(speed.random_numbers, 0.0);
    EXPECT_GT(speed.bytes, 0.0);
    Device small = device_;
    small.memory = 8U << 20U;
    small.largest_block = 1U << 20U;
    EXPECT_GT(device::measure(small, 0.01).bytes, 0.0);
}

TEST(SkipTable, GivesTheSkipsThatTheProcessorDraws) {
    for (const double probability : {0.0, 1e-7, 0.001, 0.05, 0.3, 0.5, 0.9}) {
        constexpr std::size_t length = 300;
        const auto table = device::skip_table(probability, length);
        const Skips skips{probability};
        for (std::uint32_t slot = 0; slot < 2000; ++slot) {
            Stream stream = Streams{3}.at(Purpose::study, 1, slot);
            Stream same = stream;
            const std::uint64_t drawn = (std::uint64_t{1} << 53U) - (same.next64() >> 11U);
            const std::size_t found = static_cast<std::size_t>(
                std::ranges::find_if(table, [&](std::uint64_t least) { return drawn >= least; }) -
                table.begin());
            ASSERT_EQ(found, std::min(skips.next(stream), length)) << probability;
        }
    }
}

} // namespace
} // namespace knossos::device_test
