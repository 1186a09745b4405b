#include "maze_ways_reference.hpp"
#include "support.hpp"

#include <knossos/maze/measures.hpp>

#include <gtest/gtest.h>

#include <set>

namespace knossos::maze::measures_test {
namespace {

Level random_level(std::uint64_t seed) {
    Stream stream = test::stream_for(seed);
    return reference::random_level(stream, seed % 16 == 0 ? 64 : 2 + static_cast<std::uint32_t>(seed % 24),
                                   seed % 3 == 0);
}

TEST(MazeMeasures, AgreeWithThePlainOnes) {
    Surveyor surveyor;
    for (std::uint64_t seed = 0; seed < test::seeds(1500); ++seed) {
        const Level level = random_level(seed);
        const Measures measures = surveyor.measure(level);
        const Measures plain = reference::measure_all(level, measures);
        for (const MeasureInfo& row : measure_table())
            ASSERT_EQ(value_of(measures, row.measure), value_of(plain, row.measure))
                << row.name << ", seed " << seed << "\n"
                << to_text(level);
        ASSERT_EQ(measures, plain);
        ASSERT_EQ(surveyor.fitness_values(level), reference::fitness_values(level));
        ASSERT_EQ(surveyor.exit_path(level), plain.exit_path);
    }
}

Cell mirrored(const Grid& grid, Cell cell, unsigned axes) {
    return {(axes & 1U) != 0 ? grid.width() - 1 - cell.x : cell.x,
            (axes & 2U) != 0 ? grid.height() - 1 - cell.y : cell.y};
}

// Left and right (1), top and bottom (2), or both change sides; walls lie between the images of their cells.
Level mirrored(const Level& level, unsigned axes) {
    const Grid& grid = level.grid;
    Level image{.grid = Grid{grid.width(), grid.height()}, .entrance = {}, .exit = {}};
    if (grid.has_walls()) image.grid.add_walls();
    for (std::size_t i = 0; i < grid.area(); ++i) {
        const Cell cell = grid.cell(i);
        image.grid.set_rock(mirrored(grid, cell, axes), grid.is_rock(cell));
        if (!grid.has_walls()) continue;
        if (cell.x + 1 < grid.width()) {
            const Cell other = mirrored(grid, {cell.x + 1, cell.y}, axes);
            const Cell own = mirrored(grid, cell, axes);
            image.grid.set_wall_east(own.x < other.x ? own : other, grid.wall_east(cell));
        }
        if (cell.y + 1 < grid.height()) {
            const Cell other = mirrored(grid, {cell.x, cell.y + 1}, axes);
            const Cell own = mirrored(grid, cell, axes);
            image.grid.set_wall_south(own.y < other.y ? own : other, grid.wall_south(cell));
        }
    }
    image.entrance = mirrored(grid, level.entrance, axes);
    image.exit = mirrored(grid, level.exit, axes);
    for (const Cell cell : level.checkpoints) image.checkpoints.push_back(mirrored(grid, cell, axes));
    return image;
}

// Which of several shortest ways is shown depends on directions.
Measures without_the_way(Measures measures) {
    measures.straights = measures.turns = 0;
    return measures;
}

TEST(MazeMeasures, MirrorImagesMeasureTheSame) {
    Surveyor surveyor;
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        const Level level = random_level(seed);
        for (const unsigned axes : {1U, 2U, 3U})
            ASSERT_EQ(without_the_way(surveyor.measure(mirrored(level, axes))),
                      without_the_way(surveyor.measure(level)))
                << "seed " << seed << "\n"
                << to_text(level.grid);
    }
}

TEST(MazeMeasures, OnePassOverPredecessorsFindsTheMembersOfTheDefinition) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Level level = random_level(seed);
        ASSERT_EQ(reference::fitness_values_in_one_pass(level), reference::fitness_values(level));
    }
}

TEST(MazeMeasures, LargeGridsUseWideDistances) {
    // A snake through more cells than 16 bits can number.
    Level level{.grid = Grid{301, 301}, .entrance = {0, 0}, .exit = {300, 300}, .checkpoints = {{300, 0}}};
    for (std::uint32_t y = 1; y < 301; y += 2)
        for (std::uint32_t x = 0; x < 301; ++x) level.grid.set_rock({x, y}, x != (y % 4 == 1 ? 300U : 0U));
    const Measures measures = measure(level);
    EXPECT_EQ(measures.exit_path, 151 * 300 + 300);
    EXPECT_EQ(measures.exit_members, 1U);
    EXPECT_EQ(measures.shortest_paths, 1U);
    EXPECT_EQ(measures.loops, 0U);
}

TEST(MazeMeasures, CountOfShortestPathsSaturates) {
    Level level{.grid = Grid{64, 64}, .entrance = {0, 0}, .exit = {63, 63}};
    EXPECT_EQ(measure(level).shortest_paths, ~std::uint64_t{0});
    level.exit = {10, 10};
    EXPECT_EQ(measure(level).shortest_paths, 184756U); // 20 over 10
}

