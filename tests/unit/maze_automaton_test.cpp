#include "maze_reference.hpp"
#include "support.hpp"

#include <knossos/maze/automaton.hpp>

#include <gtest/gtest.h>

namespace knossos::maze::automaton_test {
namespace {

Grid stepped_plainly(AutomatonRules rules, const Grid& grid) {
    Grid next = grid;
    const auto rock_at = [&](std::int64_t x, std::int64_t y) {
        if (x < 0 || y < 0 || x >= grid.width() || y >= grid.height()) return true;
        return grid.is_rock({static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)});
    };
    for (std::size_t i = 0; i < grid.area(); ++i) {
        const Cell cell = grid.cell(i);
        unsigned neighbours = 0;
        for (std::int64_t dy = -1; dy <= 1; ++dy)
            for (std::int64_t dx = -1; dx <= 1; ++dx)
                if ((dx != 0 || dy != 0) && rock_at(cell.x + dx, cell.y + dy)) ++neighbours;
        const unsigned bit = grid.is_rock(cell) ? 9 + neighbours : neighbours;
        if ((rules.bits >> bit & 1U) != 0) next.set_rock(cell, !grid.is_rock(cell));
    }
    return next;
}

Grid random_grid(Stream& stream, std::uint32_t width, std::uint32_t height) {
    Grid grid{width, height};
    const double density = stream.real();
    for (std::size_t i = 0; i < grid.area(); ++i) grid.set_rock(grid.cell(i), stream.chance(density));
    return grid;
}

TEST(MazeAutomaton, AgreesWithThePlainOneStepByStep) {
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        Stream stream = test::stream_for(seed);
        const std::uint32_t width = 1 + stream.below(seed % 2 == 0 ? 40 : 200);
        Grid plain = random_grid(stream, width, 1 + stream.below(40));
        const Grid start = plain;
        const AutomatonRules rules{stream.below(1U << 18)};
        for (std::uint32_t steps = 0; steps < 6; ++steps) {
            Grid fast = start;
            run_automaton(rules, steps, fast);
            ASSERT_EQ(fast, plain) << "seed " << seed << ", width " << width << ", steps " << steps;
            plain = stepped_plainly(rules, plain);
        }
    }
}

TEST(MazeAutomaton, WidthsAtTheEdgesOfWords) {
    for (const std::uint32_t width : {1U, 29U, 30U, 31U, 61U, 62U, 63U, 64U, 65U, 127U, 128U, 129U}) {
        Stream stream = test::stream_for(width);
        Grid plain = random_grid(stream, width, 9);
        Grid fast = plain;
        const AutomatonRules rules{0b000'001'111'111'110'000}; // rocky caves
        run_automaton(rules, 7, fast);
        for (int step = 0; step < 7; ++step) plain = stepped_plainly(rules, plain);
        ASSERT_EQ(fast, plain) << width;
    }
}

TEST(MazeAutomaton, RulesThatSetNothingChangeNothing) {
    Stream stream = test::stream_for(3);
    Grid grid = random_grid(stream, 20, 20);
    const Grid before = grid;
    run_automaton({0}, 50, grid);
    EXPECT_EQ(grid, before);
}

TEST(MazeAutomaton, BorderCountsAsRock) {
    Grid grid{3, 3};
    run_automaton({1U << 5}, 1, grid); // an open cell in a corner has five neighbours off the grid
    EXPECT_EQ(to_text(grid), "#.#\n...\n#.#\n");
}

} // namespace
} // namespace knossos::maze::automaton_test
