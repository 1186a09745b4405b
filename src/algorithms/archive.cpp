#include <knossos/algorithms/archive.hpp>
#include <knossos/core/error.hpp>
#include <knossos/core/ranking.hpp>
#include <knossos/core/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace knossos {

namespace {

[[noreturn]] void refuse(const std::string& fault) {
    throw InvalidSetting{"algorithm", "map-elites", "axes", fault};
}

constexpr std::string_view example = "an axis looks like 'path 0..262 by 2'";

double number_in(std::string_view text, std::string_view axis) {
    if (const auto value = finite_number(text)) return *value;
    refuse(fmt::format("has '{}' in '{}', which is no number; {}", text, axis, example));
}

Axis axis_from_text(std::string_view text) {
    const std::string_view whole = text;
    Axis axis;
    axis.name = take_word(text);
    axis.low = -std::numeric_limits<double>::infinity(); // until the column says
    axis.high = std::numeric_limits<double>::infinity();
    std::string_view word = take_word(text);
    if (const std::size_t dots = word.find(".."); dots != std::string_view::npos) {
        axis.low = number_in(word.substr(0, dots), whole);
        axis.high = number_in(word.substr(dots + 2), whole);
        if (!(axis.low < axis.high))
            refuse(fmt::format("has the range {} for {}; the lower end comes first", word, axis.name));
        word = take_word(text);
    }
    if (word == "by") {
        axis.step = number_in(take_word(text), whole);
        if (!(axis.step > 0.0))
            refuse(fmt::format("has the step {} for {}; it must be above 0", axis.step, axis.name));
        word = take_word(text);
    }
    if (!word.empty()) refuse(fmt::format("has '{}' in '{}'; {}", word, whole, example));
    return axis;
}

// People write dead-ends where a column is called dead_ends.
bool same_name(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b,
                              [](char x, char y) { return (x == '-' ? '_' : x) == (y == '-' ? '_' : y); });
}

std::size_t column_named(const Schema& schema, const std::string& name) {
    std::vector<std::string> known;
    std::vector<std::string> all;
    for (std::size_t i = 0; i < schema.size(); ++i) {
        const Column& column = schema.columns()[i];
        if (same_name(column.name.text(), name)) return i;
        all.emplace_back(column.name.text());
        if (column.role == Role::descriptor) known.emplace_back(column.name.text());
    }
    const auto meant = nearest(name, known);
    refuse(fmt::format("names '{}', which the problem does not measure; {}", name,
                       known.empty() ? fmt::format("it has no descriptors, and an axis can only be {}",
                                                   fmt::join(all, " or "))
                       : meant       ? fmt::format("did you mean {}?", *meant)
                                     : fmt::format("its descriptors are {}", fmt::join(known, ", "))));
}

std::uint32_t cells_along(const Axis& axis) {
    const double cells = std::ceil((axis.high - axis.low) / axis.step);
    if (!(cells <= static_cast<double>(most_cells)))
        refuse(fmt::format("makes {} cells along {} alone; {} in all are the most: take a larger step",
                           cells < 1e15 ? thousands(static_cast<std::uint64_t>(cells))
                                        : fmt::format("{:.3g}", cells),
                           axis.name, thousands(most_cells)));
    return std::max(1U, static_cast<std::uint32_t>(cells));
}

double value_of(const Population& population, std::size_t column, std::size_t individual) {
    return population.column(column)[individual];
}

// Where a cell is looked for first: neighbouring ones far apart, whatever width sizes have here.
constexpr std::uint64_t first_place(std::uint32_t cell, std::uint64_t places) {
    const std::uint64_t scattered = cell * std::uint64_t{0x9E3779B97F4A7C15U} >> 32U;
    return scattered * places >> 32U;
}
static_assert(first_place(1, 1000) == 618 && first_place(2, 1000) == 236);

} // namespace

