#pragma once

#include <knossos/core/values.hpp>
#include <knossos/domain/device_kernel.hpp>

namespace knossos::maze {

/// Direct mazes by the length of their way. Throws InvalidInput if these are others.
DeviceKernel device_kernel(const Values& values);

} // namespace knossos::maze
