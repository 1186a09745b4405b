#include "verbs/maze_command.hpp"
#include "verbs/missed_wishes.hpp"

#include "verbs/different_mazes.hpp"
#include "verbs/several_levels.hpp"
#include "verbs/typed_options.hpp"

#include <knossos/core/files.hpp>
#include <knossos/core/text.hpp>
#include <knossos/maze/setup.hpp>
#include <knossos/recipe/domains.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

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
        // The founding system spins a wheel, which has no place for what must hold. A front or a gallery has
        // a selection of its own.
        if (options.representation == "automaton" && !options.front && !options.different)
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

// What one seed aims at, as overrides of the recipe. Ranges hold first at their edges: for each with two ends
// the seed draws where in it the maze shall lie. And the first maze whose way is as long as was wished for is
// that way through solid rock: unless a wish, a style or somebody's level says how open it is, the seed draws
// that, too, as an aim of a range that always holds, so that nothing is missed by it.
std::vector<std::string> aims_of(const MazeOptions& options, const RunOptions& run,
                                 const Registry& registry) {
    const Recipe recipe = Recipe::load(run.recipe, all_overrides(run), registry);
    const auto fields = from_values<MazeFields>(recipe.choice("problem")->values);
    if (fields.goal.empty()) return {};
    const maze::Fitness wishes{.terms = maze::parse_terms(fields.goal, "--goal")};
    if (!wishes.target()) return {};
    Stream stream = Streams{recipe.seed()}.at(Purpose::solve, 0, 0);
    auto aimed = aimed_inside(wishes.terms, stream);
    std::vector<std::string> overrides;
    const bool is_open = fields.representation == MazeRepresentation::direct && options.start.empty() &&
                         fields.start.empty() && fields.locks.empty() && fields.style == MazeStyle::sparse &&
                         std::ranges::none_of(aimed, is_about_rock);
    if (is_open) {
        const double cells = static_cast<double>(fields.width) * fields.height;
        double reachable = std::round(cells * (0.45 + 0.15 * stream.real()));
        for (const maze::Term& term : aimed)
            if (term.measure == maze::Measure::exit_path && std::isfinite(term.low))
                reachable = std::max(reachable, std::round(1.1 * term.near.value_or(term.low)));
        aimed.push_back({.measure = maze::Measure::reachable_cells,
                         .aim = maze::Aim::range,
                         .low = 0.0,
                         .high = cells,
                         .near = std::min(reachable, cells)});
        // Cooled down in a tenth of the time: it is easy to be opened, and there is time left for the rest.
        const bool is_cooled = std::ranges::none_of(
            run.overrides, [](const std::string& one) { return one.starts_with("algorithm."); });
        if (const auto budget = recipe.stop().limit(StopKind::evaluations);
            is_cooled && budget && recipe.choice("algorithm")->kind == "annealing")
            overrides.push_back(fmt::format("algorithm.steps={:.0f}", std::max(*budget / 10.0, 1.0)));
    }
    overrides.push_back("problem.goal=" + toml_text(maze::to_text(aimed)));
    return overrides;
}

// What is told of the maze of each seed: what was wished for, its path, and how open it is, as written.
class SeedTable {
  public:
    explicit SeedTable(const MazeOptions& options) {
        constexpr std::size_t most = 5; // that fit on a line
        std::vector<maze::Measure> told;
        for (const maze::Term& wish : maze::parse_terms(goal_of(options), "--goal"))
            told.push_back(wish.measure);
        told.insert(told.end(), {maze::Measure::exit_path, maze::Measure::openness, maze::Measure::dead_ends,
                                 maze::Measure::loops});
        for (const maze::Measure measure : told)
            if (std::ranges::find(told_, measure) == told_.end() && told_.size() < most)
                told_.push_back(measure);
    }

    [[nodiscard]] std::string head() const {
        std::string text = "       seed";
        for (const maze::Measure measure : told_)
            text += fmt::format(" {:>{}}", name(measure), width(measure));
        return text + "\n";
    }

