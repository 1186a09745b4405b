#include <knossos/core/error.hpp>
#include <knossos/core/files.hpp>
#include <knossos/tilemap/files.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace knossos::tilemap {

namespace fs = std::filesystem;

FileReader files_beside(const fs::path& map) {
    return [folder = map.has_parent_path() ? map.parent_path() : fs::path{"."}](std::string_view name) {
        constexpr std::size_t most_bytes = std::size_t{64} << 20U;
        constexpr std::array known{".tsx", ".tsj", ".xml", ".json", ".ldtkl"};
        const fs::path path{name};
        // Somebody else's map must not make us read what it likes: nothing but map files, nowhere else.
        if (std::ranges::find(known, path.extension()) == known.end())
            throw InvalidInput{fmt::format("{}: is not a .tsx, .tsj or .ldtkl file", name)};
        std::error_code failed;
        const fs::path root = fs::weakly_canonical(folder, failed);
        const fs::path whole = fs::weakly_canonical(folder / path, failed);
        const auto [end, rest] = std::mismatch(root.begin(), root.end(), whole.begin(), whole.end());
        if (failed || path.is_absolute() || end != root.end())
            throw InvalidInput{
                fmt::format("{}: lies outside of the map's folder, where nothing is read", name)};
        try {
            return read_file(whole, most_bytes);
        } catch (const InvalidInput& error) {
            const std::string_view what = error.what();
            const std::string prefix = whole.string();
            throw InvalidInput{what.starts_with(prefix)
                                   ? fmt::format("{}{}", name, what.substr(prefix.size()))
                                   : std::string{what}};
        }
    };
}

} // namespace knossos::tilemap
