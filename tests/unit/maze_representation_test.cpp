#include "support.hpp"

#include <knossos/core/problem.hpp>
#include <knossos/maze/measures.hpp>
#include <knossos/maze/problem.hpp>
#include <knossos/maze/representation.hpp>

#include <gtest/gtest.h>

namespace knossos::maze::representation_test {
namespace {

constexpr Symmetry symmetries[] = {Symmetry::none, Symmetry::left_right, Symmetry::top_bottom,
                                   Symmetry::both, Symmetry::rotation,   Symmetry::quarter_rotation};

Cell image_under(Symmetry symmetry, const Grid& grid, Cell cell) {
    const std::uint32_t right = grid.width() - 1;
    const std::uint32_t bottom = grid.height() - 1;
    switch (symmetry) {
    case Symmetry::left_right:
        return {right - cell.x, cell.y};
    case Symmetry::top_bottom:
        return {cell.x, bottom - cell.y};
    case Symmetry::both:
    case Symmetry::rotation:
        return {right - cell.x, bottom - cell.y};
    case Symmetry::quarter_rotation:
        return {right - cell.y, cell.x};
    default:
        return cell;
    }
}

void expect_alike(const Grid& grid, Symmetry symmetry) {
    for (std::size_t i = 0; i < grid.area(); ++i) {
        const Cell cell = grid.cell(i);
        ASSERT_EQ(grid.is_rock(cell), grid.is_rock(image_under(symmetry, grid, cell))) << to_text(grid);
        if (symmetry == Symmetry::both) {
            ASSERT_EQ(grid.is_rock(cell), grid.is_rock(image_under(Symmetry::left_right, grid, cell)));
        }
    }
    if (!grid.has_walls()) return;
    const Level level{.grid = grid};
    const Level drawn = with_walls_as_rock(level);
    Grid without_walls = drawn.grid;
    for (std::size_t i = 0; i < without_walls.area(); ++i) {
        const Cell cell = without_walls.cell(i);
        ASSERT_EQ(without_walls.is_rock(cell),
                  without_walls.is_rock(image_under(symmetry, without_walls, cell)));
    }
}

// A layout that can be met: random locks that are left out where they would contradict what is there.
Layout random_layout(std::uint64_t seed) {
    Stream stream = test::stream_for(seed, 3);
    Layout layout{.width = 2 + stream.below(30), .height = 2 + stream.below(30)};
    layout.symmetry = symmetries[seed % 6];
    if (layout.symmetry == Symmetry::quarter_rotation) layout.height = layout.width;
    layout.entrance = {stream.below(layout.width), stream.below(layout.height)};
    layout.exit = {stream.below(layout.width), stream.below(layout.height)};
    for (std::uint32_t i = stream.below(40); i > 0; --i) {
        layout.locks.push_back(
            {{stream.below(layout.width), stream.below(layout.height)}, stream.chance(0.5)});
        try {
            Blueprint{layout};
        } catch (const InvalidInput&) {
            layout.locks.pop_back();
        }
    }
    return layout;
}

void expect_constraints(const Layout& layout, const Grid& grid) {
    ASSERT_FALSE(grid.is_rock(layout.entrance));
    ASSERT_FALSE(grid.is_rock(layout.exit));
    for (const Lock& lock : layout.locks) ASSERT_EQ(grid.is_rock(lock.cell), lock.rock);
    expect_alike(grid, layout.symmetry);
}

template <class Representation>
void expect_constraints_hold(Representation (*make)(Layout)) {
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        const Layout layout = random_layout(seed);
        const MazeProblem<Representation> problem{make(layout)};
        Stream stream = test::stream_for(seed);
        test::Individual sparse{problem.space()};
        Problem{problem}.initialise(stream, sparse.bytes());
        ASSERT_TRUE(sparse.valid());
        expect_constraints(layout, problem.level(sparse.bytes()).grid);
        // Whatever variation makes of a genome.
        test::Individual any{problem.space(), stream};
        expect_constraints(layout, problem.level(any.bytes()).grid);
        if (testing::Test::HasFatalFailure()) {
            ADD_FAILURE() << "first seed that fails: " << seed;
            return;
        }
    }
}

TEST(MazeRepresentation, ConstraintsHoldInDirectMazes) {
    expect_constraints_hold<Direct>([](Layout layout) { return Direct{Blueprint{std::move(layout)}}; });
}
TEST(MazeRepresentation, ConstraintsHoldInChromaticMazes) {
    expect_constraints_hold<Chromatic>([](Layout layout) { return Chromatic{Blueprint{std::move(layout)}}; });
}
TEST(MazeRepresentation, ConstraintsHoldInPositiveMazes) {
    expect_constraints_hold<Positive>([](Layout layout) { return Positive{Blueprint{std::move(layout)}}; });
}
TEST(MazeRepresentation, ConstraintsHoldInNegativeMazes) {
    expect_constraints_hold<Negative>([](Layout layout) { return Negative{Blueprint{std::move(layout)}}; });
}
TEST(MazeRepresentation, ConstraintsHoldInAutomatonMazes) {
    expect_constraints_hold<Automaton>([](Layout layout) { return Automaton{Blueprint{std::move(layout)}}; });
}

TEST(MazeRepresentation, RepairedDirectGenomesAreTheirMazes) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Direct direct{Blueprint{random_layout(seed)}};
        Stream stream = test::stream_for(seed);
        test::Individual maze{direct.space(), stream};
        const Bits bits = view_as<Bits>(maze.space(), maze.bytes());
        direct.repair(bits);
        const test::Individual once = maze;
        direct.repair(bits);
        ASSERT_EQ(maze, once);
        ASSERT_TRUE(maze.valid());
        Grid grid;
        direct.decode(bits, grid);
        for (std::size_t i = 0; i < grid.area(); ++i) ASSERT_EQ(bits[i], grid.is_rock(grid.cell(i)));
    }
}

