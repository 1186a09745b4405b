#include "support.hpp"

#include <knossos/core/files.hpp>
#include <knossos/core/random.hpp>
#include <knossos/recipe/gallery.hpp>
#include <knossos/recipe/spread.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace knossos::gallery_test {
namespace {

#define EXPECT_REFUSED(call, words)                                                                          \
    EXPECT_NE(test::message_of([&] { call; }).find(words), std::string::npos)                                \
        << test::message_of([&] { call; })

// A gallery of random mazes on path and open cells, as a search would leave it.
MeasuredGallery random_gallery(std::uint64_t seed, std::size_t tries, std::uint32_t side = 8) {
    const Recipe recipe = Recipe::load(
        "maze", {fmt::format("problem.width={}", side), fmt::format("problem.height={}", side),
                 "problem.goal=maximise branches, minimise sealed", "problem.descriptors=path, open"});
    const Problem problem = recipe.problem();
    const Streams streams{seed};
    std::vector<Elite> elites;
    std::vector<double> record(problem.schema().size());
    for (std::size_t i = 0; i < tries; ++i) {
        Stream stream = streams.at(Purpose::initialise, 0, static_cast<std::uint32_t>(i));
        Elite elite{.genome = std::vector<std::byte>(problem.space().genome_bytes())};
        problem.initialise(stream, elite.genome.data());
        for (int k = 0; k < 12; ++k) problem.propose(stream, elite.genome.data());
        problem.repair(stream, elite.genome.data());
        problem.evaluate(Batch{.space = &problem.space(),
                               .data = elite.genome.data(),
                               .stride = elite.genome.size(),
                               .count = 1},
                         record);
        if (problem.schema().violation(record) > 0.0) continue;
        elite.record = record;
        elite.cell = {0, 0};
        elites.push_back(std::move(elite));
    }
    MeasuredGallery gallery{.recipe = recipe, .elites = std::move(elites)};
    for (Elite& elite : gallery.elites) {
        gallery.measures = gallery.artefact(elite)->measures();
        for (const Measured& one : gallery.measures) elite.measures.push_back(one.value);
    }
    return best_of_cells(
        laid_out(std::move(gallery), {{.name = "path", .low = 0, .high = 64, .step = 4, .cells = 16},
                                      {.name = "open", .low = 0, .high = 64, .step = 4, .cells = 16}}));
}

TEST(Gallery, FindsThePlaceOnAnAxis) {
    const Axis axis{.name = "path", .low = 0, .high = 262, .step = 2, .cells = 131};
    EXPECT_EQ(place_on(axis, 0), 0U);
    EXPECT_EQ(place_on(axis, 1.99), 0U);
    EXPECT_EQ(place_on(axis, 2), 1U);
    EXPECT_EQ(place_on(axis, 262), 130U) << "the upper end belongs to the last cell";
    EXPECT_EQ(place_on(axis, 263), std::nullopt);
    EXPECT_EQ(place_on(axis, -1), std::nullopt);
    EXPECT_EQ(place_on(axis, std::nan("")), std::nullopt);
}

TEST(Gallery, IsTheSameWhenWrittenAndReadAgain) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const MeasuredGallery gallery = random_gallery(seed, 300);
        ASSERT_GT(gallery.elites.size(), 10U);
        const std::string text = gallery_json(gallery);
        const MeasuredGallery again = read_gallery(text, "again");
        EXPECT_EQ(again.axes, gallery.axes);
        ASSERT_EQ(again.elites.size(), gallery.elites.size());
        for (std::size_t i = 0; i < gallery.elites.size(); ++i) {
            EXPECT_EQ(again.elites[i].cell, gallery.elites[i].cell);
            EXPECT_EQ(again.elites[i].record, gallery.elites[i].record);
            EXPECT_EQ(again.elites[i].measures, gallery.elites[i].measures);
            EXPECT_EQ(again.elites[i].genome, gallery.elites[i].genome);
        }
        EXPECT_EQ(gallery_json(again), text);
    }
}

TEST(Gallery, KeepsOneACellAndTheBestOfThem) {
    const MeasuredGallery gallery = random_gallery(3, 400);
    const MeasuredGallery other = random_gallery(4, 400);
    const MeasuredGallery both = merged({gallery, other});
    std::set<std::vector<std::uint32_t>> cells;
    for (const Elite& elite : both.elites) EXPECT_TRUE(cells.insert(elite.cell).second);
    const Objective objective = gallery.recipe.problem().objective();
    for (const MeasuredGallery* one : {&gallery, &other})
        for (const Elite& elite : one->elites) {
            const auto kept = std::ranges::find(both.elites, elite.cell, &Elite::cell);
            ASSERT_NE(kept, both.elites.end());
            EXPECT_FALSE(better(objective, one->quality(elite), both.quality(*kept)));
        }
    EXPECT_GE(both.coverage(), gallery.coverage());
    EXPECT_TRUE(std::ranges::is_sorted(both.elites, {}, &Elite::cell));
}

