#include "render/refuse.hpp"
#include "tilemap/json_input.hpp"

#include <knossos/core/text.hpp>
#include <knossos/dungeon/view/level.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace knossos::dungeon {

using render::refuse;

namespace {

using Json = nlohmann::ordered_json;

std::string_view does_there(Tile tile) {
    if (is_key(tile)) return "take";
    if (is_door(tile)) return "open";
    if (tile == Tile::treasure) return "find";
    return tile == Tile::monster ? "meet" : "reach";
}

// The walk as letters and cells, and what happens on it.
Json walk_json(const Level& level, const Walk& walk) {
    auto cells = Json::array();
    for (const std::uint32_t cell : walk) cells.push_back({level.x_of(cell), level.y_of(cell)});
    auto events = Json::array();
    for (const Event& event : events_of(level, walk))
        events.push_back({{"step", event.step},
                          {"x", level.x_of(event.cell)},
                          {"y", level.y_of(event.cell)},
                          {"does", does_there(event.tile)},
                          {"what", name_of(event.tile)}});
    return {
        {"steps", walk.size() - 1}, {"moves", moves_of(level, walk)}, {"cells", cells}, {"events", events}};
}

Json score_json(const Goal& goal, const Judgement& judgement) {
    auto wishes = Json::array();
    for (const TermScore& one : goal.scores(judgement))
        wishes.push_back({{"wish", to_text(one.term)}, {"value", one.value}, {"missed", one.missed}});
    return {{"holds", goal.holds(judgement)}, {"wishes", wishes}};
}

Level level_of(const Json& rows, std::string_view source) {
    if (!rows.is_array() || rows.empty() || rows.size() > largest_side)
        refuse(source,
               fmt::format("rows holds {}; expected 1 to {} rows",
                           rows.is_array() ? counted(rows.size(), "row", "rows") : rows.dump(-1, ' ', true),
                           largest_side));
    std::string text;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!rows[i].is_string() ||
            rows[i].get_ref<const std::string&>().find_first_of("\n:") != std::string::npos)
            refuse(source,
                   fmt::format("row {} is {}; expected a text of cells", i + 1, rows[i].dump(-1, ' ', true)));
        text += rows[i].get_ref<const std::string&>() + '\n';
    }
    return parse_level(text, source);
}

} // namespace

std::string moves_of(const Level& level, const Walk& walk) {
    std::string moves;
    for (std::size_t i = 1; i < walk.size(); ++i) {
        const bool along_row = level.y_of(walk[i]) == level.y_of(walk[i - 1]);
        moves += walk[i] > walk[i - 1] ? (along_row ? 'e' : 's') : (along_row ? 'w' : 'n');
    }
    return moves;
}

std::string level_json(const Level& level, const Goal* goal) {
    Judge judge;
    const Judgement judgement = judged(level, goal != nullptr ? *goal : Goal{});
    auto rows = Json::array();
    const std::string text = to_text(level);
    for (std::size_t start = 0; start < text.size(); start += level.width + 1)
        rows.push_back(text.substr(start, level.width));
    Json object{{"width", level.width},
                {"height", level.height},
                {"rows", rows},
                {"solvable", judgement.solvable},
                {"unlosable", judgement.unlosable}};
    if (const Walk walk = judge.solution(level); !walk.empty())
        object["walkthrough"] = walk_json(level, walk);
    if (const Walk walk = judge.losing_walk(level); !walk.empty())
        object["losing_walk"] = walk_json(level, walk);
    if (const auto remarks = remarks_on(level); !remarks.empty()) object["remarks"] = remarks;
    auto& table = object["measures"];
    for (const auto& row : measure_table()) table[std::string{row.name}] = judgement.measures[row.measure];
    if (goal != nullptr) object["score"] = score_json(*goal, judgement);
    return Json{{"dungeon", object}}.dump();
}

std::optional<Level> parse_level_json(std::string_view text, std::string_view source) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || text[first] != '{') return std::nullopt;
    Json whole;
    try {
        whole = json_input::parse_object(text, source);
    } catch (const InvalidInput&) { // then it is somebody else's, or nobody's
        return std::nullopt;
    }
    const auto result = whole.find("result");
    const auto& outer = result != whole.end() && result->is_object() ? *result : whole;
    const auto dungeon = outer.find("dungeon");
    const bool is_inside = dungeon != outer.end() && dungeon->is_object();
    const auto& holder = is_inside ? *dungeon : outer;
    const auto rows = holder.find("rows");
    if (rows == holder.end()) return std::nullopt;
    return level_of(*rows, source);
}

Level parse_level_file(std::string_view bytes, std::string_view source) {
    if (auto level = parse_level_json(bytes, source)) return std::move(*level);
    if (const std::size_t first = bytes.find_first_not_of(" \t\r\n");
        first != std::string_view::npos && bytes[first] == '{') {
        (void)json_input::parse_object(bytes, source); // says what is wrong, if that is none
        refuse(source, "the JSON holds no dungeon; expected an object with \"dungeon\", and in it \"rows\"");
    }
    return parse_level(bytes, source);
}

} // namespace knossos::dungeon
