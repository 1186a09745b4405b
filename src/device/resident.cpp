#include "device/resident.hpp"

#include "device/kernels.hpp"

#include <algorithm>

namespace knossos::device {

// Of many islands each has one group, of few each has many.
std::size_t Resident::summary_groups() const {
    return std::max<std::size_t>(1, most_summary_groups / islands);
}

std::size_t Resident::most_finds() const {
    constexpr std::size_t fewest = 4096;
    return std::max(fewest, 4 * islands);
}

std::array<std::pair<Buffer Resident::*, std::size_t>, 13> Resident::parts(std::size_t genome_bytes) const {
    // Individuals and children change places by changing buffers.
    const std::size_t individuals = islands * std::max(population, children);
    return {{{&Resident::keys, islands * 3 * sizeof(StreamKey)},
             {&Resident::current, individuals * genome_bytes},
             {&Resident::fitness, individuals * sizeof(std::int32_t)},
             {&Resident::offspring, individuals * genome_bytes},
             {&Resident::values, individuals * sizeof(std::int32_t)},
             {&Resident::evaluated, islands * children},
             {&Resident::parents, islands * 2 * couples() * sizeof(std::uint32_t)},
             {&Resident::tickets, islands * population * sizeof(std::uint32_t)},
             {&Resident::summary, islands * summary_groups() * summary_numbers * sizeof(std::int64_t)},
             {&Resident::bars, islands * sizeof(std::int32_t)},
             {&Resident::finds, (1 + 2 * most_finds()) * sizeof(std::uint32_t)},
             {&Resident::diversity_keys, islands * sizeof(StreamKey)},
             {&Resident::differing, islands * sizeof(std::uint64_t)}}};
}

std::shared_ptr<Resident> home_in(const std::shared_ptr<Resident>& room) {
    // Let go of at once: what a deleter holds stays for as long as anybody asks whether there are guests.
    const std::shared_ptr<Resident> home{room.get(),
                                         [held = room](Resident* /*its*/) mutable { held.reset(); }};
    room->guests = home;
    return home;
}

} // namespace knossos::device
