#include "common_options.hpp"
#include "mpi_commands.hpp"
#include "signals.hpp"
#include "terminal.hpp"

#include <knossos/core/files.hpp>
#include <knossos/main.hpp>
#include <knossos/recipe/recipe.hpp>
#include <knossos/run/checkpoint.hpp>
#include <knossos/version.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdlib>
#include <dlfcn.h>
#include <exception>
#include <fcntl.h>
#include <functional>
#include <new>
#include <sstream>
#include <unistd.h>

namespace knossos {

namespace app {

namespace {

void add_output_options(CLI::App& command, IslandOptions& options) {
    command
        .add_option("--threads", options.threads,
                    "Threads of each rank (its share of the machine if not given). Never changes the result")
        ->check(threads());
    command
        .add_option("--checkpoint-every", options.checkpoint_every,
                    "Seconds between checkpoints of a run folder (30, or the recipe's, if not given)")
        ->check(seconds(false))
        ->type_name("SECONDS");
    command
        .add_option(
            "--device", options.device,
            "Where it runs: cpu, auto, or a device that 'knossos devices' lists (cpu, or the recipe's, if "
            "not given); of several of a name, or several names with commas, each rank takes its own. Never "
            "changes the result")
        ->type_name("NAME");
    add_result_options(command, options);
    command.add_flag("--times", options.times, "Say how long ranks waited for each other");
}

void add_set_option(CLI::App& command, std::vector<std::string>& overrides, const std::string& meaning) {
    command.add_option("--set", overrides, meaning)->type_name("KEY=VALUE")->allow_extra_args(false);
}

// mpirun gives its first rank a terminal of its own, even where all of it goes to a file: colours are for
// people, and whether there are any can be seen at mpirun.
void hide_colours_from_files() {
    const int file = open(fmt::format("/proc/{}/fd/1", getppid()).c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
    const bool is_seen = file >= 0 && isatty(file) != 0;
    if (file >= 0) close(file);
    if (!is_seen) setenv("NO_COLOR", "1", 0); // NOLINT(concurrency-mt-unsafe): before any thread is started
}

// Two builds may share a version and still differ: what counts is the code itself, of program and libraries.
std::string code_hash() {
    std::string text{version};
    const auto add = [&](const char* file) {
        try {
            text += fmt::format(" {:016x}", stable_hash(read_file(file)));
        } catch (const Error&) { // then the version has to do
            text += " unknown";
        }
    };
    add("/proc/self/exe");
    for (const void* place :
         {reinterpret_cast<const void*>(&built_in_recipes), reinterpret_cast<const void*>(&all_overrides),
          reinterpret_cast<const void*>(&run_islands)})
        if (Dl_info library{}; dladdr(place, &library) != 0 && library.dli_fname != nullptr)
            add(library.dli_fname);
    return text;
}

// Reads the command line. Returns what to print if that is all that is wanted: the help or the version.
std::string parsed(CLI::App& app, int argc, char** argv) {
    try {
        app.parse(argc, argv);
        return "";
    } catch (const CLI::ParseError& error) {
        std::ostringstream help;
        std::ostringstream complaint;
        if (app.exit(error, help, complaint) == 0) return help.str();
        std::string text = complaint.str();
        while (text.ends_with('\n')) text.pop_back();
        throw InvalidInput{app::unknown_option(app, argc, argv).value_or(text)};
    }
}

void say(const World& world, const char* message) {
    if (world.is_first()) fmt::print(stderr, "{}: {}\n", world.program(), message);
}

// The part that all ranks do together, then what is left for the first. What fails on one rank alone while
// the others wait for it can only end them all.
int guarded(World& world, const std::function<Ending()>& command) {
    Ending ending;
    try {
        ending = command();
    } catch (const Refusal& refusal) {
        say(world, refusal.what());
        return refusal.code();
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "{}: rank {}: there is not enough memory for this\n", world.program(),
                   world.rank());
        World::abort(failure);
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}: rank {}: {}\n", world.program(), world.rank(), error.what());
        World::abort(failure);
    }
    if (!world.is_first()) return reached;
    try {
        const int code = ending();
        if (std::fflush(stdout) != 0) throw InputOutputError{"writing to the standard output failed"};
        return code;
    } catch (const InvalidInput& error) {
        say(world, error.what());
        return bad_input;
    } catch (const std::exception& error) {
        say(world, error.what());
        return failure;
    }
}

} // namespace

} // namespace app

