#pragma once

#include "studio.hpp"

#include <nlohmann/json_fwd.hpp>

namespace knossos::studio {

/// Everything the page builds its controls from: sections of recipes with their parts and fields, recipes,
/// formats, measures, colours.
std::string registry_text(const Registry& registry);

/// A number, or null where it is none that JSON has: infinity.
nlohmann::ordered_json number(double value);

/// A run in a few values, as the list shows it.
nlohmann::ordered_json summary_view(const Studio& studio, const Session& session, const Session::Seen& seen);

/// A frame with what its genomes stand for, as JSON.
std::string frame_text(const Session& session, const Frame& frame);

/// The values of a recipe, section by section.
nlohmann::ordered_json recipe_view(const Recipe& recipe);

/// A row per kept frame: generation, evaluations, best_ever, best, mean, worst, diversity, seconds.
nlohmann::ordered_json history_view(const Session& session);

/// Good artefacts of the run that differ from each other in at least a fifth of their cells, best first,
/// under the name that their domain has for them.
std::string gallery_text(const Session& session, std::size_t most);

} // namespace knossos::studio
