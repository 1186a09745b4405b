#include "schema_check.hpp"

#include "assets.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

namespace knossos::studio {

namespace {

using Json = nlohmann::ordered_json;

const Json& description() {
    static const Json json = [] {
        for (const Asset& one : assets())
            if (one.path == "/openapi.json") return Json::parse(one.bytes);
        return Json::object();
    }();
    return json;
}

bool is_of_type(const Json& value, const std::string& type) {
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "array") return value.is_array();
    if (type == "object") return value.is_object();
    return type == "null" && value.is_null();
}

std::string wrong_with(const Json& value, const Json& schema, const std::string& where);

std::string wrong_type(const Json& value, const Json& schema) {
    const auto type = schema.find("type");
    if (type == schema.end()) return {};
    const Json types = type->is_array() ? *type : Json::array({*type});
    const bool fits = std::ranges::any_of(
        types, [&](const Json& one) { return is_of_type(value, one.get<std::string>()); });
    return fits ? "" : fmt::format("is {}, not {}", value.dump().substr(0, 60), types.dump());
}

std::string wrong_members(const Json& value, const Json& schema, const std::string& where) {
    for (const Json& key : schema.value("required", Json::array()))
        if (!value.contains(key.get<std::string>())) return fmt::format("{}: lacks {}", where, key.dump());
    const Json properties = schema.value("properties", Json::object());
    const auto others = schema.find("additionalProperties");
    for (const auto& [key, held] : value.items()) {
        const std::string inside = fmt::format("{}.{}", where, key);
        std::string wrong;
        if (const auto known = properties.find(key); known != properties.end())
            wrong = wrong_with(held, *known, inside);
        else if (others != schema.end() && *others == false)
            wrong = fmt::format("{}: is not described", inside);
        else if (others != schema.end() && others->is_object())
            wrong = wrong_with(held, *others, inside);
        if (!wrong.empty()) return wrong;
    }
    return {};
}

std::string wrong_elements(const Json& value, const Json& schema, const std::string& where) {
    if (value.size() < schema.value("minItems", std::size_t{0}) ||
        value.size() > schema.value("maxItems", ~std::size_t{0}))
        return fmt::format("{}: has {} elements", where, value.size());
    const Json first = schema.value("prefixItems", Json::array());
    for (std::size_t i = 0; i < std::min(first.size(), value.size()); ++i)
        if (std::string wrong = wrong_with(value[i], first[i], fmt::format("{}[{}]", where, i));
            !wrong.empty())
            return wrong;
    const auto items = schema.find("items");
    if (items == schema.end()) return {};
    for (std::size_t i = 0; i < value.size(); ++i)
        if (std::string wrong = wrong_with(value[i], *items, fmt::format("{}[{}]", where, i)); !wrong.empty())
            return wrong;
    return {};
}

// What of JSON Schema the description uses.
std::string wrong_with(const Json& value, const Json& schema, const std::string& where) {
    if (const auto named = schema.find("$ref"); named != schema.end()) {
        const std::string path = named->get<std::string>().substr(1);
        return wrong_with(value, description().at(Json::json_pointer{path}), where);
    }
    if (const std::string wrong = wrong_type(value, schema); !wrong.empty())
        return fmt::format("{}: {}", where, wrong);
    if (const auto choices = schema.find("enum");
        choices != schema.end() && std::ranges::find(*choices, value) == choices->end())
        return fmt::format("{}: is {}, none of {}", where, value.dump(), choices->dump());
    if (value.is_number() && (value.get<double>() < schema.value("minimum", -1e300) ||
                              value.get<double>() > schema.value("maximum", 1e300)))
        return fmt::format("{}: is {}, out of range", where, value.dump());
    for (const Json& part : schema.value("allOf", Json::array()))
        if (std::string wrong = wrong_with(value, part, where); !wrong.empty()) return wrong;
    if (const auto choices = schema.find("anyOf"); choices != schema.end()) {
        std::vector<std::string> all;
        for (const Json& part : *choices) all.push_back(wrong_with(value, part, where));
        if (std::ranges::none_of(all, &std::string::empty))
            return fmt::format("{}", fmt::join(all, "; and "));
    }
    if (value.is_object()) return wrong_members(value, schema, where);
    if (value.is_array()) return wrong_elements(value, schema, where);
    return {};
}

// The data of the first event of a stream.
std::string wrong_event(const Response& response, const Json& schema) {
    std::uint64_t last = 0;
    bool over = false;
    const auto text = response.events(last, over);
    if (!text) return {};
    const std::size_t start = text->find("data: ");
    if (start == std::string::npos) return "an event has no data";
    return wrong_with(Json::parse(text->substr(start + 6)), schema, "event");
}

// Whether a path is one of a template such as /api/runs/{id}/export.
bool fits(std::string_view path, std::string_view form) {
    const std::size_t open = form.find('{');
    if (open == std::string_view::npos) return path == form;
    if (path.substr(0, open) != form.substr(0, open)) return false;
    path.remove_prefix(open);
    const std::string_view rest = form.substr(form.find('}') + 1);
    for (std::size_t end = 1; end <= path.size() && path[end - 1] != '/'; ++end)
        if (fits(path.substr(end), rest)) return true;
    return false;
}

// The one with the fewest names, as /api/runs/bulk is none of /api/runs/{id}.
const Json* described(std::string_view path) {
    const Json* best = nullptr;
    auto fewest = std::string::npos;
    for (const auto& [form, methods] : description().at("paths").items()) {
        const auto names = static_cast<std::size_t>(std::ranges::count(form, '{'));
        if (names >= fewest || !fits(path, form)) continue;
        best = &methods;
        fewest = names;
    }
    return best;
}

} // namespace

std::string wrong_in(const Request& request, const Response& response) {
    if (!request.path.starts_with("/api/")) return {}; // files, which are what they are
    const Json* methods = described(request.path);
    if (methods == nullptr) return response.status == 404 ? "" : "the path is not described";
    std::string method = request.method;
    std::ranges::transform(method, method.begin(), [](char c) { return static_cast<char>(c | 0x20); });
    if (!methods->contains(method)) return response.status == 405 ? "" : "the method is not described";
    const Json& responses = methods->at(method).at("responses");
    const std::string status = std::to_string(response.status);
    if (!responses.contains(status)) return fmt::format("status {} is not described", status);
    const Json content = responses.at(status).value("content", Json::object());
    if (response.body.empty() && !response.events) return content.empty() ? "" : "the body is missing";
    const std::string type = response.content_type.substr(0, response.content_type.find(';'));
    const auto found = content.contains(type) ? content.find(type) : content.find("*/*");
    if (found == content.end()) return fmt::format("{} is not described", type);
    if (response.events && found->contains("x-data")) return wrong_event(response, found->at("x-data"));
    if (type != "application/json" || !found->contains("schema")) return {};
    return wrong_with(Json::parse(response.body), found->at("schema"), "body");
}

} // namespace knossos::studio
