#include "views.hpp"

#include "wish_requests.hpp"

#include <knossos/recipe/domains.hpp>
#include <knossos/recipe/result_json.hpp>
#include <knossos/recipe/spread.hpp>
#include <knossos/render/theme.hpp>
#include <knossos/version.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace knossos::studio {

using Json = nlohmann::ordered_json;

namespace {

Json to_json(const Value& value) {
    return std::visit([](const auto& held) { return Json(held); }, value);
}

Json to_json(const FieldInfo& field) {
    constexpr std::array<std::string_view, 5> types{"boolean", "integer", "real", "choice", "text"};
    return {{"name", field.name},
            {"type", types[static_cast<std::size_t>(field.type)]},
            {"default", to_json(field.default_value)},
            {"minimum", number(field.minimum)},
            {"maximum", number(field.maximum)},
            {"choices", field.choices},
            {"meaning", field.meaning}};
}

Json to_json(const PartInfo& part) {
    auto fields = Json::array();
    for (const FieldInfo& field : part.fields) fields.push_back(to_json(field));
    return {{"name", part.name}, {"summary", part.summary}, {"fields", fields}, {"uses", part.uses}};
}

Json statistics_view(const Statistics& statistics) {
    return {{"generation", statistics.generation},
            {"evaluations", statistics.evaluations},
            {"steps", statistics.steps},
            {"intensity", statistics.selection_intensity},
            {"best", number(statistics.best)},
            {"mean", number(statistics.mean)},
            {"worst", number(statistics.worst)},
            {"diversity", number(statistics.diversity)},
            {"best_ever", number(statistics.best_ever)},
            {"violation", number(statistics.violation)},
            {"merit", number(statistics.merit)},
            {"feasible", statistics.feasible},
            {"seconds", statistics.seconds}};
}

// One that can't be used here, because its data are elsewhere, is left out.
std::optional<Recipe> usable(const BuiltInRecipe& recipe, const Registry& registry) {
    try {
        return Recipe::load(recipe.name, {}, registry);
    } catch (const InvalidInput& error) {
        fmt::print(stderr, "{}: the recipe {} is left out: {}\n", registry.program(), recipe.name,
                   error.what());
        return std::nullopt;
    }
}

Json recipes_view(const Registry& registry) {
    auto list = Json::array();
    for (const auto& one : registry.recipes()) {
        const auto recipe = usable(one, registry);
        if (!recipe || recipe->choice("problem") == nullptr) continue;
        list.push_back({{"name", one.name},
                        {"description", recipe->description()},
                        {"problem", recipe->choice("problem")->kind},
                        {"seed", recipe->seed()},
                        {"sections", recipe_view(*recipe)}});
    }
    return list;
}

Json domains_view(const Registry& registry) {
    auto list = Json::array();
    for (const Domain& domain : registry.domains())
        list.push_back({{"name", domain.info.name},
                        {"title", domain.title},
                        {"things", domain.things},
                        {"pictured", domain.writes(format_named("svg", registry))},
                        {"read", domain.read != nullptr},
                        {"wishes", wishes_view(domain)}});
    return list;
}

// Each with the kinds of things that it is for.
Json formats_view(const Registry& registry) {
    auto list = Json::array();
    for (const auto& format : registry.formats()) {
        Json view{
            {"name", format.name}, {"extension", format.extensions.front()}, {"meaning", format.meaning}};
        for (const Domain& domain : registry.domains())
            if (!domain.things.empty())
                view[domain.things] = view.value(domain.things, false) || domain.writes(format);
        list.push_back(view);
    }
    return list;
}

// A recipe's stop rules that can be written as one number each; nested ones are left to files.
Json stop_view(const StopRule& stop) {
    Json view = Json::object();
    if (stop.limit(StopKind::evaluations)) view["evaluations"] = *stop.limit(StopKind::evaluations);
    if (stop.limit(StopKind::generations)) view["generations"] = *stop.limit(StopKind::generations);
    return view;
}

Json objectives_view(const Schema& schema) {
    auto list = Json::array();
    for (const std::size_t column : schema.objectives()) {
        const Column& one = schema.columns()[column];
        list.push_back({{"name", one.name.text()}, {"maximise", one.direction == Objective::maximise}});
    }
    return list;
}

} // namespace

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::string registry_text(const Registry& registry) {
    auto sections = Json::array();
    for (const RecipeSection& section : registry.sections()) {
        auto parts = Json::array();
        for (const PartInfo& part : section.parts) parts.push_back(to_json(part));
        sections.push_back({{"path", section.path},
                            {"optional", section.optional},
                            {"removable", section.removable},
                            {"default", section.default_kind},
                            {"parts", parts}});
    }
    auto scale = Json::array();
    for (int step = 0; step <= 32; ++step) scale.push_back(render::hex(render::cividis(step / 32.0)));
    std::string text = Json{
        {"version", version},
        {"sections", sections},
        {"recipes", recipes_view(registry)},
        {"domains", domains_view(registry)},
        {"formats", formats_view(registry)},
        {"scale", scale}}.dump();
    for (const Domain& domain : registry.domains())
        if (domain.page) text = joined_objects({text, domain.page()});
    return text;
}

Json recipe_view(const Recipe& recipe) {
    Json view = Json::object();
    for (const RecipeSection& section : recipe.registry().sections()) {
        const auto* choice = recipe.choice(section.path);
        if (choice == nullptr) continue;
        Json values = Json::object();
        for (const auto& [name, value] : choice->values) values[name] = to_json(value);
        view[section.path] = {{"kind", choice->kind}, {"values", values}};
    }
    view["stop"] = {{"text", recipe.stop().to_text()}, {"values", stop_view(recipe.stop())}};
    return view;
}

