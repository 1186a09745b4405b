#pragma once

#include <knossos/core/bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace knossos {

/// What there is to know of the fitness values of a population, all of them whole numbers, without looking at
/// each. Squares are small enough to be added up.
struct FitnessSums {
    std::uint64_t count = 0;
    std::int64_t lowest = 0;
    std::int64_t highest = 0;
    std::int64_t sum = 0;
    std::int64_t squares = 0;
};

/// The State of an algorithm whose individuals are on a device between generations. Where there are `sums`,
/// even the fitness values in the island's population are not those of its individuals until they are
/// fetched. Snapshots hold nothing of it, as they are made of islands that have been fetched.
struct KeptElsewhere {
    std::shared_ptr<void> home{}; ///< the algorithm's own; null if the island has its individuals itself
    std::shared_ptr<void>
        room{};            ///< where that is, or was: as long as anybody has it, it need not be made anew
    std::size_t place = 0; ///< among the islands that are kept together
    std::optional<FitnessSums> sums{};
    /// In how many genes the pairs that diversity samples differ, all together, if that is known already.
    std::optional<std::uint64_t> differing{};

    void write(ByteWriter& /*out*/) const {}
    void read(ByteReader& /*in*/) { *this = {}; }
};

} // namespace knossos
