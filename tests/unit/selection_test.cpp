#include "support.hpp"
#include "targets.hpp"

#include <knossos/operators/selection.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

namespace knossos::selection_test {
namespace {

using test::expect_mentions;
using test::expect_shares;
using test::message_of;
using test::stage_for;
using Counts = std::vector<std::uint64_t>;

std::vector<std::uint32_t> draw(const Selection& selection, const Scores& scores, std::size_t draws,
                                std::uint64_t generation) {
    SelectionTable table;
    const StageStreams streams = stage_for(31, generation);
    Stream prepare = streams(0xFFFFFFFFU);
    selection.prepare(prepare, scores, draws, table);
    std::vector<std::uint32_t> chosen(draws);
    selection.pick(streams, scores, table, 0, chosen);
    return chosen;
}

Counts count_draws(const Selection& selection, const std::vector<double>& fitness, Objective objective,
                   std::size_t draws, std::uint64_t generations) {
    Counts counts(fitness.size());
    for (std::uint64_t generation = 0; generation < generations; ++generation)
        for (const std::uint32_t chosen : draw(selection, {fitness, objective}, draws, generation)) {
            EXPECT_LT(chosen, fitness.size());
            ++counts.at(chosen);
        }
    return counts;
}

// Seven individuals from best to worst, in an order that no slot gives away.
const std::vector<double> seven{30.0, 5.0, 21.0, 60.0, 1.0, 12.0, 44.0};

std::vector<std::size_t> ranks(const std::vector<double>& fitness, Objective objective) {
    std::vector<std::size_t> rank(fitness.size());
    for (std::size_t i = 0; i < fitness.size(); ++i)
        for (std::size_t j = 0; j < fitness.size(); ++j)
            if (better(objective, fitness[j], fitness[i])) ++rank[i];
    return rank;
}

constexpr Objective directions[] = {Objective::minimise, Objective::maximise};

double choose(double n, double k) {
    double ways = 1.0;
    for (double i = 0; i < k; ++i) ways *= (n - i) / (i + 1.0);
    return n < k ? 0.0 : ways;
}

TEST(Selection, DependsOnRankOrDistanceAloneAndSoMirrorsWithTheObjective) {
    std::vector<double> mirrored(seven);
    for (double& value : mirrored) value = -value;
    for (const Selection& selection :
         {Selection{Roulette{RouletteScaling::windowed}},
          Selection{StochasticUniversal{RouletteScaling::windowed}}, Selection{Tournament{.size = 3}},
          Selection{Tournament{.size = 3, .replacement = false}}, Selection{LinearRank{}},
          Selection{ExponentialRank{}}, Selection{Truncation{}}, Selection{BestSelection{}}})
        for (std::uint64_t generation = 0; generation < 20; ++generation)
            EXPECT_EQ(draw(selection, {seven, Objective::minimise}, 30, generation),
                      draw(selection, {mirrored, Objective::maximise}, 30, generation));
}

TEST(RankBestFirst, SortsByFitnessThenSlot) {
    const std::vector<double> fitness{2.0, 1.0, 2.0, 3.0, 1.0};
    std::vector<std::uint32_t> order;
    rank_best_first({fitness, Objective::minimise}, order);
    EXPECT_EQ(order, (std::vector<std::uint32_t>{1, 4, 0, 2, 3}));
    rank_best_first({fitness, Objective::maximise}, order);
    EXPECT_EQ(order, (std::vector<std::uint32_t>{3, 0, 2, 1, 4}));
}

TEST(Roulette, WindowedTakesNegativeFitness) {
    const std::vector<double> fitness{-10.0, 0.0, 5.0};
    const Roulette windowed{.scaling = RouletteScaling::windowed};
    expect_shares(count_draws(windowed, fitness, Objective::maximise, 50, 400),
                  std::vector<double>{0.0, 10.0, 15.0});
}

TEST(Roulette, RefusesNegativeFitnessWhereItMeansNothing) {
    const std::vector<double> fitness{1.0, -2.5, 3.0};
    expect_mentions(message_of([&] { draw(Roulette{}, {fitness, Objective::maximise}, 4, 0); }),
                    {"roulette", "proportional", "at least 0", "-2.5", "windowed"});
    expect_mentions(message_of([&] { draw(StochasticUniversal{}, {fitness, Objective::minimise}, 4, 0); }),
                    {"stochastic-universal", "-2.5"});
}

TEST(Roulette, RefusesTheFoundingScalingWhenMaximising) {
    const std::vector<double> fitness{1.0, 2.0};
    expect_mentions(
        message_of([&] { draw(Roulette{RouletteScaling::share}, {fitness, Objective::maximise}, 4, 0); }),
        {"roulette.scaling", "share", "proportional", "windowed"});
}

TEST(Roulette, TellsWhatTheFoundingScalingGoesBy) {
    const Selection share = Roulette{RouletteScaling::share};
    EXPECT_EQ(share.scaled(3.0, 12.0), 0.75);
    EXPECT_EQ(share.scaled(0.0, 0.0), 1.0);
    EXPECT_EQ(Selection{StochasticUniversal{RouletteScaling::share}}.scaled(3.0, 12.0), 0.75);
    EXPECT_EQ(Selection{Roulette{}}.scaled(3.0, 12.0), std::nullopt);
    EXPECT_EQ(Selection{Tournament{}}.scaled(3.0, 12.0), std::nullopt);
}

TEST(StochasticUniversal, ChoosesEverybodyWithinOneOfTheExpectation) {
    const double sum = std::accumulate(seven.begin(), seven.end(), 0.0);
    for (const std::size_t draws : {1U, 2U, 7U, 10U, 50U, 333U}) {
        for (std::uint64_t generation = 0; generation < 200; ++generation) {
            Counts counts(seven.size());
            for (const std::uint32_t chosen :
                 draw(StochasticUniversal{}, {seven, Objective::maximise}, draws, generation))
                ++counts.at(chosen);
            for (std::size_t i = 0; i < seven.size(); ++i) {
                const double expected = static_cast<double>(draws) * seven[i] / sum;
                ASSERT_GE(static_cast<double>(counts[i]), std::floor(expected - 1e-9));
                ASSERT_LE(static_cast<double>(counts[i]), std::ceil(expected + 1e-9));
            }
        }
    }
}

TEST(StochasticUniversal, EverySlotIsProportional) {
    for (const std::size_t slot : {0U, 3U, 9U}) {
        Counts counts(seven.size());
        for (std::uint64_t generation = 0; generation < 20'000; ++generation)
            ++counts.at(draw(StochasticUniversal{}, {seven, Objective::maximise}, 10, generation)[slot]);
        expect_shares(counts, seven);
    }
}

// Contestants of several matings are drawn at once; here each by itself.
TEST(Tournament, PicksWhomItWouldPickOneByOne) {
    test::for_each_target([] {
        for (const std::size_t population : {1U, 2U, 7U, 300U, 1000U})
            for (const std::uint32_t size : {1U, 2U, 3U, 7U, 10U, 31U, 32U, 33U, 70U})
                for (const Objective objective : directions) {
                    Stream values = test::stream_for(population, size);
                    std::vector<double> fitness(population);
                    for (double& value : fitness) value = values.below(5); // most are equal to others
                    const Scores scores{fitness, objective};
                    const Tournament op{.size = size};
                    const StageStreams streams = stage_for(population + size, 3);
                    for (const std::size_t draws : {1U, 2U, 5U, 24U, 25U, 131U}) {
                        std::vector<std::uint32_t> chosen(draws);
                        Selection{op}.pick(streams, scores, {}, 6, chosen);
                        for (std::size_t mating = 0; mating < (draws + 1) / 2; ++mating) {
                            Stream stream = streams(3 + mating);
                            for (std::size_t k = 2 * mating; k < std::min(draws, 2 * mating + 2); ++k)
                                ASSERT_EQ(chosen[k], op.pick(stream, scores, {}, 6 + k));
                        }
                    }
                }
    });
}

// Of so many individuals a number may be drawn again in every hundredth mating: then each draws by itself.
TEST(Tournament, DrawsAgainWhatIsRejected) {
    const std::vector<double> fitness(3'000'000, 1.0);
    const Scores scores{fitness, Objective::minimise};
    const Tournament op{.size = 10};
    const StageStreams streams = stage_for(9, 3);
    std::vector<std::uint32_t> chosen(4000);
    Selection{op}.pick(streams, scores, {}, 0, chosen);
    for (std::size_t k = 0; k < chosen.size(); k += 2) {
        Stream stream = streams(k / 2);
        ASSERT_EQ(chosen[k], op.pick(stream, scores, {}, k));
        ASSERT_EQ(chosen[k + 1], op.pick(stream, scores, {}, k + 1));
    }
}

TEST(Tournament, WithoutReplacementEverybodyCompetesEquallyOften) {
    // A round deals 12 individuals into tournaments; the winner of one is the best of its hand.
    std::vector<double> twelve(12);
    std::iota(twelve.begin(), twelve.end(), 0.0);
    for (const std::uint32_t size : {1U, 2U, 3U, 4U, 5U, 12U}) {
        SCOPED_TRACE(size);
        const std::size_t a_round = 12 / size;
        constexpr std::uint64_t rounds = 6000;
        Counts wins(12);
        for (std::uint64_t generation = 0; generation < rounds / 3; ++generation) {
            const auto chosen = draw(Tournament{.size = size, .replacement = false},
                                     {twelve, Objective::minimise}, 3 * a_round, generation);
            for (std::size_t round = 0; round < 3; ++round) {
                Counts in_round(12);
                for (std::size_t i = 0; i < a_round; ++i) {
                    ++wins.at(chosen[round * a_round + i]);
                    ASSERT_LE(++in_round.at(chosen[round * a_round + i]), 1U) << "won twice in a round";
                }
                ASSERT_GE(in_round[0], 12 % size == 0 ? 1U : 0U) << "the best wins every full round";
            }
        }
        for (std::size_t rank = 0; rank < 12; ++rank) {
            const double dealt = static_cast<double>(a_round * size) / 12.0;
            const double wins_if_dealt =
                choose(11.0 - static_cast<double>(rank), size - 1.0) / choose(11.0, size - 1.0);
            test::expect_rate(wins[rank], rounds, dealt * wins_if_dealt);
        }
    }
}

TEST(Tournament, OfTheWholePopulationWithoutReplacementIsWonByTheBest) {
    for (const std::uint32_t chosen :
         draw(Tournament{.size = 7, .replacement = false}, {seven, Objective::minimise}, 20, 0))
        EXPECT_EQ(chosen, 4U);
}

TEST(Tournament, RefusesSizesThatCannotBe) {
    expect_mentions(message_of([] { Selection{Tournament{.size = 0}}; }), {"tournament.size", "0", "1.."});
    for (const bool replacement : {true, false})
        expect_mentions(
            message_of([&] { Selection{Tournament{.size = 8, .replacement = replacement}}.check(7); }),
            {"tournament.size is 8", "1..7", "population"});
    EXPECT_NO_THROW(Selection{Tournament{.size = 7}}.check(7));
}

TEST(LinearRank, RefusesPressureOutsideOneToTwo) {
    for (const double pressure : {0.99, 2.01, -1.0, std::nan("")})
        expect_mentions(message_of([&] { Selection{LinearRank{pressure}}; }),
                        {"linear-rank.pressure", "1..2"});
}

TEST(ExponentialRank, RefusesBasesThatAreNoShrinkage) {
    for (const double base : {0.0, 1.01, -0.5, std::nan("")})
        expect_mentions(message_of([&] { Selection{ExponentialRank{base}}; }),
                        {"exponential-rank.base", "..1"});
}

TEST(Truncation, OnlyTheFittestBreedAndEquallyOften) {
    std::vector<double> twenty(20);
    for (std::size_t i = 0; i < 20; ++i) twenty[i] = static_cast<double>(i * 7 % 20);
    for (const Objective objective : directions) {
        const std::vector<std::size_t> rank = ranks(twenty, objective);
        for (const auto& [fraction, breeders] :
             {std::pair{0.25, 5U}, {0.5, 10U}, {0.05, 1U}, {0.01, 1U}, {1.0, 20U}, {0.29, 5U}}) {
            SCOPED_TRACE(fraction);
            for (const std::size_t draws : {1U, 7U, 20U, 41U}) {
                Counts counts(20);
                for (const std::uint32_t chosen :
                     draw(Truncation{fraction}, {twenty, objective}, draws, draws))
                    ++counts.at(chosen);
                for (std::size_t i = 0; i < 20; ++i) {
                    ASSERT_GE(counts[i], rank[i] < breeders ? draws / breeders : 0U);
                    ASSERT_LE(counts[i], rank[i] < breeders ? (draws + breeders - 1) / breeders : 0U);
                }
            }
        }
    }
}

// The fraction of 0.29 of a hundred is 29 of them, whatever binary fractions make of it.
TEST(Truncation, CountsTheBreedersAsOneWouldByHand) {
    std::vector<double> hundred(100);
    std::iota(hundred.begin(), hundred.end(), 0.0);
    for (const std::uint32_t percent : {7U, 14U, 28U, 29U, 55U, 56U, 57U, 58U}) {
        Counts counts(100);
        for (const std::uint32_t chosen :
             draw(Truncation{percent / 100.0}, {hundred, Objective::minimise}, 100, percent))
            ++counts.at(chosen);
        EXPECT_EQ(std::ranges::count_if(counts, [](std::uint64_t count) { return count != 0; }), percent);
    }
}

TEST(Truncation, RefusesFractionsThatAreNone) {
    for (const double fraction : {0.0, -0.1, 1.1, std::nan("")})
        expect_mentions(message_of([&] { Selection{Truncation{fraction}}; }), {"truncation.fraction", "..1"});
}

struct FirstOfAll {
    static std::uint32_t pick(Stream&, const Scores&, const SelectionTable&, std::size_t) { return 0; }
};

TEST(Selection, TakesAUsersOwnOperator) {
    for (const std::uint32_t chosen : draw(FirstOfAll{}, {seven, Objective::minimise}, 5, 0))
        EXPECT_EQ(chosen, 0U);
}

} // namespace
} // namespace knossos::selection_test
