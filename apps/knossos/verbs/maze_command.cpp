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
#include <knossos/recipe/domains.hpp>
#include <knossos/recipe/result_json.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <optional>

namespace knossos::app {

namespace {

// Somebody's level to begin with. What other options say about its places counts more.
void begin_with(const DrawnLevel& start, const MazeOptions& options, TypedRun& run) {
    if (!options.representation.empty() && options.representation != "direct")
        throw InvalidInput{fmt::format("--start is a level, and only direct mazes can begin with one, not {}",
                                       options.representation)};
    const levels::Drawing& drawing = start.drawing;
    const auto set = [&](std::string_view key, const std::vector<levels::Cell>& cells) {
        run.set(key, toml_text(levels::cells_text(cells)), "--start", options.start, "--start");
    };
    if (options.entrance.empty()) set("entrance", {drawing.entrance.value_or(levels::Cell{})});
    if (options.exit.empty())
        set("exit", {drawing.exit.value_or(levels::Cell{drawing.width - 1, drawing.height - 1})});
    if (options.checkpoints.empty() && !drawing.checkpoints.empty()) set("checkpoints", drawing.checkpoints);
    run.options.format.switches["keep_pockets"] = true; // whoever drew them wants them
}

// The maze options as overrides of the recipe that they choose.
TypedRun as_run(const MazeOptions& options) {
    TypedRun result;
    RunOptions& run = result.options;
    static_cast<CommonOptions&>(run) = options;
    require_name("--representation", options.representation, EnumNames<MazeRepresentation>::names);
    require_name("--style", options.style, EnumNames<MazeStyle>::names);
    require_name("--symmetry", options.symmetry, EnumNames<levels::Symmetry>::names);
    run.recipe = options.representation.empty() ? "maze" : "maze-" + options.representation;
    run.folder = options.folder;
    // What is not asked for is left to the level: a goal may be about its pockets.
    if (options.keep_pockets) run.format.switches["keep_pockets"] = true;
    if (options.distances) run.format.switches["distances"] = true;
    if (options.culs_de_sac) run.format.switches["culs_de_sac"] = true;
    if (const auto start = set_level(result, options, false)) begin_with(*start, options, result);
    if (options.front) {
        run.recipe = options.representation.empty() ? "maze-front" : run.recipe;
        if (!options.representation.empty()) run.overrides.emplace_back("algorithm.kind=nsga2");
        run.overrides.emplace_back("problem.several=pareto");
    }
    result.set_text("fitness", options.fitness, "--fitness");
    result.set_text("goal", options.goal, "--goal");
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
        result.set("k", k, "-k", k, "-k");
    }
    result.set_text("entrance", options.entrance, "--entrance");
    result.set_text("exit", options.exit, "--exit");
    result.set_text("checkpoints", options.checkpoints, "--checkpoints");
    if (options.evolve_checkpoints)
        result.set("evolve_checkpoints", "true", "--evolve-checkpoints", "", "--evolve-checkpoints");
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
void aim_inside(const MazeOptions& options, TypedRun& maze, const Registry& registry) {
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
    SeveralOutputs files{base.outputs, options.count, registry, base.format};
    const auto consider = [&](const Candidate& candidate) {
        const auto& [recipe, result] = candidate;
        if (!is_reached(recipe, result)) {
            ++missed;
            return;
        }
        ++taken;
        files.add(*artefact_of(recipe, result.best));
        files.write();
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
    files.finish();
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
    TypedRun maze = as_run(options);
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
