// Kernels are text that nobody would read here.
#include "maze/device_kernel.hpp"

#include <knossos/core/error.hpp>

namespace knossos::maze {

DeviceKernel device_kernel(const Values& /*values*/) {
    throw InvalidInput{"this build of Knossos drives no devices"};
}

} // namespace knossos::maze
