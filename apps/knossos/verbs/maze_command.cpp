#include "verbs/maze_command.hpp"
#include "verbs/missed_wishes.hpp"

#include "outputs.hpp"
#include "signals.hpp"
#include "verbs/different_mazes.hpp"
#include "verbs/typed_options.hpp"

#include <knossos/core/files.hpp>
#include <knossos/core/text.hpp>
#include <knossos/core/thread_pool.hpp>
#include <knossos/maze/setup.hpp>
#include <knossos/maze/view/level_reader.hpp>
#include <knossos/recipe/result_json.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <optional>

namespace knossos::app {

namespace {

struct MazeRun {
    RunOptions options;
    std::vector<Typed> typed;
};

std::string cells_text(const std::vector<maze::Cell>& cells) {
    std::string text;
    for (const maze::Cell cell : cells)
        text += fmt::format("{}{},{}", text.empty() ? "" : " ", cell.x, cell.y);
    return text;
}

// Somebody's level to begin with. What other options say about its places counts more.
maze::Level start_level(const MazeOptions& options) {
    const maze::Level level = maze::with_walls_as_rock(maze::read_level(options.start, options.map));
    const maze::Grid& grid = level.grid;
    if (!options.size.empty() && parse_size(options.size) != std::pair{grid.width(), grid.height()})
        throw InvalidInput{fmt::format("--size is {}, and {} is {}x{}; leave --size out to begin with it",
                                       options.size, options.start, grid.width(), grid.height())};
    if (!options.representation.empty() && options.representation != "direct")
        throw InvalidInput{fmt::format("--start is a level, and only direct mazes can begin with one, not {}",
                                       options.representation)};
    return level;
}

// The maze options as overrides of the recipe that they choose.
MazeRun as_run(const MazeOptions& options) {
    MazeRun result;
    RunOptions& run = result.options;
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
    const auto set = [&](std::string_view key, const std::string& value, const std::string& option,
                         const std::string& given, const std::string& name) {
        run.overrides.push_back(fmt::format("problem.{}={}", key, value));
        result.typed.push_back({.override = run.overrides.back(),
                                .words = given.empty() ? option : fmt::format("{} {}", option, given),
                                .key = fmt::format("problem.{}", key),
                                .name = name});
    };
    const auto set_text = [&](std::string_view key, const std::string& text, const std::string& option) {
        if (!text.empty()) set(key, toml_text(text), option, text, option);
    };
    if (!options.size.empty() && options.start.empty()) {
        const auto [width, height] = parse_size(options.size);
        set("width", std::to_string(width), "--size", options.size, "the width");
        set("height", std::to_string(height), "--size", options.size, "the height");
    }
    if (!options.start.empty()) {
        const maze::Level level = start_level(options);
        run.format.switches["keep_pockets"] = true; // whoever drew them wants them
        const auto from_start = [&](std::string_view key, const std::string& value) {
            set(key, value, "--start", options.start, "--start");
        };
        from_start("width", std::to_string(level.grid.width()));
        from_start("height", std::to_string(level.grid.height()));
        from_start("start", toml_text(maze::to_text(level.grid)));
        if (options.entrance.empty()) from_start("entrance", toml_text(cells_text({level.entrance})));
        if (options.exit.empty()) from_start("exit", toml_text(cells_text({level.exit})));
        if (options.checkpoints.empty() && !level.checkpoints.empty())
            from_start("checkpoints", toml_text(cells_text(level.checkpoints)));
    } else if (!options.map.empty()) {
        throw InvalidInput{"--tiles, --layer and --level say how to read a map; name it with --start"};
    }
    if (options.keep) {
        if (options.start.empty())
            throw InvalidInput{"--keep holds cells of the level that --start names; there is none"};
        const std::string keep = fmt::format("{}", *options.keep);
        set("keep", keep, "--keep", keep, "--keep");
    }
    if (options.front) {
        run.recipe = options.representation.empty() ? "maze-front" : run.recipe;
        if (!options.representation.empty()) run.overrides.emplace_back("algorithm.kind=nsga2");
        run.overrides.emplace_back("problem.several=pareto");
    }
    set_text("fitness", options.fitness, "--fitness");
    set_text("goal", options.goal, "--goal");
    if (!options.goal.empty()) {
        // What is to be maximised or minimised is never done before the budget is.
        const maze::Fitness wishes{.terms = maze::parse_terms(options.goal, "--goal")};
        if (wishes.target()) run.overrides.emplace_back("stop.solved=true");
        // The founding system spins a wheel, which has no place for what must hold.
        if (options.representation == "automaton" && !options.front)
            run.overrides.emplace_back("stages.select.kind=tournament");
    }
    if (options.mandatory) {
        const std::string k = std::to_string(*options.mandatory);
        set("k", k, "-k", k, "-k");
    }
    set_text("entrance", options.entrance, "--entrance");
    set_text("exit", options.exit, "--exit");
    set_text("checkpoints", options.checkpoints, "--checkpoints");
    if (options.evolve_checkpoints)
        set("evolve_checkpoints", "true", "--evolve-checkpoints", "", "--evolve-checkpoints");
    if (!options.locks.empty()) {
        const std::string drawing = read_file(options.locks, 4'000'000);
        // Looked at here already, so that a message can name the file.
        if (!options.size.empty()) {
            const auto [width, height] = parse_size(options.size);
            (void)maze::parse_locks(drawing, width, height, options.locks);
        }
        set("locks", toml_text(drawing), "--locks", options.locks, "--locks");
    }
    set_text("symmetry", options.symmetry, "--symmetry");
    run.overrides.insert(run.overrides.end(), options.overrides.begin(), options.overrides.end());
    return result;
}

// Options that were not given are named, too: they would help.
RecipeError retold_with_more(const RecipeError& error, std::vector<Typed> typed) {
    for (const std::string name : {"checkpoints", "fitness", "goal"})
        typed.push_back({.key = "problem." + name, .name = "--" + name});
    return retold(error, typed);
}

// Ranges hold first at their edges. For each with two ends the seed draws where in it the maze shall lie,
// which the recipe then says.
void aim_inside(const MazeOptions& options, MazeRun& maze, const Registry& registry) {
    if (options.goal.empty()) return;
    const maze::Fitness wishes{.terms = maze::parse_terms(options.goal, "--goal")};
    if (!wishes.target()) return;
    const Recipe recipe = Recipe::load(maze.options.recipe, all_overrides(maze.options), registry);
    Stream stream = Streams{recipe.seed()}.at(Purpose::solve, 0, 0);
    const std::string aimed = "problem.goal=" + toml_text(maze::to_text(aimed_inside(wishes.terms, stream)));
    for (Typed& typed : maze.typed) {
        if (typed.key != "problem.goal") continue;
        std::ranges::replace(maze.options.overrides, typed.override, aimed);
        typed.override = aimed;
    }
}

struct Candidate {
    Recipe recipe;
    Result result;
};

// One maze for each of a few seeds at a time.
std::vector<std::optional<Candidate>> evolve_candidates(const RunOptions& base, std::uint64_t first_seed,
                                                        ThreadPool& pool, const Registry& registry) {
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
        Result result = evolve(recipe.problem(), std::move(settings));
        candidates[i] = Candidate{std::move(recipe), std::move(result)};
    });
    return candidates;
}

