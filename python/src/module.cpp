#include "bindings.hpp"

#include <knossos/version.hpp>

#include <nanobind/stl/string.h>

// NOLINTNEXTLINE: what the macro makes
NB_MODULE(_core, module) {
    using namespace knossos::python;
    module.attr("__version__") = std::string{knossos::version};
    nanobind::set_leak_warnings(false); // what lives when Python ends is nobody's fault
    bind_errors(module);
    bind_spaces(module);
    bind_batches(module);
    bind_recipes(module);
    bind_runs(module);
    bind_operators(module);
    bind_studies(module);
}
