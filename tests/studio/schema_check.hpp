#pragma once

#include "message.hpp"

#include <string>

namespace knossos::studio {

/// What is wrong with an answer by /openapi.json: nothing, or where and what. A path, method, status or media
/// type that the description has not is wrong, too.
std::string wrong_in(const Request& request, const Response& response);

} // namespace knossos::studio
