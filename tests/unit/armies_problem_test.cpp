#include <knossos/armies/campaign.hpp>
#include <knossos/armies/problem.hpp>
#include <knossos/recipe/domains.hpp>

#include "support.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace knossos::armies::problem_test {
namespace {

using Genes = Integers<std::uint8_t>;

Genes genes_in(std::vector<std::uint8_t>& squares, std::uint32_t armies) {
    return {squares.data(), squares.size(), armies + 1};
}

struct Case {
    std::uint64_t seed;
    PeaceableArmies problem;
    Stream stream;
    std::vector<std::uint8_t> squares;

    [[nodiscard]] Board board() const { return {problem.size, problem.armies, squares}; }
    [[nodiscard]] double fitness() { return problem.evaluate(genes_in(squares, problem.armies)); }
};

template <class Function>
void for_each_case(std::uint64_t seeds, Function function) {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        Case one{.seed = seed, .problem = {}, .stream = test::stream_for(seed), .squares = {}};
        one.problem.size = 2 + one.stream.below(12);
        one.problem.armies = 2 + one.stream.below(7);
        one.problem.tries = 3;
        one.squares.resize(std::size_t{one.problem.size} * one.problem.size);
        SCOPED_TRACE(seed);
        function(one);
    }
}

} // namespace

TEST(Armies, FitnessIsTheSmallestArmyOfAPeaceableBoardAndNothingOtherwise) {
    for_each_case(300, [](Case& one) {
        for (std::uint8_t& square : one.squares)
            square = static_cast<std::uint8_t>(
                one.stream.below(12) == 0 ? one.stream.below(one.problem.armies + 1) : 0);
        EXPECT_EQ(one.fitness(), is_peaceable(one.board()) ? smallest_army(one.board()) : 0.0);
    });
}

TEST(Armies, RepairedBoardsArePeaceableAndPeaceableOnesStay) {
    for_each_case(200, [](Case& one) {
        for (std::uint8_t& square : one.squares)
            square = static_cast<std::uint8_t>(one.stream.below(one.problem.armies + 1));
        const auto before = one.squares;
        one.problem.repair(one.stream, genes_in(one.squares, one.problem.armies));
        EXPECT_TRUE(is_peaceable(one.board()));
        for (std::size_t i = 0; i < before.size(); ++i)
            EXPECT_TRUE(one.squares[i] == 0 || one.squares[i] == before[i]);
        const auto repaired = one.squares;
        one.problem.repair(one.stream, genes_in(one.squares, one.problem.armies));
        EXPECT_EQ(one.squares, repaired);
    });
}

TEST(Armies, FirstBoardsAndProposalsArePeaceable) {
    for_each_case(200, [](Case& one) {
        const Genes genes = genes_in(one.squares, one.problem.armies);
        one.problem.initialise(one.stream, genes);
        EXPECT_TRUE(is_peaceable(one.board()));
        for (int i = 0; i < 4; ++i) {
            EXPECT_TRUE(one.problem.propose(one.stream, genes));
            EXPECT_TRUE(is_peaceable(one.board()));
            EXPECT_LE(std::ranges::max(one.squares), one.problem.armies);
        }
    });
}

TEST(Armies, CampaignsFromABoardNeverLoseItsSmallestArmy) {
    for_each_case(60, [](Case& one) {
        one.problem.initialise(one.stream, genes_in(one.squares, one.problem.armies));
        for (int i = 0; i < 4; ++i) {
            const std::uint32_t before = smallest_army(one.board());
            campaign(one.stream, {.from_empty = false, .turn = Turn::half, .tries = 500}, one.problem.size,
                     one.problem.armies, one.squares);
            EXPECT_GE(smallest_army(one.board()), before);
            EXPECT_TRUE(is_peaceable(one.board()));
        }
    });
}

