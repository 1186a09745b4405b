#include "mpi_commands.hpp"
#include "outputs.hpp"
#include "signals.hpp"
#include "terminal.hpp"

#include <knossos/recipe/recipe.hpp>
#include <knossos/recipe/result_json.hpp>
#include <knossos/recipe/run_folder.hpp>
#include <knossos/run/epochs.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace knossos::app {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

enum Wish : unsigned { nothing = 0, save = 1, stop = 2 };

// Steps the run to its end, all members in step. The first one's clock says when to save; a signal to any of
// them ends all.
void drive(World::Team& team, Run& run, Progress& progress, const RunFolder* folder,
           double checkpoint_every) {
    auto saved = Clock::now();
    // Nobody waits for anybody: what the first member's callback says ends all.
    while (run.exchange()->asynchronous() != nullptr && !run.finished()) {
        run.advance();
        progress.show(run.status());
    }
    while (!run.finished()) {
        run.advance();
        progress.show(run.status());
        unsigned wish = SignalWatch::asked_to_stop() ? stop : nothing;
        if (team.member() == 0 && Clock::now() - saved >= std::chrono::duration<double>{checkpoint_every})
            wish |= save;
        wish = team.wishes(wish);
        if ((wish & stop) != 0) break;
        if ((wish & save) == 0 || folder == nullptr || run.finished()) continue;
        folder->save(run);
        saved = Clock::now();
    }
    progress.clear();
    if (folder == nullptr) return;
    if (run.finished())
        folder->finish(run);
    else
        folder->save(run);
}

// What a rank needs to know of its machine, which all ranks ask together.
struct Share {
    unsigned threads;
    std::size_t rank;
};

Share share_of(const World& world, const IslandOptions& options) {
    const unsigned fitting = world.threads_here();
    return {.threads = options.threads != 0 ? options.threads : fitting, .rank = world.rank_here()};
}

// Of the ranks with islands each takes a device, where one is wanted; the first tells which.
Settings settings_for(const World& world, const Recipe& recipe, const IslandOptions& options,
                      const Share& share) {
    Settings settings = recipe.settings();
    settings.threads = share.threads;
    if (world.rank() >= settings.islands.count) return settings;
    IslandOptions own = options;
    own.quiet = options.quiet || !world.is_first();
    const std::string_view wanted = options.device.empty() ? recipe.output().device : options.device;
    if (options.asynchronous && wanted != "cpu")
        throw InvalidInput{
            fmt::format("--asynchronous runs on processors, and device '{}' is wanted: leave it "
                        "out, or give --device cpu",
                        wanted)};
    settings = settings_there(own, recipe, std::move(settings), share.rank);
    SignalWatch::renew();
    return settings;
}

// The ranks that get islands; the others are told, and wait.
std::unique_ptr<World::Team> team_for(World& world, const Recipe& recipe, const IslandOptions& options) {
    const std::uint32_t islands = recipe.settings().islands.count;
    if (world.is_first() && world.size() > islands && !options.quiet)
        fmt::print(stderr,
                   "{}: {} ranks for {} island{}: {} of them stay idle; islands.count says how many "
                   "there are\n",
                   world.program(), world.size(), islands, islands == 1 ? "" : "s", world.size() - islands);
    return world.team(std::min(world.size(), islands));
}

// What all ranks have to be told alike; each may have threads of its own, and only the first writes and
// prints.
void require_same_options(const World& world, const IslandOptions& options) {
    world.require_equal("the folder", options.folder);
    world.require_equal("--asynchronous", options.asynchronous ? "given" : "");
}

void require_same_recipe(const World& world, const Recipe& recipe) {
    world.require_same("the recipe", study::identity_of(recipe),
                       "start all ranks with the same recipe, the same options and the same data");
}

