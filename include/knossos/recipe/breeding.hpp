#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace knossos {

/// Overrides that make a recipe one that somebody chooses in: defaults, then what was asked for, then whom
/// they chose until now ("2 7; 1", or nobody yet).
inline std::vector<std::string> breeding_overrides(std::vector<std::string> asked,
                                                   const std::string& choices) {
    constexpr std::array<std::string_view, 3> defaults{"algorithm.kind=chosen", "algorithm.population=9",
                                                       "islands.count=1"};
    std::vector<std::string> all;
    for (const std::string_view one : defaults) {
        const std::string_view key = one.substr(0, one.find('=') + 1);
        const bool is_asked =
            std::ranges::any_of(asked, [&](const std::string& other) { return other.starts_with(key); });
        if (!is_asked) all.emplace_back(one);
    }
    // A kind drops the fields of the part before it, so it comes before them, whoever says it.
    all.insert(all.end(), asked.begin(), asked.end());
    std::ranges::stable_partition(
        all, [](const std::string& one) { return one.find(".kind=") != std::string::npos; });
    if (!choices.empty()) all.push_back("algorithm.choices=\"" + choices + "\"");
    return all;
}

} // namespace knossos
