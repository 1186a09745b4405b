#pragma once

#include <nanobind/nanobind.h>

/// What the extension module is made of: one function for each file of bindings.
namespace knossos::python {

void bind_errors(nanobind::module_& module);
void bind_spaces(nanobind::module_& module);
void bind_batches(nanobind::module_& module);
void bind_recipes(nanobind::module_& module);
void bind_runs(nanobind::module_& module);
void bind_operators(nanobind::module_& module);
void bind_studies(nanobind::module_& module);

} // namespace knossos::python