std::vector<Axis> axes_from_text(std::string_view text) {
    std::vector<Axis> axes;
    while (!trimmed(text).empty()) {
        const std::size_t end = std::min(text.find(','), text.size());
        const std::string_view one = trimmed(text.substr(0, end));
        if (one.empty()) refuse(fmt::format("has an axis without a name; {}", example));
        axes.push_back(axis_from_text(one));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return axes;
}

std::string to_text(std::span<const Axis> axes) {
    std::string text;
    for (const Axis& axis : axes) {
        text += fmt::format("{}{} {}..{}", text.empty() ? "" : ", ", axis.name, axis.low, axis.high);
        if (axis.step > 0.0) text += fmt::format(" by {}", axis.step);
    }
    return text;
}

Cells::Cells(std::vector<Axis> axes, const Schema& schema, std::uint32_t centroids) : axes_{std::move(axes)} {
    if (axes_.empty()) refuse(fmt::format("is empty; it says in what the elites are to differ: {}", example));
    for (Axis& axis : axes_) {
        const std::size_t column = column_named(schema, axis.name);
        if (std::ranges::find(columns_, column) != columns_.end())
            refuse(fmt::format("names {} twice", axis.name));
        columns_.push_back(column);
        const Column& its = schema.columns()[column];
        if (!std::isfinite(axis.low)) {
            if (!std::isfinite(its.low) || !std::isfinite(its.high))
                refuse(fmt::format("has no range for {}; {}", axis.name, example));
            axis.low = its.low;
            axis.high = its.high;
        }
        if (centroids != 0) {
            if (axis.step != 0.0)
                refuse(fmt::format("has a step for {}, but centroids make the cells: leave out 'by {}'",
                                   axis.name, axis.step));
            continue;
        }
        if (axis.step == 0.0) refuse(fmt::format("has no step for {}; {}", axis.name, example));
        axis.cells = cells_along(axis);
        count_ *= axis.cells;
        if (count_ > most_cells)
            refuse(fmt::format("makes more than {} cells; take larger steps, narrower ranges or fewer axes",
                               thousands(most_cells)));
    }
    if (centroids == 0) return;
    count_ = centroids;
    centroids_.emplace(centroids, axes_.size());
}

std::vector<std::vector<double>> Cells::centroids() const {
    std::vector<std::vector<double>> all;
    if (!centroids_) return all;
    for (std::uint32_t cell = 0; cell < centroids_->count(); ++cell) {
        auto& one = all.emplace_back();
        for (std::size_t i = 0; i < axes_.size(); ++i)
            one.push_back(axes_[i].low + centroids_->point(cell)[i] * (axes_[i].high - axes_[i].low));
    }
    return all;
}

std::uint32_t Cells::cell(const Population& population, std::size_t individual) const {
    if (centroids_) {
        std::vector<double> place(axes_.size());
        for (std::size_t i = 0; i < axes_.size(); ++i) {
            const Axis& axis = axes_[i];
            const double value = value_of(population, columns_[i], individual);
            place[i] = std::clamp((value - axis.low) / (axis.high - axis.low), 0.0, 1.0);
        }
        return centroids_->nearest(place);
    }
    std::uint32_t cell = 0;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
        const Axis& axis = axes_[i];
        const double along = (value_of(population, columns_[i], individual) - axis.low) / axis.step;
        const double last = axis.cells - 1;
        // Written so that what is no number would be the first.
        const double inside = along > 0.0 ? std::min(along, last) : 0.0;
        cell = cell * axis.cells + static_cast<std::uint32_t>(inside);
    }
    return cell;
}

double Cells::outside(const Population& population, std::size_t individual) const {
    double shares = 0.0;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
        const Axis& axis = axes_[i];
        const double value = value_of(population, columns_[i], individual);
        if (value < axis.low) shares += (axis.low - value) / (axis.high - axis.low);
        if (value > axis.high) shares += (value - axis.high) / (axis.high - axis.low);
    }
    return shares;
}

std::size_t Archive::place_of(std::uint32_t cell) const {
    const std::size_t size = table_.size();
    auto place = static_cast<std::size_t>(first_place(cell, size));
    while (table_[place] != nobody && cell_[table_[place]] != cell) place = place + 1 == size ? 0 : place + 1;
    return place;
}

std::uint32_t Archive::elite(std::uint32_t cell) const {
    return table_.empty() ? nobody : table_[place_of(cell)];
}

void Archive::add(std::uint32_t cell) {
    // Not twice as much, as a vector would take by itself: archives are meant to be small.
    if (cell_.size() == cell_.capacity()) cell_.reserve(cell_.size() + cell_.size() / 16 + 16);
    cell_.push_back(cell);
    // A fifth of the places stays free.
    if (cell_.size() * 5 > table_.size() * 4) {
        table_.assign(cell_.size() + cell_.size() / 2 + 16, nobody);
        for (std::uint32_t i = 0; i < cell_.size(); ++i) table_[place_of(cell_[i])] = i;
    } else {
        table_[place_of(cell)] = static_cast<std::uint32_t>(cell_.size() - 1);
    }
}

