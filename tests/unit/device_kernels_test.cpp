#include "device_batch.hpp"
#include "maze_ways_reference.hpp"
#include "on_some_device.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Kernels that evaluate, next to their plain twins.
namespace knossos::device_kernels_test {
namespace {

using maze::Measure;
using maze::reference::Sample;
using test::DeviceBatch;

class Kernels : public test::OnSomeDevice {};

Population random_genomes(const Space& space, std::size_t count) {
    Population genomes{space, count};
    for (std::uint32_t i = 0; i < count; ++i) {
        Stream stream = test::stream_for(space.length, i);
        randomise(stream, space, genomes.genome(i));
    }
    return genomes;
}

// Mazes from almost empty to almost full, with an open entrance and exit.
Sample mazes_of(const maze::Places& places, std::size_t count) {
    const std::size_t area = std::size_t{places.width} * places.height;
    Population mazes{Space::bits(area), count};
    for (std::uint32_t i = 0; i < count; ++i) {
        Stream stream = test::stream_for(area, i);
        const auto maze = view_as<Bits>(mazes.space(), mazes.genome(i));
        const double density = 0.02 + 0.6 * i / static_cast<double>(count);
        for (std::size_t cell = 0; cell < area; ++cell) maze.set(cell, stream.real() < density);
        for (const maze::Cell open : {places.entrance, places.exit})
            maze.set(std::size_t{open.y} * places.width + open.x, false);
    }
    return {places, std::move(mazes)};
}

const std::vector<maze::Places>& some_places() {
    static const std::vector<maze::Places> all{
        {.width = 2, .height = 2, .entrance = {0, 0}, .exit = {1, 0}},
        {.width = 9, .height = 13, .entrance = {8, 0}, .exit = {3, 12}},
        {.width = 20, .height = 20, .entrance = {0, 0}, .exit = {19, 19}},
        {.width = 32, .height = 7, .entrance = {31, 6}, .exit = {0, 3}},
        {.width = 33, .height = 34, .entrance = {5, 7}, .exit = {32, 2}},
        {.width = 64, .height = 40, .entrance = {63, 39}, .exit = {0, 0}},
    };
    return all;
}

std::vector<std::string> overrides_for(const maze::Places& places) {
    return {"problem.width=" + std::to_string(places.width),
            "problem.height=" + std::to_string(places.height),
            "problem.entrance=" + std::to_string(places.entrance.x) + "," + std::to_string(places.entrance.y),
            "problem.exit=" + std::to_string(places.exit.x) + "," + std::to_string(places.exit.y)};
}

TEST_F(Kernels, FindTheWaysThatThePlainSearchFinds) {
    for (const maze::Places& places : some_places()) {
        SCOPED_TRACE(testing::Message() << places.width << "×" << places.height);
        const Sample sample = mazes_of(places, 300);
        const DeviceBatch batch{device_, Recipe::load("maze-direct", overrides_for(places)), sample.mazes};
        batch.evaluate();
        const std::vector<std::int32_t> found = batch.values();
        std::size_t ways = 0;
        for (std::size_t i = 0; i < found.size(); ++i) {
            const int way = maze::reference::exit_path(sample.level(i));
            ways += way > 0 ? 1U : 0U;
            ASSERT_EQ(found[i], std::max(way, 0)) << to_text(sample.level(i));
        }
        EXPECT_GT(ways, 20U);
    }
}

TEST_F(Kernels, MeasureMazesAsThePlainOnesDo) {
    constexpr std::array<std::pair<std::string_view, Measure>, 17> measured{{
        {"path", Measure::exit_path},
        {"rock", Measure::rock_cells},
        {"depth", Measure::farthest},
        {"reachable", Measure::reachable_cells},
        {"pockets", Measure::pockets},
        {"sealed", Measure::pocket_cells},
        {"branches", Measure::branching_cells},
        {"ends", Measure::dead_ends},
        {"loops", Measure::loops},
        {"squares", Measure::open_squares},
        {"density", Measure::wall_density},
        {"openness", Measure::openness},
        {"left_right", Measure::symmetry_left_right},
        {"top_bottom", Measure::symmetry_top_bottom},
        {"rotation", Measure::symmetry_rotation},
        {"rooms", Measure::rooms},
        {"open", Measure::open_cells},
    }};
    std::string words;
    for (const auto& [word, measure] : measured) words += (words.empty() ? "" : ", ") + std::string{word};
    for (const maze::Places& places : some_places()) {
        SCOPED_TRACE(testing::Message() << places.width << "×" << places.height);
        const Sample sample = mazes_of(places, 100);
        std::vector<std::string> overrides = overrides_for(places);
        overrides.insert(overrides.end(), {"problem.goal=''", "problem.descriptors='" + words + "'",
                                           "algorithm.axes='path 0..9 by 1, rock 0..9 by 1'"});
        const Recipe recipe = Recipe::load("maze-gallery", overrides);
        const auto columns = recipe.problem().schema().columns();
        const DeviceBatch batch{device_, recipe, sample.mazes};
        batch.evaluate();
        const std::vector<double> records = batch.records(columns.size());
        std::size_t compared = 0;
        for (std::size_t i = 0; i < sample.mazes.size(); ++i) {
            const maze::Level level = sample.level(i);
            const maze::Measures plain = maze::reference::measure_all(level, maze::measure(level));
            for (std::size_t k = 0; k < columns.size(); ++k) {
                const auto* const its = std::ranges::find(measured, columns[k].name.text(),
                                                          [](const auto& one) { return one.first; });
                if (its == measured.end()) continue;
                ++compared;
                ASSERT_EQ(records[k * sample.mazes.size() + i], value_of(plain, its->second))
                    << its->first << "\n"
                    << to_text(level);
            }
        }
        EXPECT_GE(compared, measured.size() * sample.mazes.size());
    }
}

TEST_F(Kernels, CountTheConflictsOfEveryPairOfQueens) {
    for (const std::size_t n : {1U, 4U, 8U, 33U, 100U, 128U, 255U})
        for (const bool is_collisions : {false, true}) {
            if (is_collisions && n != 33) continue;
            SCOPED_TRACE(n);
            Population boards = random_genomes(Space::permutation(n), 150);
            for (std::size_t row = 0; row < n; ++row) boards.genome(0)[row] = static_cast<std::byte>(row);
            const Recipe recipe = Recipe::load(
                "pmx-queens", {"problem.n=" + std::to_string(n),
                               is_collisions ? "problem.counting=collisions" : "stop.solved=false"});
            const DeviceBatch batch{device_, recipe, boards};
            batch.evaluate();
            const std::vector<std::int32_t> found = batch.values();
            for (std::size_t i = 0; i < found.size(); ++i) {
                std::int32_t pairs = 0;
                const std::byte* const board = boards.genome(i);
                for (int row = 1; row < static_cast<int>(n); ++row)
                    for (int other = 0; other < row; ++other)
                        pairs += std::abs(std::to_integer<int>(board[row]) -
                                          std::to_integer<int>(board[other])) == row - other
                                     ? 1
                                     : 0;
                ASSERT_EQ(found[i], is_collisions ? 2 * pairs : pairs);
            }
        }
}

TEST_F(Kernels, CountTheOnes) {
    for (const std::size_t length : {31U, 64U, 1000U}) {
        SCOPED_TRACE(length);
        const Population genomes = random_genomes(Space::bits(length), 200);
        const DeviceBatch batch{
            device_, Recipe::load("one-max", {"problem.length=" + std::to_string(length)}), genomes};
        batch.evaluate();
        const std::vector<std::int32_t> found = batch.values();
        for (std::size_t i = 0; i < found.size(); ++i) {
            const auto genome = view_as<BitView>(genomes.space(), genomes.genome(i));
            std::int32_t ones = 0;
            for (std::size_t bit = 0; bit < length; ++bit) ones += genome[bit] ? 1 : 0;
            ASSERT_EQ(found[i], ones);
        }
    }
}

} // namespace
} // namespace knossos::device_kernels_test
