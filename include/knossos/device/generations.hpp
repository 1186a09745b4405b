#pragma once

#include <knossos/device/devices.hpp>
#include <knossos/recipe/recipe.hpp>
#include <knossos/run/run.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace knossos::device {

/// The settings of a recipe's run, told to breed and evaluate its generations on a device. The result is the
/// same, to the bit; a checkpoint of either goes on with the other. Throws InvalidInput that names what has
/// no kernel, and what has; or if the device has too little memory, its driver can't build the kernels, or
/// they fail their self-test.
Settings on_device(const Recipe& recipe, Settings settings, const Device& device);

/// The same on several devices, at the same time: each has its share of the islands. Those past the number
/// of islands have nothing to do.
Settings on_devices(const Recipe& recipe, Settings settings, std::span<const Device> devices);

/// Runs that go on at the same time, as those of a study do, and share the memory of their devices.
struct RunsAtOnce {
    struct Memory {
        std::uint64_t shared = 0;   ///< bytes that the runs of each recipe take together, of all recipes
        std::uint64_t of_a_run = 0; ///< the most that a run takes beside that
    };

    std::size_t count = 1; ///< of runs, whichever their recipes are
    /// By the ids of devices: what is needed by the recipes that have been told to run there.
    std::map<const void*, Memory> memory{};
};

/// Where a run is wanted: "cpu" leaves the settings as they are; "auto" takes the first device that is no
/// processor and can do it, with others of its name if there are islands for them, or leaves them; anything
/// else is the name of a device, or those of several, apart by commas. `remark` says what there is to be
/// said of it. One of several processes that share a machine has a rank: it takes one device alone, of those
/// that fit the nth; see device_named(). Where it is one of several `runs` at once, there must be memory for
/// all of them.
Settings on_wanted(const Recipe& recipe, Settings settings, std::string_view wanted, std::string& remark,
                   std::optional<std::size_t> rank = {}, RunsAtOnce* runs = nullptr);

} // namespace knossos::device
