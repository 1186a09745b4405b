#include "run_support.hpp"

#include <knossos/algorithms/archive.hpp>
#include <knossos/core/ranking.hpp>
#include <knossos/recipe/recipe.hpp>
#include <knossos/run/run.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace knossos::archive_test {
namespace {

using test::expect_mentions;

const Schema schema{std::vector<Column>{minimise("cost").between(0.0, 10.0), must_hold("fits"),
                                        descriptor("width", 0.0, 1.0), descriptor("height", 0.0, 1.0)}};

std::shared_ptr<const Cells> cells_of(const char* axes) {
    return std::make_shared<const Cells>(axes_from_text(axes), schema);
}

// Individuals whose records are drawn, some of them outside the axes or missing what must hold.
Population drawn(std::size_t count, std::uint64_t seed) {
    Population population{Space::bits(10), count, schema.size()};
    Stream stream = test::stream_for(seed);
    for (std::size_t i = 0; i < count; ++i) {
        randomise(stream, population.space(), population.genome(i));
        population.column(0)[i] = static_cast<double>(stream.below(11));
        population.column(1)[i] = stream.below(4) == 0 ? stream.real() : 0.0;
        population.column(2)[i] = stream.real() * 1.2 - 0.1;
        population.column(3)[i] = stream.real();
        rate(schema, population, i);
    }
    return population;
}

TEST(Archive, IsWhatAMapOfCellsWouldBe) {
    const auto cells = cells_of("width 0..1 by 0.1, height 0..1 by 0.04");
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        const Population all = drawn(600, seed);
        Archive archive{cells};
        Population elites{all.space(), 0, all.columns()};
        std::map<std::uint32_t, std::size_t> best; // cell, individual
        for (std::size_t i = 0; i < all.size(); ++i) {
            const std::uint32_t cell = cells->cell(all, i);
            archive.enter(schema, elites, all, i, cell);
            const auto [place, is_new] = best.emplace(cell, i);
            if (!is_new && !archive.is_worse(all, i, all, place->second)) place->second = i;
        }
        ASSERT_EQ(elites.size(), best.size());
        double score = 0.0;
        std::uint64_t filled = 0;
        for (const auto& [cell, i] : best) {
            const std::uint32_t elite = archive.elite(cell);
            ASSERT_NE(elite, Archive::nobody);
            EXPECT_EQ(std::memcmp(elites.genome(elite), all.genome(i), all.stride()), 0);
            if (!archive.is_shown(elites, elite)) continue;
            ++filled;
            score += 1.0 - all.column(0)[i] / 10.0;
        }
        EXPECT_EQ(archive.filled(), filled);
        EXPECT_NEAR(archive.qd_score(), score, 1e-6);
        EXPECT_EQ(archive.coverage(), static_cast<double>(filled) / 250.0);
        Archive again{cells};
        ASSERT_TRUE(again.rebuild(schema, elites));
        EXPECT_EQ(again.filled(), archive.filled());
        EXPECT_EQ(again.qd_score(), archive.qd_score()) << "to the bit, in whatever order it was filled";
    }
}

TEST(Archive, CountsFilledCellsWhereTheObjectiveHasNoRange) {
    const Schema open{std::vector<Column>{maximise("gain"), descriptor("width", 0.0, 1.0)}};
    const auto cells = std::make_shared<const Cells>(axes_from_text("width by 0.1"), open);
    Population some{Space::bits(10), 3, open.size()};
    for (std::size_t i = 0; i < some.size(); ++i) {
        some.column(0)[i] = -1000.0 * static_cast<double>(i);
        some.column(1)[i] = i == 2 ? 0.95 : 0.35; // the first two share a cell
        rate(open, some, i);
    }
    Archive archive{cells};
    Population elites{some.space(), 0, some.columns()};
    for (std::size_t i = 0; i < some.size(); ++i) archive.enter(open, elites, some, i, cells->cell(some, i));
    EXPECT_EQ(archive.filled(), 2U);
    EXPECT_EQ(archive.qd_score(), 2.0);
}

TEST(Centroids, AreTheNearestAndDivideTheSpaceEvenly) {
    for (const std::size_t dimensions : {1U, 2U, 3U, 6U}) {
        for (const std::uint32_t count : {1U, 2U, 3U, 50U, 200U}) {
            const Centroids centroids{count, dimensions};
            ASSERT_EQ(centroids.count(), count);
            Stream stream = test::stream_for(count);
            std::vector<double> point(dimensions);
            std::vector<std::size_t> visits(count);
            constexpr std::size_t tries = 2000;
            for (std::size_t i = 0; i < tries; ++i) {
                for (double& coordinate : point) coordinate = stream.real();
                if (i % 7 == 0 && dimensions > 1) point[0] = i % 2 == 0 ? 0.0 : 1.0;
                std::uint32_t nearest = 0;
                double least = test::infinity;
                for (std::uint32_t c = 0; c < count; ++c) {
                    double distance = 0.0;
                    for (std::size_t d = 0; d < dimensions; ++d)
                        distance += (centroids.point(c)[d] - point[d]) * (centroids.point(c)[d] - point[d]);
                    if (distance < least) nearest = c;
                    least = std::min(least, distance);
                }
                ASSERT_EQ(centroids.nearest(point), nearest);
                ++visits[nearest];
            }
            if (count == 50 && dimensions == 1)
                for (const std::size_t visited : visits) {
                    EXPECT_GT(visited, tries / count / 8);
                    EXPECT_LT(visited, tries / count * 4);
                }
        }
    }
}

