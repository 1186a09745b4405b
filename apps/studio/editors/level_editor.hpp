#pragma once

#include "message.hpp"

#include <optional>

namespace knossos::studio {

/// The editor of mazes: /api/levels/survey.
std::optional<Response> answer_level_editor(const Request& request);

} // namespace knossos::studio
