#include "gallery_command.hpp"

#include "outputs.hpp"
#include "terminal.hpp"

#include <knossos/core/files.hpp>
#include <knossos/core/text.hpp>
#include <knossos/recipe/domains.hpp>
#include <knossos/render/contact_sheet.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ranges>

namespace knossos::app {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t usual_sheet = 24;

std::string short_figure(double value) {
    return std::abs(value) < 1e15 && value == std::floor(value) ? fmt::format("{:.0f}", value)
                                                                : fmt::format("{:.3g}", value);
}

std::vector<GalleryValue> values_of_axes(const MeasuredGallery& gallery) {
    std::vector<GalleryValue> values;
    for (const Axis& axis : gallery.axes) values.push_back(value_named(gallery, axis.name, "axes"));
    return values;
}

// Indices, the best first; of equals the first.
std::vector<std::size_t> best_first(const MeasuredGallery& gallery) {
    std::vector<std::size_t> order(gallery.elites.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const Schema schema = gallery.recipe.problem().schema();
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        return better(schema.objective(), schema.quality(gallery.elites[a].record),
                      schema.quality(gallery.elites[b].record));
    });
    return order;
}

struct Choice {
    std::vector<std::size_t> chosen;
    std::optional<double> least_apart{};
};

// How far the values of those in a gallery reach.
std::string reach_of(const MeasuredGallery& gallery, const GalleryValue& value) {
    if (gallery.elites.empty()) return "nothing";
    const auto values =
        gallery.elites | std::views::transform([&](const Elite& one) { return value.of(one); });
    const auto [low, high] = std::ranges::minmax(values);
    return fmt::format("{}..{}", short_figure(low), short_figure(high));
}

// How many of a gallery lie in each range alone, and where they all lie: which range is too narrow.
std::string each_range_of(const MeasuredGallery& gallery, const std::string& where) {
    std::string text;
    for (const ValueRange& range : parse_ranges(where, "--where")) {
        const GalleryValue value = value_named(gallery, range.name, "--where");
        const auto inside = std::ranges::count_if(gallery.elites, [&](const Elite& one) {
            return value.of(one) >= range.low && value.of(one) <= range.high;
        });
        text += fmt::format("\n  {} {}..{}: {} alone; {} in {}", range.name,
                            std::isfinite(range.low) ? short_figure(range.low) : "",
                            std::isfinite(range.high) ? short_figure(range.high) : "",
                            inside == 0 ? "none" : thousands(static_cast<std::uint64_t>(inside)),
                            gallery.elites.size() == 1 ? "the one that there is lies" : "all lie",
                            reach_of(gallery, value));
    }
    return text;
}

// Why nothing is left of a gallery that was filtered and laid out, from what it was before.
std::string why_nothing(const MeasuredGallery& before, const MeasuredGallery& filtered,
                        const MeasuredGallery& after, const GalleryOptions& options) {
    if (before.elites.empty()) return "the gallery holds nothing";
    if (filtered.elites.empty())
        return fmt::format("there are none where {}{}", options.where, each_range_of(before, options.where));
    std::string text = fmt::format("nothing lies within {}", to_text(after.axes));
    for (const Axis& axis : after.axes)
        text += fmt::format("\n  {}: all lie in {}", axis.name,
                            reach_of(filtered, value_named(filtered, axis.name, "--axes")));
    return text;
}

// The best first, each that lies far enough from those before it.
Spread best_apart(const std::vector<Appearance>& looks, const std::vector<std::size_t>& order,
                  std::size_t count, double apart) {
    Spread spread;
    for (const std::size_t i : order) {
        if (spread.chosen.size() == count) break;
        double nearest = 1.0;
        for (const std::size_t other : spread.chosen)
            if (nearest >= apart) nearest = std::min(nearest, cells_apart(looks[i], looks[other]));
        if (nearest < apart) continue;
        spread.chosen.push_back(i);
        spread.least_apart = std::min(spread.least_apart, nearest);
    }
    return spread;
}

