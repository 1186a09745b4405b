#pragma once

#include "api.hpp"
#include "message.hpp"
#include "studies.hpp"

#include <filesystem>
#include <optional>

namespace knossos::studio {

/// Whatever is under /api/studies: studies are listed, checked, started, followed, paused and deleted; and
/// reports, under /studies. Nothing if the request is for something else. Reports that others left in the
/// workspace are listed with them.
std::optional<Response> answer_studies(const Request& request, Studies& studies,
                                       const std::filesystem::path& workspace);

/// The studies in a studio's workspace, for its Api.
Answerer with_studies(const Studio& studio);

} // namespace knossos::studio
