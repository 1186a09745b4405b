#pragma once

#include "drawings.hpp"
#include "message.hpp"

#include <knossos/recipe/registry.hpp>

#include <nlohmann/json.hpp>

#include <optional>

namespace knossos::studio {

/// /api/drawings, /api/levels/open and /api/levels/export: things that people draw, of whatever domain.
/// Nothing if the request is for something else.
std::optional<Response> answer_drawings(const Request& request, Drawings& drawings, const Registry& registry);

/// The domain of this name. Throws a Refusal if there is none whose things can be read.
const Domain& domain_read(const std::string& name, const Registry& registry);

/// The level that {"domain": …, "level": …} holds. Throws a Refusal if none can read it.
ArtefactPtr artefact_in(const nlohmann::ordered_json& json, const Registry& registry);

} // namespace knossos::studio
