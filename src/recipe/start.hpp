#pragma once

#include <knossos/recipe/recipe.hpp>
#include <knossos/recipe/start.hpp>

#include <memory>

namespace knossos {

/// Reads the gallery that a recipe begins with. Throws InvalidSetting if it is none, is empty, or is one of
/// another problem.
std::shared_ptr<const Start> read_start(const Recipe& recipe);

} // namespace knossos
