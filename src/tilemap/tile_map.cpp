#include <knossos/tilemap/tile_map.hpp>

#include <algorithm>

namespace knossos::tilemap {

const Value* find_property(const std::vector<Property>& properties, std::string_view name) {
    const auto found = std::ranges::find(properties, name, &Property::name);
    return found == properties.end() ? nullptr : &found->value;
}

std::optional<std::pair<std::uint32_t, std::uint32_t>> cell_of(const Object& object, const Layer& layer) {
    const double column = (object.place.x + object.width / 2) / std::max(1U, layer.tile_width);
    const double row = (object.place.y + object.height / 2) / std::max(1U, layer.tile_height);
    if (!(column >= 0.0 && column < layer.width && row >= 0.0 && row < layer.height)) return std::nullopt;
    return std::pair{static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(row)};
}

const Tileset* tileset_of(const TileMap& map, const Layer& layer, std::uint32_t tile) {
    const Tileset* found = nullptr;
    for (const Tileset& set : map.tilesets)
        if ((set.layer.empty() || set.layer == layer.name) && set.first <= tile &&
            (found == nullptr || set.first > found->first))
            found = &set;
    return tile == 0 ? nullptr : found;
}

} // namespace knossos::tilemap