TEST(MazeMeasures, SurveyAgreesCellByCell) {
    Surveyor surveyor;
    for (std::uint64_t seed = 0; seed < test::seeds(400); ++seed) {
        const Level level = random_level(seed);
        const Survey survey = surveyor.survey(level);
        const std::vector<int> distance = reference::distances(level.grid, level.entrance);
        const std::vector<std::uint64_t> members = reference::members(level, distance);
        ASSERT_EQ(survey.distance, (std::vector<std::int32_t>{distance.begin(), distance.end()}));
        ASSERT_EQ(survey.members, members);
        ASSERT_EQ(survey.pocket, reference::pockets(level.grid, distance));
        ASSERT_EQ(survey.measures, reference::measure_all(level, survey.measures));
        std::vector<Cell> culs_de_sac;
        for (std::size_t i = 0; i < level.grid.area(); ++i)
            if (reference::is_cul_de_sac(level.grid, distance, level.grid.cell(i)))
                culs_de_sac.push_back(level.grid.cell(i));
        ASSERT_EQ(survey.culs_de_sac, culs_de_sac);
        for (std::size_t i = 0; i < level.checkpoints.size(); ++i) {
            for (std::size_t j = 0; j < level.checkpoints.size(); ++j) {
                if (i == j) continue;
                ASSERT_EQ(survey.prc(i, j), reference::prc(distance, members, i, j));
                ASSERT_EQ(survey.iprc(i, j), reference::iprc(distance, members, i, j));
            }
        }
    }
}

TEST(MazeMeasures, WitnessesAreTheNearestReconvergences) {
    std::size_t isolated = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const Level level = random_level(seed);
        const Survey survey = maze::survey(level);
        for (std::size_t i = 0; i < level.checkpoints.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                const std::vector<Cell> witnesses = survey.witnesses(i, j);
                ASSERT_EQ(witnesses.empty(), survey.prc(i, j) == 0);
                const std::uint64_t both = std::uint64_t{1} << i | std::uint64_t{1} << j;
                bool alone = false;
                for (const Cell witness : witnesses) {
                    const std::size_t index = level.grid.index(witness);
                    ASSERT_EQ(survey.distance[index], static_cast<std::int32_t>(survey.prc(i, j)));
                    ASSERT_EQ(survey.members[index] & both, both);
                    alone = alone || survey.members[index] == both;
                }
                ASSERT_EQ(alone, survey.iprc(i, j) != 0);
                isolated += alone ? 1U : 0U;
            }
        }
    }
    EXPECT_GT(isolated, 100U);
}

TEST(MazeMeasures, PathIsShortestAndWalkable) {
    std::size_t walked = 0;
    for (std::uint64_t seed = 0; seed < test::seeds(400); ++seed) {
        const Level level = random_level(seed);
        const Survey survey = maze::survey(level);
        ASSERT_EQ(static_cast<std::int32_t>(survey.path.size()) - 1, survey.measures.exit_path);
        if (survey.path.empty()) continue;
        ++walked;
        ASSERT_EQ(survey.path, reference::shown_way(level, reference::distances(level.grid, level.entrance)));
        ASSERT_EQ(survey.path.front(), level.entrance);
        ASSERT_EQ(survey.path.back(), level.exit);
        for (std::size_t i = 1; i < survey.path.size(); ++i) {
            const auto steps = reference::steps_from(level.grid, survey.path[i - 1]);
            ASSERT_NE(std::ranges::find(steps, survey.path[i]), steps.end());
        }
    }
    EXPECT_GT(walked, test::seeds(100));
}

// Rock that can't be reached from outside by king's moves is what one can walk around.
TEST(MazeMeasures, LoopsAreIslandsOfRock) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Stream stream = test::stream_for(seed);
        const Level level = reference::random_level(stream, 16, false);
        const Survey survey = maze::survey(level);
        if (survey.measures.reachable_cells == 0) continue;
        const auto width = static_cast<int>(level.grid.width());
        const auto height = static_cast<int>(level.grid.height());
        std::set<std::pair<int, int>> left;
        for (int y = -1; y <= height; ++y)
            for (int x = -1; x <= width; ++x)
                if (x < 0 || y < 0 || x == width || y == height ||
                    survey.distance[static_cast<std::size_t>(y * width + x)] < 0)
                    left.insert({x, y});
        std::uint32_t islands = 0;
        while (!left.empty()) {
            ++islands;
            std::vector<std::pair<int, int>> stack{*left.begin()};
            left.erase(left.begin());
            while (!stack.empty()) {
                const auto [x, y] = stack.back();
                stack.pop_back();
                for (int dy = -1; dy <= 1; ++dy)
                    for (int dx = -1; dx <= 1; ++dx)
                        if (left.erase({x + dx, y + dy}) != 0) stack.emplace_back(x + dx, y + dy);
            }
        }
        ASSERT_EQ(survey.measures.loops, islands - 1) << to_text(level);
    }
}

