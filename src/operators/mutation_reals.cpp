#include <knossos/core/portable_math.hpp>
#include <knossos/operators/mutation_reals.hpp>
#include <knossos/operators/reflection.hpp>

#include <algorithm>
#include <cmath>

namespace knossos {

namespace {

double rate(double per_gene, std::size_t length) {
    return per_gene > 0.0 ? per_gene : 1.0 / static_cast<double>(length);
}

// By which share of the bounds' distance a gene changes, at u of the distribution, if it may fall by `down`
// and rise by `up`.
double polynomial_change(double u, double down, double up, double eta) {
    if (u < 0.5) {
        const double kept = 2.0 * u + (1.0 - 2.0 * u) * portable_pow(std::max(1.0 - down, 0.0), eta + 1.0);
        return portable_pow(kept, 1.0 / (eta + 1.0)) - 1.0;
    }
    const double kept = 2.0 * (1.0 - u) + (2.0 * u - 1.0) * portable_pow(std::max(1.0 - up, 0.0), eta + 1.0);
    return 1.0 - portable_pow(kept, 1.0 / (eta + 1.0));
}

// By the polar angle and radius of a pair. G. E. P. Box, M. E. Muller: "A note on the generation of random
// normal deviates", 1958.
double normal(Stream& stream) {
    const double radius = std::sqrt(-2.0 * portable_log(1.0 - stream.real()));
    return radius * portable_cospi(2.0 * stream.real());
}

} // namespace

bool PolynomialMutation::Prepared::operator()(Stream& stream, Reals genome) const {
    bool changed = false;
    for_each_hit(stream, skips, genome.size(), [&](std::size_t i) {
        const double u = stream.real();
        const Bounds& bounds = genome.bounds(i);
        const double width = bounds.width();
        if (!(width > 0.0)) return; // a fixed gene
        const double down = (genome[i] - bounds.low) / width;
        const double up = (bounds.high - genome[i]) / width;
        genome[i] =
            std::clamp(genome[i] + polynomial_change(u, down, up, eta) * width, bounds.low, bounds.high);
        changed = true;
    });
    return changed;
}

PolynomialMutation::Prepared PolynomialMutation::prepared(const Space& space) const {
    return {Skips{rate(per_gene, space.length)}, eta};
}

bool PolynomialMutation::operator()(Stream& stream, Reals genome) const {
    return Prepared{Skips{rate(per_gene, genome.size())}, eta}(stream, genome);
}

bool GaussianMutation::Prepared::operator()(Stream& stream, Reals genome) const {
    bool changed = false;
    for_each_hit(stream, skips, genome.size(), [&](std::size_t i) {
        const Bounds& bounds = genome.bounds(i);
        genome[i] = reflected(genome[i] + normal(stream) * (sigma * bounds.width()), bounds);
        changed = true;
    });
    return changed;
}

GaussianMutation::Prepared GaussianMutation::prepared(const Space& space) const {
    return {Skips{rate(per_gene, space.length)}, sigma};
}

bool GaussianMutation::operator()(Stream& stream, Reals genome) const {
    return Prepared{Skips{rate(per_gene, genome.size())}, sigma}(stream, genome);
}

} // namespace knossos
