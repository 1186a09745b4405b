#pragma once

#include "message.hpp"

#include <optional>

namespace knossos::studio {

/// Answers what the page's editors ask for beyond runs; nothing if the request is for none of them.
std::optional<Response> answer_editor(const Request& request);

} // namespace knossos::studio
