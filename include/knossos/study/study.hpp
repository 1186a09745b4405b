#pragma once

#include <knossos/recipe/recipe.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace knossos::study {

/// One combination of a recipe and values, of which many runs are made.
struct Configuration {
    std::string label; ///< what people call it: "pmx-queens n=16"
    Recipe recipe;     ///< complete, with the seed of run 0
    /// What tells it from the others: the recipe's name under "recipe", then each key of the grid or list.
    std::vector<std::pair<std::string, std::string>> varied;
};

/// What the command line may say about a study on top of its file.
struct StudyChanges {
    std::optional<std::uint64_t> runs{};
    std::optional<std::uint64_t> seed{};
    std::optional<std::uint64_t> budget{};
    std::vector<std::string> overrides{}; ///< "key.path=value", for every configuration
};

/// Recipes × values × seeds. Once made, every configuration is complete and checked.
struct Study {
    std::string name;
    std::string description;
    std::uint64_t runs = 100; ///< of each configuration
    std::uint64_t seed = 1;   ///< of run 0; run i has seed + i
    std::vector<double>
        targets; ///< fitness values to report running times for; empty leaves it to the report
    std::vector<Configuration> configurations;
    std::string text; ///< the file

    /// Reads TOML; see docs/studies.md. Recipe files are looked for in `folder`. Throws InvalidInput that
    /// lists everything that is wrong, with its place.
    static Study parse(std::string_view toml, std::string_view file, const StudyChanges& changes = {},
                       const std::filesystem::path& folder = {},
                       const Registry& registry = Registry::built_in());
    static Study load(const std::filesystem::path& file, const StudyChanges& changes = {},
                      const Registry& registry = Registry::built_in());
};

/// The hash of all that steers the runs of a recipe, and of nothing else: not of its name, nor of how it is
/// written down, nor of what it writes.
std::string identity_of(const Recipe& recipe);

/// The rows and columns, bits or cells that a recipe's problem has: what running times are drawn against.
std::optional<double> size_of_problem(const Recipe& recipe);

} // namespace knossos::study
