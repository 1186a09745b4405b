#include "verbs/maze_command.hpp"

#include "outputs.hpp"
#include "signals.hpp"
#include "terminal.hpp"

#include <knossos/core/files.hpp>
#include <knossos/core/text.hpp>
#include <knossos/core/thread_pool.hpp>
#include <knossos/maze/measures.hpp>
#include <knossos/maze/setup.hpp>
#include <knossos/maze/unlike.hpp>
#include <knossos/maze/view/level.hpp>
#include <knossos/maze/view/level_reader.hpp>
#include <knossos/recipe/result_json.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>

namespace knossos::app {

namespace {

std::pair<std::uint32_t, std::uint32_t> parse_size(const std::string& text) {
    const char* const end = text.data() + text.size();
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    const auto first = std::from_chars(text.data(), end, width);
    const std::string_view rest{first.ptr, static_cast<std::size_t>(end - first.ptr)};
    for (const std::string_view times : {"x", "X", "×"}) {
        if (first.ec != std::errc{} || !rest.starts_with(times)) continue;
        const auto second = std::from_chars(first.ptr + times.size(), end, height);
        if (second.ec == std::errc{} && second.ptr == end) return {width, height};
    }
    throw InvalidInput{fmt::format("--size is '{}'; it must be WIDTHxHEIGHT, such as 30x20", text)};
}

// The maze options as overrides of the recipe that they choose.
RunOptions as_run(const MazeOptions& options) {
    RunOptions run;
    static_cast<CommonOptions&>(run) = options;
    constexpr auto representations = EnumNames<MazeRepresentation>::names;
    if (!options.representation.empty() &&
        std::ranges::find(representations, options.representation) == representations.end())
        throw InvalidInput{fmt::format("--representation is '{}'; it must be one of {}",
                                       options.representation, fmt::join(representations, ", "))};
    run.recipe = options.representation.empty() ? "maze" : "maze-" + options.representation;
    run.folder = options.folder;
    // What is not asked for is left to the level: a goal may be about its pockets.
    if (options.keep_pockets) run.format.switches["keep_pockets"] = true;
    if (options.distances) run.format.switches["distances"] = true;
    if (options.culs_de_sac) run.format.switches["culs_de_sac"] = true;
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
        // What is to be maximised or minimised is never done before the budget is.
        const maze::Fitness wishes{.terms = maze::parse_terms(options.goal, "--goal")};
        if (wishes.target()) run.overrides.emplace_back("stop.solved=true");
        // The founding system spins a wheel, which has no place for what must hold.
        if (options.representation == "automaton")
            run.overrides.emplace_back("stages.select.kind=tournament");
    }
    if (options.mandatory) set("k", std::to_string(*options.mandatory));
    if (!options.entrance.empty()) set("entrance", toml_text(options.entrance));
    if (!options.exit.empty()) set("exit", toml_text(options.exit));
    if (!options.checkpoints.empty()) set("checkpoints", toml_text(options.checkpoints));
    if (!options.locks.empty()) {
        const std::string drawing = read_file(options.locks, 4'000'000);
        // Looked at here already, so that a message can name the file.
        if (!options.size.empty()) {
            const auto [width, height] = parse_size(options.size);
            (void)maze::parse_locks(drawing, width, height, options.locks);
        }
        set("locks", toml_text(drawing));
    }
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

struct Candidate {
    Recipe recipe;
    Result result;
};

constexpr double least_difference = 0.4;

double share_of_differing_genes(const Genome& a, const Genome& b) {
    return static_cast<double>(hamming_distance(a.space, a.bytes.data(), b.bytes.data())) /
           static_cast<double>(a.space.length);
}

std::vector<std::uint64_t> words_of(const Genome& genome) {
    std::vector<std::uint64_t> words(genome.bytes.size() / 8);
    std::memcpy(words.data(), genome.bytes.data(), words.size() * 8);
    return words;
}

// What a seed is asked for: a maze, and if it is direct and annealed also one unlike those taken before. A
// cell too many in common costs some times what annealing lets pass in the end.
Problem asked_for(const Recipe& recipe, bool different, const std::vector<Candidate>& taken) {
    const MazeSetup setup{from_values<MazeFields>(recipe.choice("problem")->values)};
    const auto& algorithm = *recipe.choice("algorithm");
    if (!different || setup.direct() == nullptr || algorithm.kind != "annealing") return setup.problem();
    maze::UnlikeOthers problem{.maze = *setup.direct(),
                               .others = {},
                               .least = 0,
                               .price = 5.0 * std::get<double>(algorithm.values.at("end"))};
    const double cells = static_cast<double>(problem.space().length);
    problem.least = static_cast<std::size_t>(std::ceil(least_difference * cells));
    for (const Candidate& one : taken) problem.others.push_back(words_of(one.result.best));
    return problem;
}

// One maze for each of a few seeds at a time. How many is fixed, so that the threads don't decide who knows
// of whom.
std::vector<std::optional<Candidate>> evolve_candidates(const RunOptions& base, bool different,
                                                        std::uint64_t first_seed, ThreadPool& pool,
                                                        const std::vector<Candidate>& taken,
                                                        const Registry& registry) {
    constexpr std::size_t at_once = 4;
    std::vector<std::optional<Candidate>> candidates(at_once);
    pool.for_each(at_once, [&](std::size_t i, std::size_t /*worker*/) {
        auto overrides = all_overrides(base);
        overrides.push_back(fmt::format("seed={}", first_seed + i));
        Recipe recipe = Recipe::load(base.recipe, overrides, registry);
        Settings settings = recipe.settings();
        settings.on_generation = [](const Status&) {
            return SignalWatch::asked_to_stop() ? Proceed::no : Proceed::yes;
        };
        Result result = evolve(asked_for(recipe, different, taken), std::move(settings));
        candidates[i] = Candidate{std::move(recipe), std::move(result)};
    });
    return candidates;
}

// Mazes from one seed after the other, taking those that meet the goal and differ enough from all taken
// before.
int several(const MazeOptions& options, const RunOptions& base, const Registry& registry) {
    check_outputs(Recipe::load(base.recipe, all_overrides(base), registry), base.outputs);
    ThreadPool pool{base.threads};
    const SignalWatch watch;
    const std::uint64_t first_seed = options.seed.value_or(1);
    const std::uint64_t most = std::uint64_t{options.count} * 20;
    std::vector<Candidate> taken;
    double nearest = 1.0;
    std::uint64_t missed = 0;
    std::uint64_t alike = 0;
    auto levels = nlohmann::ordered_json::array();
    const auto consider = [&](Candidate& candidate) {
        const auto& [recipe, result] = candidate;
        if (!is_reached(recipe, result)) {
            ++missed;
            return;
        }
        double distance = 1.0;
        for (const Candidate& other : taken)
            distance = std::min(distance, share_of_differing_genes(result.best, other.result.best));
        if (options.different && distance < least_difference) {
            ++alike;
            return;
        }
        nearest = std::min(nearest, distance);
        std::vector<std::string> outputs;
        for (const auto& output : base.outputs) outputs.push_back(numbered(output, taken.size() + 1));
        write_outputs(recipe, result, outputs, base.format);
        if (options.json)
            levels.push_back(nlohmann::ordered_json::parse(result_json(recipe, result)));
        else if (!options.quiet)
            fmt::print(
                "{:>3}  seed {:<6} best {:<10.6g} {}{}\n", taken.size() + 1, recipe.seed(), result.fitness,
                result.violation > 0.0 ? fmt::format("misses {:<8.4g} ", result.violation) : "",
                taken.empty() ? std::string{} : fmt::format("nearest other {:.0f} %", 100.0 * distance));
        std::fflush(stdout);
        taken.push_back(std::move(candidate));
    };
    for (std::uint64_t tried = 0; tried < most && taken.size() < options.count;) {
        auto candidates =
            evolve_candidates(base, options.different, first_seed + tried, pool, taken, registry);
        tried += candidates.size();
        if (SignalWatch::asked_to_stop()) break; // what is half evolved is nothing to take
        for (auto& candidate : candidates)
            if (taken.size() < options.count) consider(*candidate);
    }
    if (options.json)
        fmt::print("{}\n", nlohmann::ordered_json{{"levels", levels}, {"least_difference", nearest}}.dump());
    else if (!options.quiet && taken.size() > 1)
        fmt::print("any two differ in at least {:.1f} % of their cells\n", 100.0 * nearest);
    if (taken.size() == options.count) return reached;
    if (SignalWatch::asked_to_stop()) {
        fmt::print(stderr, "{}: interrupted after {} of {} mazes\n", registry.program(), taken.size(),
                   options.count);
        return not_reached;
    }
    fmt::print(stderr, "{}: {} of {} mazes; {} did not meet the goal, {} too much like others\n",
               registry.program(), taken.size(), options.count, counted(missed, "seed", "seeds"),
               alike == 1 ? "1 was" : fmt::format("{} were", alike));
    return not_reached;
}

} // namespace

int evolve_maze(const MazeOptions& options, const Registry& registry) {
    if (options.count > 1 && !options.folder.empty())
        throw InvalidInput{"-d keeps one run; with --count use -o, which numbers its files"};
    if (options.different && options.count < 2)
        throw InvalidInput{"--different compares several mazes; say how many with --count"};
    if (!options.goal.empty() && !options.fitness.empty())
        throw InvalidInput{"--goal and --fitness both say what is wanted; give one of them"};
    const RunOptions base = as_run(options);
    if (options.count > 1) return several(options, base, registry);
    return run(base, registry);
}

int measure_level(const std::string& file, bool json, bool ascii) {
    const maze::Level level = maze::read_level(file);
    const maze::Measures measures = maze::measure(level);
    if (json) {
        fmt::print("{}\n", maze::measures_json(measures));
        return reached;
    }
    fmt::print("{}\n", maze::level_text(level, measures, terminal_options(ascii), {}));
    std::size_t width = 0;
    for (const auto& row : maze::measure_table()) width = std::max(width, row.name.size());
    const std::string indent(width + 13, ' ');
    for (const auto& row : maze::measure_table())
        fmt::print("  {:<{}} {:>8}  {}\n", row.name, width,
                   short_number(maze::value_of(measures, row.measure)),
                   wrapped(row.meaning, indent, output_width()).substr(indent.size()));
    return reached;
}

} // namespace knossos::app
