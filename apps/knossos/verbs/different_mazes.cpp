#include "verbs/different_mazes.hpp"

#include "gallery_command.hpp"
#include "outputs.hpp"
#include "signals.hpp"
#include "terminal.hpp"

#include <knossos/core/text.hpp>
#include <knossos/core/thread_pool.hpp>
#include <knossos/maze/setup.hpp>
#include <knossos/recipe/domains.hpp>
#include <knossos/recipe/result_json.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <mutex>
#include <numeric>

namespace knossos::app {

namespace {

using Clock = std::chrono::steady_clock;
using maze::Measure;

// Runs that know nothing of each other: elites of one are relatives. How many there are at a time is fixed,
// so that the threads don't decide what is found.
constexpr std::size_t runs_at_once = 16;
constexpr std::size_t most_waves = 4;
// Less of a level that can be walked on is mostly solid rock.
constexpr double least_walkable = 0.4;

// What a maze is like beside what was wished for, in the words of wishes.
constexpr std::array character{Measure::reachable_cells, Measure::dead_ends, Measure::loops};

// An axis over what a measure can be, in some steps.
std::string axis_text(Measure measure, double low, double high, double steps) {
    const bool whole = maze::kind_of(measure) == MeasureKind::count;
    double step = (high - low) / steps;
    if (whole) step = std::max(1.0, std::ceil(step));
    // Without an end that is not of the wish: the last step may reach beyond it.
    return fmt::format("{} {}..{} by {}", maze::info(measure).name, low, std::max(high, low + step), step);
}

// Which measures mazes are to differ in: those whose values were wished for within a range, so that the range
// is filled and not only reached, and what makes them different to walk in.
std::string axes_for(const std::vector<maze::Term>& wishes, std::size_t cells) {
    constexpr std::size_t most_wished = 2;
    constexpr std::size_t most_axes = 3;
    std::vector<std::string> axes;
    std::vector<Measure> used;
    for (const maze::Term& wish : wishes) {
        if (wish.aim != maze::Aim::range || axes.size() == most_wished) continue;
        const auto possible = maze::range_of(wish.measure, cells);
        const double low = std::isfinite(wish.low) ? wish.low : possible ? possible->lowest : 0.0;
        const double high = std::isfinite(wish.high) ? wish.high : possible ? possible->highest : low + 1.0;
        used.push_back(wish.measure);
        if (low < high) axes.push_back(axis_text(wish.measure, low, high, 10.0));
    }
    const auto area = static_cast<double>(cells);
    for (const Measure measure : character) {
        if (axes.size() == most_axes) break;
        if (std::ranges::find(used, measure) != used.end()) continue;
        const double high = measure == Measure::reachable_cells ? area
                            : measure == Measure::dead_ends     ? area / 6
                                                                : area / 8;
        axes.push_back(
            axis_text(measure, 0.0, std::ceil(high), measure == Measure::reachable_cells ? 10.0 : 8.0));
    }
    return fmt::format("{}", fmt::join(axes, ", "));
}

// What one asks the runs for.
struct Search {
    std::string recipe{};
    std::vector<std::string> overrides{}; ///< all but the seed
    std::vector<maze::Term> wishes{};
    std::uint64_t evaluations = 0; ///< of each run
    std::uint64_t first_seed = 1;
    bool turned = false;        ///< whether what is mirrored or turned counts as the same
    bool keeps_pockets = false; ///< in the files, which are what is compared
};

Search search_for(const MazeOptions& options, const RunOptions& base, const Registry& registry) {
    Search search;
    const bool direct = options.representation.empty() || options.representation == "direct";
    search.recipe = direct ? "maze-gallery" : base.recipe;
    const std::string goal = goal_of(options);
    search.wishes = maze::parse_terms(goal, "--goal");
    search.first_seed = options.seed.value_or(1);
    search.turned = is_turned(options.apart_under);
    search.keeps_pockets = base.format.is_on("keep_pockets", false);
    for (const std::string& one : base.overrides)
        if (!one.starts_with("problem.fitness=") && !one.starts_with("problem.goal=") &&
            !one.starts_with("stop."))
            search.overrides.push_back(one);
    // For its size alone: as the recipe is, its stages fit its goal.
    const Recipe plain = Recipe::load(search.recipe, search.overrides, registry);
    const auto fields = from_values<MazeFields>(plain.choice("problem")->values);
    const std::size_t cells = std::size_t{fields.width} * fields.height;
    search.overrides.push_back("problem.goal=" + toml_text(goal));
    if (!direct) search.overrides.emplace_back("algorithm.kind=map-elites");
    // Small generations: a run is short, and an elite is to have children soon.
    if (direct && std::ranges::none_of(search.overrides, [](const std::string& one) {
            return one.starts_with("problem.fill=");
        }))
        search.overrides.emplace_back("problem.fill=0.35"); // unlike from the beginning
    search.overrides.emplace_back("algorithm.population=100");
    search.overrides.emplace_back("algorithm.offspring=200");
    std::vector<std::string_view> described;
    for (const Measure measure : character) described.push_back(maze::info(measure).name);
    search.overrides.push_back(
        fmt::format("problem.descriptors={}", toml_text(fmt::format("{}", fmt::join(described, ", ")))));
    search.overrides.push_back("algorithm.axes=" + toml_text(axes_for(search.wishes, cells)));
    // As many as are made in about the same time, whatever the size.
    const double together = std::clamp(1.6e8 / static_cast<double>(cells), 100'000.0, 1'000'000.0);
    search.evaluations = options.budget ? std::max<std::uint64_t>(*options.budget / runs_at_once, 1)
                                        : static_cast<std::uint64_t>(together) / runs_at_once;
    search.overrides.push_back(fmt::format("stop.evaluations={}", search.evaluations));
    return search;
}

Recipe recipe_with_seed(const Search& search, std::uint64_t seed, const Registry& registry) {
    auto overrides = search.overrides;
    overrides.push_back(fmt::format("seed={}", seed));
    return Recipe::load(search.recipe, overrides, registry);
}

// Who may be taken: elites of all runs so far, in the order of seeds and cells.
struct Pool {
    std::vector<Elite> elites{};
    std::vector<std::uint64_t> seeds{};
    std::vector<Appearance> looks{};
    std::vector<double> walkable{}; ///< share of the cells, as written
};

// As its files show it.
Appearance look_of(const Artefact& maze, const Search& search) {
    if (!search.keeps_pockets) return appearance(maze, search.turned);
    if (search.turned) return {.cells = maze.turned_cells()};
    return {.cells = {maze.cells()}};
}

Pool pool_of(const Recipe& recipe, const Gallery& gallery, const Search& search) {
    Pool pool;
    for (Elite& elite : elites_of(gallery)) {
        const ArtefactPtr maze = recipe.decoder()(recipe.problem().space(), elite.genome.data());
        pool.looks.push_back(look_of(*maze, search));
        const auto& cells = pool.looks.back().cells.front();
        const auto open = std::ranges::count_if(cells, [](std::uint8_t cell) { return (cell & 1U) == 0; });
        pool.walkable.push_back(static_cast<double>(open) / static_cast<double>(cells.size()));
        pool.elites.push_back(std::move(elite));
        pool.seeds.push_back(recipe.seed());
    }
    return pool;
}

// Keeps the order of the seeds, whichever run ends first.
void add_wave(Pool& pool, const Search& search, std::size_t wave, ThreadPool& threads, LiveLine& line,
              const Registry& registry) {
    std::vector<Pool> found(runs_at_once);
    std::atomic<std::uint64_t> made{0};
    std::mutex drawing;
    const auto begin = Clock::now();
    threads.for_each(runs_at_once, [&](std::size_t i, std::size_t /*worker*/) {
        const Recipe recipe = recipe_with_seed(search, search.first_seed + wave * runs_at_once + i, registry);
        Settings settings = recipe.settings();
        std::uint64_t last = 0;
        settings.on_generation = [&](const Status& status) {
            made += status.statistics.evaluations - std::exchange(last, status.statistics.evaluations);
            if (const std::unique_lock lock{drawing, std::try_to_lock}; lock.owns_lock())
                line.show([&] {
                    const double share = static_cast<double>(made.load()) /
                                         static_cast<double>(search.evaluations * runs_at_once);
                    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
                    return fmt::format("{:.0f} % of {} runs, {} left", 100.0 * share, runs_at_once,
                                       duration(seconds * (1.0 - share) / std::max(share, 1e-3)));
                });
            return SignalWatch::asked_to_stop() ? Proceed::no : Proceed::yes;
        };
        const Result result = evolve(recipe.problem(), std::move(settings));
        if (result.gallery) found[i] = pool_of(recipe, *result.gallery, search);
    });
    line.clear();
    for (Pool& one : found) {
        std::ranges::move(one.elites, std::back_inserter(pool.elites));
        std::ranges::move(one.seeds, std::back_inserter(pool.seeds));
        std::ranges::move(one.looks, std::back_inserter(pool.looks));
        std::ranges::move(one.walkable, std::back_inserter(pool.walkable));
    }
}

// What they are like, as ranks among all: the descriptors of the record.
void rank_character(Pool& pool, const Schema& schema) {
    for (Appearance& look : pool.looks) look.character.clear();
    for (std::size_t column = 0; column < schema.size(); ++column) {
        if (schema.columns()[column].role != Role::descriptor) continue;
        std::vector<double> values;
        for (const Elite& elite : pool.elites) values.push_back(elite.record[column]);
        const auto ranks = by_rank(values);
        for (std::size_t i = 0; i < ranks.size(); ++i) pool.looks[i].character.push_back(ranks[i]);
    }
}

struct Taken {
    std::vector<std::size_t> chosen{}; ///< of the pool
    double least_apart = 1.0;
    bool walkable = true; ///< whether none is mostly solid rock
};

// The best first; of equals in the order of the pool.
std::vector<std::size_t> best_first(const Pool& pool, const Schema& schema) {
    std::vector<Quality> qualities;
    for (const Elite& elite : pool.elites) qualities.push_back(schema.quality(elite.record));
    std::vector<std::size_t> order(pool.elites.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        return better(schema.objective(), qualities[a], qualities[b]);
    });
    return order;
}

Taken take_from(const Pool& pool, const std::vector<std::size_t>& candidates, std::size_t count,
                double apart) {
    std::vector<Appearance> looks;
    for (const std::size_t i : candidates) looks.push_back(pool.looks[i]);
    const Spread spread = farthest_apart(looks, {.count = count, .apart = apart});
    Taken taken{.least_apart = spread.least_apart};
    for (const std::size_t i : spread.chosen) taken.chosen.push_back(candidates[i]);
    return taken;
}

// Of the better ones, if those suffice; mostly solid rock only if there is not enough else.
Taken taken_of(const Pool& pool, const Schema& schema, std::size_t count, double apart, bool may_be_rock) {
    const auto order = best_first(pool, schema);
    Taken most;
    for (const bool walkable : {true, false}) {
        if (walkable && may_be_rock) continue;
        std::vector<std::size_t> candidates;
        for (const std::size_t i : order)
            if (!walkable || pool.walkable[i] >= least_walkable) candidates.push_back(i);
        for (const double share : {0.5, 0.75, 1.0}) {
            const auto some =
                static_cast<std::ptrdiff_t>(std::ceil(share * static_cast<double>(candidates.size())));
            if (std::cmp_less(some, count)) continue;
            Taken taken = take_from(pool, {candidates.begin(), candidates.begin() + some}, count, apart);
            taken.walkable = walkable || may_be_rock;
            if (taken.chosen.size() > most.chosen.size()) most = std::move(taken);
            if (most.chosen.size() == count) return most;
        }
        if (candidates.size() < count && most.chosen.size() < candidates.size())
            most = take_from(pool, candidates, count, apart);
    }
    return most;
}

// The largest share of cells, in hundredths, by which so many of the pool lie apart; 0 if there are not even
// so many.
double allowed_apart(const Pool& pool, const Schema& schema, std::size_t count) {
    int low = 0;
    int high = 100;
    while (low + 1 < high) {
        const int middle = (low + high) / 2;
        const Taken taken = take_from(pool, best_first(pool, schema), count, middle / 100.0);
        (taken.chosen.size() == count ? low : high) = middle;
    }
    return low / 100.0;
}

double nearest_of(const Pool& pool, const Taken& taken, std::size_t one) {
    double nearest = 1.0;
    for (const std::size_t other : taken.chosen)
        if (other != taken.chosen[one])
            nearest = std::min(nearest, cells_apart(pool.looks[taken.chosen[one]], pool.looks[other]));
    return nearest;
}

// The command, in parts, that gives the gallery again which a maze was taken from.
std::vector<std::string> command_for(const Search& search, const Registry& registry) {
    std::vector<std::string> parts{fmt::format("{} run {}", registry.program(), search.recipe)};
    for (const std::string& one : search.overrides)
        if (!one.starts_with("stop.evaluations=")) parts.push_back("--set " + shell_word(one));
    parts.push_back(fmt::format("--budget {}", search.evaluations));
    parts.insert(parts.end(), {"--seed SEED", "-d FOLDER"});
    return parts;
}

struct Reach {
    std::string name;
    double low = 0.0;
    double high = 0.0;
    double mean = 0.0;
};

// What is told of each maze: what makes them different to walk in, and what was wished for.
constexpr std::array told_measures{Measure::exit_path, Measure::dead_ends, Measure::loops, Measure::openness};

struct Written {
    ArtefactPtr maze;
    std::vector<Measured> measures;
    double nearest = 1.0;
};

std::vector<Reach> reaches_of(const std::vector<Written>& mazes, const std::vector<maze::Term>& wishes) {
    std::vector<std::string> names;
    for (const Measure measure : told_measures) names.emplace_back(maze::info(measure).name);
    for (const maze::Term& wish : wishes)
        if (const std::string name{maze::info(wish.measure).name};
            std::ranges::find(names, name) == names.end())
            names.push_back(name);
    std::vector<Reach> all;
    for (const std::string& name : names) {
        Reach reach{.name = name, .low = 1e300, .high = -1e300};
        for (const Written& one : mazes) {
            const double value = std::ranges::find(one.measures, name, &Measured::name)->value;
            reach.low = std::min(reach.low, value);
            reach.high = std::max(reach.high, value);
            reach.mean += value / static_cast<double>(mazes.size());
        }
        all.push_back(reach);
    }
    return all;
}

void print_mazes(const std::vector<Written>& mazes, const Pool& pool, const Taken& taken) {
    fmt::print("{:>4} {:>6}", "", "seed");
    for (const Measure measure : told_measures) fmt::print(" {:>10}", maze::info(measure).name);
    fmt::print("  {}\n", "nearest other");
    for (std::size_t i = 0; i < mazes.size(); ++i) {
        fmt::print("{:>4} {:>6}", i + 1, pool.seeds[taken.chosen[i]]);
        for (const Measure measure : told_measures)
            fmt::print(
                " {:>10}",
                figure(
                    std::ranges::find(mazes[i].measures, maze::info(measure).name, &Measured::name)->value));
        fmt::print("  {:>11.1f} %\n", 100.0 * mazes[i].nearest);
    }
}

void print_reaches(const std::vector<Reach>& reaches) {
    for (const Reach& reach : reaches)
        fmt::print("  {:<20} {:>8} to {:<8} mean {:.3g}\n", reach.name, figure(reach.low), figure(reach.high),
                   reach.mean);
}

nlohmann::ordered_json answer_json(const Search& search, const Pool& pool, const Taken& taken,
                                   const std::vector<Written>& mazes, const Recipe& recipe,
                                   const Registry& registry) {
    auto levels = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < mazes.size(); ++i) {
        const Elite& elite = pool.elites[taken.chosen[i]];
        nlohmann::ordered_json level{{"seed", pool.seeds[taken.chosen[i]]},
                                     {"cell", elite.cell},
                                     {"best", recipe.problem().schema().quality(elite.record).fitness},
                                     {"nearest_other", mazes[i].nearest}};
        level.update(nlohmann::ordered_json::parse(mazes[i].maze->json()));
        level["genome"] = genome_text(elite);
        levels.push_back(std::move(level));
    }
    nlohmann::ordered_json spread = nlohmann::ordered_json::object();
    for (const Reach& reach : reaches_of(mazes, search.wishes))
        spread[reach.name] = {{"low", reach.low}, {"high", reach.high}, {"mean", reach.mean}};
    return {{"recipe", search.recipe},
            {"seed", search.first_seed},
            {"run_again", fmt::format("{}", fmt::join(command_for(search, registry), " "))},
            {"levels", levels},
            {"least_difference", taken.chosen.size() > 1 ? taken.least_apart : 1.0},
            {"spread", spread}};
}

// Before anything is looked for: by how long a small part of it takes.
double seconds_for(const Search& search, unsigned threads, const Registry& registry) {
    Search part = search;
    const std::uint64_t evaluations = std::max<std::uint64_t>(search.evaluations / 4, 1);
    part.overrides.push_back(fmt::format("stop.evaluations={}", evaluations));
    const Recipe recipe = recipe_with_seed(part, search.first_seed, registry);
    const auto begin = Clock::now();
    (void)evolve(recipe.problem(), recipe.settings());
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return seconds * static_cast<double>(search.evaluations) / static_cast<double>(evaluations) *
           runs_at_once / threads;
}

} // namespace

