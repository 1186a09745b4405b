#include <knossos/core/text.hpp>
#include <knossos/recipe/domains.hpp>
#include <knossos/recipe/gallery.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace knossos {

namespace {

std::uint64_t cells_of(const std::vector<Axis>& axes) {
    std::uint64_t cells = 1;
    for (const Axis& axis : axes) {
        cells *= axis.cells;
        if (cells > most_cells) break;
    }
    return cells;
}

void require_few_cells(const std::vector<Axis>& axes, std::string_view source) {
    if (cells_of(axes) <= most_cells) return;
    throw InvalidInput{fmt::format("{}: {} makes more than {} cells; take larger steps", source,
                                   to_text(axes), thousands(most_cells))};
}

std::uint32_t cells_along(const Axis& axis) {
    const double count =
        std::ceil((axis.high - axis.low) / axis.step - 1e-9); // a step of 0.1 is not quite that
    return count >= 1.0 ? static_cast<std::uint32_t>(std::min(count, 4e9)) : 1U;
}

void put_in_order(MeasuredGallery& gallery) {
    const Objective objective = gallery.recipe.problem().objective();
    std::vector<std::pair<Quality, std::size_t>> keys;
    keys.reserve(gallery.elites.size());
    for (std::size_t i = 0; i < gallery.elites.size(); ++i)
        keys.emplace_back(gallery.quality(gallery.elites[i]), i);
    std::ranges::stable_sort(keys, [&](const auto& a, const auto& b) {
        const auto& first = gallery.elites[a.second].cell;
        const auto& second = gallery.elites[b.second].cell;
        if (first != second) return first < second;
        return better(objective, a.first, b.first);
    });
    std::vector<Elite> sorted;
    sorted.reserve(keys.size());
    for (const auto& [quality, i] : keys) sorted.push_back(std::move(gallery.elites[i]));
    gallery.elites = std::move(sorted);
}

// The same elites with the records that a recipe of the same problem gives them.
void evaluate_as(MeasuredGallery& gallery, const Recipe& recipe) {
    const Problem problem = recipe.problem();
    for (Elite& elite : gallery.elites) {
        elite.record.assign(problem.schema().size(), 0.0);
        problem.evaluate({.space = &problem.space(),
                          .data = elite.genome.data(),
                          .stride = elite.genome.size(),
                          .count = 1},
                         elite.record);
    }
    gallery.recipe = recipe;
}

// The same elites in the cells that the points of the first of several galleries make, by their records;
// those that lie outside the axes are left out.
void bring_to(const Cells& cells, MeasuredGallery& gallery) {
    const Problem problem = gallery.recipe.problem();
    Population one{problem.space(), 1, problem.schema().size()};
    std::erase_if(gallery.elites, [&](Elite& elite) {
        for (std::size_t i = 0; i < elite.record.size(); ++i) one.column(i)[0] = elite.record[i];
        elite.cell = {cells.cell(one, 0)};
        return cells.outside(one, 0) > 0.0;
    });
}

std::string plain_name(std::string_view name) {
    std::string text{name};
    std::ranges::replace(text, '-', '_');
    return text;
}

std::vector<std::string_view> parts_of(std::string_view text) {
    std::vector<std::string_view> parts;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find_first_of(",;\n", start), text.size());
        if (const auto part = trimmed(text.substr(start, end - start)); !part.empty()) parts.push_back(part);
        start = end + 1;
    }
    return parts;
}

[[noreturn]] void refuse_part(std::string_view source, std::string_view part, std::string_view wanted) {
    throw InvalidInput{fmt::format("{}: '{}' is not {}", source, part.substr(0, 60), wanted)};
}

// "60..80", "60..", "..80" or "60".
std::optional<ValueRange> range_in(std::string_view text) {
    ValueRange range;
    const std::size_t dots = text.find("..");
    if (dots == std::string_view::npos) {
        const auto value = finite_number(text);
        if (!value) return std::nullopt;
        range.low = range.high = *value;
        return range;
    }
    const std::string_view low = text.substr(0, dots);
    const std::string_view high = text.substr(dots + 2);
    if (low.empty() && high.empty()) return std::nullopt;
    if (!low.empty()) {
        const auto value = finite_number(low);
        if (!value) return std::nullopt;
        range.low = *value;
    }
    if (!high.empty()) {
        const auto value = finite_number(high);
        if (!value) return std::nullopt;
        range.high = *value;
    }
    return range;
}