Choice chosen_of(const MeasuredGallery& gallery, const MeasuredGallery& before,
                 const GalleryOptions& options) {
    const std::size_t there = gallery.elites.size();
    const bool is_given = options.count.has_value();
    const auto count = static_cast<std::size_t>(options.count.value_or(std::min(there, usual_sheet)));
    if (count > there)
        throw InvalidInput{fmt::format(
            "--count {}: there {} {}{}", count, there == 1 ? "is" : "are", thousands(there),
            options.where.empty()
                ? " in the gallery"
                : fmt::format(" where {}{}", options.where, each_range_of(before, options.where)))};
    const auto order = best_first(gallery);
    if (!options.spread && !options.apart && is_given)
        return {.chosen = {order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count)}};
    if (there == 0) return {};
    const double apart = options.apart.value_or(0.0);
    const auto looks = appearances(gallery, values_of_axes(gallery), is_turned(options.apart_under));
    const auto take = [&](double least) {
        return options.spread || !is_given
                   ? farthest_apart(looks, {.count = count, .apart = least, .first = order.front()})
                   : best_apart(looks, order, count, least);
    };
    Spread spread = take(apart);
    if (spread.chosen.size() == count)
        return {.chosen = std::move(spread.chosen), .least_apart = spread.least_apart};
    int possible = 0; // in hundredths
    for (int above = 100; possible + 1 < above;) {
        const int middle = (possible + above) / 2;
        (take(middle / 100.0).chosen.size() == count ? possible : above) = middle;
    }
    throw InvalidInput{fmt::format("--count {0}: {1} of the {2} there are lie at least {3:g} % apart; {0} "
                                   "lie {4} % apart (--apart {5:g})",
                                   count, spread.chosen.size(), thousands(there), 100.0 * apart, possible,
                                   possible / 100.0)};
}

void write_picture(const std::string& path, const render::Picture& picture) {
    const std::string extension = fs::path{path}.extension().string();
    write_file(path, extension == ".png" ? render::to_png(picture) : render::to_svg(picture));
}

void check_picture(const std::string& path, std::string_view option) {
    if (path.empty()) return;
    check_place(path);
    const std::string extension = fs::path{path}.extension().string();
    if (extension != ".svg" && extension != ".png")
        throw InvalidInput{fmt::format("{} {}: a picture is written as .svg or .png", option, path)};
}

void check_options(const GalleryOptions& options) {
    check_picture(options.map, "--map");
    check_picture(options.sheet, "--sheet");
    if (!options.save.empty()) {
        check_place(options.save);
        if (fs::path{options.save}.extension() != ".json")
            throw InvalidInput{fmt::format("--save {}: a gallery is written as .json", options.save)};
    }
    (void)is_turned(options.apart_under);
    if (!options.outputs.empty() && !options.count)
        throw InvalidInput{"-o writes as many files as --count says; say how many"};
    const bool chooses = options.count || !options.sheet.empty();
    if (options.spread && !chooses)
        throw InvalidInput{"--spread chooses among what there is; say how many with --count"};
    if (options.apart && !chooses)
        throw InvalidInput{"--apart says how far those that are chosen lie apart; say how many with --count"};
    if (!options.apart_under.empty() && !(chooses && (options.apart || options.spread)))
        throw InvalidInput{
            "--apart-under says how those that are chosen are compared; it goes with --count and "
            "--apart or --spread"};
}

std::string caption_of(const MeasuredGallery& gallery, const Elite& elite) {
    std::string text;
    for (const Axis& axis : gallery.axes)
        text += fmt::format("{}{} {}", text.empty() ? "" : "  ", axis.name,
                            short_figure(value_named(gallery, axis.name, "axes").of(elite)));
    return text;
}

// On the cells of its own, whatever it is laid out by.
std::string summary_of(const MeasuredGallery& gallery, const std::string& name) {
    const std::string cells =
        gallery.is_grid()
            ? fmt::format("{:.1f} % of the cells of {}", 100.0 * gallery.coverage(), to_text(gallery.axes))
            : fmt::format("{:.1f} % of {} centroids over {}", 100.0 * gallery.coverage(),
                          thousands(gallery.cells), to_text(gallery.axes));
    return fmt::format(
        "{}: {}, seed {}\n{}\n", name, gallery.recipe.name(), gallery.recipe.seed(),
        wrapped(fmt::format("{}, {}", counted(gallery.elites.size(), "elite", "elites"), cells), "  ",
                output_width()));
}