TEST(MazeMeasures, WorkedExample) {
    const Level level = parse_level("E..#...\n"
                                    ".#.#.#.\n"
                                    "C#.C.#.\n"
                                    ".#.#.##\n"
                                    ".....#X\n");
    const Survey survey = maze::survey(level);
    const Measures& measures = survey.measures;
    EXPECT_EQ(measures.exit_path, -1);
    EXPECT_EQ(measures.pockets, 1U);
    EXPECT_EQ(measures.pocket_cells, 1U);
    EXPECT_EQ(measures.exit_members, 0U);
    // The way down the left side and the one through the middle are equally long to (4, 4).
    EXPECT_EQ(survey.distance[level.grid.index({3, 2})], 5);
    EXPECT_EQ(survey.prc(0, 1), 8U);
    EXPECT_EQ(survey.iprc(0, 1), 8U);
    EXPECT_EQ(survey.witnesses(0, 1), (std::vector<Cell>{{4, 4}}));
    EXPECT_EQ(survey.culs_de_sac, (std::vector<Cell>{{6, 2}, {4, 4}}));
    EXPECT_EQ(measures.cul_de_sac_length, 20U);
    EXPECT_EQ(measures.loops, 2U);
    EXPECT_EQ(measures.dead_ends, 1U);
}

TEST(MazeMeasures, SealingLeavesNoPocketsAndChangesNothingElse) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Level level = random_level(seed);
        const Level sealed = with_pockets_sealed(level);
        const Measures before = measure(level);
        const Measures after = measure(sealed);
        // Only an exit that nobody reaches is left, if it was open.
        const bool cut_off = before.exit_path < 0 && !level.grid.is_rock(level.exit);
        ASSERT_EQ(after.pocket_cells, cut_off ? 1U : 0U);
        ASSERT_EQ(after.reachable_cells, before.reachable_cells);
        ASSERT_EQ(after.exit_path, before.exit_path);
        ASSERT_EQ(after.reconvergence, before.reconvergence);
        ASSERT_EQ(after.culs_de_sac, before.culs_de_sac);
    }
}

TEST(MazeMeasures, WallsDrawnAsRockDoubleEveryDistance) {
    for (std::uint64_t seed = 0; seed < 300; seed += 3) {
        Stream stream = test::stream_for(seed);
        const Level level = reference::random_level(stream, 20, true);
        const Level drawn = with_walls_as_rock(level);
        const Measures thin = measure(level);
        const Measures thick = measure(drawn);
        ASSERT_EQ(thick.exit_path, thin.exit_path < 0 ? -1 : 2 * thin.exit_path);
        ASSERT_EQ(thick.exit_members, thin.exit_members);
        ASSERT_EQ(thick.reconvergence, 2 * thin.reconvergence);
        ASSERT_EQ(thick.shortest_paths, thin.shortest_paths);
        ASSERT_EQ(thick.pockets, thin.pockets);
    }
}

TEST(MazeMeasures, NamesAreFoundInEitherSpelling) {
    EXPECT_EQ(find_measure("exit_path"), Measure::exit_path);
    EXPECT_EQ(find_measure("culs-de-sac"), Measure::culs_de_sac);
    EXPECT_EQ(find_measure("path"), Measure::exit_path);
    EXPECT_EQ(find_measure("density"), Measure::wall_density);
    EXPECT_EQ(find_measure("happiness"), std::nullopt);
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < measure_table().size(); ++i) {
        const MeasureInfo& row = measure_table()[i];
        EXPECT_EQ(static_cast<std::size_t>(row.measure), i);
        EXPECT_TRUE(names.insert(row.name).second);
        EXPECT_EQ(find_measure(row.short_name), row.measure) << row.short_name;
    }
}

TEST(MazeMeasures, PlacesOffTheGridAreRefused) {
    const auto refuse = [](Level level, std::initializer_list<std::string_view> words) {
        test::expect_mentions(test::message_of([&] { measure(level); }), words);
    };
    refuse({.grid = Grid{4, 3}, .entrance = {4, 0}, .exit = {0, 0}}, {"entrance", "(4, 0)", "0..3", "0..2"});
    refuse({.grid = Grid{4, 3}, .entrance = {0, 0}, .exit = {0, 3}}, {"exit", "(0, 3)"});
    refuse({.grid = Grid{4, 3}, .entrance = {0, 0}, .exit = {0, 0}, .checkpoints = {{1, 1}, {9, 9}}},
           {"checkpoint 2", "(9, 9)"});
    refuse({.grid = Grid{4, 3}, .entrance = {0, 0}, .exit = {0, 0}, .checkpoints = {{1, 1}, {2, 1}, {1, 1}}},
           {"checkpoints 1 and 3", "(1, 1)"});
    Level many{.grid = Grid{9, 9}, .entrance = {0, 0}, .exit = {0, 0}};
    for (std::size_t i = 0; i < 65; ++i) many.checkpoints.push_back(many.grid.cell(i));
    refuse(many, {"65 checkpoints", "64"});
}

TEST(MazeMeasures, SealingLeavesAnExitOutOfReachOpen) {
    const Level sealed = with_pockets_sealed(parse_level("E#.\n##.\n..X\n"));
    EXPECT_EQ(to_text(sealed.grid), ".##\n###\n##.\n");
}

} // namespace
} // namespace knossos::maze::measures_test
