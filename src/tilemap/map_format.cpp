#include <knossos/core/error.hpp>
#include <knossos/tilemap/files.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace knossos::tilemap {

namespace {

std::string extension_of(const std::filesystem::path& path) {
    std::string extension = path.extension().string();
    for (char& letter : extension)
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    return extension;
}

} // namespace

std::optional<MapFormat> map_format(std::string_view bytes, const std::filesystem::path& path) {
    constexpr std::array extensions{std::pair{".tmx", MapFormat::tmx}, std::pair{".tmj", MapFormat::tmj},
                                    std::pair{".ldtk", MapFormat::ldtk}};
    const std::string extension = extension_of(path);
    const auto holds = [&](std::string_view key) { return bytes.find(key) != std::string_view::npos; };
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    // A '<' alone is not enough: as text, levels may begin with a one-way to the left.
    const std::string_view start = bytes.substr(std::min(first, bytes.size()));
    if (start.starts_with("<?xml") || start.starts_with("<map") || start.starts_with("<!"))
        return MapFormat::tmx;
    if (first != std::string_view::npos && bytes[first] == '{') {
        // Whatever its name: only maps have these members.
        if (extension == ".ldtk" || holds("\"jsonVersion\"")) return MapFormat::ldtk;
        if (extension == ".tmj" || holds("\"tilesets\"")) return MapFormat::tmj;
        return std::nullopt;
    }
    for (const auto& [name, format] : extensions)
        if (extension == name) return format;
    return std::nullopt;
}

TileMap read_map(MapFormat format, std::string_view bytes, std::string_view source, const FileReader& files,
                 std::string_view level) {
    switch (format) {
    case MapFormat::tmx:
        return read_tmx(bytes, source, files);
    case MapFormat::tmj:
        return read_tmj(bytes, source, files);
    case MapFormat::ldtk:
        return read_ldtk(bytes, source, files, level);
    }
    throw InvalidInput{fmt::format("{}: not a format of maps", source)};
}

} // namespace knossos::tilemap
