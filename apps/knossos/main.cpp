#include "commands.hpp"
#include "reference.hpp"
#include "terminal.hpp"

#include <knossos/core/error.hpp>
#include <knossos/run/recipe.hpp>
#include <knossos/version.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <functional>
#include <new>
#include <system_error>

namespace {

using namespace knossos::app;

// Validators with their own wording in --help would only repeat what the description says.
CLI::Validator positive() { return CLI::Validator{CLI::PositiveNumber}.description(""); }

// Help that fits into 80 columns.
class NarrowHelp : public CLI::Formatter {
  public:
    [[nodiscard]] std::string make_option_desc(const CLI::Option* option) const override {
        return wrapped(CLI::Formatter::make_option_desc(option), "", 80 - get_column_width());
    }
};

void add_common_options(CLI::App& command, CommonOptions& options) {
    command
        .add_option("--seed", options.seed, "Seed of the random streams (1, or the recipe's, if not given)")
        ->type_name("SEED");
    command.add_option("--threads", options.threads, "Threads; 0 takes what pays. Never changes the result")
        ->check(CLI::Range(0, 1024).description(""));
    command.add_option("--budget", options.budget, "Stop after this many evaluations")
        ->check(positive())
        ->type_name("COUNT");
    command.add_option("--time", options.time, "Stop after this many seconds")
        ->check(positive())
        ->type_name("SECONDS");
    command
        .add_option("-o,--output", options.outputs,
                    "Write the best to a file, by its extension; may be repeated")
        ->type_name("FILE")
        ->allow_extra_args(false);
    command.add_flag("--json", options.json, "Print one JSON object");
    command.add_flag("--quiet", options.quiet, "Print nothing; the exit code tells");
    command.add_flag("--ascii", options.ascii, "Plain characters and no colours");
}

void add_folder_options(CLI::App& command, RunOptions& options) {
    command
        .add_option(
            "--checkpoint-every", options.checkpoint_every,
            "Seconds between checkpoints of a run folder (30, or the recipe's, if not given); 0 keeps "
            "every generation")
        ->check(CLI::Validator{CLI::NonNegativeNumber}.description(""))
        ->type_name("SECONDS");
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

// What is still in the buffer must arrive too, or the exit code would promise a result that nobody got.
void flush_output() {
    if (std::fflush(stdout) != 0)
        throw knossos::InputOutputError{
            fmt::format("writing to the standard output failed: {}", std::generic_category().message(errno))};
}

// Says on standard error what went wrong, and which exit code that is.
int guarded(const std::function<int()>& command) {
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
    app.footer("Examples:\n  knossos queens 8\n  knossos maze --size 30x20 -o level.tmj\n"
               "  knossos run pmx-queens --set problem.n=64 -d my-run\n"
               "'knossos COMMAND --help' says more.");
    app.require_subcommand(1);
    app.set_version_flag("--version", std::string{"knossos "} + knossos::version);
    std::function<int()> chosen;

    QueensOptions queens_options;
    auto* queens = app.add_subcommand("queens", "Place n queens that don't attack each other");
    queens->footer("Examples:\n  knossos queens 8\n  knossos queens 8 --all\n  knossos queens 8 --place "
                   "a1,c2 -o board.svg\n"
                   "  knossos queens 1000000 --json > million.json");
    queens->add_option("n", queens_options.size, "Rows and columns of the board")->required();
    queens
        ->add_option("--place", queens_options.place,
                     "Squares of queens that are placed already, such as a1,c5")
        ->type_name("SQUARES");
    queens->add_option("--place-file", queens_options.place_file, "A file of such squares")
        ->type_name("FILE");
    queens->add_flag("--all", queens_options.all, "Collect every solution");
    add_common_options(*queens, queens_options);
    queens->callback([&] { chosen = [&] { return solve_queens(queens_options); }; });

    MazeOptions maze_options;
    auto* maze = app.add_subcommand("maze", "Evolve maze-like levels");
    maze->footer("Examples:\n  knossos maze --size 30x30 --seed 7 -o level.tmj -o level.png\n"
                 "  knossos maze --goal 'path 60..70, culs-de-sac 5..9'\n"
                 "  knossos maze --count 20 --different -o level.json\n  knossos maze measure level.json");
    maze->add_option(
            "--representation", maze_options.representation,
            "direct, chromatic, positive, negative or automaton; the best for the purpose if not given")
        ->type_name("NAME");
    maze->add_option("--size", maze_options.size, "Columns and rows (20x20 if not given)")->type_name("WxH");
    maze->add_option("--fitness", maze_options.fitness,
                     "exit-path, reconvergence, isolated-reconvergence, culs-de-sac or cul-de-sac-length")
        ->type_name("NAME");
    maze->add_option("--goal", maze_options.goal,
                     "Wishes instead: 'path 60..70, culs-de-sac 5..9, minimise pockets'")
        ->type_name("WISHES");
    maze->add_option("-k", maze_options.mandatory, "Checkpoints that must lie on a shortest way to the exit")
        ->type_name("COUNT");
    maze->add_option("--entrance", maze_options.entrance, "Where one comes in (0,0 if not given)")
        ->type_name("X,Y");
    maze->add_option("--exit", maze_options.exit, "Where one goes out (the last cell if not given)")
        ->type_name("X,Y");
    maze->add_option("--checkpoints", maze_options.checkpoints, "Cells to be passed: '3,4 10,12'")
        ->type_name("CELLS");
    maze->add_option("--locks", maze_options.locks,
                     "A drawing of # (rock), . (open) and ? (free) that must hold")
        ->type_name("FILE");
    maze->add_option("--symmetry", maze_options.symmetry,
                     "none, left-right, top-bottom, both, rotation or quarter-rotation")
        ->type_name("NAME");
    maze->add_option("--count", maze_options.count, "Number of mazes")->check(positive())->type_name("COUNT");
    maze->add_flag("--different", maze_options.different,
                   "Any two of them differ in at least 40 % of their cells");
    maze->add_flag("--keep-pockets", maze_options.format.level.keep_pockets,
                   "Don't fill what nobody can reach");
    maze->add_flag("--distances", maze_options.format.level.distances,
                   "Pictures show the distance from the entrance");
    maze->add_flag("--culs-de-sac", maze_options.format.level.culs_de_sac, "Pictures mark culs-de-sac");
    maze->add_option("--set", maze_options.overrides, "Override a key of the recipe; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    maze->add_option("-d,--folder", maze_options.folder, "Keep everything of the run in this new folder")
        ->type_name("FOLDER");
    add_common_options(*maze, maze_options);
    std::string measured;
    bool measure_json = false;
    bool measure_ascii = false;
    auto* measure = maze->add_subcommand("measure", "Print the measures of a level, whoever drew it");
    measure->add_option("file", measured, "ASCII, CSV, JSON, TMJ or PNG")->required();
    measure->add_flag("--json", measure_json, "Print one JSON object");
    measure->add_flag("--ascii", measure_ascii, "Plain characters and no colours");
    maze->callback([&] {
        chosen = [&] {
            return measure->parsed() ? measure_level(measured, measure_json, measure_ascii)
                                     : evolve_maze(maze_options);
        };
    });

    RunOptions run_options;
    auto* run_command = app.add_subcommand("run", "Run a recipe");
    run_command->footer("Examples:\n  knossos run pmx-queens --set problem.n=64\n"
                        "  knossos run my.toml --seed 7 -d my-run -o best.svg");
    run_command->add_option("recipe", run_options.recipe, "Name of a built-in recipe, or a .toml file")
        ->required();
    run_command->add_option("--set", run_options.overrides, "Override a key of the recipe; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    run_command
        ->add_option("-d,--folder", run_options.folder, "Keep everything of the run in this new folder")
        ->type_name("FOLDER");
    add_folder_options(*run_command, run_options);
    add_common_options(*run_command, run_options);
    run_command->callback([&] { chosen = [&] { return run(run_options); }; });

    RunOptions resume_options;
    auto* resume_command = app.add_subcommand("resume", "Go on with an interrupted run");
    resume_command->footer("Examples:\n  knossos resume my-run");
    resume_command->add_option("folder", resume_options.folder, "The run's folder")->required();
    resume_command->add_option("--threads", resume_options.threads, "Threads; 0 takes what pays")
        ->check(CLI::Range(0, 1024).description(""));
    resume_command
        ->add_option("-o,--output", resume_options.outputs, "Write the best to a file; may be repeated")
        ->type_name("FILE")
        ->allow_extra_args(false);
    resume_command->add_flag("--json", resume_options.json, "Print one JSON object");
    resume_command->add_flag("--quiet", resume_options.quiet, "Print nothing; the exit code tells");
    resume_command->add_flag("--ascii", resume_options.ascii, "Plain characters and no colours");
    add_folder_options(*resume_command, resume_options);
    resume_command->callback([&] { chosen = [&] { return resume(resume_options); }; });

    std::string folder;
    unsigned verify_threads = 0;
    bool verify_json = false;
    auto* verify_command = app.add_subcommand("verify", "Run a folder's recipe again and compare to the bit");
    verify_command->footer("Examples:\n  knossos verify my-run --threads 1");
    verify_command->add_option("folder", folder, "The run's folder")->required();
    verify_command->add_option("--threads", verify_threads, "Threads; 0 takes what pays")
        ->check(CLI::Range(0, 1024).description(""));
    verify_command->add_flag("--json", verify_json, "Print one JSON object");
    verify_command->callback(
        [&] { chosen = [&] { return verify_folder(folder, verify_threads, verify_json); }; });

    std::string shown;
    bool show_json = false;
    bool show_ascii = false;
    auto* show_command = app.add_subcommand("show", "Summarise a run folder; show a board or level");
    show_command->footer(
        "Examples:\n  knossos show my-run\n  knossos show level.tmj\n  knossos show board.csv");
    show_command->add_option("source", shown, "A run's folder, or a file with a board or a level")
        ->required();
    show_command->add_flag("--json", show_json, "Print the result as one JSON object");
    show_command->add_flag("--ascii", show_ascii, "Plain characters and no colours");
    show_command->callback([&] { chosen = [&] { return show_result(shown, show_json, show_ascii); }; });

    std::string source;
    std::vector<std::string> outputs;
    auto* export_command = app.add_subcommand("export", "Write a result, board or level as other files");
    export_command->footer("Examples:\n  knossos export my-run -o board.svg -o board.csv\n  knossos export "
                           "level.txt -o level.tmj -o "
                           "level.png");
    export_command->add_option("source", source, "A run's folder, or a file with a board or a level")
        ->required();
    export_command->add_option("-o,--output", outputs, "A file, by its extension; may be repeated")
        ->type_name("FILE")
        ->allow_extra_args(false)
        ->required();
    export_command->callback([&] { chosen = [&] { return export_result(source, outputs); }; });

    auto* recipes = app.add_subcommand("recipes", "List, show and check recipes");
    recipes->footer("Examples:\n  knossos recipes\n  knossos recipes show pmx-queens > my.toml\n  knossos "
                    "recipes check my.toml\n  knossos recipes schema > recipe.schema.json");
    bool json = false;
    std::string name;
    std::vector<std::string> overrides;
    recipes->add_flag("--json", json, "Print the list as JSON");
    auto* show = recipes->add_subcommand("show", "Print a recipe with every default filled in");
    auto* check = recipes->add_subcommand("check", "Say all that is wrong with a recipe");
    auto* schema = recipes->add_subcommand("schema", "Print a JSON Schema of recipes, for editors");
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
            if (schema->parsed()) return print_recipe_schema();
            return list_recipes(json);
        };
    });

    StudyOptions study_options;
    auto* study = app.add_subcommand("study", "Run recipes many times and say what came out");
    study->footer(
        "Examples:\n  knossos study my-study.toml\n  knossos study my-study.toml --runs 1000 -o my.db\n"
        "Interrupted, the same command goes on with the runs that are missing.");
    study->add_option("file", study_options.file, "The study: a .toml file")->required();
    study->add_option("-o,--database", study_options.database, "Where the runs go (STUDY.db if not given)")
        ->type_name("FILE");
    study->add_option("--runs", study_options.runs, "Runs of each configuration")
        ->check(positive())
        ->type_name("COUNT");
    study->add_option("--seed", study_options.seed, "Seed of run 0; run i has this + i")->type_name("SEED");
    study->add_option("--budget", study_options.budget, "Evaluations that a run may make")
        ->check(positive())
        ->type_name("COUNT");
    study->add_option("--set", study_options.overrides, "Override a key in every recipe; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    study->add_option("--threads", study_options.threads, "Runs at once; 0 takes one per hardware thread")
        ->check(CLI::Range(0, 1024).description(""));
    study->add_option("--ioh", study_options.ioh, "Also write the runs as IOHprofiler does into this folder")
        ->type_name("FOLDER");
    study->add_option("--wait", study_options.wait, "Seconds to wait for a locked database")
        ->check(CLI::Validator{CLI::NonNegativeNumber}.description(""))
        ->type_name("SECONDS")
        ->capture_default_str();
    study->add_flag("--json", study_options.json, "Print one JSON object");
    study->add_flag("--quiet", study_options.quiet, "Print nothing; the exit code tells");
    study->callback([&] { chosen = [&] { return run_study(study_options); }; });

    ReportOptions report_options;
    auto* report = app.add_subcommand("report", "Write what a study found: page, tables, figures");
    report->footer("Examples:\n  knossos report my-study.db\n  knossos report my-study.db --format markdown\n"
                   "  knossos report my-study.db --csv figures");
    report->add_option("database", report_options.database, "The file of the study")->required();
    report
        ->add_option("-o,--output", report_options.output,
                     "The report (DATABASE.html if not given); - is standard output")
        ->type_name("FILE");
    report
        ->add_option("--format", report_options.format,
                     "html, markdown or csv; by the extension if not given")
        ->check(CLI::IsMember({"html", "markdown", "csv"}).description(""))
        ->type_name("NAME");
    report->add_option("--csv", report_options.csv, "Write all figures as CSV files into this folder")
        ->type_name("FOLDER");
    report->add_option("--svg", report_options.svg, "Write all plots as SVG files into this folder")
        ->type_name("FOLDER");
    report->add_option("--ioh", report_options.ioh, "Write the runs as IOHprofiler does into this folder")
        ->type_name("FOLDER");
    report->add_option("--wait", report_options.wait, "Seconds to wait for a locked database")
        ->check(CLI::Validator{CLI::NonNegativeNumber}.description(""))
        ->type_name("SECONDS")
        ->capture_default_str();
    report->add_flag("--quiet", report_options.quiet, "Don't say which files were written");
    report->callback([&] { chosen = [&] { return report_study(report_options); }; });

    StudioOptions studio_options;
    bool keep_closed = false;
    auto* studio = app.add_subcommand("studio", "Watch evolution and design levels, in the browser");
    studio->footer("Examples:\n  knossos studio\n  knossos studio --port 8080 --workspace my-runs --no-open");
    studio->add_option("--port", studio_options.port, "Port on 127.0.0.1 (a free one if not given)")
        ->type_name("PORT");
    studio
        ->add_option("--workspace", studio_options.workspace,
                     "Folder that keeps the runs (in your data folder if not given)")
        ->type_name("FOLDER");
    studio->add_flag("--no-open", keep_closed, "Don't open the browser");
    studio->callback([&] {
        chosen = [&] {
            studio_options.open = !keep_closed;
            return serve_studio(studio_options);
        };
    });

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

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? reached : bad_input;
    }
    return guarded(chosen);
}
