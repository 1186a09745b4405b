#include "support.hpp"

#include <knossos/operators/replacement.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace knossos::replacement_test {
namespace {

using test::expect_mentions;
using test::expect_rate;
using test::message_of;
using test::stream_for;

constexpr Objective directions[] = {Objective::minimise, Objective::maximise};

// Individuals carry their own number as a genome, so that one sees who is where.
const Space numbers = Space::integers(1, 1'000'000);

struct Person {
    std::uint32_t number;
    double fitness;
    friend bool operator==(const Person&, const Person&) = default;
};

Population population_of(const std::vector<Person>& people) {
    Population population{numbers, people.size()};
    for (std::size_t i = 0; i < people.size(); ++i) {
        std::memcpy(population.genome(i), &people[i].number, 4);
        population.fitness()[i] = people[i].fitness;
    }
    return population;
}

std::vector<Person> people_of(const Population& population) {
    std::vector<Person> people(population.size());
    for (std::size_t i = 0; i < people.size(); ++i) {
        std::memcpy(&people[i].number, population.genome(i), 4);
        people[i].fitness = population.fitness()[i];
    }
    return people;
}

// Few different values, so that ties are common.
std::vector<Person> random_people(std::uint64_t seed, std::uint32_t first_number, std::size_t count) {
    Stream stream = stream_for(seed, first_number);
    std::vector<Person> people(count);
    for (std::uint32_t i = 0; i < count; ++i)
        people[i] = {first_number + i, static_cast<double>(stream.below(12))};
    return people;
}

struct Turn {
    std::vector<Person> parents;
    std::vector<Person> children;
    std::vector<std::uint32_t> parent_of;
    Objective objective;
    std::uint64_t seed;

    [[nodiscard]] std::vector<Person> after(const Replacement& replacement) const {
        Population current = population_of(parents);
        Population offspring = population_of(children);
        std::vector<std::uint32_t> order;
        Stream stream = stream_for(seed, 77);
        replacement(stream, {current, offspring, parent_of, objective, order});
        EXPECT_EQ(current.size(), parents.size());
        return people_of(current);
    }
};

Turn random_turn(std::uint64_t seed, std::size_t population, std::size_t offspring) {
    Turn turn{random_people(seed, 0, population),
              random_people(seed, 1000, offspring),
              {},
              directions[seed % 2],
              seed};
    Stream stream = stream_for(seed, 5);
    for (std::size_t i = 0; i < offspring + offspring % 2; ++i)
        turn.parent_of.push_back(stream.below(static_cast<std::uint32_t>(population)));
    return turn;
}

template <class Check>
void for_each_turn(std::initializer_list<std::pair<std::size_t, std::size_t>> sizes, Check check) {
    for (const auto& [population, offspring] : sizes)
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            check(random_turn(seed, population, offspring));
            ASSERT_FALSE(testing::Test::HasFailure())
                << "population " << population << ", offspring " << offspring << ", seed " << seed;
        }
}

void sort_best_first(std::vector<Person>& people, Objective objective) {
    std::ranges::stable_sort(
        people, [&](const Person& a, const Person& b) { return better(objective, a.fitness, b.fitness); });
}

std::vector<Person> by_number(std::vector<Person> people) {
    std::ranges::sort(people, {}, &Person::number);
    return people;
}

TEST(GenerationalReplacement, ChildrenTakeOverExceptForTheElites) {
    for_each_turn({{1, 1}, {2, 2}, {7, 7}, {64, 64}}, [](const Turn& turn) {
        for (const std::uint32_t elites : {0U, 1U, 2U, 5U}) {
            if (elites >= turn.parents.size()) continue;
            std::vector<Person> old = turn.parents;
            std::vector<Person> expected = turn.children;
            sort_best_first(old, turn.objective);
            sort_best_first(expected, turn.objective);
            expected.resize(expected.size() - elites);
            expected.insert(expected.end(), old.begin(), old.begin() + elites);
            EXPECT_EQ(by_number(turn.after(GenerationalReplacement{elites})), by_number(expected));
        }
    });
}

