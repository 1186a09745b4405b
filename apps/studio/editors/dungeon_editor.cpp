#include "editors/dungeon_editor.hpp"

#include "requests.hpp"

#include <knossos/domain/artefact.hpp>
#include <knossos/dungeon/view/level.hpp>

namespace knossos::studio {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t longest_walk = 100'000;

dungeon::Level dungeon_of(const Json& json) {
    const auto found = json.find("level");
    if (found == json.end() || !found->is_object())
        throw Refusal{422, "level must be an object with rows, such as {\"rows\": [\"E.X\"]}"};
    auto level =
        dungeon::parse_level_json(found->dump(-1, ' ', false, Json::error_handler_t::replace), "level");
    if (!level) throw Refusal{422, "level must have rows, such as [\"E.X\"]"};
    return std::move(*level);
}

// Somebody's own level may be anything: only the wishes say what it should be.
std::string judged(const dungeon::Level& level, const std::optional<std::string>& wishes) {
    dungeon::Goal goal{.solvable = false, .unlosable = false, .framed = false};
    if (wishes && !wishes->empty()) goal.terms = dungeon::parse_terms(*wishes, "goal");
    return dungeon::level_json(level, goal.terms.empty() ? nullptr : &goal);
}

dungeon::Walk walk_of(const Json& json, const dungeon::Level& level) {
    const auto cells = json.find("cells");
    if (cells == json.end() || !cells->is_array() || cells->empty() || cells->size() > longest_walk)
        throw Refusal{422, fmt::format("cells must be a list of 1 to {} cells [x, y], from the entrance on",
                                       longest_walk)};
    dungeon::Walk walk;
    for (const Json& cell : *cells) {
        const bool is_cell = cell.is_array() && cell.size() == 2 && cell[0].is_number_unsigned() &&
                             cell[1].is_number_unsigned() && cell[0] < level.width && cell[1] < level.height;
        if (!is_cell)
            throw Refusal{422,
                          fmt::format("cells holds {}; each must be [x, y] inside the level", cell.dump())};
        walk.push_back(cell[1].get<std::uint32_t>() * level.width + cell[0].get<std::uint32_t>());
    }
    return walk;
}

Json event_view(const dungeon::Level& level, const dungeon::Event& event) {
    return {{"step", event.step},
            {"cell", {level.x_of(event.cell), level.y_of(event.cell)}},
            {"what", dungeon::name_of(event.tile)}};
}

// Why the exit is out of reach from a step on: what was done there.
std::string why_lost(const dungeon::Level& level, const std::vector<dungeon::Event>& events,
                     const dungeon::Walk& walk, std::size_t step) {
    const auto place = fmt::format("{},{}", level.x_of(walk[step]), level.y_of(walk[step]));
    if (step == 0) return "no walk from the entrance leads to the exit";
    for (const dungeon::Event& event : events)
        if (event.step == step && dungeon::is_door(event.tile))
            return fmt::format("since the {} at {} was opened, the keys that are left don't suffice to "
                               "reach the exit",
                               dungeon::name_of(event.tile), place);
    if (dungeon::is_one_way(level.cells[walk[step]]) || dungeon::is_one_way(level.cells[walk[step - 1]]))
        return fmt::format("since the one-way at {}, there is no way back to what the exit needs", place);
    return fmt::format("since the step to {}, the exit is out of reach", place);
}

Json walked(const dungeon::Level& level, const dungeon::Walk& walk) {
    const auto events = dungeon::events_of(level, walk);
    const auto lost = dungeon::Judge{}.lost_after(level, walk);
    std::uint32_t small_keys = 0;
    auto keys = Json::array();
    auto opened = Json::array();
    auto list = Json::array();
    for (const dungeon::Event& event : events) {
        list.push_back(event_view(level, event));
        if (event.tile == dungeon::Tile::small_key) ++small_keys;
        if (event.tile == dungeon::Tile::small_door) --small_keys;
        if (dungeon::is_coloured_key(event.tile)) keys.push_back(dungeon::name_of(event.tile));
        if (dungeon::is_door(event.tile)) opened.push_back(list.back()["cell"]);
    }
    Json view{{"steps", walk.size() - 1}, {"events", list},
              {"small_keys", small_keys}, {"keys", keys},
              {"opened", opened},         {"won", level.cells[walk.back()] == dungeon::Tile::exit},
              {"winnable", !lost},        {"lost_after", lost ? Json(*lost) : Json(nullptr)}};
    if (lost) view["why"] = why_lost(level, events, walk, *lost);
    return view;
}

} // namespace

std::optional<Response> answer_dungeon_editor(const Request& request) {
    const bool judges = request.path == "/api/dungeons/judge";
    if (!judges && request.path != "/api/dungeons/walk") return std::nullopt;
    only(request, "POST");
    const Json json = body_of(request);
    know_all_keys(json, judges ? std::vector<std::string>{"level", "goal"}
                               : std::vector<std::string>{"level", "cells"});
    const dungeon::Level level = dungeon_of(json);
    if (judges) return Response{.body = judged(level, member<std::string>(json, "goal"))};
    return json_response(walked(level, walk_of(json, level)));
}

} // namespace knossos::studio
