#include "commands.hpp"
#include "front.hpp"
#include "outputs.hpp"
#include "terminal.hpp"

#include <knossos/core/files.hpp>
#include <knossos/recipe/domains.hpp>
#include <knossos/recipe/result_json.hpp>
#include <knossos/recipe/run_folder.hpp>
#include <knossos/render/chart.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace knossos::app {

namespace {

namespace fs = std::filesystem;

// What a front dominates, generation by generation; the best in the first objective says little then.
render::Chart volume_chart(const Recipe& recipe, const std::vector<Statistics>& history) {
    render::Series volume{
        .name = "hypervolume", .colour = &render::Theme::aegean, .points = {}, .steps = true};
    for (const Statistics& row : history)
        if (row.violation == 0.0) volume.points.push_back({static_cast<double>(row.evaluations), row.merit});
    return {.title = fmt::format("{}, seed {}", recipe.name(), recipe.seed()),
            .x_name = "evaluations",
            .y_name = "hypervolume",
            .log_x = true,
            .series = {std::move(volume)},
            .bands = {},
            .target = {}};
}

render::Chart history_chart(const Recipe& recipe, const std::vector<Statistics>& history) {
    if (recipe.problem().schema().merit() == Merit::hypervolume) return volume_chart(recipe, history);
    render::Chart chart{.title = fmt::format("{}, seed {}", recipe.name(), recipe.seed()),
                        .x_name = "evaluations",
                        .y_name = "fitness",
                        .log_x = true};
    render::Series best{
        .name = "best", .colour = &render::Theme::aegean, .points = {}, .steps = true, .dashes = {}};
    render::Series mean{
        .name = "mean", .colour = &render::Theme::ochre, .points = {}, .steps = false, .dashes = {6.0, 3.0}};
    for (const Statistics& row : history) {
        if (row.violation == 0.0)
            best.points.push_back({static_cast<double>(row.evaluations), row.best_ever});
        mean.points.push_back({static_cast<double>(row.evaluations), row.mean});
    }
    chart.series = {std::move(best), std::move(mean)};
    if (const auto target = recipe.problem().target()) chart.target = target;
    return chart;
}

// Whether a JSON object has all of these keys, as far as can be seen without reading it.
bool holds(std::string_view bytes, std::initializer_list<std::string_view> keys) {
    return bytes.starts_with('{') && std::ranges::all_of(keys, [&](std::string_view key) {
               return bytes.find(key) != std::string_view::npos;
           });
}

// What a file holds, whoever made it.
ArtefactPtr read_thing(const std::string& path, const Registry& registry) {
    constexpr std::size_t most_bytes = 2'000'000'000;
    const std::string bytes = read_file(path, most_bytes);
    if (bytes.starts_with("SQLite format 3"))
        throw InvalidInput{fmt::format("{0}: is a database; '{1} report {0}' says what a study found", path,
                                       registry.program())};
    if (holds(bytes, {"\"axes\"", "\"elites\""}))
        throw InvalidInput{
            fmt::format("{0}: is a gallery; '{1} gallery {0}' shows it", path, registry.program())};
    if (holds(bytes, {"\"columns\"", "\"points\""}))
        throw InvalidInput{fmt::format("{0}: is the front of a run; '{1} show {0}' lists it, and '{1} export "
                                       "FOLDER --front -o FILE' writes its points",
                                       path, registry.program())};
    return read_artefact(bytes, path, registry);
}

int show_file(const std::string& path, bool json, bool ascii, const Registry& registry) {
    if (const std::string bytes = read_file(path); holds(bytes, {"\"columns\"", "\"points\""})) {
        if (json)
            fmt::print("{}", bytes);
        else
            print_front(read_front(bytes, path), terminal_options(ascii));
        return reached;
    }
    const ArtefactPtr thing = read_thing(path, registry);
    if (json)
        fmt::print("{}", thing->files("json", {}, "").front().bytes);
    else
        fmt::print("{}", thing->text(terminal_options(ascii)));
    return thing->is_reached() ? reached : not_reached;
}

void export_file(const std::string& path, const std::vector<std::string>& outputs, const Registry& registry) {
    const ArtefactPtr thing = read_thing(path, registry);
    for (const auto& output : outputs) check_place(output);
    // All of them in memory first, so that a format that does not fit leaves nothing half done.
    std::vector<std::vector<render::NamedBytes>> files;
    for (const auto& output : outputs) {
        const auto& format = knossos::format_of(output, registry); // names the file by itself
        try {
            files.push_back(thing->files(format.name, {}, fs::path{output}.stem().string()));
        } catch (const InvalidInput& error) {
            if (std::string_view{error.what()}.starts_with(path)) throw;
            throw InvalidInput{fmt::format("{}: {}; '{} export --list' says what can be written", output,
                                           error.what(), registry.program())};
        }
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) render::write_files(outputs[i], files[i]);
}

void require_result(const RunFolder& folder, const std::string& path) {
    if (!folder.is_finished())
        throw InvalidInput{fmt::format("{0}: holds no result yet; '{1} resume {0}' brings the run to its end",
                                       path, folder.recipe().registry().program())};
}

void show_contestants(const RunFolder& folder, bool ascii) {
    std::string remark;
    const Result result = folder.resume(folder.recipe().settings(), remark).result();
    if (!result.remark.empty()) fmt::print("\n  {}\n", result.remark);
    print_contestants(folder.recipe(), result, ascii);
}

} // namespace

