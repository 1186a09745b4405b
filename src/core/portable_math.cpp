#include "core/portable_tables.hpp"

#include <knossos/core/portable_math.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace knossos {

namespace {

constexpr double beyond_range = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

using detail::Anchor;
using detail::anchors;
using detail::anchors_per_unit;
using detail::first_anchor;
using detail::roots_of_two;
using detail::to_whole;

} // namespace

double portable_log(double x) {
    auto bits = std::bit_cast<std::uint64_t>(x);
    int exponent = 0;
    if (bits < 0x0010000000000000U) [[unlikely]] { // subnormal
        bits = std::bit_cast<std::uint64_t>(x * 0x1.0p54);
        exponent = -54;
    }
    // x = m · 2^e with m in [0.6875, 1.375).
    const std::uint64_t above = bits - std::bit_cast<std::uint64_t>(first_anchor);
    exponent += static_cast<int>(static_cast<std::int64_t>(above) >> 52U);
    const double m = std::bit_cast<double>(bits - (above & 0xFFF0000000000000U));
    // ln m = ln c + ln(1 + r) with the nearest anchor c; |r| < 0.0057, so seven terms are enough.
    // NOLINTNEXTLINE(bugprone-incorrect-roundings): never negative, and any anchor near enough does
    const Anchor& anchor = anchors[static_cast<std::size_t>((m - first_anchor) * anchors_per_unit + 0.5)];
    const double r = (m - anchor.at) * anchor.inverse;
    const double r2 = r * r;
    const double low = r * (1.0 / 3.0) - 0.5;
    const double middle = r * (1.0 / 5.0) - 0.25;
    const double high = r * (1.0 / 7.0) - 1.0 / 6.0;
    const double tail = r2 * (low + r2 * (middle + r2 * high));
    return static_cast<double>(exponent) * 0.6931471805599453 + anchor.logarithm + (r + tail);
}

namespace {

double power_of_two(std::int64_t exponent) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52U);
}

} // namespace

double portable_exp(double x) {
    if (!(x <= 709.79)) return x > 709.79 ? beyond_range : x; // also what is not a number
    if (x < -745.2) return 0.0;
    // x = k · ln 2 / 32 + r with |r| < 0.011. The first part of the step has so few bits that k times it is
    // exact.
    const double k = (x * 0x1.71547652b82fep+5 + to_whole) - to_whole;
    const double r = (x - k * 0x1.62e42fee00000p-6) - k * 0x1.a39ef35793c76p-38;
    const double r2 = r * r;
    const double high = r2 * (1.0 / 120.0 + r * (1.0 / 720.0));
    const double tail = r + r2 * ((0.5 + r * (1.0 / 6.0)) + r2 * (1.0 / 24.0) + r * high);
    const auto whole = static_cast<std::int64_t>(k);
    const double root = roots_of_two[static_cast<std::size_t>(whole & 31)];
    const std::int64_t exponent = whole >> 5U;
    const double value = root + root * tail;
    if (exponent >= -1022 && exponent <= 1023) [[likely]]
        return value * power_of_two(exponent);
    // The power itself would be out of range; one rounding at the end.
    return exponent > 0 ? value * 2.0 * power_of_two(exponent - 1)
                        : value * power_of_two(exponent + 200) * 0x1.0p-200;
}

double portable_pow(double x, double y) {
    if (y == 0.0 || x == 1.0) return 1.0;
    if (x == 0.0) return y > 0.0 ? 0.0 : beyond_range;
    if (!(x > 0.0) || std::isnan(y)) return not_a_number;
    if (x == beyond_range) return y > 0.0 ? beyond_range : 0.0;
    return portable_exp(y * portable_log(x));
}

