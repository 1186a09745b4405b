#pragma once

#include <knossos/device/devices.hpp>
#include <knossos/recipe/recipe.hpp>
#include <knossos/run/run.hpp>

#include <string>
#include <string_view>

namespace knossos::device {

/// The settings of a recipe's run, told to breed and evaluate its generations on a device. The result is the
/// same, to the bit; a checkpoint of either goes on with the other. Throws InvalidInput that names what has
/// no kernel, and what has; or if the device has too little memory, its driver can't build the kernels, or
/// they fail their self-test.
Settings on_device(const Recipe& recipe, Settings settings, const Device& device);

/// Where a run is wanted: "cpu" leaves the settings as they are; "auto" takes the first device that is no
/// processor and can do it, or leaves them, and `remark` says which; anything else is the name of a device.
/// Of several devices the nth process of a machine takes the nth; see device_named().
Settings on_wanted(const Recipe& recipe, Settings settings, std::string_view wanted, std::string& remark,
                   std::size_t nth = 0);

} // namespace knossos::device
