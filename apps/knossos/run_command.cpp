#include "commands.hpp"
#include "front.hpp"
#include "linked_run.hpp"
#include "outputs.hpp"
#include "signals.hpp"
#include "terminal.hpp"

#include <knossos/core/device_lost.hpp>
#include <knossos/device/generations.hpp>
#include <knossos/recipe/domains.hpp>
#include <knossos/recipe/recipe.hpp>
#include <knossos/recipe/registry.hpp>
#include <knossos/recipe/result_json.hpp>
#include <knossos/recipe/run_folder.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace knossos::app {

namespace {

using Clock = std::chrono::steady_clock;

// Says once, after a while, that an archive is still empty, and why: a range that nothing reaches should not
// be waited for.
class EmptyArchive {
  public:
    EmptyArchive(const Run& run, bool is_told, std::string program)
        : is_told_{is_told && run.problem().schema().merit() == Merit::qd_score},
          program_{std::move(program)} {}

    void look(const Run& run, Progress& progress) {
        constexpr std::uint64_t a_while = 20'000; // evaluations
        const Statistics& now = run.status().statistics;
        if (!is_told_ || now.evaluations < a_while || run.finished()) return;
        is_told_ = false;
        const std::string remark = run.remark();
        if (now.coverage > 0.0 || remark.empty()) return;
        progress.clear();
        fmt::print(stderr, "{}: after {} evaluations {}\n", program_, thousands(now.evaluations), remark);
    }

  private:
    bool is_told_;
    std::string program_;
};

// Steps the run to its end, keeping its folder up to date. Returns false if a signal asked for an earlier
// end.
bool drive(Run& run, Progress& progress, EmptyArchive empty, const RunFolder* folder,
           double checkpoint_every) {
    std::optional<BackgroundSaver> saver;
    if (folder != nullptr) saver.emplace(*folder);
    auto saved = Clock::now();
    while (!run.finished() && !SignalWatch::asked_to_stop()) {
        try {
            if (checkpoint_every == 0.0)
                run.step();
            else
                run.advance();
        } catch (const DeviceLost&) { // and with it where the run stands: the last checkpoint is what is left
            progress.clear();
            if (saver) saver->wait();
            throw;
        } catch (const Error& error) {
            progress.clear();
            if (saver) saver->wait();
            if (folder == nullptr) throw;
            folder->save(run); // it stands at its last complete generation
            if (dynamic_cast<const EvaluationError*>(&error) == nullptr) throw;
            throw EvaluationError{fmt::format("{}; generation {} is kept, and '{} resume {}' goes on",
                                              error.what(), thousands(run.status().statistics.generation),
                                              folder->recipe().registry().program(),
                                              folder->path().string())};
        }
        progress.show(run.status());
        empty.look(run, progress);
        if (SignalWatch::asked_to_stop()) break; // it is saved below
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
               short_number(result.fitness),
               result.violation > 0.0 ? fmt::format(", which misses {:.4g}", result.violation) : "");
    if (folder != nullptr)
        fmt::print(stderr, "go on with: {} resume {}\n", folder->recipe().registry().program(),
                   folder->path().string());
    else
        fmt::print(stderr, "nothing was kept; with -d FOLDER a run can be resumed\n");
}

// The best so far as JSON. As the exit code does, it says that the run has not come to its end, however good
// the best is.
std::string interrupted_json(const Recipe& recipe, Result result) {
    result.stopped_by = "interrupted";
    auto json = nlohmann::ordered_json::parse(result_json(recipe, result));
    json["result"]["reached"] = false;
    return json.dump() + "\n";
}

// The best, or every trade-off. Returns whether they might be written.
bool write_results(const Recipe& recipe, const Result& result, const std::vector<std::string>& files,
                   const RunOptions& options) {
    return options.front ? write_front(recipe, result, files, options.format)
                         : write_outputs(recipe, result, files, options.format);
}

int complete(const RunOptions& options, const Recipe& recipe, Run& run, const RunFolder* folder) {
    Progress progress{is_live() && !options.quiet && !options.json, recipe.stop(),
                      recipe.settings().algorithm.unit()};
    const bool ended = drive(run, progress, {run, !options.quiet, recipe.registry().program()}, folder,
                             options.checkpoint_every.value_or(recipe.output().checkpoint_every));
    const Result result = run.result();
    if (!ended) {
        const bool is_written = write_results(recipe, result, options.outputs, options);
        if (options.json) fmt::print("{}", interrupted_json(recipe, result));
        say_how_to_resume(result, folder);
        if (is_written && !options.outputs.empty())
            fmt::print(stderr, "{} so far {} written to {}\n", options.front ? "the front" : "the best",
                       options.front ? "was numbered and" : "was", fmt::join(options.outputs, ", "));
        return not_reached;
    }
    if (folder != nullptr) write_pictures(recipe, result, folder->path());
    const bool is_written = write_results(recipe, result, files_of(recipe, options), options);
    const bool is_met = is_written && is_reached(recipe, result);
    const bool explains = !is_met && options.when_missed;
    if (options.json) {
        std::string json = result_json(recipe, result);
        if (explains) {
            while (json.ends_with('\n')) json.pop_back();
            json = joined_objects({json, options.when_missed(recipe, result)}) + "\n";
        }
        fmt::print("{}", json);
    } else if (!options.quiet) {
        print_summary(recipe, result, options.ascii, options.front);
        std::fflush(stdout); // what follows may take a moment
        if (explains) fmt::print("{}", options.when_missed(recipe, result));
    }
    return is_met ? reached : not_reached;
}

} // namespace

