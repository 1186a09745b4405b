#include "verbs/missed_wishes.hpp"

#include "signals.hpp"
#include "terminal.hpp"

#include <knossos/core/text.hpp>
#include <knossos/maze/setup.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace knossos::app {

namespace {

using Json = nlohmann::ordered_json;

// So short that nobody waits for it, and long enough for one or two wishes that can be met.
constexpr std::uint64_t trial_evaluations = 20'000;
// More wishes have too many pairs.
constexpr std::size_t most_paired = 6;

/// What a short run for some of the wishes came to.
struct Trial {
    std::vector<maze::Term> wishes;
    std::vector<double> values;
    bool is_met = false;
};

class Trials {
  public:
    Trials(const RunOptions& options, const Registry& registry, std::uint64_t evaluations)
        : options_{options}, registry_{registry}, evaluations_{std::min(evaluations, trial_evaluations)} {}

    [[nodiscard]] std::uint64_t evaluations() const { return evaluations_; }

    Trial run(std::vector<maze::Term> wishes) const {
        auto overrides = all_overrides(options_);
        overrides.push_back("problem.goal=" + toml_text(maze::to_text(wishes)));
        overrides.push_back(fmt::format("stop.evaluations={}", evaluations_));
        overrides.emplace_back("stop.solved=true");
        // Ranges alone make no front: they are looked for as they would be without one.
        const bool is_front = options_.recipe == "maze-front";
        if (!is_front && options_.front) overrides.emplace_back("algorithm.kind=mu-plus-lambda");
        const Recipe recipe = Recipe::load(is_front ? "maze" : options_.recipe, overrides, registry_);
        Settings settings = recipe.settings();
        settings.threads = options_.threads;
        settings.on_generation = [](const Status&) {
            return SignalWatch::asked_to_stop() ? Proceed::no : Proceed::yes;
        };
        const Result result = evolve(recipe.problem(), std::move(settings));
        const MazeSetup setup{from_values<MazeFields>(recipe.choice("problem")->values)};
        const maze::Measures measures =
            maze::measure(setup.level(result.best.bytes.data()), setup.fitness().needs());
        Trial trial{.wishes = std::move(wishes), .values = {}};
        for (const maze::Term& wish : trial.wishes)
            trial.values.push_back(maze::value_of(measures, wish.measure));
        trial.is_met = setup.fitness().score(measures).met();
        return trial;
    }

  private:
    const RunOptions& options_;
    const Registry& registry_;
    std::uint64_t evaluations_;
};

std::vector<maze::Term> wishes_of(const Recipe& recipe) {
    const MazeSetup setup{from_values<MazeFields>(recipe.choice("problem")->values)};
    std::vector<maze::Term> wishes;
    for (maze::Term term : setup.fitness().terms) {
        if (term.aim != maze::Aim::range) continue;
        term.weight = 1.0;
        term.near.reset();
        wishes.push_back(term);
    }
    return wishes;
}

std::string number(double value) { return fmt::format("{:.4g}", value); }

std::string told(std::uint64_t evaluations, const std::vector<Trial>& alone,
                 const std::vector<Trial>& in_the_way, bool pairs_were_tried) {
    std::string text =
        fmt::format("\nEach wish alone, looked for by {} evaluations:\n", thousands(evaluations));
    std::size_t width = 0;
    for (const Trial& one : alone) width = std::max(width, maze::to_text(one.wishes).size());
    for (const Trial& one : alone)
        text += fmt::format("  {:<{}} {:>8}  {}\n", maze::to_text(one.wishes), width,
                            number(one.values.front()), one.is_met ? "is met" : "is not met either");
    const std::string indent(4, ' ');
    for (const Trial& two : in_the_way) {
        const std::string line =
            fmt::format("  '{}' and '{}' get in each other's way: together they come to {} and {}.",
                        maze::to_text(two.wishes[0]), maze::to_text(two.wishes[1]), number(two.values[0]),
                        number(two.values[1]));
        text += wrapped(line.substr(2), indent, output_width()).replace(0, indent.size(), "  ") + "\n";
    }
    const bool all_alone = std::ranges::all_of(alone, &Trial::is_met);
    if (all_alone && in_the_way.empty() && pairs_were_tried)
        text += alone.size() == 2
                    ? "  Both can be met together: try a larger --budget or another --seed.\n"
                    : "  Any two can be met together: try a larger --budget, or wish for less.\n";
    return text;
}

std::string as_json(std::uint64_t evaluations, const std::vector<Trial>& alone,
                    const std::vector<Trial>& in_the_way) {
    auto singles = Json::array();
    for (const Trial& one : alone)
        singles.push_back(
            {{"wish", maze::to_text(one.wishes)}, {"value", one.values[0]}, {"met", one.is_met}});
    auto pairs = Json::array();
    for (const Trial& two : in_the_way)
        pairs.push_back({{"wishes", {maze::to_text(two.wishes[0]), maze::to_text(two.wishes[1])}},
                         {"values", two.values}});
    return Json{{"missed_wishes",
                 {{"evaluations_each", evaluations}, {"alone", singles}, {"in_each_others_way", pairs}}}}
        .dump();
}

} // namespace

std::string explain_missed_wishes(const RunOptions& options, const Registry& registry, const Result& result) {
    const std::vector<maze::Term> wishes =
        wishes_of(Recipe::load(options.recipe, all_overrides(options), registry));
    if (wishes.size() < 2) return options.json ? "{}" : "";
    const SignalWatch watch;
    const Trials trials{options, registry, result.evaluations};
    std::vector<Trial> alone;
    for (const maze::Term& wish : wishes) alone.push_back(trials.run({wish}));
    std::vector<Trial> in_the_way;
    const bool paired = wishes.size() <= most_paired;
    for (std::size_t i = 0; paired && i < wishes.size(); ++i)
        for (std::size_t j = i + 1; j < wishes.size(); ++j) {
            if (!alone[i].is_met || !alone[j].is_met || SignalWatch::asked_to_stop()) continue;
            Trial both = trials.run({wishes[i], wishes[j]});
            if (!both.is_met) in_the_way.push_back(std::move(both));
        }
    if (SignalWatch::asked_to_stop()) return options.json ? "{}" : "";
    return options.json ? as_json(trials.evaluations(), alone, in_the_way)
                        : told(trials.evaluations(), alone, in_the_way, paired);
}

} // namespace knossos::app
