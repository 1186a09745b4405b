#pragma once

#include <knossos/recipe/recipe.hpp>

#include <string>

namespace knossos::study {

/// A value as people write it: texts without quotes.
inline std::string plain_text(const Value& value) {
    const auto* text = std::get_if<std::string>(&value);
    return text != nullptr ? *text : to_text(value);
}

/// What a queens problem counts, or nothing for other problems: 'automatic' follows the encoding.
inline std::string counting_of(const Recipe::Choice& problem) {
    const auto text = [&](std::string_view key) {
        const auto found = problem.values.find(key);
        return found == problem.values.end() ? std::string{} : plain_text(found->second);
    };
    std::string counting = text("counting");
    if (counting != "automatic") return counting;
    const std::string encoding = text("encoding");
    return encoding == "packed" ? "collisions" : encoding == "board" ? "captures" : "conflicts";
}

} // namespace knossos::study
