#pragma once

#include "verbs/level_drawing.hpp"

#include <knossos/recipe/recipe.hpp>
#include <knossos/run/run.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace knossos::app {

/// What one seed came to.
struct Candidate {
    Recipe recipe;
    Result result;
};

/// What a verb has to say where several levels are made.
struct SeveralLevels {
    std::string_view things; ///< "mazes"
    /// What one seed aims at, as overrides of its run.
    std::function<std::vector<std::string>(const RunOptions&)> aims;
    std::string head{}; ///< above the rows that are told
    /// Of a level that is taken, for people.
    std::function<std::string(std::uint64_t number, const Candidate&)> row;
};

/// Throws InvalidInput if --count, --different, --apart and -d don't go together.
void check_count(const LevelOptions& options, std::string_view things);

/// Levels from one seed after the other, a few at a time, until there are as many as --count says: those that
/// meet their goal and, with --different, differ from all before them. Returns the exit code.
int several_levels(const LevelOptions& options, const RunOptions& base, const Registry& registry,
                   const SeveralLevels& verb);

} // namespace knossos::app
