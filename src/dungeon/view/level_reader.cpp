#include "render/refuse.hpp"

#include <knossos/dungeon/view/level.hpp>
#include <knossos/dungeon/view/level_map.hpp>
#include <knossos/levels/drawing.hpp>
#include <knossos/tilemap/files.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace knossos::dungeon {

namespace {

// The largest level with its walks takes less.
constexpr std::size_t most_bytes = std::size_t{64} << 20U;
constexpr std::uint64_t most_pixels = 64'000'000;

// Words that only dungeons have; rock, floor, entrance, exit and checkpoints are anybody's.
bool is_own(std::optional<std::size_t> meaning) {
    return meaning && *meaning > static_cast<std::size_t>(Tile::checkpoint);
}

bool has_own_things(const tilemap::TileMap& map) {
    const tilemap::Vocabulary& vocabulary = level_vocabulary();
    const auto is_own_object = [&](const tilemap::Object& object) {
        return is_own(tilemap::meaning_of(object, vocabulary));
    };
    for (const tilemap::ObjectLayer& group : map.object_layers)
        if (std::ranges::any_of(group.objects, is_own_object)) return true;
    for (const tilemap::Tileset& set : map.tilesets)
        for (const tilemap::Tile& tile : set.tiles)
            if (is_own(vocabulary.find(tile.kind))) return true;
    return false;
}

Level parse_png(std::string_view bytes, std::string_view source) {
    std::string note;
    try {
        note = render::decode_png(bytes, most_pixels).note;
    } catch (const InvalidInput& error) {
        render::refuse(source, error.what());
    }
    if (note.empty())
        render::refuse(source, "the picture holds no level; only pictures that Knossos wrote do");
    if (auto level = parse_level_json(note, source)) return std::move(*level);
    render::refuse(source, "the level that the picture holds is no dungeon");
}

} // namespace

Claim claim_of_file(std::string_view bytes, const std::filesystem::path& path) {
    const auto format = tilemap::map_format(bytes, path);
    if (!format) return Claim::perhaps;
    try {
        const auto map = tilemap::read_map(*format, bytes, path.string(), tilemap::files_beside(path));
        if (tilemap::has_layer(map, level_vocabulary())) return Claim::certain;
        return has_own_things(map) ? Claim::likely : Claim::no;
    } catch (const InvalidInput&) { // whoever reads such maps too will say why
        return Claim::no;
    }
}

Level read_level_file(std::string_view bytes, const std::filesystem::path& path,
                      const tilemap::MapChoice& choice, std::vector<std::string>* left_out) {
    const std::string source = path.string();
    if (bytes.size() > most_bytes)
        render::refuse(source,
                       fmt::format("is larger than {} bytes, the most that a level may have", most_bytes));
    if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3); // some editors mark UTF-8 so
    levels::refuse_other_files(bytes, source);
    const auto format = tilemap::map_format(bytes, path);
    tilemap::check_choice(choice, format.has_value(), format == tilemap::MapFormat::ldtk, source);
    if (format)
        return level_of(tilemap::read_map(*format, bytes, source, tilemap::files_beside(path), choice.level),
                        choice, source, left_out);
    if (bytes.starts_with("\x89PNG")) return parse_png(bytes, source);
    return parse_level_file(bytes, source);
}

} // namespace knossos::dungeon