TEST(GenerationalReplacement, NeedsAsManyChildrenAsIndividualsAndSomeRoomForThem) {
    expect_mentions(message_of([] { Replacement{GenerationalReplacement{}}.check(10, 20); }),
                    {"offspring is 20", "population is 10"});
    expect_mentions(message_of([] { Replacement{GenerationalReplacement{10}}.check(10, 10); }),
                    {"generational.elites is 10", "0..9"});
    EXPECT_NO_THROW(Replacement{GenerationalReplacement{9}}.check(10, 10));
}

TEST(PlusReplacement, KeepsTheBestOfBothAndPrefersChildren) {
    for_each_turn({{1, 1}, {1, 5}, {5, 1}, {7, 20}, {20, 7}, {64, 64}}, [](const Turn& turn) {
        std::vector<Person> everybody = turn.children;
        everybody.insert(everybody.end(), turn.parents.begin(), turn.parents.end());
        sort_best_first(everybody, turn.objective);
        everybody.resize(turn.parents.size());
        EXPECT_EQ(by_number(turn.after(PlusReplacement{})), by_number(everybody));
    });
}

TEST(CommaReplacement, KeepsTheBestChildrenOnly) {
    for_each_turn({{1, 1}, {1, 5}, {7, 7}, {7, 20}, {64, 100}}, [](const Turn& turn) {
        std::vector<Person> expected = turn.children;
        sort_best_first(expected, turn.objective);
        expected.resize(turn.parents.size());
        EXPECT_EQ(by_number(turn.after(CommaReplacement{})), by_number(expected));
    });
}

TEST(CommaReplacement, NeedsEnoughChildren) {
    expect_mentions(message_of([] { Replacement{CommaReplacement{}}.check(10, 9); }),
                    {"offspring is 9", "population is 10"});
    EXPECT_NO_THROW(Replacement{CommaReplacement{}}.check(10, 10));
}

std::size_t worst_place(const std::vector<Person>& people, Objective objective) {
    std::size_t worst = 0;
    for (std::size_t i = 1; i < people.size(); ++i)
        if (better(objective, people[worst].fitness, people[i].fitness)) worst = i;
    return worst;
}

TEST(ReplaceWorst, EachChildInTurnTakesThePlaceOfTheWorst) {
    for_each_turn({{1, 1}, {1, 5}, {5, 2}, {20, 7}, {20, 64}}, [](const Turn& turn) {
        for (const bool only_better : {true, false}) {
            std::vector<Person> expected = turn.parents;
            for (const Person& child : turn.children) {
                Person& worst = expected[worst_place(expected, turn.objective)];
                if (!only_better || !better(turn.objective, worst.fitness, child.fitness)) worst = child;
            }
            EXPECT_EQ(turn.after(ReplaceWorst{only_better}), expected);
        }
    });
}

TEST(ReplaceInTournament, OneChildTakesThePlaceOfTheWorstOfThoseDrawn) {
    constexpr std::uint32_t population = 8;
    constexpr std::uint64_t rounds = 8000;
    for (const Objective objective : directions)
        for (const std::uint32_t size : {1U, 2U, 4U}) {
            std::vector<std::uint64_t> replaced(population);
            for (std::uint64_t seed = 0; seed < rounds; ++seed) {
                Turn turn{{}, {{1000, 3.5}}, {0, 0}, objective, seed};
                for (std::uint32_t i = 0; i < population; ++i)
                    turn.parents.push_back({i, static_cast<double>(i)});
                const auto after = turn.after(ReplaceInTournament{.size = size});
                const auto place = std::ranges::find(after, 1000U, &Person::number) - after.begin();
                ASSERT_LT(place, population);
                ++replaced[static_cast<std::size_t>(place)];
            }
            // The r-th worst goes if it is drawn and nobody worse is.
            std::vector<double> shares(population);
            for (std::uint32_t i = 0; i < population; ++i) {
                const double worse = objective == Objective::minimise ? population - 1.0 - i : i;
                shares[i] = std::pow(population - worse, size) - std::pow(population - worse - 1.0, size);
            }
            test::expect_shares(replaced, shares);
        }
}

TEST(ReplaceInTournament, NobodyBetterIsReplacedIfOnlyBetterOnesMayEnter) {
    for_each_turn({{1, 1}, {5, 2}, {20, 30}}, [](const Turn& turn) {
        for (const std::uint32_t size : {1U, 3U}) {
            if (size > turn.parents.size()) continue;
            const auto after = turn.after(ReplaceInTournament{.size = size, .only_better = true});
            for (std::size_t i = 0; i < after.size(); ++i)
                EXPECT_FALSE(better(turn.objective, turn.parents[i].fitness, after[i].fitness));
        }
    });
}

