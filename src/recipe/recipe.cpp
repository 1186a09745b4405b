#include "recipe/chosen.hpp"
#include "recipe/size_fields.hpp"
#include "recipe/start.hpp"
#include "recipe/stop_keys.hpp"

#include <knossos/core/files.hpp>
#include <knossos/core/text.hpp>
#include <knossos/recipe/domains.hpp>
#include <knossos/recipe/program_evaluator.hpp>
#include <knossos/recipe/recipe.hpp>
#include <knossos/run/checkpoint.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace knossos {

namespace {

std::string stop_keys_toml(const StopRule& rule, std::string_view separator);

std::string stop_key_toml(const StopRule& rule) {
    if (rule.kind() == StopKind::solved) return "solved = true";
    for (const auto& [name, kind] : stop_names) {
        if (kind != rule.kind()) continue;
        if (kind == StopKind::any || kind == StopKind::all)
            return fmt::format("{} = {{ {} }}", name, stop_keys_toml(rule, ", "));
        return is_whole(kind) ? fmt::format("{} = {:.0f}", name, rule.value())
                              : fmt::format("{} = {}", name, to_text(Value{rule.value()}));
    }
    return "";
}

std::string stop_keys_toml(const StopRule& rule, std::string_view separator) {
    std::string text;
    for (const StopRule& one : rule.parts())
        text += (text.empty() ? "" : std::string{separator}) + stop_key_toml(one);
    return text;
}

} // namespace

const Recipe::Choice* Recipe::choice(std::string_view path) const {
    const auto found = choices_.find(path);
    return found == choices_.end() ? nullptr : &found->second;
}

namespace {

// What somebody's own policy is chosen for is taken out of the values: the type does not know it.
template <class Own>
Held<Own> take_own(Values& values, std::string_view field, const std::vector<Own>& own) {
    const auto value = values.find(field);
    const auto found = std::ranges::find(own, std::get<std::string>(value->second), &Own::name);
    if (found == own.end()) return {};
    values.erase(value);
    return *found;
}

Islands make_islands(Values values, const Registry& registry) {
    auto topology = take_own(values, "topology", registry.topologies());
    auto emigrants = take_own(values, "emigrants", registry.emigrants());
    auto immigrants = take_own(values, "immigrants", registry.immigrants());
    auto islands = from_values<Islands>(values);
    islands.own_topology = std::move(topology);
    islands.own_emigrants = std::move(emigrants);
    islands.own_immigrants = std::move(immigrants);
    return islands;
}

std::string genome_json(const Space& space, const std::byte* genome) {
    std::string text = "{\"genome\":[";
    visit_genome(space, genome, [&]<class View>(View view) {
        using Number = std::conditional_t<std::same_as<View, RealView>, double, std::uint32_t>;
        for (std::size_t i = 0; i < view.size(); ++i)
            text += fmt::format("{}{}", i == 0 ? "" : ",", static_cast<Number>(view[i]));
    });
    return text + "]}";
}

} // namespace

namespace {

std::string entries_until(const std::string& list, std::uint64_t generation) {
    auto entries = entries_by_generation(list);
    if (entries.size() > generation) entries.resize(generation);
    return toml_text(fmt::format("{}", fmt::join(entries, "; ")));
}

} // namespace

Problem Recipe::problem() const { return problem_ ? *problem_ : make_problem(); }

Problem Recipe::make_problem() const {
    const Domain& domain = domain_of(*this);
    const Choice* const chosen = choice("algorithm"); // none where the recipe names one that there is not
    const Algorithm algorithm = chosen != nullptr ? make(registry_.algorithms(), *chosen) : Generational{};
    Problem problem = algorithm.measured(domain.make(choice("problem")->values));
    const Choice* const evaluator = choice("evaluator");
    if (evaluator == nullptr) {
        if (domain.needs_evaluator)
            throw InvalidInput{fmt::format("{} has no fitness of its own: name a program that evaluates it, "
                                           "evaluator.program = './score.py'",
                                           domain.info.name)};
        return problem;
    }
    return algorithm.measured(evaluated_by_program(
        problem, from_values<ProgramEvaluator>(evaluator->values),
        [decoder = decoder_](const Space& space, const std::byte* genome) {
            const std::string genes = genome_json(space, genome);
            return decoder ? joined_objects({genes, decoder(space, genome)->json()}) : genes;
        }));
}