TEST(MazeRepresentation, SparseStartsAreSparse) {
    const Layout layout = Layout::of_size(40, 40);
    std::uint64_t rock = 0;
    std::vector<std::uint64_t> colours(6);
    for (std::uint32_t seed = 0; seed < 50; ++seed) {
        Stream stream = test::stream_for(seed);
        const Direct direct{Blueprint{layout}};
        test::Individual maze{direct.space()};
        direct.initialise(stream, view_as<Bits>(maze.space(), maze.bytes()));
        for (const std::uint32_t gene : maze.genes()) rock += gene;
        const Chromatic chromatic{Blueprint{layout}};
        test::Individual painted{chromatic.space()};
        chromatic.initialise(stream, view_as<Integers<std::uint8_t>>(painted.space(), painted.bytes()));
        for (const std::uint32_t gene : painted.genes()) ++colours[gene];
        const Positive positive{Blueprint{layout}};
        test::Individual barriers{positive.space()};
        positive.initialise(stream, view_as<Integers<std::uint16_t>>(barriers.space(), barriers.bytes()));
        for (std::size_t i = 0; i < barriers.genes().size(); i += 2) {
            ASSERT_GE(barriers.genes()[i] / 16, 1U);
            ASSERT_LE(barriers.genes()[i] / 16, 3U);
        }
    }
    test::expect_rate(rock, 50 * 1598, 0.05); // entrance and exit are never rock
    EXPECT_EQ(colours[2] + colours[3], 50U * 1600U);
    test::expect_rate(colours[2], 50U * 1600U, 0.5);
}

TEST(MazeRepresentation, ChromaticStepsLeadToEqualOrAdjacentColours) {
    const Chromatic chromatic{Blueprint{Layout::of_size(3, 2)}};
    // R O Y
    // V V G
    const test::Individual painted{chromatic.space(), test::GeneList{0, 1, 2, 5, 5, 3}};
    Grid grid;
    chromatic.decode(view_as<IntegerView<std::uint8_t>>(painted.space(), painted.bytes()), grid);
    EXPECT_TRUE(grid.steps({0, 0}, Direction::east));
    EXPECT_TRUE(grid.steps({1, 0}, Direction::east));
    EXPECT_FALSE(grid.steps({0, 0}, Direction::south)); // no wrap from violet to red
    EXPECT_FALSE(grid.steps({1, 0}, Direction::south));
    EXPECT_TRUE(grid.steps({2, 0}, Direction::south));
    EXPECT_TRUE(grid.steps({0, 1}, Direction::east));
    EXPECT_FALSE(grid.steps({1, 1}, Direction::east));
    EXPECT_EQ(grid.rock_cells(), 0U);
}