int mpi_main(int argc, char** argv, const Registry& given) {
    using namespace app;
    const std::string program = program_name(argc, argv, given.program());
    const Registry registry = Registry{given}.call_program(program);
    CLI::App app{"Knossos over several processes and machines: islands and studies.", program};
    app.formatter(std::make_shared<NarrowHelp>());
    app.footer(fmt::format("Examples:\n  mpirun -n 8 {0} run queens-islands -d my-run\n"
                           "  mpirun -n 3 {0} resume my-run\n  srun {0} study my-study.toml\n"
                           "The result is that of one process, whatever the number of ranks.",
                           program));
    app.require_subcommand(1);
    app.set_version_flag("--version", version_text(program, "knossos-mpi"));
    std::function<Ending(World&)> chosen;

    IslandOptions run_options;
    auto* run = app.add_subcommand("run", "Run a recipe, its islands spread over the ranks");
    run->footer(fmt::format("Examples:\n  mpirun -n 8 {0} run queens-islands --set problem.n=500 -d my-run",
                            program));
    run->add_option("recipe", run_options.recipe, "Name of a built-in recipe, or a .toml file")->required();
    add_set_option(*run, run_options.overrides, "Override a key of the recipe; may be repeated");
    run->add_option("-d,--folder", run_options.folder,
                    "Keep everything of the run in this new folder, which all machines must share")
        ->type_name("FOLDER");
    run->add_option("--seed", run_options.seed, "Seed of the random streams (the recipe's if not given)")
        ->check(seed())
        ->type_name("SEED");
    run->add_option("--budget", run_options.budget, "Stop after this many evaluations")
        ->check(positive())
        ->type_name("COUNT");
    run->add_option("--time", run_options.time, "Stop after this many seconds")
        ->check(seconds(true))
        ->type_name("SECONDS");
    run->add_flag("--asynchronous", run_options.asynchronous,
                  "Ranks don't wait for each other. Not reproducible; keeps no checkpoints");
    add_output_options(*run, run_options);
    run->callback([&] { chosen = [&](World& world) { return run_islands(world, run_options, registry); }; });

    IslandOptions resume_options;
    auto* resume = app.add_subcommand("resume", "Go on with an interrupted run, on any number of ranks");
    resume->footer(fmt::format("Examples:\n  mpirun -n 3 {0} resume my-run", program));
    resume->add_option("folder", resume_options.folder, "The run's folder")->required();
    add_output_options(*resume, resume_options);
    resume->callback(
        [&] { chosen = [&](World& world) { return resume_islands(world, resume_options, registry); }; });

    StudyOptions study_options;
    auto* study = app.add_subcommand("study", "Do the runs of a study, handed out to the ranks");
    study->footer(fmt::format("Examples:\n  mpirun -n 8 {0} study my-study.toml -o my.db\nInterrupted, the "
                              "same command goes on with the runs that are missing, on any number of ranks.",
                              program));
    study->add_option("file", study_options.file, "The study: a .toml file")->required();
    study->add_option("-o,--database", study_options.database, "Where the runs go (STUDY.db if not given)")
        ->type_name("FILE");
    study->add_option("--runs", study_options.runs, "Runs of each configuration")
        ->check(positive())
        ->type_name("COUNT");
    study->add_option("--seed", study_options.seed, "What the seeds of all runs come from")
        ->check(seed())
        ->type_name("SEED");
    study->add_option("--budget", study_options.budget, "Evaluations that a run may make")
        ->check(positive())
        ->type_name("COUNT");
    add_set_option(*study, study_options.overrides, "Override a key in every recipe; may be repeated");
    study
        ->add_option("--threads", study_options.threads,
                     "Runs at once on each rank (its share of the machine if not given)")
        ->check(threads());
    study
        ->add_option(
            "--device", study_options.device,
            "Where the runs go: cpu, auto, or a device that 'knossos devices' lists (cpu, or the recipes', "
            "if not given). Never changes a result")
        ->type_name("NAME");
    study->add_option("--wait", study_options.wait, "Seconds to wait for a locked database")
        ->check(seconds(false))
        ->type_name("SECONDS")
        ->capture_default_str();
    study->add_flag("--drop", study_options.drop,
                    "Drop configurations that are not in the file any more, with their runs");
    study->add_flag("--json", study_options.json, "Print one JSON object");
    study->add_flag("--quiet", study_options.quiet, "Print nothing; the exit code tells");
    study->callback(
        [&] { chosen = [&](World& world) { return share_study(world, study_options, registry); }; });

    refuse_empty_values(app);

    hide_colours_from_files();
    const SignalWatch watch; // from the first moment: a signal must find somebody who writes a checkpoint
    World world{argc, argv, program};
    // Nothing may be done together before all are known to be about to do the same.
    const int code = guarded(world, [&]() -> Ending {
        world.require_same("the program", code_hash(), "install the same build of Knossos on all machines");
        std::string help;
        world.together([&] { help = parsed(app, argc, argv); });
        world.require_equal("the command", help.empty() ? app.get_subcommands().front()->get_name() : "help");
        if (help.empty()) return chosen(world);
        return [=] {
            fmt::print("{}", help);
            return reached;
        };
    });
    return world.conclude(code);
}

} // namespace knossos