Ending interrupted(const Result& result, const std::string& folder, const std::string& program) {
    return [=] {
        fmt::print(stderr, "interrupted after generation {}, best {}{}\n", thousands(result.generations),
                   result.fitness,
                   result.violation > 0.0 ? fmt::format(", which misses {:.4g}", result.violation) : "");
        if (folder.empty())
            fmt::print(stderr, "nothing was kept; with -d FOLDER a run can be resumed\n");
        else
            fmt::print(stderr, "go on with: mpirun {} resume {}\n", program, folder);
        return not_reached;
    };
}

Ending complete(World::Team& team, const IslandOptions& options, const Recipe& recipe, Run& run,
                const RunFolder* folder) {
    Progress progress{team.member() == 0 && is_live() && !options.quiet && !options.json, recipe.stop()};
    try {
        drive(team, run, progress, folder,
              options.checkpoint_every.value_or(recipe.output().checkpoint_every));
    } catch (const EvaluationError& error) { // the same for all members
        throw Refusal{failure, error.what()};
    } catch (const InputOutputError& error) {
        throw Refusal{failure, error.what()};
    }
    const auto times = team.longest_times();
    const Result result = run.result();
    const std::string path = folder != nullptr ? folder->path().string() : "";
    if (!run.finished()) return interrupted(result, path, recipe.registry().program());
    return [=] {
        if (!path.empty()) write_pictures(recipe, result, path);
        write_outputs(recipe, result, files_of(recipe, options), options.format);
        if (options.json)
            fmt::print("{}", result_json(recipe, result));
        else if (!options.quiet)
            print_summary(recipe, result, options.ascii);
        if (options.times)
            fmt::print(
                stderr,
                "of {} the rank that waited longest spent {:.2f} % on migration, {:.2f} % on reports\n",
                duration(result.seconds), 100.0 * times.migration / result.seconds,
                100.0 * times.reports / result.seconds);
        return is_reached(recipe, result) ? reached : not_reached;
    };
}

// At every checkpoint and at the end all ranks get the halls of fame of all islands, in one message. Said
// before the run, not when hours of computing would be lost.
void check_halls(const Recipe& recipe) {
    const Settings settings = recipe.settings();
    const auto islands = static_cast<double>(settings.islands.count);
    const auto entry = static_cast<double>(recipe.problem().space().genome_bytes() + 3 * sizeof(double));
    const double hall = World::most_bytes / islands - 2 * sizeof(std::uint64_t);
    if (static_cast<double>(settings.hall_of_fame) * entry <= hall) return;
    throw InvalidInput{fmt::format("algorithm.hall_of_fame is {}: that many of {} islands may be more than "
                                   "the {} bytes that MPI sends at once; it must be at most {:.0f} here",
                                   settings.hall_of_fame, settings.islands.count, World::most_bytes,
                                   std::floor(hall / entry))};
}

// What has to be made for a folder, innermost first.
std::vector<fs::path> missing_folders(fs::path path) {
    std::vector<fs::path> missing;
    std::error_code error;
    for (; !path.empty() && !fs::exists(path, error); path = path.parent_path()) missing.push_back(path);
    return missing;
}

// A run that was refused leaves nothing behind.
void remove_again(const fs::path& folder, const std::vector<fs::path>& made) {
    std::error_code ignored; // then the next run says that there is one already
    fs::remove(folder / "recipe.toml", ignored);
    for (const fs::path& one : made) fs::remove(one, ignored);
}

Ending nothing_to_do() {
    return [] { return reached; };
}

} // namespace

