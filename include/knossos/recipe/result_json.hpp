#pragma once

#include <knossos/recipe/recipe.hpp>
#include <knossos/run/run.hpp>

#include <optional>
#include <string>

namespace knossos {

/// The outcome of a run as one JSON object with stable keys: recipe, seed, version, result (reached, best,
/// genome, what the genome stands for, who else is to be seen, stopped_by, digest) and costs (evaluations,
/// generations, seconds). See docs/files.md.
std::string result_json(const Recipe& recipe, const Result& result);

/// Whether a run got what its recipe asks for: the problem's target or, if it has none, whatever
/// its domain can tell of the best. A recipe that asks for neither gets what it asks for by ending, if
/// something was found for which all holds that must.
bool is_reached(const Recipe& recipe, const Result& result);

/// What the recipe's selection goes by in place of a fitness, in a generation with these statistics, if it
/// can be told from them: see Selection::scaled().
std::optional<double> scaled_fitness(const Recipe& recipe, const Statistics& statistics, double fitness);

/// What verify() compares.
struct RecordedResult {
    std::uint64_t evaluations = 0;
    std::uint64_t generations = 0;
    double best = 0.0; ///< NaN if it was infinite
    std::string digest;
};

/// Reads those back. Throws InvalidInput if the text is not such an object.
RecordedResult read_result(std::string_view json, std::string_view file);

/// The digest as text.
std::string digest_text(std::uint64_t digest);

} // namespace knossos
