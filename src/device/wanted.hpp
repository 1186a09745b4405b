#pragma once

#include <knossos/device/generations.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace knossos::device {

/// What else is to be known of a run that goes to devices.
struct Circumstances {
    RunsAtOnce* runs = nullptr; ///< it is one of several
    bool is_divided = false;    ///< other processes have some of its islands, which go one by one
};

/// As the public one.
Settings on_devices(const Recipe& recipe, Settings settings, std::span<const Device> devices,
                    const Circumstances& circumstances);

/// The names of a list, apart by commas. Names of devices may have commas in themselves: those of the devices
/// that there are stay whole.
std::vector<std::string> names_in(std::string_view list, std::span<const Device> there);

} // namespace knossos::device
