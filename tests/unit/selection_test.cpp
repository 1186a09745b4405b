#include "support.hpp"

#include <knossos/operators/selection.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace knossos {
namespace {

using test::expect_mentions;
using test::expect_shares;
using test::expect_uniform;
using test::message_of;
using test::stage_for;
using test::stream_for;
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

const std::vector<Selection>& every_selection() {
    static const std::vector<Selection> all{Roulette{.scaling = RouletteScaling::proportional},
                                            Roulette{.scaling = RouletteScaling::windowed},
                                            Roulette{.scaling = RouletteScaling::share},
                                            StochasticUniversal{.scaling = RouletteScaling::proportional},
                                            StochasticUniversal{.scaling = RouletteScaling::windowed},
                                            StochasticUniversal{.scaling = RouletteScaling::share},
                                            Tournament{.size = 1},
                                            Tournament{.size = 3},
                                            Tournament{.size = 1, .replacement = false},
                                            Tournament{.size = 3, .replacement = false},
                                            LinearRank{.pressure = 1.0},
                                            LinearRank{.pressure = 2.0},
                                            ExponentialRank{.base = 0.5},
                                            ExponentialRank{.base = 1.0},
                                            Truncation{.fraction = 0.3},
                                            Truncation{.fraction = 0.000001},
                                            Truncation{.fraction = 1.0},
                                            RandomSelection{},
                                            BestSelection{}};
    return all;
}

TEST(Selection, EveryOperatorStaysInsideThePopulation) {
    for (const std::size_t population : {3U, 4U, 7U, 64U, 100U}) {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            Stream stream = stream_for(seed);
            std::vector<double> fitness(population);
            for (double& value : fitness) value = static_cast<double>(stream.below(5));
            for (const Selection& selection : every_selection()) {
                selection.check(population);
                for (const std::size_t draws : {1U, 2U, 5U, 63U, 128U})
                    for (const std::uint32_t chosen :
                         draw(selection, {fitness, Objective::minimise}, draws, seed))
                        ASSERT_LT(chosen, population);
            }
        }
    }
}

TEST(Selection, OneIndividualIsAlwaysChosen) {
    const std::vector<double> alone{3.0};
    for (const Selection& selection :
         {Selection{Roulette{}}, Selection{Roulette{RouletteScaling::windowed}},
          Selection{Roulette{RouletteScaling::share}}, Selection{StochasticUniversal{}},
          Selection{Tournament{.size = 1}}, Selection{Tournament{.size = 1, .replacement = false}},
          Selection{LinearRank{}}, Selection{ExponentialRank{}}, Selection{Truncation{}},
          Selection{RandomSelection{}}, Selection{BestSelection{}}})
        for (const std::uint32_t chosen : draw(selection, {alone, Objective::minimise}, 9, 0))
            EXPECT_EQ(chosen, 0U);
}

