#pragma once

#include <knossos/render/picture.hpp>
#include <knossos/render/terminal.hpp>

#include <optional>
#include <string>
#include <vector>

namespace knossos::render {

/// One curve. `points` ascend in x.
struct Series {
    std::string name{};
    Colour Theme::* colour = &Theme::aegean;
    std::vector<Point> points{};
    bool steps = false;           ///< holds its value until the next point
    std::vector<double> dashes{}; ///< tells it from its neighbours without colour
    bool dots = false;            ///< a dot at each point instead of a line
};

/// A shaded stretch between two curves: quantiles of many runs.
struct Band {
    Colour Theme::* colour = &Theme::aegean;
    std::vector<Point> upper{};
    std::vector<Point> lower{};
};

/// Curves over one pair of axes, labelled at their ends.
struct Chart {
    std::string title{};
    std::string x_name{};
    std::string y_name{};
    bool log_x = false;
    bool log_y = false;
    std::vector<Series> series{};
    std::vector<Band> bands{};
    std::optional<double> target{}; ///< drawn as a line across
    std::uint32_t width = 720;
    std::uint32_t height = 400;
};

/// Numbers to write along an axis from `low` to `high`: round, evenly spaced (or powers of ten), at most
/// about `most`.
std::vector<double> ticks(double low, double high, bool logarithmic, std::size_t most);

Picture chart_picture(const Chart& chart, const Theme& theme = light);

/// The chart in characters, at most options.columns wide: each series has its own mark, named below.
std::string chart_text(const Chart& chart, const TerminalOptions& options = {}, std::size_t rows = 14);

} // namespace knossos::render