void Recipe::require_program() const {
    if (const auto* chosen = choice("evaluator"))
        knossos::require_program(from_values<ProgramEvaluator>(chosen->values));
}

Settings Recipe::settings() const {
    Settings settings;
    const Choice& algorithm = choices_.at("algorithm");
    const auto sizes = from_values<SizeFields>(algorithm.values);
    settings.algorithm = make(registry_.algorithms(), algorithm);
    settings.population = sizes.population;
    settings.offspring = sizes.offspring;
    settings.hall_of_fame = sizes.hall_of_fame;
    settings.diversity_pairs = sizes.diversity_pairs;
    if (const auto* chosen = choice("stages.select")) settings.select = make(registry_.selections(), *chosen);
    if (const auto* chosen = choice("stages.recombine"))
        settings.recombine = make(registry_.recombinations(), *chosen);
    if (const auto* chosen = choice("stages.mutate")) settings.mutate = make(registry_.mutations(), *chosen);
    if (const auto* chosen = choice("stages.operations"))
        settings.operations = from_values<OperationMix>(chosen->values);
    if (const auto* chosen = choice("stages.improve"))
        settings.improve = make(registry_.improvements(), *chosen);
    if (const auto* chosen = choice("stages.replace"))
        settings.replace = make(registry_.replacements(), *chosen);
    settings.islands = make_islands(choices_.at("islands").values, registry_);
    settings.restart = from_values<Restart>(choices_.at("restart").values);
    settings.stop = stop_;
    if (const auto* chosen = choice("evaluator"))
        settings.on_failure = from_values<ProgramEvaluator>(chosen->values).on_failure;
    settings.seed = seed_;
    if (start_) settings.start = start_->genomes;
    return settings;
}

Recipe Recipe::with_stop(StopRule stop) const {
    Recipe other = *this;
    other.stop_ = std::move(stop);
    return other;
}

std::map<std::string, std::string> Recipe::identity(std::uint64_t until) const {
    std::map<std::string, std::string> lines{{"seed", fmt::format("{}", seed_)}};
    for (const auto& [path, chosen] : choices_) {
        if (path == StartFields::name) continue; // what was read counts, not where it lay
        if (!chosen.kind.empty()) lines.emplace(path + ".kind", toml_text(chosen.kind));
        const auto section = std::ranges::find(registry_.sections(), path, &RecipeSection::path);
        const PartInfo* const part = section->part(chosen.kind);
        for (const auto& [key, value] : chosen.values) {
            const auto field = std::ranges::find(part->fields, key, &FieldInfo::name);
            if (field->is_later && value == field->default_value) continue;
            lines.emplace(fmt::format("{}.{}", path, key),
                          field->is_by_generation ? entries_until(std::get<std::string>(value), until)
                                                  : toml_value(value));
        }
    }
    // No field can have this name.
    if (fingerprint() != 0) lines.emplace("problem.fingerprint()", fmt::format("{:016x}", fingerprint()));
    if (start_) lines.emplace("start.fingerprint()", fmt::format("{:016x}", start_->fingerprint));
    return lines;
}

std::uint64_t Recipe::hash(std::uint64_t until) const {
    std::string text = "knossos recipe 1\n";
    for (const auto& [key, value] : identity(until)) text += fmt::format("{} = {}\n", key, value);
    return stable_hash(text);
}

