#pragma once

#include "device/opencl.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace knossos::device {

/// The individuals of islands that breed together, one island after the other, in the memory of a device, and
/// room for their children.
struct Resident {
    std::size_t islands = 1;
    std::size_t population = 0; ///< of each island
    std::size_t children = 0;   ///< likewise
    Buffer keys{};              ///< those of each island's streams
    Buffer current{};
    Buffer fitness{};
    Buffer offspring{};
    Buffer values{}; ///< the children's fitness
    Buffer evaluated{};
    Buffer parents{};
    Buffer tickets{}; ///< of who stays, where the host decides
    Buffer summary{};
    Buffer bars{};
    Buffer finds{};
    Buffer diversity_keys{};
    Buffer differing{};           ///< what their diversity is sampled by
    std::weak_ptr<void> guests{}; ///< those who are there; nobody if it has ended
    // Islands come home one by one, and are read together.
    bool is_read = false;
    std::vector<std::byte> rows{};
    std::vector<std::int32_t> numbers{};

    [[nodiscard]] std::size_t couples() const { return (children + 1) / 2; }
    /// Groups of each island's summary.
    [[nodiscard]] std::size_t summary_groups() const;
    /// How many children of a generation may be noted without looking at everybody.
    [[nodiscard]] std::size_t most_finds() const;
    /// Its buffers and their bytes, with genomes of so many: what is made, and counted before a run.
    [[nodiscard]] std::array<std::pair<Buffer Resident::*, std::size_t>, 13>
    parts(std::size_t genome_bytes) const;
};

/// A home in a room that nobody has at the moment. It ends when the last of its islands has left; the room
/// stays with them.
std::shared_ptr<Resident> home_in(const std::shared_ptr<Resident>& room);

} // namespace knossos::device
