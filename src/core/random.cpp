#include <knossos/core/random.hpp>

namespace knossos {

double portable_log(double x) {
    // x = m · 2^e with m in [√½, √2); ln m = 2 artanh(s), s = (m − 1)/(m + 1), |s| < 0.172.
    auto bits = std::bit_cast<std::uint64_t>(x);
    int exponent = 0;
    if (bits < 0x0010000000000000U) { // subnormal
        bits = std::bit_cast<std::uint64_t>(x * 0x1.0p54);
        exponent = -54;
    }
    exponent += static_cast<int>(bits >> 52U) - 1023;
    double m = std::bit_cast<double>((bits & 0x000FFFFFFFFFFFFFU) | 0x3FF0000000000000U);
    if (m > 1.4142135623730951) {
        m *= 0.5;
        ++exponent;
    }
    const double s = (m - 1.0) / (m + 1.0);
    const double z = s * s;
    double series = 1.0 / 19.0;
    series = series * z + 1.0 / 17.0;
    series = series * z + 1.0 / 15.0;
    series = series * z + 1.0 / 13.0;
    series = series * z + 1.0 / 11.0;
    series = series * z + 1.0 / 9.0;
    series = series * z + 1.0 / 7.0;
    series = series * z + 1.0 / 5.0;
    series = series * z + 1.0 / 3.0;
    series = series * z + 1.0;
    return static_cast<double>(exponent) * 0.6931471805599453 + 2.0 * s * series;
}

Skips::Skips(double probability) : inverse_log_failure_{0.0}, always_{probability >= 1.0} {
    // ln(1 − p) loses the digits of a tiny p; its series keeps them.
    if (probability < 1.0e-6)
        inverse_log_failure_ = -1.0 / (probability + probability * probability / 2.0);
    else if (!always_)
        inverse_log_failure_ = 1.0 / portable_log(1.0 - probability);
}

} // namespace knossos
