#include "problem.hpp"

#include <knossos/main.hpp>

int main(int argc, char** argv) { return knossos::mpi_main(argc, argv, registry()); }