namespace {

std::string_view told_of(const Column& column, double value) {
    if (column.role == Role::violation) return value == 0.0 ? "holds" : "missed by that";
    if (column.role == Role::objective)
        return column.direction == Objective::maximise ? "maximised" : "minimised";
    return column.role == Role::guide ? "guide" : "";
}

// What the selection makes of the best in the last generation, where it goes by something else.
std::string scaled_text(const Recipe& recipe, const Result& result) {
    if (result.history.empty()) return {};
    const Statistics& last = result.history.back();
    const auto scaled = scaled_fitness(recipe, last, last.best);
    return scaled ? fmt::format("  (best now {:.6g} on the wheel, 1 - c/sum of c)", *scaled) : std::string{};
}

// Whole numbers in groups of three digits, others with three that matter.
std::string told(double value) {
    return value >= 0.0 && value < 1e15 && value == std::floor(value)
               ? thousands(static_cast<std::uint64_t>(value))
               : fmt::format("{:.3g}", value);
}

// Each column of the record; the values of short names stand below those of the summary's other lines.
void print_record(const Result& result, std::size_t names) {
    std::size_t width = names - 2;
    for (std::size_t i = 0; i < result.record.size(); ++i)
        width = std::max(width, width_of(result.columns[i].name.text()));
    for (std::size_t i = 0; i < result.record.size(); ++i)
        fmt::print("    {:<{}} {:>12.10g}  {}\n", result.columns[i].name.text(), width, result.record[i],
                   told_of(result.columns[i], result.record[i]));
}

} // namespace

