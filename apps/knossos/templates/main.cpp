#include "problem.hpp"

#include <knossos/main.hpp>

int main(int argc, char** argv) { return knossos::main(argc, argv, registry()); }
