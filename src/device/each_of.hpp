#pragma once

#include <knossos/algorithms/island.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace knossos::device {

/// Calls work(i), or work(i, worker), for each below count, on as many threads as there are.
template <class Work>
void each_below(const Context& context, std::size_t count, Work work) {
    const auto one = [&](std::size_t i, std::size_t worker) {
        if constexpr (requires { work(i, worker); })
            work(i, worker);
        else
            work(i);
    };
    if (context.pool != nullptr && count > 1)
        context.pool->for_each(count, one);
    else
        for (std::size_t i = 0; i < count; ++i) one(i, 0);
}

/// The same for each island.
template <class Work>
void each_of(const Context& context, std::span<Island> islands, Work work) {
    each_below(context, islands.size(), work);
}

/// How many threads that may be.
inline std::size_t workers_of(const Context& context) {
    return context.pool != nullptr ? context.pool->size() : 1;
}

/// A number as kernels take it.
inline std::uint32_t narrow(std::uint64_t number) { return static_cast<std::uint32_t>(number); }

} // namespace knossos::device
