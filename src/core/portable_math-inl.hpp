// Logarithms and powers of vectors, as one instruction set sees them, to the bit those of portable_math.hpp:
// the same operations in the same order. A kernel's file, which Highway includes again for each set, includes
// this likewise.
#if defined(KNOSSOS_CORE_PORTABLE_MATH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KNOSSOS_CORE_PORTABLE_MATH_INL
#undef KNOSSOS_CORE_PORTABLE_MATH_INL
#else
#define KNOSSOS_CORE_PORTABLE_MATH_INL
#endif

#include "core/portable_tables.hpp"

#include <knossos/core/portable_math.hpp>

#include <hwy/highway.h>

#include <bit>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace knossos::HWY_NAMESPACE {

#if HWY_HAVE_FLOAT64

namespace hn = hwy::HWY_NAMESPACE;

namespace {

using RealTag = hn::ScalableTag<double>;
using BitsTag = hn::RebindToUnsigned<RealTag>;
using IndexTag = hn::RebindToSigned<RealTag>;
using RealVector = hn::Vec<RealTag>;
constexpr RealTag real_tag;
constexpr BitsTag bits_tag;

HWY_INLINE RealVector all(double value) { return hn::Set(real_tag, value); }

// What stands in the low bits, below 2⁵², of a number that 2⁵² was added to.
HWY_INLINE hn::Vec<IndexTag> low_bits(RealVector shifted, std::uint64_t mask) {
    return hn::BitCast(IndexTag{}, hn::And(hn::BitCast(bits_tag, shifted), hn::Set(bits_tag, mask)));
}

// Of normal numbers above 0.
HWY_INLINE RealVector log_of(RealVector x) {
    const auto bits = hn::BitCast(bits_tag, x);
    const auto above = hn::Sub(bits, hn::Set(bits_tag, std::bit_cast<std::uint64_t>(detail::first_anchor)));
    // The exponent plus 1,024 as a whole number, and that as what a 2⁵² has in its low bits.
    const auto biased = hn::ShiftRight<52>(hn::Add(above, hn::Set(bits_tag, std::uint64_t{1024} << 52U)));
    const RealVector exponent = hn::Sub(
        hn::BitCast(real_tag, hn::Or(biased, hn::Set(bits_tag, std::bit_cast<std::uint64_t>(0x1.0p52)))),
        all(0x1.0p52 + 1024.0));
    const RealVector m =
        hn::BitCast(real_tag, hn::Sub(bits, hn::And(above, hn::Set(bits_tag, 0xFFF0000000000000U))));
    const RealVector place = hn::Floor(
        hn::Add(hn::Mul(hn::Sub(m, all(detail::first_anchor)), all(detail::anchors_per_unit)), all(0.5)));
    const auto index = low_bits(hn::Add(place, all(0x1.0p52)), 127);
    const RealVector at =
        hn::Add(all(detail::first_anchor), hn::Mul(place, all(1.0 / detail::anchors_per_unit)));
    const RealVector inverse = hn::GatherIndex(real_tag, detail::anchor_inverses.data(), index);
    const RealVector logarithm = hn::GatherIndex(real_tag, detail::anchor_logarithms.data(), index);
    const RealVector r = hn::Mul(hn::Sub(m, at), inverse);
    const RealVector r2 = hn::Mul(r, r);
    const RealVector low = hn::Sub(hn::Mul(r, all(1.0 / 3.0)), all(0.5));
    const RealVector middle = hn::Sub(hn::Mul(r, all(1.0 / 5.0)), all(0.25));
    const RealVector high = hn::Sub(hn::Mul(r, all(1.0 / 7.0)), all(1.0 / 6.0));
    const RealVector tail = hn::Mul(r2, hn::Add(low, hn::Mul(r2, hn::Add(middle, hn::Mul(r2, high)))));
    return hn::Add(hn::Add(hn::Mul(exponent, all(0.6931471805599453)), logarithm), hn::Add(r, tail));
}

// Of numbers from −700 to 700.
HWY_INLINE RealVector exp_of(RealVector x) {
    const RealVector shifted = hn::Add(hn::Mul(x, all(0x1.71547652b82fep+5)), all(detail::to_whole));
    const RealVector k = hn::Sub(shifted, all(detail::to_whole));
    const RealVector r =
        hn::Sub(hn::Sub(x, hn::Mul(k, all(0x1.62e42fee00000p-6))), hn::Mul(k, all(0x1.a39ef35793c76p-38)));
    const RealVector r2 = hn::Mul(r, r);
    const RealVector high = hn::Mul(r2, hn::Add(all(1.0 / 120.0), hn::Mul(r, all(1.0 / 720.0))));
    const RealVector middle =
        hn::Add(hn::Add(all(0.5), hn::Mul(r, all(1.0 / 6.0))), hn::Mul(r2, all(1.0 / 24.0)));
    const RealVector tail = hn::Add(r, hn::Mul(r2, hn::Add(middle, hn::Mul(r, high))));
    const RealVector root = hn::GatherIndex(real_tag, detail::roots_of_two.data(), low_bits(shifted, 31));
    const RealVector value = hn::Add(root, hn::Mul(root, tail));
    // k / 32 as an exponent; what else was in the bits leaves at the upper end.
    const auto exponent = hn::Add(hn::ShiftRight<5>(hn::BitCast(bits_tag, shifted)), hn::Set(bits_tag, 1023));
    return hn::Mul(value, hn::BitCast(real_tag, hn::ShiftLeft<52>(exponent)));
}

// As portable_pow(), which is asked itself where a lane is out of the ordinary. y is finite and not 0.
HWY_INLINE RealVector pow_of(RealVector x, double y) {
    const auto is_normal = hn::And(hn::Ge(x, all(0x1.0p-1022)), hn::Le(x, all(0x1.fffffffffffffp+1023)));
    const RealVector exponent = hn::Mul(all(y), log_of(hn::IfThenElse(is_normal, x, all(1.0))));
    const auto is_in_range = hn::Le(hn::Abs(exponent), all(700.0));
    const RealVector power = exp_of(hn::IfThenElseZero(is_in_range, exponent));
    const auto is_zero = hn::Eq(x, all(0.0));
    const auto is_ordinary = hn::And(is_normal, is_in_range);
    if (hn::AllTrue(real_tag, y > 0.0 ? hn::Or(is_ordinary, is_zero) : is_ordinary)) [[likely]]
        return hn::IfThenElseZero(is_ordinary, power);
    HWY_ALIGN double each[hn::MaxLanes(real_tag)];
    hn::Store(x, real_tag, each);
    for (std::size_t i = 0; i < hn::Lanes(real_tag); ++i) each[i] = portable_pow(each[i], y);
    return hn::Load(real_tag, each);
}

} // namespace

#endif

} // namespace knossos::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
