#include <knossos/maze/view/level.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iterator>

namespace knossos::maze {

namespace {

std::string joined_cells(const std::vector<Cell>& cells) {
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i)
        fmt::format_to(std::back_inserter(text), "{}[{},{}]", i == 0 ? "" : ",", cells[i].x, cells[i].y);
    return text;
}

// Rows of characters as an array of strings, one a line.
template <class Character>
std::string rows_json(const Grid& grid, Character character) {
    std::string text = "[";
    for (std::uint32_t y = 0; y < grid.height(); ++y) {
        text += y == 0 ? "\n\"" : ",\n\"";
        for (std::uint32_t x = 0; x < grid.width(); ++x) text += character(Cell{x, y});
        text += '"';
    }
    return text + "]";
}

std::string distances_json(const maze::Survey& survey) {
    std::string text = "[";
    for (std::size_t i = 0; i < survey.distance.size(); ++i) {
        if (i % survey.width == 0) text += i == 0 ? "\n[" : "],\n[";
        fmt::format_to(std::back_inserter(text), "{}{}", i % survey.width == 0 ? "" : ",",
                       survey.distance[i]);
    }
    return text + "]]";
}

} // namespace

std::string level_ascii(const Level& level) { return maze::to_text(maze::with_walls_as_rock(level)); }

std::string level_csv(const Level& given) {
    const Level level = maze::with_walls_as_rock(given);
    std::vector<std::string> fields(level.grid.area());
    for (std::size_t i = 0; i < fields.size(); ++i)
        fields[i] = level.grid.is_rock(level.grid.cell(i)) ? "#" : ".";
    fields[level.grid.index(level.entrance)] += 'E';
    fields[level.grid.index(level.exit)] += 'X';
    for (std::size_t i = 0; i < level.checkpoints.size(); ++i)
        fields[level.grid.index(level.checkpoints[i])] += fmt::format("C{}", i + 1);
    std::string text;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        text += fields[i];
        text += (i + 1) % level.grid.width() == 0 ? '\n' : ',';
    }
    return text;
}

std::string level_intgrid(const Level& given) {
    const Level level = maze::with_walls_as_rock(given);
    std::string values(level.grid.area(), '0');
    for (std::size_t i = 0; i < values.size(); ++i)
        if (level.grid.is_rock(level.grid.cell(i))) values[i] = '1';
    for (const Cell checkpoint : level.checkpoints) values[level.grid.index(checkpoint)] = '4';
    values[level.grid.index(level.exit)] = '3';
    values[level.grid.index(level.entrance)] = '2';
    std::string text;
    for (std::size_t i = 0; i < values.size(); ++i) {
        text += values[i];
        text += (i + 1) % level.grid.width() == 0 ? '\n' : ',';
    }
    return text;
}

std::string measures_json(const maze::Measures& measures) {
    std::string text = "{";
    for (const maze::MeasureInfo& info : maze::measure_table()) {
        if (text.size() > 1) text += ',';
        fmt::format_to(std::back_inserter(text), "\"{}\":", info.name);
        const double value = maze::value_of(measures, info.measure);
        if (info.measure == maze::Measure::shortest_paths) // may be more than a double holds
            text += std::to_string(measures.shortest_paths);
        else if (info.kind == MeasureKind::share)
            text += fmt::format("{}", value);
        else
            text += std::to_string(static_cast<std::int64_t>(value));
    }
    return text + "}";
}

std::string score_json(const Score& score) {
    using Json = nlohmann::ordered_json;
    auto terms = Json::array();
    for (const auto& term : score.terms)
        terms.push_back({{"term", to_text(term.term)},
                         {"value", term.value},
                         {"contribution", term.contribution},
                         {"met", term.met}});
    const Json total = score.total ? Json(*score.total) : Json{};
    return Json{{"total", total}, {"violation", score.violation}, {"usable", score.usable}, {"terms", terms}}
        .dump();
}

std::string level_json(const Level& level, bool brief) {
    const Grid& grid = level.grid;
    std::string text = fmt::format(
        "{{\"cells\":{},\n\"entrance\":[{},{}],\n\"exit\":[{},{}],\n\"checkpoints\":[{}]",
        rows_json(grid, [&](Cell cell) { return grid.is_rock(cell) ? '#' : '.'; }), level.entrance.x,
        level.entrance.y, level.exit.x, level.exit.y, joined_cells(level.checkpoints));
    if (grid.has_walls()) {
        text += ",\n\"walls_east\":" +
                rows_json(grid, [&](Cell cell) { return grid.wall_east(cell) ? '|' : '.'; });
        text += ",\n\"walls_south\":" +
                rows_json(grid, [&](Cell cell) { return grid.wall_south(cell) ? '_' : '.'; });
    }
    if (!brief) {
        const maze::Survey survey = maze::survey(level);
        text +=
            fmt::format(",\n\"solution\":[{}],\n\"distances\":{},\n\"measures\":{}",
                        joined_cells(survey.path), distances_json(survey), measures_json(survey.measures));
    }
    return text + "}\n";
}

} // namespace knossos::maze
