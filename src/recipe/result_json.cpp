#include <knossos/recipe/domains.hpp>
#include <knossos/recipe/result_json.hpp>
#include <knossos/version.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace knossos {

namespace {

using Json = nlohmann::ordered_json;

Json record_json(const std::vector<Column>& columns, const std::vector<double>& values) {
    Json record = Json::object();
    for (std::size_t i = 0; i < values.size(); ++i) record[std::string{columns[i].name.text()}] = values[i];
    return record;
}

// What there is beside one number: by how much the best misses what must hold, all its values, and, where
// there are several objectives, the front.
Json records_json(const Result& result) {
    if (result.record.empty()) return Json::object();
    Json roles = Json::object();
    std::size_t objectives = 0;
    for (const Column& column : result.columns) {
        roles[std::string{column.name.text()}] = to_string(column.role);
        objectives += column.role == Role::objective ? 1U : 0U;
    }
    Json json{{"violation", result.violation},
              {"roles", roles},
              {"record", record_json(result.columns, result.record)}};
    if (objectives < 2) return json;
    Json front = Json::array();
    for (const HallEntry& one : result.hall_of_fame)
        front.push_back(
            {{"record", record_json(result.columns, one.record)}, {"genome", one.genome.genes()}});
    json["front"] = front;
    return json;
}

} // namespace

std::string digest_text(std::uint64_t digest) { return fmt::format("{:016x}", digest); }

bool is_reached(const Recipe& recipe, const Result& result) {
    if (result.solved) return true;
    const Problem problem = recipe.problem();
    // A target of the recipe's own counts as much as one that the problem knows.
    if (recipe.stop().has(StopKind::target))
        return recipe.stop().ends_at({result.violation, result.fitness}, false, problem.objective());
    if (problem.target()) return false;
    const ArtefactPtr best = artefact_of(recipe, result.best);
    return !best || best->is_reached();
}

std::string result_json(const Recipe& recipe, const Result& result) {
    const ArtefactPtr best = artefact_of(recipe, result.best);
    const Json before{
        {"reached", is_reached(recipe, result)}, {"best", result.fitness}, {"genome", result.best.genes()}};
    const Json behind{{"stopped_by", result.stopped_by}, {"digest", digest_text(result.digest)}};
    const std::string outcome = joined_objects(
        {before.dump(), records_json(result).dump(), best ? best->json() : std::string{"{}"}, behind.dump()});
    const Json envelope{{"recipe", recipe.name()}, {"seed", recipe.seed()}, {"version", version}};
    const Json costs{{"costs",
                      {{"evaluations", result.evaluations},
                       {"uncounted", result.uncounted},
                       {"failures", result.failures},
                       {"clamped", result.clamped},
                       {"generations", result.generations},
                       {"restarts", result.restarts},
                       {"seconds", result.seconds}}}};
    return joined_objects({envelope.dump(), fmt::format("{{\"result\":{}}}", outcome), costs.dump()}) + "\n";
}

RecordedResult read_result(std::string_view json, std::string_view file) {
    try {
        const Json whole = Json::parse(json);
        return {.evaluations = whole.at("costs").at("evaluations").get<std::uint64_t>(),
                .generations = whole.at("costs").at("generations").get<std::uint64_t>(),
                .best = whole.at("result").at("best").get<double>(),
                .digest = whole.at("result").at("digest").get<std::string>()};
    } catch (const nlohmann::json::exception& error) {
        throw InvalidInput{fmt::format("{}: is not the result of a run: {}", file, error.what())};
    }
}

} // namespace knossos
