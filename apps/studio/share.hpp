#pragma once

#include "message.hpp"
#include "studio.hpp"

#include <optional>
#include <string_view>

namespace knossos::studio {

/// One page that needs neither server nor network: the data, the pictures, and a script that shows them
/// again. `rest` is what follows the run's id: "share" is the run, "archive/share" its gallery. Nothing if
/// the request is for something else.
std::optional<Response> answer_share(const Request& request, const Studio& studio, const Session& session,
                                     std::string_view rest);

/// The same of a level that somebody drew: {"domain": …, "level": …, "name": …}.
Response share_level(const Request& request, const Registry& registry);

} // namespace knossos::studio
