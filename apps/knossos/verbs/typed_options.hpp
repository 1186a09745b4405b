#pragma once

#include <knossos/recipe/recipe.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace knossos::app {

/// What --size says: "30x20". Throws InvalidInput for anything else.
std::pair<std::uint32_t, std::uint32_t> parse_size(const std::string& text);

/// An option that became an override of the recipe, so that messages can say what was typed.
struct Typed {
    std::string override{};
    std::string words{}; ///< "-k 3"
    std::string key{};   ///< "problem.k"
    std::string name{};  ///< what messages call it instead: "-k"
};

/// What is wrong with a recipe that options made, in the words of the options. Options that were not given
/// may be among them, if they would help.
RecipeError retold(const RecipeError& error, const std::vector<Typed>& typed);

} // namespace knossos::app
