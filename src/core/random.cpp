#include <knossos/core/random.hpp>

#include <array>

namespace knossos {

namespace {

// ln c for the table below, c in [0.6875, 1.375]: 2 artanh(s), s = (c − 1)/(c + 1), |s| < 0.186.
constexpr double series_log(double c) {
    const double s = (c - 1.0) / (c + 1.0);
    const double z = s * s;
    double series = 0.0;
    for (int power = 25; power > 0; power -= 2) series = series * z + 1.0 / power;
    return 2.0 * s * series;
}

struct Anchor {
    double at;
    double inverse;
    double logarithm;
};

constexpr double first_anchor = 0.6875;
constexpr double anchors_per_unit = 128.0; // 1 is one of them, so that logarithms near 0 keep their digits

constexpr auto anchors = [] {
    std::array<Anchor, 89> table{};
    for (std::size_t i = 0; i < table.size(); ++i) {
        const double at = first_anchor + static_cast<double>(i) / anchors_per_unit;
        table[i] = {at, 1.0 / at, series_log(at)};
    }
    return table;
}();

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

Skips::Skips(double probability) : inverse_log_failure_{0.0}, always_{probability >= 1.0} {
    // ln(1 − p) loses the digits of a tiny p; its series keeps them.
    if (probability < 1.0e-6)
        inverse_log_failure_ = -1.0 / (probability + probability * probability / 2.0);
    else if (!always_)
        inverse_log_failure_ = 1.0 / portable_log(1.0 - probability);
}

void StreamsAhead::compute(std::size_t slot) {
    if (blocks_ == 0) return;
    const std::size_t slots = computed_.size() / blocks_;
    std::size_t filled = 0;
    for (std::size_t i = 0; i < slots; ++i)
        for (std::uint32_t index = 0; index < blocks_; ++index)
            computed_[filled++] = {index, static_cast<std::uint32_t>(slot + i),
                                   static_cast<std::uint32_t>(streams_.generation),
                                   static_cast<std::uint32_t>(streams_.generation >> 32U)};
    philox4x32_each(streams_.key, std::span{computed_}.first(filled));
    streams_.ahead = std::span{computed_}.first(filled);
    streams_.ahead_first = slot;
    streams_.ahead_blocks = blocks_;
}

} // namespace knossos
