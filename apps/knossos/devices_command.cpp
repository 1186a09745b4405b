#include "commands.hpp"
#include "terminal.hpp"

#include <knossos/core/error.hpp>
#include <knossos/core/text.hpp>
#include <knossos/device/devices.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace knossos::app {

namespace {

void print_table(const std::vector<device::Device>& all, double seconds) {
    for (const device::Device& one : all) {
        const std::string what =
            fmt::format("{}, {} compute units, {:.1f} GB, {}, {}", one.kind, one.units,
                        static_cast<double>(one.memory) * 1e-9, one.platform, one.version);
        fmt::print("{}\n{}\n", one.name, wrapped(what, "  ", output_width(), true));
        if (!one.unfit.empty()) {
            fmt::print("{}\n", wrapped("can't be used: " + one.unfit, "  ", output_width()));
            continue;
        }
        if (seconds == 0.0) continue;
        std::fflush(stdout); // what follows takes a while
        try {
            const device::Speed speed = device::measure(one, seconds);
            fmt::print("  {:.3g} thousand million random numbers a second, {:.3g} GB/s of its memory\n",
                       speed.random_numbers * 1e-9, speed.bytes * 1e-9);
        } catch (const Error& error) { // DeviceLost, too: the others may be well
            fmt::print("{}\n", wrapped(fmt::format("can't be used: {}", error.what()), "  ", output_width()));
        }
    }
}

nlohmann::json json_of(const device::Device& one, double seconds) {
    nlohmann::json json{{"name", one.name},       {"kind", one.kind},           {"platform", one.platform},
                        {"version", one.version}, {"compute_units", one.units}, {"memory", one.memory}};
    std::string unfit = one.unfit;
    if (unfit.empty() && seconds > 0.0) {
        try {
            const device::Speed speed = device::measure(one, seconds);
            json["random_numbers_a_second"] = speed.random_numbers;
            json["bytes_a_second"] = speed.bytes;
        } catch (const Error& error) {
            unfit = error.what();
        }
    }
    if (!unfit.empty()) json["unfit"] = unfit;
    return json;
}

} // namespace

int list_devices(double seconds, bool json, const Registry& /*registry*/) {
    const std::vector<device::Device> all = device::devices();
    if (!json) {
        print_table(all, seconds);
        return reached;
    }
    nlohmann::json list = nlohmann::json::array();
    for (const device::Device& one : all) list.push_back(json_of(one, seconds));
    fmt::print("{}\n", nlohmann::json{{"devices", list}}.dump());
    return reached;
}

} // namespace knossos::app
