#pragma once

#include <knossos/recipe/recipe.hpp>

#include <vector>

namespace knossos {

/// The part that was chosen for a place, made with its values.
template <class Part>
Part make(const std::vector<Entry<Part>>& entries, const Recipe::Choice& choice) {
    return made_of(entries, choice.kind, choice.values);
}

} // namespace knossos