// Workers pick a tile each: what a slot gets must not depend on where the tiles end.
TEST(Selection, PiecesAreTheSameAsTheWhole) {
    std::vector<double> fitness(50);
    Stream stream = stream_for(1);
    for (double& value : fitness) value = stream.real();
    const Scores scores{fitness, Objective::minimise};
    for (const Selection& selection : every_selection()) {
        const std::vector<std::uint32_t> whole = draw(selection, scores, 61, 5);
        SelectionTable table;
        const StageStreams streams = stage_for(31, 5);
        Stream prepare = streams(0xFFFFFFFFU);
        selection.prepare(prepare, scores, 61, table);
        std::vector<std::uint32_t> pieces(61);
        for (std::size_t first = 0; first < 61; first += 14)
            selection.pick(streams, scores, table, first,
                           std::span{pieces}.subspan(first, std::min<std::size_t>(14, 61 - first)));
        EXPECT_EQ(pieces, whole);
    }
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

TEST(Roulette, ProportionalFollowsFitnessWhenMaximising) {
    expect_shares(count_draws(Roulette{}, seven, Objective::maximise, 50, 1000), seven);
}

TEST(Roulette, ProportionalMirrorsFitnessWhenMinimising) {
    std::vector<double> shares;
    for (const double value : seven) shares.push_back(61.0 - value);
    expect_shares(count_draws(Roulette{}, seven, Objective::minimise, 50, 1000), shares);
}

TEST(Roulette, WindowedFollowsTheDistanceFromTheWorst) {
    const Roulette windowed{.scaling = RouletteScaling::windowed};
    std::vector<double> from_highest;
    std::vector<double> from_lowest;
    for (const double value : seven) {
        from_highest.push_back(60.0 - value);
        from_lowest.push_back(value - 1.0);
    }
    expect_shares(count_draws(windowed, seven, Objective::minimise, 50, 1000), from_highest);
    expect_shares(count_draws(windowed, seven, Objective::maximise, 50, 1000), from_lowest);
}

TEST(Roulette, WindowedTakesNegativeFitness) {
    const std::vector<double> fitness{-10.0, 0.0, 5.0};
    const Roulette windowed{.scaling = RouletteScaling::windowed};
    expect_shares(count_draws(windowed, fitness, Objective::maximise, 50, 400),
                  std::vector<double>{0.0, 10.0, 15.0});
}

TEST(Roulette, ShareIsTheFoundingScaling) {
    const double sum = std::accumulate(seven.begin(), seven.end(), 0.0);
    std::vector<double> shares;
    for (const double value : seven) shares.push_back(1.0 - value / sum);
    expect_shares(count_draws(Roulette{RouletteScaling::share}, seven, Objective::minimise, 50, 1000),
                  shares);
}

TEST(Roulette, EqualsAreEquallyLikely) {
    for (const double value : {0.0, 4.0})
        for (const RouletteScaling scaling :
             {RouletteScaling::proportional, RouletteScaling::windowed, RouletteScaling::share}) {
            const std::vector<double> equal(6, value);
            expect_uniform(count_draws(Roulette{scaling}, equal, Objective::minimise, 50, 400));
        }
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

TEST(Tournament, WithReplacementHasTheTextbookProbabilities) {
    for (const Objective objective : directions) {
        const std::vector<std::size_t> rank = ranks(seven, objective);
        for (const std::uint32_t size : {1U, 2U, 3U, 7U}) {
            SCOPED_TRACE(size);
            std::vector<double> shares;
            for (std::size_t i = 0; i < seven.size(); ++i)
                shares.push_back(std::pow(7.0 - static_cast<double>(rank[i]), size) -
                                 std::pow(6.0 - static_cast<double>(rank[i]), size));
            expect_shares(count_draws(Tournament{.size = size}, seven, objective, 50, 1000), shares);
        }
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

TEST(Tournament, EqualsAreEquallyLikely) {
    const std::vector<double> equal(9, 1.0);
    for (const bool replacement : {true, false})
        expect_uniform(count_draws(Tournament{.size = 3, .replacement = replacement}, equal,
                                   Objective::minimise, 9, 3000));
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

TEST(LinearRank, ChancesFallLinearly) {
    for (const Objective objective : directions)
        for (const double pressure : {1.0, 1.5, 2.0}) {
            const std::vector<std::size_t> rank = ranks(seven, objective);
            std::vector<double> shares;
            for (std::size_t i = 0; i < seven.size(); ++i)
                shares.push_back(pressure - (2.0 * pressure - 2.0) * static_cast<double>(rank[i]) / 6.0);
            expect_shares(count_draws(LinearRank{pressure}, seven, objective, 50, 1000), shares);
        }
}

TEST(LinearRank, RefusesPressureOutsideOneToTwo) {
    for (const double pressure : {0.99, 2.01, -1.0, std::nan("")})
        expect_mentions(message_of([&] { Selection{LinearRank{pressure}}; }),
                        {"linear-rank.pressure", "1..2"});
}

TEST(ExponentialRank, EachRankIsBaseTimesAsLikelyAsTheOneAbove) {
    for (const Objective objective : directions)
        for (const double base : {0.5, 0.9, 1.0}) {
            const std::vector<std::size_t> rank = ranks(seven, objective);
            std::vector<double> shares;
            for (std::size_t i = 0; i < seven.size(); ++i)
                shares.push_back(std::pow(base, static_cast<double>(rank[i])));
            expect_shares(count_draws(ExponentialRank{base}, seven, objective, 50, 1000), shares);
        }
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

TEST(RandomSelection, IgnoresFitness) {
    expect_uniform(count_draws(RandomSelection{}, seven, Objective::minimise, 50, 400));
}

TEST(BestSelection, TakesTheBestAndOfEqualsTheFirst) {
    const std::vector<double> fitness{5.0, 1.0, 9.0, 1.0, 9.0};
    for (const std::uint32_t chosen : draw(BestSelection{}, {fitness, Objective::minimise}, 10, 0))
        EXPECT_EQ(chosen, 1U);
    for (const std::uint32_t chosen : draw(BestSelection{}, {fitness, Objective::maximise}, 10, 0))
        EXPECT_EQ(chosen, 2U);
}

struct FirstOfAll {
    static std::uint32_t pick(Stream&, const Scores&, const SelectionTable&, std::size_t) { return 0; }
};

TEST(Selection, TakesAUsersOwnOperator) {
    for (const std::uint32_t chosen : draw(FirstOfAll{}, {seven, Objective::minimise}, 5, 0))
        EXPECT_EQ(chosen, 0U);
}

} // namespace
} // namespace knossos
