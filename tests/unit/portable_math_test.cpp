#include "support.hpp"

#include <knossos/core/portable_math.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

// The system's functions in long double are the reference. That all compilers give the same bits is checked
// by tests/golden.
namespace knossos::portable_math_test {
namespace {

using test::stream_for;

constexpr double infinity = std::numeric_limits<double>::infinity();

// By how many units in the last place of the right result something is off.
double units_off(double given, long double right) {
    int exponent = 0;
    std::frexp(static_cast<double>(right), &exponent);
    const double unit = std::ldexp(1.0, std::max(exponent - 53, -1074));
    return static_cast<double>(std::abs(static_cast<long double>(given) - right) / unit);
}

double anywhere(Stream& stream) {
    while (true)
        if (const auto any = std::bit_cast<double>(stream.next64()); std::isfinite(any)) return any;
}

TEST(PortableExp, IsWithinTwoUnits) {
    Stream stream = stream_for(1);
    for (std::uint64_t i = 0; i < test::seeds(100'000); ++i) {
        const double x = (stream.real() - 0.5) * (i % 3 == 0 ? 1480.0 : i % 3 == 1 ? 2.0 : 1e-5);
        if (x > 709.7) continue;
        ASSERT_LE(units_off(portable_exp(x), std::exp(static_cast<long double>(x))), 2.0) << x;
    }
}

TEST(PortableExp, EndsWhereTheRangeDoes) {
    EXPECT_EQ(portable_exp(0.0), 1.0);
    EXPECT_EQ(portable_exp(-infinity), 0.0);
    EXPECT_EQ(portable_exp(-746.0), 0.0);
    EXPECT_EQ(portable_exp(-745.0), 5e-324);
    EXPECT_EQ(portable_exp(infinity), infinity);
    EXPECT_EQ(portable_exp(710.0), infinity);
    EXPECT_LT(portable_exp(709.78), infinity);
    EXPECT_TRUE(std::isnan(portable_exp(std::nan(""))));
}

TEST(PortablePow, IsAsCloseAsItSays) {
    Stream stream = stream_for(2);
    for (std::uint64_t i = 0; i < test::seeds(100'000); ++i) {
        const double x = i % 2 == 0 ? stream.real() : stream.real() * 1e6;
        const double y = (stream.real() - 0.5) * (i % 5 == 0 ? 100.0 : 2.0);
        const long double right = std::pow(static_cast<long double>(x), static_cast<long double>(y));
        if (x == 0.0 || right > 1e300L || right < 1e-300L) continue;
        const double allowed = 0x1.0p-49 * (1.0 + std::abs(y * std::log(x)));
        ASSERT_LE(std::abs(static_cast<double>((portable_pow(x, y) - right) / right)), allowed)
            << x << " to the power of " << y;
    }
}

TEST(PortablePow, KnowsItsSpecialCases) {
    EXPECT_EQ(portable_pow(0.0, 2.0), 0.0);
    EXPECT_EQ(portable_pow(0.0, -2.0), infinity);
    EXPECT_EQ(portable_pow(0.0, 0.0), 1.0);
    EXPECT_EQ(portable_pow(1.0, infinity), 1.0);
    EXPECT_EQ(portable_pow(infinity, 0.5), infinity);
    EXPECT_EQ(portable_pow(infinity, -0.5), 0.0);
    EXPECT_EQ(portable_pow(2.0, 5000.0), infinity);
    EXPECT_EQ(portable_pow(2.0, -5000.0), 0.0);
    EXPECT_TRUE(std::isnan(portable_pow(-1.0, 2.0)));
    EXPECT_TRUE(std::isnan(portable_pow(2.0, std::nan(""))));
}

TEST(PortableSine, IsWithinThreeUnitsEverywhere) {
    Stream stream = stream_for(3);
    for (std::uint64_t i = 0; i < test::seeds(100'000); ++i) {
        const double x = i % 2 == 0 ? (stream.real() - 0.5) * 200.0 : anywhere(stream);
        // The longest of doubles are exact in long doubles, and so is their reduction in libm.
        ASSERT_LE(units_off(portable_sin(x), std::sin(static_cast<long double>(x))), 3.0) << x;
        ASSERT_LE(units_off(portable_cos(x), std::cos(static_cast<long double>(x))), 3.0) << x;
    }
}

TEST(PortableSine, LosesNothingNearMultiplesOfPi) {
    // The double that comes closest to a multiple of π/2 of all (W. Kahan).
    const double closest = std::ldexp(6381956970095103.0, 797);
    EXPECT_LE(units_off(portable_cos(closest), -4.68716592425462761112e-19L), 3.0);
    EXPECT_EQ(portable_sin(closest), 1.0);
    for (int i = 1; i < 1000; ++i) {
        const double x = i * 3.14159265358979323846;
        ASSERT_LE(units_off(portable_sin(x), std::sin(static_cast<long double>(x))), 3.0) << x;
    }
    EXPECT_TRUE(std::isnan(portable_sin(infinity)));
    EXPECT_TRUE(std::isnan(portable_cos(-infinity)));
    EXPECT_TRUE(std::isnan(portable_cos(std::nan(""))));
}

// sin(πx) by what is left of x after half turns, which is exact.
long double sine_of_pi(double x) {
    const long double turn = std::fmod(static_cast<long double>(x), 2.0L);
    const long double quarters = std::round(2.0L * turn);
    const long double rest = (2.0L * turn - quarters) * 1.57079632679489661923132169163975144L;
    switch ((static_cast<int>(quarters) % 4 + 4) % 4) {
    case 0:
        return std::sin(rest);
    case 1:
        return std::cos(rest);
    case 2:
        return -std::sin(rest);
    default:
        return -std::cos(rest);
    }
}

TEST(PortableSinpi, IsWithinTwoUnits) {
    Stream stream = stream_for(4);
    for (std::uint64_t i = 0; i < test::seeds(100'000); ++i) {
        const double x = (stream.real() - 0.5) * (i % 3 == 0 ? 1e9 : i % 3 == 1 ? 4.0 : 1e-3);
        ASSERT_LE(units_off(portable_sinpi(x), sine_of_pi(x)), 2.0) << x;
        if (std::abs(x) < 1e6 && std::abs(x) > 1e-3) { // where x + 1/2 is exact or nearly so
            const double whole = std::ldexp(std::round(std::ldexp(x, 20)), -20);
            ASSERT_LE(units_off(portable_cospi(whole), sine_of_pi(whole + 0.5)), 2.0) << whole;
        }
    }
}

TEST(PortableSinpi, IsExactAtHalfTurns) {
    for (double x = -9.0; x <= 9.0; ++x) {
        EXPECT_EQ(portable_sinpi(x), 0.0) << x;
        EXPECT_EQ(portable_cospi(x), std::fmod(x, 2.0) == 0.0 ? 1.0 : -1.0) << x;
        EXPECT_EQ(portable_cospi(x + 0.5), 0.0) << x;
    }
    EXPECT_EQ(portable_sinpi(1e300), 0.0);
    EXPECT_EQ(portable_cospi(1e300), 1.0);
    EXPECT_EQ(portable_cospi(9007199254740991.0), -1.0);
    EXPECT_TRUE(std::isnan(portable_sinpi(infinity)));
}

} // namespace
} // namespace knossos::portable_math_test
