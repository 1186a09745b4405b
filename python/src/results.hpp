#pragma once

#include <knossos/recipe/recipe.hpp>
#include <knossos/run/run.hpp>

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>

namespace knossos::python {

/// What a run came to, and the recipe that it is of, if that names a problem. Copies share the result.
struct Outcome {
    std::shared_ptr<const Result> result;
    std::optional<Recipe> recipe{};
    bool at_target = false; ///< of somebody's own problem: whether it came to the target that was asked for
};

/// What a run of somebody's own problem came to.
Outcome outcome_of(Result result, const Settings& settings, const Schema& schema);

/// A generation's figures, by name.
nanobind::dict dictionary_of(const Statistics& statistics);

void bind_results(nanobind::module_& module);

} // namespace knossos::python
