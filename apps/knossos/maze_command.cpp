#include "commands.hpp"
#include "outputs.hpp"
#include "terminal.hpp"

#include <knossos/core/files.hpp>
#include <knossos/maze/measures.hpp>
#include <knossos/render/level.hpp>
#include <knossos/render/level_reader.hpp>
#include <knossos/run/maze_setup.hpp>
#include <knossos/run/result_json.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>

namespace knossos::app {

namespace {

// A text as a TOML string, whatever is in it.
std::string toml_text(std::string_view text) { return nlohmann::json(text).dump(); }

std::pair<std::uint32_t, std::uint32_t> parse_size(const std::string& text) {
    const char* const end = text.data() + text.size();
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    const auto first = std::from_chars(text.data(), end, width);
    if (first.ec == std::errc{} && first.ptr != end && *first.ptr == 'x') {
        const auto second = std::from_chars(first.ptr + 1, end, height);
        if (second.ec == std::errc{} && second.ptr == end) return {width, height};
    }
    throw InvalidInput{fmt::format("--size is '{}'; it must be WIDTHxHEIGHT, such as 30x20", text)};
}

// The maze options as overrides of the recipe that they choose.
RunOptions as_run(const MazeOptions& options) {
    RunOptions run;
    static_cast<CommonOptions&>(run) = options;
    run.recipe = options.representation.empty() ? "maze" : "maze-" + options.representation;
    run.folder = options.folder;
    run.format = options.format;
    const auto set = [&](std::string_view key, const std::string& value) {
        run.overrides.push_back(fmt::format("problem.{}={}", key, value));
    };
    if (!options.size.empty()) {
        const auto [width, height] = parse_size(options.size);
        set("width", std::to_string(width));
        set("height", std::to_string(height));
    }
    if (!options.fitness.empty()) set("fitness", toml_text(options.fitness));
    if (!options.goal.empty()) {
        set("goal", toml_text(options.goal));
        run.overrides.emplace_back("stop.solved=true");
    }
    if (options.mandatory) set("k", std::to_string(*options.mandatory));
    if (!options.entrance.empty()) set("entrance", toml_text(options.entrance));
    if (!options.exit.empty()) set("exit", toml_text(options.exit));
    if (!options.checkpoints.empty()) set("checkpoints", toml_text(options.checkpoints));
    if (!options.locks.empty()) set("locks", toml_text(read_file(options.locks, 4'000'000)));
    if (!options.symmetry.empty()) set("symmetry", toml_text(options.symmetry));
    run.overrides.insert(run.overrides.end(), options.overrides.begin(), options.overrides.end());
    return run;
}

// "level.tmj" → "level-03.tmj".
std::string numbered(const std::string& path, std::size_t number) {
    const std::filesystem::path whole{path};
    return (whole.parent_path() /
            fmt::format("{}-{:02}{}", whole.stem().string(), number, whole.extension().string()))
        .string();
}

double share_of_differing_cells(const Genome& a, const Genome& b) {
    return static_cast<double>(hamming_distance(a.space, a.bytes.data(), b.bytes.data())) /
           static_cast<double>(a.space.length);
}

// Mazes from one seed after the other, taking those that differ enough from all taken before.
int several(const MazeOptions& options, const RunOptions& base) {
    constexpr double least_difference = 0.4;
    const std::uint64_t first_seed = options.seed.value_or(1);
    std::vector<Result> taken;
    double nearest = 1.0;
    bool all_reached = true;
    const std::uint64_t most = std::uint64_t{options.count} * 20;
    auto levels = nlohmann::ordered_json::array();
    for (std::uint64_t seed = first_seed; seed < first_seed + most && taken.size() < options.count; ++seed) {
        auto overrides = all_overrides(base);
        overrides.push_back(fmt::format("seed={}", seed));
        const Recipe recipe = Recipe::load(base.recipe, overrides);
        if (taken.empty()) check_outputs(recipe, base.outputs);
        Settings settings = recipe.settings();
        settings.threads = base.threads;
        Result result = evolve(recipe.problem(), std::move(settings));
        if (!options.goal.empty() && !result.solved) all_reached = false;
        if (!options.goal.empty() && !result.solved) continue;
        double distance = 1.0;
        for (const Result& other : taken)
            distance = std::min(distance, share_of_differing_cells(result.best, other.best));
        if (options.different && distance < least_difference) continue;
        nearest = std::min(nearest, distance);
        std::vector<std::string> outputs;
        for (const auto& output : base.outputs) outputs.push_back(numbered(output, taken.size() + 1));
        write_outputs(recipe, result, outputs, base.format);
        if (options.json)
            levels.push_back(nlohmann::ordered_json::parse(result_json(recipe, result)));
        else if (!options.quiet)
            fmt::print("{:>3}  seed {:<6} best {:<10} nearest other {:.0f} %\n", taken.size() + 1, seed,
                       result.fitness, taken.empty() ? 100.0 : 100.0 * distance);
        taken.push_back(std::move(result));
    }
    const bool enough = taken.size() == options.count;
    if (options.json)
        fmt::print("{}\n", nlohmann::ordered_json{{"levels", levels}, {"least_difference", nearest}}.dump());
    else if (!options.quiet && taken.size() > 1)
        fmt::print("any two differ in at least {:.1f} % of their genes\n", 100.0 * nearest);
    if (!enough)
        fmt::print(stderr, "knossos: {} of {} mazes after {} seeds{}\n", taken.size(), options.count, most,
                   all_reached ? "" : "; some seeds did not meet the goal");
    return enough ? reached : not_reached;
}

} // namespace

int evolve_maze(const MazeOptions& options) {
    const RunOptions base = as_run(options);
    if (options.count > 1) return several(options, base);
    return run(base);
}

int measure_level(const std::string& file, bool json, bool ascii) {
    const maze::Level level = render::read_level(file);
    const maze::Measures measures = maze::measure(level);
    if (json) {
        fmt::print("{}\n", render::measures_json(measures));
        return reached;
    }
    fmt::print("{}\n", render::level_text(level, terminal_options(ascii)));
    for (const auto& row : maze::measure_table())
        fmt::print("  {:<24} {:>12}  {}\n", row.name, short_number(maze::value_of(measures, row.measure)),
                   row.meaning);
    return reached;
}

} // namespace knossos::app
