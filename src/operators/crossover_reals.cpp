#include <knossos/core/portable_math.hpp>
#include <knossos/operators/crossover_reals.hpp>

#include <algorithm>

namespace knossos {

namespace {

// Draws how far the children of a gene lie from its parents' mean, in units of half their distance.
class Spread {
  public:
    explicit Spread(double eta) : power_{eta + 1.0}, root_{1.0 / power_}, far_{portable_exp(38.0 * root_)} {}

    // The inverse of the distribution at u, if the bound on its side allows at most `most`.
    [[nodiscard]] double within(double u, double most) const {
        const double share = u * (2.0 - (is_far(most) ? 0.0 : portable_pow(most, -power_)));
        return share <= 1.0 ? portable_pow(share, root_) : portable_pow(1.0 / (2.0 - share), root_);
    }
    // Whether a bound is so far away that it is no matter: what lies past it has a chance below 2⁻⁵⁴, which
    // 2 does not notice. So it is with most parents of a population that has begun to agree.
    [[nodiscard]] bool is_far(double most) const { return most >= far_; }

  private:
    double power_;
    double root_;
    double far_;
};

} // namespace

bool SimulatedBinary::operator()(Stream& stream, Reals a, Reals b) const {
    bool changed = false;
    const Spread spread{eta};
    for_each_hit(stream, Skips{per_gene}, a.size(), [&](std::size_t i) {
        const double u = stream.real();
        const bool exchanged = stream.next32() % 2 == 1;
        const double lower = std::min(a[i], b[i]);
        const double upper = std::max(a[i], b[i]);
        if (!(lower < upper)) return;
        const Bounds& bounds = a.bounds(i);
        const double apart = upper - lower;
        const double mean = 0.5 * lower + 0.5 * upper;
        const double most_below = 1.0 + 2.0 * (lower - bounds.low) / apart;
        const double most_above = 1.0 + 2.0 * (bounds.high - upper) / apart;
        const double below = spread.within(u, most_below);
        const bool same = spread.is_far(most_below) && spread.is_far(most_above);
        const double above = same ? below : spread.within(u, most_above);
        const double first = std::clamp(mean - 0.5 * below * apart, bounds.low, bounds.high);
        const double second = std::clamp(mean + 0.5 * above * apart, bounds.low, bounds.high);
        a[i] = exchanged ? second : first;
        b[i] = exchanged ? first : second;
        changed = true;
    });
    return changed;
}

bool Blend::operator()(Stream& stream, Reals a, Reals b) const {
    bool changed = false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double lower = std::min(a[i], b[i]);
        const double upper = std::max(a[i], b[i]);
        if (!(lower < upper)) continue;
        const double beyond = alpha * (upper - lower);
        const Bounds stretch{std::max(lower - beyond, a.bounds(i).low),
                             std::min(upper + beyond, a.bounds(i).high)};
        a[i] = uniform(stream, stretch);
        b[i] = uniform(stream, stretch);
        changed = true;
    }
    return changed;
}

} // namespace knossos
