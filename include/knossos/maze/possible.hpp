#pragma once

#include <knossos/maze/fitness.hpp>
#include <knossos/maze/representation.hpp>

#include <string>

namespace knossos::maze {

/// Why no maze of this layout, with walls between cells or without, can have what a term asks for; empty if
/// one may, as far as size, places, locks and symmetry tell.
std::string why_impossible(const Term& term, const Blueprint& blueprint, bool walls);

/// Throws InvalidSetting, of the goal, for the first term that is impossible: a search would only find that
/// out when its budget is spent.
void require_possible(const Fitness& fitness, const Blueprint& blueprint, bool walls);

} // namespace knossos::maze
