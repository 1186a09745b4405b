// Walks the registered selections: see operator_properties.hpp.

#include "operator_properties.hpp"

#include <functional>
#include <numeric>

namespace knossos::selection_properties_test {
namespace {

using namespace operator_properties;

std::vector<std::uint32_t> draw(const Selection& selection, const Scores& scores, std::size_t draws,
                                std::uint64_t generation, std::size_t tile) {
    SelectionTable table;
    const StageStreams streams = stage_for(31, generation);
    Stream prepare = streams(0xFFFFFFFFU);
    selection.prepare(prepare, scores, draws, table);
    std::vector<std::uint32_t> chosen(draws);
    // From the last tile to the first: what a slot gets must not depend on the order of tiles.
    for (std::size_t tiles = (draws + tile - 1) / tile; tiles-- > 0;) {
        const std::size_t first = tiles * tile;
        selection.pick(streams, scores, table, first,
                       std::span{chosen}.subspan(first, std::min(tile, draws - first)));
    }
    return chosen;
}

// How many are as bad as individual i or worse, and how many of those are worse.
struct Standing {
    double not_better = 0.0;
    double worse = 0.0;
    std::size_t rank = 0; ///< from the best; among equals by slot
};

std::vector<Standing> standings(const Scores& scores) {
    std::vector<Standing> all(scores.size());
    for (std::size_t i = 0; i < scores.size(); ++i)
        for (std::size_t j = 0; j < scores.size(); ++j) {
            all[i].not_better += scores.better(j, i) ? 0.0 : 1.0;
            all[i].worse += scores.better(i, j) ? 1.0 : 0.0;
            if (scores.better(j, i) || (!scores.better(i, j) && j < i)) ++all[i].rank;
        }
    return all;
}

using Shares = std::vector<double>;

Shares tournament_shares(const Values& values, const Scores& scores) {
    Shares shares;
    const double size = number(values, "size");
    const bool replacement = flag(values, "replacement");
    const auto ways = [&](double people) {
        return replacement ? std::pow(people, size) : choose(people, size);
    };
    for (const Standing& one : standings(scores))
        shares.push_back((ways(one.not_better) - ways(one.worse)) / (one.not_better - one.worse));
    return shares;
}

Shares wheel_shares(const Values& values, const Scores& scores) {
    const auto [lowest, highest] = std::ranges::minmax(scores.values);
    const double sum = std::accumulate(scores.values.begin(), scores.values.end(), 0.0);
    const bool minimise = scores.objective == Objective::minimise;
    const std::string scaling = word(values, "scaling");
    Shares shares;
    for (const double value : scores.values) {
        if (scaling == "proportional")
            shares.push_back(minimise ? lowest + highest - value : value);
        else if (scaling == "windowed")
            shares.push_back(minimise ? highest - value : value - lowest);
        else
            shares.push_back(sum > 0.0 ? 1.0 - value / sum : 1.0);
    }
    // Where nobody is better than anybody, everybody is alike.
    if (std::ranges::all_of(shares, [](double share) { return share == 0.0; }))
        std::ranges::fill(shares, 1.0);
    return shares;
}

template <class OfRank>
Shares shares_by_rank(const Scores& scores, OfRank of_rank) {
    Shares shares;
    for (const Standing& one : standings(scores)) shares.push_back(of_rank(static_cast<double>(one.rank)));
    return shares;
}

using SharesOf = std::function<Shares(const Values&, const Scores&)>;

const std::map<std::string, SharesOf>& selection_shares() {
    static const std::map<std::string, SharesOf> table{
        {"tournament", tournament_shares},
        {"roulette", wheel_shares},
        {"stochastic-universal", wheel_shares},
        {"linear-rank",
         [](const Values& values, const Scores& scores) {
             const double pressure = number(values, "pressure");
             const double last = std::max(1.0, static_cast<double>(scores.size()) - 1.0);
             return shares_by_rank(
                 scores, [=](double rank) { return pressure - 2.0 * (pressure - 1.0) * rank / last; });
         }},
        {"exponential-rank",
         [](const Values& values, const Scores& scores) {
             const double base = number(values, "base");
             return shares_by_rank(scores, [=](double rank) { return std::pow(base, rank); });
         }},
        {"truncation",
         [](const Values& values, const Scores& scores) {
             const double breeders = std::max(
                 1.0, std::floor(number(values, "fraction") * static_cast<double>(scores.size()) + 1.0e-9));
             return shares_by_rank(scores, [=](double rank) { return rank < breeders ? 1.0 : 0.0; });
         }},
        {"random", [](const Values&, const Scores& scores) { return Shares(scores.size(), 1.0); }},
        {"best",
         [](const Values&, const Scores& scores) {
             return shares_by_rank(scores, [](double rank) { return rank == 0.0 ? 1.0 : 0.0; });
         }},
    };
    return table;
}

// As test::expect_shares(), with the cells that expect fewer than ten judged together.
void expect_shares(std::span<const std::uint64_t> observed, const Shares& shares) {
    const auto draws =
        static_cast<double>(std::accumulate(observed.begin(), observed.end(), std::uint64_t{0}));
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    std::vector<std::uint64_t> counts{0};
    Shares expected{0.0};
    for (std::size_t i = 0; i < shares.size(); ++i) {
        if (shares[i] == 0.0) {
            EXPECT_EQ(observed[i], 0U) << "individual " << i << " has no chance";
        }
        if (shares[i] / sum * draws < 10.0) {
            counts[0] += observed[i];
            expected[0] += shares[i];
        } else {
            counts.push_back(observed[i]);
            expected.push_back(shares[i]);
        }
    }
    // A rest that expects next to nothing has no distribution to speak of.
    if (expected[0] / sum * draws < 10.0) {
        EXPECT_LE(counts[0], 60U);
        counts.erase(counts.begin());
        expected.erase(expected.begin());
    }
    test::expect_shares(counts, expected);
}

class RegisteredSelection : public testing::TestWithParam<Entry<Selection>> {};

TEST_P(RegisteredSelection, StaysInsideThePopulationAndIsTheSameInAnyTiles) {
    for (const std::size_t population : sizes)
        for (const Values& values : variants_of(GetParam().info)) {
            const Selection selection = GetParam().make(values);
            if (!accepted([&] { selection.check(population); })) continue;
            const std::uint64_t rounds = population < 1000 ? test::seeds(40) : population < 100'000 ? 6 : 1;
            for (std::uint64_t round = 0; round < rounds; ++round) {
                SCOPED_TRACE(said(GetParam().info, values) + ", population of " + std::to_string(population) +
                             ", round " + std::to_string(round));
                Stream stream = stream_for(round, static_cast<std::uint32_t>(population));
                std::vector<double> fitness(population);
                for (double& value : fitness)
                    value = static_cast<double>(stream.below(round % 2 == 0 ? 5 : 1000));
                const Scores scores{fitness, directions[round % 2]};
                if (!accepted([&] { selection.check_objective(scores.objective); })) continue;
                const std::size_t draws = 1 + stream.below(static_cast<std::uint32_t>(2 * population));
                const std::vector<double> before = fitness;
                const auto chosen = draw(selection, scores, draws, round, draws + draws % 2);
                for (const std::uint32_t one : chosen) ASSERT_LT(one, population);
                ASSERT_EQ(draw(selection, scores, draws, round, 2), chosen);
                ASSERT_EQ(draw(selection, scores, draws, round, 14), chosen);
                ASSERT_EQ(fitness, before);
            }
        }
}

TEST_P(RegisteredSelection, ChoosesByTheDocumentedShares) {
    const SharesOf& shares_of = line_of(selection_shares(), GetParam().info.name);
    if (!shares_of) return;
    std::vector<std::vector<double>> populations{
        {30.0, 5.0, 21.0, 60.0, 1.0, 12.0, 44.0}, // in an order that no slot gives away
        std::vector<double>(6, 4.0),
        std::vector<double>(6, 0.0),
        {3.0, 8.0},
        {7.0},
        {},
    };
    Stream stream = stream_for(5);
    for (std::size_t i = 0; i < 40; ++i) populations.back().push_back(static_cast<double>(stream.below(9)));
    constexpr std::size_t draws = 40;
    for (const Values& values : variants_of(GetParam().info)) {
        const Selection selection = GetParam().make(values);
        for (const std::vector<double>& fitness : populations)
            for (const Objective objective : directions) {
                if (!accepted([&] {
                        selection.check(fitness.size());
                        selection.check_objective(objective);
                    }))
                    continue;
                SCOPED_TRACE(said(GetParam().info, values) + ", population of " +
                             std::to_string(fitness.size()) +
                             (objective == Objective::minimise ? ", minimised" : ", maximised"));
                std::vector<std::uint64_t> counts(fitness.size());
                for (std::uint64_t generation = 0; generation < 500 * test::seeds(1); ++generation)
                    for (const std::uint32_t one :
                         draw(selection, {fitness, objective}, draws, generation, draws))
                        ++counts.at(one);
                expect_shares(counts, shares_of(values, {fitness, objective}));
            }
    }
}

INSTANTIATE_TEST_SUITE_P(Registry, RegisteredSelection, testing::ValuesIn(Registry::built_in().selections()),
                         test_name<Selection>);

} // namespace
} // namespace knossos::selection_properties_test
