#include <knossos/algorithms/centroids.hpp>
#include <knossos/core/random.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

namespace knossos {

namespace {

constexpr std::size_t samples_each = 16;
constexpr int rounds = 12;

std::vector<double> drawn_points(std::size_t count, std::size_t dimensions) {
    std::vector<double> points(count * dimensions);
    // Always the same numbers: see the class.
    Stream stream = Streams{0}.at(Purpose::prepare, 0, 0);
    for (double& coordinate : points) coordinate = stream.real();
    return points;
}

} // namespace

Centroids::Centroids(std::uint32_t count, std::size_t dimensions) : dimensions_{dimensions} {
    const std::vector<double> samples = drawn_points(count * samples_each, dimensions);
    points_.assign(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(count * dimensions));
    std::vector<double> sums(points_.size());
    std::vector<std::uint32_t> counts(count);
    for (int round = 0; round < rounds; ++round) {
        plant();
        std::ranges::fill(sums, 0.0);
        std::ranges::fill(counts, 0U);
        for (std::size_t at = 0; at < samples.size(); at += dimensions) {
            const std::uint32_t owner = nearest(std::span{samples}.subspan(at, dimensions));
            ++counts[owner];
            for (std::size_t i = 0; i < dimensions; ++i) sums[owner * dimensions + i] += samples[at + i];
        }
        for (std::size_t i = 0; i < points_.size(); ++i)
            if (counts[i / dimensions] != 0) points_[i] = sums[i] / counts[i / dimensions];
    }
    plant();
}

void Centroids::plant() {
    tree_.resize(count());
    std::iota(tree_.begin(), tree_.end(), 0U);
    plant(0, tree_.size(), 0);
}

void Centroids::plant(std::size_t begin, std::size_t end, std::size_t axis) {
    if (end - begin < 2) return;
    const std::size_t middle = begin + (end - begin) / 2;
    const auto at = [&](std::size_t place) { return tree_.begin() + static_cast<std::ptrdiff_t>(place); };
    // No two are equal, so that every library divides them alike.
    std::nth_element(at(begin), at(middle), at(end), [&](std::uint32_t a, std::uint32_t b) {
        return std::tuple{point(a)[axis], a} < std::tuple{point(b)[axis], b};
    });
    const std::size_t next = (axis + 1) % dimensions_;
    plant(begin, middle, next);
    plant(middle + 1, end, next);
}

std::uint32_t Centroids::nearest(std::span<const double> to) const {
    Search state{to, std::numeric_limits<double>::infinity(), 0};
    search(0, tree_.size(), 0, state);
    return state.best;
}

void Centroids::search(std::size_t begin, std::size_t end, std::size_t axis, Search& state) const {
    if (begin == end) return;
    const std::size_t middle = begin + (end - begin) / 2;
    const std::uint32_t index = tree_[middle];
    const auto here = point(index);
    double distance = 0.0;
    for (std::size_t i = 0; i < dimensions_; ++i)
        distance += (here[i] - state.to[i]) * (here[i] - state.to[i]);
    if (distance < state.distance || (distance == state.distance && index < state.best)) {
        state.distance = distance;
        state.best = index;
    }
    const double beyond = state.to[axis] - here[axis];
    const std::size_t next = (axis + 1) % dimensions_;
    const bool lower_first = beyond < 0.0;
    search(lower_first ? begin : middle + 1, lower_first ? middle : end, next, state);
    if (beyond * beyond <= state.distance)
        search(lower_first ? middle + 1 : begin, lower_first ? end : middle, next, state);
}

} // namespace knossos
