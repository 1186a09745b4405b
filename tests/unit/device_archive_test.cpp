#include "device/archive_tables.hpp"
#include "device/kernels.hpp"
#include "device/opencl.hpp"
#include "on_some_device.hpp"
#include "support.hpp"

#include <knossos/core/ranking.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// What a device makes of children that come to the cells of an archive, next to the archive itself.
namespace knossos::device_archive_test {
namespace {

using device::ArchiveTables;
using WholeColumn = DeviceKernel::WholeColumn;

class Archives : public test::OnSomeDevice {};

constexpr std::uint32_t nowhere = 0xFFFFFFFF;
constexpr std::uint32_t notable = 0x80000000;

struct Example {
    Schema schema;
    std::string axes;
    std::vector<WholeColumn> columns;
};

Schema schema_of(const std::vector<Column>& columns) { return Schema{std::span{columns}}; }

std::vector<Example> examples() {
    return {
        // Of two things that must hold, one counts a third of the other; axes that reach less far than
        // values.
        {schema_of({maximise("worth"), must_hold("one", 3.0), must_hold("other", 0.001),
                    descriptor("x", -1, 40), descriptor("y", 0, 30)}),
         "x 0..30 by 3, y 4..20 by 2.5",
         {{-7, 20}, {0, 5}, {0, 1}, {-1, 40}, {0, 30}}},
        // Descriptors that are kept inside their range, an axis that is the objective.
        {schema_of({minimise("cost").between(0, 12), descriptor("x", 2, 9), descriptor("y", 0, 5)}),
         "cost 0..10 by 4, x by 1",
         {{-3, 14}, {-20, 20}, {-1, 6}}},
        // Steps below 1.
        {schema_of({must_hold("one"), descriptor("x", 0, 100), maximise("worth")}),
         "x 10..50 by 0.1",
         {{0, 9}, {0, 100}, {0, 3}}},
    };
}

/// Random records, as the host keeps them; numbers as they were measured.
struct Sample {
    Population population;
    std::vector<std::int16_t> numbers;
    std::vector<std::uint32_t> clamped{}; ///< values of each that were outside their ranges
};

Sample sample_of(const Example& example, std::size_t count, std::uint32_t slot) {
    const std::size_t columns = example.columns.size();
    Sample sample{Population{Space::bits(64), count, columns}, {}};
    sample.clamped.resize(count);
    Stream stream = test::stream_for(columns, slot);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t c = 0; c < columns; ++c) {
            const auto [lowest, highest] = example.columns[c];
            const auto drawn = lowest + static_cast<std::int32_t>(
                                            stream.below(static_cast<std::uint32_t>(highest - lowest) + 1));
            sample.numbers.push_back(static_cast<std::int16_t>(drawn));
            const Column& column = example.schema.columns()[c];
            double value = drawn;
            if (column.role == Role::descriptor && (value < column.low || value > column.high)) {
                value = std::clamp(value, column.low, column.high);
                ++sample.clamped[i];
            }
            sample.population.column(c)[i] = value;
        }
        rate(example.schema, sample.population, i);
        randomise(stream, sample.population.space(), sample.population.genome(i));
    }
    return sample;
}

std::string source_for(const ArchiveTables& tables, std::size_t numbers) {
    return "#define KINDS 3u\n#define CHOOSES_KINDS 1\n#define WORDS 2\n#define NUMBERS " +
           std::to_string(numbers) +
           "\nvoid record(const short* numbers, int* columns) {\n"
           "    for (int i = 0; i < NUMBERS; ++i) columns[i] = numbers[i];\n}\n" +
           tables.source() + std::string{device::archive_source()};
}

// The plain twin: of each cell the best child that is not worse than who is there, of equals the first.
std::map<std::uint32_t, std::uint32_t> winners_of(const Cells& cells, const Archive& archive,
                                                  const Population& elites, const Population& children,
                                                  const std::vector<std::uint8_t>& evaluated) {
    std::map<std::uint32_t, std::uint32_t> best;
    for (std::uint32_t child = 0; child < children.size(); ++child) {
        if (evaluated[child] == 0) continue;
        const std::uint32_t cell = cells.cell(children, child);
        const std::uint32_t present = archive.elite(cell);
        if (present != Archive::nobody && archive.is_worse(children, child, elites, present)) continue;
        const auto [place, is_first] = best.try_emplace(cell, child);
        if (!is_first && archive.is_better(children, child, children, place->second)) place->second = child;
    }
    return best;
}