// What a run over so many centroids would have left of such a gallery, by the textbook: the nearest of all
// points, in shares of the ranges.
MeasuredGallery by_centroids(MeasuredGallery gallery, std::uint32_t count) {
    gallery.axes = {{.name = "path", .low = 14, .high = 20}, {.name = "open", .low = 16, .high = 40}};
    gallery.cells = count;
    const auto points = Cells{gallery.axes, gallery.recipe.problem().schema(), count}.centroids();
    std::vector<GalleryValue> values;
    for (const Axis& axis : gallery.axes) values.push_back(value_named(gallery, axis.name, "test"));
    std::erase_if(gallery.elites, [&](Elite& elite) {
        double least = 1e300;
        bool is_inside = true;
        for (std::uint32_t cell = 0; cell < count; ++cell) {
            double distance = 0.0;
            for (std::size_t i = 0; i < gallery.axes.size(); ++i) {
                const Axis& axis = gallery.axes[i];
                const double value = values[i].of(elite);
                is_inside = is_inside && value >= axis.low && value <= axis.high;
                distance += std::pow((points[cell][i] - value) / (axis.high - axis.low), 2);
            }
            if (distance < least) elite.cell = {cell};
            least = std::min(least, distance);
        }
        return !is_inside;
    });
    return best_of_cells(std::move(gallery));
}

TEST(Gallery, IsMergedIntoTheCentroidsOfTheFirst) {
    const MeasuredGallery grid = random_gallery(3, 400);
    const MeasuredGallery few = by_centroids(random_gallery(4, 400), 40);
    const MeasuredGallery many = by_centroids(random_gallery(5, 400), 200);
    ASSERT_GT(few.elites.size(), 5U);
    for (const MeasuredGallery* other : {&grid, &many}) {
        const MeasuredGallery both = merged({few, *other});
        EXPECT_EQ(both.axes, few.axes);
        EXPECT_EQ(both.cells, 40U);
        EXPECT_LE(both.coverage(), 1.0);
        MeasuredGallery all = few;
        all.elites.insert(all.elites.end(), other->elites.begin(), other->elites.end());
        const MeasuredGallery expected = by_centroids(std::move(all), 40);
        ASSERT_EQ(both.elites.size(), expected.elites.size());
        for (std::size_t i = 0; i < both.elites.size(); ++i) {
            EXPECT_EQ(both.elites[i].cell, expected.elites[i].cell);
            EXPECT_EQ(both.elites[i].genome, expected.elites[i].genome);
        }
        EXPECT_EQ(read_gallery(gallery_json(both), "again").cells, 40U);
    }
}

TEST(Gallery, OfCentroidsIsMergedIntoTheGridOfTheFirst) {
    const MeasuredGallery grid = random_gallery(3, 40);
    const MeasuredGallery both = merged({grid, by_centroids(random_gallery(4, 400), 40)});
    EXPECT_EQ(both.axes, grid.axes);
    EXPECT_GT(both.elites.size(), grid.elites.size());
    EXPECT_EQ(gallery_json(laid_out(both, grid.axes)), gallery_json(both)) << "each lies in its cell";
}

TEST(Gallery, RefusesCentroidsThatNoRunHas) {
    MeasuredGallery gallery = by_centroids(random_gallery(4, 100), 40);
    gallery.cells = 2'000'000;
    EXPECT_REFUSED((void)read_gallery(gallery_json(gallery), "file"), "there can be 10000 centroids");
    gallery.cells = 40;
    gallery.axes[1].step = 64;
    EXPECT_REFUSED((void)read_gallery(gallery_json(gallery), "file"), "axis open alone has steps");
}

TEST(Gallery, RefusesToMergeOtherProblems) {
    EXPECT_REFUSED((void)merged({random_gallery(1, 50), random_gallery(1, 50, 9)}), "differs");
}

TEST(Gallery, IsLaidOutByOtherMeasuresWithoutLosingWhatLiesInside) {
    const MeasuredGallery gallery = random_gallery(7, 400);
    const auto axes = parse_axes("dead-ends, loops", gallery, "--axes");
    const MeasuredGallery other = laid_out(gallery, axes);
    EXPECT_EQ(other.elites.size(), gallery.elites.size()) << "ranges that are left open hold everybody";
    const GalleryValue dead_ends = value_named(other, "dead_ends", "test");
    for (const Elite& elite : other.elites) EXPECT_EQ(place_on(axes[0], dead_ends.of(elite)), elite.cell[0]);
    const MeasuredGallery part = laid_out(gallery, parse_axes("path 16..20 by 2", gallery, "--axes"));
    const GalleryValue path = value_named(part, "path", "test");
    EXPECT_LT(part.elites.size(), gallery.elites.size());
    for (const Elite& elite : part.elites) {
        EXPECT_GE(path.of(elite), 16.0);
        EXPECT_LE(path.of(elite), 20.0);
    }
}

