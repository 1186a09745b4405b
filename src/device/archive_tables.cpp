#include "device/archive_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knossos::device {

namespace {

constexpr std::uint64_t most_entries = std::uint64_t{1} << 20U; // of all tables
constexpr std::uint64_t most_keys = 0xFFFFFFFFU;                // the last means that nobody is there

using WholeColumn = DeviceKernel::WholeColumn;

bool is_whole(double value) { return value == std::floor(value) && std::abs(value) < 0x1p31; }

// What is counted together: how much is missed in all depends on the values of all of them.
struct Part {
    std::size_t column;
    bool is_axis;
    std::vector<double> values; ///< those that differ in what is missed; of an axis, the first lies inside
};

// One record by which the host's arithmetic is asked.
class Sample {
  public:
    Sample(const Schema& schema, const Cells& cells)
        : schema_{&schema}, cells_{&cells}, population_{Space::bits(1), 1, schema.size()} {
        for (std::size_t i = 0; i < cells.axes().size(); ++i) set(cells.columns()[i], cells.axes()[i].low);
    }
    void set(std::size_t column, double value) { population_.column(column)[0] = value; }
    [[nodiscard]] double outside() const { return cells_->outside(population_, 0); }
    [[nodiscard]] double missed() {
        rate(*schema_, population_, 0);
        return population_.keys()[0] + outside();
    }
    [[nodiscard]] std::uint32_t cell() const { return cells_->cell(population_, 0); }

  private:
    const Schema* schema_;
    const Cells* cells_;
    Population population_;
};

// The values of a column as it is kept: descriptors don't leave their range.
std::optional<WholeColumn> kept_inside(const Column& column, WholeColumn possible) {
    if (column.role != Role::descriptor) return possible;
    WholeColumn kept = possible;
    if (column.low > possible.lowest) {
        if (!is_whole(column.low)) return std::nullopt;
        kept.lowest = static_cast<std::int32_t>(column.low);
    }
    if (column.high < possible.highest) {
        if (!is_whole(column.high)) return std::nullopt;
        kept.highest = static_cast<std::int32_t>(column.high);
    }
    return kept;
}

std::uint64_t count_of(WholeColumn column) {
    return static_cast<std::uint64_t>(std::int64_t{column.highest} - column.lowest + 1);
}

} // namespace

