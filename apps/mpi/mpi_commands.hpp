#pragma once

#include "commands.hpp"
#include "world.hpp"

#include <functional>

namespace knossos::app {

/// What is left to do for the first rank alone, once all have done their part: write and print. Returns the
/// exit code.
using Ending = std::function<int()>;

struct IslandOptions : RunOptions {
    bool times = false;        ///< say what the ranks spent on each other
    bool asynchronous = false; ///< don't wait for each other; not reproducible
};

/// As `knossos run` and `knossos resume`, the islands spread over the ranks.
Ending run_islands(World& world, const IslandOptions& options, const Registry& registry);
Ending resume_islands(World& world, const IslandOptions& options, const Registry& registry);
/// As `knossos study`, the runs handed out to the ranks; the first keeps the database.
Ending share_study(World& world, const StudyOptions& options, const Registry& registry);

} // namespace knossos::app
