#pragma once

#include <knossos/core/values.hpp>
#include <knossos/domain/domain.hpp>
#include <knossos/run/run.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace knossos {

/// A part that can be made by name.
template <class Part>
struct Entry {
    PartInfo info;
    std::function<Part(const Values&)> make;
    /// Instead, of a part that is made of others of its kind: among which it finds them by name.
    std::function<Part(const Values&, const std::vector<Entry>& others)> make_of{};
};

/// The part of a kind, made with its values, which are complete.
template <class Part>
Part made_of(const std::vector<Entry<Part>>& entries, std::string_view kind, const Values& values) {
    const auto found =
        std::ranges::find(entries, kind, [](const Entry<Part>& entry) { return entry.info.name; });
    return found->make_of ? found->make_of(values, entries) : found->make(values);
}

/// An entry for a type that says its own name and fields: `entry<Mutation, MyMutation>("what it does")`.
template <class Part, Described Type>
Entry<Part> entry(std::string_view summary) {
    PartInfo info{
        .name = std::string{Type::name}, .summary = std::string{summary}, .fields = fields_of<Type>()};
    if constexpr (requires { Type::uses; }) info.uses.assign(Type::uses.begin(), Type::uses.end());
    return {.info = std::move(info),
            .make = [](const Values& values) { return Part{from_values<Type>(values)}; }};
}

/// One place in a recipe ("problem", "stages.select", …): what can stand there. The schema, the documentation
/// and the studio's controls are made from it.
struct RecipeSection {
    std::string path;
    std::vector<PartInfo> parts; ///< one without a name where there is nothing to choose
    std::string default_kind;    ///< the kind that stands there if the recipe is silent
    bool optional;               ///< whether the place may stay empty
    bool removable = false;      ///< whether an override "path=none" empties it: then nothing happens there

    [[nodiscard]] bool has_kind() const { return !parts.front().name.empty(); }
    [[nodiscard]] const PartInfo* part(std::string_view kind) const;
    [[nodiscard]] std::vector<std::string> kinds() const;
};

/// A recipe that a program brings along, known by its name.
struct BuiltInRecipe {
    std::string name;
    std::string text; ///< TOML
};

/// Everything that recipes can choose by name. A value: a copy of what is built in, to which a program adds
/// its own parts before it reads its recipes. Copies are cheap, and adding to one leaves the others alone.
class Registry {
  public:
    /// What is built in, and nothing else.
    Registry() : Registry{built_in()} {}
    static const Registry& built_in();

    /// Throws InvalidInput if there is one of that kind and name already, or a domain speaks of fields that
    /// it does not have.
    Registry& add(Domain domain);
    Registry& add(Entry<Selection> selection);
    Registry& add(Entry<Recombination> recombination);
    Registry& add(Entry<Mutation> mutation);
    Registry& add(Entry<Improvement> improvement);
    Registry& add(Entry<Replacement> replacement);
    Registry& add(Entry<Algorithm> algorithm);
    Registry& add(OwnTopology topology);
    Registry& add(OwnEmigrants emigrants);
    Registry& add(OwnImmigrants immigrants);
    /// It is read when it is used, so that its parts may be added before or after it.
    Registry& add(BuiltInRecipe recipe);

    /// What the program is called in commands that messages tell people to type; "knossos" unless told.
    Registry& call_program(std::string name);
    [[nodiscard]] const std::string& program() const;

    [[nodiscard]] const std::vector<Domain>& domains() const;
    [[nodiscard]] const std::vector<Entry<Selection>>& selections() const;
    [[nodiscard]] const std::vector<Entry<Recombination>>& recombinations() const;
    [[nodiscard]] const std::vector<Entry<Mutation>>& mutations() const;
    [[nodiscard]] const std::vector<Entry<Improvement>>& improvements() const;
    [[nodiscard]] const std::vector<Entry<Replacement>>& replacements() const;
    [[nodiscard]] const std::vector<Entry<Algorithm>>& algorithms() const;
    // Those that were added to what Islands knows.
    [[nodiscard]] const std::vector<OwnTopology>& topologies() const;
    [[nodiscard]] const std::vector<OwnEmigrants>& emigrants() const;
    [[nodiscard]] const std::vector<OwnImmigrants>& immigrants() const;
    [[nodiscard]] const std::vector<BuiltInRecipe>& recipes() const;

    /// The places of a recipe, with all that can stand there.
    [[nodiscard]] const std::vector<RecipeSection>& sections() const;
    /// The formats of all domains, each once, in the order in which they are listed to people.
    [[nodiscard]] const std::vector<render::Format>& formats() const;

  private:
    struct Content;
    explicit Registry(std::shared_ptr<const Content> content) : content_{std::move(content)} {}
    static std::shared_ptr<const Content> built_in_content();

    template <class Part>
    Registry& add_to(std::vector<Part> Content::* parts, std::string_view what, Part part);
    template <class BuiltIn, class Own>
    Registry& add_own(std::vector<Own> Content::* parts, std::string_view what, Own own);

    std::shared_ptr<const Content> content_;
};

} // namespace knossos
