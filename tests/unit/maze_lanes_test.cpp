#include "maze_ways_reference.hpp"
#include "support.hpp"
#include "targets.hpp"

#include <knossos/core/population.hpp>
#include <knossos/maze/distance_batch.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace knossos::maze::lanes_test {
namespace {

using reference::Sample;

Sample random_sample(std::uint64_t seed, std::uint32_t width, std::uint32_t height, std::size_t count) {
    Stream stream = test::stream_for(seed);
    return reference::random_sample(stream, width, height, count);
}

// Mazes that have climbed to longer ways by flips, with the corridors, pockets and dead ends that come with
// it.
Sample evolved_sample(std::uint64_t seed, std::uint32_t width, std::uint32_t height, std::size_t count) {
    Stream stream = test::stream_for(seed);
    Places places = reference::random_places(stream, width, height);
    places.entrance = {0, 0};
    places.exit = {width - 1, height - 1};
    const std::size_t area = std::size_t{width} * height;
    Population mazes{Space::bits(area), count};
    Population child{Space::bits(area), 1};
    BatchMeasurer measurer{places};
    for (std::size_t i = 0; i < count; ++i) {
        std::int32_t path = 0;
        for (std::uint32_t tries = stream.below(1500); tries > 0 && area > 2; --tries) {
            std::memcpy(child.genome(0), mazes.genome(i), child.stride());
            const Bits changed = view_as<Bits>(child.space(), child.genome(0));
            for (std::uint32_t flips = 1 + stream.below(3); flips > 0; --flips)
                changed.flip(1 + stream.below64(area - 2));
            std::int32_t next = 0;
            measurer.exit_paths(child.batch(), {&next, 1});
            if (next < path) continue;
            path = next;
            std::memcpy(mazes.genome(i), child.genome(0), child.stride());
        }
    }
    return {places, std::move(mazes)};
}

MeasureSet random_set(Stream& stream) {
    MeasureSet set;
    const std::uint32_t wanted = 1 + stream.below(4);
    for (std::uint32_t i = 0; i < wanted; ++i)
        set.add(static_cast<Measure>(stream.below(static_cast<std::uint32_t>(measure_table().size()))));
    return set;
}

// With every instruction set: the plain results are found only once.
void expect_plain_results(const Sample& sample, std::uint64_t seed) {
    const std::size_t count = sample.mazes.size();
    std::vector<Measures> plain(count);
    for (std::size_t i = 0; i < count; ++i) {
        const Level level = sample.level(i);
        plain[i] = reference::measure_all(level, measure(level));
    }
    MeasureSet lanes = MeasureSet::all();
    for (const Measure slow :
         {Measure::exit_members, Measure::reconvergence, Measure::isolated_reconvergence,
          Measure::culs_de_sac, Measure::cul_de_sac_length, Measure::shortest_paths, Measure::diameter,
          Measure::largest_room, Measure::on_one_way, Measure::straights, Measure::turns, Measure::tour})
        lanes = lanes.without({slow});
    Stream stream = test::stream_for(seed, 77);
    std::vector<MeasureSet> sets{lanes, MeasureSet::all(), {Measure::exit_path, Measure::rock_cells}};
    for (int i = 0; i < 5; ++i) sets.push_back(random_set(stream));
    test::for_each_target([&] {
        BatchMeasurer measurer{sample.places};
        for (const MeasureSet wanted : sets) {
            std::vector<Measures> found(count);
            measurer.measure(sample.mazes.batch(), wanted, found);
            for (std::size_t i = 0; i < count; ++i)
                for (const MeasureInfo& row : measure_table()) {
                    if (!wanted.has(row.measure)) continue;
                    ASSERT_EQ(value_of(found[i], row.measure), value_of(plain[i], row.measure))
                        << row.name << " of maze " << i << ", seed " << seed << "\n"
                        << to_text(sample.level(i));
                }
        }
    });
}

TEST(MazeLanes, MeasureRandomMazesOfAnySizeAsThePlainOnesDo) {
    for (std::uint64_t seed = 0; seed < test::seeds(48); ++seed) {
        Stream stream = test::stream_for(seed, 1);
        const std::uint32_t width = 1 + stream.below(seed % 2 == 0 ? 24 : 70);
        const std::uint32_t height = 1 + stream.below(width > 30 ? 12 : 24);
        SCOPED_TRACE(std::to_string(width) + "×" + std::to_string(height));
        expect_plain_results(random_sample(seed, width, height, 1 + stream.below(40)), seed);
        if (testing::Test::HasFatalFailure()) return;
    }
}

TEST(MazeLanes, MeasureEvolvedMazesAsThePlainOnesDo) {
    for (std::uint64_t seed = 0; seed < test::seeds(8); ++seed) {
        Stream stream = test::stream_for(seed, 2);
        const std::uint32_t width = 2 + stream.below(22);
        const std::uint32_t height = 2 + stream.below(22);
        SCOPED_TRACE(std::to_string(width) + "×" + std::to_string(height));
        expect_plain_results(evolved_sample(seed, width, height, 20), seed);
        if (testing::Test::HasFatalFailure()) return;
    }
}

TEST(MazeLanes, WidthsAtTheEdgesOfLanes) {
    for (const std::uint32_t width :
         {1U, 2U, 3U, 4U, 5U, 8U, 15U, 16U, 17U, 31U, 32U, 33U, 63U, 64U, 65U, 130U})
        for (const std::uint32_t height : {1U, 2U, 7U}) {
            SCOPED_TRACE(std::to_string(width) + "×" + std::to_string(height));
            expect_plain_results(random_sample(width * 1000 + height, width, height, test::seeds(21)), width);
            if (testing::Test::HasFatalFailure()) return;
        }
}

// Rows enough for the counters of bytes to carry several times, and pockets as long as they get.
TEST(MazeLanes, TallMazesAndSpiralPockets) {
    for (const double density : {0.0, 0.02, 0.5}) {
        Stream stream = test::stream_for(static_cast<std::uint64_t>(density * 100), 3);
        const std::size_t count = test::seeds(20);
        Sample tall = random_sample(9, 4, 140, count);
        for (std::size_t i = 0; i < count; ++i) {
            const Bits bits = view_as<Bits>(tall.mazes.space(), tall.mazes.genome(i));
            for (std::size_t c = 0; c < bits.size(); ++c) bits.set(c, stream.chance(density));
        }
        expect_plain_results(tall, 5);
    }
    // A spiral that begins behind a wall: one pocket of a single winding way, and one with a hole in it.
    const Level spiral = parse_level("E#.........\n"
                                     ".#.#######.\n"
                                     ".#.#.....#.\n"
                                     ".#.#.###.#.\n"
                                     ".#.#.#.#.#.\n"
                                     ".#.#...#.#.\n"
                                     ".#.#####.#.\n"
                                     ".#.......#X\n"
                                     ".##########\n"
                                     ".#...#.#.#.\n"
                                     ".#.#.##.#.#\n"
                                     ".#...#.#.#.\n");
    const Places places{.width = 11, .height = 12, .entrance = spiral.entrance, .exit = spiral.exit};
    Sample sample{places, Population{Space::bits(spiral.grid.area()), 4}};
    for (std::size_t i = 0; i < 4; ++i) {
        const Bits bits = view_as<Bits>(sample.mazes.space(), sample.mazes.genome(i));
        for (std::size_t c = 0; c < bits.size(); ++c)
            bits.set(c, spiral.grid.is_rock(spiral.grid.cell(c)) != (i == 2 && c == 60));
    }
    expect_plain_results(sample, 6);
}

} // namespace
} // namespace knossos::maze::lanes_test
