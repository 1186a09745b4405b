#pragma once

#include "message.hpp"

#include <knossos/recipe/registry.hpp>

#include <nlohmann/json_fwd.hpp>

#include <optional>

namespace knossos::studio {

/// /api/wishes: wishes as text and as values, so that nobody else need know their grammar. Nothing if the
/// request is for something else.
std::optional<Response> answer_wishes(const Request& request, const Registry& registry);

/// What can be wished for of a domain's artefacts, as the registry of the API says it; null for nothing.
nlohmann::ordered_json wishes_view(const Domain& domain);

} // namespace knossos::studio
