#include <knossos/recipe/program_evaluator.hpp>
#include <knossos/recipe/recipe.hpp>
#include <knossos/recipe/registry.hpp>
#include <knossos/recipe/start.hpp>

#include "recipe/registered.hpp"
#include "recipe/size_fields.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace knossos {

struct Registry::Content {
    std::vector<Domain> domains{};
    std::vector<Entry<Selection>> selections{};
    std::vector<Entry<Recombination>> recombinations{};
    std::vector<Entry<Mutation>> mutations{};
    std::vector<Entry<Improvement>> improvements{};
    std::vector<Entry<Replacement>> replacements{};
    std::vector<Entry<Algorithm>> algorithms{};
    std::vector<OwnTopology> topologies{};
    std::vector<OwnEmigrants> emigrants{};
    std::vector<OwnImmigrants> immigrants{};
    std::vector<BuiltInRecipe> recipes{};
    std::string program = "knossos";
    // Made from the above.
    std::vector<RecipeSection> sections{};
    std::vector<render::Format> formats{};

    void complete();
};

namespace {

// Of parts and of domains alike.
template <class Entries>
std::vector<PartInfo> infos(const Entries& entries) {
    std::vector<PartInfo> found;
    for (const auto& entry : entries) found.push_back(entry.info);
    return found;
}

template <class Fixed>
std::vector<PartInfo> fixed() {
    return {{.name = "", .summary = "", .fields = fields_of<Fixed>()}};
}

// What stands beside the choices that a field of islands knows.
template <class Own>
void add_choices(PartInfo& islands, std::string_view field, const std::vector<Own>& own) {
    const auto found = std::ranges::find(islands.fields, field, &FieldInfo::name);
    for (const Own& one : own) found->choices.push_back(one.name);
}

// The sizes stand before an algorithm's own fields.
std::vector<PartInfo> with_sizes(std::vector<PartInfo> algorithms) {
    for (PartInfo& algorithm : algorithms) {
        const auto sizes = fields_of<SizeFields>();
        algorithm.fields.insert(algorithm.fields.begin(), sizes.begin(), sizes.end());
        if (algorithm.name == Duel::name) algorithm.fields.front().default_value = std::int64_t{2};
    }
    return algorithms;
}

} // namespace

const PartInfo* RecipeSection::part(std::string_view kind) const {
    const auto found = std::ranges::find(parts, kind, &PartInfo::name);
    return found == parts.end() ? nullptr : &*found;
}

std::vector<std::string> RecipeSection::kinds() const {
    std::vector<std::string> names;
    for (const auto& one : parts) names.push_back(one.name);
    return names;
}

void Registry::Content::complete() {
    sections = {
        {"problem", infos(domains), "", true},
        {"algorithm", with_sizes(infos(algorithms)), "generational", false},
        {"stages.select", infos(selections), "tournament", false},
        {"stages.recombine", infos(recombinations), "clone", false},
        {"stages.mutate", infos(mutations), "", true},
        {"stages.operations", fixed<OperationMix>(), "", true, true},
        {"stages.improve", infos(improvements), "", true, true},
        {"stages.replace", infos(replacements), "generational", false},
        {"islands", fixed<Islands>(), "", false},
        {"restart", fixed<Restart>(), "", false},
        {"start", fixed<StartFields>(), "", true, true},
        {"evaluator", fixed<ProgramEvaluator>(), "", true, true},
    };
    PartInfo& islands = std::ranges::find(sections, "islands", &RecipeSection::path)->parts.front();
    add_choices(islands, "topology", topologies);
    add_choices(islands, "emigrants", emigrants);
    add_choices(islands, "immigrants", immigrants);
    formats.clear();
    for (const Domain& domain : domains)
        for (const render::Format& format : domain.formats)
            if (std::ranges::find(formats, format.name, &render::Format::name) == formats.end())
                formats.push_back(format);
}

std::shared_ptr<const Registry::Content> Registry::built_in_content() {
    auto content = std::make_shared<Content>(Content{.domains = built_in_domains(),
                                                     .selections = built_in_selections(),
                                                     .recombinations = built_in_recombinations(),
                                                     .mutations = built_in_mutations(),
                                                     .improvements = built_in_improvements(),
                                                     .replacements = built_in_replacements(),
                                                     .algorithms = built_in_algorithms(),
                                                     .recipes = built_in_recipes()});
    content->complete();
    return content;
}

const Registry& Registry::built_in() {
    static const Registry registry{built_in_content()};
    return registry;
}

template <class Part>
Registry& Registry::add_to(std::vector<Part> Content::* parts, std::string_view what, Part part) {
    const auto& present = (*content_).*parts;
    if (part.info.name.empty()) throw InvalidInput{fmt::format("a {} without a name can't be chosen", what)};
    if (std::ranges::any_of(present, [&](const Part& one) { return one.info.name == part.info.name; }))
        throw InvalidInput{fmt::format("there is a {} '{}' already", what, part.info.name)};
    auto larger = std::make_shared<Content>(*content_);
    ((*larger).*parts).push_back(std::move(part));
    larger->complete();
    content_ = std::move(larger);
    return *this;
}

