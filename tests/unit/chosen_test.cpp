// Runs in which somebody chooses the parents.
#include "run_support.hpp"

#include <knossos/knossos.hpp>
#include <knossos/recipe/run_folder.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include <unistd.h>

namespace knossos::chosen_test {
namespace {

using test::expect_mentions;
using test::message_of;

struct Ones {
    static constexpr Objective objective = Objective::maximise;
    [[nodiscard]] static Space space() { return Space::bits(64); }
    [[nodiscard]] static double evaluate(BitView bits) { return static_cast<double>(bits.count()); }
};

Settings settings_with(std::string choices) {
    return {.algorithm = Chosen{std::move(choices)},
            .population = 9,
            .recombine = UniformCrossover{},
            .mutate = BitFlip{.per_bit = 0.05},
            .seed = 3};
}

std::vector<std::vector<std::byte>> genomes(const knossos::Run& run) {
    const Population& population = run.islands().front().current;
    std::vector<std::vector<std::byte>> all;
    for (std::size_t i = 0; i < population.size(); ++i)
        all.emplace_back(population.genome(i), population.genome(i) + population.stride());
    return all;
}

TEST(Chosen, StayInFrontAndTheOthersAreTheirChildren) {
    knossos::Run run{Ones{}, settings_with("4 2")};
    const auto before = genomes(run);
    ASSERT_FALSE(run.finished());
    run.finish();
    const auto after = genomes(run);
    EXPECT_EQ(after[0], before[3]);
    EXPECT_EQ(after[1], before[1]);
    // Uniform crossover and a few flips: a child is nearer to its parents than strangers are.
    const Space space = Ones::space();
    const auto distance = [&](const auto& a, const auto& b) {
        return hamming_distance(space, a.data(), b.data());
    };
    for (std::size_t i = 2; i < 9; ++i)
        EXPECT_LT(distance(after[i], before[3]) + distance(after[i], before[1]),
                  distance(before[3], before[1]) + 16)
            << i;
    EXPECT_EQ(run.result().stopped_by, "generations(1)");
}

TEST(Chosen, ByOneAloneAreItsMutants) {
    knossos::Run run{Ones{}, settings_with("7")};
    const auto before = genomes(run);
    run.finish();
    const auto after = genomes(run);
    for (const auto& one : after)
        EXPECT_LT(hamming_distance(Ones::space(), one.data(), before[6].data()), 20U);
}

TEST(Chosen, AllOfThemStayAsTheyAre) {
    knossos::Run run{Ones{}, settings_with("1 2 3 4 5 6 7 8 9")};
    const auto before = genomes(run);
    run.finish();
    EXPECT_EQ(genomes(run), before);
    EXPECT_EQ(run.result().evaluations, 9U);
}

TEST(Chosen, EndsWithTheChoicesAndGoesOnWithMore) {
    const Result nobody = evolve(Ones{}, settings_with(""));
    EXPECT_EQ(nobody.generations, 0U);
    const Result straight = evolve(Ones{}, settings_with("4 2; 1; 3 9 5"));
    EXPECT_EQ(straight.generations, 3U);
    knossos::Run run{Ones{}, settings_with("")};
    for (const char* choices : {"4 2", "4 2; 1", "4 2; 1; 3 9 5"}) {
        knossos::Run next{Ones{}, settings_with(choices), run.snapshot()};
        next.finish();
        run = std::move(next);
    }
    EXPECT_EQ(run.result().digest, straight.digest);
    Settings on_threads = settings_with("4 2; 1; 3 9 5");
    on_threads.threads = 4;
    EXPECT_EQ(evolve(Ones{}, on_threads).digest, straight.digest);
    // Another stop rule ends it as well.
    Settings earlier = settings_with("4 2; 1; 3 9 5");
    earlier.stop = generations(2);
    EXPECT_EQ(evolve(Ones{}, earlier).generations, 2U);
}

TEST(Chosen, ThatNameNobodyAreRefusedBeforeTheRun) {
    const auto refusal = [](std::string choices) {
        return message_of([&] { (void)evolve(Ones{}, settings_with(std::move(choices))); });
    };
    expect_mentions(refusal("1; 10"), {"algorithm.choices", "generation 1", "'10' names nobody", "1 to 9"});
    expect_mentions(refusal("0"), {"generation 0", "'0' names nobody"});
    expect_mentions(refusal("1 x"), {"'x' names nobody"});
    expect_mentions(refusal("1;;2"), {"generation 1", "nobody is named"});
    expect_mentions(refusal("2 2"), {"2 is named twice"});
}

constexpr std::string_view recipe_text = "name = \"c\"\n[problem]\nkind = \"queens\"\nn = 8\n[algorithm]\n"
                                         "kind = \"chosen\"\npopulation = 6\n";

Recipe recipe_with(const std::string& choices) {
    return Recipe::parse(recipe_text, "c.toml", {"algorithm.choices='" + choices + "'"});
}

TEST(Chosen, ArePartOfWhatARecipeIsUpToTheGeneration) {
    const Recipe few = recipe_with("1 2;3");
    const Recipe more = recipe_with("1 2; 3 ; 4");
    EXPECT_NE(few.hash(), more.hash());
    EXPECT_EQ(few.hash(2), more.hash(2));
    EXPECT_EQ(few.hash(0), recipe_with("").hash());
    EXPECT_NE(recipe_with("2 1; 3").hash(2), more.hash(2));
    EXPECT_EQ(Recipe::parse(more.to_toml(), "again").hash(), more.hash());
}

TEST(Chosen, FoldersGoOnWithMoreChoicesAndNotWithOthers) {
    const auto place = std::filesystem::path{testing::TempDir()} / fmt::format("chosen-{}", getpid());
    std::filesystem::remove_all(place);
    RunFolder folder = RunFolder::create(place, recipe_with("1 2"));
    {
        knossos::Run run{folder.recipe().problem(), folder.recipe().settings()};
        run.finish();
        folder.finish(run);
    }
    folder.change_recipe(recipe_with("1 2; 3"));
    std::string remark;
    const RunFolder again = RunFolder::open(place);
    knossos::Run run = again.resume(again.recipe().settings(), remark);
    EXPECT_EQ(run.status().statistics.generation, 1U);
    run.finish();
    EXPECT_EQ(run.result().digest,
              evolve(recipe_with("1 2; 3").problem(), recipe_with("1 2; 3").settings()).digest);
    folder.change_recipe(recipe_with("1 3; 3"));
    expect_mentions(message_of([&] { (void)folder.resume(folder.recipe().settings(), remark); }),
                    {"another recipe"});
    std::filesystem::remove_all(place);
}

} // namespace
} // namespace knossos::chosen_test
