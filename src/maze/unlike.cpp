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

std::vector<Column> UnlikeOthers::record() const {
    std::vector<Column> columns = maze.record();
    columns.push_back(must_hold("unlike the others", 1.0 / price).in_whole_numbers());
    return columns;
}

void UnlikeOthers::evaluate_batch(Batch batch, std::span<double> out) const {
    const std::size_t of_maze = out.size() - batch.count;
    maze.evaluate_batch(batch, out.first(of_maze));
    for (std::size_t i = 0; i < batch.count; ++i) {
        const std::size_t distance = distance_to_nearest(batch[i]);
        out[of_maze + i] = distance < least ? static_cast<double>(least - distance) : 0.0;
    }
}

} // namespace knossos::maze
