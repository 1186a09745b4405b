#include "colouring.hpp"

#include <knossos/main.hpp>

int main(int argc, char** argv) { return knossos::main(argc, argv, colouring::registry()); }
