#pragma once

#include <knossos/recipe/registry.hpp>

#include <vector>

namespace knossos {

// What is built in, kind by kind; see built_in_domains.cpp and registered_*.cpp.
std::vector<Domain> built_in_domains();
std::vector<Entry<Selection>> built_in_selections();
std::vector<Entry<Recombination>> built_in_recombinations();
std::vector<Entry<Mutation>> built_in_mutations();
std::vector<Entry<Improvement>> built_in_improvements();
std::vector<Entry<Replacement>> built_in_replacements();
std::vector<Entry<Algorithm>> built_in_algorithms();

} // namespace knossos
