#include <knossos/tilemap/objects.hpp>

#include <string>

namespace knossos::tilemap {

namespace {

constexpr std::string_view way_kind = "area";
constexpr std::string_view node_type = "godot_node_type";

} // namespace

Object thing_in_cell(std::string_view kind, CellPlace cell, std::uint32_t side, std::uint32_t tile) {
    return {.name = std::string{kind},
            .kind = std::string{kind},
            .place = {static_cast<double>(cell.first) * side, static_cast<double>(cell.second) * side},
            .width = static_cast<double>(side),
            .height = static_cast<double>(side),
            .tile = tile};
}

std::vector<Object> way_through(std::string_view name, std::span<const CellPlace> cells, std::uint32_t side) {
    Object way{.name = std::string{name},
               .kind = std::string{way_kind},
               .properties = {{std::string{node_type}, "path"},
                              {"steps", static_cast<std::int64_t>(cells.empty() ? 0 : cells.size() - 1)}}};
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const auto [x, y] = cells[i];
        const bool inner = i > 0 && i + 1 < cells.size();
        // Where somebody turns round, neighbours lie on both sides of nothing: that is a corner, too.
        if (inner && cells[i - 1].first + cells[i + 1].first == 2 * x &&
            cells[i - 1].second + cells[i + 1].second == 2 * y)
            continue;
        way.line.push_back({(x + 0.5) * side, (y + 0.5) * side});
    }
    if (way.line.size() < 2) return {};
    way.place = way.line.front();
    return {std::move(way)};
}

void make_entities_of_ways(TileMap& map) {
    for (ObjectLayer& layer : map.object_layers)
        for (Object& object : layer.objects) {
            if (object.line.empty() || object.kind != way_kind) continue;
            object.kind = object.name;
            std::erase_if(object.properties,
                          [](const Property& property) { return property.name == node_type; });
        }
}

} // namespace knossos::tilemap
