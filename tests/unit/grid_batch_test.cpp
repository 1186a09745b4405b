#include "support.hpp"

#include <knossos/core/error.hpp>
#include <knossos/dungeon/judge_batch.hpp>
#include <knossos/maze/grid_batch.hpp>
#include <knossos/queens/conflict_batch.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

// Batches where somebody else keeps them, on several threads: what the Python package hands over.
namespace knossos::grid_batch_test {
namespace {

struct Bytes {
    std::vector<std::uint8_t> cells;
    GridBatch batch;

    // Room around each grid, row and cell, as slices of arrays have it.
    Bytes(std::size_t count, std::uint32_t width, std::uint32_t height, std::ptrdiff_t cell_stride) {
        const std::ptrdiff_t row = cell_stride * width + (cell_stride > 1 ? 5 : 0);
        const std::ptrdiff_t grid = row * height + (cell_stride > 1 ? 3 : 0);
        cells.assign(count * static_cast<std::size_t>(grid), 77);
        batch = {cells.data(), count, width, height, grid, row, cell_stride};
    }
    void set(std::size_t grid, std::size_t x, std::size_t y, std::uint8_t value) {
        cells[static_cast<std::size_t>(batch.row(grid, y) - cells.data()) +
              x * static_cast<std::size_t>(batch.cell_stride)] = value;
    }
};

std::string refusal(const auto& call) {
    try {
        call();
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "none";
}

TEST(GridBatch, MazesMeasureAsPackedOnesDo) {
    for (const std::uint32_t width : {1U, 7U, 20U, 65U}) {
        constexpr std::size_t count = 300;
        const std::uint32_t height = 9;
        Population packed{Space::bits(std::size_t{width} * height), count};
        for (const std::ptrdiff_t cell_stride : {1, 2}) {
            Bytes bytes{count, width, height, cell_stride};
            Stream stream = test::stream_for(width);
            for (std::size_t i = 0; i < count; ++i)
                for (std::size_t cell = 0; cell < std::size_t{width} * height; ++cell) {
                    const bool is_rock = stream.below(10) < 3;
                    view_as<Bits>(packed.space(), packed.genome(i)).set(cell, is_rock);
                    bytes.set(i, cell % width, cell / width, is_rock ? 1 : 0);
                }
            const maze::Places places{
                .width = width, .height = height, .entrance = {0, 0}, .exit = {width - 1, height - 1}};
            std::vector<maze::Measures> plain(count);
            maze::BatchMeasurer{places}.measure(packed.batch(), maze::MeasureSet::all(), plain);
            for (const unsigned threads : {1U, 3U}) {
                std::vector<maze::Measures> found(count);
                maze::measure(bytes.batch, places, maze::MeasureSet::all(), threads,
                              [&](std::size_t first, std::span<const maze::Measures> some) {
                                  std::ranges::copy(some, found.begin() + static_cast<std::ptrdiff_t>(first));
                              });
                for (std::size_t i = 0; i < count; ++i)
                    for (const auto& row : maze::measure_table())
                        ASSERT_EQ(maze::value_of(found[i], row.measure),
                                  maze::value_of(plain[i], row.measure))
                            << row.name << " of " << i << ", stride " << cell_stride;
            }
        }
    }
}

TEST(GridBatch, ACellThatIsNoneIsNamed) {
    Bytes bytes{5, 8, 3, 1};
    std::ranges::fill(bytes.cells, std::uint8_t{0});
    bytes.set(3, 6, 2, 9);
    const maze::Places places{.width = 8, .height = 3, .entrance = {0, 0}, .exit = {7, 2}};
    const auto nothing = [](std::size_t, std::span<const maze::Measures>) {};
    EXPECT_EQ(refusal([&] { maze::measure(bytes.batch, places, maze::MeasureSet::all(), 2, nothing); }),
              "levels[3, 2, 6] is 9; a cell of a maze is 0 (open) or 1 (rock)");
}

TEST(GridBatch, DungeonsAreJudgedAsOneByOne) {
    std::vector<dungeon::Level> levels;
    for (const char* drawing : {"Ek+X", "kE+X", "E#kX"}) levels.push_back(dungeon::parse_level(drawing));
    Bytes bytes{levels.size(), levels[0].width, levels[0].height, 2};
    for (std::size_t i = 0; i < levels.size(); ++i)
        for (std::size_t cell = 0; cell < levels[i].cells.size(); ++cell)
            bytes.set(i, cell % levels[i].width, cell / levels[i].width,
                      static_cast<std::uint8_t>(levels[i].cells[cell]));
    std::vector<dungeon::Judgement> found(levels.size());
    dungeon::judge(bytes.batch, dungeon::MeasureSet::all(), 2,
                   [&](std::size_t i, const dungeon::Judgement& judgement) { found[i] = judgement; });
    for (std::size_t i = 0; i < levels.size(); ++i) {
        const dungeon::Judgement plain = dungeon::Judge{}.judge(levels[i]);
        EXPECT_EQ(found[i].solvable, plain.solvable);
        EXPECT_EQ(found[i].unlosable, plain.unlosable);
        for (const auto& row : dungeon::measure_table())
            EXPECT_EQ(found[i].measures[row.measure], plain.measures[row.measure]) << row.name;
    }
    bytes.set(1, 2, 0, dungeon::tile_kinds);
    EXPECT_TRUE(refusal([&] {
                    dungeon::judge(bytes.batch, {}, 1, [](std::size_t, const dungeon::Judgement&) {});
                }).starts_with("levels[1, 0, 2] is "));
    std::ranges::fill(bytes.cells, std::uint8_t{0});
    EXPECT_TRUE(refusal([&] {
                    dungeon::judge(bytes.batch, {}, 1, [](std::size_t, const dungeon::Judgement&) {});
                }).starts_with("levels[0]: "));
}

TEST(GridBatch, BoardsOfBothKindsAreCountedOnThreads) {
    constexpr std::uint32_t n = 12;
    std::vector<std::uint16_t> columns(std::size_t{n} * 1000);
    Stream stream = test::stream_for(1);
    for (std::size_t board = 0; board < 1000; ++board) {
        const std::span row{columns.data() + board * n, n};
        std::iota(row.begin(), row.end(), std::uint16_t{0});
        stream.shuffle(row);
        if (board > 500) row[stream.below(n)] = static_cast<std::uint16_t>(stream.below(n));
    }
    queens::BoardBatch batch{.boards = reinterpret_cast<const std::byte*>(columns.data()),
                             .stride = n * 2,
                             .count = 1000,
                             .n = n,
                             .gene_bytes = 2};
    std::vector<double> found(1000);
    queens::count_conflicts(batch, found, 3U);
    for (std::size_t board = 0; board < 1000; ++board) {
        const std::uint16_t* const row = columns.data() + board * n;
        int pairs = 0;
        for (int a = 0; a < static_cast<int>(n); ++a)
            for (int b = a + 1; b < static_cast<int>(n); ++b)
                pairs += row[a] == row[b] || std::abs(row[a] - row[b]) == b - a ? 1 : 0;
        ASSERT_EQ(found[board], pairs) << board;
    }
    columns[n * 700 + 4] = n;
    EXPECT_EQ(refusal([&] { queens::count_conflicts(batch, found, 2U); }),
              "boards[700, 4] is 12; columns of a board of 12 are 0 to 11");
}

} // namespace
} // namespace knossos::grid_batch_test
