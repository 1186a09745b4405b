#pragma once

#include "device/kernels.hpp"
#include "device/opencl.hpp"

#include <string_view>

namespace knossos::device {

/// Lets the kernels that tell of islands answer what the host knows: of more individuals than the small
/// populations of a self-test have, so that every lane of `summarise` has several, with values at the ends of
/// what there may be, and words of which all bits differ. The name of a kernel that is wrong; empty if none
/// is. The kernels are `summarise`, `find_better` and, unless it is null, `sample`.
std::string_view wrong_summary(const Queue& queue, const Variation& variation, Kernel& summing,
                               Kernel& finding, Kernel* sampling);

} // namespace knossos::device
