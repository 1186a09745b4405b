#include "maze_reference.hpp"
#include "support.hpp"
#include "targets.hpp"

#include <knossos/maze/distance_batch.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace knossos::maze::distance_batch_test {
namespace {

using test::for_each_target;

using reference::Sample;

Sample random_sample(std::uint64_t seed, std::uint32_t width, std::uint32_t height, std::size_t count) {
    Stream stream = test::stream_for(seed);
    return reference::random_sample(stream, width, height, count, 11);
}

// With every instruction set: the plain results are found only once.
void expect_plain_results(const Sample& sample) {
    const std::size_t count = sample.mazes.size();
    std::vector<std::int32_t> plain_paths(count);
    std::vector<FitnessValues> plain_values(count);
    for (std::size_t i = 0; i < count; ++i) {
        const Level level = sample.level(i);
        plain_paths[i] = reference::exit_path(level);
        plain_values[i] = reference::fitness_values_in_one_pass(level);
    }
    for_each_target([&] {
        BatchMeasurer measurer{sample.places};
        std::vector<std::int32_t> paths(count, -7);
        std::vector<FitnessValues> values(count);
        measurer.exit_paths(sample.mazes.batch(), paths);
        measurer.fitness_values(sample.mazes.batch(), values);
        for (std::size_t i = 0; i < count; ++i) {
            ASSERT_EQ(paths[i], plain_paths[i]) << to_text(sample.level(i));
            ASSERT_EQ(values[i], plain_values[i]) << to_text(sample.level(i));
        }
    });
}

TEST(MazeDistanceBatch, AgreesWithThePlainOnesAtEverySize) {
    for (std::uint64_t seed = 0; seed < test::seeds(300); ++seed) {
        Stream stream = test::stream_for(seed, 1);
        const std::uint32_t width = 1 + stream.below(seed % 2 == 0 ? 33 : 70);
        const std::uint32_t height = 1 + stream.below(seed % 3 == 0 ? 66 : 24);
        SCOPED_TRACE(std::to_string(width) + "×" + std::to_string(height));
        expect_plain_results(random_sample(seed, width, height, 1 + stream.below(80)));
        if (testing::Test::HasFatalFailure()) return;
    }
}

TEST(MazeDistanceBatch, WidthsAtTheEdgesOfLanes) {
    for (const std::uint32_t width : {1U, 2U, 31U, 32U, 33U, 63U, 64U, 65U, 128U, 130U})
        for (const std::uint32_t height : {1U, 2U, 3U, 32U})
            expect_plain_results(random_sample(width * 1000 + height, width, height, test::seeds(40)));
}

TEST(MazeDistanceBatch, LongSnakesAreWalkedToTheEnd) {
    for (const std::uint32_t side : {31U, 63U}) {
        Places places{.width = side, .height = side, .entrance = {0, 0}, .exit = {}};
        places.exit = {(side / 2) % 2 == 0 ? side - 1 : 0, side - 1};
        Population mazes{Space::bits(std::size_t{side} * side), 5};
        const Bits bits = view_as<Bits>(mazes.space(), mazes.genome(2));
        for (std::uint32_t y = 1; y < side; y += 2)
            for (std::uint32_t x = 0; x < side; ++x)
                bits.set(std::size_t{y} * side + x, x != (y % 4 == 1 ? side - 1 : 0U));
        expect_plain_results({places, mazes});
    }
}

TEST(MazeDistanceBatch, TakesListedRowsInTheirOrder) {
    const Sample all = random_sample(5, 20, 20, 50);
    const std::vector<std::uint32_t> rows{49, 3, 3, 0, 17};
    Batch batch = all.mazes.batch();
    batch.rows = rows.data();
    batch.count = rows.size();
    BatchMeasurer measurer{all.places};
    std::vector<std::int32_t> paths(rows.size());
    measurer.exit_paths(batch, paths);
    for (std::size_t i = 0; i < rows.size(); ++i)
        EXPECT_EQ(paths[i], reference::exit_path(all.level(rows[i])));
}

TEST(MazeDistanceBatch, BatchesThatDoNotFitAreRefused) {
    const Sample mazes = random_sample(1, 6, 5, 4);
    BatchMeasurer measurer{mazes.places};
    std::vector<std::int32_t> paths(3);
    test::expect_mentions(test::message_of([&] { measurer.exit_paths(mazes.mazes.batch(), paths); }),
                          {"room for 3", "4"});
    const Population other{Space::bits(31), 1};
    test::expect_mentions(test::message_of([&] { measurer.exit_paths(other.batch(), paths); }),
                          {"30 bits", "31 bits"});
    test::expect_mentions(test::message_of([] { BatchMeasurer{Places{.width = 0, .height = 3}}; }), {"0×3"});
    test::expect_mentions(
        test::message_of([] { BatchMeasurer{Places{.width = 3, .height = 3, .entrance = {3, 0}}}; }),
        {"entrance", "(3, 0)"});
}

} // namespace
} // namespace knossos::maze::distance_batch_test
