#include "editors/level_editor.hpp"

#include "requests.hpp"

#include <knossos/maze/fitness.hpp>
#include <knossos/maze/measures.hpp>
#include <knossos/maze/view/level_files.hpp>
#include <knossos/maze/view/level_reader.hpp>

#include <cmath>
#include <map>

namespace knossos::studio {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint32_t largest_level =
    512; // drawn mazes of cells with walls between them are twice as large

maze::Level level_of(const Json& json) {
    const auto found = json.find("level");
    if (found == json.end() || !found->is_object())
        throw Refusal{422, "level must be an object with cells, such as {\"cells\": [\"..#\", \"...\"]}"};
    maze::Level level = maze::parse_level_as(maze::LevelSource::json, found->dump(), "level");
    if (level.grid.width() > largest_level || level.grid.height() > largest_level)
        throw Refusal{422,
                      fmt::format("the level is {} × {}; the studio takes up to {} × {}", level.grid.width(),
                                  level.grid.height(), largest_level, largest_level)};
    return level;
}

std::optional<maze::Fitness> fitness_of(const Json& json, std::size_t checkpoints) {
    const auto function = member<std::string>(json, "fitness");
    const auto goal = member<std::string>(json, "goal");
    if (!function && !goal) return std::nullopt;
    maze::Fitness fitness;
    if (function) fitness.function = maze::parse_fitness_function(*function);
    if (goal && !goal->empty()) fitness.terms = maze::parse_terms(*goal);
    const double k = member<double>(json, "k").value_or(0.0);
    if (!(k >= 0.0 && k <= 64.0)) throw Refusal{422, "k must be in 0..64"};
    fitness.mandatory = static_cast<std::uint32_t>(k);
    fitness.check(checkpoints);
    return fitness;
}

Json cells_json(const std::vector<maze::Cell>& cells) {
    auto list = Json::array();
    for (const maze::Cell cell : cells) list.push_back(Json::array({cell.x, cell.y}));
    return list;
}

// What is true of a level's cells, its measures, and its score if a fitness is given.
Json survey_view(const maze::Level& level, const std::optional<maze::Fitness>& fitness) {
    const maze::Survey survey = maze::survey(level);
    auto measures = Json::object();
    for (const auto& row : maze::measure_table()) {
        const double value = maze::value_of(survey.measures, row.measure);
        measures[std::string{row.name}] = std::isfinite(value) ? Json(value) : Json(nullptr);
    }
    auto witnesses = Json::array();
    for (std::size_t i = 0; i < survey.checkpoints; ++i)
        for (std::size_t j = i + 1; j < survey.checkpoints; ++j)
            if (survey.prc(i, j) > 0)
                witnesses.push_back({{"pair", {i, j}},
                                     {"distance", survey.prc(i, j)},
                                     {"isolated", survey.iprc(i, j) > 0},
                                     {"cells", cells_json(survey.witnesses(i, j))}});
    // Which checkpoints are members of each cell: the sets that occur, and of each cell the number of its
    // own.
    auto sets = Json::array();
    std::map<std::uint64_t, std::size_t> known;
    auto set_of = Json::array();
    for (std::size_t i = 0; survey.checkpoints > 0 && i < survey.members.size(); ++i) {
        const std::uint64_t members = survey.members[i];
        const auto [found, is_new] = known.emplace(members, sets.size());
        set_of.push_back(found->second);
        if (!is_new) continue;
        auto set = Json::array();
        for (std::size_t k = 0; k < survey.checkpoints; ++k)
            if ((members >> k & 1U) != 0) set.push_back(k);
        sets.push_back(set);
    }
    Json view{{"distance", survey.distance},
              {"pocket", survey.pocket},
              {"path", cells_json(survey.path)},
              {"culs_de_sac", cells_json(survey.culs_de_sac)},
              {"witnesses", witnesses},
              {"members", {{"sets", sets}, {"of", set_of}}},
              {"measures", measures},
              {"caption", maze::level_caption(level, survey.measures)}};
    if (fitness)
        view["score"] = Json::parse(std::string_view{maze::score_json(fitness->score(survey.measures))});
    return view;
}

} // namespace

std::optional<Response> answer_level_editor(const Request& request) {
    if (request.path != "/api/levels/survey") return std::nullopt;
    only(request, "POST");
    const Json json = body_of(request);
    know_all_keys(json, {"level", "fitness", "goal", "k"});
    const maze::Level level = level_of(json);
    return json_response(survey_view(level, fitness_of(json, level.checkpoints.size())));
}

} // namespace knossos::studio
