#pragma once

#include <knossos/recipe/recipe.hpp>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace knossos::studio {

/// What the page asks for: a built-in recipe and what is changed in it, as on the command line.
struct Order {
    std::string recipe;                 ///< name of a built-in recipe
    std::string toml;                   ///< or a whole recipe
    std::vector<std::string> overrides; ///< "key=value", the seed among them
    bool paused = false;
    double speed = 0.0; ///< generations per second; 0 as fast as it goes
};

/// Throws InvalidInput if another program evaluates, or a file is to be begun with: whoever can reach the
/// studio must not be able to start or open what they like.
void refuse_outside(const Recipe& recipe);

/// Throws InvalidInput if the studio does not run it: it has no end, names files or programs, or takes more
/// memory than a run may have.
void require_runnable(const Recipe& recipe, std::size_t most_bytes);

/// The order as a recipe of the registry. Throws InvalidInput, also for what would take more memory than a
/// run may have.
Recipe recipe_of(const Order& order, std::size_t most_bytes, const Registry& registry);

/// The command that repeats the order without the studio, quoted for a shell; `file` has the recipe, should
/// it be none of those that are built in.
std::string command_line(const Order& order, const std::filesystem::path& file, const std::string& program);

} // namespace knossos::studio
