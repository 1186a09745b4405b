#include "verbs/several_levels.hpp"

#include "outputs.hpp"
#include "signals.hpp"

#include <knossos/core/text.hpp>
#include <knossos/core/thread_pool.hpp>
#include <knossos/recipe/domains.hpp>
#include <knossos/recipe/result_json.hpp>
#include <knossos/recipe/spread.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <optional>

namespace knossos::app {

namespace {

constexpr std::size_t seeds_at_once = 4;
constexpr std::uint64_t seeds_per_level = 20; // tried at most
constexpr double usually_apart = 0.25;

// One level for each of a few seeds.
std::vector<std::optional<Candidate>> evolve_candidates(const RunOptions& base, std::uint64_t first_seed,
                                                        ThreadPool& pool, const Registry& registry,
                                                        const SeveralLevels& verb) {
    std::vector<std::optional<Candidate>> candidates(seeds_at_once);
    pool.for_each(seeds_at_once, [&](std::size_t i, std::size_t /*worker*/) {
        RunOptions its = base;
        its.seed = first_seed + i;
        std::ranges::copy(verb.aims(its), std::back_inserter(its.overrides));
        Recipe recipe = Recipe::load(its.recipe, all_overrides(its), registry);
        Settings settings = recipe.settings();
        settings.on_generation = [](const Status&) {
            return SignalWatch::asked_to_stop() ? Proceed::no : Proceed::yes;
        };
        Result result = evolve(recipe.problem(), std::move(settings));
        candidates[i] = Candidate{std::move(recipe), std::move(result)};
    });
    return candidates;
}

class Collection {
  public:
    Collection(const LevelOptions& options, const RunOptions& base, const Registry& registry,
               const SeveralLevels& verb)
        : options_{options}, verb_{verb}, files_{base.outputs, options.count, registry, base.format} {}

    [[nodiscard]] bool is_full() const { return taken_ == options_.count; }
    [[nodiscard]] std::uint64_t size() const { return taken_; }
    [[nodiscard]] const nlohmann::ordered_json& levels() const { return levels_; }

    void consider(const Candidate& candidate) {
        const auto& [recipe, result] = candidate;
        if (!is_reached(recipe, result)) {
            ++missed_;
            return;
        }
        const ArtefactPtr level = artefact_of(recipe, result.best);
        if (options_.different && !is_new(*level)) {
            ++alike_;
            return;
        }
        ++taken_;
        files_.add(*level);
        files_.write();
        if (options_.json)
            levels_.push_back(nlohmann::ordered_json::parse(result_json(recipe, result)));
        else if (!options_.quiet)
            fmt::print("{}", verb_.row(taken_, candidate));
        std::fflush(stdout);
    }

    void finish() { files_.finish(); }

    void explain_rest(const Registry& registry) const {
        fmt::print(stderr, "{}: {} of {} {}; {} did not meet the goal{}\n", registry.program(), taken_,
                   options_.count, verb_.things, counted(missed_, "seed", "seeds"),
                   options_.different
                       ? fmt::format(", {} too much like another", counted(alike_, "was", "were"))
                       : "");
    }

  private:
    // Whether it differs from all that were taken; then it is one of them.
    bool is_new(const Artefact& level) {
        Appearance look = appearance(level, false);
        const double apart = options_.apart.value_or(usually_apart);
        const auto is_alike = [&](const Appearance& other) { return cells_apart(look, other) < apart; };
        if (std::ranges::any_of(looks_, is_alike)) return false;
        looks_.push_back(std::move(look));
        return true;
    }

    const LevelOptions& options_;
    const SeveralLevels& verb_;
    SeveralOutputs files_;
    std::vector<Appearance> looks_{};
    std::uint64_t taken_ = 0;
    std::uint64_t missed_ = 0;
    std::uint64_t alike_ = 0;
    nlohmann::ordered_json levels_ = nlohmann::ordered_json::array();
};

} // namespace

void check_count(const LevelOptions& options, std::string_view things) {
    if (options.count > 1 && !options.folder.empty())
        throw InvalidInput{"-d keeps one run; with --count use -o, which numbers its files"};
    if (options.different && options.count < 2)
        throw InvalidInput{fmt::format("--different compares several {}; say how many with --count", things)};
    if (!options.different && options.apart)
        throw InvalidInput{
            fmt::format("--apart says how much different {} differ; it goes with --different", things)};
}

int several_levels(const LevelOptions& options, const RunOptions& base, const Registry& registry,
                   const SeveralLevels& verb) {
    check_outputs(load_recipe(base, registry), base.outputs);
    ThreadPool pool{base.threads};
    const SignalWatch watch;
    const std::uint64_t first_seed = options.seed.value_or(1);
    const std::uint64_t most = std::uint64_t{options.count} * seeds_per_level;
    Collection collection{options, base, registry, verb};
    if (!options.json && !options.quiet) fmt::print("{}", verb.head);
    for (std::uint64_t tried = 0; tried < most && !collection.is_full(); tried += seeds_at_once) {
        const auto candidates = evolve_candidates(base, first_seed + tried, pool, registry, verb);
        if (SignalWatch::asked_to_stop()) break; // what is half evolved is nothing to take
        for (const auto& candidate : candidates)
            if (!collection.is_full()) collection.consider(*candidate);
    }
    collection.finish();
    if (options.json)
        fmt::print("{}\n",
                   nlohmann::ordered_json{{"seed", first_seed}, {"levels", collection.levels()}}.dump());
    if (collection.is_full()) return reached;
    if (SignalWatch::asked_to_stop())
        fmt::print(stderr, "{}: interrupted after {} of {} {}\n", registry.program(), collection.size(),
                   options.count, verb.things);
    else
        collection.explain_rest(registry);
    return not_reached;
}

} // namespace knossos::app
