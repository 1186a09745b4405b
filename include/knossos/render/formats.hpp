#pragma once

#include <knossos/render/terminal.hpp>
#include <knossos/render/theme.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace knossos::render {

/// A way to store something. The first extension is the usual one.
struct Format {
    std::string name;
    std::vector<std::string> extensions;
    std::string meaning; ///< one line for people
    std::string media_type;
};

/// What whoever wants a drawing or a file may ask for. Each kind of thing takes what concerns it.
struct FormatOptions {
    Theme theme = light;
    std::uint32_t cell = 0;        ///< pixels a cell or square; 0 means one that suits
    std::uint32_t max_side = 1600; ///< pixels a side, when the cell size is chosen for you
    /// What is to be shown or left out, by names that the kind of thing knows.
    std::map<std::string, bool, std::less<>> switches{};

    [[nodiscard]] bool is_on(std::string_view name, bool otherwise) const {
        const auto found = switches.find(name);
        return found == switches.end() ? otherwise : found->second;
    }
};

/// A file that belongs to a result. The name is empty for the file that was asked for, else that of a file
/// beside it.
struct NamedBytes {
    std::string name{};
    std::string bytes{};
};

/// The formats that are not about one kind of thing: svg, png, ascii, unicode, json and csv.
const std::vector<Format>& common_formats();

/// What this build can't write, for want of a library: formats by name. Nothing in most builds.
const std::vector<std::string>& left_out_formats();
std::vector<Format> without_left_out(std::vector<Format> formats);

/// Formats that follow from others, for those who offer them: pdf and zip.
const std::vector<Format>& gathered_formats();

/// The format with this name or extension. Throws InvalidInput with the nearest name.
const Format& format_named(std::span<const Format> formats, std::string_view name);

/// The format that the extension of a file's name asks for. Throws InvalidInput with the nearest extension.
const Format& format_of(std::span<const Format> formats, std::string_view path);

/// Writes what was asked for to a path and the others beside it, each complete or not at all, that of the
/// path last: whoever sees it finds the others. Links stay links, and what is not a regular file (a pipe, a
/// terminal) is written to directly. Throws InputOutputError that names the path and the cause.
void write_files(const std::filesystem::path& path, std::span<const NamedBytes> files);

} // namespace knossos::render
