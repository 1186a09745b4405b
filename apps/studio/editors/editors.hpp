#pragma once

#include "message.hpp"

#include <knossos/recipe/registry.hpp>

#include <optional>

namespace knossos::studio {

/// Answers what the page's editors ask for beyond runs; nothing if the request is for none of them.
std::optional<Response> answer_editor(const Request& request, const Registry& registry);

} // namespace knossos::studio
