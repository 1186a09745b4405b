#include <knossos/maze/setup.hpp>
#include <knossos/queens/board.hpp>
#include <knossos/recipe/result_json.hpp>
#include <knossos/version.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace knossos {

namespace {

using Json = nlohmann::ordered_json;

void add_board(const Result& result, Json& object) {
    const auto board = queens::decode(result.best.space, result.best.bytes.data());
    if (const auto columns = queens::to_columns(board); !columns.empty()) {
        object["board"] = columns;
        return;
    }
    auto squares = Json::array();
    for (const auto square : board.queens) squares.push_back({square.row, square.column});
    object["board"] = squares;
}

Json cell_json(maze::Cell cell) { return Json::array({cell.x, cell.y}); }

void add_level(const Recipe& recipe, const Result& result, Json& object) {
    const MazeSetup setup{from_values<MazeFields>(recipe.choice("problem")->values)};
    const maze::Level level = setup.level(result.best.bytes.data());
    const maze::Level drawn = maze::with_walls_as_rock(level);
    auto cells = Json::array();
    const std::string rows = maze::to_text(drawn.grid);
    for (std::size_t start = 0; start < rows.size(); start += drawn.grid.width() + 1)
        cells.push_back(rows.substr(start, drawn.grid.width()));
    object["cells"] = cells;
    object["entrance"] = cell_json(drawn.entrance);
    object["exit"] = cell_json(drawn.exit);
    auto checkpoints = Json::array();
    for (const auto cell : drawn.checkpoints) checkpoints.push_back(cell_json(cell));
    object["checkpoints"] = checkpoints;
    const maze::Measures measures = maze::measure(level);
    auto& table = object["measures"];
    for (const auto& row : maze::measure_table())
        table[std::string{row.name}] = maze::value_of(measures, row.measure);
    const maze::Score score = setup.fitness().score(measures);
    auto terms = Json::array();
    for (const auto& term : score.terms)
        terms.push_back({{"term", maze::to_text(term.term)},
                         {"value", term.value},
                         {"contribution", term.contribution},
                         {"met", term.met}});
    object["score"] = {{"total", score.total}, {"usable", score.usable}, {"terms", terms}};
}

// What the best genome stands for, in the words of its problem.
void add_meaning(const Recipe& recipe, const Result& result, Json& object) {
    const std::string& kind = recipe.choice("problem")->kind;
    if (kind == "queens" || kind == "pbo-queens") add_board(result, object);
    if (kind == "maze") add_level(recipe, result, object);
}

} // namespace

std::string digest_text(std::uint64_t digest) { return fmt::format("{:016x}", digest); }

bool is_reached(const Recipe& recipe, const Result& result) {
    if (result.solved) return true;
    const Problem problem = recipe.problem();
    if (problem.target()) return false;
    if (recipe.choice("problem")->kind != "maze") return true;
    const MazeSetup setup{from_values<MazeFields>(recipe.choice("problem")->values)};
    return setup.fitness().terms.empty() ||
           setup.fitness().score(maze::measure(setup.level(result.best.bytes.data()))).met();
}

std::string result_json(const Recipe& recipe, const Result& result) {
    Json outcome{
        {"reached", is_reached(recipe, result)}, {"best", result.fitness}, {"genome", result.best.genes()}};
    add_meaning(recipe, result, outcome);
    outcome["stopped_by"] = result.stopped_by;
    outcome["digest"] = digest_text(result.digest);
    const Json whole{{"recipe", recipe.name()},
                     {"seed", recipe.seed()},
                     {"version", version},
                     {"result", outcome},
                     {"costs",
                      {{"evaluations", result.evaluations},
                       {"uncounted", result.uncounted},
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
