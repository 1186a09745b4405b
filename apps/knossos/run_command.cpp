#include "commands.hpp"
#include "outputs.hpp"
#include "signals.hpp"
#include "terminal.hpp"

#include <knossos/recipe/domains.hpp>
#include <knossos/recipe/recipe.hpp>
#include <knossos/recipe/result_json.hpp>
#include <knossos/recipe/run_folder.hpp>

#include <fmt/format.h>

#include <chrono>

namespace knossos::app {

namespace {

using Clock = std::chrono::steady_clock;

// Steps the run to its end, keeping its folder up to date. Returns false if a signal asked for an earlier
// end.
bool drive(Run& run, Progress& progress, const RunFolder* folder, double checkpoint_every) {
    const SignalWatch watch;
    std::optional<BackgroundSaver> saver;
    if (folder != nullptr) saver.emplace(*folder);
    auto saved = Clock::now();
    while (!run.finished()) {
        try {
            if (checkpoint_every == 0.0)
                run.step();
            else
                run.advance();
        } catch (const Error&) {
            progress.clear();
            if (saver) saver->wait();
            if (folder != nullptr) folder->save(run); // it stands at its last complete generation
            throw;
        }
        progress.show(run.status());
        if (SignalWatch::asked_to_stop()) break;
        if (!saver || Clock::now() - saved < std::chrono::duration<double>{checkpoint_every}) continue;
        if (checkpoint_every == 0.0) saver->wait(); // every generation, so none may be left out
        if (saver->save(run)) saved = Clock::now();
    }
    progress.clear();
    if (saver) saver->wait();
    if (folder != nullptr && run.finished()) folder->finish(run);
    if (folder != nullptr && !run.finished()) folder->save(run);
    return run.finished();
}

void say_how_to_resume(const Result& result, const RunFolder* folder) {
    fmt::print(stderr, "interrupted after generation {}, best {}{}\n", thousands(result.generations),
               result.fitness,
               result.violation > 0.0 ? fmt::format(", which misses {:.4g}", result.violation) : "");
    if (folder != nullptr)
        fmt::print(stderr, "go on with: {} resume {}\n", folder->recipe().registry().program(),
                   folder->path().string());
    else
        fmt::print(stderr, "nothing was kept; with -d FOLDER a run can be resumed\n");
}

int complete(const RunOptions& options, const Recipe& recipe, Run& run, const RunFolder* folder) {
    Progress progress{is_live() && !options.quiet && !options.json, recipe.stop()};
    const bool ended =
        drive(run, progress, folder, options.checkpoint_every.value_or(recipe.output().checkpoint_every));
    const Result result = run.result();
    if (!ended) {
        write_outputs(recipe, result, options.outputs, options.format);
        say_how_to_resume(result, folder);
        if (!options.outputs.empty())
            fmt::print(stderr, "the best so far was written to {}\n", fmt::join(options.outputs, ", "));
        return not_reached;
    }
    if (folder != nullptr) write_pictures(recipe, result, folder->path());
    write_outputs(recipe, result, files_of(recipe, options), options.format);
    if (options.json)
        fmt::print("{}", result_json(recipe, result));
    else if (!options.quiet)
        print_summary(recipe, result, options.ascii);
    return is_reached(recipe, result) ? reached : not_reached;
}

} // namespace

namespace {

std::string_view told_of(const Column& column, double value) {
    if (column.role == Role::violation) return value == 0.0 ? "holds" : "missed by that";
    if (column.role == Role::objective)
        return column.direction == Objective::maximise ? "maximised" : "minimised";
    return column.role == Role::guide ? "guide" : "";
}

} // namespace

void print_summary(const Recipe& recipe, const Result& result, bool ascii) {
    const double rate = result.seconds > 0.0 ? static_cast<double>(result.evaluations) / result.seconds : 0.0;
    fmt::print("{}, seed {}: {}\n", recipe.name(), recipe.seed(),
               result.solved                ? "solved"
               : is_reached(recipe, result) ? "ended"
                                            : "not solved");
    fmt::print("  best         {:.10g}\n", result.fitness);
    if (result.violation > 0.0) fmt::print("  missed by    {:.6g}\n", result.violation);
    const bool is_shown =
        artefact_of(recipe, result.best) != nullptr; // which says what holds and what does not
    for (std::size_t i = 0; i < result.record.size() && !is_shown; ++i)
        fmt::print("    {:<30} {:>12.10g}  {}\n", result.columns[i].name.text(), result.record[i],
                   told_of(result.columns[i], result.record[i]));
    const auto front = std::ranges::count(result.columns, Role::objective, &Column::role);
    if (front > 1)
        fmt::print("  front        {}\n",
                   counted(result.hall_of_fame.size(), "trade-off", "trade-offs, in the result's JSON"));
    if (result.clamped != 0)
        fmt::print("  outside      {} values of descriptors were outside their range\n",
                   thousands(result.clamped));
    fmt::print("  evaluations  {}  ({} ev/s)\n", thousands(result.evaluations), short_number(rate));
    fmt::print("  generations  {}\n", thousands(result.generations));
    fmt::print("  time         {}\n", duration(result.seconds));
    if (!result.stopped_by.empty()) fmt::print("  stopped by   {}\n", result.stopped_by);
    print_best(recipe, result, ascii);
}

std::vector<std::string> files_of(const Recipe& recipe, const RunOptions& options) {
    std::vector<std::string> files = recipe.output().files;
    files.insert(files.end(), options.outputs.begin(), options.outputs.end());
    return files;
}

// The flags that say what a run is become part of its recipe, so that the recipe alone repeats it.
std::vector<std::string> all_overrides(const RunOptions& options) {
    auto overrides = options.overrides;
    if (options.seed) overrides.push_back(fmt::format("seed={}", *options.seed));
    if (options.budget) overrides.push_back(fmt::format("stop.evaluations={}", *options.budget));
    if (options.time) overrides.push_back(fmt::format("stop.seconds={}", *options.time));
    return overrides;
}

int run(const RunOptions& options, const Registry& registry) {
    const Recipe recipe = Recipe::load(options.recipe, all_overrides(options), registry);
    recipe.require_program();
    if (const auto why = why_hopeless(recipe)) {
        fmt::print(stderr, "{}: {}\n", registry.program(), *why);
        return not_reached;
    }
    check_outputs(recipe, files_of(recipe, options));
    Settings settings = recipe.settings();
    settings.threads = options.threads;
    if (settings.stop.kind() == StopKind::never)
        throw InvalidInput{
            fmt::format("{}: has no [stop] section, so it would never end; add one, or --budget or --time",
                        options.recipe)};
    const Problem problem = recipe.problem();
    require_memory(settings, problem.space(), 1, problem.schema().size());
    std::optional<RunFolder> folder;
    std::optional<FolderLock> lock;
    if (!options.folder.empty()) {
        folder = RunFolder::create(options.folder, recipe);
        lock.emplace(folder->claim());
    }
    Run run{problem, settings};
    return complete(options, recipe, run, folder ? &*folder : nullptr);
}

int resume(const RunOptions& options, const Registry& registry) {
    const RunFolder folder = RunFolder::open(options.folder, registry);
    const FolderLock lock = folder.claim();
    Settings settings = folder.recipe().settings();
    settings.threads = options.threads;
    check_outputs(folder.recipe(), files_of(folder.recipe(), options));
    std::string remark;
    Run run = folder.resume(std::move(settings), remark);
    if (!remark.empty())
        fmt::print(stderr, "{}: a damaged checkpoint was passed over: {}\n", registry.program(), remark);
    if (folder.is_finished() && !run.finished()) folder.reopen();
    return complete(options, folder.recipe(), run, &folder);
}

int verify_folder(const std::string& path, unsigned threads, bool json, const Registry& registry) {
    const RunFolder folder = RunFolder::open(path, registry);
    const auto differences = verify(folder, threads);
    if (json)
        fmt::print("{{\"same\":{}}}\n", !differences);
    else if (!differences)
        fmt::print("{}: the same result again, to the bit\n", path);
    if (differences) fmt::print(stderr, "{}: differs: {}\n", path, *differences);
    return differences ? not_reached : reached;
}

} // namespace knossos::app
