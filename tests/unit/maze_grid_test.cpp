#include "maze_reference.hpp"
#include "support.hpp"

#include <knossos/maze/grid.hpp>
#include <knossos/maze/representation.hpp>

#include <gtest/gtest.h>

namespace knossos::maze::grid_test {
namespace {

TEST(MazeGrid, TextComesBackAsItWas) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        Stream stream = test::stream_for(seed);
        const Level level = reference::random_level(stream, 130, false);
        const std::string text = to_text(level.grid);
        ASSERT_EQ(parse_grid(text), level.grid);
        ASSERT_EQ(to_text(parse_grid(text)), text);
    }
}

TEST(MazeGrid, LevelsComeBackWithTheirPlaces) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Stream stream = test::stream_for(seed);
        Level level = reference::random_level(stream, 20, false);
        level.grid.set_rock(level.entrance, false);
        level.grid.set_rock(level.exit, false);
        std::ranges::sort(level.checkpoints, {}, [&](Cell cell) { return level.grid.index(cell); });
        ASSERT_EQ(parse_level(to_text(level)), level);
    }
}

TEST(MazeGrid, PlacesWithoutMarksAreTheCorners) {
    const Level level = parse_level("..#\n#.#\n#..\n");
    EXPECT_EQ(level.entrance, (Cell{0, 0}));
    EXPECT_EQ(level.exit, (Cell{2, 2}));
}

TEST(MazeGrid, CarriageReturnsAndTrailingNewlinesAreNoMatter) {
    EXPECT_EQ(parse_grid("#.\r\n.#\r\n\r\n"), parse_grid("#.\n.#"));
}

TEST(MazeGrid, DrawingsThatAreNoneAreRefusedWithLineAndColumn) {
    const auto refuse = [](std::string_view text, std::initializer_list<std::string_view> words) {
        test::expect_mentions(test::message_of([&] { parse_grid(text, "cave.txt"); }), words);
    };
    refuse("", {"cave.txt:1:1", "no level"});
    refuse("\n\n", {"cave.txt:1:1"});
    refuse("..#\n.?#\n...\n", {"cave.txt:2:2", "'?'"});
    refuse("..#\n.#\n", {"cave.txt:2:3", "2 cells", "3"});
    refuse("..\n...\n", {"cave.txt:2:3", "3 cells", "2"});
    refuse("..\n\n..\n", {"cave.txt:2:1", "0 cells"});
    refuse("..\n.\t\n", {"cave.txt:2:2", "0x09"});
    refuse(std::string(2048, '.'), {"cave.txt:1:2048", "2047"});
    test::expect_mentions(test::message_of([&] { parse_level("E.\n.E\n", "a"); }),
                          {"a:2:2", "second entrance", "(0, 0)"});
    test::expect_mentions(test::message_of([&] { parse_level("X.\n.X\n", "a"); }), {"a:2:2", "second exit"});
    test::expect_mentions(test::message_of([&] { parse_level(std::string(65, 'C')); }), {"65 checkpoints"});
}

TEST(MazeGrid, SizesOutOfRangeAreRefused) {
    test::expect_mentions(test::message_of([] { Grid{0, 4}; }), {"0×4"});
    test::expect_mentions(test::message_of([] { Grid{4, 2048}; }), {"4×2048", "2047"});
}

TEST(MazeGrid, RockIsReadFromBitsInReadingOrder) {
    for (const std::uint32_t width : {1U, 7U, 31U, 32U, 63U, 64U, 65U, 127U, 128U, 129U, 200U})
        for (const std::uint32_t height : {1U, 2U, 5U}) {
            const Space space = Space::bits(std::size_t{width} * height);
            Stream stream = test::stream_for(width, height);
            const test::Individual genome{space, stream};
            Grid grid{3, 3};
            rock_from_bits(view_as<BitView>(space, genome.bytes()), width, height, grid);
            Grid plain{width, height};
            for (std::size_t i = 0; i < space.length; ++i)
                plain.set_rock(plain.cell(i), view_as<BitView>(space, genome.bytes())[i]);
            ASSERT_EQ(grid, plain) << width << " by " << height;
        }
}

TEST(MazeGrid, StepsNeedTwoOpenCellsAndNoWall) {
    Grid grid{2, 2};
    EXPECT_TRUE(grid.steps({0, 0}, Direction::east));
    EXPECT_FALSE(grid.steps({0, 0}, Direction::north));
    EXPECT_FALSE(grid.steps({1, 1}, Direction::south));
    grid.add_walls();
    grid.set_wall_east({0, 0}, true);
    grid.set_wall_south({0, 0}, true);
    EXPECT_FALSE(grid.steps({0, 0}, Direction::east));
    EXPECT_FALSE(grid.steps({1, 0}, Direction::west));
    EXPECT_FALSE(grid.steps({0, 1}, Direction::north));
    EXPECT_TRUE(grid.steps({1, 0}, Direction::south));
    grid.set_rock({1, 1}, true);
    EXPECT_FALSE(grid.steps({1, 0}, Direction::south));
    EXPECT_EQ(grid.rock_cells(), 1U);
}

TEST(MazeGrid, ResetForgetsRockAndWalls) {
    Grid grid{5, 5, true};
    EXPECT_EQ(grid.rock_cells(), 25U);
    grid.add_walls();
    grid.reset(70, 3);
    EXPECT_EQ(grid, (Grid{70, 3}));
    grid.reset(70, 3, true);
    EXPECT_EQ(grid.rock_cells(), 210U);
}

} // namespace
} // namespace knossos::maze::grid_test