std::string drawn_positively(const test::GeneList& genes, double cap = 1.0) {
    const Positive positive{Blueprint{Layout::of_size(6, 4)}, static_cast<std::uint32_t>(genes.size() / 2),
                            cap};
    const test::Individual barriers{positive.space(), genes};
    Grid grid;
    positive.decode(view_as<IntegerView<std::uint16_t>>(barriers.space(), barriers.bytes()), grid);
    return to_text(grid);
}

TEST(MazeRepresentation, PositiveBarriersAreDrawnAsTheirIntegersSay) {
    constexpr std::uint32_t east = 2 * 2;
    constexpr std::uint32_t south = 4 * 2;
    constexpr std::uint32_t penetrating = 1;
    const auto at = [](std::uint32_t x, std::uint32_t y) { return y * 6 + x; };
    EXPECT_EQ(drawn_positively({3 * 16 + east, at(1, 1)}), "......\n.###..\n......\n......\n");
    EXPECT_EQ(drawn_positively({100 * 16 + east, at(3, 2)}), "......\n......\n...###\n......\n");
    EXPECT_EQ(drawn_positively({3 * 16 + east, at(1, 1), 9 * 16 + south, at(2, 0)}),
              "..#...\n.###..\n......\n......\n");
    EXPECT_EQ(drawn_positively({3 * 16 + east, at(1, 1), 9 * 16 + south + penetrating, at(2, 0)}),
              "..#...\n.###..\n..#...\n..#...\n");
    EXPECT_EQ(drawn_positively({2 * 16 + 7 * 2, at(1, 1)}),
              "......\n.#....\n......\n......\n"); // entrance stays
    EXPECT_EQ(drawn_positively({3 * 16 + 1 * 2, at(1, 3)}), "......\n...#..\n..#...\n.#....\n");
    // A second integer past the grid wraps round.
    EXPECT_EQ(drawn_positively({1 * 16, 24 + at(1, 1)}), "......\n.#....\n......\n......\n");
    // No more than a quarter of the cells.
    EXPECT_EQ(drawn_positively({5 * 16 + east, at(1, 1), 5 * 16 + east, at(1, 2)}, 0.25),
              "......\n.#####\n.#....\n......\n");
}

TEST(MazeRepresentation, NegativeDiggingsAreDugAsTheirIntegersSay) {
    const auto dug = [](const test::GeneList& genes) {
        const Negative negative{Blueprint{Layout::of_size(12, 9)},
                                static_cast<std::uint32_t>(genes.size() / 2)};
        const test::Individual diggings{negative.space(), genes};
        Grid grid;
        negative.decode(view_as<IntegerView<std::uint16_t>>(diggings.space(), diggings.bytes()), grid);
        return grid;
    };
    const std::size_t rooms = 32;
    EXPECT_EQ(dug({0, 40}).rock_cells(), 108 - rooms);
    const Grid corridor = dug({1 + 4 * 5, 2 * 12 + 6}); // to the south, 5 mod 9 cells
    EXPECT_EQ(corridor.rock_cells(), 108 - rooms - 5);
    for (std::uint32_t y = 2; y < 7; ++y) EXPECT_FALSE(corridor.is_rock({6, y}));
    const Grid across = dug({2 + 4 * (12 + 3), 6}); // to the east, 15 mod 12 cells
    EXPECT_EQ(across.rock_cells(), 108 - rooms - 3);
    for (std::uint32_t x = 6; x < 9; ++x) EXPECT_FALSE(across.is_rock({x, 0}));
    const Grid room = dug({3 + 4 * (3 + 4 * 1), 5}); // 5 wide, 3 high
    EXPECT_EQ(room.rock_cells(), 108 - rooms - 15);
    const Grid clipped = dug({3 + 4 * 15, 8 * 12 + 4}); // 5 by 5 at the lower edge
    EXPECT_EQ(clipped.rock_cells(), 108 - rooms - 4);
}

