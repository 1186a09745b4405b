#include <knossos/core/error.hpp>
#include <knossos/domain/artefact.hpp>

#include <fmt/format.h>

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
                                                std::string_view /*stem*/) const {
    const auto one = [](std::string bytes) {
        return std::vector<render::NamedBytes>{{.name = {}, .bytes = std::move(bytes)}};
    };
    if (format == "svg") return one(to_svg(picture(options)));
    if (format == "png") return one(to_png(picture(options)));
    if (format == "ascii") return one(text({.unicode = false}));
    if (format == "unicode") return one(text({}));
    if (format == "json") return one(json() + "\n");
    throw InvalidInput{fmt::format("it can't be written as {}", format)};
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
