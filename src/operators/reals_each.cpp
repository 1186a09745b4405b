// What operators do to many reals at once. The plain versions at the end say what; the kernels must agree
// with them to the bit.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "operators/reals_each.cpp"
#include "core/highway_targets.hpp"
#define HWY_DISABLED_TARGETS KNOSSOS_SCALABLE_TARGETS
#include <hwy/foreach_target.h>
// Highway must follow the line above.
#include <hwy/highway.h>

#include "core/portable_math-inl.hpp"
#include "operators/reals_each.hpp"

#include <knossos/core/portable_math.hpp>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace knossos::HWY_NAMESPACE {

#if !HWY_HAVE_FLOAT64

void spread_all(const ChildSpread& spread, GeneBatch& genes) {
    for (std::size_t i = 0; i < genes.count; ++i)
        spread_one(spread, genes.drawn[i], genes.first[i], genes.second[i], genes.low[i], genes.high[i]);
}

void polynomial_all(double eta, GeneBatch& genes) {
    for (std::size_t i = 0; i < genes.count; ++i)
        genes.first[i] = polynomial_one(eta, genes.drawn[i], genes.first[i], genes.low[i], genes.high[i]);
}

void scaled_log_all(double factor, double* values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) values[i] = portable_log(values[i]) * factor;
}

#else

namespace {

HWY_INLINE RealVector at(const std::array<double, GeneBatch::room>& values, std::size_t i) {
    return hn::LoadU(real_tag, values.data() + i);
}

HWY_INLINE RealVector clamped(RealVector value, RealVector low, RealVector high) {
    return hn::IfThenElse(hn::Lt(value, low), low, hn::IfThenElse(hn::Lt(high, value), high, value));
}

HWY_INLINE RealVector spread_within(const ChildSpread& spread, RealVector u, RealVector most) {
    const auto is_far = hn::Ge(most, all(spread.far));
    RealVector whole = all(2.0);
    if (!hn::AllTrue(real_tag, is_far)) {
        const RealVector power = pow_of(hn::IfThenElse(is_far, all(1.0), most), -spread.power);
        whole = hn::Sub(whole, hn::IfThenZeroElse(is_far, power));
    }
    const RealVector share = hn::Mul(u, whole);
    const RealVector beyond = hn::Div(all(1.0), hn::Sub(all(2.0), share));
    return pow_of(hn::IfThenElse(hn::Le(share, all(1.0)), share, beyond), spread.root);
}

// What lies past the last gene gets values that do no harm, so that vectors can be filled.
void fill_up(GeneBatch& genes) {
    const std::size_t end = genes.count + hn::Lanes(real_tag) - 1;
    for (std::size_t i = genes.count; i < end; ++i) {
        genes.drawn[i] = 0.5;
        genes.first[i] = genes.low[i] = 0.0;
        genes.second[i] = genes.high[i] = 1.0;
    }
}

} // namespace

void spread_all(const ChildSpread& spread, GeneBatch& genes) {
    fill_up(genes);
    for (std::size_t i = 0; i < genes.count; i += hn::Lanes(real_tag)) {
        const RealVector first = at(genes.first, i);
        const RealVector second = at(genes.second, i);
        const RealVector low = at(genes.low, i);
        const RealVector high = at(genes.high, i);
        const RealVector u = at(genes.drawn, i);
        const RealVector lower = hn::Min(first, second);
        const RealVector upper = hn::Max(first, second);
        const RealVector apart = hn::Sub(upper, lower);
        const RealVector mean = hn::Add(hn::Mul(all(0.5), lower), hn::Mul(all(0.5), upper));
        const RealVector most_below =
            hn::Add(all(1.0), hn::Div(hn::Mul(all(2.0), hn::Sub(lower, low)), apart));
        const RealVector most_above =
            hn::Add(all(1.0), hn::Div(hn::Mul(all(2.0), hn::Sub(high, upper)), apart));
        const RealVector below = spread_within(spread, u, most_below);
        const bool same = hn::AllTrue(real_tag, hn::Ge(hn::Min(most_below, most_above), all(spread.far)));
        const RealVector above = same ? below : spread_within(spread, u, most_above);
        const RealVector down = hn::Mul(hn::Mul(all(0.5), below), apart);
        const RealVector up = hn::Mul(hn::Mul(all(0.5), above), apart);
        hn::StoreU(clamped(hn::Sub(mean, down), low, high), real_tag, genes.first.data() + i);
        hn::StoreU(clamped(hn::Add(mean, up), low, high), real_tag, genes.second.data() + i);
    }
}

