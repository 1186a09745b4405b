#include <knossos/core/error.hpp>
#include <knossos/maze/view/level_files.hpp>

#include <fmt/format.h>

#include <array>
#include <utility>

namespace knossos::maze {

namespace {

using Files = std::vector<render::NamedBytes>;
using Writer = Files (*)(const Level& level, const LevelOptions& options, std::string_view stem);

Files one_file(std::string bytes) { return {{.name = {}, .bytes = std::move(bytes)}}; }

Files svg_level(const Level& level, const LevelOptions& options, std::string_view /*stem*/) {
    return one_file(to_svg(level_picture(level, options)));
}

Files png_level(const Level& level, const LevelOptions& options, std::string_view /*stem*/) {
    return one_file(to_png(level_picture(level, options), level_json(level, true)));
}

Files unicode_level(const Level& level, const LevelOptions& options, std::string_view /*stem*/) {
    return one_file(level_text(level, {}, options));
}

// The tileset's picture is always a file of its own: no game engine reads one from inside a map.
Files tiled_level(std::string map, const LevelOptions& options, const std::string& tiles,
                  std::string_view extension, std::string (*tileset)(std::string_view)) {
    Files files = one_file(std::move(map));
    files.push_back({.name = tiles + ".png", .bytes = tileset_png(options.theme)});
    if (options.side_tileset)
        files.push_back({.name = fmt::format("{}.{}", tiles, extension), .bytes = tileset(tiles)});
    return files;
}

Files tmj_level(const Level& level, const LevelOptions& options, std::string_view stem) {
    const std::string tiles = fmt::format("{}-tiles", stem);
    return tiled_level(level_tmj(level, tiles, options), options, tiles, "tsj", tileset_json);
}

Files tmx_level(const Level& level, const LevelOptions& options, std::string_view stem) {
    const std::string tiles = fmt::format("{}-tiles", stem);
    return tiled_level(level_tmx(level, tiles, options), options, tiles, "tsx", tileset_xml);
}

Files ldtk_level(const Level& level, const LevelOptions& /*options*/, std::string_view stem) {
    return one_file(level_ldtk(level, stem));
}

// A form that needs nothing but the level.
template <std::string (*form)(const Level&)>
Files plain_level(const Level& level, const LevelOptions& /*options*/, std::string_view /*stem*/) {
    return one_file(form(level));
}

std::string full_json(const Level& level) { return level_json(level); }

constexpr std::array<std::pair<std::string_view, Writer>, 10> writers{
    {{"svg", svg_level},
     {"png", png_level},
     {"ascii", plain_level<level_ascii>},
     {"unicode", unicode_level},
     {"json", plain_level<full_json>},
     {"csv", plain_level<level_csv>},
     {"tmj", tmj_level},
     {"tmx", tmx_level},
     {"ldtk", ldtk_level},
     {"intgrid", plain_level<level_intgrid>}}};

} // namespace

const std::vector<render::Format>& level_formats() {
    static const std::vector<render::Format> all = [] {
        std::vector<render::Format> formats = render::common_formats();
        formats.push_back({.name = "tmj",
                           .extensions = {"tmj"},
                           .meaning = "map for the Tiled editor and game engines, in JSON",
                           .media_type = "application/json"});
        formats.push_back({.name = "tmx",
                           .extensions = {"tmx"},
                           .meaning = "map for the Tiled editor and game engines, in XML",
                           .media_type = "application/xml"});
        formats.push_back({.name = "ldtk",
                           .extensions = {"ldtk"},
                           .meaning = "project for the LDtk editor",
                           .media_type = "application/json"});
        formats.push_back({.name = "intgrid",
                           .extensions = {"intgrid.csv"},
                           .meaning = "numbers of an IntGrid layer of LDtk, to be pasted",
                           .media_type = "text/csv"});
        return formats;
    }();
    return all;
}

std::vector<render::NamedBytes> render_level(const Level& level, std::string_view format,
                                             const LevelOptions& options, std::string_view stem) {
    for (const auto& [name, writer] : writers) {
        if (name != format) continue;
        check(level);
        return writer(options.keep_pockets ? level : with_pockets_sealed(level), options, stem);
    }
    throw InvalidInput{fmt::format("{} is not a format for mazes", format)};
}

void write_level(const std::filesystem::path& path, const Level& level, const LevelOptions& options) {
    render::write_files(path, render_level(level, render::format_of(level_formats(), path.string()).name,
                                           options, path.stem().string()));
}

} // namespace knossos::maze
