#include "verbs/dungeon_command.hpp"

#include "outputs.hpp"
#include "signals.hpp"
#include "verbs/dungeon_defaults.hpp"
#include "verbs/typed_options.hpp"

#include <knossos/core/text.hpp>
#include <knossos/core/thread_pool.hpp>
#include <knossos/dungeon/setup.hpp>
#include <knossos/recipe/domains.hpp>
#include <knossos/recipe/result_json.hpp>
#include <knossos/recipe/spread.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>

// A namespace of its own, as mazes are made in much the same way and files may be compiled together.
namespace knossos::app::dungeons {

namespace {

// The options as overrides of the recipe that they choose.
TypedRun as_run(const DungeonOptions& options) {
    TypedRun result;
    RunOptions& run = result.options;
    static_cast<CommonOptions&>(run) = options;
    require_name("--representation", options.representation, EnumNames<dungeon::RepresentationName>::names);
    require_name("--style", options.style, EnumNames<levels::Style>::names);
    require_name("--symmetry", options.symmetry, EnumNames<levels::Symmetry>::names);
    if (options.representation == "rooms" && !options.style.empty())
        throw InvalidInput{"--style says what tiles begin as; --representation rooms digs its own ground"};
    run.recipe = options.representation == "rooms" ? "dungeon-rooms" : "dungeon";
    run.folder = options.folder;
    if (options.no_solution) run.format.switches["solution"] = false;
    (void)set_level(result, options, true);
    result.set_text("place", options.place, "--place");
    if (options.losable) result.set("unlosable", "false", "--losable", "", "--losable");
    if (!options.goal.empty()) {
        const dungeon::Goal wishes{.terms = dungeon::parse_terms(options.goal, "--goal")};
        result.set("goal", toml_text(options.goal), "--goal", options.goal, "--goal");
        // What is to be maximised or minimised is never done before the budget is.
        run.overrides.push_back(fmt::format("stop.solved={}", wishes.target() ? "true" : "false"));
    }
    if (options.front) {
        run.overrides.emplace_back("problem.several=pareto");
        run.overrides.emplace_back("algorithm.kind=nsga2");
        run.overrides.emplace_back("algorithm.population=100");
    }
    run.overrides.insert(run.overrides.end(), options.overrides.begin(), options.overrides.end());
    return result;
}

// What an override says, else what is usual.
std::uint64_t number_of(const RunOptions& run, std::string_view key, std::uint64_t usual) {
    for (const std::string& one : run.overrides)
        if (one.starts_with(key)) std::from_chars(one.data() + key.size(), one.data() + one.size(), usual);
    return usual;
}

// Without --place: of a start as many things as it has, else what suits the size; no fewer than locks hold.
void choose_place(const DungeonOptions& options, TypedRun& made, const Registry& registry) {
    const auto says_place = [](const std::string& one) { return one.starts_with("problem.place="); };
    if (!options.place.empty() || std::ranges::any_of(made.options.overrides, says_place)) return;
    const auto usual = from_values<dungeon::Fields>(
        Recipe::load(made.options.recipe, {}, registry).choice("problem")->values);
    const dungeon::Placement usually = dungeon::parse_placement(usual.place);
    const std::uint64_t area = number_of(made.options, "problem.width=", usual.width) *
                               number_of(made.options, "problem.height=", usual.height);
    dungeon::Placement placement;
    std::string option = "--size";
    std::string given = options.size;
    if (!options.start.empty()) {
        placement = things_in(read_drawn_level(options.start, options.map, true).drawing);
        option = "--start";
        given = options.start;
    }
    if (dungeon::to_text(placement).empty())
        placement = grown(usually, std::uint64_t{usual.width} * usual.height, area);
    if (!options.locks.empty()) {
        placement = raised_to(placement, read_drawn_level(options.locks, {}, true).drawing);
        option = "--locks";
        given = options.locks;
    }
    if (options.start.empty() && !given.empty() && placement.total().most > area)
        throw InvalidInput{fmt::format(
            "{} {}: has {}, and what a dungeon has without --place is {} with entrance and exit; {}"
            "name fewer things, as in --place 'keys 1, doors 1'",
            option, given, counted(area, "cell", "cells"), counted(placement.total().most, "thing", "things"),
            option == "--size" ? "make it larger, such as --size 8x8, or " : "")};
    if (placement != usually)
        made.set("place", toml_text(dungeon::to_text(placement)), option, given, option);
}

// The recipe's own goal suits its own size and things; others get one that suits theirs.
void choose_goal(const DungeonOptions& options, TypedRun& made, const Registry& registry) {
    const auto says_goal = [](const std::string& one) { return one.starts_with("problem.goal="); };
    if (!options.goal.empty() || std::ranges::any_of(made.options.overrides, says_goal)) return;
    auto overrides = made.options.overrides;
    overrides.emplace_back("problem.goal=\"\"");
    overrides.emplace_back("stop.solved=false");
    const Recipe recipe = Recipe::load(made.options.recipe, overrides, registry);
    const auto fields = from_values<dungeon::Fields>(recipe.choice("problem")->values);
    made.options.overrides.push_back("problem.goal=" + toml_text(default_goal(fields)));
}

// Judging takes time with the size: what has not been found in some seconds is given up, unless somebody says
// how long to look.
void bound_search(TypedRun& made, const Registry& registry) {
    const auto says_budget = [](const std::string& one) { return one.starts_with("stop.evaluations"); };
    if (made.options.budget || std::ranges::any_of(made.options.overrides, says_budget)) return;
    const Recipe recipe = load_recipe(made.options, registry);
    const auto fields = from_values<dungeon::Fields>(recipe.choice("problem")->values);
    constexpr std::uint64_t most_cells = 80'000'000; // looked at by all evaluations together
    const std::uint64_t evaluations = most_cells / (std::uint64_t{fields.width} * fields.height);
    if (evaluations < 100'000)
        made.options.overrides.push_back(fmt::format("stop.evaluations={}", evaluations));
}

// Ranges hold first at their edges. For each with two ends the seed draws where in it the dungeon shall lie.
void aim_inside(const DungeonOptions& options, RunOptions& run, std::uint64_t seed) {
    if (options.goal.empty()) return;
    const dungeon::Goal wishes{.terms = dungeon::parse_terms(options.goal, "--goal")};
    if (!wishes.target()) return;
    Stream stream = Streams{seed}.at(Purpose::solve, 0, 0);
    const std::string aimed = dungeon::to_text(dungeon::aimed_inside(wishes.terms, stream));
    run.overrides.push_back("problem.goal=" + toml_text(aimed));
}

struct Candidate {
    Recipe recipe;
    Result result;
    Appearance look;
    bool meets = false;
};

// One dungeon for each of a few seeds at a time.
std::vector<std::optional<Candidate>> evolve_candidates(const DungeonOptions& options, const RunOptions& base,
                                                        std::uint64_t first_seed, ThreadPool& pool,
                                                        const Registry& registry) {
    constexpr std::size_t at_once = 4;
    std::vector<std::optional<Candidate>> candidates(at_once);
    pool.for_each(at_once, [&](std::size_t i, std::size_t /*worker*/) {
        RunOptions run = base;
        run.seed = first_seed + i;
        aim_inside(options, run, first_seed + i);
        Recipe recipe = Recipe::load(run.recipe, all_overrides(run), registry);
        Settings settings = recipe.settings();
        settings.on_generation = [](const Status&) {
            return SignalWatch::asked_to_stop() ? Proceed::no : Proceed::yes;
        };
        Result result = evolve(recipe.problem(), std::move(settings));
        Candidate made{std::move(recipe), std::move(result), {}, false};
        made.look = appearance(*artefact_of(made.recipe, made.result.best), false);
        made.meets = is_reached(made.recipe, made.result);
        candidates[i] = std::move(made);
    });
    return candidates;
}

// Dungeons from one seed after the other, taking those that meet the goal and, if asked for, differ.
class Collection {
  public:
    Collection(const DungeonOptions& options, const RunOptions& base, const Registry& registry)
        : options_{options}, files_{base.outputs, options.count, registry, base.format} {}

    [[nodiscard]] bool is_full() const { return taken_.size() == options_.count; }
    [[nodiscard]] std::size_t size() const { return taken_.size(); }
    [[nodiscard]] const nlohmann::ordered_json& levels() const { return levels_; }

    void consider(const Candidate& candidate) {
        if (!candidate.meets) {
            ++missed_;
            return;
        }
        const auto is_alike = [&](const Appearance& other) {
            return options_.different && cells_apart(candidate.look, other) < options_.apart.value_or(0.25);
        };
        if (std::ranges::any_of(taken_, is_alike)) {
            ++alike_;
            return;
        }
        taken_.push_back(candidate.look);
        files_.add(*artefact_of(candidate.recipe, candidate.result.best));
        files_.write();
        if (options_.json)
            levels_.push_back(nlohmann::ordered_json::parse(result_json(candidate.recipe, candidate.result)));
        else if (!options_.quiet)
            fmt::print("{:>3}  seed {:<6} {}\n", taken_.size(), candidate.recipe.seed(),
                       artefact_of(candidate.recipe, candidate.result.best)->caption());
        std::fflush(stdout);
    }

    void finish() { files_.finish(); }

    void explain_rest(const Registry& registry) const {
        fmt::print(stderr, "{}: {} of {} dungeons; {} did not meet the goal, {} too much like another\n",
                   registry.program(), taken_.size(), options_.count, counted(missed_, "seed", "seeds"),
                   counted(alike_, "was", "were"));
    }

  private:
    const DungeonOptions& options_;
    SeveralOutputs files_;
    std::vector<Appearance> taken_{};
    std::uint64_t missed_ = 0;
    std::uint64_t alike_ = 0;
    nlohmann::ordered_json levels_ = nlohmann::ordered_json::array();
};

int several(const DungeonOptions& options, const RunOptions& base, const Registry& registry) {
    check_outputs(load_recipe(base, registry), base.outputs);
    ThreadPool pool{base.threads};
    const SignalWatch watch;
    const std::uint64_t first_seed = options.seed.value_or(1);
    const std::uint64_t most = std::uint64_t{options.count} * 20;
    Collection collection{options, base, registry};
    for (std::uint64_t tried = 0; tried < most && !collection.is_full();) {
        const auto candidates = evolve_candidates(options, base, first_seed + tried, pool, registry);
        tried += candidates.size();
        if (SignalWatch::asked_to_stop()) break; // what is half evolved is nothing to take
        for (const auto& candidate : candidates)
            if (!collection.is_full()) collection.consider(*candidate);
    }
    collection.finish();
    if (options.json)
        fmt::print("{}\n",
                   nlohmann::ordered_json{{"seed", first_seed}, {"levels", collection.levels()}}.dump());
    if (collection.is_full()) return reached;
    if (SignalWatch::asked_to_stop())
        fmt::print(stderr, "{}: interrupted after {} of {} dungeons\n", registry.program(), collection.size(),
                   options.count);
    else
        collection.explain_rest(registry);
    return not_reached;
}

void check_options(const DungeonOptions& options) {
    if (options.count > 1 && !options.folder.empty())
        throw InvalidInput{"-d keeps one run; with --count use -o, which numbers its files"};
    if (options.different && options.count < 2)
        throw InvalidInput{"--different compares several dungeons; say how many with --count"};
    if (!options.different && options.apart)
        throw InvalidInput{"--apart says how much different dungeons differ; it goes with --different"};
    if (!options.front) return;
    constexpr std::string_view example = "--goal 'maximise solution, minimise backtracking'";
    if (options.count > 1)
        throw InvalidInput{"--front gives all trade-offs of one run; it can't be had with --count"};
    const auto terms =
        options.goal.empty() ? std::vector<dungeon::Term>{} : dungeon::parse_terms(options.goal, "--goal");
    if (std::ranges::count_if(terms, [](const dungeon::Term& term) { return term.aim != Aim::range; }) < 2)
        throw InvalidInput{fmt::format(
            "--front lists the trade-offs between two wishes and more to maximise or minimise, such as {}",
            example)};
}

} // namespace

} // namespace knossos::app::dungeons

namespace knossos::app {

int evolve_dungeon(const DungeonOptions& options, const Registry& registry) {
    dungeons::check_options(options);
    TypedRun made = dungeons::as_run(options);
    try {
        dungeons::choose_place(options, made, registry);
        dungeons::choose_goal(options, made, registry);
        dungeons::bound_search(made, registry);
        if (options.count > 1) return dungeons::several(options, made.options, registry);
        dungeons::aim_inside(options, made.options, load_recipe(made.options, registry).seed());
        return run(made.options, registry);
    } catch (const RecipeError& error) {
        for (const std::string name : {"goal", "place"})
            made.typed.push_back({.key = "problem." + name, .name = "--" + name});
        throw retold(error, made.typed);
    }
}

} // namespace knossos::app
