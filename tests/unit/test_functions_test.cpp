#include "support.hpp"

#include <knossos/classic/test_functions.hpp>
#include <knossos/core/hypervolume.hpp>
#include <knossos/core/problem.hpp>
#include <knossos/recipe/recipe.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace knossos::test_functions_test {
namespace {

using test::expect_mentions;
using test::message_of;
using test::stream_for;

std::vector<double> values_of(const Problem& problem, const std::vector<double>& genes) {
    std::vector<double> values(problem.schema().size());
    problem.evaluate(
        Batch{&problem.space(), reinterpret_cast<const std::byte*>(genes.data()), genes.size() * 8, 1},
        values);
    return values;
}

std::vector<double> random_genes(const Problem& problem, std::uint64_t seed) {
    std::vector<double> genes(problem.space().length);
    Stream stream = stream_for(seed);
    randomise(stream, problem.space(), reinterpret_cast<std::byte*>(genes.data()));
    return genes;
}

TEST(TestFunctions, AreZeroAtTheirKnownPlaces) {
    for (const std::size_t n : {1U, 2U, 3U, 4U, 5U, 30U}) {
        EXPECT_EQ(values_of(Sphere{.length = n}, std::vector<double>(n, 0.0))[0], 0.0);
        EXPECT_EQ(values_of(Rastrigin{.length = n}, std::vector<double>(n, 0.0))[0], 0.0);
        if (n > 1) {
            EXPECT_EQ(values_of(Rosenbrock{.length = n}, std::vector<double>(n, 1.0))[0], 0.0);
        }
    }
    EXPECT_EQ(Problem{Sphere{.accuracy = 1e-3}}.target(), 1e-3);
}

TEST(TestFunctions, AgreeWithTheirFormulas) {
    constexpr double two_pi = 2.0 * std::numbers::pi;
    for (const std::size_t n : {2U, 3U, 7U, 30U})
        for (std::uint64_t seed = 0; seed < 50; ++seed) {
            const Problem sphere = Sphere{.length = n};
            const auto x = random_genes(sphere, seed);
            double squares = 0.0;
            double pits = 0.0;
            for (const double one : x) {
                squares += one * one;
                pits += 10.0 + one * one - 10.0 * std::cos(two_pi * one);
            }
            ASSERT_NEAR(values_of(sphere, x)[0], squares, 1e-10);
            ASSERT_NEAR(values_of(Rastrigin{.length = n}, x)[0], pits, 1e-9);
            double valley = 0.0;
            for (std::size_t i = 0; i + 1 < n; ++i)
                valley += 100.0 * std::pow(x[i + 1] - x[i] * x[i], 2.0) + std::pow(1.0 - x[i], 2.0);
            ASSERT_NEAR(values_of(Rosenbrock{.length = n}, x)[0], valley, 1e-11 * valley);
        }
}

TEST(TestFunctions, ZdtAgreesWithItsFormulas) {
    for (const int number : {1, 2, 3})
        for (std::uint64_t seed = 0; seed < 100; ++seed) {
            const Problem problem = Zdt{.number = number, .length = 9};
            const auto x = random_genes(problem, seed);
            double g = 0.0;
            for (std::size_t i = 1; i < 9; ++i) g += x[i];
            g = 1.0 + 9.0 * g / 8.0;
            double h = 1.0 - (number == 2 ? std::pow(x[0] / g, 2.0) : std::sqrt(x[0] / g));
            if (number == 3) h -= x[0] / g * std::sin(10.0 * std::numbers::pi * x[0]);
            const auto values = values_of(problem, x);
            ASSERT_EQ(values[0], x[0]);
            ASSERT_NEAR(values[1], g * h, 1e-13);
        }
}

TEST(TestFunctions, Dtlz2AgreesWithItsFormulas) {
    for (const std::size_t objectives : {2U, 3U, 4U})
        for (std::uint64_t seed = 0; seed < 100; ++seed) {
            const Problem problem = Dtlz2{.objectives = objectives, .length = 12};
            const auto x = random_genes(problem, seed);
            double g = 0.0;
            for (std::size_t i = objectives - 1; i < 12; ++i) g += (x[i] - 0.5) * (x[i] - 0.5);
            const auto values = values_of(problem, x);
            for (std::size_t i = 0; i < objectives; ++i) {
                double value = 1.0 + g;
                for (std::size_t j = 0; j + i + 1 < objectives; ++j)
                    value *= std::cos(x[j] * std::numbers::pi / 2.0);
                if (i > 0) value *= std::sin(x[objectives - 1 - i] * std::numbers::pi / 2.0);
                ASSERT_NEAR(values[i], value, 1e-13) << "objective " << i;
            }
        }
}

// With ranges up to (1.1, 1.1) the front of ZDT1 takes 0.8716 of 1.21 (K. Deb's usual reference point).
TEST(TestFunctions, FrontsHaveTheirHypervolume) {
    const Problem problem = Zdt{.number = 1, .length = 30};
    ASSERT_EQ(problem.schema().merit(), Merit::hypervolume);
    std::vector<std::vector<double>> records;
    for (int i = 0; i <= 2000; ++i) {
        std::vector<double> genes(30, 0.0);
        genes[0] = i / 2000.0;
        records.push_back(values_of(problem, genes));
    }
    std::vector<std::span<const double>> spans(records.begin(), records.end());
    EXPECT_NEAR(hypervolume(problem.schema(), spans), (1.21 - 1.0 / 3.0) / 1.21, 1e-3);
    for (const std::size_t objectives : {2U, 3U, 4U})
        EXPECT_EQ((Problem{Dtlz2{.objectives = objectives}}.schema().merit()), Merit::hypervolume);
}

Recipe genomes(const std::string& fields) {
    return Recipe::parse("[problem]\nkind = \"genomes\"\ngenes = \"reals\"\nlength = 3\n" + fields +
                             "[evaluator]\nprogram = \"cat\"\n[stop]\ngenerations = 1\n",
                         "r.toml");
}

TEST(RealGenomes, HaveTheBoundsOfTheRecipe) {
    EXPECT_EQ(genomes("").problem().space(), Space::reals(3, {0.0, 1.0}));
    EXPECT_EQ(genomes("bounds = \"-5.5 .. 5\"\n").problem().space(), Space::reals(3, {-5.5, 5.0}));
    EXPECT_EQ(genomes("bounds = \"0..1, -1e3..1e3,2..2\"\n").problem().space(),
              Space::reals({{0.0, 1.0}, {-1000.0, 1000.0}, {2.0, 2.0}}));
}

TEST(RealGenomes, BoundsThatCantBeUsedAreNamed) {
    const auto refused = [](const std::string& bounds, std::initializer_list<std::string_view> words) {
        expect_mentions(message_of([&] { genomes("bounds = \"" + bounds + "\"\n"); }), words);
    };
    refused("5..2", {"problem.bounds", "5..2", "wrong way round"});
    refused("0..1, 3..-3, 0..1", {"problem.bounds", "gene 1", "3..-3", "wrong way round"});
    refused("0..1, 0..1", {"problem.bounds", "2 entries", "3"});
    refused("0..1, 7, 0..1", {"problem.bounds", "' 7'", "gene 1"});
    refused("0..inf", {"problem.bounds", "finite"});
    refused("", {"problem.bounds", "gene 0"});
}

TEST(RealGenomes, RecipesOfOtherGenomesAreWhatTheyWere) {
    const Recipe bits = Recipe::parse("[problem]\nkind = \"genomes\"\n[evaluator]\nprogram = \"cat\"\n"
                                      "[stop]\ngenerations = 1\n",
                                      "r.toml");
    EXPECT_FALSE(bits.identity().contains("problem.bounds"));
}

TEST(Dtlz2, NeedsAsManyGenesAsObjectives) {
    expect_mentions(message_of([] {
                        Recipe::parse("[problem]\nkind = \"dtlz2\"\nobjectives = 5\nlength = 4\n", "r.toml");
                    }),
                    {"problem.length is 4", "5 objectives", "at least 5"});
}

} // namespace
} // namespace knossos::test_functions_test
