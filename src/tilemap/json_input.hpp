#pragma once

#include "render/refuse.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

/// What readers of level files in JSON share.
namespace knossos::json_input {

/// The type that writers use, too: two of them are two libraries to download.
using Json = nlohmann::ordered_json;

/// What is asked at everything that is read. Text of nothing but brackets would take fifty times its size in
/// memory, and finding one of many names takes as long as there are names.
class Guard {
  public:
    explicit Guard(std::string_view source) : source_{source} {}
    bool operator()(int depth, Json::parse_event_t event, const Json& /*value*/) {
        if (depth > deepest) render::refuse(source_, "the JSON is nested too deeply for a level");
        const auto level = static_cast<std::size_t>(depth);
        if (event == Json::parse_event_t::object_start) names_[level + 1] = 0;
        if (event == Json::parse_event_t::key && ++names_[level] > most_names)
            render::refuse(source_, fmt::format("an object of the JSON has more than {} names", most_names));
        return true;
    }

  private:
    static constexpr int deepest = 32;
    static constexpr std::uint32_t most_names = 10'000;
    std::string_view source_;
    std::array<std::uint32_t, deepest + 2> names_{};
};

/// Discarded if the text is no JSON.
inline Json parse_any(std::string_view bytes, std::string_view source) {
    return Json::parse(bytes, Guard{source}, false);
}

/// Throws InvalidInput unless the text is one JSON object that is not nested too deeply.
inline Json parse_object(std::string_view bytes, std::string_view source) {
    try {
        Json json = Json::parse(bytes, Guard{source});
        if (!json.is_object()) render::refuse(source, "expected a JSON object");
        return json;
    } catch (const Json::exception& error) {
        // "[json.exception.parse_error.101] parse error at line 1, column 2: …": the code is of no use here.
        const std::string_view text = error.what();
        const std::size_t end = text.find("] ");
        render::refuse(source, end == std::string_view::npos ? text : text.substr(end + 2));
    }
}

inline const Json& member(const Json& object, const char* key, std::string_view source) {
    const auto found = object.find(key);
    if (found == object.end()) render::refuse(source, fmt::format("there is no \"{}\"", key));
    return *found;
}

/// A value as a message shows it.
inline std::string shown(const Json& value) {
    return value.dump(-1, ' ', true, Json::error_handler_t::replace).substr(0, 40);
}

inline std::uint32_t whole(const Json& value, std::string_view what, std::string_view source) {
    if (!value.is_number_integer() || value < 0 || value > 1'000'000'000)
        render::refuse(source,
                       fmt::format("{} is {}; expected a whole number in 0..1000000000", what, shown(value)));
    return value.get<std::uint32_t>();
}

inline std::uint32_t whole_member(const Json& object, const char* key, std::string_view source) {
    return whole(member(object, key, source), fmt::format("\"{}\"", key), source);
}

/// The array with this name, or an empty one if there is none.
inline const Json& array_or_none(const Json& object, const char* key, std::string_view source) {
    static const Json none = Json::array();
    const auto found = object.find(key);
    if (found == object.end() || found->is_null()) return none;
    if (!found->is_array()) render::refuse(source, fmt::format("\"{}\" is not an array", key));
    return *found;
}

/// The text with this name, or an empty one.
inline std::string text_or_none(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

/// The number with this name, or 0.
inline double number_or_zero(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number() ? found->get<double>() : 0.0;
}

/// As text; names may hold bytes that are not UTF-8.
inline std::string dumped(const Json& json, int indent = -1) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

} // namespace knossos::json_input
