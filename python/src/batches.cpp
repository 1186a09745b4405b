#include "arrays.hpp"
#include "bindings.hpp"

#include <knossos/core/error.hpp>
#include <knossos/dungeon/judge_batch.hpp>
#include <knossos/maze/grid_batch.hpp>
#include <knossos/queens/conflict_batch.hpp>

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace knossos::python {

namespace {

using AnyArray = nb::ndarray<nb::ro, nb::device::cpu>;
using Place = std::pair<std::uint32_t, std::uint32_t>;

std::string shape_text(const AnyArray& array) {
    std::string text;
    for (std::size_t i = 0; i < array.ndim(); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : ", ", array.shape(i));
    return "[" + text + "]";
}

std::string type_text(const AnyArray& array) {
    const nb::dlpack::dtype type = array.dtype();
    constexpr std::array names{"int", "uint", "float"};
    const std::size_t code = type.code;
    return code < names.size() ? fmt::format("{}{}", names[code], type.bits) : "of another type";
}

GridBatch grids_of(const AnyArray& levels) {
    if (levels.dtype() != nb::dtype<std::uint8_t>())
        throw nb::type_error(
            fmt::format("levels are {}; they must be uint8 [count, height, width]", type_text(levels))
                .c_str());
    if (levels.ndim() != 3)
        throw InvalidInput{
            fmt::format("levels have the shape {}; it must be [count, height, width]", shape_text(levels))};
    constexpr std::size_t most = 1U << 20U;
    if (levels.shape(1) > most || levels.shape(2) > most)
        throw InvalidInput{
            fmt::format("levels have the shape {}; a side is at most {}", shape_text(levels), most)};
    return {.cells = static_cast<const std::uint8_t*>(levels.data()),
            .count = levels.shape(0),
            .width = static_cast<std::uint32_t>(levels.shape(2)),
            .height = static_cast<std::uint32_t>(levels.shape(1)),
            .grid_stride = static_cast<std::ptrdiff_t>(levels.stride(0)),
            .row_stride = static_cast<std::ptrdiff_t>(levels.stride(1)),
            .cell_stride = static_cast<std::ptrdiff_t>(levels.stride(2))};
}

// Does a batch piece by piece, each in less than a second, so that Ctrl-C is heard in between: work(piece,
// first).
template <class Work>
void in_pieces(const GridBatch& all, const Work& work) {
    constexpr std::size_t cells = std::size_t{1} << 22U;
    const std::size_t together = std::max<std::size_t>(
        1, cells / std::max<std::size_t>(1, std::size_t{all.width} * std::size_t{all.height}));
    std::size_t first = 0;
    do {
        GridBatch piece = all;
        if (first > 0) piece.cells = all.row(first, 0);
        piece.count = std::min(together, all.count - first);
        try {
            const nb::gil_scoped_release others_may_run;
            work(piece, first);
        } catch (const InvalidInput&) {
            if (first == 0) throw;
            const nb::gil_scoped_release others_may_run;
            work(all, 0); // for a message that has the level's number among all
            throw;
        }
        if (PyErr_CheckSignals() != 0) throw nb::python_error{};
        first += together;
    } while (first < all.count);
}

// What is wanted of a table of measures: those named, or all.
template <class Names>
std::vector<std::pair<std::size_t, std::string>> chosen(const std::optional<std::vector<std::string>>& names,
                                                        const std::vector<Wishable>& table, Names name_of) {
    std::vector<std::pair<std::size_t, std::string>> all;
    if (!names)
        for (std::size_t i = 0; i < table.size(); ++i) all.emplace_back(i, name_of(i));
    else
        for (const std::string& name : *names)
            for (const auto& one : parse_measures(table, name)) all.push_back({one.first, name});
    return all;
}

// A dictionary of the rows of an array, which they share.
nb::dict by_name(const nb::object& rows, const std::vector<std::pair<std::size_t, std::string>>& columns) {
    nb::dict named;
    for (std::size_t i = 0; i < columns.size(); ++i)
        named[nb::str(columns[i].second.c_str())] = rows[nb::int_(i)];
    return named;
}

nb::dict measure_mazes(const AnyArray& levels, const std::optional<std::vector<std::string>>& names,
                       Place entrance, std::optional<Place> exit, const std::vector<Place>& checkpoints,
                       unsigned threads) {
    const GridBatch mazes = grids_of(levels);
    const auto columns = chosen(names, maze::wishables(),
                                [](std::size_t i) { return std::string{maze::measure_table()[i].name}; });
    maze::MeasureSet wanted;
    for (const auto& [index, name] : columns) wanted.add(maze::measure_table()[index].measure);
    const auto last = exit.value_or(Place{mazes.width - 1, mazes.height - 1});
    maze::Places places{.width = mazes.width,
                        .height = mazes.height,
                        .entrance = {entrance.first, entrance.second},
                        .exit = {last.first, last.second}};
    for (const auto& [x, y] : checkpoints) places.checkpoints.push_back({x, y});
    const auto fill = [&](double* out) {
        in_pieces(mazes, [&](const GridBatch& piece, std::size_t begin) {
            maze::measure(piece, places, wanted, threads,
                          [&](std::size_t first, std::span<const maze::Measures> measures) {
                              for (std::size_t c = 0; c < columns.size(); ++c)
                                  for (std::size_t i = 0; i < measures.size(); ++i)
                                      out[c * mazes.count + begin + first + i] = maze::value_of(
                                          measures[i], maze::measure_table()[columns[c].first].measure);
                          });
        });
    };
    return by_name(new_doubles({columns.size(), mazes.count}, fill), columns);
}

nb::dict judge_dungeons(const AnyArray& levels, const std::optional<std::vector<std::string>>& names,
                        unsigned threads) {
    constexpr std::size_t verdicts = 2;
    const GridBatch dungeons = grids_of(levels);
    auto columns = chosen(names, dungeon::wishables(),
                          [](std::size_t i) { return std::string{dungeon::measure_table()[i].name}; });
    dungeon::MeasureSet wanted;
    for (const auto& [index, name] : columns) wanted.add(dungeon::measure_table()[index].measure);
    columns.insert(columns.begin(), {{0, "solvable"}, {0, "unlosable"}});
    const nb::object rows = new_doubles({columns.size(), dungeons.count}, [&](double* out) {
        in_pieces(dungeons, [&](const GridBatch& piece, std::size_t begin) {
            const auto note = [&](std::size_t index, const dungeon::Judgement& judgement) {
                const std::size_t i = begin + index;
                out[i] = judgement.solvable ? 1.0 : 0.0;
                out[dungeons.count + i] = judgement.unlosable ? 1.0 : 0.0;
                for (std::size_t c = verdicts; c < columns.size(); ++c)
                    out[c * dungeons.count + i] =
                        judgement.measures[dungeon::measure_table()[columns[c].first].measure];
            };
            dungeon::judge(piece, wanted, threads, note);
        });
    });
    nb::dict named = by_name(rows, columns);
    for (const char* verdict : {"solvable", "unlosable"})
        named[verdict] = named[verdict].attr("astype")("bool");
    return named;
}

nb::object count_queens(const AnyArray& boards, unsigned threads) {
    if (boards.dtype().code != static_cast<std::uint8_t>(nb::dlpack::dtype_code::UInt) ||
        boards.dtype().bits > 32)
        throw nb::type_error(
            fmt::format("boards are {}; they must be uint8, uint16 or uint32 [count, n]", type_text(boards))
                .c_str());
    if (boards.ndim() != 2)
        throw InvalidInput{
            fmt::format("boards have the shape {}; it must be [count, n]", shape_text(boards))};
    if (boards.shape(0) > 0 &&
        ((boards.shape(1) > 1 && boards.stride(1) != 1) || (boards.shape(0) > 1 && boards.stride(0) < 0)))
        throw InvalidInput{"the columns of a board must lie side by side: numpy.ascontiguousarray(boards)"};
    const std::size_t gene_bytes = boards.dtype().bits / 8U;
    const queens::BoardBatch batch{.boards = static_cast<const std::byte*>(boards.data()),
                                   .stride = static_cast<std::size_t>(boards.stride(0)) * gene_bytes,
                                   .count = boards.shape(0),
                                   .n = static_cast<std::uint32_t>(boards.shape(1)),
                                   .gene_bytes = static_cast<unsigned>(gene_bytes)};
    return new_doubles({batch.count}, [&](double* out) {
        const nb::gil_scoped_release others_may_run;
        queens::count_conflicts(batch, {out, batch.count}, threads);
    });
}

template <class Table>
nb::list table_of(const Table& table) {
    nb::list rows;
    for (const auto& row : table)
        rows.append(
            nb::make_tuple(std::string{row.name}, std::string{row.short_name}, std::string{row.meaning}));
    return rows;
}

} // namespace

void bind_batches(nb::module_& module) {
    using namespace nb::literals;
    module.def("measure_mazes", &measure_mazes, "levels"_a, "measures"_a.none(), "entrance"_a,
               "exit"_a.none(), "checkpoints"_a, "threads"_a,
               "What is measured on each of many mazes, by name.");
    module.def("judge_dungeons", &judge_dungeons, "levels"_a, "measures"_a.none(), "threads"_a,
               "Verdicts and measures of many dungeons, by name.");
    module.def("count_queens", &count_queens, "boards"_a, "threads"_a,
               "Pairs of queens on one line, of each board.");
    module.def(
        "maze_measures", [] { return table_of(maze::measure_table()); }, "Names, short names and meanings.");
    module.def(
        "dungeon_measures", [] { return table_of(dungeon::measure_table()); },
        "Names, short names and meanings.");
    nb::list tiles;
    for (std::size_t i = 0; i < dungeon::tile_kinds; ++i)
        tiles.append(std::string{dungeon::name_of(static_cast<dungeon::Tile>(i))});
    module.attr("dungeon_tiles") = tiles;
}

} // namespace knossos::python
