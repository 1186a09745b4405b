#include "order.hpp"

#include <knossos/core/text.hpp>
#include <knossos/recipe/domains.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace knossos::studio {

namespace {

void check_limits(const Recipe& recipe, const Settings& settings) {
    const Domain& domain = domain_of(recipe);
    const Values& values = recipe.choice("problem")->values;
    std::optional<std::string> why;
    if (domain.why_hopeless) why = domain.why_hopeless(values);
    if (!why && domain.why_unwatchable)
        why = domain.why_unwatchable(values, std::max(settings.population, settings.offspring));
    if (why) throw InvalidInput{*why};
}

} // namespace

void refuse_outside(const Recipe& recipe) {
    if (recipe.choice("evaluator") != nullptr)
        throw InvalidInput{fmt::format("evaluator.program: the studio starts no programs; '{} run' does",
                                       recipe.registry().program())};
    if (recipe.choice("start") != nullptr)
        throw InvalidInput{fmt::format("start.gallery: the studio opens no files that a recipe names; '{} "
                                       "run' does",
                                       recipe.registry().program())};
}

void require_runnable(const Recipe& recipe, std::size_t most_bytes) {
    if (recipe.choice("problem") == nullptr) throw InvalidInput{"the recipe names no problem"};
    refuse_outside(recipe);
    const Settings settings = recipe.settings();
    if (settings.stop.kind() == StopKind::never)
        throw InvalidInput{"the recipe has no [stop] section, so it would never end"};
    check_limits(recipe, settings);
    const double needed = bytes_needed(settings, recipe.problem());
    if (needed > static_cast<double>(most_bytes))
        throw InvalidInput{
            fmt::format("this run would need about {:.0f} MB; the studio gives a run {:.0f} MB. "
                        "A smaller board or population will do",
                        needed / 1e6, static_cast<double>(most_bytes) / 1e6)};
}

Recipe recipe_of(const Order& order, std::size_t most_bytes, const Registry& registry) {
    const bool named = order.toml.empty();
    if (named &&
        std::ranges::none_of(registry.recipes(), [&](const auto& one) { return one.name == order.recipe; })) {
        std::vector<std::string> names;
        for (const auto& one : registry.recipes()) names.emplace_back(one.name);
        const auto meant = nearest(order.recipe, names);
        throw InvalidInput{fmt::format("there is no recipe '{}'{}", order.recipe.substr(0, 80),
                                       meant ? "; did you mean " + *meant + "?" : "")};
    }
    Recipe recipe = named ? Recipe::load(order.recipe, order.overrides, registry)
                          : Recipe::parse(order.toml, "recipe", order.overrides, registry);
    require_runnable(recipe, most_bytes);
    return recipe;
}

std::string command_line(const Order& order, const std::filesystem::path& file, const std::string& program) {
    const std::string run = shell_word(program) + " run ";
    if (!order.toml.empty() || order.recipe.empty()) return run + shell_word(file.string());
    std::string text = run + shell_word(order.recipe);
    std::string seed;
    for (const auto& one : order.overrides) {
        if (one.starts_with("seed="))
            seed = " --seed " + shell_word(one.substr(5));
        else
            text += " --set " + shell_word(one);
    }
    return text + seed;
}

} // namespace knossos::studio
