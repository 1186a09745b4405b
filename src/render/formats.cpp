#include <knossos/core/error.hpp>
#include <knossos/core/text.hpp>
#include <knossos/render/formats.hpp>
#include <knossos/render/zip.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace knossos::render {

namespace {

std::string lower(std::string_view text) {
    std::string result{text};
    for (char& letter : result)
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    return result;
}

bool goes_by(const Format& format, std::string_view name) {
    return format.name == name || std::ranges::find(format.extensions, name) != format.extensions.end();
}

[[noreturn]] void unknown(std::span<const Format> formats, std::string_view what, std::string_view name) {
    std::vector<std::string> known;
    for (const Format& format : formats)
        known.insert(known.end(), format.extensions.begin(), format.extensions.end());
    const auto meant = nearest(name, known);
    throw InvalidInput{fmt::format("{}; {}known are {}", what,
                                   meant ? fmt::format("did you mean {}? ", *meant) : "",
                                   fmt::join(known, ", "))};
}

} // namespace

std::vector<Format> without_left_out(std::vector<Format> formats) {
    const auto& left_out = left_out_formats();
    std::erase_if(formats, [&](const Format& format) {
        return std::ranges::find(left_out, format.name) != left_out.end();
    });
    return formats;
}

const std::vector<Format>& common_formats() {
    static const std::vector<Format> all{
        {.name = "svg",
         .extensions = {"svg"},
         .meaning = "picture that scales, for web pages and documents",
         .media_type = "image/svg+xml"},
        {.name = "png", .extensions = {"png"}, .meaning = "picture in pixels", .media_type = "image/png"},
        {.name = "ascii", .extensions = {"txt"}, .meaning = "plain characters", .media_type = "text/plain"},
        {.name = "unicode",
         .extensions = {"utf8"},
         .meaning = "characters as in the terminal",
         .media_type = "text/plain; charset=utf-8"},
        {.name = "json",
         .extensions = {"json"},
         .meaning = "object for programs",
         .media_type = "application/json"},
        {.name = "csv", .extensions = {"csv"}, .meaning = "table for spreadsheets", .media_type = "text/csv"},
    };
    return all;
}

const std::vector<Format>& gathered_formats() {
    static const std::vector<Format> all = without_left_out({
        {.name = "pdf",
         .extensions = {"pdf"},
         .meaning = "pages to be printed: the picture, then the way through it",
         .media_type = "application/pdf"},
        {.name = "zip",
         .extensions = {"zip"},
         .meaning = "all the other formats in one file",
         .media_type = "application/zip"},
    });
    return all;
}

const Format& format_named(std::span<const Format> formats, std::string_view name) {
    const std::string wanted = lower(name);
    for (const Format& format : formats)
        if (goes_by(format, wanted)) return format;
    unknown(formats, fmt::format("there is no format '{}'", name), wanted);
}

const Format& format_of(std::span<const Format> formats, std::string_view path) {
    const std::filesystem::path file{path};
    const std::string name = lower(file.filename().string());
    // The longest extension that fits: "intgrid.csv" before "csv".
    const Format* best = nullptr;
    std::size_t longest = 0;
    for (const Format& format : formats)
        for (const std::string_view extension : format.extensions)
            if (extension.size() > longest && name.ends_with(fmt::format(".{}", extension))) {
                best = &format;
                longest = extension.size();
            }
    if (best != nullptr) return *best;
    const std::string extension = lower(file.extension().string());
    if (extension.size() < 2)
        unknown(formats, fmt::format("{} has no extension to tell the format by", path), "");
    unknown(formats, fmt::format("the extension of {} names no format", path),
            std::string_view{extension}.substr(1));
}

std::vector<NamedBytes> files_of_formats(std::span<const Format> formats, std::string_view stem,
                                         const std::function<std::vector<NamedBytes>(const Format&)>& write) {
    std::vector<NamedBytes> all;
    for (const Format& format : formats) {
        if (format.name == "zip") continue;
        for (NamedBytes& file : write(format)) {
            if (file.name.empty()) file.name = fmt::format("{}.{}", stem, format.extensions.front());
            // Maps in several notations share the picture of their tiles.
            if (std::ranges::find(all, file.name, &NamedBytes::name) == all.end())
                all.push_back(std::move(file));
        }
    }
    return all;
}

} // namespace knossos::render
