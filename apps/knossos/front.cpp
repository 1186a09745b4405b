#include "front.hpp"

#include "outputs.hpp"
#include "terminal.hpp"

#include <knossos/core/error.hpp>
#include <knossos/core/files.hpp>
#include <knossos/recipe/domains.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace knossos::app {

namespace {

struct TableColumn {
    std::vector<std::string> cells; ///< the heading first
    std::size_t width = 0;
};

TableColumn table_column(const TradeOffs& front, std::size_t index) {
    const Column& column = front.columns[index];
    TableColumn made;
    const std::string_view name = column.name.text();
    made.cells.push_back(
        column.role == Role::objective
            ? fmt::format("{} {}", column.direction == Objective::maximise ? "max" : "min", name)
        : column.role == Role::violation ? fmt::format("missed {}", name)
                                         : std::string{name});
    for (const auto& record : front.records) made.cells.push_back(fmt::format("{:.6g}", record[index]));
    for (const std::string& cell : made.cells) made.width = std::max(made.width, width_of(cell));
    return made;
}

// Objectives first, then what is missed by anybody, then what is merely described.
std::vector<std::size_t> told_columns(const TradeOffs& front) {
    std::vector<std::size_t> told;
    for (const Role role : {Role::objective, Role::violation, Role::descriptor})
        for (std::size_t i = 0; i < front.columns.size(); ++i) {
            if (front.columns[i].role != role) continue;
            const bool is_missed =
                std::ranges::any_of(front.records, [&](const auto& record) { return record[i] != 0.0; });
            if (role != Role::violation || is_missed) told.push_back(i);
        }
    return told;
}

std::string right(const std::string& text, std::size_t width) {
    const std::size_t its_width = width_of(text);
    return std::string(width > its_width ? width - its_width : 0, ' ') + text;
}

std::string front_table(const TradeOffs& front, const render::TerminalOptions& options) {
    TableColumn numbers{.cells = {"point"}, .width = 5};
    for (std::size_t i = 1; i <= front.records.size(); ++i) numbers.cells.push_back(std::to_string(i));
    std::vector<TableColumn> table{std::move(numbers)};
    std::size_t width = 2 + table.front().width;
    std::size_t left_out = 0;
    for (const std::size_t index : told_columns(front)) {
        TableColumn column = table_column(front, index);
        if (width + 2 + column.width > options.columns) {
            ++left_out;
            continue;
        }
        width += 2 + column.width;
        table.push_back(std::move(column));
    }
    std::string text;
    for (std::size_t row = 0; row <= front.records.size(); ++row) {
        for (const TableColumn& column : table) text += "  " + right(column.cells[row], column.width);
        text += "\n";
    }
    if (left_out != 0)
        text += fmt::format("  {} did not fit; with -d FOLDER, front.csv has all\n",
                            counted(left_out, "column", "columns"));
    return text;
}

// So many that come near are enough to see what is missed.
constexpr std::size_t most_near = 5;

// By how much they miss what must hold; the order of equals stays.
TradeOffs nearest_of(const Result& result) {
    std::vector<const HallEntry*> entries;
    for (const HallEntry& one : result.hall_of_fame) entries.push_back(&one);
    std::ranges::stable_sort(entries, {}, &HallEntry::violation);
    TradeOffs nearest{.columns = result.columns, .records = {}};
    for (const HallEntry* one : entries)
        if (nearest.records.size() < most_near) nearest.records.push_back(one->record);
    return nearest;
}

} // namespace

void require_front(const Schema& schema, const std::string& source) {
    if (schema.objectives().size() > 1) return;
    throw InvalidInput{
        fmt::format("--front lists the trade-offs between two objectives and more; {} has {} ({})", source,
                    schema.has_objective() ? "one" : "none", schema.to_text())};
}

void print_front(const TradeOffs& front, const render::TerminalOptions& options) {
    if (front.records.empty()) {
        fmt::print("\n  none holds everything that must hold: there are no trade-offs\n");
        return;
    }
    std::string text = "\n  " + counted(front.records.size(), "trade-off", "trade-offs");
    if (front.hypervolume)
        text += fmt::format(", which together dominate {:.3g} (hypervolume)", *front.hypervolume);
    text += "\n\n" + front_table(front, options);
    if (front.records.size() > 1) text += "\n" + render::chart_text(front_chart(front, ""), options);
    fmt::print("{}", text);
}

void print_front(const Result& result, const render::TerminalOptions& options) {
    const TradeOffs front = trade_offs_of(result);
    if (!front.records.empty() || result.hall_of_fame.empty()) return print_front(front, options);
    fmt::print("\n  none holds everything; nearest:\n\n{}", front_table(nearest_of(result), options));
}

bool write_front(const Recipe& recipe, const Result& result, const std::vector<std::string>& outputs,
                 const render::FormatOptions& options) {
    // Those that miss something are no trade-offs. One that holds everything is better than any that does
    // not, so that they never stand beside each other.
    if (result.hall_of_fame.empty() || result.hall_of_fame.front().violation != 0.0) return true;
    SeveralOutputs files{outputs, result.hall_of_fame.size(), recipe.registry(), options};
    bool all = true;
    for (std::size_t i = 0; i < result.hall_of_fame.size() && !outputs.empty(); ++i) {
        const ArtefactPtr point = artefact_of(recipe, result.hall_of_fame[i].genome);
        if (!point) return true;
        std::vector<std::string> names;
        for (const std::string& output : outputs)
            names.push_back(numbered(output, i + 1, result.hall_of_fame.size()));
        if (!may_be_written(*point, names, recipe.registry())) {
            all = false;
            files.skip();
            continue;
        }
        files.add(*point);
        files.write();
    }
    files.finish();
    return all;
}

void write_front_pictures(const Recipe& recipe, const TradeOffs& front, const std::filesystem::path& folder) {
    if (front.records.empty()) return;
    const render::Picture picture =
        render::chart_picture(front_chart(front, fmt::format("{}, seed {}", recipe.name(), recipe.seed())));
    write_file(folder / "front.svg", render::to_svg(picture));
    write_file(folder / "front.png", render::to_png(picture));
}

} // namespace knossos::app
