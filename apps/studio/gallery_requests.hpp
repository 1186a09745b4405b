#pragma once

#include "message.hpp"
#include "session.hpp"

#include <optional>
#include <string_view>

namespace knossos::studio {

/// Whatever of a run is under "archive": its elites as they come, one of them, other views of them, packs.
/// `rest` is what follows the run's id. Nothing if the request is for something else.
std::optional<Response> answer_archive(const Request& request, const SessionPtr& session,
                                       std::string_view rest);

} // namespace knossos::studio
