#include "common_options.hpp"
#include "reference.hpp"
#include "terminal.hpp"
#include "verbs/verbs.hpp"

#include <knossos/core/error.hpp>
#include <knossos/core/text.hpp>
#include <knossos/recipe/recipe.hpp>
#include <knossos/recipe/registry.hpp>
#include <knossos/version.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <system_error>

namespace {

using namespace knossos::app;

void add_folder_options(CLI::App& command, RunOptions& options) {
    command
        .add_option(
            "--checkpoint-every", options.checkpoint_every,
            "Seconds between checkpoints of a run folder (30, or the recipe's, if not given); 0 keeps "
            "every generation")
        ->check(seconds(false))
        ->type_name("SECONDS");
}

void add_run(CLI::App& app, Action& chosen) {
    const auto options = std::make_shared<RunOptions>();
    auto* run_command = app.add_subcommand("run", "Run a recipe");
    run_command->footer("Examples:\n  knossos run pmx-queens --set problem.n=64\n"
                        "  knossos run my.toml --seed 7 -d my-run -o best.svg");
    run_command->add_option("recipe", options->recipe, "Name of a built-in recipe, or a .toml file")
        ->required();
    run_command
        ->add_option("--set", options->overrides,
                     "Override a key of the recipe; may be repeated. stages.improve=none and "
                     "stages.operations=none take a stage away")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    run_command->add_option("-d,--folder", options->folder, "Keep everything of the run in this new folder")
        ->type_name("FOLDER");
    add_folder_options(*run_command, *options);
    add_common_options(*run_command, *options);
    run_command->callback([&chosen, options] { chosen = [options] { return run(*options); }; });
}

void add_resume(CLI::App& app, Action& chosen) {
    const auto options = std::make_shared<RunOptions>();
    auto* resume_command = app.add_subcommand("resume", "Go on with an interrupted run");
    resume_command->footer("Examples:\n  knossos resume my-run");
    resume_command->add_option("folder", options->folder, "The run's folder")->required();
    resume_command->add_option("--threads", options->threads, "Threads; 0 takes what pays")->check(threads());
    resume_command->add_option("-o,--output", options->outputs, "Write the best to a file; may be repeated")
        ->type_name("FILE")
        ->allow_extra_args(false);
    resume_command->add_flag("--json", options->json, "Print one JSON object");
    resume_command->add_flag("--quiet", options->quiet, "Print nothing; the exit code tells");
    resume_command->add_flag("--ascii", options->ascii, "Plain characters and no colours");
    add_folder_options(*resume_command, *options);
    resume_command->callback([&chosen, options] { chosen = [options] { return resume(*options); }; });
}

void add_verify(CLI::App& app, Action& chosen) {
    const auto options = std::make_shared<RunOptions>();
    auto* verify_command = app.add_subcommand("verify", "Run a folder's recipe again and compare to the bit");
    verify_command->footer("Examples:\n  knossos verify my-run --threads 1");
    verify_command->add_option("folder", options->folder, "The run's folder")->required();
    verify_command->add_option("--threads", options->threads, "Threads; 0 takes what pays")->check(threads());
    verify_command->add_flag("--json", options->json, "Print one JSON object");
    verify_command->callback([&chosen, options] {
        chosen = [options] { return verify_folder(options->folder, options->threads, options->json); };
    });
}

void add_diff(CLI::App& app, Action& chosen) {
    struct DiffOptions {
        std::string first{};
        std::string second{};
        bool json = false;
    };
    const auto options = std::make_shared<DiffOptions>();
    auto* diff_command = app.add_subcommand("diff", "Say where two runs part");
    diff_command->footer("Examples:\n  knossos diff my-run your-run\n  knossos diff pmx-queens my.toml\n"
                         "Ends with 0 if they are the same, with 1 if not.");
    diff_command->add_option("first", options->first, "A run's folder, or a recipe")->required();
    diff_command->add_option("second", options->second, "Another one")->required();
    diff_command->add_flag("--json", options->json, "Print one JSON object");
    diff_command->callback([&chosen, options] {
        chosen = [options] { return compare_runs(options->first, options->second, options->json); };
    });
}

void add_show(CLI::App& app, Action& chosen) {
    const auto options = std::make_shared<ShowOptions>();
    auto* show_command = app.add_subcommand("show", "Summarise a run folder; show a board or level");
    show_command->footer(
        "Examples:\n  knossos show my-run\n  knossos show level.tmj\n  knossos show board.csv");
    show_command->add_option("source", options->source, "A run's folder, or a file with a board or a level")
        ->required();
    show_command->add_flag("--json", options->json, "Print the result as one JSON object");
    show_command->add_flag("--ascii", options->ascii, "Plain characters and no colours");
    show_command->callback([&chosen, options] {
        chosen = [options] { return show_result(options->source, options->json, options->ascii); };
    });
}

void add_export(CLI::App& app, Action& chosen) {
    const auto options = std::make_shared<RunOptions>(); // the folder may be a file as well
    auto* export_command = app.add_subcommand("export", "Write a result, board or level as other files");
    export_command->footer("Examples:\n  knossos export my-run -o board.svg -o board.csv\n  knossos export "
                           "level.txt -o level.tmj -o "
                           "level.png");
    export_command->add_option("source", options->folder, "A run's folder, or a file with a board or a level")
        ->required();
    export_command->add_option("-o,--output", options->outputs, "A file, by its extension; may be repeated")
        ->type_name("FILE")
        ->allow_extra_args(false)
        ->required();
    export_command->callback([&chosen, options] {
        chosen = [options] { return export_result(options->folder, options->outputs); };
    });
}

void add_recipes(CLI::App& app, Action& chosen) {
    auto* recipes = app.add_subcommand("recipes", "List, show and check recipes");
    recipes->footer("Examples:\n  knossos recipes\n  knossos recipes show pmx-queens > my.toml\n  knossos "
                    "recipes check my.toml\n  knossos recipes schema > recipe.schema.json");
    const auto options = std::make_shared<RunOptions>();
    recipes->add_flag("--json", options->json, "Print the list as JSON");
    auto* show = recipes->add_subcommand("show", "Print a recipe with every default filled in");
    auto* check = recipes->add_subcommand("check", "Say all that is wrong with a recipe");
    auto* schema = recipes->add_subcommand("schema", "Print a JSON Schema of recipes, for editors");
    for (auto* command : {show, check}) {
        command->add_option("recipe", options->recipe, "Name of a built-in recipe, or a .toml file")
            ->required();
        command->add_option("--set", options->overrides, "Override a key of the recipe")
            ->type_name("KEY=VALUE")
            ->allow_extra_args(false);
    }
    recipes->callback([&chosen, options, show, check, schema] {
        chosen = [=] {
            if (show->parsed()) return show_recipe(options->recipe, options->overrides);
            if (check->parsed()) return check_recipe(options->recipe, options->overrides);
            if (schema->parsed()) return print_recipe_schema();
            return list_recipes(options->json);
        };
    });
}

void add_study(CLI::App& app, Action& chosen) {
    const auto options = std::make_shared<StudyOptions>();
    auto* study = app.add_subcommand("study", "Run recipes many times and say what came out");
    study->footer(
        "Examples:\n  knossos study my-study.toml\n  knossos study my-study.toml --runs 1000 -o my.db\n"
        "Interrupted, the same command goes on with the runs that are missing.");
    study->add_option("file", options->file, "The study: a .toml file")->required();
    study->add_option("-o,--database", options->database, "Where the runs go (STUDY.db if not given)")
        ->type_name("FILE");
    study->add_option("--runs", options->runs, "Runs of each configuration")
        ->check(positive())
        ->type_name("COUNT");
    study->add_option("--seed", options->seed, "Seed of run 0; run i has this + i")->type_name("SEED");
    study->add_option("--budget", options->budget, "Evaluations that a run may make")
        ->check(positive())
        ->type_name("COUNT");
    study->add_option("--set", options->overrides, "Override a key in every recipe; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    study->add_option("--threads", options->threads, "Runs at once; 0 takes one per hardware thread")
        ->check(threads());
    study->add_option("--ioh", options->ioh, "Also write the runs as IOHprofiler does into this folder")
        ->type_name("FOLDER");
    study->add_option("--wait", options->wait, "Seconds to wait for a locked database")
        ->check(seconds(false))
        ->type_name("SECONDS")
        ->capture_default_str();
    study->add_flag("--json", options->json, "Print one JSON object");
    study->add_flag("--quiet", options->quiet, "Print nothing; the exit code tells");
    study->callback([&chosen, options] { chosen = [options] { return run_study(*options); }; });
}

void add_report(CLI::App& app, Action& chosen) {
    const auto options = std::make_shared<ReportOptions>();
    auto* report = app.add_subcommand("report", "Write what a study found: page, tables, figures");
    report->footer("Examples:\n  knossos report my-study.db\n  knossos report my-study.db --format markdown\n"
                   "  knossos report my-study.db --csv figures");
    report->add_option("database", options->database, "The file of the study")->required();
    report
        ->add_option("-o,--output", options->output,
                     "The report (DATABASE.html if not given); - is standard output")
        ->type_name("FILE");
    report->add_option("--format", options->format, "html, markdown or csv; by the extension if not given")
        ->check(CLI::IsMember({"html", "markdown", "csv"}).description(""))
        ->type_name("NAME");
    report->add_option("--csv", options->csv, "Write all figures as CSV files into this folder")
        ->type_name("FOLDER");
    report->add_option("--svg", options->svg, "Write all plots as SVG files into this folder")
        ->type_name("FOLDER");
    report->add_option("--ioh", options->ioh, "Write the runs as IOHprofiler does into this folder")
        ->type_name("FOLDER");
    report->add_option("--wait", options->wait, "Seconds to wait for a locked database")
        ->check(seconds(false))
        ->type_name("SECONDS")
        ->capture_default_str();
    report->add_flag("--quiet", options->quiet, "Don't say which files were written");
    report->callback([&chosen, options] { chosen = [options] { return report_study(*options); }; });
}

void add_studio(CLI::App& app, Action& chosen) {
    const auto options = std::make_shared<StudioOptions>();
    auto* studio = app.add_subcommand("studio", "Watch evolution and design levels, in the browser");
    studio->footer("Examples:\n  knossos studio\n  knossos studio --port 8080 --workspace my-runs --no-open");
    studio->add_option("--port", options->port, "Port on 127.0.0.1 (a free one if not given)")
        ->check(whole_number(0, 65535))
        ->type_name("PORT");
    studio
        ->add_option("--workspace", options->workspace,
                     "Folder that keeps the runs (in your data folder if not given)")
        ->type_name("FOLDER");
    studio->add_flag_callback("--no-open", [options] { options->open = false; }, "Don't open the browser");
    studio->callback([&chosen, options] { chosen = [options] { return serve_studio(*options); }; });
}

// The command line as data, so that manual and completions say what --help says.
CommandInfo describe(const CLI::App& command) {
    CommandInfo info{.name = command.get_name(),
                     .meaning = command.get_description(),
                     .examples = command.get_footer(),
                     .options = {},
                     .commands = {}};
    for (const CLI::Option* option : command.get_options()) {
        if (option->get_lnames() == std::vector<std::string>{"help"}) continue;
        OptionInfo one{.names = {},
                       .value = option->get_items_expected_max() == 0 ? "" : option->get_type_name(),
                       .meaning = option->get_description(),
                       .positional = option->get_positional() ? option->get_name(true) : "",
                       .required = option->get_required()};
        for (const auto& name : option->get_snames()) one.names.push_back("-" + name);
        for (const auto& name : option->get_lnames()) one.names.push_back("--" + name);
        info.options.push_back(std::move(one));
    }
    for (const CLI::App* inner : command.get_subcommands({})) info.commands.push_back(describe(*inner));
    return info;
}

// What to say of a command that there is not.
std::optional<std::string> unknown_command(const CLI::App& app, int argc, char** argv) {
    if (argc < 2 || argv[1][0] == '-') return std::nullopt;
    const std::string given = argv[1];
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
    if (std::ranges::find(names, given) != names.end()) return std::nullopt;
    const auto meant = knossos::nearest(given, names);
    return fmt::format("there is no command '{}'; {}", given,
                       meant ? "did you mean " + *meant + "?"
                             : fmt::format("there are {}", fmt::join(names, ", ")));
}

// What is still in the buffer must arrive too, or the exit code would promise a result that nobody got.
void flush_output() {
    if (std::fflush(stdout) != 0)
        throw knossos::InputOutputError{
            fmt::format("writing to the standard output failed: {}", std::generic_category().message(errno))};
}

// Says on standard error what went wrong, and which exit code that is.
int guarded(const Action& command) {
    try {
        const int code = command();
        flush_output();
        return code;
    } catch (const knossos::RecipeError& error) {
        for (const auto& one : error.diagnostics())
            fmt::print(stderr, "knossos: {}: {}\n", one.where, one.message);
        return bad_input;
    } catch (const knossos::InvalidInput& error) {
        fmt::print(stderr, "knossos: {}\n", error.what());
        return bad_input;
    } catch (const knossos::Interrupted& error) {
        fmt::print(stderr, "knossos: {}\n", error.what());
        return not_reached;
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
    app.formatter(std::make_shared<NarrowHelp>());
    app.footer(fmt::format("Examples:\n{}  knossos run pmx-queens --set problem.n=64 -d my-run\n"
                           "'knossos COMMAND --help' says more.",
                           domain_examples));
    app.require_subcommand(1);
    app.set_version_flag("--version", std::string{"knossos "} + knossos::version);
    Action chosen;

    for (const auto add : domain_verbs) add(app, chosen);
    for (const auto add : {add_run, add_resume, add_verify, add_diff, add_show, add_export, add_recipes,
                           add_study, add_report, add_studio})
        add(app, chosen);

    std::string shell;
    auto* completion = app.add_subcommand("completion", "Print the completion script for a shell");
    completion->footer(
        "Examples:\n  knossos completion bash > ~/.local/share/bash-completion/completions/knossos");
    completion->add_option("shell", shell, "bash, zsh or fish")->required();
    completion->callback([&] {
        chosen = [&] {
            fmt::print("{}", completion_script(describe(app), shell));
            return reached;
        };
    });
    auto* manual = app.add_subcommand("manual", "Print the manual page (troff)");
    manual->footer("Examples:\n  knossos manual | man -l -");
    manual->callback([&] {
        chosen = [&] {
            fmt::print("{}", manual_page(describe(app)));
            return reached;
        };
    });

    auto* version_command = app.add_subcommand("version", "Print the version");
    version_command->footer("Examples:\n  knossos version");
    version_command->callback([&] {
        chosen = [] {
            fmt::print("knossos {}\n", knossos::version);
            return reached;
        };
    });

    refuse_empty_values(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);
        fmt::print(stderr, "knossos: {}\n", unknown_command(app, argc, argv).value_or(error.what()));
        return bad_input;
    }
    return guarded(chosen);
}
