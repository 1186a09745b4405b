// Children that follow the population: Generational::parents.
#include <knossos/recipe/recipe.hpp>
#include <knossos/run/run.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <vector>

namespace knossos::generational_test {
namespace {

// Inside a test, Run is a member of GoogleTest's.
using Evolution = Run;

// Truncation that notes whom it picked, and out of which fitness values.
struct WatchedTruncation {
    struct Notes {
        std::vector<double> fitness;
        std::vector<std::uint32_t> picked;
    };
    Truncation truncation{};
    std::shared_ptr<Notes> notes = std::make_shared<Notes>();

    void prepare(Stream& stream, const Scores& scores, std::size_t draws, SelectionTable& table) const {
        notes->fitness.assign(scores.values.begin(), scores.values.end());
        notes->picked.clear();
        truncation.prepare(stream, scores, draws, table);
    }
    [[nodiscard]] std::uint32_t pick(Stream& stream, const Scores& scores, const SelectionTable& table,
                                     std::size_t slot) const {
        notes->picked.push_back(truncation.pick(stream, scores, table, slot));
        return notes->picked.back();
    }
};

struct Ones {
    static constexpr auto objective = Objective::maximise;
    [[nodiscard]] static Space space() { return Space::bits(64); }
    [[nodiscard]] static double evaluate(BitView bits) {
        double ones = 0.0;
        for (std::size_t i = 0; i < bits.size(); ++i) ones += bits[i] ? 1.0 : 0.0;
        return ones;
    }
};

Settings half_breeding(std::size_t population, std::uint32_t siblings) {
    return {.algorithm = Generational{.siblings = siblings, .parents = 0.5},
            .population = population,
            .select = Truncation{.fraction = 0.5},
            .recombine = OnePoint{.probability = 1.0},
            .mutate = BitFlip{.probability = 1.0},
            .replace = PlusReplacement{},
            .stop = generations(5)};
}

TEST(Generational, EachOfTheFittestHalfBreedsOnceWhateverThePopulation) {
    for (const std::size_t population : {4U, 5U, 6U, 7U, 16U, 48U, 50U, 100U, 199U, 200U}) {
        for (const std::uint32_t siblings : {1U, 2U}) {
            Settings settings = half_breeding(population, siblings);
            const WatchedTruncation select;
            settings.select = select;
            settings.threads = 1;
            Evolution run{Ones{}, settings};
            while (!run.finished()) {
                run.step();
                if (run.finished() && select.notes->picked.empty()) break;
                const std::vector<double>& fitness = select.notes->fitness;
                const std::vector<std::uint32_t>& picked = select.notes->picked;
                const std::set<std::uint32_t> different(picked.begin(), picked.end());
                EXPECT_EQ(different.size(), picked.size()) << "somebody bred twice";
                // An odd one out has no partner.
                EXPECT_EQ(picked.size(), population / 2 - population / 2 % 2);
                std::vector<double> sorted = fitness;
                std::ranges::sort(sorted, std::greater{});
                for (const std::uint32_t parent : picked)
                    EXPECT_GE(fitness[parent], sorted[population / 2 - 1]) << "not of the fittest half";
                EXPECT_EQ(run.islands()[0].offspring.size(), population / 2 / 2 * siblings);
            }
        }
    }
}

// Any selection's number of children may follow the population, and so may any share.
TEST(Generational, ParentsAreAShareOfThePopulation) {
    const auto children = [](std::size_t population, double parents, std::uint32_t siblings) {
        Settings settings = half_breeding(population, siblings);
        settings.algorithm = Generational{.siblings = siblings, .parents = parents};
        settings.select = Tournament{.size = 2};
        return Evolution{Ones{}, settings}.islands()[0].offspring.size();
    };
    EXPECT_EQ(children(100, 1.0, 2), 100U);
    EXPECT_EQ(children(100, 1.0, 1), 50U);
    EXPECT_EQ(children(100, 0.29, 2), 28U);
    EXPECT_EQ(children(100, 0.58, 1), 29U);
    EXPECT_EQ(children(40, 0.05, 1), 1U);
}

TEST(Generational, ParentsThatAmountToTheOffspringMakeTheSameRun) {
    for (const std::uint32_t siblings : {1U, 2U}) {
        Settings counted = half_breeding(48, siblings);
        counted.algorithm = Generational{.siblings = siblings};
        counted.offspring = std::size_t{12} * siblings;
        EXPECT_EQ(evolve(Ones{}, half_breeding(48, siblings)).digest, evolve(Ones{}, counted).digest);
    }
}

// Recipes that were written before there were parents are what they were.
TEST(Generational, ParentsOfNoneAreNoPartOfWhatARecipeIs) {
    const Recipe recipe = Recipe::load("pmx-queens");
    EXPECT_EQ(recipe.identity().count("algorithm.parents"), 0U);
    EXPECT_EQ(recipe.identity().count("algorithm.siblings"), 1U);
    const Recipe half = Recipe::load("half-breed-queens");
    EXPECT_EQ(half.identity().at("algorithm.parents"), "0.5");
}

} // namespace
} // namespace knossos::generational_test