TEST(Gallery, IsFilteredByRangesOfItsMeasures) {
    const MeasuredGallery gallery = random_gallery(9, 400);
    const MeasuredGallery some =
        filtered(gallery, parse_ranges("path 14..20, loops 1..", "--where"), "--where");
    const GalleryValue path = value_named(gallery, "exit-path", "test");
    const GalleryValue loops = value_named(gallery, "loops", "test");
    const auto inside = [&](const Elite& elite) {
        return path.of(elite) >= 14 && path.of(elite) <= 20 && loops.of(elite) >= 1;
    };
    EXPECT_EQ(static_cast<std::ptrdiff_t>(some.elites.size()), std::ranges::count_if(gallery.elites, inside));
    EXPECT_TRUE(std::ranges::all_of(some.elites, inside));
}

TEST(Gallery, SaysWhatIsWrongWithAxesAndRanges) {
    const MeasuredGallery gallery = random_gallery(1, 100);
    const auto axes = [&](std::string_view text) {
        return [&gallery, text] { (void)parse_axes(text, gallery, "--axes"); };
    };
    EXPECT_REFUSED(axes("pth, loops")(), "did you mean path");
    EXPECT_REFUSED(axes("path 0..1e9 by 0.001, loops")(), "more than 10,000,000 cells");
    EXPECT_REFUSED(axes("path 0..1e6 by 1, loops 0..1e6 by 1")(), "more than 10,000,000 cells");
    EXPECT_REFUSED(axes("path 9..3")(), "lower end");
    EXPECT_REFUSED(axes("path 0..9 by 0")(), "above 0");
    EXPECT_REFUSED(axes("path 0..9 of 2")(), "looks like");
    EXPECT_REFUSED(axes(" , ")(), "without a name");
    EXPECT_REFUSED(axes("")(), "names no axis");
    EXPECT_REFUSED((void)parse_ranges("path", "--where"), "60..80");
    EXPECT_REFUSED((void)parse_ranges("path 9..3", "--where"), "lower end");
    EXPECT_REFUSED((void)filtered(gallery, parse_ranges("beauty 1..", "--where"), "--where"),
                   "no measure 'beauty'");
}

TEST(Gallery, RefusesDamagedFilesWithTheirName) {
    const std::string text = gallery_json(random_gallery(2, 60));
    const auto reading = [](std::string json) {
        return [json] { (void)read_gallery(json, "G/gallery.json"); };
    };
    const auto replaced = [&](std::string_view what, std::string_view with) {
        std::string changed = text;
        const std::size_t at = changed.find(what);
        EXPECT_NE(at, std::string::npos) << what;
        return changed.replace(at, what.size(), with);
    };
    EXPECT_REFUSED(reading("")(), "G/gallery.json: is no gallery");
    EXPECT_REFUSED(reading("[]")(), "no gallery");
    EXPECT_REFUSED(reading(text.substr(0, text.size() / 2))(), "G/gallery.json");
    EXPECT_REFUSED(reading(replaced("\"step\":4.0", "\"step\":-4.0"))(), "goes nowhere");
    EXPECT_REFUSED(reading(replaced("\"cells\":16", "\"cells\":9999999"))(),
                   "cells is 9999999, but its steps make 16");
    EXPECT_REFUSED(reading(replaced("\"step\":4.0,\"cells\":16", "\"step\":6.4e-6,\"cells\":10000000"))(),
                   "more cells");
    EXPECT_REFUSED(reading(replaced("\"cell\":[", "\"cell\":[99999,"))(), "elite 1");
    EXPECT_REFUSED(reading(replaced("\"genome\":\"", "\"genome\":\"zz"))(), "hexadecimal");
    EXPECT_REFUSED(reading(replaced("\"record\":{", "\"record\":[{"))(), "gallery");
    EXPECT_REFUSED(reading(replaced("\"exit_path\":", "\"exit_pth\":"))(), "exit_p");
    // What the file says of an elite is what its genome gives.
    EXPECT_REFUSED(reading(replaced("\"cells\":[\".", "\"cells\":[\"#"))(),
                   "elite 1: cells is not that of its genome");
    EXPECT_REFUSED(reading(replaced("\"cells\":[\"", "\"cells\":[7,\""))(), "elite 1: cells");
    EXPECT_REFUSED(reading(replaced("\"entrance\":[0,", "\"entrance\":[1e308,"))(), "elite 1: entrance");
    EXPECT_REFUSED(reading(replaced("\"exit_path\":", "\"exit_path\":1"))(), "measures.exit_path");
    EXPECT_REFUSED(reading(replaced("\"step\":4.0", "\"step\":8.0"))(),
                   "axis path: cells is 16, but its steps make 8");
    EXPECT_REFUSED(reading(replaced("\"low\":0.0,\"high\":64.0", "\"low\":64.0,\"high\":128.0"))(),
                   "does not lie in cell");
    EXPECT_REFUSED(reading(replaced("\"name\":\"path\"", "\"name\":\"beauty\""))(), "'beauty'");
    // Other programs write numbers in other ways and leave out what they don't need.
    EXPECT_NO_THROW(reading(replaced("\"exit_members\":0.0", "\"exit_members\":0"))());
    EXPECT_NO_THROW(reading(replaced("\"entrance\":", "\"mark\":"))());
    // Cut anywhere, it is refused as bad input and nothing else.
    for (std::size_t end = 0; end < text.size(); end += 97)
        EXPECT_THROW((void)read_gallery(std::string_view{text}.substr(0, end), "cut"), InvalidInput);
}