void polynomial_all(double eta, GeneBatch& genes) {
    fill_up(genes);
    const RealVector one = all(1.0);
    for (std::size_t i = 0; i < genes.count; i += hn::Lanes(real_tag)) {
        const RealVector gene = at(genes.first, i);
        const RealVector low = at(genes.low, i);
        const RealVector high = at(genes.high, i);
        const RealVector u = at(genes.drawn, i);
        const RealVector width = hn::Sub(high, low);
        const auto falls = hn::Lt(u, all(0.5));
        const RealVector most =
            hn::Div(hn::IfThenElse(falls, hn::Sub(gene, low), hn::Sub(high, gene)), width);
        const RealVector left = pow_of(hn::Max(hn::Sub(one, most), all(0.0)), eta + 1.0);
        const RealVector twice = hn::Mul(all(2.0), u);
        const RealVector near = hn::IfThenElse(falls, twice, hn::Mul(all(2.0), hn::Sub(one, u)));
        const RealVector far = hn::IfThenElse(falls, hn::Sub(one, twice), hn::Sub(twice, one));
        const RealVector root = pow_of(hn::Add(near, hn::Mul(far, left)), 1.0 / (eta + 1.0));
        const RealVector change = hn::IfThenElse(falls, hn::Sub(root, one), hn::Sub(one, root));
        hn::StoreU(clamped(hn::Add(gene, hn::Mul(change, width)), low, high), real_tag,
                   genes.first.data() + i);
    }
}

void scaled_log_all(double factor, double* values, std::size_t count) {
    for (std::size_t i = count; i < count + hn::Lanes(real_tag) - 1; ++i) values[i] = 1.0;
    for (std::size_t i = 0; i < count; i += hn::Lanes(real_tag))
        hn::StoreU(hn::Mul(log_of(hn::LoadU(real_tag, values + i)), all(factor)), real_tag, values + i);
}

#endif

} // namespace knossos::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace knossos {

HWY_EXPORT(spread_all);
HWY_EXPORT(polynomial_all);
HWY_EXPORT(scaled_log_all);

void spread_each(const ChildSpread& spread, GeneBatch& genes) {
    HWY_DYNAMIC_DISPATCH(spread_all)(spread, genes);
}

void polynomial_each(double eta, GeneBatch& genes) { HWY_DYNAMIC_DISPATCH(polynomial_all)(eta, genes); }

void scaled_log_each(double factor, double* values, std::size_t count) {
    HWY_DYNAMIC_DISPATCH(scaled_log_all)(factor, values, count);
}

ChildSpread::ChildSpread(double eta) : power{eta + 1.0}, root{1.0 / power}, far{portable_exp(38.0 * root)} {}

double ChildSpread::within(double u, double most) const {
    const double share = u * (2.0 - (is_far(most) ? 0.0 : portable_pow(most, -power)));
    return share <= 1.0 ? portable_pow(share, root) : portable_pow(1.0 / (2.0 - share), root);
}

void spread_one(const ChildSpread& spread, double u, double& first, double& second, double low, double high) {
    const double lower = std::min(first, second);
    const double upper = std::max(first, second);
    const double apart = upper - lower;
    const double mean = 0.5 * lower + 0.5 * upper;
    const double most_below = 1.0 + 2.0 * (lower - low) / apart;
    const double most_above = 1.0 + 2.0 * (high - upper) / apart;
    const double below = spread.within(u, most_below);
    const bool same = spread.is_far(most_below) && spread.is_far(most_above);
    const double above = same ? below : spread.within(u, most_above);
    first = std::clamp(mean - 0.5 * below * apart, low, high);
    second = std::clamp(mean + 0.5 * above * apart, low, high);
}

// At u of the distribution, if the gene may fall by a share `down` of the bounds' distance and rise by `up`.
double polynomial_one(double eta, double u, double gene, double low, double high) {
    const double width = high - low;
    const bool falls = u < 0.5;
    const double most = (falls ? gene - low : high - gene) / width;
    const double left = portable_pow(std::max(1.0 - most, 0.0), eta + 1.0);
    const double kept = falls ? 2.0 * u + (1.0 - 2.0 * u) * left : 2.0 * (1.0 - u) + (2.0 * u - 1.0) * left;
    const double root = portable_pow(kept, 1.0 / (eta + 1.0));
    return std::clamp(gene + (falls ? root - 1.0 : 1.0 - root) * width, low, high);
}

} // namespace knossos

#endif
