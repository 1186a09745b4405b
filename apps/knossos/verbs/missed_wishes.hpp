#pragma once

#include "commands.hpp"

#include <string>

namespace knossos::app {

/// Why a run for several wishes missed some: what each comes to alone, and which two are not met together
/// though each is alone, by short runs of the same recipe and seed. Lines for people, or a JSON object; no
/// lines where only one thing was wished for.
std::string explain_missed_wishes(const RunOptions& options, const Registry& registry, const Result& result);

} // namespace knossos::app
