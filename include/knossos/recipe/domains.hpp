#pragma once

#include <knossos/domain/domain.hpp>
#include <knossos/recipe/recipe.hpp>
#include <knossos/run/run.hpp>

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace knossos {

/// Everything that can be evolved by name.
const std::vector<Domain>& domains();

/// The domain of a recipe's problem. Throws InvalidInput if the recipe names none.
const Domain& domain_of(const Recipe& recipe);

/// Turns genomes of the recipe's problem into what they stand for; empty if its domain has nothing to show.
Decoder decoder_of(const Recipe& recipe);

/// What one genome stands for, or null.
ArtefactPtr artefact_of(const Recipe& recipe, const Genome& genome);

/// What a file holds, of whatever domain. Throws InvalidInput if none can read it.
ArtefactPtr read_artefact(std::string_view bytes, const std::filesystem::path& file);

/// The formats of all domains, each once, in the order in which they are listed to people.
std::span<const render::Format> formats();
/// The one with this name or extension, or that a file's name asks for. Throws InvalidInput with the nearest
/// name.
const render::Format& format_named(std::string_view name);
const render::Format& format_of(std::string_view path);

} // namespace knossos
