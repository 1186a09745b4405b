#pragma once

#include "message.hpp"
#include "session.hpp"

#include <optional>
#include <string_view>

namespace knossos::studio {

/// Whatever of a run is under "individuals": one of those that a frame shows, or its best, with all that is
/// known of it, as a file, and step by step where it came about so. `rest` is what follows the run's id.
/// Nothing if the request is for something else.
std::optional<Response> answer_individual(const Request& request, const Session& session,
                                          std::string_view rest);

} // namespace knossos::studio