namespace {

// An angle as a number of quarter turns, of which the last four bits of a count matter, and a rest of at most
// an eighth of a turn: count · π/2 + rest.
struct Angle {
    std::uint64_t count;
    double rest;
};

constexpr double half_pi = 0x1.921fb54442d18p+0;

// Both for |x| ≤ π/4, by Taylor's series.
double sine_of_rest(double x) {
    const double z = x * x;
    double series = 1.0 / 355687428096000.0; // 17!
    series = series * z - 1.0 / 1307674368000.0;
    series = series * z + 1.0 / 6227020800.0;
    series = series * z - 1.0 / 39916800.0;
    series = series * z + 1.0 / 362880.0;
    series = series * z - 1.0 / 5040.0;
    series = series * z + 1.0 / 120.0;
    series = series * z - 1.0 / 6.0;
    return x + x * z * series;
}

double cosine_of_rest(double x) {
    const double z = x * x;
    double series = 1.0 / 20922789888000.0; // 16!
    series = series * z - 1.0 / 87178291200.0;
    series = series * z + 1.0 / 479001600.0;
    series = series * z - 1.0 / 3628800.0;
    series = series * z + 1.0 / 40320.0;
    series = series * z - 1.0 / 720.0;
    series = series * z + 1.0 / 24.0;
    return (1.0 - 0.5 * z) + z * z * series;
}

double sine(Angle angle) {
    const double value = angle.count % 2 == 0 ? sine_of_rest(angle.rest) : cosine_of_rest(angle.rest);
    return angle.count % 4 < 2 ? value : -value;
}

double cosine(Angle angle) { return sine({angle.count + 1, angle.rest}); }

// 2/π after the binary point: enough for the largest double.
constexpr std::array<std::uint64_t, 20> two_over_pi{
    0xA2F9836E4E441529, 0xFC2757D1F534DDC0, 0xDB6295993C439041, 0xFE5163ABDEBBC561, 0xB7246E3A424DD2E0,
    0x06492EEA09D1921C, 0xFE1DEB1CB129A73E, 0xE88235F52EBB4484, 0xE99C7026B45F7E41, 0x3991D639835339F4,
    0x9C845F8BBDF9283B, 0x1FF897FFDE05980F, 0xEF2F118B5A0A6D1F, 0x6D367ECF27CB09B7, 0x4F463F669E5FEA2D,
    0x7527BAC7EBE5F17B, 0x3D0739F78A5292EA, 0x6BFB5FB11F8D5D08, 0x56033046FC7B6BAB, 0xF0CFBC209AF4361D};

// The 32 bits of it from this one on; before the point there are zeros.
std::uint32_t digits_from(int bit) {
    if (bit <= -32) return 0;
    if (bit < 0) return static_cast<std::uint32_t>(two_over_pi[0] >> (32 - bit));
    const auto word = static_cast<std::size_t>(bit) / 64;
    const unsigned offset = static_cast<unsigned>(bit) % 64;
    std::uint64_t bits = two_over_pi[word] << offset;
    if (offset > 32) bits |= two_over_pi[word + 1] >> (64 - offset);
    return static_cast<std::uint32_t>(bits >> 32U);
}

// x times 2/π, of which only what is left after whole turns is computed, in whole numbers: nothing is lost
// where x is near a multiple of π/2. M. H. Payne, R. N. Hanek: "Radian reduction for trigonometric
// functions", SIGNUM Newsletter 18, 1983.
Angle reduced(double x) {
    const double size = std::abs(x);
    if (size <= 0.785) return {0, x};
    if (!(size < beyond_range)) return {0, not_a_number};
    const auto bits = std::bit_cast<std::uint64_t>(size);
    const std::uint64_t mantissa = (bits & 0x000FFFFFFFFFFFFFU) | 0x0010000000000000U;
    // size = mantissa · 2^exponent; what bits of 2/π before the window give are whole turns.
    const int exponent = static_cast<int>(bits >> 52U) - 1075;
    constexpr std::size_t limbs = 6;
    std::array<std::uint64_t, limbs> product{}; // of 32 bits each, the lowest first
    const std::array<std::uint64_t, 2> factor{mantissa & 0xFFFFFFFFU, mantissa >> 32U};
    for (std::size_t i = 0; i < limbs; ++i) {
        const std::uint64_t digits = digits_from(exponent - 2 + 32 * static_cast<int>(limbs - 1 - i));
        std::uint64_t carry = 0;
        for (std::size_t j = 0; i + j < limbs; ++j) {
            const std::uint64_t sum = product[i + j] + (j < 2 ? digits * factor[j] : 0) + carry;
            product[i + j] = sum & 0xFFFFFFFFU;
            carry = sum >> 32U;
        }
    }
    // Two bits of quarters, then the fraction.
    std::uint64_t high = product[5] << 32U | product[4];
    std::uint64_t low = product[3] << 32U | product[2];
    std::uint64_t count = high >> 62U;
    high = high << 2U | low >> 62U;
    low <<= 2U;
    bool is_negative = std::signbit(x);
    if (high >> 63U != 0) { // above a half: from the next quarter down
        ++count;
        low = ~low;
        high = ~high;
        is_negative = !is_negative;
    }
    if (std::signbit(x)) count = 0 - count;
    int shift = std::countl_zero(high);
    if (shift == 64) {
        high = low;
        low = 0;
        shift = 64 + std::countl_zero(high);
        high <<= (shift - 64) % 64;
    } else if (shift != 0) {
        high = high << shift | low >> (64 - shift);
    }
    const double rest = static_cast<double>(high) * power_of_two(-64 - shift) * half_pi;
    return {count, is_negative ? -rest : rest};
}

Angle reduced_turns(double x) {
    double quarters = x + x;
    if (!(std::abs(quarters) < 0x1.0p51)) quarters = std::fmod(quarters, 4.0);
    const double shifted = quarters + to_whole;
    return {std::bit_cast<std::uint64_t>(shifted), (quarters - (shifted - to_whole)) * half_pi};
}

} // namespace

double portable_sin(double x) { return sine(reduced(x)); }
double portable_cos(double x) { return cosine(reduced(x)); }
double portable_sinpi(double x) { return sine(reduced_turns(x)); }
double portable_cospi(double x) { return cosine(reduced_turns(x)); }

} // namespace knossos
