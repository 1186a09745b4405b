#include "common_options.hpp"
#include "gallery_command.hpp"
#include "linked_run.hpp"
#include "reference.hpp"
#include "terminal.hpp"
#include "verbs/verbs.hpp"

#include <knossos/core/error.hpp>
#include <knossos/core/text.hpp>
#include <knossos/main.hpp>
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

namespace knossos {

namespace app {

namespace {

void add_folder_options(CLI::App& command, RunOptions& options) {
    command
        .add_option(
            "--checkpoint-every", options.checkpoint_every,
            "Seconds between checkpoints of a run folder (30, or the recipe's, if not given); 0 keeps "
            "every generation")
        ->check(seconds(false))
        ->type_name("SECONDS");
    command
        .add_option(
            "--device", options.device,
            "Where it runs: cpu, auto, a device that 'devices' lists, or several, apart by commas, which "
            "divide the islands among them (cpu, or the recipe's, if not given). Never changes the result")
        ->type_name("NAME");
}

void add_run(CLI::App& app, Action& chosen, const Registry& registry) {
    const auto options = std::make_shared<RunOptions>();
    auto* run_command = app.add_subcommand("run", "Run a recipe");
    run_command->footer(fmt::format("Examples:\n  {0} run pmx-queens --set problem.n=64\n  {0} run my.toml "
                                    "--seed 7 -d my-run -o best.svg",
                                    registry.program()));
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
    add_front_option(*run_command, *options);
    add_common_options(*run_command, *options);
    run_command->callback(
        [&chosen, &registry, options] { chosen = [&registry, options] { return run(*options, registry); }; });
}

void add_breed(CLI::App& app, Action& chosen, const Registry& registry) {
    const auto options = std::make_shared<BreedOptions>();
    auto* breed_command = app.add_subcommand("breed", "Choose the parents of each generation yourself");
    breed_command->footer(
        fmt::format("Examples:\n  {0} breed maze-automaton -o level.tmj\n  {0} breed "
                    "pmx-queens -d my-breed\n  {0} breed my-breed\nNumbers name those who go on; "
                    "'end 2 5' keeps two of them and ends.",
                    registry.program()));
    breed_command
        ->add_option("recipe", options->recipe,
                     "Name of a built-in recipe, a .toml file, or the folder of an earlier one")
        ->required();
    breed_command->add_option("--set", options->overrides, "Override a key of the recipe; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    breed_command->add_option("--seed", options->seed, "Seed of all randomness")->type_name("SEED");
    breed_command->add_option("-d,--folder", options->folder, "Keep everything of the run in this new folder")
        ->type_name("FOLDER");
    breed_command
        ->add_option("-o,--output", options->outputs, "Write those kept at the end to files; may be repeated")
        ->type_name("FILE")
        ->allow_extra_args(false);
    breed_command->add_flag("--ascii", options->ascii, "Plain characters and no colours");
    breed_command->callback([&chosen, &registry, options] {
        chosen = [&registry, options] { return breed(*options, registry); };
    });
}

void add_resume(CLI::App& app, Action& chosen, const Registry& registry) {
    const auto options = std::make_shared<RunOptions>();
    auto* resume_command = app.add_subcommand("resume", "Go on with an interrupted run");
    resume_command->footer(fmt::format("Examples:\n  {0} resume my-run", registry.program()));
    resume_command->add_option("folder", options->folder, "The run's folder")->required();
    resume_command->add_option("--threads", options->threads, "Threads; 0 takes what pays")->check(threads());
    resume_command->add_option("-o,--output", options->outputs, "Write the best to a file; may be repeated")
        ->type_name("FILE")
        ->allow_extra_args(false);
    resume_command->add_flag("--json", options->json, "Print one JSON object");
    resume_command->add_flag("--quiet", options->quiet, "Print nothing; the exit code tells");
    resume_command->add_flag("--ascii", options->ascii, "Plain characters and no colours");
    add_folder_options(*resume_command, *options);
    add_front_option(*resume_command, *options);
    resume_command->callback([&chosen, &registry, options] {
        chosen = [&registry, options] { return resume(*options, registry); };
    });
}

void add_verify(CLI::App& app, Action& chosen, const Registry& registry) {
    const auto options = std::make_shared<RunOptions>();
    auto* verify_command = app.add_subcommand("verify", "Run a recipe again and compare to the bit");
    verify_command->footer(fmt::format("Examples:\n  {0} verify my-run --threads 1\n  {0} verify "
                                       "'https://…/#/run?recipe=…&digest=…'",
                                       registry.program()));
    verify_command->add_option("folder", options->folder, "The run's folder, or a link of the page")
        ->required();
    verify_command->add_option("--threads", options->threads, "Threads; 0 takes what pays")->check(threads());
    verify_command->add_flag("--json", options->json, "Print one JSON object");
    verify_command->callback([&chosen, &registry, options] {
        chosen = [&registry, options] {
            const auto verified = is_link(options->folder) ? verify_link : verify_folder;
            return verified(options->folder, options->threads, options->json, registry);
        };
    });
}

void add_diff(CLI::App& app, Action& chosen, const Registry& registry) {
    struct DiffOptions {
        std::string first{};
        std::string second{};
        bool json = false;
    };
    const auto options = std::make_shared<DiffOptions>();
    auto* diff_command = app.add_subcommand("diff", "Say where two runs part");
    diff_command->footer(fmt::format("Examples:\n  {0} diff my-run your-run\n  {0} diff pmx-queens "
                                     "my.toml\nEnds with 0 if they are the same, with 1 if not.",
                                     registry.program()));
    diff_command->add_option("first", options->first, "A run's folder, or a recipe")->required();
    diff_command->add_option("second", options->second, "Another one")->required();
    diff_command->add_flag("--json", options->json, "Print one JSON object");
    diff_command->callback([&chosen, &registry, options] {
        chosen = [&registry, options] {
            return compare_runs(options->first, options->second, options->json, registry);
        };
    });
}

void add_show(CLI::App& app, Action& chosen, const Registry& registry) {
    const auto options = std::make_shared<ShowOptions>();
    auto* show_command = app.add_subcommand("show", "Summarise a run folder; show a board or level");
    show_command->footer(fmt::format(
        "Examples:\n  {0} show my-run\n  {0} show level.tmj\n  {0} show board.csv", registry.program()));
    show_command->add_option("source", options->source, "A run's folder, or a file with a board or a level")
        ->required();
    show_command->add_flag("--json", options->json, "Print the result as one JSON object");
    show_command->add_flag("--ascii", options->ascii, "Plain characters and no colours");
    show_command->callback([&chosen, &registry, options] {
        chosen = [&registry, options] {
            return show_result(options->source, options->json, options->ascii, registry);
        };
    });
}

void add_export(CLI::App& app, Action& chosen, const Registry& registry) {
    const auto options = std::make_shared<RunOptions>(); // the folder may be a file as well
    const auto list = std::make_shared<bool>(false);
    auto* export_command = app.add_subcommand("export", "Write a result, board or level as other files");
    export_command->footer(fmt::format("Examples:\n  {0} export my-run -o board.svg -o board.csv\n  {0} "
                                       "export level.txt -o level.tmj -o level.png\n  {0} export --list",
                                       registry.program()));
    export_command->add_option("source", options->folder,
                               "A run's folder, or a file with a board or a level");
    export_command->add_option("-o,--output", options->outputs, "A file, by its extension; may be repeated")
        ->type_name("FILE")
        ->allow_extra_args(false);
    export_command->add_flag("--list", *list, "Print the formats that there are");
    export_command->add_flag("--front", options->front, "Every trade-off of a run, in numbered files");
    export_command->callback([&chosen, &registry, options, list] {
        chosen = [&registry, options, list] {
            if (*list) return list_formats(registry);
            return export_result(options->folder, options->outputs, options->front, registry);
        };
    });
}

void add_gallery(CLI::App& app, Action& chosen, const Registry& registry) {
    const auto options = std::make_shared<GalleryOptions>();
    auto* gallery = app.add_subcommand("gallery", "Look through a gallery, and write some of it");
    gallery->footer(
        fmt::format("Examples:\n  {0} gallery my-run\n  {0} gallery my-run --axes 'dead-ends, loops' --where "
                    "'path 60..80' --map map.svg\n  {0} gallery my-run --count 30 --spread -o "
                    "level.tmj\n  {0} gallery one two --save both.json",
                    registry.program()));
    gallery->add_option("source", options->sources, "A run's folder, or a gallery.json; several are merged")
        ->required();
    gallery
        ->add_option("--axes", options->axes, "Lay it out by other measures: 'dead-ends, path 0..262 by 2'")
        ->type_name("AXES");
    gallery->add_option("--where", options->where, "Only those within ranges: 'path 60..80, loops 3..'")
        ->type_name("RANGES");
    gallery->add_option("--count", options->count, "Choose so many: the best, unless --spread is given")
        ->check(positive())
        ->type_name("COUNT");
    gallery->add_flag("--spread", options->spread,
                      "Choose those that lie farthest apart, in their cells and on the axes");
    gallery
        ->add_option("--apart", options->apart, "Any two chosen differ in at least this share of their cells")
        ->check(share())
        ->type_name("SHARE");
    gallery
        ->add_option("--apart-under", options->apart_under,
                     "symmetry: also from what the others are when mirrored and turned")
        ->type_name("NAME");
    gallery
        ->add_option("-o,--output", options->outputs,
                     "Write each one chosen to a numbered file, by the extension; may be repeated")
        ->type_name("FILE")
        ->allow_extra_args(false);
    gallery->add_option("--map", options->map, "Write the heat map as .svg or .png")->type_name("FILE");
    gallery->add_option("--sheet", options->sheet, "Write a contact sheet of those chosen as .svg or .png")
        ->type_name("FILE");
    gallery->add_option("--save", options->save, "Write what is left, one a cell, as a gallery (.json)")
        ->type_name("FILE");
    gallery->add_flag("--json", options->json, "Print one JSON object");
    gallery->add_flag("--quiet", options->quiet, "Print nothing; the exit code tells");
    gallery->add_flag("--ascii", options->ascii, "Plain characters and no colours");
    gallery->callback([&chosen, &registry, options] {
        chosen = [&registry, options] { return show_gallery(*options, registry); };
    });
}

void add_devices(CLI::App& app, Action& chosen, const Registry& registry) {
    struct DevicesOptions {
        double seconds = 1.0;
        bool json = false;
    };
    const auto options = std::make_shared<DevicesOptions>();
    auto* command = app.add_subcommand("devices", "List the devices that runs can go to, measured");
    command->footer(
        fmt::format("Examples:\n  {0} devices\n  {0} run one-max --device auto", registry.program()));
    command->add_option("--seconds", options->seconds, "How long each is measured; 0 only lists them")
        ->check(seconds(false))
        ->type_name("SECONDS");
    command->add_flag("--json", options->json, "Print one JSON object");
    command->callback([&chosen, &registry, options] {
        chosen = [&registry, options] { return list_devices(options->seconds, options->json, registry); };
    });
}

void add_recipes(CLI::App& app, Action& chosen, const Registry& registry) {
    auto* recipes = app.add_subcommand("recipes", "List, show and check recipes");
    recipes->footer(fmt::format("Examples:\n  {0} recipes\n  {0} recipes show pmx-queens > my.toml\n  {0} "
                                "recipes check my.toml\n  {0} recipes schema > recipe.schema.json",
                                registry.program()));
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
    recipes->callback([&chosen, &registry, options, show, check, schema] {
        chosen = [=, &registry] {
            if (show->parsed()) return show_recipe(options->recipe, options->overrides, registry);
            if (check->parsed()) return check_recipe(options->recipe, options->overrides, registry);
            if (schema->parsed()) return print_recipe_schema(registry);
            return list_recipes(options->json, registry);
        };
    });
}

void add_study(CLI::App& app, Action& chosen, const Registry& registry) {
    const auto options = std::make_shared<StudyOptions>();
    auto* study = app.add_subcommand("study", "Run recipes many times and say what came out");
    study->footer(
        fmt::format("Examples:\n  {0} study my-study.toml\n  {0} study my-study.toml --runs 1000 -o "
                    "my.db\nInterrupted, the same command goes on with the runs that are missing.",
                    registry.program()));
    study->add_option("file", options->file, "The study: a .toml file")->required();
    study->add_option("-o,--database", options->database, "Where the runs go (STUDY.db if not given)")
        ->type_name("FILE");
    study->add_option("--runs", options->runs, "Runs of each configuration")
        ->check(positive())
        ->type_name("COUNT");
    study->add_option("--seed", options->seed, "What the seeds of all runs come from")->type_name("SEED");
    study->add_option("--budget", options->budget, "Evaluations that a run may make")
        ->check(positive())
        ->type_name("COUNT");
    study->add_option("--set", options->overrides, "Override a key in every recipe; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    study->add_option("--threads", options->threads, "Runs at once; 0 takes one per hardware thread")
        ->check(threads());
    study
        ->add_option("--device", options->device,
                     "Where the runs go: cpu, auto, a device that 'devices' lists, or several, apart by "
                     "commas, which divide the islands of each among them (cpu, or the recipes', if not "
                     "given). Never changes a result")
        ->type_name("NAME");
    study->add_option("--ioh", options->ioh, "Also write the runs as IOHprofiler does into this folder")
        ->type_name("FOLDER");
    study->add_option("--wait", options->wait, "Seconds to wait for a locked database")
        ->check(seconds(false))
        ->type_name("SECONDS")
        ->capture_default_str();
    study->add_flag("--drop", options->drop,
                    "Drop configurations that are not in the file any more, with their runs");
    study->add_flag("--json", options->json, "Print one JSON object");
    study->add_flag("--quiet", options->quiet, "Print nothing; the exit code tells");
    study->callback([&chosen, &registry, options] {
        chosen = [&registry, options] { return run_study(*options, registry); };
    });
}

void add_report(CLI::App& app, Action& chosen, const Registry& registry) {
    const auto options = std::make_shared<ReportOptions>();
    auto* report = app.add_subcommand("report", "Write what a study found: page, tables, figures");
    report->footer(fmt::format("Examples:\n  {0} report my-study.db\n  {0} report my-study.db --format "
                               "markdown\n  {0} report my-study.db --csv figures",
                               registry.program()));
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
    report->callback([&chosen, &registry, options] {
        chosen = [&registry, options] { return report_study(*options, registry); };
    });
}

void add_studio(CLI::App& app, Action& chosen, const Registry& registry) {
    const auto options = std::make_shared<StudioOptions>();
    auto* studio = app.add_subcommand("studio", "Watch evolution and design levels, in the browser");
    studio->footer(
        fmt::format("Examples:\n  {0} studio\n  {0} studio --port 8080 --workspace my-runs --no-open",
                    registry.program()));
    studio->add_option("--port", options->port, "Port on 127.0.0.1 (a free one if not given)")
        ->check(whole_number(0, 65535))
        ->type_name("PORT");
    studio
        ->add_option("--workspace", options->workspace,
                     "Folder that keeps the runs (in your data folder if not given)")
        ->type_name("FOLDER");
    studio->add_flag_callback("--no-open", [options] { options->open = false; }, "Don't open the browser");
    studio->callback([&chosen, &registry, options] {
        chosen = [&registry, options] { return serve_studio(*options, registry); };
    });
}

void add_new(CLI::App& app, Action& chosen, const Registry& registry) {
    const auto name = std::make_shared<std::string>();
    auto* make = app.add_subcommand("new", "Begin a program with a problem of your own");
    make->footer(fmt::format("Examples:\n  {0} new my-problem", registry.program()));
    make->add_option("name", *name, "What the problem, its folder and its program are called")->required();
    make->callback(
        [&chosen, &registry, name] { chosen = [&registry, name] { return make_program(*name, registry); }; });
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
    const auto meant = nearest(given, names);
    return fmt::format("there is no command '{}'; {}", given,
                       meant ? "did you mean " + *meant + "?"
                             : fmt::format("there are {}", fmt::join(names, ", ")));
}

// What to say of a command of a command, as in 'recipes shwo', if there is one that looks like it.
std::optional<std::string> unknown_inner_command(const CLI::App& app, int argc, char** argv) {
    if (argc < 3) return std::nullopt;
    for (const CLI::App* command : app.get_subcommands({})) {
        if (command->get_name() != argv[1]) continue;
        std::vector<std::string> names;
        for (const CLI::App* inner : command->get_subcommands({})) names.push_back(inner->get_name());
        const std::string given = argv[2];
        if (names.empty() || std::ranges::find(names, given) != names.end()) return std::nullopt;
        if (const auto meant = nearest(given, names))
            return fmt::format("there is no command '{0} {1}'; did you mean {0} {2}?", argv[1], given,
                               *meant);
    }
    return std::nullopt;
}

// What is still in the buffer must arrive too, or the exit code would promise a result that nobody got.
void flush_output() {
    if (std::fflush(stdout) != 0)
        throw InputOutputError{
            fmt::format("writing to the standard output failed: {}", std::generic_category().message(errno))};
}

// Says on standard error what went wrong, and which exit code that is.
int guarded(const Action& command, const std::string& program) {
    try {
        const int code = command();
        flush_output();
        return code;
    } catch (const RecipeError& error) {
        for (const auto& one : error.diagnostics())
            fmt::print(stderr, "{}: {}: {}\n", program, printable(one.where), printable(one.message));
        return bad_input;
    } catch (const InvalidInput& error) {
        fmt::print(stderr, "{}: {}\n", program, printable(error.what()));
        return bad_input;
    } catch (const Interrupted& error) {
        fmt::print(stderr, "{}: {}\n", program, printable(error.what()));
        return not_reached;
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "{}: there is not enough memory for this\n", program);
        return failure;
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}: {}\n", program, printable(error.what()));
        return failure;
    }
}

// What the program says about itself.
void add_reference(CLI::App& app, Action& chosen, const Registry& registry) {
    const auto shell = std::make_shared<std::string>();
    auto* completion = app.add_subcommand("completion", "Print the completion script for a shell");
    completion->footer(
        fmt::format("Examples:\n  {0} completion bash > ~/.local/share/bash-completion/completions/{0}",
                    registry.program()));
    completion->add_option("shell", *shell, "bash, zsh or fish")->required();
    completion->callback([&app, &chosen, &registry, shell] {
        chosen = [&app, &registry, shell] {
            fmt::print("{}", completion_script(describe(app), *shell, registry));
            return reached;
        };
    });
    auto* manual = app.add_subcommand("manual", "Print the manual page (troff)");
    manual->footer(fmt::format("Examples:\n  {0} manual | man -l -", registry.program()));
    manual->callback([&app, &chosen] {
        chosen = [&app] {
            fmt::print("{}", manual_page(describe(app)));
            return reached;
        };
    });
    auto* version_command = app.add_subcommand("version", "Print the version");
    version_command->footer(fmt::format("Examples:\n  {0} version", registry.program()));
    version_command->callback([&chosen, &registry] {
        chosen = [&registry] {
            fmt::print("{}\n", version_text(registry.program(), "knossos"));
            return reached;
        };
    });
}

} // namespace

} // namespace app

int main(int argc, char** argv, const Registry& given) {
    using namespace app;
    const std::string program = program_name(argc, argv, given.program());
    const Registry registry = Registry{given}.call_program(program);
    CLI::App app{program == "knossos" ? "Knossos evolves things that live on grids."
                                      : fmt::format("{} evolves what recipes say, with Knossos.", program),
                 program};
    app.formatter(std::make_shared<NarrowHelp>());
    std::string examples;
    for (const char* one : domain_examples) examples += fmt::format("  {} {}\n", program, one);
    app.footer(fmt::format("Examples:\n{0}  {1} run pmx-queens --set problem.n=64 -d my-run\n"
                           "'{1} COMMAND --help' says more.",
                           examples, program));
    app.require_subcommand(1);
    app.set_version_flag("--version", version_text(program, "knossos"));
    Action chosen;
    for (const auto add : domain_verbs) add(app, chosen, registry);
    for (const auto add :
         {add_run, add_breed, add_resume, add_verify, add_diff, add_show, add_export, add_gallery,
          add_devices, add_recipes, add_study, add_report, add_studio, add_new, add_reference})
        add(app, chosen, registry);
    refuse_empty_values(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);
        std::optional<std::string> unknown = unknown_command(app, argc, argv);
        if (!unknown) unknown = unknown_inner_command(app, argc, argv);
        if (!unknown) unknown = unknown_option(app, argc, argv);
        fmt::print(stderr, "{}: {}\n", program, app::printable(unknown.value_or(error.what())));
        return bad_input;
    }
    return guarded(chosen, program);
}

} // namespace knossos
