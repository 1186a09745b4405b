#pragma once

#include "message.hpp"

#include <knossos/recipe/registry.hpp>

#include <optional>

namespace knossos::studio {

/// The editor of levels: /api/levels/survey and /api/levels/export.
std::optional<Response> answer_level_editor(const Request& request, const Registry& registry);

} // namespace knossos::studio