TEST_F(Archives, GetTheChildrenThatTheHostWouldLetIn) {
    for (const Example& example : examples()) {
        SCOPED_TRACE(example.axes);
        const auto cells = std::make_shared<const Cells>(axes_from_text(example.axes), example.schema);
        const auto tables = ArchiveTables::of(example.schema, *cells, example.columns);
        ASSERT_TRUE(tables);
        const device::Queue queue{device_};
        constexpr std::array<std::string_view, 5> names{"clear_cells", "seat_elites", "compare", "choose",
                                                        "collect"};
        const std::size_t numbers = example.columns.size();
        auto kernels = queue.build(source_for(*tables, numbers), names);
        for (const std::size_t count : {7U, 300U, 5000U}) {
            Archive archive{cells};
            Population elites{Space::bits(64), 0, numbers};
            const Sample first = sample_of(example, 40, 1);
            for (std::size_t i = 0; i < first.population.size(); ++i)
                archive.enter(example.schema, elites, first.population, i, cells->cell(first.population, i));
            Sample children = sample_of(example, count, 2);
            std::vector<std::uint8_t> evaluated(count);
            std::vector<std::uint8_t> kinds(count);
            Stream stream = test::stream_for(count, 3);
            for (auto& one : evaluated) one = stream.below(8) != 0 ? 1 : 0;
            for (auto& one : kinds) one = static_cast<std::uint8_t>(stream.below(3));
            std::vector<std::uint32_t> seats;
            for (std::size_t elite = 0; elite < elites.size(); ++elite) {
                const auto key = tables->key(*cells, elites, elite);
                ASSERT_TRUE(key);
                seats.insert(seats.end(), {archive.cell()[elite], *key});
            }
            const Quality bar = quality_of(children.population, count / 2);

            const auto words = [&](std::size_t number) { return queue.make_buffer(number * 4); };
            const auto genomes = queue.make_buffer(count * 8);
            queue.write(genomes, children.population.bytes());
            const auto measured = queue.make_buffer_of(children.numbers);
            const auto evaluated_there = queue.make_buffer_of(evaluated);
            const auto kinds_there = queue.make_buffer_of(kinds);
            const auto seats_there = queue.make_buffer_of(seats);
            const auto content = queue.make_buffer_of(tables->content());
            const auto best = words(tables->cells());
            const auto who = words(tables->cells());
            const auto counts = words(6);
            const auto cell = words(count);
            const auto key = words(count);
            const auto collected = words(count * (6 + numbers));
            const auto many = static_cast<std::uint32_t>(count);
            queue.run(kernels[0].with(best, who, counts), std::max<std::size_t>(tables->cells(), 6));
            queue.run(kernels[1].with(seats_there, static_cast<std::uint32_t>(seats.size() / 2), best),
                      seats.size() / 2);
            queue.run(kernels[2].with(measured, evaluated_there, kinds_there, many, content, tables->bar(bar),
                                      best, cell, key, counts),
                      count);
            queue.run(kernels[3].with(cell, key, many, best, who), count);
            queue.run(kernels[4].with(cell, who, measured, kinds_there, genomes, many, counts, collected),
                      count);
            std::vector<std::uint32_t> said(6);
            std::vector<std::uint32_t> found_cells(count);
            queue.read_into(counts, std::span{said});
            queue.read_into(cell, std::span{found_cells});
            std::vector<std::uint32_t> entries(said[2] * (6 + numbers));
            queue.read_into(collected, std::span{entries});

            const auto expected = winners_of(*cells, archive, elites, children.population, evaluated);
            std::map<std::uint32_t, std::uint32_t> found;
            for (std::size_t at = 0; at < entries.size(); at += 6 + numbers) {
                const std::uint32_t child = entries[at];
                if ((entries[at + 3] & 1U) != 0) {
                    EXPECT_TRUE(found.emplace(entries[at + 1], child).second);
                }
                EXPECT_EQ(entries[at + 2], kinds[child]);
                for (std::size_t k = 0; k < numbers; ++k)
                    EXPECT_EQ(static_cast<std::int16_t>(entries[at + 4 + k]),
                              children.numbers[child * numbers + k]);
                EXPECT_EQ(0, std::memcmp(&entries[at + 4 + numbers], children.population.genome(child), 8));
            }
            EXPECT_EQ(found, expected);
            EXPECT_TRUE(count == 7 || !expected.empty());
            std::array<std::uint32_t, 3> of_kind{};
            std::uint32_t evaluations = 0;
            std::uint32_t clamped = 0;
            for (std::uint32_t child = 0; child < count; ++child) {
                ++of_kind[kinds[child]];
                evaluations += evaluated[child];
                if (evaluated[child] == 0) {
                    EXPECT_EQ(found_cells[child], nowhere);
                    continue;
                }
                clamped += children.clamped[child];
                const bool is_better =
                    better(example.schema.objective(), quality_of(children.population, child), bar);
                EXPECT_EQ(found_cells[child],
                          cells->cell(children.population, child) | (is_better ? notable : 0U));
            }
            EXPECT_EQ(said[0], evaluations);
            EXPECT_TRUE(std::ranges::equal(of_kind, std::span{said}.subspan(3)));
            EXPECT_EQ(said[1], clamped);
        }
    }
}