// Mazes from one seed after the other, taking those that meet the goal.
int several(const MazeOptions& options, const RunOptions& base, const Registry& registry) {
    check_outputs(load_recipe(base, registry), base.outputs);
    ThreadPool pool{base.threads};
    const SignalWatch watch;
    const std::uint64_t first_seed = options.seed.value_or(1);
    const std::uint64_t most = std::uint64_t{options.count} * 20;
    std::uint64_t taken = 0;
    std::uint64_t missed = 0;
    auto levels = nlohmann::ordered_json::array();
    const auto consider = [&](const Candidate& candidate) {
        const auto& [recipe, result] = candidate;
        if (!is_reached(recipe, result)) {
            ++missed;
            return;
        }
        ++taken;
        std::vector<std::string> outputs;
        for (const auto& output : base.outputs) outputs.push_back(numbered(output, taken, options.count));
        write_outputs(recipe, result, outputs, base.format);
        if (options.json)
            levels.push_back(nlohmann::ordered_json::parse(result_json(recipe, result)));
        else if (!options.quiet)
            fmt::print("{:>3}  seed {:<6} best {:<10.6g} {}\n", taken, recipe.seed(), result.fitness,
                       result.violation > 0.0 ? fmt::format("misses {:.4g}", result.violation) : "");
        std::fflush(stdout);
    };
    for (std::uint64_t tried = 0; tried < most && taken < options.count;) {
        const auto candidates = evolve_candidates(base, first_seed + tried, pool, registry);
        tried += candidates.size();
        if (SignalWatch::asked_to_stop()) break; // what is half evolved is nothing to take
        for (const auto& candidate : candidates)
            if (taken < options.count) consider(*candidate);
    }
    if (options.json)
        fmt::print("{}\n", nlohmann::ordered_json{{"seed", first_seed}, {"levels", levels}}.dump());
    if (taken == options.count) return reached;
    if (SignalWatch::asked_to_stop()) {
        fmt::print(stderr, "{}: interrupted after {} of {} mazes\n", registry.program(), taken,
                   options.count);
        return not_reached;
    }
    fmt::print(stderr, "{}: {} of {} mazes; {} did not meet the goal\n", registry.program(), taken,
               options.count, counted(missed, "seed", "seeds"));
    return not_reached;
}

