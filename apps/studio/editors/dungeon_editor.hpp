#pragma once

#include "message.hpp"

#include <optional>

namespace knossos::studio {

/// The editor of dungeons: /api/dungeons/judge and /api/dungeons/walk.
std::optional<Response> answer_dungeon_editor(const Request& request);

} // namespace knossos::studio
