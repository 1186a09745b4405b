#include "commands.hpp"

#include <knossos/core/files.hpp>
#include <knossos/core/text.hpp>
#include <knossos/recipe/difference.hpp>
#include <knossos/recipe/result_json.hpp>
#include <knossos/recipe/run_folder.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace knossos::app {

namespace {

namespace fs = std::filesystem;

// A run's folder, or a recipe alone, which has no trace and no result.
struct Side {
    Recipe recipe;
    std::vector<Statistics> trace{};
    std::optional<RecordedResult> result{};
};

Side side_of(const std::string& source, const Registry& registry) {
    std::error_code ignored;
    if (!fs::is_directory(source, ignored)) {
        const bool is_recipe =
            source.ends_with(".toml") ||
            std::ranges::find(registry.recipes(), source, &BuiltInRecipe::name) != registry.recipes().end();
        if (!is_recipe)
            throw InvalidInput{
                fmt::format("there is no run folder '{}', and no recipe of that name; '{} recipes' "
                            "lists those that are built in, and a file ends in .toml",
                            source, registry.program())};
        return {.recipe = Recipe::load(source, {}, registry)};
    }
    const RunFolder folder = RunFolder::open(source, registry);
    Side side{.recipe = folder.recipe()};
    if (const fs::path trace = folder.path() / "trace.csv"; fs::exists(trace))
        side.trace = read_trace(read_file(trace), trace.string());
    if (const fs::path result = folder.path() / "result.json"; folder.is_finished())
        side.result = read_result(read_file(result), result.string());
    return side;
}

std::optional<Difference> difference_of_results(const Side& first, const Side& second) {
    if (!first.result || !second.result || first.result->digest == second.result->digest) return std::nullopt;
    return Difference{.name = "digest", .first = first.result->digest, .second = second.result->digest};
}

void print_json(const std::optional<Difference>& recipe, const std::optional<Difference>& run) {
    const auto described = [](const std::optional<Difference>& one) {
        nlohmann::ordered_json object;
        if (!one) return object;
        object = {{"name", one->name}, {"first", one->first}, {"second", one->second}};
        if (one->generation) object["generation"] = *one->generation;
        return object;
    };
    const nlohmann::ordered_json answer{
        {"same", !recipe && !run}, {"recipe", described(recipe)}, {"run", described(run)}};
    fmt::print("{}\n", answer.dump(2));
}

} // namespace

int compare_runs(const std::string& first, const std::string& second, bool json, const Registry& registry) {
    const Side ours = side_of(first, registry);
    const Side theirs = side_of(second, registry);
    const auto recipe = first_difference(ours.recipe, theirs.recipe);
    // A recipe alone has no trace to compare with.
    std::optional<Difference> run;
    if (!ours.trace.empty() && !theirs.trace.empty()) run = first_difference(ours.trace, theirs.trace);
    if (!run) run = difference_of_results(ours, theirs);
    const bool same = !recipe && !run;
    if (json) {
        print_json(recipe, run);
        return same ? reached : not_reached;
    }
    const auto sides = [&](const Difference& one) {
        return fmt::format("  {}: {}\n  {}: {}\n", first, one.first, second, one.second);
    };
    if (recipe)
        fmt::print("the recipes differ first in {}\n{}", recipe->name, sides(*recipe));
    else
        fmt::print("the recipes are the same\n");
    if (run && run->generation)
        fmt::print("the runs part at generation {}, in {}\n{}", thousands(*run->generation), run->name,
                   sides(*run));
    else if (run)
        fmt::print("the traces are the same, the {} is not\n{}", run->name, sides(*run));
    else if (!ours.trace.empty() && !theirs.trace.empty())
        fmt::print("the runs are the same{}\n",
                   ours.result && theirs.result ? ", to the digest" : " as far as both have gone");
    return same ? reached : not_reached;
}

} // namespace knossos::app
