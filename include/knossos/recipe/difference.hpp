#pragma once

#include <knossos/recipe/recipe.hpp>
#include <knossos/run/status.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace knossos {

/// Where two things part: the name of a value, and what it is in the first and in the second. "(none)" stands
/// for a value that only the other has.
struct Difference {
    std::string name;
    std::string first;
    std::string second;
    std::optional<std::uint64_t> generation{}; ///< of two traces
};

/// The first value, in the order of identity(), in which two recipes differ; then their stop rules.
std::optional<Difference> first_difference(const Recipe& first, const Recipe& second);

/// The first generation in which two traces differ, seconds aside. Of traces that were thinned in different
/// ways, the generations that both have are compared.
std::optional<Difference> first_difference(const std::vector<Statistics>& first,
                                           const std::vector<Statistics>& second);

} // namespace knossos
