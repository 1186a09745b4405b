#include <knossos/core/error.hpp>
#include <knossos/domain/artefact.hpp>
#include <knossos/maze/view/level_files.hpp>
#include <knossos/maze/view/level_map.hpp>
#include <knossos/render/zip.hpp>
#include <knossos/tilemap/formats.hpp>

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

Files tiled_level(const Level& level, std::string_view format, const LevelOptions& options,
                  std::string_view stem) {
    return tilemap::tiled_files(level_map(level, fmt::format("{}-tiles", stem)), format,
                                tileset_png(options.theme), options.side_tileset);
}

Files tmj_level(const Level& level, const LevelOptions& options, std::string_view stem) {
    return tiled_level(level, "tmj", options, stem);
}

Files tmx_level(const Level& level, const LevelOptions& options, std::string_view stem) {
    return tiled_level(level, "tmx", options, stem);
}

Files ldtk_level(const Level& level, const LevelOptions& /*options*/, std::string_view stem) {
    return one_file(level_ldtk(level, stem));
}

Files pdf_level(const Level& level, const LevelOptions& options, std::string_view /*stem*/) {
    return one_file(render::to_pdf(render::pages_of(level_handout(level, options))));
}

Files zip_level(const Level& level, const LevelOptions& options, std::string_view stem) {
    return one_file(
        render::to_zip(render::files_of_formats(level_formats(), stem, [&](const render::Format& format) {
            return render_level(level, format.name, options, stem);
        })));
}

// A form that needs nothing but the level.
template <std::string (*form)(const Level&)>
Files plain_level(const Level& level, const LevelOptions& /*options*/, std::string_view /*stem*/) {
    return one_file(form(level));
}

Files json_level(const Level& level, const LevelOptions& options, std::string_view /*stem*/) {
    std::string json = level_json(level);
    if (options.colours.empty()) return one_file(std::move(json));
    while (json.ends_with('\n')) json.pop_back();
    std::string rows;
    for (const std::string& row : options.colours)
        rows += fmt::format("{}\"{}\"", rows.empty() ? "" : ",", row);
    return one_file(joined_objects({json, fmt::format("{{\"colours\":[{}]}}", rows)}) + "\n");
}

constexpr std::array<std::pair<std::string_view, Writer>, 12> writers{
    {{"svg", svg_level},
     {"png", png_level},
     {"ascii", plain_level<level_ascii>},
     {"unicode", unicode_level},
     {"json", json_level},
     {"csv", plain_level<level_csv>},
     {"tmj", tmj_level},
     {"tmx", tmx_level},
     {"ldtk", ldtk_level},
     {"intgrid", plain_level<level_intgrid>},
     {"pdf", pdf_level},
     {"zip", zip_level}}};

} // namespace

const std::vector<render::Format>& level_formats() {
    static const std::vector<render::Format> all = [] {
        std::vector<render::Format> formats = render::common_formats();
        for (const render::Format& format : tilemap::map_formats()) formats.push_back(format);
        formats.push_back({.name = "intgrid",
                           .extensions = {"intgrid.csv"},
                           .meaning = "numbers of an IntGrid layer of LDtk, to be pasted",
                           .media_type = "text/csv"});
        for (const render::Format& format : render::gathered_formats()) formats.push_back(format);
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
