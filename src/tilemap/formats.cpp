#include <knossos/tilemap/files.hpp>
#include <knossos/tilemap/formats.hpp>

#include <utility>

namespace knossos::tilemap {

const std::vector<render::Format>& map_formats() {
    static const std::vector<render::Format> all =
        render::without_left_out({{.name = "tmj",
                                   .extensions = {"tmj"},
                                   .meaning = "map for the Tiled editor and game engines, in JSON",
                                   .media_type = "application/json"},
                                  {.name = "tmx",
                                   .extensions = {"tmx"},
                                   .meaning = "map for the Tiled editor and game engines, in XML",
                                   .media_type = "application/xml"},
                                  {.name = "ldtk",
                                   .extensions = {"ldtk"},
                                   .meaning = "project for the LDtk editor",
                                   .media_type = "application/json"}});
    return all;
}

std::vector<render::NamedBytes> tiled_files(TileMap map, std::string_view format, std::string picture,
                                            bool with_tileset_file) {
    const bool is_json = format == "tmj";
    Tileset& set = map.tilesets.front();
    std::vector<render::NamedBytes> beside{{.name = set.image, .bytes = std::move(picture)}};
    if (with_tileset_file) {
        const std::string name = set.image.substr(0, set.image.rfind('.')) + (is_json ? ".tsj" : ".tsx");
        beside.push_back({.name = name, .bytes = is_json ? to_tsj(set) : to_tsx(set)});
        set.source = name;
    }
    beside.insert(beside.begin(), {.name = {}, .bytes = is_json ? to_tmj(map) : to_tmx(map)});
    return beside;
}

} // namespace knossos::tilemap
