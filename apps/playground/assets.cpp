// The files of the page that go into other files. JavaScript has loaded them and put them here.
#include "assets.hpp"

#include <knossos/core/files.hpp>

#include <array>
#include <filesystem>
#include <string>

namespace knossos::studio {

std::span<const Asset> assets() {
    const auto loaded = [](const char* path) {
        return std::filesystem::exists(path) ? read_file(path) : std::string{};
    };
    static const std::string script = loaded("/page/shared.js");
    static const std::string style = loaded("/page/shared.css");
    static const std::array all{Asset{"/shared.js", "text/javascript; charset=utf-8", script},
                                Asset{"/shared.css", "text/css; charset=utf-8", style}};
    return all;
}

} // namespace knossos::studio