std::string Recipe::toml_of_parts() const {
    std::string text;
    if (!name_.empty()) text += fmt::format("name = {}\n", toml_text(name_));
    if (!description_.empty()) text += fmt::format("description = {}\n", toml_text(description_));
    text += fmt::format("seed = {}\n", seed_);
    for (const RecipeSection& section : registry_.sections()) {
        const Choice* chosen = choice(section.path);
        if (chosen == nullptr) continue;
        text += fmt::format("\n[{}]\n", section.path);
        if (section.has_kind()) text += fmt::format("kind = {}\n", toml_text(chosen->kind));
        for (const FieldInfo& field : section.part(chosen->kind)->fields)
            text += fmt::format("{:<32} # {}\n",
                                fmt::format("{} = {}", field.name, toml_value(chosen->values.at(field.name))),
                                field.meaning);
    }
    return text;
}

std::string Recipe::to_toml() const {
    std::string text = toml_of_parts();
    if (stop_.kind() != StopKind::never)
        text += fmt::format("\n[stop]\n{}\n",
                            stop_.parts().empty() ? stop_key_toml(stop_) : stop_keys_toml(stop_, "\n"));
    std::string files;
    for (const auto& file : output_.files) files += (files.empty() ? "" : ", ") + toml_text(file);
    const auto row = [](const std::string& setting, std::string_view meaning) {
        return fmt::format("{:<32} # {}\n", setting, meaning);
    };
    return text + "\n[output]\n" +
           row(fmt::format("files = [{}]", files), "the best, in formats by extension, such as best.svg") +
           row("checkpoint_every = " + to_text(Value{output_.checkpoint_every}),
               "seconds, in a run folder; 0 keeps every generation") +
           row("device = " + toml_text(output_.device), "where it runs: cpu, auto, or the name of a device");
}

RecipeError::RecipeError(std::vector<Diagnostic> diagnostics)
    : InvalidInput{[&] {
          std::string text;
          for (const auto& one : diagnostics)
              text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", one.where, one.message);
          return text;
      }()},
      diagnostics_{std::move(diagnostics)} {}

Recipe Recipe::load(const std::string& name_or_file, const std::vector<std::string>& overrides,
                    const Registry& registry) {
    const bool is_file = name_or_file.find('/') != std::string::npos || name_or_file.ends_with(".toml");
    std::error_code ignored; // what can't be looked at is no folder
    if (is_file && !std::filesystem::is_directory(name_or_file, ignored)) {
        Recipe recipe = parse(read_file(name_or_file, largest_file), name_or_file, overrides, registry);
        const std::filesystem::path file{name_or_file}; // or a pipe, whose name says nothing
        const Choice* const problem = recipe.choice("problem");
        if (recipe.name_.empty())
            recipe.name_ =
                file.extension() == ".toml" || problem == nullptr ? file.stem().string() : problem->kind;
        return recipe;
    }
    std::vector<std::string> names;
    for (const auto& recipe : registry.recipes()) {
        if (recipe.name == name_or_file) return parse(recipe.text, name_or_file, overrides, registry);
        names.emplace_back(recipe.name);
    }
    if (std::filesystem::exists(std::filesystem::path{name_or_file} / "recipe.toml", ignored))
        throw InvalidInput{fmt::format("{0}: is a run folder; '{1} resume {0}' goes on with the run, "
                                       "'{1} run {0}/recipe.toml' begins it anew",
                                       name_or_file, registry.program())};
    if (is_file)
        throw InvalidInput{
            fmt::format("{}: is a folder; a recipe is a .toml file or one of those that '{} recipes' lists",
                        name_or_file, registry.program())};
    const auto meant = nearest(name_or_file, names);
    throw UnknownRecipe{fmt::format("there is no recipe '{}'; {} (a file ends in .toml)", name_or_file,
                                    meant ? "did you mean " + *meant + "?"
                                          : fmt::format("built in are {}", fmt::join(names, ", ")))};
}

} // namespace knossos