bool is_about_rock(const maze::Term& wish) {
    constexpr std::array all{Measure::open_cells, Measure::reachable_cells, Measure::rock_cells,
                             Measure::wall_density, Measure::openness};
    return std::ranges::find(all, wish.measure) != all.end();
}

std::string goal_of(const MazeOptions& options) {
    if (!options.goal.empty()) return options.goal;
    const std::string name = options.fitness.empty() ? "exit-path" : options.fitness;
    (void)maze::parse_fitness_function(name);
    return "maximise " + name;
}

std::string figure(double value) {
    return value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.2f}", value);
}

int different_mazes(const MazeOptions& options, const RunOptions& base, const Registry& registry) {
    const Search search = search_for(options, base, registry);
    const Recipe recipe = recipe_with_seed(search, search.first_seed, registry);
    check_outputs(recipe, base.outputs);
    if (recipe.problem().schema().objectives().size() > 1)
        throw InvalidInput{
            "--different takes what is maximised as one sum; leave out problem.several=pareto"};
    const Schema schema = recipe.problem().schema();
    const double apart = options.apart.value_or(different_share);
    ThreadPool threads{base.threads};
    const SignalWatch watch;
    const bool says = !options.json && !options.quiet;
    LiveLine line{is_live() && says};
    if (says)
        fmt::print(stderr, "{} different mazes from {} runs of {} evaluations: about {}\n", options.count,
                   runs_at_once, thousands(search.evaluations),
                   duration(seconds_for(search, static_cast<unsigned>(threads.size()), registry)));
    const bool may_be_rock = std::ranges::any_of(search.wishes, is_about_rock);
    Pool pool;
    Taken taken;
    for (std::size_t wave = 0; wave < most_waves && !SignalWatch::asked_to_stop(); ++wave) {
        add_wave(pool, search, wave, threads, line, registry);
        rank_character(pool, schema);
        taken = taken_of(pool, schema, options.count, apart, may_be_rock);
        if (taken.chosen.size() == options.count) break;
        if (pool.elites.empty() && wave > 0) break; // nothing of the kind is found by more of the same
        if (says && wave + 1 < most_waves)
            fmt::print(stderr, "{} of {} so far; looking on with other seeds\n", taken.chosen.size(),
                       options.count);
    }
    std::vector<Written> mazes;
    SeveralOutputs files{base.outputs, options.count, registry, base.format};
    for (std::size_t i = 0; i < taken.chosen.size(); ++i) {
        const Elite& elite = pool.elites[taken.chosen[i]];
        ArtefactPtr maze = recipe.decoder()(recipe.problem().space(), elite.genome.data());
        files.add(*maze);
        files.write();
        if (ArtefactPtr written = search.keeps_pockets ? nullptr : maze->as_written())
            maze = std::move(written);
        auto measures = maze->measures();
        mazes.push_back({std::move(maze), std::move(measures), nearest_of(pool, taken, i)});
    }
    files.finish();
    if (options.json) {
        fmt::print("{}\n", answer_json(search, pool, taken, mazes, recipe, registry).dump());
    } else if (!options.quiet && !mazes.empty()) {
        print_mazes(mazes, pool, taken);
        if (mazes.size() > 1)
            fmt::print("any two differ in at least {:.1f} % of their cells{}\n", 100.0 * taken.least_apart,
                       search.turned ? ", mirrored and turned, too" : "");
        print_reaches(reaches_of(mazes, search.wishes));
        if (!taken.walkable)
            fmt::print("some are mostly solid rock: what was wished for left too few others\n");
        fmt::print("the gallery of a seed again:\n{}\n",
                   wrapped_command(command_for(search, registry), "  "));
    }
    if (taken.chosen.size() == options.count) return reached;
    (void)std::fflush(stdout); // what comes now is read behind it, even where both go into one file
    if (SignalWatch::asked_to_stop()) {
        fmt::print(stderr, "{}: interrupted with {} of {} mazes\n", registry.program(), mazes.size(),
                   options.count);
        return not_reached;
    }
    const double allowed = allowed_apart(pool, schema, options.count);
    const std::string wishes = options.goal.empty() ? "this" : fmt::format("'{}'", options.goal);
    if (pool.elites.empty())
        fmt::print(stderr, "{}: no maze was found that meets {}\n", registry.program(), wishes);
    else
        fmt::print(stderr, "{}: {} of {} mazes: {} leaves no more that are {:g} % apart; {}\n",
                   registry.program(), mazes.size(), options.count, wishes, 100.0 * apart,
                   allowed > 0.0 ? fmt::format("{} are {:g} % apart (--apart {:g})", options.count,
                                               100.0 * allowed, allowed)
                                 : "there are not so many different ones among those found");
    return not_reached;
}

} // namespace knossos::app
