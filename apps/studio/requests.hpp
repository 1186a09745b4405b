#pragma once

#include "message.hpp"

#include <knossos/recipe/registry.hpp>
#include <knossos/render/formats.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// How requests are taken apart and answers put together, for everybody who answers some.
namespace knossos::studio {

/// An answer other than the one that was asked for.
struct Refusal {
    int status;
    std::string message;
    std::string allow{};
};

Response json_response(const nlohmann::ordered_json& json, int status = 200);

/// Throws a Refusal if the request's method is none of these, which are separated by commas.
void only(const Request& request, std::string_view methods);

/// The body as a JSON object. Throws a Refusal if it is none, or nested too deeply.
nlohmann::ordered_json body_of(const Request& request);

/// A member of an object, if it is there; throws a Refusal if it is of another type.
template <class T>
std::optional<T> member(const nlohmann::ordered_json& json, std::string_view key) {
    const auto found = json.find(key);
    if (found == json.end() || found->is_null()) return std::nullopt;
    const bool fits = std::same_as<T, std::string> ? found->is_string()
                      : std::same_as<T, bool>      ? found->is_boolean()
                                                   : found->is_number();
    if (!fits)
        throw Refusal{422, fmt::format("{} must be a {}", key,
                                       std::same_as<T, std::string> ? "text"
                                       : std::same_as<T, bool>      ? "switch"
                                                                    : "number")};
    return found->get<T>();
}

/// A key that nobody reads is a mistake: what it was to change would stay as it is, without a word.
void know_all_keys(const nlohmann::ordered_json& json, const std::vector<std::string>& known);

std::string query(const Request& request, const std::string& key, std::string otherwise = "");
std::uint64_t number_of(std::string_view text, std::string_view what, std::uint64_t most);

/// The name of the file that the body is. Throws a Refusal if it is none.
std::string file_name_in(const Request& request);

/// A file itself, not a link to one: whoever can reach the studio must not be led elsewhere.
bool is_plain_file(const std::filesystem::path& path);

/// The format, one of the registry's, and what the query says about it: theme, cell, part; every other key is
/// a switch, on if it is 1, for whoever knows it.
struct Wanted {
    const render::Format* format;
    render::FormatOptions options;
    std::uint64_t part;
};
Wanted wanted(const Request& request, const Registry& registry);

/// The wanted part of what something is written as.
Response file_response(std::vector<render::NamedBytes> files, const Wanted& how, const std::string& stem);

} // namespace knossos::studio
