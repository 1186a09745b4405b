#include "requests.hpp"

#include <knossos/core/text.hpp>
#include <knossos/recipe/domains.hpp>

#include <algorithm>
#include <charconv>

namespace knossos::studio {

using Json = nlohmann::ordered_json;

namespace {

constexpr int most_nested = 16;

} // namespace

Response json_response(const Json& json, int status) {
    return {.status = status, .content_type = "application/json", .body = json.dump()};
}

void only(const Request& request, std::string_view methods) {
    for (std::size_t start = 0; start < methods.size();) {
        const std::size_t end = std::min(methods.find(", ", start), methods.size());
        const std::string_view one = methods.substr(start, end - start);
        if (request.method == one || (request.method == "HEAD" && one == "GET")) return;
        start = end + 2;
    }
    throw Refusal{405, fmt::format("{} takes {}", request.path, methods), std::string{methods}};
}

Json body_of(const Request& request) {
    if (!request.content_type.starts_with("application/json"))
        throw Refusal{415, "the body must be application/json"};
    try {
        Json json = Json::parse(std::string_view{request.body}, [](int depth, Json::parse_event_t, Json&) {
            if (depth > most_nested) throw Refusal{400, "the body is nested too deeply"};
            return true;
        });
        if (!json.is_object()) throw Refusal{400, "the body must be a JSON object"};
        return json;
    } catch (const Json::exception& error) {
        throw Refusal{400, fmt::format("the body is not JSON: {}", error.what())};
    }
}

void know_all_keys(const Json& json, const std::vector<std::string>& known) {
    for (const auto& [key, value] : json.items()) {
        if (std::ranges::find(known, key) != known.end()) continue;
        const auto meant = nearest(key, known);
        throw Refusal{400, fmt::format("'{}' is not a key here; {}", key.substr(0, 80),
                                       meant ? fmt::format("did you mean {}?", *meant)
                                             : fmt::format("known are {}", fmt::join(known, ", ")))};
    }
}

std::string query(const Request& request, const std::string& key, std::string otherwise) {
    const auto found = request.query.find(key);
    if (found == request.query.end()) return otherwise;
    return found->second;
}

std::uint64_t number_of(std::string_view text, std::string_view what, std::uint64_t most) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value > most)
        throw Refusal{422, fmt::format("{} must be a whole number in 0..{}", what, most)};
    return value;
}

std::string file_name_in(const Request& request) {
    std::string name = query(request, "name", "file");
    if (name.empty() || name.size() > 255 || name.find('/') != std::string::npos)
        throw Refusal{422, "name must be that of the file, without folders"};
    return name;
}

bool is_plain_file(const std::filesystem::path& path) {
    return std::filesystem::is_regular_file(std::filesystem::symlink_status(path));
}

Wanted wanted(const Request& request, const Registry& registry) {
    Wanted all{.format = &format_named(query(request, "format", "svg"), registry), .options = {}, .part = 0};
    all.options.theme = render::theme_named(query(request, "theme", "light"));
    all.options.cell = static_cast<std::uint32_t>(number_of(query(request, "cell", "0"), "cell", 100));
    all.options.max_side = 1200;
    all.part = number_of(query(request, "part", "0"), "part", 10);
    for (const auto& [key, value] : request.query) all.options.switches[key] = value == "1";
    return all;
}

Response file_response(std::vector<render::NamedBytes> files, const Wanted& how, const std::string& stem) {
    if (how.part >= files.size())
        throw Refusal{404, fmt::format("{} has no part {}", how.format->name, how.part)};
    render::NamedBytes& file = files[how.part];
    const std::string name =
        file.name.empty() ? fmt::format("{}.{}", stem, how.format->extensions.front()) : file.name;
    return {.status = 200,
            .content_type = file.name.ends_with(".png") ? "image/png" : how.format->media_type,
            .body = std::move(file.bytes),
            .headers = {{"Content-Disposition", fmt::format("inline; filename=\"{}\"", name)}}};
}

} // namespace knossos::studio