Registry& Registry::add(Domain domain) {
    if (!domain.make)
        throw InvalidInput{fmt::format("domain '{}' does not say how its problem is made", domain.info.name)};
    for (const auto* fields : {&domain.size_fields, &domain.notation_fields})
        for (const std::string& field : *fields)
            if (std::ranges::find(domain.info.fields, field, &FieldInfo::name) == domain.info.fields.end())
                throw InvalidInput{fmt::format("domain '{}' has no field '{}'", domain.info.name, field)};
    return add_to(&Content::domains, "domain", std::move(domain));
}
Registry& Registry::add(Entry<Selection> selection) {
    return add_to(&Content::selections, "selection", std::move(selection));
}
Registry& Registry::add(Entry<Recombination> recombination) {
    return add_to(&Content::recombinations, "recombination", std::move(recombination));
}
Registry& Registry::add(Entry<Mutation> mutation) {
    return add_to(&Content::mutations, "mutation", std::move(mutation));
}
Registry& Registry::add(Entry<Improvement> improvement) {
    return add_to(&Content::improvements, "improvement", std::move(improvement));
}
Registry& Registry::add(Entry<Replacement> replacement) {
    return add_to(&Content::replacements, "replacement", std::move(replacement));
}
Registry& Registry::add(Entry<Algorithm> algorithm) {
    return add_to(&Content::algorithms, "algorithm", std::move(algorithm));
}

// Beside those that an enumeration names.
template <class BuiltIn, class Own>
Registry& Registry::add_own(std::vector<Own> Content::* parts, std::string_view what, Own own) {
    const auto& present = (*content_).*parts;
    if (own.name.empty()) throw InvalidInput{fmt::format("{} without a name can't be chosen", what)};
    constexpr auto& built_in = EnumNames<BuiltIn>::names;
    if (std::ranges::find(built_in, own.name) != built_in.end() ||
        std::ranges::find(present, own.name, &Own::name) != present.end())
        throw InvalidInput{fmt::format("there is {} '{}' already", what, own.name)};
    auto larger = std::make_shared<Content>(*content_);
    ((*larger).*parts).push_back(std::move(own));
    larger->complete();
    content_ = std::move(larger);
    return *this;
}

Registry& Registry::add(OwnTopology topology) {
    if (!topology.senders || !topology.most_senders)
        throw InvalidInput{fmt::format("topology '{}' does not say who sends to whom", topology.name)};
    return add_own<Topology>(&Content::topologies, "a topology", std::move(topology));
}
Registry& Registry::add(OwnEmigrants emigrants) {
    if (!emigrants.choose)
        throw InvalidInput{fmt::format("emigrants '{}' does not say who is sent", emigrants.name)};
    return add_own<Emigrants>(&Content::emigrants, "a choice of emigrants", std::move(emigrants));
}
Registry& Registry::add(OwnImmigrants immigrants) {
    if (!immigrants.replace)
        throw InvalidInput{
            fmt::format("immigrants '{}' does not say whom the arrivals replace", immigrants.name)};
    return add_own<Immigrants>(&Content::immigrants, "a choice of immigrants", std::move(immigrants));
}

Registry& Registry::add(BuiltInRecipe recipe) {
    if (recipe.name.empty()) throw InvalidInput{"a recipe without a name can't be chosen"};
    if (recipe.name.find('/') != std::string::npos || recipe.name.ends_with(".toml"))
        throw InvalidInput{
            fmt::format("the name of a recipe must not look like a file's, as '{}' does", recipe.name)};
    if (std::ranges::find(recipes(), recipe.name, &BuiltInRecipe::name) != recipes().end())
        throw InvalidInput{fmt::format("there is a recipe '{}' already", recipe.name)};
    auto larger = std::make_shared<Content>(*content_);
    larger->recipes.push_back(std::move(recipe));
    content_ = std::move(larger);
    return *this;
}

Registry& Registry::call_program(std::string name) {
    auto other = std::make_shared<Content>(*content_);
    other->program = std::move(name);
    content_ = std::move(other);
    return *this;
}

const std::string& Registry::program() const { return content_->program; }
const std::vector<Domain>& Registry::domains() const { return content_->domains; }
const std::vector<Entry<Selection>>& Registry::selections() const { return content_->selections; }
const std::vector<Entry<Recombination>>& Registry::recombinations() const { return content_->recombinations; }
const std::vector<Entry<Mutation>>& Registry::mutations() const { return content_->mutations; }
const std::vector<Entry<Improvement>>& Registry::improvements() const { return content_->improvements; }
const std::vector<Entry<Replacement>>& Registry::replacements() const { return content_->replacements; }
const std::vector<Entry<Algorithm>>& Registry::algorithms() const { return content_->algorithms; }
const std::vector<OwnTopology>& Registry::topologies() const { return content_->topologies; }
const std::vector<OwnEmigrants>& Registry::emigrants() const { return content_->emigrants; }
const std::vector<OwnImmigrants>& Registry::immigrants() const { return content_->immigrants; }
const std::vector<BuiltInRecipe>& Registry::recipes() const { return content_->recipes; }
const std::vector<RecipeSection>& Registry::sections() const { return content_->sections; }
const std::vector<render::Format>& Registry::formats() const { return content_->formats; }

} // namespace knossos
