#include <knossos/algorithms/island.hpp>

#include "core/whole_sums.hpp"

#include <array>
#include <cmath>

namespace knossos {

namespace {

__extension__ using SignedWide = __int128;

} // namespace

// Exact until the roots, so that whoever added up the numbers comes to the same.
void SelectionMeter::renew(const FitnessSums& sums) {
    const auto size = static_cast<double>(sums.count);
    mean_ = static_cast<double>(sums.sum) / size;
    const SignedWide spread =
        static_cast<SignedWide>(sums.count) * sums.squares - static_cast<SignedWide>(sums.sum) * sums.sum;
    const double deviation = std::sqrt(static_cast<double>(spread)) / size;
    scale_ = deviation > 0.0 ? sign_ / deviation : 0.0;
}

void SelectionMeter::renew(const Population& population) {
    const auto fitness = population.fitness();
    if (const auto sums = whole_sums_alone(fitness))
        return renew(FitnessSums{.count = fitness.size(), .sum = sums->sum, .squares = sums->squares});
    const auto size = static_cast<double>(fitness.size());
    // Four sums: a fixed order that fits vector registers.
    const auto sum_of = [&](auto term) {
        std::array<double, 4> sums{};
        std::size_t i = 0;
        for (; i + 4 <= fitness.size(); i += 4)
            for (std::size_t k = 0; k < 4; ++k) sums[k] += term(fitness[i + k]);
        for (; i < fitness.size(); ++i) sums[0] += term(fitness[i]);
        return (sums[0] + sums[1]) + (sums[2] + sums[3]);
    };
    mean_ = sum_of([](double value) { return value; }) / size;
    const double squares = sum_of([mean = mean_](double value) { return (value - mean) * (value - mean); });
    const double deviation = std::sqrt(squares / size);
    // Infinite values are no measure of anything.
    scale_ = deviation > 0.0 && std::isfinite(deviation) ? sign_ / deviation : 0.0;
}

} // namespace knossos
