#pragma once

#include <knossos/domain/artefact.hpp>
#include <knossos/maze/fitness.hpp>
#include <knossos/maze/grid.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace knossos::maze {

/// What the studio draws.
inline constexpr std::uint32_t largest_watched_side = 256;

/// A level that a run found, with what it was scored by and the colours of its cells if they have any, row by
/// row; or one that somebody drew.
ArtefactPtr level_artefact(Level level, std::optional<Fitness> fitness = std::nullopt,
                           std::vector<std::string> colours = {});

/// What the page's editor of levels needs: the measures, and how large a level may be.
std::string level_page();

} // namespace knossos::maze
