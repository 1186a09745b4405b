#pragma once

#include <knossos/render/picture.hpp>

#include <string>
#include <vector>

namespace knossos::render {

/// One sample: a box from quartile to quartile, the median across it, whiskers to the least and the most.
struct Box {
    std::string name{};
    Colour Theme::* colour = &Theme::aegean;
    double least = 0.0;
    double lower_quartile = 0.0;
    double median = 0.0;
    double upper_quartile = 0.0;
    double most = 0.0;
    std::string note{}; ///< stands behind the box, such as how many runs are not in it
};

/// Boxes lying one below the other, with their names to the left, over one axis.
struct BoxPlot {
    std::string title{};
    std::string x_name{};
    bool log_x = false;
    std::vector<Box> boxes{};
    std::uint32_t width = 720;
};

Picture box_plot_picture(const BoxPlot& plot, const Theme& theme = light);

} // namespace knossos::render
