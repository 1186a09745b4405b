#include <knossos/queens/board.hpp>
#include <knossos/run/result_json.hpp>
#include <knossos/version.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace knossos {

namespace {

using Json = nlohmann::ordered_json;

// What the best genome stands for, in the words of its problem.
void add_meaning(const Recipe& recipe, const Result& result, Json& object) {
    if (recipe.choice("problem")->kind != "queens") return;
    const auto board = queens::decode(result.best.space, result.best.bytes.data());
    if (const auto columns = queens::to_columns(board); !columns.empty()) {
        object["board"] = columns;
        return;
    }
    auto squares = Json::array();
    for (const auto square : board.queens) squares.push_back({square.row, square.column});
    object["board"] = squares;
}

} // namespace

std::string digest_text(std::uint64_t digest) { return fmt::format("{:016x}", digest); }

std::string result_json(const Recipe& recipe, const Result& result) {
    Json outcome{{"reached", result.solved}, {"best", result.fitness}, {"genome", result.best.genes()}};
    add_meaning(recipe, result, outcome);
    outcome["stopped_by"] = result.stopped_by;
    outcome["digest"] = digest_text(result.digest);
    const Json whole{{"recipe", recipe.name()},
                     {"seed", recipe.seed()},
                     {"version", version},
                     {"result", outcome},
                     {"costs",
                      {{"evaluations", result.evaluations},
                       {"generations", result.generations},
                       {"restarts", result.restarts},
                       {"seconds", result.seconds}}}};
    return whole.dump() + "\n";
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
