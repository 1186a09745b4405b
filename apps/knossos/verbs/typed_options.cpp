#include "verbs/typed_options.hpp"

#include <knossos/core/error.hpp>
#include <knossos/core/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace knossos::app {

namespace {

void replace_all(std::string& text, const std::string& what, const std::string& with) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
}

} // namespace

std::pair<std::uint32_t, std::uint32_t> parse_size(const std::string& text) {
    const char* const end = text.data() + text.size();
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    const auto first = std::from_chars(text.data(), end, width);
    const std::string_view rest{first.ptr, static_cast<std::size_t>(end - first.ptr)};
    for (const std::string_view times : {"x", "X", "×"}) {
        if (first.ec != std::errc{} || !rest.starts_with(times)) continue;
        const auto second = std::from_chars(first.ptr + times.size(), end, height);
        if (second.ec == std::errc{} && second.ptr == end) return {width, height};
    }
    throw InvalidInput{fmt::format("--size is '{}'; it must be WIDTHxHEIGHT, such as 30x20", text)};
}

void TypedRun::set(std::string_view key, const std::string& value, const std::string& option,
                   const std::string& given, const std::string& name) {
    options.overrides.push_back(fmt::format("problem.{}={}", key, value));
    typed.push_back({.override = options.overrides.back(),
                     .words = given.empty() ? option : fmt::format("{} {}", option, given),
                     .key = fmt::format("problem.{}", key),
                     .name = name});
}

void TypedRun::set_text(std::string_view key, const std::string& text, const std::string& option) {
    if (!text.empty()) set(key, toml_text(text), option, text, option);
}

void require_name(std::string_view option, const std::string& name, std::span<const std::string_view> names) {
    if (name.empty() || std::ranges::find(names, name) != names.end()) return;
    const auto meant = nearest(name, std::vector<std::string>{names.begin(), names.end()});
    throw InvalidInput{fmt::format("{} is '{}'; {}it must be one of {}", option, name,
                                   meant ? fmt::format("did you mean {}? ", *meant) : "",
                                   fmt::join(names, ", "))};
}

RecipeError retold(const RecipeError& error, const std::vector<Typed>& typed) {
    std::vector<Diagnostic> diagnostics = error.diagnostics();
    for (Diagnostic& one : diagnostics)
        for (const Typed& option : typed) {
            if (!option.override.empty() && one.where == "--set " + option.override) one.where = option.words;
            replace_all(one.message, option.key + " ", option.name + " ");
        }
    return RecipeError{std::move(diagnostics)};
}

} // namespace knossos::app