nlohmann::ordered_json chosen_json(const MeasuredGallery& gallery, const Choice& choice,
                                   const std::vector<std::vector<std::string>>& files) {
    auto chosen = nlohmann::ordered_json::array();
    const Schema schema = gallery.recipe.problem().schema();
    for (std::size_t i = 0; i < choice.chosen.size(); ++i) {
        const Elite& elite = gallery.elites[choice.chosen[i]];
        nlohmann::ordered_json record = nlohmann::ordered_json::object();
        nlohmann::ordered_json measures = nlohmann::ordered_json::object();
        for (std::size_t k = 0; k < schema.size(); ++k)
            record[std::string{schema.columns()[k].name.text()}] = elite.record[k];
        for (std::size_t k = 0; k < gallery.measures.size(); ++k)
            measures[gallery.measures[k].name] = elite.measures[k];
        chosen.push_back({{"cell", elite.cell}, {"record", record}, {"measures", measures}});
        if (!files.empty()) chosen.back()["files"] = files[i];
    }
    return chosen;
}

} // namespace

bool is_turned(const std::string& apart_under) {
    if (!apart_under.empty() && apart_under != "symmetry")
        throw InvalidInput{
            fmt::format("--apart-under is '{}'; it can be symmetry: mirrored and turned, too", apart_under)};
    return !apart_under.empty();
}

render::HeatMap heat_map_of(const MeasuredGallery& gallery, const std::string& title) {
    const Schema schema = gallery.recipe.problem().schema();
    const auto axis_of = [](const Axis& axis) {
        const auto bins = static_cast<std::size_t>(axis.cells);
        return render::HeatAxis{.name = axis.name,
                                .low = axis.low,
                                .high = axis.low + axis.step * static_cast<double>(bins),
                                .bins = bins};
    };
    render::HeatMap map{.title = title,
                        .value_name = std::string{schema.fitness_name()},
                        .x = axis_of(gallery.axes.front()),
                        .y = {.name = "", .low = 0.0, .high = 1.0, .bins = 1},
                        .higher_wins = schema.objective() == Objective::maximise};
    if (gallery.axes.size() > 1) map.y = axis_of(gallery.axes[1]);
    map.values.assign(map.x.bins * map.y.bins, std::numeric_limits<double>::quiet_NaN());
    for (const Elite& elite : gallery.elites) {
        double& kept = map.values[(elite.cell.size() > 1 ? elite.cell[1] : 0) * map.x.bins + elite.cell[0]];
        const double fitness = schema.quality(elite.record).fitness;
        if (std::isnan(kept) || better(schema.objective(), fitness, kept)) kept = fitness;
    }
    return map;
}

render::Picture sheet_of(const MeasuredGallery& gallery, const std::vector<std::size_t>& chosen,
                         const std::string& title) {
    std::vector<render::SheetItem> items;
    render::FormatOptions format{.max_side = 240};
    for (const std::size_t i : chosen) {
        const ArtefactPtr artefact = gallery.artefact(gallery.elites[i]);
        if (!artefact) throw InvalidInput{"--sheet: there is nothing to be seen of this problem's genomes"};
        const ArtefactPtr written = artefact->as_written();
        items.push_back({.picture = (written ? *written : *artefact).picture(format),
                         .caption = caption_of(gallery, gallery.elites[i])});
    }
    return render::contact_sheet(items, {.title = title});
}

void print_chosen(const MeasuredGallery& gallery, const std::vector<std::size_t>& chosen,
                  const std::vector<GalleryValue>& values) {
    const Schema schema = gallery.recipe.problem().schema();
    fmt::print("\n     {:>12}", "fitness");
    for (const GalleryValue& value : values) fmt::print("  {:>14}", value.name.substr(0, 14));
    fmt::print("\n");
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const Elite& elite = gallery.elites[chosen[i]];
        fmt::print("{:>4} {:>12}", i + 1, short_figure(schema.quality(elite.record).fitness));
        for (const GalleryValue& value : values) fmt::print("  {:>14}", short_figure(value.of(elite)));
        fmt::print("\n");
    }
}