// Which mutation it is, and what that draws, come from streams that no slot shares with another.
TEST(Mixture, DrawsFromStreamsOfItsOwn) {
    const StageStreams streams = test::stage_for(5);
    std::set<std::uint64_t> first;
    for (const std::uint32_t slot : {0U, 1U, 2U, most_slots - 2, most_slots - 1}) {
        first.insert(streams(slot).next64());
        first.insert(streams.beside(slot).next64());
    }
    EXPECT_EQ(first.size(), 10U);
    for (const auto& [algorithm, most] : {std::pair{"duel", "rounds"}, std::pair{"steady-state", "events"}})
        expect_mentions(
            [&]() -> std::string {
                try {
                    Recipe::parse(
                        fmt::format("[problem]\nkind = \"one-max\"\n[algorithm]\nkind = \"{}\"\n{} = "
                                    "2147483648\n[stop]\ngenerations = 1\n",
                                    algorithm, most),
                        "r.toml");
                } catch (const RecipeError& error) {
                    return error.what();
                }
                return "";
            }(),
            {"is 2147483648", most});
}

TEST(Mixture, GivesEachChildOneOfItsMutations) {
    const Space space = Space::permutation(20);
    const Mutation swap = SwapMutation{.probability = 1.0};
    const Mutation inversion = Inversion{.probability = 1.0};
    const Mutation both = Mixture{.of = {swap, inversion}};
    EXPECT_EQ(both.kinds(), (std::vector<std::string>{"swap", "inversion"}));
    constexpr std::uint32_t count = 600;
    const StageStreams streams = test::stage_for(5);
    Scratch scratch;
    const auto mutated = [&](const Mutation& mutation, std::uint32_t kind) {
        Population population{space, count};
        std::vector<Mutant> mutants;
        for (std::uint32_t i = 0; i < count; ++i) {
            Stream stream = test::stream_for(1);
            randomise(stream, space, population.genome(i));
            mutants.push_back({population.genome(i), i, false, kind});
        }
        mutation.mutate(streams, space, mutants, scratch, false);
        return population;
    };
    const auto same = [&](const Population& a, const Population& b, std::uint32_t i) {
        return std::memcmp(a.genome(i), b.genome(i), a.stride()) == 0;
    };
    const Population swapped = mutated(swap, any_kind);
    const Population inverted = mutated(inversion, any_kind);
    const Population first = mutated(both, 0);
    const Population second = mutated(both, 1);
    const Population drawn = mutated(both, any_kind);
    std::size_t swaps = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        EXPECT_TRUE(same(first, swapped, i));
        EXPECT_TRUE(same(second, inverted, i));
        EXPECT_TRUE(same(drawn, swapped, i) || same(drawn, inverted, i));
        swaps += same(drawn, swapped, i) ? 1U : 0U;
    }
    EXPECT_NEAR(static_cast<double>(swaps), count / 2.0, 5.0 * std::sqrt(count) / 2.0 + 20.0);
    expect_mentions(
        [&]() -> std::string {
            try {
                Mutation{Mixture{}}.check(space);
            } catch (const InvalidInput& error) {
                return error.what();
            }
            return "";
        }(),
        {"mixture", "no mutations"});
}

TEST(Population, GrowsAndShrinksWithoutLosingAnybody) {
    for (const std::size_t columns : {1U, 3U}) {
        Population population{Space::bits(70), 3, columns};
        const auto fill = [&](std::size_t i) {
            Stream stream = test::stream_for(i);
            randomise(stream, population.space(), population.genome(i));
            for (std::size_t c = 0; c < columns; ++c)
                population.column(c)[i] = static_cast<double>(100 * c + i);
        };
        for (std::size_t i = 0; i < 3; ++i) fill(i);
        for (std::size_t size = 4; size < 200; ++size) {
            population.resize(size);
            fill(size - 1);
            const Population copy = population;
            Population assigned{Space::bits(70), size + size / 8, columns};
            assigned = population;
            for (const Population* one :
                 std::initializer_list<const Population*>{&copy, &assigned, &population}) {
                ASSERT_EQ(one->size(), size);
                for (std::size_t i = 0; i < size; ++i) {
                    test::Individual expected{Space::bits(70)};
                    Stream stream = test::stream_for(i);
                    randomise(stream, population.space(), expected.bytes());
                    ASSERT_EQ(std::memcmp(one->genome(i), expected.bytes(), one->stride()), 0);
                    for (std::size_t c = 0; c < columns; ++c)
                        ASSERT_EQ(one->column(c)[i], static_cast<double>(100 * c + i));
                }
            }
        }
        population.resize(2);
        population.resize(5);
        EXPECT_EQ(population.column(columns - 1)[1], static_cast<double>(100 * (columns - 1) + 1));
        EXPECT_EQ(population.column(columns - 1)[4], 0.0) << "what is new is zero";
        EXPECT_TRUE(std::ranges::all_of(population.bytes().subspan(2 * population.stride()),
                                        [](std::byte byte) { return byte == std::byte{0}; }));
    }
}

} // namespace
} // namespace knossos::archive_test
