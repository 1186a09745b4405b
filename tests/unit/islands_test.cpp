#include "run_support.hpp"

#include <knossos/run/run.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace knossos::islands_test {
namespace {

using test::expect_same;
using test::island_settings;
using test::Landscape;
using test::settings_for;
using test::small;

using Senders = std::vector<std::uint32_t>;

Senders senders(Topology topology, std::uint32_t count, std::uint32_t island, std::uint64_t generation = 1) {
    return senders_to({.count = count, .topology = topology}, island, 9, 0, generation);
}

TEST(Topologies, RingHearsFromTheOneBefore) {
    EXPECT_EQ(senders(Topology::ring, 5, 0), (Senders{4}));
    EXPECT_EQ(senders(Topology::ring, 5, 3), (Senders{2}));
    EXPECT_EQ(senders(Topology::ring, 2, 0), (Senders{1}));
    EXPECT_EQ(senders(Topology::ring, 1, 0), (Senders{}));
}

TEST(Topologies, TorusHearsFromTheLeftAndFromAbove) {
    // 12 islands: three rows of four.
    EXPECT_EQ(senders(Topology::torus, 12, 5), (Senders{1, 4}));
    EXPECT_EQ(senders(Topology::torus, 12, 0), (Senders{3, 8}));
    // A prime number is one row, where nobody is above.
    EXPECT_EQ(senders(Topology::torus, 5, 0), (Senders{4}));
    // Two by two, and one alone.
    EXPECT_EQ(senders(Topology::torus, 4, 3), (Senders{1, 2}));
    EXPECT_EQ(senders(Topology::torus, 1, 0), (Senders{}));
}

TEST(Topologies, CompleteHearsFromAllOthers) {
    EXPECT_EQ(senders(Topology::complete, 4, 2), (Senders{0, 1, 3}));
}

TEST(Topologies, RandomHearsFromOneOtherDrawnAnewEachTime) {
    std::vector<std::uint64_t> heard(6);
    for (std::uint64_t generation = 0; generation < 5000; ++generation) {
        const Senders one = senders(Topology::random, 6, 2, generation);
        ASSERT_EQ(one.size(), 1U);
        ++heard.at(one[0]);
    }
    EXPECT_EQ(heard[2], 0U);
    heard.erase(heard.begin() + 2);
    test::expect_uniform(heard);
}

// Six individuals whose fitness is their slot, in reverse.
Island island_of_six(std::uint32_t index, double base) {
    const Space space = Space::integers(1, 1000);
    Island island{space, 6, 6, 1, 0, index};
    for (std::size_t i = 0; i < 6; ++i) {
        view_as<Integers<std::uint16_t>>(space, island.current.genome(i))
            .set(0, static_cast<std::uint32_t>(base) + 9);
        island.current.fitness()[i] = base + 5.0 - static_cast<double>(i);
    }
    return island;
}

struct Migration {
    Problem problem = Landscape{Space::integers(1, 1000)};
    Stages stages{Tournament{}, Clone{}, PointMutation{}, std::nullopt, std::nullopt, ReplaceWorst{}};
    Context context{problem, stages, 3, nullptr, {}};

    std::vector<double> after(const Islands& islands, double base_of_arrivals) const {
        Island home = island_of_six(0, 100.0);
        const Island abroad = island_of_six(1, base_of_arrivals);
        const Population group = choose_emigrants(islands, abroad, Objective::minimise);
        const Population* const arrivals[] = {&group};
        admit(islands, context, home, arrivals);
        return {home.current.fitness().begin(), home.current.fitness().end()};
    }
};

TEST(Migration, TheBestLeaveAndReplaceTheWorst) {
    EXPECT_EQ(Migration{}.after({.count = 2, .migrants = 2}, 0.0),
              (std::vector<double>{0.0, 1.0, 103.0, 102.0, 101.0, 100.0}));
    EXPECT_EQ(Migration{}.after({.count = 2, .migrants = 2}, 500.0),
              (std::vector<double>{500.0, 501.0, 103.0, 102.0, 101.0, 100.0}));
}

TEST(Migration, WorseArrivalsAreTurnedAwayIfOnlyBetterOnesMayEnter) {
    const Islands careful{.count = 2, .migrants = 3, .immigrants = Immigrants::replace_if_better};
    EXPECT_EQ(Migration{}.after(careful, 500.0),
              (std::vector<double>{105.0, 104.0, 103.0, 102.0, 101.0, 100.0}));
    EXPECT_EQ(Migration{}.after(careful, 0.0), (std::vector<double>{0.0, 1.0, 2.0, 102.0, 101.0, 100.0}));
}

TEST(Migration, RandomPlacesAreDifferentOnes) {
    const Islands random{
        .count = 2, .migrants = 4, .emigrants = Emigrants::random, .immigrants = Immigrants::replace_random};
    const std::vector<double> after = Migration{}.after(random, 0.0);
    EXPECT_EQ(std::ranges::count_if(after, [](double fitness) { return fitness < 50.0; }), 4);
    EXPECT_EQ(std::set<double>(after.begin(), after.end()).size(), 6U) << "nobody leaves twice";
}

TEST(Islands, WithoutMigrationEachIsARunOfItsOwn) {
    Settings settings = island_settings(settings_for(small), Topology::ring);
    settings.islands.migrants = 0;
    const Result apart = evolve(Landscape{small}, settings);
    settings.islands.migrants = 2;
    settings.islands.interval = 1000;
    expect_same(evolve(Landscape{small}, settings), apart);
    settings.islands.interval = 2;
    EXPECT_NE(evolve(Landscape{small}, settings).digest, apart.digest);
}

} // namespace
} // namespace knossos::islands_test