Ending run_islands(World& world, const IslandOptions& options, const Registry& registry) {
    require_same_options(world, options);
    const Share share = share_of(world, options);
    std::optional<Recipe> recipe;
    std::optional<std::string> hopeless;
    Settings settings;
    world.together([&] {
        recipe = load_recipe(options, registry);
        recipe->require_program();
        hopeless = why_hopeless(*recipe);
        if (options.asynchronous && !options.folder.empty())
            throw InvalidInput{
                "--asynchronous keeps no checkpoints, because such a run can't be repeated: leave "
                "out --folder (-o writes the best)"};
        if (world.is_first()) check_outputs(*recipe, files_of(*recipe, options)); // nobody else writes them
        if (recipe->settings().stop.kind() == StopKind::never)
            throw InvalidInput{fmt::format(
                "{}: has no [stop] section, so it would never end; add one, or --budget or --time",
                options.recipe)};
        check(recipe->problem(), recipe->settings());
        require_memory(recipe->settings(), recipe->problem(), world.size());
        check_halls(*recipe);
        if (!hopeless) settings = settings_for(world, *recipe, options, share);
    });
    require_same_recipe(world, *recipe);
    if (hopeless) throw Refusal{not_reached, *hopeless};
    std::optional<RunFolder> folder;
    std::shared_ptr<FolderLock> lock;
    if (!options.folder.empty()) {
        const auto missing = missing_folders(options.folder);
        world.together([&] {
            if (!world.is_first()) return;
            folder = RunFolder::create(options.folder, *recipe);
            lock = std::make_shared<FolderLock>(folder->claim());
        });
        try {
            world.require_shared(options.folder);
            world.together([&] {
                if (!world.is_first()) folder = RunFolder::open(options.folder, registry);
            });
        } catch (const Refusal&) {
            if (world.is_first()) remove_again(options.folder, missing);
            throw;
        }
    }
    const auto team = team_for(world, *recipe, options);
    if (!team) return nothing_to_do();
    Exchange* exchange = team.get();
    std::optional<LooseTeam> loose;
    if (options.asynchronous) {
        exchange = &loose.emplace(world, *team);
        settings.on_generation = [](const Status&) {
            return SignalWatch::asked_to_stop() ? Proceed::no : Proceed::yes;
        };
        if (world.is_first() && !options.quiet)
            fmt::print(stderr, "{}: ranks don't wait for each other, so this run can't be repeated\n",
                       world.program());
    }
    std::optional<Run> run;
    try {
        run.emplace(recipe->problem(), settings, exchange);
    } catch (const EvaluationError& error) {
        throw Refusal{failure, error.what()};
    }
    return [lock, ending = complete(*team, options, *recipe, *run, folder ? &*folder : nullptr)] {
        return ending();
    };
}

Ending resume_islands(World& world, const IslandOptions& options, const Registry& registry) {
    require_same_options(world, options);
    std::optional<RunFolder> folder;
    std::shared_ptr<FolderLock> lock;
    world.together([&] {
        if (!world.is_first()) return;
        folder = RunFolder::open(options.folder, registry);
        lock = std::make_shared<FolderLock>(folder->claim());
        check_outputs(folder->recipe(), files_of(folder->recipe(), options));
    });
    world.require_shared(options.folder);
    const Share share = share_of(world, options);
    Settings settings;
    world.together([&] {
        if (!world.is_first()) folder = RunFolder::open(options.folder, registry);
        check(folder->recipe().problem(), folder->recipe().settings());
        check_halls(folder->recipe());
        settings = settings_for(world, folder->recipe(), options, share);
    });
    const Recipe& recipe = folder->recipe();
    require_same_recipe(world, recipe);
    world.together([&] {
        if (world.is_first()) remove_old_epochs(folder->path(), recipe.settings().islands.count, true);
    });
    const auto team = team_for(world, recipe, options);
    if (!team) return nothing_to_do();
    std::string remark;
    std::optional<Run> run;
    try {
        run.emplace(folder->resume(std::move(settings), remark, team.get()));
    } catch (const InvalidInput& error) {
        throw Refusal{bad_input, error.what()};
    } catch (const EvaluationError& error) {
        throw Refusal{failure, error.what()};
    }
    if (world.is_first() && !remark.empty())
        fmt::print(stderr, "{}: a damaged checkpoint was passed over: {}\n", world.program(), remark);
    if (world.is_first() && folder->is_finished() && !run->finished()) folder->reopen();
    return [lock, ending = complete(*team, options, recipe, *run, &*folder)] { return ending(); };
}

} // namespace knossos::app
