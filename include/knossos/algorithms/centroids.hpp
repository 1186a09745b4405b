#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace knossos {

/// Points of the unit cube that divide it into cells of about the same size, the nearest point deciding: a
/// centroidal Voronoi tessellation, by S. Lloyd: "Least squares quantization in PCM", 1982, over points drawn
/// at random. A pure function of its numbers, so that all islands, ranks and runs have the same cells, and
/// galleries of several runs can be compared and united. V. Vassiliades, K. Chatzilygeroudis, J.-B. Mouret:
/// "Using centroidal Voronoi tessellations to scale up the multidimensional archive of phenotypic elites
/// algorithm", 2018.
class Centroids {
  public:
    static constexpr std::uint32_t most = 10'000;

    Centroids(std::uint32_t count, std::size_t dimensions);

    [[nodiscard]] std::size_t dimensions() const { return dimensions_; }
    [[nodiscard]] std::uint32_t count() const {
        return static_cast<std::uint32_t>(points_.size() / dimensions_);
    }
    [[nodiscard]] std::span<const double> point(std::uint32_t index) const {
        return std::span{points_}.subspan(index * dimensions_, dimensions_);
    }
    /// The point nearest to another, of several as near the first.
    [[nodiscard]] std::uint32_t nearest(std::span<const double> to) const;

  private:
    struct Search {
        std::span<const double> to;
        double distance;
        std::uint32_t best;
    };
    void plant();
    void plant(std::size_t begin, std::size_t end, std::size_t axis);
    void search(std::size_t begin, std::size_t end, std::size_t axis, Search& state) const;

    std::size_t dimensions_;
    std::vector<double> points_;
    /// A k-d tree: of a range of points the middle one divides the others, axis after axis.
    std::vector<std::uint32_t> tree_;
};

} // namespace knossos
