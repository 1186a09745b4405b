#pragma once

#include "commands.hpp"

#include <knossos/recipe/recipe.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
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

/// A run that options of a verb describe, as overrides of the recipe that they choose.
struct TypedRun {
    RunOptions options{};
    std::vector<Typed> typed{};

    /// An option that stands for a key of [problem], with its value as TOML; `given` is what was typed after
    /// it, and `name` what messages call the key.
    void set(std::string_view key, const std::string& value, const std::string& option,
             const std::string& given, const std::string& name);
    /// The same for a text, unless it is empty.
    void set_text(std::string_view key, const std::string& text, const std::string& option);
};

/// Throws InvalidInput if an option holds none of the names; it may be empty.
void require_name(std::string_view option, const std::string& name, std::span<const std::string_view> names);

/// What is wrong with a recipe that options made, in the words of the options. Options that were not given
/// may be among them, if they would help.
RecipeError retold(const RecipeError& error, const std::vector<Typed>& typed);

} // namespace knossos::app
