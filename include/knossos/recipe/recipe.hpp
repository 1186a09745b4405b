#pragma once

#include <knossos/recipe/registry.hpp>
#include <knossos/run/run.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace knossos {

/// One thing that is wrong with a recipe, and where: "file:line:column" or the override it came from.
struct Diagnostic {
    std::string where;
    std::string message;
};

struct Start;

/// A recipe that can't be used. Holds everything that is wrong with it, not only the first thing.
class RecipeError : public InvalidInput {
  public:
    explicit RecipeError(std::vector<Diagnostic> diagnostics);
    [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

  private:
    std::vector<Diagnostic> diagnostics_;
};

/// There is no recipe of that name.
class UnknownRecipe : public InvalidInput {
  public:
    using InvalidInput::InvalidInput;
};

/// What a recipe wants to have written; it never changes the run itself.
struct RecipeOutput {
    std::vector<std::string> files; ///< the best, in formats by extension
    double checkpoint_every = 30.0; ///< seconds, in a run folder; 0 keeps every generation
    std::string device = "cpu";     ///< where it runs: cpu, auto, or the name of a device
};

/// A run as data: which problem, which algorithm, which operators with which values, and when to stop. Once
/// made, a recipe is complete (every default is filled in) and consistent (every part fits the others).
class Recipe {
  public:
    /// What was chosen for one place: the part's name (empty where there is nothing to choose) and all its
    /// fields.
    struct Choice {
        std::string kind;
        Values values;
    };

    /// Reads TOML. `file` is what messages call it; each override is "key.path=value" and wins over the text;
    /// "stages.improve=none" takes a whole section away.
    /// What can be chosen by name is in the registry.
    static Recipe parse(std::string_view toml, std::string_view file,
                        const std::vector<std::string>& overrides = {},
                        const Registry& registry = Registry::built_in());

    static constexpr std::size_t largest_file = 1'000'000; ///< in bytes; no recipe is longer
    /// A recipe of the registry by name, or a file: whatever ends in .toml or contains a slash is a file.
    static Recipe load(const std::string& name_or_file, const std::vector<std::string>& overrides = {},
                       const Registry& registry = Registry::built_in());

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const std::string& description() const { return description_; }
    [[nodiscard]] std::uint64_t seed() const { return seed_; }
    /// What the problem's data from outside were when the recipe was read; 0 if it has none.
    [[nodiscard]] std::uint64_t fingerprint() const { return problem_ ? problem_->fingerprint() : 0; }
    /// "problem", "algorithm", "stages.select", …: absent where the recipe leaves a place empty.
    [[nodiscard]] const Choice* choice(std::string_view path) const;
    [[nodiscard]] const StopRule& stop() const { return stop_; }
    [[nodiscard]] const RecipeOutput& output() const { return output_; }
    /// Where its parts come from.
    [[nodiscard]] const Registry& registry() const { return registry_; }

    /// Made when the recipe was read: what its data were then, they stay. Throws InvalidInput if the recipe
    /// names no problem: such a recipe is for a problem given in C++.
    [[nodiscard]] Problem problem() const;
    /// Turns genomes of the problem into what they stand for; empty if its domain has nothing to show.
    [[nodiscard]] const Decoder& decoder() const { return decoder_; }
    [[nodiscard]] Settings settings() const;
    /// Throws InvalidInput if the recipe names a program that evaluates, and that is not there: asked before
    /// a run, not where a recipe is only read.
    void require_program() const;

    /// The same recipe with another end.
    [[nodiscard]] Recipe with_stop(StopRule stop) const;
    /// What the recipe is: every value that decides how a run goes, defaults written out, as "key = value"
    /// in the order of the keys. The stop rules, which only decide how far it goes, are no part of it, nor
    /// are names, descriptions and the output. The fingerprint() of a problem that has one stands for data
    /// from outside, as they were when the recipe was read; so does that of what it starts from. Checkpoints,
    /// studies and ranks know a recipe by this. What a run is until a generation does not depend on what
    /// later ones go by: see Field::by_generation().
    [[nodiscard]] std::map<std::string, std::string> identity(std::uint64_t until = ~std::uint64_t{0}) const;
    /// The identity in 64 bits.
    [[nodiscard]] std::uint64_t hash(std::uint64_t until = ~std::uint64_t{0}) const;

    /// The whole recipe with every default, ready to edit; reading it back gives the same recipe.
    [[nodiscard]] std::string to_toml() const;

  private:
    friend class RecipeReader;
    [[nodiscard]] std::string toml_of_parts() const;
    [[nodiscard]] Problem make_problem() const;

    Registry registry_;
    std::string name_;
    std::string description_;
    std::map<std::string, Choice, std::less<>> choices_;
    StopRule stop_;
    RecipeOutput output_;
    std::uint64_t seed_ = 1;
    std::optional<Problem> problem_{};
    Decoder decoder_{};
    std::shared_ptr<const Start> start_{}; ///< what it begins with, if it says so
};

/// The places of a recipe, with all that is built in for them.
inline const std::vector<RecipeSection>& recipe_sections() { return Registry::built_in().sections(); }

/// A JSON Schema (draft 2020-12) of recipes, generated from the sections: editors complete and check with it.
std::string recipe_schema(const Registry& registry = Registry::built_in());

/// Those that Knossos itself brings along; a registry may have more.
const std::vector<BuiltInRecipe>& built_in_recipes();

} // namespace knossos