int show_result(const std::string& path, bool json, bool ascii, const Registry& registry) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) return show_file(path, json, ascii, registry);
    const RunFolder folder = RunFolder::open(path, registry);
    const Recipe& recipe = folder.recipe();
    std::vector<Statistics> history;
    const fs::path trace = folder.path() / "trace.csv";
    if (fs::exists(trace)) history = read_trace(read_file(trace), trace.string());
    if (json) {
        require_result(folder, path);
        fmt::print("{}", read_file(folder.path() / "result.json"));
        return reached;
    }
    fmt::print("{}: {}, seed {}\n", path, printable(recipe.name()), recipe.seed());
    if (!recipe.description().empty()) fmt::print("{}\n", wrapped(printable(recipe.description()), "  "));
    if (history.empty()) {
        if (folder.is_in_use())
            fmt::print("  has just begun\n");
        else
            fmt::print("  has just begun; '{} resume {}' goes on with it\n", registry.program(), path);
        return reached;
    }
    const bool running = folder.is_in_use();
    const Statistics& last = history.back();
    fmt::print("  {} {} and {}, {}\n",
               folder.is_finished() ? "ended after"
               : running            ? "running; saved after"
                                    : "interrupted after",
               counted(last.generation, "generation", "generations"),
               counted(last.evaluations, "evaluation", "evaluations"), duration(last.seconds));
    if (!folder.is_finished() && !running)
        fmt::print("  '{} resume {}' goes on with it\n", registry.program(), path);
    const Algorithm algorithm = recipe.settings().algorithm;
    if (!algorithm.unit().empty()) fmt::print("  {} {}\n", thousands(last.steps), algorithm.unit());
    fmt::print("  best {}, mean {:.6g}, worst {}, diversity {:.3f}\n", last.best_ever, last.mean, last.worst,
               last.diversity);
    if (const auto best = scaled_fitness(recipe, last, last.best))
        fmt::print("  on the wheel, 1 - c/sum of c: best now {:.6g}, mean {:.6g}, worst {:.6g}\n", *best,
                   scaled_fitness(recipe, last, last.mean).value_or(0.0),
                   scaled_fitness(recipe, last, last.worst).value_or(0.0));
    if (last.selection_intensity != 0.0)
        fmt::print("  selection intensity {:.3f} in the last generation\n", last.selection_intensity);
    if (last.violation > 0.0)
        fmt::print("  the best misses what must hold by {:.6g}\n", last.violation);
    else if (last.feasible < 1.0)
        fmt::print("  {:.0f} % of the individuals hold what they must\n", 100.0 * last.feasible);
    if (fs::exists(folder.path() / "gallery.json"))
        fmt::print("  {:.1f} % of the cells are filled, QD-score {:.4g}\n  '{} gallery {}' shows them\n",
                   100.0 * last.coverage, last.qd_score, registry.program(), path);
    const fs::path front = folder.path() / "front.json";
    if (folder.is_finished() && fs::exists(front)) {
        print_front(read_front(read_file(front), front.string()), terminal_options(ascii));
        fmt::print("\n  the front as a picture: {}\n", (folder.path() / "front.svg").string());
    }
    fmt::print("\n");
    const render::Chart chart = history_chart(recipe, history);
    fmt::print("{}", render::chart_text(chart, terminal_options(ascii)));
    const fs::path picture = folder.path() / "history.svg";
    write_file(picture, render::to_svg(render::chart_picture(chart)));
    fmt::print("\n  the curve as a picture: {}\n", picture.string());
    if (algorithm.has_contestants() && !running) show_contestants(folder, ascii);
    return reached;
}

int list_formats(const Registry& registry) {
    const std::string indent(26, ' ');
    for (const Domain& domain : registry.domains()) {
        if (domain.formats.empty()) continue;
        fmt::print("{}: {}\n", domain.info.name, domain.things);
        for (const render::Format& format : domain.formats)
            fmt::print("  {:<9} .{:<12} {}\n", format.name, fmt::join(format.extensions, ", ."),
                       wrapped(format.meaning, indent, output_width()).substr(indent.size()));
    }
    return reached;
}

int export_result(const std::string& source, const std::vector<std::string>& outputs, bool front,
                  const Registry& registry) {
    if (source.empty())
        throw InvalidInput{"export: of what? Name a run's folder, or a file; --list tells the formats"};
    if (outputs.empty())
        throw InvalidInput{
            "export: nothing to do; name at least one file with -o (--list tells the formats)"};
    std::error_code ignored;
    if (!fs::is_directory(source, ignored)) {
        if (front) throw InvalidInput{fmt::format("--front needs the folder of a run; {} is a file", source)};
        export_file(source, outputs, registry);
        return reached;
    }
    const RunFolder folder = RunFolder::open(source, registry);
    require_result(folder, source);
    if (front) require_front(folder.recipe().problem().schema(), source);
    check_outputs(folder.recipe(), outputs);
    std::string remark;
    Run run = folder.resume(folder.recipe().settings(), remark);
    run.finish(); // a generation that the budget cut is not in the checkpoint
    const bool is_written = front ? write_front(folder.recipe(), run.result(), outputs, {})
                                  : write_outputs(folder.recipe(), run.result(), outputs);
    return is_written ? reached : not_reached;
}

} // namespace knossos::app
