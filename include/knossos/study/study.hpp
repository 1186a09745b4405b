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
    Recipe recipe;     ///< complete, with the seed of the study
    /// The hash of all in it that steers a run; see identity_of().
    std::string identity{};
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
    std::uint64_t seed = 1;   ///< that all seeds of runs come from
    /// Run i of every configuration has the seed `seed` + i, so that runs of the same number begin alike and
    /// are compared in pairs. Else each configuration has seeds of its own, as tests of independent samples
    /// ask.
    bool paired = false;
    std::vector<double>
        targets; ///< fitness values to report running times for; empty leaves it to the report
    std::vector<Configuration> configurations;
    std::string text; ///< the file

    /// The seed of a run; below 2⁵³, so that every reader of JSON keeps it.
    [[nodiscard]] std::uint64_t seed_of(std::size_t configuration, std::uint64_t number) const;

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
