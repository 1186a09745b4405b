#include "device/wanted.hpp"

#include <knossos/core/error.hpp>
#include <knossos/core/text.hpp>
#include <knossos/core/values.hpp>
#include <knossos/device/generations.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>
#include <vector>

namespace knossos::device {

namespace {

// Those of a list of names. A name that is there twice stands for two devices.
std::vector<Device> devices_of(const std::vector<std::string>& names) {
    std::vector<Device> chosen;
    for (const std::string& name : names)
        if (name == "cpu" || name == "auto")
            throw InvalidInput{fmt::format("'{}' can't be one of several devices; it stands alone", name)};
    for (const std::string& name : names) {
        const auto is_taken = [&](const Device& one) {
            return std::ranges::any_of(chosen, [&](const Device& other) { return other.id == one.id; });
        };
        const Device first = device_named(name);
        Device next = first;
        for (std::size_t nth = 1; is_taken(next); ++nth) {
            next = device_named(name, nth);
            if (next.id != first.id) continue;
            const auto times = std::ranges::count_if(
                names, [&](const std::string& other) { return device_named(other).id == first.id; });
            throw InvalidInput{fmt::format("device '{}' is wanted {} times, and there {}", first.name, times,
                                           nth == 1 ? "is one" : fmt::format("are {}", nth))};
        }
        chosen.push_back(std::move(next));
    }
    return chosen;
}

std::string names_of(std::span<const Device> devices) {
    std::string text;
    for (const Device& one : devices) text += fmt::format("{}'{}'", text.empty() ? "" : ", ", one.name);
    return fmt::format("{} {}", devices.size() == 1 ? "device" : "devices", text);
}

Settings on_listed(const Recipe& recipe, Settings settings, const std::vector<std::string>& names,
                   std::string& remark, const Circumstances& circumstances) {
    const std::vector<Device> all = devices_of(names);
    const std::span<const Device> used =
        std::span{all}.first(std::min<std::size_t>(all.size(), settings.islands.count));
    if (used.size() < all.size())
        remark = fmt::format("on {}: islands are divided among devices, and there {}", names_of(used),
                             used.size() == 1 ? "is one" : fmt::format("are {}", used.size()));
    return on_devices(recipe, std::move(settings), used, circumstances);
}

Settings on_any(const Recipe& recipe, const Settings& settings, std::string& remark,
                std::optional<std::size_t> rank, const Circumstances& circumstances) {
    std::vector<Device> all;
    std::string why = "there is no device but the processor";
    try {
        all = devices();
    } catch (const InvalidInput& error) {
        why = error.what();
    }
    std::erase_if(all, [](const Device& one) { return one.kind == "cpu" || !one.unfit.empty(); });
    if (!all.empty() && rank)
        std::ranges::rotate(all, all.begin() + static_cast<std::ptrdiff_t>(*rank % all.size()));
    for (const Device& one : all) {
        std::vector<Device> some{one};
        // Those that are alike take as long, so that none of them waits for the others.
        for (const Device& other : all)
            if (!rank && other.name == one.name && other.id != one.id && some.size() < settings.islands.count)
                some.push_back(other);
        try {
            Settings there = on_devices(recipe, settings, some, circumstances);
            remark = "on " + names_of(some);
            return there;
        } catch (const InvalidInput& error) { // another may do
            why = error.what();
        }
    }
    remark = fmt::format("on the processor: {}", why);
    return settings;
}

// As it is compared with others, however its commas are spaced.
std::string plain(std::string_view name) {
    std::string text = fmt::format("{}", fmt::join(entries_of(name), ", "));
    std::ranges::transform(text, text.begin(),
                           [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return text;
}

} // namespace

std::vector<std::string> names_in(std::string_view list, std::span<const Device> there) {
    const std::vector<std::string> parts = entries_of(list);
    std::vector<std::string> names;
    for (std::size_t first = 0; first < parts.size();) {
        std::size_t taken = 1;
        std::string name = parts[first];
        for (const Device& one : there) {
            const std::size_t count = std::min(entries_of(one.name).size(), parts.size() - first);
            if (count <= taken) continue;
            const auto some = std::span{parts}.subspan(first, count);
            if (plain(fmt::format("{}", fmt::join(some, ","))) != plain(one.name)) continue;
            name = one.name;
            taken = count;
        }
        names.push_back(std::move(name));
        first += taken;
    }
    return names;
}

Settings on_wanted(const Recipe& recipe, Settings settings, std::string_view wanted, std::string& remark,
                   std::optional<std::size_t> rank, RunsAtOnce* runs) {
    // Of several runs each has all its islands in one process.
    const Circumstances circumstances{.runs = runs, .is_divided = rank && runs == nullptr};
    if (wanted == "cpu") return settings;
    if (wanted == "auto") return on_any(recipe, settings, remark, rank, circumstances);
    const std::vector<std::string> names = names_in(wanted, devices());
    if (names.size() < 2) {
        const Device one = device_named(names.empty() ? wanted : names.front(), rank.value_or(0));
        return on_devices(recipe, std::move(settings), {&one, 1}, circumstances);
    }
    if (!rank) return on_listed(recipe, std::move(settings), names, remark, circumstances);
    const std::vector<Device> all = devices_of(names);
    return on_devices(recipe, std::move(settings), {&all[*rank % all.size()], 1}, circumstances);
}

} // namespace knossos::device
