#include "verbs/dungeon_command.hpp"

#include "verbs/dungeon_defaults.hpp"
#include "verbs/several_levels.hpp"
#include "verbs/typed_options.hpp"

#include <knossos/core/text.hpp>
#include <knossos/dungeon/setup.hpp>
#include <knossos/recipe/domains.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

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
    bool is_own = false; // then there is room for it
    if (!options.start.empty()) {
        placement = things_in(read_drawn_level(options.start, options.map, true).drawing);
        option = "--start";
        given = options.start;
        is_own = !dungeon::to_text(placement).empty();
    }
    if (!is_own) placement = grown(usually, std::uint64_t{usual.width} * usual.height, area);
    if (!options.locks.empty()) {
        placement = raised_to(placement, read_locks(options, true).drawing);
        option = "--locks";
        given = options.locks;
    }
    if (!is_own && !given.empty() && placement.total().most > area)
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
std::vector<std::string> aims_of(const DungeonOptions& options, std::uint64_t seed) {
    if (options.goal.empty()) return {};
    const dungeon::Goal wishes{.terms = dungeon::parse_terms(options.goal, "--goal")};
    if (!wishes.target()) return {};
    Stream stream = Streams{seed}.at(Purpose::solve, 0, 0);
    return {"problem.goal=" + toml_text(dungeon::to_text(dungeon::aimed_inside(wishes.terms, stream)))};
}

int several(const DungeonOptions& options, const RunOptions& base, const Registry& registry) {
    const auto row = [](std::uint64_t number, const Candidate& made) {
        return fmt::format("{:>3}  seed {:<6} {}\n", number, made.recipe.seed(),
                           artefact_of(made.recipe, made.result.best)->caption());
    };
    const auto aims = [&](const RunOptions& run) { return aims_of(options, run.seed.value_or(1)); };
    return several_levels(options, base, registry, {.things = "dungeons", .aims = aims, .row = row});
}

void check_options(const DungeonOptions& options) {
    check_count(options, "dungeons");
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
        const std::uint64_t seed = load_recipe(made.options, registry).seed();
        std::ranges::copy(dungeons::aims_of(options, seed), std::back_inserter(made.options.overrides));
        return run(made.options, registry);
    } catch (const RecipeError& error) {
        for (const std::string name : {"goal", "place"})
            made.typed.push_back({.key = "problem." + name, .name = "--" + name});
        throw retold(error, made.typed);
    }
}

} // namespace knossos::app