void print_summary(const Recipe& recipe, const Result& result, bool ascii, bool front) {
    const double rate = result.seconds > 0.0 ? static_cast<double>(result.evaluations) / result.seconds : 0.0;
    fmt::print("{}, seed {}: {}\n", recipe.name(), recipe.seed(),
               result.solved                ? "solved"
               : is_reached(recipe, result) ? "ended"
                                            : "not solved");
    std::size_t names = 12; // the width of their column
    names = std::max(names, width_of(result.unit));
    const auto line = [&](std::string_view name, std::string_view text) {
        fmt::print("  {:<{}} {}\n", name, names, text);
    };
    line("best", fmt::format("{:.10g}{}", result.fitness, scaled_text(recipe, result)));
    if (result.violation > 0.0) line("missed by", fmt::format("{:.6g}", result.violation));
    // An artefact says itself what holds and what does not.
    if (artefact_of(recipe, result.best) == nullptr) print_record(result, names);
    if (has_front(result) && !front)
        line("front",
             counted(trade_offs_of(result).records.size(), "trade-off", "trade-offs; --front lists them"));
    if (result.gallery)
        line("gallery", fmt::format("{} of {} cells, QD-score {}", thousands(result.gallery->cell.size()),
                                    thousands(result.gallery->cells), told(result.gallery->qd_score)));
    if (result.merit_name == "hypervolume")
        line("hypervolume", fmt::format("{:.3g}, the largest of any generation's front", result.merit));
    if (result.clamped != 0)
        line("outside",
             fmt::format("{} values of descriptors were outside their range", thousands(result.clamped)));
    line("evaluations", fmt::format("{}  ({} ev/s)", thousands(result.evaluations), short_number(rate)));
    if (result.uncounted != 0)
        line("uncounted",
             fmt::format("{}, which the budget was not enough for", thousands(result.uncounted)));
    if (result.failures != 0) line("failed", fmt::format("{} of them", thousands(result.failures)));
    line("generations", thousands(result.generations));
    if (!result.unit.empty()) line(result.unit, thousands(result.steps));
    line("time", duration(result.seconds));
    if (!result.stopped_by.empty())
        line("stopped by",
             result.stopped_by + (result.stopped_by.starts_with("idle(")
                                      ? ": in so many generations no child differed from its parents"
                                      : ""));
    if (!result.remark.empty()) fmt::print("{}\n", wrapped(result.remark, "  "));
    if (front) return print_front(result, terminal_options(ascii));
    const bool is_among_them = std::ranges::find(result.contestants, result.best, &ShownIndividual::genome) !=
                               result.contestants.end();
    if (!is_among_them) print_best(recipe, result, names, ascii);
    print_contestants(recipe, result, ascii);
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

// What is wrong with a recipe, in the words of the flags.
Recipe load_recipe(const RunOptions& options, const Registry& registry) {
    try {
        return Recipe::load(options.recipe, all_overrides(options), registry);
    } catch (const RecipeError& error) {
        std::vector<Diagnostic> diagnostics = error.diagnostics();
        const auto retell = [&](std::string_view key, std::string_view flag, const auto& value) {
            if (!value) return;
            for (Diagnostic& one : diagnostics) {
                if (one.where != fmt::format("--set {}={}", key, *value)) continue;
                one.where = fmt::format("{} {}", flag, *value);
                if (one.message.starts_with(key)) one.message.replace(0, key.size(), flag);
            }
        };
        retell("seed", "--seed", options.seed);
        retell("stop.evaluations", "--budget", options.budget);
        retell("stop.seconds", "--time", options.time);
        throw RecipeError{std::move(diagnostics)};
    }
}

Settings settings_there(const RunOptions& options, const Recipe& recipe, Settings settings,
                        std::optional<std::size_t> rank) {
    std::string remark;
    const std::string& wanted = options.device.empty() ? recipe.output().device : options.device;
    settings = device::on_wanted(recipe, std::move(settings), wanted, remark, rank);
    if (!remark.empty() && !options.quiet)
        fmt::print(stderr, "{}: {}\n", recipe.registry().program(), remark);
    return settings;
}

int run(const RunOptions& options, const Registry& registry) {
    const Recipe recipe = load_recipe(options, registry);
    recipe.require_program();
    if (const auto why = why_hopeless(recipe)) {
        fmt::print(stderr, "{}: {}\n", registry.program(), *why);
        return not_reached;
    }
    check_outputs(recipe, files_of(recipe, options));
    Settings settings = recipe.settings();
    settings.threads = options.threads;
    if (settings.stop.kind() == StopKind::never && !settings.algorithm.most_generations())
        throw InvalidInput{
            fmt::format("{}: has no [stop] section, so it would never end; add one, or --budget or --time",
                        options.recipe)};
    const Problem problem = recipe.problem();
    if (options.front) require_front(problem.schema(), options.recipe);
    require_memory(settings, problem);
    settings = settings_there(options, recipe, std::move(settings));
    std::optional<RunFolder> folder;
    std::optional<FolderLock> lock;
    if (!options.folder.empty()) {
        folder = RunFolder::create(options.folder, recipe);
        lock.emplace(folder->claim());
    }
    const SignalWatch watch; // from the first population on, which may take long
    Run run{problem, settings};
    return complete(options, recipe, run, folder ? &*folder : nullptr);
}

int resume(const RunOptions& options, const Registry& registry) {
    const RunFolder folder = RunFolder::open(options.folder, registry);
    const FolderLock lock = folder.claim();
    Settings settings = folder.recipe().settings();
    settings.threads = options.threads;
    if (options.front) require_front(folder.recipe().problem().schema(), options.folder);
    check_outputs(folder.recipe(), files_of(folder.recipe(), options));
    settings = settings_there(options, folder.recipe(), std::move(settings));
    std::string remark;
    const SignalWatch watch;
    Run run = folder.resume(std::move(settings), remark);
    if (!remark.empty())
        fmt::print(stderr, "{}: a damaged checkpoint was passed over: {}\n", registry.program(), remark);
    if (folder.is_finished() && !run.finished()) folder.reopen();
    return complete(options, folder.recipe(), run, &folder);
}

int verify_link(const std::string& link, unsigned threads, bool json, const Registry& registry) {
    const LinkedRun linked = linked_run(link);
    const auto& known = registry.recipes();
    if (linked.toml.empty() && std::ranges::find(known, linked.recipe, &BuiltInRecipe::name) == known.end())
        throw InvalidInput{
            fmt::format("the link names the recipe '{}', which there is not; '{} recipes' lists those "
                        "there are",
                        linked.recipe, registry.program())};
    const Recipe recipe = linked.toml.empty()
                              ? Recipe::load(linked.recipe, linked.overrides, registry)
                              : Recipe::parse(linked.toml, "the link", linked.overrides, registry);
    // A link is somebody else's: it starts no programs and opens no files.
    for (const std::string_view section : {"evaluator", "start"})
        if (recipe.choice(section) != nullptr)
            throw InvalidInput{
                fmt::format("the recipe in the link has a section [{}], which links may not have", section)};
    Settings settings = recipe.settings();
    if (settings.stop.kind() == StopKind::never)
        throw InvalidInput{"the recipe in the link has no [stop] section, so it would never end"};
    settings.threads = threads;
    Run run{recipe.problem(), std::move(settings)};
    run.finish();
    const std::string digest = digest_text(run.result().digest);
    const bool is_same = digest == linked.digest;
    if (json)
        fmt::print("{{\"same\":{},\"digest\":\"{}\"}}\n", is_same, digest);
    else if (is_same)
        fmt::print("{}: the result of the link, to the bit\n", digest);
    if (!is_same) fmt::print(stderr, "differs: the link says {}; here it is {}\n", linked.digest, digest);
    return is_same ? reached : not_reached;
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
