#pragma once

#include <knossos/domain/artefact.hpp>
#include <knossos/recipe/registry.hpp>

#include <nanobind/nanobind.h>

#include <memory>
#include <string>

namespace knossos::python {

/// Something that can be shown and written: what a genome stands for, or a file holds. Copies share it.
struct Thing {
    std::shared_ptr<const Artefact> artefact;
    Registry registry = Registry::built_in();
};

/// Its cells as an array [rows, columns] of bytes; none if it has none.
nanobind::object cells_of(const Artefact& artefact);

} // namespace knossos::python
