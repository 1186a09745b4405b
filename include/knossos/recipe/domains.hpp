#pragma once

#include <knossos/recipe/recipe.hpp>
#include <knossos/recipe/registry.hpp>
#include <knossos/run/run.hpp>

#include <filesystem>
#include <string_view>

namespace knossos {

/// The domain of a recipe's problem. Throws InvalidInput if the recipe names none.
const Domain& domain_of(const Recipe& recipe);

/// What one genome stands for, or null.
ArtefactPtr artefact_of(const Recipe& recipe, const Genome& genome);

/// What a file holds, of whatever domain. Throws InvalidInput if none can read it.
ArtefactPtr read_artefact(std::string_view bytes, const std::filesystem::path& file,
                          const Registry& registry = Registry::built_in());

/// The format with this name or extension, or that a file's name asks for. Throws InvalidInput with the
/// nearest name.
const render::Format& format_named(std::string_view name, const Registry& registry = Registry::built_in());
const render::Format& format_of(std::string_view path, const Registry& registry = Registry::built_in());

} // namespace knossos