TEST(ArchiveTables, AreLeftToTheHostWhereWholeNumbersAreNotEnough) {
    const Schema schema = schema_of({maximise("worth"), descriptor("x", 0, 40)});
    const std::vector<WholeColumn> whole{{0, 20}, {0, 40}};
    const Cells grid{axes_from_text("x by 1"), schema};
    EXPECT_TRUE(ArchiveTables::of(schema, grid, whole));
    EXPECT_FALSE(ArchiveTables::of(schema, grid, {}));
    EXPECT_FALSE(ArchiveTables::of(schema, Cells{axes_from_text("x"), schema, 10}, whole));
    const Schema aimless = schema_of({must_hold("one"), descriptor("x", 0, 40)});
    EXPECT_FALSE(ArchiveTables::of(aimless, Cells{axes_from_text("x by 1"), aimless}, whole));
    const Schema two = schema_of({maximise("worth"), minimise("cost"), descriptor("x", 0, 40)});
    const std::vector<WholeColumn> three{{0, 20}, {0, 20}, {0, 40}};
    EXPECT_FALSE(ArchiveTables::of(two, Cells{axes_from_text("x by 1"), two}, three));
    const Schema guided = schema_of({maximise("worth"), guide(minimise("slope")), descriptor("x", 0, 40)});
    EXPECT_FALSE(ArchiveTables::of(guided, Cells{axes_from_text("x by 1"), guided}, three));
    const Schema many =
        schema_of({must_hold("one"), must_hold("other"), descriptor("x", 0, 40), maximise("worth")});
    const std::vector<WholeColumn> large{{0, 5000}, {0, 5000}, {0, 40}, {0, 1}};
    EXPECT_FALSE(ArchiveTables::of(many, Cells{axes_from_text("x by 1"), many}, large));
}

// What is missed by as much has the same key, whatever it is.
TEST(ArchiveTables, KeysAreInTheOrderOfTheArchive) {
    for (const Example& example : examples()) {
        SCOPED_TRACE(example.axes);
        const Cells cells{axes_from_text(example.axes), example.schema};
        const Archive archive{std::make_shared<const Cells>(cells)};
        const auto tables = ArchiveTables::of(example.schema, cells, example.columns);
        ASSERT_TRUE(tables);
        const Sample sample = sample_of(example, 200, 5);
        for (std::size_t i = 0; i < 200; ++i)
            for (std::size_t k = 0; k < 200; ++k) {
                const auto one = tables->key(cells, sample.population, i);
                const auto other = tables->key(cells, sample.population, k);
                ASSERT_TRUE(one && other);
                ASSERT_EQ(*one > *other, archive.is_worse(sample.population, i, sample.population, k));
            }
    }
}

} // namespace
} // namespace knossos::device_archive_test
