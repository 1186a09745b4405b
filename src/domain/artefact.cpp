#include <knossos/core/error.hpp>
#include <knossos/domain/artefact.hpp>
#include <knossos/render/zip.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knossos {

namespace {

// As JSON writes it.
std::string json_text(std::string_view text) {
    std::string result = "\"";
    for (const char character : text) {
        if (character == '"' || character == '\\') result += '\\';
        if (static_cast<unsigned char>(character) < 0x20)
            result += fmt::format("\\u{:04x}", static_cast<unsigned>(character));
        else
            result += character;
    }
    return result + '"';
}

} // namespace

std::vector<render::NamedBytes> Artefact::files(std::string_view format, const render::FormatOptions& options,
                                                std::string_view stem) const {
    const auto one = [](std::string bytes) {
        return std::vector<render::NamedBytes>{{.name = {}, .bytes = std::move(bytes)}};
    };
    if (format == "svg") return one(to_svg(picture(options)));
    if (format == "png") return one(to_png(picture(options)));
    if (format == "ascii") return one(text({.unicode = false}));
    if (format == "unicode") return one(text({}));
    if (format == "json") return one(json() + "\n");
    if (format == "pdf") {
        render::Handout pages = handout(options);
        // What somebody called it says more than what kind of thing it is.
        const auto is_drawn = [](char letter) { return letter > ' ' && letter <= '~'; };
        if (!pages.title.empty() && !stem.empty() && std::ranges::all_of(stem, is_drawn)) pages.title = stem;
        return one(render::to_pdf(render::pages_of(pages)));
    }
    if (format == "zip") return one(render::to_zip(all_files(*this, options, stem)));
    throw InvalidInput{fmt::format("it can't be written as {}", format)};
}

std::span<const render::Format> Artefact::formats() const {
    static const std::vector<render::Format> all = [] {
        std::vector<render::Format> known = render::common_formats();
        std::erase_if(known, [](const render::Format& format) { return format.name == "csv"; });
        return known;
    }();
    return all;
}

render::Handout Artefact::handout(const render::FormatOptions& options) const {
    return {.title = {}, .caption = caption(), .picture = picture(options), .theme = options.theme};
}

std::vector<render::NamedBytes> all_files(const Artefact& artefact, const render::FormatOptions& options,
                                          std::string_view stem) {
    return render::files_of_formats(artefact.formats(), stem, [&](const render::Format& format) {
        return artefact.files(format.name, options, stem);
    });
}

std::string Artefact::view(bool brief) const {
    if (brief) return "{}";
    std::string figures;
    for (const Measured& one : measures())
        figures += fmt::format(
            "{}{{\"name\":{},\"value\":{},\"meaning\":{}}}", figures.empty() ? "" : ",", json_text(one.name),
            std::isfinite(one.value) ? fmt::format("{}", one.value) : "null", json_text(one.meaning));
    return fmt::format("{{\"caption\":{},\"measures\":[{}]}}", json_text(caption()), figures);
}

std::string joined_objects(std::initializer_list<std::string_view> objects) {
    std::string joined = "{";
    for (const std::string_view object : objects) {
        const std::string_view members = object.substr(1, object.size() - 2);
        if (joined.size() > 1 && !members.empty()) joined += ',';
        joined += members;
    }
    return joined + "}";
}

void write_artefact(const std::filesystem::path& path, const Artefact& artefact, const render::Format& format,
                    const render::FormatOptions& options) {
    render::write_files(path, artefact.files(format.name, options, path.stem().string()));
}

} // namespace knossos
