#include "device/gathering.hpp"

#include <algorithm>
#include <bit>

namespace knossos::device {

namespace {

// A launch for each so many costs nothing beside bringing them home.
constexpr std::size_t most_together = std::size_t{1} << 18U;
constexpr std::size_t most_bytes = std::size_t{1} << 25U;

// Twice as much room at a time, as a little more is wanted again and again.
std::size_t room_for(std::size_t places, std::size_t genome_bytes) {
    const std::size_t most = std::clamp<std::size_t>(most_bytes / genome_bytes, 1, most_together);
    return places < most ? std::min(std::bit_ceil(places), most) : most;
}

} // namespace

void Gathering::add_to(MemoryNeed& need, std::size_t most_places, std::size_t genome_bytes) {
    const std::size_t room = room_for(most_places, genome_bytes);
    need.add(room * sizeof(std::uint32_t));
    need.add(room * genome_bytes);
}

void Gathering::read(const Queue& queue, Kernel& kernel, const Buffer& rows,
                     std::span<const std::uint32_t> places, std::size_t genome_bytes,
                     std::span<std::byte> out) {
    if (places.empty()) return;
    const std::size_t room = room_for(places.size(), genome_bytes);
    if (rows_.bytes() < room * genome_bytes) {
        places_ = {};
        rows_ = {};
        places_ = queue.make_buffer(room * sizeof(std::uint32_t));
        rows_ = queue.make_buffer(room * genome_bytes);
    }
    for (std::size_t first = 0; first < places.size(); first += room) {
        const auto some = places.subspan(first, std::min(room, places.size() - first));
        queue.write(places_, std::as_bytes(some));
        queue.run(kernel.with(rows, places_, static_cast<std::uint32_t>(some.size()), rows_),
                  some.size() * genome_bytes / sizeof(std::uint32_t));
        queue.read(rows_, out.subspan(first * genome_bytes, some.size() * genome_bytes));
    }
}

} // namespace knossos::device
