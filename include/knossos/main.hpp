#pragma once

#include <knossos/recipe/registry.hpp>

namespace knossos {

/// The whole command line (run, resume, verify, recipes, study, report, studio, …) over the parts of a
/// registry, for somebody's own program:
///
///     int main(int argc, char** argv) { return knossos::main(argc, argv, registry()); }
///
/// Returns the exit code. Help and messages call the program by the name it was started with. Link
/// knossos::main.
int main(int argc, char** argv, const Registry& registry = Registry::built_in());

/// Likewise, for a program that is started on several ranks by mpirun or srun: run, resume and study.
/// Link knossos::mpi_main, which is there where Knossos was built with an MPI.
int mpi_main(int argc, char** argv, const Registry& registry = Registry::built_in());

} // namespace knossos