Json summary_view(const Studio& studio, const Session& session, const Session::Seen& seen) {
    const Recipe& recipe = session.recipe();
    const Problem& problem = session.problem();
    Json view{{"id", session.id()},
              {"name", recipe.name()},
              {"problem", recipe.choice("problem")->kind},
              {"seed", recipe.seed()},
              {"created", session.created()},
              {"state", to_string(seen.state)},
              {"solved", seen.solved},
              {"speed", seen.speed},
              {"version", session.version()},
              {"maximise", problem.objective() == Objective::maximise},
              {"fitness", problem.schema().fitness_name()},
              {"objectives", objectives_view(problem.schema())},
              {"unit", recipe.settings().algorithm.unit()},
              {"target", problem.target() ? number(*problem.target()) : Json(nullptr)},
              {"statistics", statistics_view(seen.statistics)},
              {"stopped_by", seen.stopped_by},
              {"digest", seen.digest},
              {"recipe", session.order().recipe},
              {"set", session.order().overrides}};
    if (!seen.message.empty()) view["message"] = seen.message;
    if (session.is_imported())
        view["imported"] = session.imported();
    else
        view["command"] = command_line(session.order(), studio.recipe_file(studio.workspace() / session.id()),
                                       studio.registry().program());
    return view;
}

std::string frame_text(const Session& session, const Frame& frame) {
    Json numbers = statistics_view(frame.statistics);
    numbers["solved"] = frame.solved;
    if (!frame.remark.empty()) numbers["remark"] = frame.remark;
    if (const auto scaled = scaled_fitness(session.recipe(), frame.statistics, frame.statistics.best_ever))
        numbers["scaled"] = number(*scaled);
    const ArtefactPtr best = session.artefact(frame.best);
    if (!frame.front.empty()) numbers["front"] = frame.front;
    std::string population;
    for (const Sampled& one : frame.sample) {
        Json facts{{"fitness", number(one.quality.fitness)}, {"violation", number(one.quality.violation)}};
        if (!one.name.empty()) facts["name"] = one.name;
        if (const auto scaled = scaled_fitness(session.recipe(), frame.statistics, one.quality.fitness))
            facts["scaled"] = number(*scaled);
        population += population.empty() ? "" : ",";
        population +=
            best ? joined_objects({facts.dump(), session.artefact(one.genome)->view(true)}) : facts.dump();
    }
    return joined_objects({numbers.dump(), best ? best->view(false) : std::string{"{}"},
                           fmt::format("{{\"population\":[{}]}}", population)});
}

Json history_view(const Session& session) {
    auto rows = Json::array();
    for (const FramePtr& frame : session.frames()) {
        const Statistics& row = frame->statistics;
        rows.push_back({row.generation, row.evaluations, number(row.best_ever), number(row.best),
                        number(row.mean), number(row.worst), number(row.diversity), row.seconds,
                        number(row.violation), row.feasible, row.steps, row.selection_intensity});
    }
    return {{"columns",
             {"generation", "evaluations", "best_ever", "best", "mean", "worst", "diversity", "seconds",
              "violation", "feasible", "steps", "intensity"}},
            {"rows", rows}};
}

std::string gallery_text(const Session& session, std::size_t most) {
    struct Candidate {
        Quality quality;
        std::uint64_t generation;
        std::vector<std::byte> genome;
    };
    std::vector<Candidate> candidates;
    std::set<std::string> known; // as texts: g++ 12 warns of the order of vectors of bytes
    const auto consider = [&](const Quality& quality, const Frame& frame,
                              const std::vector<std::byte>& genome) {
        const auto* bytes = reinterpret_cast<const char*>(genome.data());
        if (known.emplace(bytes, genome.size()).second)
            candidates.push_back({quality, frame.statistics.generation, genome});
    };
    for (const FramePtr& frame : session.frames()) {
        consider({frame->statistics.violation, frame->statistics.best_ever}, *frame, frame->best);
        for (const Sampled& one : frame->sample) consider(one.quality, *frame, one.genome);
    }
    const Objective objective = session.problem().objective();
    std::ranges::stable_sort(candidates, [&](const Candidate& a, const Candidate& b) {
        return better(objective, a.quality, b.quality);
    });
    constexpr std::size_t most_looked_at = 2000; // decoding takes its time
    if (candidates.size() > most_looked_at) candidates.resize(most_looked_at);
    std::vector<Appearance> taken;
    std::string list;
    for (const Candidate& one : candidates) {
        if (taken.size() == most) break;
        const ArtefactPtr artefact = session.artefact(one.genome);
        if (!artefact) break;
        auto cells = artefact->cells();
        const std::string view = artefact->view(true);
        if (cells.empty() || view == "{}") break; // nothing that could be told apart, or shown
        const Appearance look{.cells = {std::move(cells)}};
        if (std::ranges::any_of(
                taken, [&](const Appearance& other) { return cells_apart(look, other) < different_share; }))
            continue;
        const Json facts{{"fitness", number(one.quality.fitness)},
                         {"violation", number(one.quality.violation)},
                         {"generation", one.generation}};
        list += list.empty() ? "" : ",";
        list += joined_objects({facts.dump(), view});
        taken.push_back(look);
    }
    const std::string& things = domain_of(session.recipe()).things;
    return fmt::format("{{\"{}\":[{}]}}", things.empty() ? "genomes" : things, list);
}

} // namespace knossos::studio