double Archive::missed(const Population& population, std::size_t individual) const {
    return population.keys()[individual] + cells_->outside(population, individual);
}

bool Archive::is_worse(const Population& a, std::size_t individual, const Population& b,
                       std::size_t other) const {
    const double missed_a = missed(a, individual);
    const double missed_b = missed(b, other);
    if (missed_a != missed_b) return missed_a > missed_b;
    return a.ties()[individual] > b.ties()[other];
}

bool Archive::is_shown(const Population& elites, std::size_t elite) const {
    return missed(elites, elite) == 0.0;
}

void Archive::count(const Schema& schema, const Population& elites, std::size_t elite, bool is_added) {
    if (!is_shown(elites, elite)) return;
    double share = 1.0;
    if (schema.has_objective()) {
        const Column& column = schema.columns()[schema.objectives().front()];
        const double value = elites.fitness()[elite];
        if (std::isfinite(column.low) && std::isfinite(column.high)) {
            share = std::clamp((value - column.low) / (column.high - column.low), 0.0, 1.0);
            if (column.direction == Objective::minimise) share = 1.0 - share;
        }
    }
    const auto worth = static_cast<std::uint64_t>(share * 0x1p32);
    filled_ += is_added ? 1 : ~std::uint64_t{0};
    worth_ += is_added ? worth : ~worth + 1;
}

double Archive::qd_score() const { return static_cast<double>(worth_) * 0x1p-32; }

bool Archive::rebuild(const Schema& schema, const Population& elites) {
    cell_.clear();
    table_.clear();
    filled_ = 0;
    worth_ = 0;
    for (std::size_t i = 0; i < elites.size(); ++i) {
        const std::uint32_t cell = cells_->cell(elites, i);
        if (elite(cell) != nobody) return false;
        add(cell);
        count(schema, elites, i, true);
    }
    return true;
}

Archive::Entry Archive::enter(const Schema& schema, Population& elites, const Population& from,
                              std::size_t individual, std::uint32_t cell) {
    const std::uint32_t present = elite(cell);
    if (present == nobody) {
        elites.resize(elites.size() + 1);
        elites.copy_from(from, individual, elites.size() - 1);
        add(cell);
        count(schema, elites, elites.size() - 1, true);
        return Entry::new_cell;
    }
    if (is_worse(from, individual, elites, present)) return Entry::refused;
    const bool is_progress = is_better(from, individual, elites, present);
    count(schema, elites, present, false);
    elites.copy_from(from, individual, present);
    count(schema, elites, present, true);
    return is_progress ? Entry::better : Entry::as_good;
}

std::vector<std::uint32_t> Gallery::coordinates(std::uint32_t of_cell) const {
    std::vector<std::uint32_t> along(axes.size());
    for (std::size_t i = axes.size(); i-- > 0;) {
        along[i] = of_cell % axes[i].cells;
        of_cell /= axes[i].cells;
    }
    return along;
}

Gallery united(const Schema& schema, const std::shared_ptr<const Cells>& cells,
               std::span<const Population* const> islands) {
    Archive archive{cells};
    Population all;
    std::vector<std::uint32_t> origins;
    for (std::uint32_t island = 0; island < islands.size(); ++island) {
        const Population& elites = *islands[island];
        if (island == 0) all = Population{elites.space(), 0, elites.columns()};
        for (std::size_t i = 0; i < elites.size(); ++i) {
            if (!archive.is_shown(elites, i)) continue;
            const std::uint32_t cell = cells->cell(elites, i);
            const std::uint32_t present = archive.elite(cell);
            if (present != Archive::nobody && !archive.is_better(elites, i, all, present)) continue;
            archive.enter(schema, all, elites, i, cell);
            if (present == Archive::nobody)
                origins.push_back(island);
            else
                origins[present] = island;
        }
    }
    std::vector<std::uint32_t> order(all.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](std::uint32_t i) { return archive.cell()[i]; });
    Gallery gallery{.axes = cells->axes(),
                    .cells = cells->count(),
                    .centroids = cells->centroids(),
                    .elites = {all.space(), all.size(), all.columns()},
                    .coverage = archive.coverage(),
                    .qd_score = archive.qd_score()};
    for (std::size_t i = 0; i < order.size(); ++i) {
        gallery.elites.copy_from(all, order[i], i);
        gallery.cell.push_back(archive.cell()[order[i]]);
        gallery.island.push_back(origins[order[i]]);
    }
    return gallery;
}

} // namespace knossos
