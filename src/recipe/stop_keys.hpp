#pragma once

#include <knossos/run/stop.hpp>

#include <array>
#include <string_view>

namespace knossos {

/// What recipes call the rules of their [stop].
struct StopName {
    std::string_view name;
    StopKind kind;
};

inline constexpr std::array<StopName, 8> stop_names{{{"target", StopKind::target},
                                                     {"evaluations", StopKind::evaluations},
                                                     {"generations", StopKind::generations},
                                                     {"seconds", StopKind::seconds},
                                                     {"stagnation", StopKind::stagnation},
                                                     {"convergence", StopKind::convergence},
                                                     {"any", StopKind::any},
                                                     {"all", StopKind::all}}};

inline constexpr double largest_count = 9007199254740992.0; // up to here doubles tell all whole numbers apart

inline bool is_whole(StopKind kind) {
    return kind == StopKind::evaluations || kind == StopKind::generations || kind == StopKind::stagnation;
}

} // namespace knossos
