#pragma once

#include "device/several.hpp"
#include "device/walk_engine.hpp"

#include <span>
#include <tuple>
#include <utility>

namespace knossos::device {

/// Duels whose rounds are fought on devices. One of several that has to be fought by itself, because the
/// budget is not enough for all or another process has the others, is nothing for a device.
struct DuelOnDevice : Duel {
    Engines<WalkEngine> engines;
    bool is_only = true; ///< one duel is all there is

    static constexpr auto fields() { return std::tuple{}; }

    DuelOnDevice(const Duel& plain, Engines<WalkEngine> its, bool only)
        : Duel{plain}, engines{std::move(its)}, is_only{only} {}

    void step(const Context& context, Island& island) const {
        if (!is_only || island.left() < rounds) return Duel::step(context, island);
        engines.of(island).duel(*this, context, {&island, 1});
    }
    void step_together(const Context& context, std::span<Island> islands) const {
        engines.each(context, islands, [&](WalkEngine& engine, const Context& own, std::span<Island> some) {
            engine.duel(*this, own, some);
        });
    }
};

/// Annealing whose walkers are on devices for a generation.
struct AnnealingOnDevice : Annealing {
    Engines<WalkEngine> engines;

    static constexpr auto fields() { return std::tuple{}; }

    AnnealingOnDevice(const Annealing& plain, Engines<WalkEngine> its)
        : Annealing{plain}, engines{std::move(its)} {}

    void step(const Context& context, Island& island) const {
        if (island.left() < most_evaluations(island)) return Annealing::step(context, island);
        engines.of(island).anneal(*this, context, {&island, 1});
    }
    void step_together(const Context& context, std::span<Island> islands) const {
        engines.each(context, islands, [&](WalkEngine& engine, const Context& own, std::span<Island> some) {
            engine.anneal(*this, own, some);
        });
    }
};

} // namespace knossos::device