int show_gallery(const GalleryOptions& options, const Registry& registry) {
    check_options(options);
    std::vector<MeasuredGallery> galleries;
    for (const std::string& source : options.sources) galleries.push_back(load_gallery(source, registry));
    MeasuredGallery gallery =
        galleries.size() > 1 ? merged(std::move(galleries)) : std::move(galleries.front());
    check_outputs(gallery.recipe, options.outputs);
    const MeasuredGallery before = gallery;
    if (!options.where.empty())
        gallery = filtered(std::move(gallery), parse_ranges(options.where, "--where"), "--where");
    const MeasuredGallery within = gallery;
    std::string wanted_axes = options.axes;
    if (wanted_axes.empty() && !gallery.is_grid()) // centroids have no rows and columns to be shown in
        for (const Axis& axis : gallery.axes) wanted_axes += (wanted_axes.empty() ? "" : ", ") + axis.name;
    if (!wanted_axes.empty()) {
        auto axes = parse_axes(wanted_axes, gallery, "--axes");
        gallery = laid_out(std::move(gallery), std::move(axes));
    }
    const std::string name = fmt::format("{}", fmt::join(options.sources, " and "));
    // Centroids are cells as well, though nothing can be drawn on them.
    const MeasuredGallery& counted_on = options.axes.empty() ? within : gallery;
    const bool is_empty = gallery.elites.empty();
    const std::string why = is_empty ? why_nothing(before, within, gallery, options) : std::string{};
    if (is_empty && (options.count || !options.save.empty() || !options.sheet.empty()))
        throw InvalidInput{fmt::format("{}: {}", name, why)};
    const bool chooses = options.count || !options.sheet.empty();
    const Choice choice = chooses ? chosen_of(gallery, before, options) : Choice{};
    // All in memory first, so that what can't be drawn or written leaves nothing half done.
    std::vector<std::vector<std::string>> files;
    SeveralOutputs writing{options.outputs, choice.chosen.size(), registry};
    for (std::size_t i = 0; i < choice.chosen.size() && !options.outputs.empty(); ++i)
        files.push_back(writing.add(*gallery.artefact(gallery.elites[choice.chosen[i]])));
    if (!options.map.empty())
        write_picture(options.map, heat_map_picture(heat_map_of(gallery, gallery.recipe.name())));
    if (!options.sheet.empty())
        write_picture(options.sheet, sheet_of(gallery, choice.chosen, gallery.recipe.name()));
    if (!options.save.empty()) write_file(options.save, gallery_json(best_of_cells(counted_on)));
    writing.finish();
    if (options.json) {
        auto axes = nlohmann::ordered_json::array();
        for (const Axis& axis : gallery.axes)
            axes.push_back(
                {{"name", axis.name}, {"low", axis.low}, {"high", axis.high}, {"step", axis.step}});
        nlohmann::ordered_json answer{
            {"elites", gallery.elites.size()}, {"coverage", counted_on.coverage()}, {"axes", axes}};
        if (chooses) answer["chosen"] = chosen_json(gallery, choice, files);
        if (choice.least_apart) answer["least_apart"] = *choice.least_apart;
        fmt::print("{}\n", answer.dump());
        return reached;
    }
    if (options.quiet) return reached;
    fmt::print("{}", summary_of(counted_on, name));
    if (is_empty) {
        fmt::print("  {}\n", why);
        return before.elites.empty() ? reached : not_reached;
    }
    if (!options.count && !gallery.elites.empty())
        fmt::print("\n{}", heat_map_text(heat_map_of(gallery, name), terminal_options(options.ascii)));
    if (options.count) {
        print_chosen(gallery, choice.chosen, values_of_axes(gallery));
        if (choice.least_apart && choice.chosen.size() > 1)
            fmt::print("any two differ in at least {:.1f} % of their cells\n", 100.0 * *choice.least_apart);
    }
    return reached;
}

} // namespace knossos::app