// Before a recipe is made of the options, so that the message speaks of these.
void check_front(const MazeOptions& options) {
    constexpr std::string_view example = "--goal 'maximise path, maximise culs-de-sac'";
    if (options.count > 1)
        throw InvalidInput{"--front gives all trade-offs of one run; it can't be had with --count"};
    if (options.goal.empty())
        throw InvalidInput{
            fmt::format("--front lists the trade-offs between wishes; say which ones, such as {}", example)};
    const auto terms = maze::parse_terms(options.goal, "--goal");
    const auto objectives =
        std::ranges::count_if(terms, [](const maze::Term& term) { return term.aim != maze::Aim::range; });
    if (objectives < 2)
        throw InvalidInput{fmt::format(
            "--front lists the trade-offs between two wishes and more; of --goal '{}', {} maximised or "
            "minimised: it must be two at least, such as {}",
            options.goal, objectives == 0 ? "none is" : "only one is", example)};
}

} // namespace

int evolve_maze(const MazeOptions& options, const Registry& registry) {
    if (options.count > 1 && !options.folder.empty())
        throw InvalidInput{"-d keeps one run; with --count use -o, which numbers its files"};
    if (options.different && options.count < 2)
        throw InvalidInput{"--different compares several mazes; say how many with --count"};
    if (!options.different && (options.apart || !options.apart_under.empty()))
        throw InvalidInput{"--apart says how much different mazes differ; it goes with --different"};
    if (!options.goal.empty() && !options.fitness.empty())
        throw InvalidInput{"--goal and --fitness both say what is wanted; give one of them"};
    if (options.front) check_front(options);
    MazeRun maze = as_run(options);
    try {
        if (options.different) return different_mazes(options, maze.options, registry);
        if (options.count > 1) return several(options, maze.options, registry);
        const RunOptions wished = maze.options;
        aim_inside(options, maze, registry);
        if (!options.goal.empty())
            maze.options.when_missed = [&](const Recipe& recipe, const Result& result) {
                return explain_missed_wishes(wished, registry, recipe, result);
            };
        return run(maze.options, registry);
    } catch (const RecipeError& error) {
        throw retold_with_more(error, maze.typed);
    }
}

} // namespace knossos::app
