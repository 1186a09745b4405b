#include "recipe/genes_json.hpp"

#include <knossos/recipe/domains.hpp>
#include <knossos/recipe/result_json.hpp>
#include <knossos/version.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace knossos {

namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson record_json(const std::vector<Column>& columns, const std::vector<double>& values) {
    OrderedJson record = OrderedJson::object();
    for (std::size_t i = 0; i < values.size(); ++i) record[std::string{columns[i].name.text()}] = values[i];
    return record;
}

// What there is beside one number: by how much the best misses what must hold, all its values, and, where
// there are several objectives, the front.
OrderedJson records_json(const Result& result) {
    if (result.record.empty()) return OrderedJson::object();
    OrderedJson roles = OrderedJson::object();
    std::size_t objectives = 0;
    for (const Column& column : result.columns) {
        roles[std::string{column.name.text()}] = to_string(column.role);
        objectives += column.role == Role::objective ? 1U : 0U;
    }
    OrderedJson json{{"violation", result.violation},
                     {"roles", roles},
                     {"record", record_json(result.columns, result.record)}};
    if (result.gallery) {
        json["coverage"] = result.gallery->coverage;
        json["qd_score"] = result.gallery->qd_score;
        json["elites"] = result.gallery->cell.size();
    }
    if (result.gallery || objectives > 1)
        json["merit"] = {{"name", result.merit_name}, {"value", result.merit}};
    if (objectives < 2) return json;
    OrderedJson front = OrderedJson::array();
    for (const HallEntry& one : result.hall_of_fame)
        front.push_back(
            {{"record", record_json(result.columns, one.record)}, {"genome", genes_json(one.genome)}});
    json["front"] = front;
    return json;
}

// Whom the algorithm wants to be seen, as what they stand for, and what it says of them.
std::string contest_json(const Recipe& recipe, const Result& result) {
    if (result.contestants.empty() && result.remark.empty()) return "{}";
    std::string list;
    for (const ShownIndividual& one : result.contestants) {
        const OrderedJson facts{
            {"name", one.name}, {"fitness", one.fitness}, {"genome", genes_json(one.genome)}};
        const ArtefactPtr artefact = artefact_of(recipe, one.genome);
        list += list.empty() ? "" : ",";
        list += joined_objects({facts.dump(), artefact ? artefact->json() : std::string{"{}"}});
    }
    return joined_objects(
        {OrderedJson{{"remark", result.remark}}.dump(), fmt::format("{{\"contestants\":[{}]}}", list)});
}

} // namespace

std::string digest_text(std::uint64_t digest) { return fmt::format("{:016x}", digest); }

bool is_reached(const Recipe& recipe, const Result& result) {
    if (result.solved) return true;
    if (result.violation > 0.0 || !std::isfinite(result.fitness)) return false;
    const Problem problem = recipe.problem();
    // A target of the recipe's own counts as much as one that the problem knows.
    if (recipe.stop().has(StopKind::target))
        return recipe.stop().ends_at({result.violation, result.merit}, false,
                                     problem.schema().merit_objective());
    const ArtefactPtr best = artefact_of(recipe, result.best);
    // Where everything is a condition the objective only says where within them a search aims.
    if (problem.target()) return problem.schema().has_violations() && best && best->is_reached();
    return !best || best->is_reached();
}

std::optional<double> scaled_fitness(const Recipe& recipe, const Statistics& statistics, double fitness) {
    const Settings settings = recipe.settings();
    if (recipe.choice("stages.select") == nullptr || settings.islands.count != 1) return std::nullopt;
    return settings.select.scaled(fitness, statistics.mean * static_cast<double>(settings.population));
}

std::string result_json(const Recipe& recipe, const Result& result) {
    const ArtefactPtr best = artefact_of(recipe, result.best);
    OrderedJson before{{"reached", is_reached(recipe, result)},
                       {"best", result.fitness},
                       {"genome", genes_json(result.best)}};
    // Of the last generation's best: the sum that it is a share of is that generation's, too.
    if (!result.history.empty())
        if (const auto scaled = scaled_fitness(recipe, result.history.back(), result.history.back().best))
            before["scaled"] = *scaled;
    const OrderedJson behind{{"stopped_by", result.stopped_by}, {"digest", digest_text(result.digest)}};
    const std::string outcome =
        joined_objects({before.dump(), records_json(result).dump(), best ? best->json() : std::string{"{}"},
                        contest_json(recipe, result), behind.dump()});
    const OrderedJson envelope{{"recipe", recipe.name()}, {"seed", recipe.seed()}, {"version", version}};
    OrderedJson costs{{"costs",
                       {{"evaluations", result.evaluations},
                        {"uncounted", result.uncounted},
                        {"failures", result.failures},
                        {"clamped", result.clamped},
                        {"generations", result.generations},
                        {"restarts", result.restarts},
                        {"seconds", result.seconds}}}};
    if (!result.unit.empty()) {
        costs["costs"]["steps"] = result.steps;
        costs["costs"]["unit"] = result.unit;
    }
    return joined_objects({envelope.dump(), fmt::format("{{\"result\":{}}}", outcome), costs.dump()}) + "\n";
}

RecordedResult read_result(std::string_view json, std::string_view file) {
    try {
        const OrderedJson whole = OrderedJson::parse(json);
        return {.evaluations = whole.at("costs").at("evaluations").get<std::uint64_t>(),
                .generations = whole.at("costs").at("generations").get<std::uint64_t>(),
                // JSON has no infinite numbers, which a best is if every evaluation failed.
                .best = whole.at("result").at("best").is_null() ? std::numeric_limits<double>::quiet_NaN()
                                                                : whole.at("result").at("best").get<double>(),
                .digest = whole.at("result").at("digest").get<std::string>()};
    } catch (const nlohmann::json::exception& error) {
        throw InvalidInput{fmt::format("{}: is not the result of a run: {}", file, error.what())};
    }
}

} // namespace knossos
