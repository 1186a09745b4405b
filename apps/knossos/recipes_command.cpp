#include "commands.hpp"
#include "terminal.hpp"

#include <knossos/recipe/recipe.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace knossos::app {

int list_recipes(bool json) {
    auto array = nlohmann::ordered_json::array();
    std::size_t width = 0;
    for (const auto& recipe : built_in_recipes()) width = std::max(width, recipe.name.size());
    for (const auto& built_in : built_in_recipes()) {
        const Recipe recipe = Recipe::load(std::string{built_in.name});
        if (json)
            array.push_back({{"name", recipe.name()}, {"description", recipe.description()}});
        else
            fmt::print(
                "{:<{}}  {}\n", recipe.name(), width,
                wrapped(recipe.description(), std::string(width + 2, ' '), output_width()).substr(width + 2));
    }
    if (json) fmt::print("{}\n", array.dump(2));
    return reached;
}

int show_recipe(const std::string& name, const std::vector<std::string>& overrides) {
    fmt::print("{}", Recipe::load(name, overrides).to_toml());
    return reached;
}

int check_recipe(const std::string& file, const std::vector<std::string>& overrides) {
    try {
        const Recipe recipe = Recipe::load(file, overrides);
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

int print_recipe_schema() {
    fmt::print("{}", recipe_schema());
    return reached;
}

} // namespace knossos::app