// What is left open follows from what there is: a range that holds everybody, and round steps that make some
// forty cells.
Axis fitted(Axis axis, const GalleryValue& value, const MeasuredGallery& gallery) {
    const bool has_range = std::isfinite(axis.low);
    bool whole = true;
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const Elite& elite : gallery.elites) {
        const double its = value.of(elite);
        low = std::min(low, its);
        high = std::max(high, its);
        whole = whole && its == std::floor(its);
    }
    if (has_range || low > high) {
        low = has_range ? axis.low : 0.0;
        high = has_range ? axis.high : 1.0;
    }
    if (axis.step == 0.0) {
        constexpr double wanted = 40.0;
        const double least = std::max((high - low) / wanted, 1e-9);
        const double power = std::pow(10.0, std::floor(std::log10(least)));
        axis.step = power * (least <= power         ? 1.0
                             : least <= 2.0 * power ? 2.0
                             : least <= 5.0 * power ? 5.0
                                                    : 10.0);
        if (whole) axis.step = std::max(axis.step, 1.0);
    }
    axis.low = has_range ? low : std::floor(low / axis.step) * axis.step;
    axis.high = has_range ? high : (std::floor(high / axis.step) + 1.0) * axis.step;
    axis.cells = cells_along(axis);
    return axis;
}

} // namespace

std::optional<std::uint32_t> place_on(const Axis& axis, double value) {
    if (!(value >= axis.low && value <= axis.high)) return std::nullopt;
    const double place = std::floor((value - axis.low) / axis.step + 1e-9);
    return place >= 0.0 ? static_cast<std::uint32_t>(std::min(place, static_cast<double>(axis.cells - 1)))
                        : 0U;
}

Quality MeasuredGallery::quality(const Elite& elite) const {
    return recipe.problem().schema().quality(elite.record);
}

ArtefactPtr MeasuredGallery::artefact(const Elite& elite) const {
    return recipe.decoder() ? recipe.decoder()(recipe.problem().space(), elite.genome.data()) : nullptr;
}

bool MeasuredGallery::is_grid() const {
    return std::ranges::all_of(axes, [](const Axis& axis) { return axis.step > 0.0; });
}

double MeasuredGallery::coverage() const {
    std::uint64_t filled = 0;
    for (std::size_t i = 0; i < elites.size(); ++i)
        filled += i == 0 || elites[i].cell != elites[i - 1].cell ? 1U : 0U;
    return static_cast<double>(filled) / static_cast<double>(cells);
}

Elite elite_of(const Gallery& gallery, std::size_t index) {
    Elite elite;
    if (gallery.centroids.empty())
        elite.cell = gallery.coordinates(gallery.cell[index]);
    else
        elite.cell = {gallery.cell[index]};
    for (std::size_t column = 0; column < gallery.elites.columns(); ++column)
        elite.record.push_back(gallery.elites.column(column)[index]);
    const std::byte* const genome = gallery.elites.genome(index);
    elite.genome.assign(genome, genome + gallery.elites.space().genome_bytes());
    return elite;
}

std::vector<Elite> elites_of(const Gallery& gallery) {
    std::vector<Elite> all;
    for (std::size_t i = 0; i < gallery.elites.size(); ++i) all.push_back(elite_of(gallery, i));
    return all;
}

MeasuredGallery measured(Recipe recipe, const Gallery& found) {
    MeasuredGallery gallery{
        .recipe = std::move(recipe), .axes = found.axes, .elites = elites_of(found), .cells = found.cells};
    for (Elite& elite : gallery.elites) {
        const ArtefactPtr artefact = gallery.artefact(elite);
        if (!artefact) break;
        const auto measured = artefact->measures();
        if (gallery.measures.empty()) gallery.measures = measured;
        elite.measures.clear();
        for (const Measured& one : measured) elite.measures.push_back(one.value);
    }
    put_in_order(gallery);
    return gallery;
}

GalleryValue value_named(const MeasuredGallery& gallery, std::string_view name, std::string_view wanted_for) {
    const std::string wanted = plain_name(name);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < gallery.measures.size(); ++i) {
        const Measured& one = gallery.measures[i];
        if (plain_name(one.name) == wanted ||
            (!one.short_name.empty() && plain_name(one.short_name) == wanted))
            return {.name = one.name, .is_measure = true, .index = i};
        names.push_back(one.short_name.empty() ? one.name : one.short_name);
    }
    const auto schema = gallery.recipe.problem().schema();
    for (std::size_t i = 0; i < schema.size(); ++i) {
        const std::string column{schema.columns()[i].name.text()};
        if (plain_name(column) == wanted) return {.name = column, .is_measure = false, .index = i};
        // What has blanks in it can't be written; many columns are measures.
        if (column.find(' ') == std::string::npos && std::ranges::find(names, column) == names.end() &&
            std::ranges::find(gallery.measures, column, &Measured::name) == gallery.measures.end())
            names.push_back(column);
    }
    std::vector<std::string> all = names; // the long names may be what was meant, too
    for (const Measured& one : gallery.measures) all.push_back(one.name);
    const auto meant = nearest(name, all);
    throw InvalidInput{fmt::format("{}: there is no measure '{}'; {}", wanted_for, name.substr(0, 60),
                                   meant ? fmt::format("did you mean {}?", *meant)
                                         : fmt::format("there are {}", fmt::join(names, ", ")))};
}

