#include <knossos/operators/crossover_sites.hpp>

#include <fmt/format.h>

namespace knossos {

namespace {

void swap_masked(std::uint64_t& a, std::uint64_t& b, std::uint64_t mask) {
    const std::uint64_t difference = (a ^ b) & mask;
    a ^= difference;
    b ^= difference;
}

} // namespace

void swap_sites(Bits a, Bits b, std::size_t from, std::size_t to) {
    if (from >= to) return;
    const auto left = a.words();
    const auto right = b.words();
    const std::size_t first = from / 64;
    const std::size_t last = (to - 1) / 64;
    const std::uint64_t head = ~std::uint64_t{0} << from % 64;
    const std::uint64_t tail = ~std::uint64_t{0} >> (63 - (to - 1) % 64);
    if (first == last) {
        swap_masked(left[first], right[first], head & tail);
        return;
    }
    swap_masked(left[first], right[first], head);
    for (std::size_t w = first + 1; w < last; ++w) std::swap(left[w], right[w]);
    swap_masked(left[last], right[last], tail);
}

void KPoint::check(const Space& space) const {
    if (points >= space.length)
        throw InvalidSetting{"recombine", name, "points",
                             fmt::format("is {}; genomes of {} genes allow 1..{} cuts", points, space.length,
                                         space.length - 1)};
}

std::span<const std::uint32_t> KPoint::draw_cuts(Stream& stream, std::size_t length, Scratch& scratch) const {
    // Floyd's sampling of `points` different borders out of 1 .. length − 1, kept sorted as they come.
    const std::span<std::uint32_t> cuts = scratch.first(points);
    std::size_t found = 0;
    for (auto last = static_cast<std::uint32_t>(length - points); last < length; ++last) {
        std::uint32_t cut = 1 + stream.below(last);
        if (std::ranges::binary_search(cuts.first(found), cut)) cut = last;
        const auto place = std::ranges::upper_bound(cuts.first(found), cut);
        std::copy_backward(place, cuts.begin() + static_cast<std::ptrdiff_t>(found),
                           cuts.begin() + static_cast<std::ptrdiff_t>(found) + 1);
        *place = cut;
        ++found;
    }
    return cuts;
}

bool UniformCrossover::exchange_half(Stream& stream, Bits a, Bits b) {
    for (std::size_t w = 0; w < a.words().size(); ++w)
        swap_masked(a.words()[w], b.words()[w], stream.next64());
    return true;
}

} // namespace knossos