std::optional<ArchiveTables> ArchiveTables::of(const Schema& schema, const Cells& cells,
                                               std::span<const WholeColumn> columns) {
    const auto known = schema.columns();
    if (columns.size() != known.size() || schema.plain() || schema.objectives().size() != 1 ||
        std::ranges::any_of(known, [](const Column& one) { return one.role == Role::guide; }) ||
        std::ranges::any_of(cells.axes(), [](const Axis& axis) { return axis.step == 0.0; }))
        return std::nullopt;
    std::vector<WholeColumn> kept;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const auto inside = kept_inside(known[i], columns[i]);
        if (!inside || inside->lowest > inside->highest || count_of(*inside) > most_entries)
            return std::nullopt;
        kept.push_back(*inside);
    }

    ArchiveTables its;
    its.cells_ = cells.count();
    its.is_minimised_ = schema.objective() == Objective::minimise;
    std::string keep;
    std::string place = "    uint missing = 0, at;\n";
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (kept[i].lowest != columns[i].lowest || kept[i].highest != columns[i].highest)
            keep += fmt::format("    outside += columns[{0}] < {1} || columns[{0}] > {2} ? 1 : 0;\n"
                                "    columns[{0}] = clamp(columns[{0}], {1}, {2});\n",
                                i, kept[i].lowest, kept[i].highest);

    // Whatever may be missed, and how often each value stands for another amount.
    std::vector<Part> parts;
    for (std::size_t i = 0; i < known.size(); ++i) {
        if (known[i].role != Role::violation) continue;
        if (std::ranges::find(cells.columns(), i) != cells.columns().end() || kept[i].lowest < 0)
            return std::nullopt;
        Part part{.column = i, .is_axis = false, .values = {}};
        for (std::int32_t value = 0; value <= kept[i].highest; ++value) part.values.push_back(value);
        parts.push_back(std::move(part));
    }
    std::uint64_t combinations = 1;
    for (const Part& part : parts) {
        place += fmt::format("    missing += (uint)clamp(columns[{0}], 0, {1}) * {2}u;\n", part.column,
                             part.values.size() - 1, combinations);
        combinations *= part.values.size();
        if (combinations > most_entries) return std::nullopt;
    }
    place += "    const uint violated = missing;\n    uint its_cell = 0;\n";
    for (std::size_t a = 0; a < cells.axes().size(); ++a) {
        const std::size_t column = cells.columns()[a];
        const WholeColumn range = kept[column];
        if (its.content_.size() + 2 * count_of(range) > most_entries) return std::nullopt;
        place += fmt::format("    at = {}u + 2 * (uint)(clamp(columns[{}], {}, {}) - ({}));\n"
                             "    its_cell += tables[at];\n    missing += tables[at + 1];\n",
                             its.content_.size(), column, range.lowest, range.highest, range.lowest);
        Sample sample{schema, cells};
        Part part{.column = column, .is_axis = true, .values = {cells.axes()[a].low}};
        for (std::int64_t value = range.lowest; value <= range.highest; ++value) {
            sample.set(column, static_cast<double>(value));
            std::uint64_t outside = 0;
            if (sample.outside() != 0.0) {
                outside = part.values.size() * combinations;
                part.values.push_back(static_cast<double>(value));
            }
            if (outside > most_entries) return std::nullopt;
            its.content_.push_back(sample.cell());
            its.content_.push_back(static_cast<std::uint32_t>(outside));
        }
        combinations *= part.values.size();
        if (combinations > most_entries) return std::nullopt;
        parts.push_back(std::move(part));
    }

    std::vector<double> missed;
    Sample sample{schema, cells};
    std::vector<std::size_t> which(parts.size(), 0);
    for (const Part& part : parts) sample.set(part.column, part.values.front());
    for (std::uint64_t i = 0; i < combinations; ++i) {
        missed.push_back(sample.missed());
        for (std::size_t p = 0; p < parts.size(); ++p) { // the first part changes fastest
            which[p] = which[p] + 1 == parts[p].values.size() ? 0 : which[p] + 1;
            sample.set(parts[p].column, parts[p].values[which[p]]);
            if (which[p] != 0) break;
        }
    }
    its.missed_ = missed;
    std::ranges::sort(its.missed_);
    its.missed_.erase(std::ranges::unique(its.missed_).begin(), its.missed_.end());

    const std::size_t objective = schema.objectives().front();
    const WholeColumn range = kept[objective];
    if (count_of(range) * its.missed_.size() >= most_keys) return std::nullopt;
    its.ties_ = static_cast<std::uint32_t>(count_of(range));
    its.first_tie_ = its.is_minimised_ ? range.lowest : -static_cast<double>(range.highest);
    const std::string value =
        fmt::format("clamp(columns[{}], {}, {})", objective, range.lowest, range.highest);
    const std::string preference = its.is_minimised_ ? fmt::format("(uint)({} - ({}))", value, range.lowest)
                                                     : fmt::format("(uint)({} - {})", range.highest, value);
    const std::size_t ranks = its.content_.size();
    for (const double one : missed)
        its.content_.push_back(static_cast<std::uint32_t>(
            (std::ranges::lower_bound(its.missed_, one) - its.missed_.begin()) * std::int64_t{its.ties_}));
    place += fmt::format("    const uint preference = {};\n    *cell = its_cell;\n"
                         "    *key = tables[{}u + missing] + preference;\n"
                         "    *quality = tables[{}u + violated] + preference;\n",
                         preference, ranks, ranks);
    its.source_ =
        fmt::format("#define CELLS {}u\n#define COLUMNS {}\n"
                    "// Brings descriptors back into their ranges; how many were outside.\n"
                    "uint keep_inside(int* columns) {{\n    uint outside = 0;\n{}    return outside;\n}}\n\n"
                    "void place(const int* columns, __global const uint* tables, uint* cell, uint* key, "
                    "uint* quality) {{\n{}}}\n",
                    its.cells_, columns.size(), keep, place);
    return its;
}

std::optional<std::uint32_t> ArchiveTables::preference(double tie) const {
    const double above = tie - first_tie_;
    if (!(above >= 0.0 && above < ties_) || above != std::floor(above)) return std::nullopt;
    return static_cast<std::uint32_t>(above);
}

std::optional<std::uint32_t> ArchiveTables::key(const Cells& cells, const Population& elites,
                                                std::size_t elite) const {
    const double missed = elites.keys()[elite] + cells.outside(elites, elite);
    const auto rank = std::ranges::lower_bound(missed_, missed);
    const auto its = preference(elites.ties()[elite]);
    if (rank == missed_.end() || *rank != missed || !its) return std::nullopt;
    return static_cast<std::uint32_t>(rank - missed_.begin()) * ties_ + *its;
}

std::uint32_t ArchiveTables::bar(const Quality& quality) const {
    const auto rank = std::ranges::lower_bound(missed_, quality.violation);
    const std::uint64_t worse = static_cast<std::uint64_t>(rank - missed_.begin()) * ties_;
    if (rank == missed_.end() || *rank != quality.violation) return static_cast<std::uint32_t>(worse);
    const double tie = (is_minimised_ ? quality.fitness : -quality.fitness) - first_tie_;
    const double above = std::clamp(std::ceil(tie), 0.0, static_cast<double>(ties_));
    return static_cast<std::uint32_t>(worse + static_cast<std::uint64_t>(above));
}

} // namespace knossos::device