std::vector<ValueRange> parse_ranges(std::string_view text, std::string_view source) {
    std::vector<ValueRange> ranges;
    for (std::string_view part : parts_of(text)) {
        const std::string_view whole = part;
        const std::string_view name = take_word(part);
        auto range = range_in(part);
        if (!range) refuse_part(source, whole, "a measure and a range, such as path 60..80 or loops 3..");
        if (range->low > range->high)
            refuse_part(source, whole, "a range: its lower end is above the upper one");
        range->name = name;
        ranges.push_back(*range);
    }
    if (ranges.empty())
        throw InvalidInput{fmt::format("{}: is empty; a range is path 60..80, for example", source)};
    return ranges;
}

MeasuredGallery filtered(MeasuredGallery gallery, const std::vector<ValueRange>& ranges,
                         std::string_view source) {
    for (const ValueRange& range : ranges) {
        const GalleryValue value = value_named(gallery, range.name, source);
        std::erase_if(gallery.elites, [&](const Elite& elite) {
            return !(value.of(elite) >= range.low && value.of(elite) <= range.high);
        });
    }
    return gallery;
}

std::vector<Axis> parse_axes(std::string_view text, const MeasuredGallery& gallery, std::string_view source) {
    std::vector<Axis> axes;
    try {
        axes = axes_from_text(text);
    } catch (const InvalidSetting& error) {
        throw InvalidInput{fmt::format("{} {}", source, error.fault())};
    }
    if (axes.empty()) throw InvalidInput{fmt::format("{} names no axis; try 'dead-ends, loops'", source)};
    std::vector<std::string> names;
    for (Axis& axis : axes) {
        const GalleryValue value = value_named(gallery, axis.name, source);
        if (std::ranges::find(names, value.name) != names.end())
            throw InvalidInput{fmt::format("{}: {} is there twice; axes are to differ", source, axis.name)};
        names.push_back(value.name);
        axis = fitted(axis, value, gallery);
    }
    require_few_cells(axes, source);
    return axes;
}

MeasuredGallery laid_out(MeasuredGallery gallery, std::vector<Axis> axes) {
    std::vector<GalleryValue> values;
    for (const Axis& axis : axes) values.push_back(value_named(gallery, axis.name, "axes"));
    std::vector<Elite> inside;
    for (Elite& elite : gallery.elites) {
        std::vector<std::uint32_t> cell;
        for (std::size_t i = 0; i < axes.size(); ++i)
            if (const auto bin = place_on(axes[i], values[i].of(elite))) cell.push_back(*bin);
        if (cell.size() < axes.size()) continue;
        elite.cell = std::move(cell);
        inside.push_back(std::move(elite));
    }
    gallery.elites = std::move(inside);
    gallery.axes = std::move(axes);
    gallery.cells = cells_of(gallery.axes);
    put_in_order(gallery);
    return gallery;
}

MeasuredGallery best_of_cells(MeasuredGallery gallery) {
    put_in_order(gallery);
    const auto rest = std::ranges::unique(gallery.elites, {}, &Elite::cell);
    gallery.elites.erase(rest.begin(), rest.end());
    return gallery;
}

MeasuredGallery merged(std::vector<MeasuredGallery> galleries) {
    MeasuredGallery all = std::move(galleries.front());
    std::optional<Cells> centroids;
    if (!all.is_grid())
        centroids.emplace(all.axes, all.recipe.problem().schema(), static_cast<std::uint32_t>(all.cells));
    const auto& problem = *all.recipe.choice("problem");
    for (std::size_t i = 1; i < galleries.size(); ++i) {
        MeasuredGallery& other = galleries[i];
        const auto& its = *other.recipe.choice("problem");
        std::string what;
        if (its.kind != problem.kind)
            what = fmt::format("problem.kind is {} and {}", problem.kind, its.kind);
        else // what individuals are described by is a matter of the axes, not of the problem
            for (const auto& [key, value] : problem.values)
                if (key != domain_of(all.recipe).descriptors_field && !(its.values.at(key) == value))
                    what = fmt::format("problem.{} differs", key);
        if (!what.empty())
            throw InvalidInput{fmt::format("galleries of different problems can't be merged: {}", what)};
        if (!(other.recipe.problem().schema() == all.recipe.problem().schema()))
            evaluate_as(other, all.recipe);
        const bool same_cells = other.axes == all.axes && other.cells == all.cells;
        if (!same_cells && centroids) {
            bring_to(*centroids, other);
        } else if (!same_cells) {
            std::vector<Axis> axes = all.axes;
            other = laid_out(std::move(other), std::move(axes));
        }
        if (all.measures.empty()) all.measures = other.measures;
        std::ranges::move(other.elites, std::back_inserter(all.elites));
    }
    return best_of_cells(std::move(all));
}

} // namespace knossos
