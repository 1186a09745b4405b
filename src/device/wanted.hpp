#pragma once

#include <knossos/device/devices.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace knossos::device {

/// The names of a list, apart by commas. Names of devices may have commas in themselves: those of the devices
/// that there are stay whole.
std::vector<std::string> names_in(std::string_view list, std::span<const Device> there);

} // namespace knossos::device