TEST(MazeRepresentation, RoomsOfNegativeMazesAreOpenUnderEverySymmetry) {
    for (const Symmetry symmetry : symmetries) {
        Layout layout{.width = 13, .height = 13, .entrance = {6, 0}, .exit = {3, 12}};
        layout.symmetry = symmetry;
        const Negative negative{Blueprint{layout}, 1};
        const test::Individual nothing{negative.space(), test::GeneList{0, 0}};
        Grid grid;
        negative.decode(view_as<IntegerView<std::uint16_t>>(nothing.space(), nothing.bytes()), grid);
        for (std::uint32_t i = 0; i < 16; ++i) {
            EXPECT_FALSE(grid.is_rock({4 + i % 4, i / 4}));
            EXPECT_FALSE(grid.is_rock({1 + i % 4, 9 + i / 4}));
        }
        expect_alike(grid, symmetry);
    }
}

TEST(MazeRepresentation, AutomatonMapsAreWorkedOnByTheirRules) {
    const Automaton automaton{Blueprint{Layout::of_size(20, 20)}, 3};
    EXPECT_EQ(automaton.space().length, 418U);
    Stream stream = test::stream_for(1);
    test::Individual genome{automaton.space(), stream};
    const BitView bits = view_as<BitView>(genome.space(), genome.bytes());
    Grid expected;
    rock_from_bits(bits, 20, 20, expected);
    std::uint32_t rules = 0;
    for (std::uint32_t i = 0; i < 18; ++i) rules |= (bits[400 + i] ? 1U : 0U) << i;
    run_automaton({rules}, 3, expected);
    expected.set_rock({0, 0}, false);
    expected.set_rock({19, 19}, false);
    Grid grid;
    automaton.decode(bits, grid);
    EXPECT_EQ(grid, expected);
}

TEST(MazeRepresentation, LayoutsThatCanNotBeMetAreRefused) {
    const auto refuse = [](Layout layout, std::initializer_list<std::string_view> words) {
        test::expect_mentions(test::message_of([&] { Blueprint{std::move(layout)}; }), words);
    };
    refuse(Layout::of_size(1, 5), {"1×5", "2..1024"});
    refuse(Layout::of_size(1025, 5), {"1025×5"});
    Layout layout = Layout::of_size(6, 5);
    layout.exit = {6, 0};
    refuse(layout, {"exit", "(6, 0)"});
    layout = Layout::of_size(6, 5);
    layout.locks = {{{0, 0}, true}};
    refuse(layout, {"(0, 0)", "must be rock", "must be open"});
    layout.locks = {{{5, 0}, true}};
    layout.symmetry = Symmetry::left_right;
    refuse(layout, {"(5, 0)", "(0, 0)", "left-right"});
    layout.locks = {{{1, 2}, true}, {{4, 2}, false}};
    refuse(layout, {"(4, 2)", "(1, 2)", "must be open", "must be rock", "left-right"});
    layout.symmetry = Symmetry::none;
    layout.checkpoints = {{2, 2}, {1, 2}};
    refuse(layout, {"checkpoint 2", "(1, 2)", "locked as rock"});
    layout.locks = {{{6, 1}, true}};
    refuse(layout, {"(6, 1)", "off the grid"});
    layout = Layout::of_size(6, 5);
    layout.symmetry = Symmetry::quarter_rotation;
    refuse(layout, {"square", "6×5"});
}

TEST(MazeRepresentation, LocksAreReadFromADrawing) {
    EXPECT_EQ(parse_locks("checkpoints: 0,1\nE#C\n#bX\n", 3, 2),
              parse_locks(".#.\n#..\n", 3, 2)); // a level fits, too
    const std::vector<Lock> locks = parse_locks("#?.\n? #\n", 3, 2);
    EXPECT_EQ(locks, (std::vector<Lock>{{{0, 0}, true}, {{2, 0}, false}, {{2, 1}, true}}));
    const auto refuse = [](std::string_view text, std::initializer_list<std::string_view> words) {
        test::expect_mentions(test::message_of([&] { parse_locks(text, 3, 2, "locks.txt"); }), words);
    };
    refuse("#?.\n?z#\n", {"locks.txt:2:2", "'z'"});
    refuse("#?.\n??\n", {"locks.txt:2:3", "2 cells", "3"});
    refuse("#?.\n????\n", {"locks.txt:2:4", "3"});
    refuse("#?.\n", {"locks.txt:1:1", "3 × 1", "3 × 2"});
    refuse("???\n???\n???\n", {"locks.txt:1:1", "3 × 3", "3 × 2"});
    refuse("", {"locks.txt:1:1"});
}

} // namespace
} // namespace knossos::maze::representation_test
