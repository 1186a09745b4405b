#pragma once

#include "message.hpp"

#include <optional>

namespace knossos::studio {

/// The editor of levels: /api/levels/survey and /api/levels/export.
std::optional<Response> answer_level_editor(const Request& request);

} // namespace knossos::studio