TEST(ReplaceInTournament, EveryChildEntersUnlessItMustBeBetter) {
    for_each_turn({{5, 1}, {20, 1}}, [](const Turn& turn) {
        const auto after = turn.after(ReplaceInTournament{.size = 3});
        EXPECT_EQ(std::ranges::count_if(after, [](const Person& one) { return one.number >= 1000; }), 1);
    });
}

TEST(ReplaceInTournament, IsNoLargerThanThePopulation) {
    expect_mentions(message_of([] { Replacement{ReplaceInTournament{.size = 11}}.check(10, 2); }),
                    {"tournament.size is 11", "1..10"});
    expect_mentions(message_of([] { Replacement{ReplaceInTournament{.size = 0}}; }),
                    {"tournament.size is 0", "1.."});
}

TEST(Crowding, EachChildCompetesWithTheMoreSimilarParentOfItsMating) {
    const Space space = Space::bits(12);
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const Objective objective = directions[seed % 2];
        Stream stream = stream_for(seed);
        Population current{space, 6};
        Population offspring{space, 5};
        for (Population* population : {&current, &offspring})
            for (std::size_t i = 0; i < population->size(); ++i) {
                randomise(stream, space, population->genome(i));
                population->fitness()[i] = static_cast<double>(stream.below(6));
            }
        std::vector<std::uint32_t> parents(6);
        for (auto& parent : parents) parent = stream.below(6);

        Population expected = current;
        const auto distance = [&](std::size_t child, std::uint32_t parent) {
            return hamming_distance(space, offspring.genome(child), expected.genome(parent));
        };
        const auto compete = [&](std::size_t child, std::uint32_t parent) {
            if (!better(objective, expected.fitness()[parent], offspring.fitness()[child]))
                expected.copy_from(offspring, child, parent);
        };
        for (std::size_t child = 0; child < 4; child += 2) {
            const std::uint32_t one = parents[child];
            const std::uint32_t two = parents[child + 1];
            const bool straight = distance(child, one) + distance(child + 1, two) <=
                                  distance(child, two) + distance(child + 1, one);
            compete(child, straight ? one : two);
            compete(child + 1, straight ? two : one);
        }
        compete(4, parents[4]);

        std::vector<std::uint32_t> order;
        const Replacement crowding = Crowding{};
        crowding(stream, {current, offspring, parents, objective, order});
        ASSERT_TRUE(std::ranges::equal(current.bytes(), expected.bytes())) << "seed " << seed;
        ASSERT_TRUE(std::ranges::equal(current.fitness(), expected.fitness())) << "seed " << seed;
    }
}

TEST(Crowding, KeepsDifferentSolutionsSideBySide) {
    // Two niches of equal worth: children of one never take places of the other.
    const Space space = Space::bits(20);
    Population current{space, 4};
    for (std::size_t i = 2; i < 4; ++i)
        for (std::size_t bit = 0; bit < 20; ++bit) view_as<Bits>(space, current.genome(i)).set(bit, true);
    Population offspring = current;
    offspring.copy_from(current, 2, 1);
    offspring.copy_from(current, 0, 2);
    for (std::size_t i = 0; i < 4; ++i) view_as<Bits>(space, offspring.genome(i)).flip(i);
    for (double& fitness : offspring.fitness()) fitness = -1.0;
    // Matings across the niches, whose children come the other way round.
    const std::vector<std::uint32_t> parents{2, 0, 3, 1};
    std::vector<std::uint32_t> order;
    Stream stream = stream_for(1);
    const Replacement crowding = Crowding{};
    crowding(stream, {current, offspring, parents, Objective::minimise, order});
    EXPECT_EQ(view_as<Bits>(space, current.genome(0)).count(), 1U);
    EXPECT_EQ(view_as<Bits>(space, current.genome(1)).count(), 1U);
    EXPECT_EQ(view_as<Bits>(space, current.genome(2)).count(), 19U);
    EXPECT_EQ(view_as<Bits>(space, current.genome(3)).count(), 19U);
}

} // namespace
} // namespace knossos::replacement_test
