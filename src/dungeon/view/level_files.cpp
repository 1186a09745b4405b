#include <knossos/dungeon/view/level.hpp>
#include <knossos/dungeon/view/level_files.hpp>
#include <knossos/dungeon/view/level_map.hpp>
#include <knossos/tilemap/files.hpp>
#include <knossos/tilemap/formats.hpp>

#include <fmt/format.h>

namespace knossos::dungeon {

const std::vector<render::Format>& level_formats() {
    static const std::vector<render::Format> all = [] {
        std::vector<render::Format> formats = render::common_formats();
        std::erase_if(formats, [](const render::Format& format) { return format.name == "csv"; });
        for (const render::Format& format : tilemap::map_formats()) formats.push_back(format);
        for (const render::Format& format : render::gathered_formats()) formats.push_back(format);
        return formats;
    }();
    return all;
}

std::vector<render::NamedBytes> level_files(const Level& level, std::string_view format,
                                            const render::FormatOptions& options, std::string_view stem) {
    const std::string tiles = fmt::format("{}-tiles", stem);
    const bool has_source = options.is_on("side_tileset", false);
    // The rows alone, which can be read again.
    if (format == "ascii") return {{.name = {}, .bytes = to_text(level)}};
    if (format == "png")
        return {{.name = {}, .bytes = to_png(level_picture(level, options), level_json(level))}};
    if (format == "ldtk") return {{.name = {}, .bytes = tilemap::to_ldtk(level_grid_map(level), stem)}};
    if (format == "tmj" || format == "tmx")
        return tilemap::tiled_files(level_map(level, tiles), format, level_tiles_png(options.theme),
                                    has_source);
    return {};
}

} // namespace knossos::dungeon