TEST(Spread, TakesTheFarthestAgainAndAgain) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const MeasuredGallery gallery = random_gallery(seed, 400);
        const std::vector<GalleryValue> character{value_named(gallery, "path", "t"),
                                                  value_named(gallery, "open", "t")};
        const auto looks = appearances(gallery, character, false);
        const auto distance = [&](std::size_t a, std::size_t b) {
            return cells_apart(looks[a], looks[b]) + character_apart(looks[a], looks[b]);
        };
        const Spread spread = farthest_apart(looks, {.count = 12, .first = 3});
        ASSERT_EQ(spread.chosen.size(), 12U);
        EXPECT_EQ(spread.chosen.front(), 3U);
        const auto to_nearest = [&](std::size_t i, std::size_t among) {
            double nearest = 9.0;
            for (std::size_t k = 0; k < among; ++k)
                nearest = std::min(nearest, distance(i, spread.chosen[k]));
            return nearest;
        };
        for (std::size_t k = 1; k < spread.chosen.size(); ++k)
            for (std::size_t i = 0; i < looks.size(); ++i)
                EXPECT_LE(to_nearest(i, k), to_nearest(spread.chosen[k], k));
        double least = 1.0;
        for (std::size_t a = 0; a < 12; ++a)
            for (std::size_t b = 0; b < a; ++b)
                least = std::min(least, cells_apart(looks[spread.chosen[a]], looks[spread.chosen[b]]));
        EXPECT_EQ(spread.least_apart, least);
    }
}

TEST(Spread, KeepsThoseApartThatHaveToBe) {
    const MeasuredGallery gallery = random_gallery(11, 500);
    for (const bool turned : {false, true}) {
        const auto looks = appearances(gallery, {}, turned);
        const Spread spread = farthest_apart(looks, {.count = looks.size(), .apart = 0.3});
        EXPECT_GE(spread.least_apart, 0.3);
        ASSERT_GT(spread.chosen.size(), 1U);
        EXPECT_LT(spread.chosen.size(), looks.size());
        // Nobody who was left out would have fitted in.
        for (std::size_t i = 0; i < looks.size(); ++i) {
            if (std::ranges::find(spread.chosen, i) != spread.chosen.end()) continue;
            EXPECT_TRUE(std::ranges::any_of(
                spread.chosen, [&](std::size_t other) { return cells_apart(looks[i], looks[other]) < 0.3; }));
        }
    }
}

TEST(Spread, KnowsAMazeThatIsMirroredOrTurned) {
    const MeasuredGallery gallery = random_gallery(5, 40);
    const ArtefactPtr maze = gallery.artefact(gallery.elites.front());
    const auto ways = maze->turned_cells();
    ASSERT_EQ(ways.size(), 8U);
    EXPECT_EQ(ways.front(), maze->cells());
    const Appearance itself{.cells = ways};
    for (const auto& way : ways) {
        const Appearance turned{.cells = {way}};
        EXPECT_EQ(cells_apart(itself, turned), 0.0);
    }
}

TEST(Spread, RanksDoNotDependOnUnits) {
    EXPECT_EQ(by_rank({10, 30, 20, 30}), by_rank({1, 1e6, 2, 1e6}));
    EXPECT_EQ(by_rank({5, 5, 5}), (std::vector<double>{0.5, 0.5, 0.5}));
    const auto ranks = by_rank({3, 1, 2});
    EXPECT_LT(ranks[1], ranks[2]);
    EXPECT_LT(ranks[2], ranks[0]);
}

} // namespace
} // namespace knossos::gallery_test
