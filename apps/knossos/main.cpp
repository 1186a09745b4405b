#include "commands.hpp"

#include <knossos/core/error.hpp>
#include <knossos/version.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <exception>
#include <functional>
#include <new>

namespace {

using namespace knossos::app;

void add_run_options(CLI::App& command, RunOptions& options) {
    command.add_option("--set", options.overrides, "Override a key of the recipe: --set problem.n=64")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    command.add_option("--seed", options.seed,
                       "Seed of the random streams (the recipe's, usually 1, if not given)");
    command
        .add_option("--threads", options.threads, "Threads; 0 takes one per core. Never changes the result")
        ->check(CLI::Range(0, 1024));
    command.add_option("--budget", options.budget, "Stop after this many evaluations, too")
        ->check(CLI::PositiveNumber);
    command.add_option("--time", options.time, "Stop after this many seconds, too")
        ->check(CLI::PositiveNumber);
    command.add_flag("--json", options.json, "Print one JSON object");
    command.add_flag("--quiet", options.quiet, "Print nothing; the exit code tells");
}

// Says on standard error what went wrong, and which exit code that is.
int guarded(const std::function<int()>& command) {
    try {
        return command();
    } catch (const knossos::InvalidInput& error) {
        fmt::print(stderr, "knossos: {}\n", error.what());
        return bad_input;
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "knossos: there is not enough memory for this\n");
        return failure;
    } catch (const std::exception& error) {
        fmt::print(stderr, "knossos: {}\n", error.what());
        return failure;
    }
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app{"Knossos evolves things that live on grids.", "knossos"};
    app.require_subcommand(1);
    app.set_version_flag("--version", std::string{"knossos "} + knossos::version);
    std::function<int()> chosen;

    RunOptions run_options;
    auto* run_command = app.add_subcommand("run", "Run a recipe");
    run_command->footer(
        "Examples:\n  knossos run one-max\n  knossos run my.toml --seed 7 --set algorithm.population=50");
    run_command->add_option("recipe", run_options.recipe, "Name of a built-in recipe, or a .toml file")
        ->required();
    add_run_options(*run_command, run_options);
    run_command->callback([&] { chosen = [&] { return run(run_options); }; });

    auto* recipes = app.add_subcommand("recipes", "List, show and check recipes");
    recipes->footer("Examples:\n  knossos recipes\n  knossos recipes show one-max > my.toml\n  knossos "
                    "recipes check my.toml");
    bool json = false;
    std::string name;
    std::vector<std::string> overrides;
    recipes->add_flag("--json", json, "Print the list as JSON");
    auto* show =
        recipes->add_subcommand("show", "Print a recipe with every default filled in, ready to edit");
    auto* check =
        recipes->add_subcommand("check", "Say whether a recipe is valid, and all that is wrong if not");
    for (auto* command : {show, check}) {
        command->add_option("recipe", name, "Name of a built-in recipe, or a .toml file")->required();
        command->add_option("--set", overrides, "Override a key of the recipe")
            ->type_name("KEY=VALUE")
            ->allow_extra_args(false);
    }
    recipes->callback([&] {
        chosen = [&] {
            if (show->parsed()) return show_recipe(name, overrides);
            if (check->parsed()) return check_recipe(name, overrides);
            return list_recipes(json);
        };
    });

    app.add_subcommand("version", "Print the version")->callback([&] {
        chosen = [] {
            fmt::print("knossos {}\n", knossos::version);
            return reached;
        };
    });

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? reached : bad_input;
    }
    return guarded(chosen);
}