    [[nodiscard]] std::string row(std::uint64_t number, std::uint64_t seed, const Artefact& maze) const {
        const ArtefactPtr written = maze.as_written();
        const auto measures = (written ? *written : maze).measures();
        std::string text = fmt::format("{:>4} {:>6}", number, seed);
        for (const maze::Measure measure : told_)
            text += fmt::format(
                " {:>{}}",
                figure(std::ranges::find(measures, maze::info(measure).name, &Measured::name)->value),
                width(measure));
        return text + "\n";
    }

  private:
    static std::string_view name(maze::Measure measure) {
        const auto& its = maze::info(measure);
        return its.short_name.empty() ? its.name : its.short_name;
    }
    static std::size_t width(maze::Measure measure) { return std::max<std::size_t>(name(measure).size(), 9); }

    std::vector<maze::Measure> told_{};
};

int several(const MazeOptions& options, const RunOptions& base, const Registry& registry) {
    (void)load_recipe(base, registry); // says first what is wrong with the options
    const SeedTable table{options};
    const auto aims = [&](const RunOptions& run) { return aims_of(options, run, registry); };
    const auto row = [&](std::uint64_t number, const Candidate& made) {
        return table.row(number, made.recipe.seed(), *artefact_of(made.recipe, made.result.best));
    };
    return several_levels(options, base, registry,
                          {.things = "mazes", .aims = aims, .head = table.head(), .row = row});
}

// A style is to be seen in the maze, and the longest way that there is leaves nothing of it: where nobody
// says what is wanted, a way somewhat longer than straight on, which cuts nothing off.
std::string goal_of_style(const MazeOptions& options, const RunOptions& run, const Registry& registry) {
    const auto says_what = [](const std::string& one) {
        return one.starts_with("problem.goal=") || one.starts_with("problem.fitness=");
    };
    if (options.style.empty() || options.style == "sparse" || options.front || options.different ||
        !options.goal.empty() || !options.fitness.empty() || std::ranges::any_of(run.overrides, says_what))
        return {};
    const Recipe recipe = Recipe::load(run.recipe, all_overrides(run), registry);
    const auto fields = from_values<MazeFields>(recipe.choice("problem")->values);
    const std::uint64_t area = std::uint64_t{fields.width} * fields.height;
    return fmt::format("path {}.., pockets 0",
                       std::clamp<std::uint64_t>(area / 4, 1, std::uint64_t{fields.width} + fields.height));
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
    for (std::size_t i = 0; i < terms.size(); ++i)
        for (std::size_t j = i + 1; j < terms.size(); ++j)
            if (terms[i].aim != maze::Aim::range && terms[j].aim != maze::Aim::range &&
                terms[i].measure == terms[j].measure)
                throw InvalidInput{
                    fmt::format("--front lists the trade-offs between different wishes; --goal "
                                "'{}' has {} twice",
                                options.goal, maze::info(terms[i].measure).name)};
}

} // namespace

int evolve_maze(const MazeOptions& typed, const Registry& registry) {
    MazeOptions options = typed;
    check_count(options, "mazes");
    if (!options.different && !options.apart_under.empty())
        throw InvalidInput{"--apart-under says how different mazes differ; it goes with --different"};
    if (!options.goal.empty() && !options.fitness.empty())
        throw InvalidInput{"--goal and --fitness both say what is wanted; give one of them"};
    if (options.front) check_front(options);
    TypedRun maze = as_run(options);
    try {
        if (const std::string goal = goal_of_style(options, maze.options, registry); !goal.empty()) {
            options.goal = goal;
            maze = as_run(options);
        }
        if (options.different) return different_mazes(options, maze.options, registry);
        if (options.count > 1) return several(options, maze.options, registry);
        const RunOptions wished = maze.options;
        std::ranges::copy(aims_of(options, wished, registry), std::back_inserter(maze.options.overrides));
        if (!options.goal.empty())
            maze.options.when_missed = [&](const Recipe& /*recipe*/, const Result& result) {
                return explain_missed_wishes(wished, registry, result);
            };
        return run(maze.options, registry);
    } catch (const RecipeError& error) {
        throw retold_with_more(error, maze.typed);
    }
}

} // namespace knossos::app
