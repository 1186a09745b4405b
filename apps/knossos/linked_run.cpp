#include "linked_run.hpp"

#include <knossos/core/error.hpp>
#include <knossos/core/percent.hpp>
#include <knossos/recipe/breeding.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace knossos::app {

namespace {

constexpr std::string_view link_mark = "#/";
constexpr std::array<std::string_view, 7> keys{"recipe", "toml",    "seed",  "set",
                                               "digest", "choices", "branch"};

bool is_digest(std::string_view text) {
    return text.size() == 16 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool is_course(std::string_view text) {
    return text.find_first_not_of("0123456789 ;") == std::string_view::npos;
}

} // namespace

bool is_link(std::string_view text) { return text.find(link_mark) != std::string_view::npos; }

LinkedRun linked_run(std::string_view link) {
    LinkedRun run;
    std::string_view rest = link.substr(std::min(link.find(link_mark), link.size()));
    const std::string_view page = rest.substr(0, rest.find('?'));
    rest = rest.substr(page.size());
    std::string choices;
    while (rest.size() > 1) {
        rest.remove_prefix(1); // the ? or &
        const std::string_view pair = rest.substr(0, rest.find('&'));
        rest.remove_prefix(pair.size());
        const std::size_t equals = std::min(pair.find('='), pair.size());
        const std::string_view key = pair.substr(0, equals);
        const auto value = percent_decoded(pair.substr(std::min(equals + 1, pair.size())), true);
        if (!value) throw InvalidInput{fmt::format("the link is damaged at '{}'", pair.substr(0, 60))};
        // What it says may be what the result depends on.
        if (std::ranges::find(keys, key) == keys.end())
            throw InvalidInput{fmt::format("the link says '{}', which this version does not know: it is "
                                           "damaged, or from a newer version",
                                           key.substr(0, 60))};
        if (key == "recipe") run.recipe = *value;
        if (key == "toml") run.toml = *value;
        if (key == "choices") choices = *value;
        if (key == "digest") run.digest = *value;
        if (key == "set") run.overrides.push_back(*value);
        if (key == "seed") run.overrides.push_back("seed=" + *value);
    }
    if (run.recipe.empty() == run.toml.empty())
        throw InvalidInput{"the link carries no recipe; it may be cut. Copy it again with 'Copy link'"};
    if (run.digest.empty())
        throw InvalidInput{
            "the link carries no digest, so there is nothing to compare with; links of runs that have "
            "ended do"};
    if (!is_digest(run.digest))
        throw InvalidInput{fmt::format("the link's digest '{}' must be 16 hexadecimal digits; it may be cut",
                                       run.digest.substr(0, 40))};
    if (!is_course(choices))
        throw InvalidInput{
            fmt::format("the link's choices '{}' must be numbers, such as 2 7; 1; it may be damaged",
                        choices.substr(0, 60))};
    if (page == "#/breed") {
        run.overrides = knossos::breeding_overrides(std::move(run.overrides), choices);
        return run;
    }
    // A kind drops the fields of the part before it, so it comes before them.
    std::ranges::stable_partition(
        run.overrides, [](const std::string& one) { return one.find(".kind=") != std::string::npos; });
    return run;
}

} // namespace knossos::app
