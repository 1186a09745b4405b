#pragma once

#include <knossos/core/genome.hpp>
#include <knossos/core/moves.hpp>
#include <knossos/core/population.hpp>
#include <knossos/core/record.hpp>

#include <optional>
#include <span>

namespace knossos {

/// OneMax: as many ones as possible. Solved at all ones; the yardstick for what the engine itself costs.
struct OneMax {
    std::size_t length = 100;

    static constexpr auto record = knossos::record(maximise("ones").in_whole_numbers());
    [[nodiscard]] Space space() const { return Space::bits(length); }
    [[nodiscard]] std::optional<double> target() const { return static_cast<double>(length); }
    static double evaluate(BitView genome) { return static_cast<double>(genome.count()); }

    /// A flip changes the count by one, whatever the rest looks like.
    struct Tracker {
        std::optional<BitView> genome;

        double start(BitView its) {
            genome = its;
            return evaluate(its);
        }
        [[nodiscard]] double delta(Flip move) const { return (*genome)[move.position] ? -1.0 : 1.0; }
    };
    [[nodiscard]] static Tracker tracker() { return {}; }
};

} // namespace knossos
