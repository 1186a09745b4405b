#pragma once

#include <knossos/render/picture.hpp>
#include <knossos/render/terminal.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace knossos::render {

/// One side of a heat map: `bins` of equal width between low and high.
struct HeatAxis {
    std::string name{};
    double low = 0.0;
    double high = 1.0;
    std::size_t bins = 1;
};

/// A value for each bin of two axes, or none.
struct HeatMap {
    std::string title{};
    std::string value_name{}; ///< what the colours say
    HeatAxis x{};
    HeatAxis y{};
    std::vector<double> values{}; ///< x.bins a row, from the lowest y; NaN where there is nothing
    bool higher_wins = true;      ///< which value stands for several bins, where there is no room for each
};

/// The map with a scale below it, in cividis. Where there are few bins, each says its numbers on hover.
Picture heat_map_picture(const HeatMap& map, const Theme& theme = light);

/// The map in characters, at most options.columns wide and about `rows` high, with what they mean below:
/// coloured half blocks, shades of grey without colours, letters of rising weight in plain ASCII.
std::string heat_map_text(const HeatMap& map, const TerminalOptions& options = {}, std::size_t rows = 20);

} // namespace knossos::render
