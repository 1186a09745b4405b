#pragma once

#include <array>
#include <cstddef>

/// What the portable functions look up: for one number at a time and for vectors of them.
namespace knossos::detail {

// Adding this rounds a number below 2⁵¹ to the nearest whole one, which then stands in the low bits.
constexpr double to_whole = 0x1.8p52;

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

// What vectors gather, one after the other.
constexpr auto anchor_inverses = [] {
    std::array<double, anchors.size()> table{};
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = anchors[i].inverse;
    return table;
}();
constexpr auto anchor_logarithms = [] {
    std::array<double, anchors.size()> table{};
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = anchors[i].logarithm;
    return table;
}();

// 2^(i/32), each rounded once.
constexpr std::array<double, 32> roots_of_two{
    0x1.0000000000000p+0, 0x1.059b0d3158574p+0, 0x1.0b5586cf9890fp+0, 0x1.11301d0125b51p+0,
    0x1.172b83c7d517bp+0, 0x1.1d4873168b9aap+0, 0x1.2387a6e756238p+0, 0x1.29e9df51fdee1p+0,
    0x1.306fe0a31b715p+0, 0x1.371a7373aa9cbp+0, 0x1.3dea64c123422p+0, 0x1.44e086061892dp+0,
    0x1.4bfdad5362a27p+0, 0x1.5342b569d4f82p+0, 0x1.5ab07dd485429p+0, 0x1.6247eb03a5585p+0,
    0x1.6a09e667f3bcdp+0, 0x1.71f75e8ec5f74p+0, 0x1.7a11473eb0187p+0, 0x1.82589994cce13p+0,
    0x1.8ace5422aa0dbp+0, 0x1.93737b0cdc5e5p+0, 0x1.9c49182a3f090p+0, 0x1.a5503b23e255dp+0,
    0x1.ae89f995ad3adp+0, 0x1.b7f76f2fb5e47p+0, 0x1.c199bdd85529cp+0, 0x1.cb720dcef9069p+0,
    0x1.d5818dcfba487p+0, 0x1.dfc97337b9b5fp+0, 0x1.ea4afa2a490dap+0, 0x1.f50765b6e4540p+0};

} // namespace knossos::detail
