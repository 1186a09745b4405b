#include "commands.hpp"
#include "terminal.hpp"

#include <knossos/recipe/recipe.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace knossos::app {

namespace {

// Of one that can't be used here, because its data are elsewhere, what is missing.
std::string description_of(const BuiltInRecipe& recipe, const Registry& registry) {
    try {
        return Recipe::load(recipe.name, {}, registry).description();
    } catch (const InvalidInput& error) {
        return fmt::format("can't be used here: {}", error.what());
    }
}

} // namespace

int list_recipes(bool json, const Registry& registry) {
    auto array = nlohmann::ordered_json::array();
    std::size_t width = 0;
    for (const auto& recipe : registry.recipes()) width = std::max(width, recipe.name.size());
    for (const auto& recipe : registry.recipes()) {
        const std::string description = description_of(recipe, registry);
        if (json)
            array.push_back({{"name", recipe.name}, {"description", description}});
        else
            fmt::print("{:<{}}  {}\n", recipe.name, width,
                       wrapped(description, std::string(width + 2, ' '), output_width()).substr(width + 2));
    }
    if (json) fmt::print("{}\n", array.dump(2));
    return reached;
}

int show_recipe(const std::string& name, const std::vector<std::string>& overrides,
                const Registry& registry) {
    fmt::print("{}", Recipe::load(name, overrides, registry).to_toml());
    return reached;
}

int check_recipe(const std::string& file, const std::vector<std::string>& overrides,
                 const Registry& registry) {
    try {
        const Recipe recipe = Recipe::load(file, overrides, registry);
        recipe.require_program();
        fmt::print("{}: a valid recipe{}\n", file,
                   recipe.choice("problem") == nullptr ? " for a problem given in C++" : "");
        return reached;
    } catch (const RecipeError& error) {
        // As compilers do it, so that editors find the places.
        for (const Diagnostic& one : error.diagnostics())
            fmt::print(stderr, "{}: {}\n", one.where, one.message);
        const std::size_t count = error.diagnostics().size();
        fmt::print(stderr, "{} problem{}\n", count, count == 1 ? "" : "s");
        return bad_input;
    }
}

int print_recipe_schema(const Registry& registry) {
    fmt::print("{}", recipe_schema(registry));
    return reached;
}

} // namespace knossos::app
