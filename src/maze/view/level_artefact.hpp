#pragma once

#include <knossos/domain/artefact.hpp>
#include <knossos/maze/fitness.hpp>
#include <knossos/maze/grid.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace knossos::maze {

/// What the studio draws.
inline constexpr std::uint32_t largest_watched_side = 256;

/// What a level's genome says beyond what can be walked.
struct LevelOrigin {
    std::vector<std::string> colours{};           ///< of its cells, if they have any, row by row
    std::function<std::vector<Level>()> stages{}; ///< what it was before, if it came about step by step
};

/// A level that a run found, with what it was scored by; or one that somebody drew.
ArtefactPtr level_artefact(Level level, std::optional<Fitness> fitness = std::nullopt,
                           LevelOrigin origin = {});

/// What the page's editor of levels needs: the measures, and how large a level may be.
std::string level_page();

} // namespace knossos::maze