TEST(Armies, CampaignsWithATurnLookTheSameFromItsSides) {
    for_each_case(60, [](Case& one) {
        const std::uint32_t size = one.problem.size;
        for (const Turn turn : {Turn::half, Turn::quarter}) {
            campaign(one.stream, {.turn = turn, .tries = 2000}, size, one.problem.armies, one.squares);
            EXPECT_TRUE(is_peaceable(one.board()));
            std::vector<std::uint32_t> renamed(one.problem.armies + 1, 99);
            for (std::uint32_t row = 0; row < size; ++row)
                for (std::uint32_t column = 0; column < size; ++column) {
                    const std::uint32_t there = turn == Turn::half
                                                    ? (size - 1 - row) * size + (size - 1 - column)
                                                    : column * size + (size - 1 - row);
                    std::uint32_t& name = renamed[one.squares[row * size + column]];
                    if (name == 99) name = one.squares[there];
                    EXPECT_EQ(name, one.squares[there]);
                }
            EXPECT_TRUE(renamed[0] == 0 || renamed[0] == 99);
        }
    });
}

TEST(Armies, BoardsWithJoinedEdgesStayPeaceableSideBySide) {
    for_each_case(60, [](Case& one) {
        const std::uint32_t size = one.problem.size;
        campaign(one.stream, {.turn = static_cast<Turn>(one.seed % 3), .joined = true, .tries = 2000}, size,
                 one.problem.armies, one.squares);
        Board tiled{.size = 3 * size, .armies = one.problem.armies, .squares = {}};
        for (std::uint32_t row = 0; row < tiled.size; ++row)
            for (std::uint32_t column = 0; column < tiled.size; ++column)
                tiled.squares.push_back(one.squares[row % size * size + column % size]);
        EXPECT_TRUE(is_peaceable(tiled));
    });
}

TEST(Armies, TheBestValuesKnownForSmallBoardsAreFound) {
    struct Known {
        std::uint32_t size;
        std::uint32_t armies;
        double best;
    };
    // A250000, A328283 and O'Dwyer's tables.
    for (const auto& [size, armies, best] :
         {Known{5, 2, 4}, Known{8, 2, 9}, Known{11, 2, 17}, Known{8, 3, 4}, Known{12, 3, 10}, Known{10, 4, 5},
          Known{10, 5, 4}, Known{13, 6, 4}, Known{12, 7, 2}, Known{13, 8, 2}}) {
        const Recipe recipe = Recipe::load(
            "armies", {fmt::format("problem.n={}", size), fmt::format("problem.armies={}", armies),
                       fmt::format("stop.target={}", best), "stop.evaluations=2000", "seed=1"});
        const Result result = evolve(recipe.problem(), recipe.settings());
        EXPECT_EQ(result.fitness, best) << size << " " << armies;
        const auto board = decode(size, armies, result.best.space, result.best.bytes.data());
        EXPECT_TRUE(is_peaceable(board));
        EXPECT_EQ(smallest_army(board), best);
    }
}

TEST(Armies, EveryUsualOperatorWorksOnThem) {
    const Recipe recipe = Recipe::parse("[problem]\nkind = \"armies\"\nn = 8\narmies = 2\n[algorithm]\n"
                                        "population = 40\n[stages.recombine]\nkind = \"uniform\"\n"
                                        "[stages.mutate]\nkind = \"point\"\n[stop]\ngenerations = 60\n",
                                        "recipe");
    const Result result = evolve(recipe.problem(), recipe.settings());
    EXPECT_GE(result.fitness, 4.0);
    EXPECT_TRUE(artefact_of(recipe, result.best)->is_reached());
}

TEST(Armies, FieldsOutsideTheirRangesAreRefused) {
    for (const auto& [set, range] :
         std::vector<std::pair<std::string, std::string>>{{"problem.n=1", "2..64"},
                                                          {"problem.n=65", "2..64"},
                                                          {"problem.armies=1", "2..8"},
                                                          {"problem.armies=9", "2..8"},
                                                          {"problem.tries=0", "1.."}})
        test::expect_mentions(test::message_of([&] { (void)Recipe::load("armies", {set}); }),
                              {set.substr(0, set.find('=')), range});
}

TEST(Armies, CampaignsThatTakeMinutesAreNotWatched) {
    const Recipe recipe = Recipe::load("armies");
    const Domain& domain = domain_of(recipe);
    Values values = recipe.choice("problem")->values;
    EXPECT_FALSE(domain.why_unwatchable(values, 100).has_value());
    values["tries"] = std::int64_t{100'000};
    test::expect_mentions(domain.why_unwatchable(values, 100).value_or(""), {"fewer tries"});
}

} // namespace knossos::armies::problem_test
