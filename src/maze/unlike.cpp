#include <knossos/maze/unlike.hpp>

namespace knossos::maze {

std::size_t UnlikeOthers::distance_to_nearest(const std::byte* genome) const {
    const Space its = space();
    std::size_t nearest = its.length;
    for (const auto& other : others)
        nearest = std::min(nearest,
                           hamming_distance(its, genome, reinterpret_cast<const std::byte*>(other.data())));
    return nearest;
}

void UnlikeOthers::evaluate_batch(Batch batch, std::span<double> out) const {
    maze.evaluate_batch(batch, out);
    for (std::size_t i = 0; i < batch.count; ++i) {
        const std::size_t distance = distance_to_nearest(batch[i]);
        if (distance < least) out[i] -= price * static_cast<double>(least - distance);
    }
}

} // namespace knossos::maze
