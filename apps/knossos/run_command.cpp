#include "commands.hpp"
#include "terminal.hpp"

#include <knossos/run/recipe.hpp>
#include <knossos/version.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace knossos::app {

namespace {

nlohmann::ordered_json to_json(const Recipe& recipe, const Settings& settings, const Result& result) {
    return {{"recipe", recipe.name()},
            {"seed", settings.seed},
            {"version", version},
            {"result",
             {{"reached", result.solved},
              {"best", result.fitness},
              {"genome", result.best.genes()},
              {"stopped_by", result.stopped_by},
              {"digest", fmt::format("{:016x}", result.digest)}}},
            {"costs",
             {{"evaluations", result.evaluations},
              {"generations", result.generations},
              {"seconds", result.seconds}}}};
}

void print_summary(const Recipe& recipe, const Settings& settings, const Result& result) {
    const double rate = result.seconds > 0.0 ? static_cast<double>(result.evaluations) / result.seconds : 0.0;
    fmt::print("{}, seed {}: {}\n", recipe.name(), settings.seed, result.solved ? "solved" : "not solved");
    fmt::print("  best         {}\n", result.fitness);
    fmt::print("  evaluations  {}  ({} ev/s)\n", thousands(result.evaluations), short_number(rate));
    fmt::print("  generations  {}\n", thousands(result.generations));
    fmt::print("  time         {}\n", duration(result.seconds));
    fmt::print("  stopped by   {}\n", result.stopped_by);
    std::string genome = result.best.to_text();
    if (genome.size() > 65) genome = genome.substr(0, 64) + "…";
    fmt::print("  genome       {}\n", genome);
}

} // namespace

int run(const RunOptions& options) {
    const Recipe recipe = Recipe::load(options.recipe, options.overrides);
    Settings settings = recipe.settings();
    if (options.seed) settings.seed = *options.seed;
    settings.threads = options.threads;
    if (options.budget) settings.stop = settings.stop || evaluations(*options.budget);
    if (options.time) settings.stop = settings.stop || seconds(*options.time);
    Progress progress{is_live() && !options.quiet && !options.json, settings.stop};
    settings.on_generation = [&](const Status& status) { progress.show(status); };
    const Result result = evolve(recipe.problem(), settings);
    progress.clear();
    if (options.json)
        fmt::print("{}\n", to_json(recipe, settings, result).dump(2));
    else if (!options.quiet)
        print_summary(recipe, settings, result);
    return result.solved ? reached : not_reached;
}

} // namespace knossos::app
