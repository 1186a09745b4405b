#include <knossos/core/text.hpp>
#include <knossos/render/box_plot.hpp>
#include <knossos/render/chart.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace knossos::render {

namespace {

struct Range {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
};

Range range_of(const BoxPlot& plot) {
    Range range;
    for (const Box& box : plot.boxes)
        for (const double value : {box.least, box.most}) {
            if (!std::isfinite(value) || (plot.log_x && value <= 0.0)) continue;
            range.low = std::min(range.low, value);
            range.high = std::max(range.high, value);
        }
    if (range.low > range.high) return plot.log_x ? Range{1.0, 10.0} : Range{0.0, 1.0};
    if (range.low == range.high) range.high = plot.log_x ? range.low * 10.0 : range.low + 1.0;
    return range;
}

} // namespace

Picture box_plot_picture(const BoxPlot& plot, const Theme& theme) {
    constexpr double text = 12.0;
    constexpr double row = 34.0;
    constexpr double half = 9.0;
    std::size_t longest = 4;
    std::size_t longest_note = 0;
    for (const Box& box : plot.boxes) {
        longest = std::max(longest, box.name.size());
        longest_note = std::max(longest_note, box.note.size());
    }
    const double left = 24.0 + 7.0 * static_cast<double>(longest);
    const double right = static_cast<double>(plot.width) - 24.0 - 6.6 * static_cast<double>(longest_note);
    const double top = plot.title.empty() ? 12.0 : 40.0;
    const double bottom = top + row * static_cast<double>(std::max<std::size_t>(plot.boxes.size(), 1));
    Picture picture{.width = plot.width,
                    .height = static_cast<std::uint32_t>(bottom + 52.0),
                    .ground = theme.ground,
                    .title = plot.title,
                    .description = "box plot over " + plot.x_name};
    if (!plot.title.empty())
        picture.shapes.emplace_back(Label{{12.0, 20.0}, plot.title, 15.0, theme.ink, Anchor::start});
    const Range range = range_of(plot);
    const auto x_of = [&](double value) {
        const double share =
            plot.log_x ? std::log(std::max(value, range.low) / range.low) / std::log(range.high / range.low)
                       : (value - range.low) / (range.high - range.low);
        return left + (right - left) * std::clamp(share, 0.0, 1.0);
    };
    const auto line = [&](Point from, Point to, Colour colour, double width) {
        picture.shapes.emplace_back(
            Stroke{.path = Path{}.move_to(from).line_to(to), .colour = colour, .width = width});
    };
    for (const double tick : ticks(range.low, range.high, plot.log_x, 7)) {
        const double x = x_of(tick);
        line({x, top}, {x, bottom}, with_opacity(theme.quiet, 0.25), 1.0);
        picture.shapes.emplace_back(
            Label{{x, bottom + 14.0}, short_number(tick), text, theme.quiet, Anchor::middle});
    }
    picture.shapes.emplace_back(
        Label{{(left + right) / 2.0, bottom + 34.0}, plot.x_name, text, theme.quiet, Anchor::middle});
    for (std::size_t i = 0; i < plot.boxes.size(); ++i) {
        const Box& box = plot.boxes[i];
        const double y = top + row * (static_cast<double>(i) + 0.5);
        picture.shapes.emplace_back(Label{{left - 12.0, y}, box.name, text, theme.ink, Anchor::end});
        if (!box.note.empty())
            picture.shapes.emplace_back(Label{{right + 12.0, y}, box.note, 11.0, theme.quiet, Anchor::start});
        const std::array<double, 5> values{box.least, box.lower_quartile, box.median, box.upper_quartile,
                                           box.most};
        if (!std::ranges::all_of(values, [](double x) { return std::isfinite(x); })) continue;
        const Colour colour = theme.*box.colour;
        line({x_of(box.least), y}, {x_of(box.lower_quartile), y}, colour, 1.5);
        line({x_of(box.upper_quartile), y}, {x_of(box.most), y}, colour, 1.5);
        for (const double end : {box.least, box.most})
            line({x_of(end), y - half / 2.0}, {x_of(end), y + half / 2.0}, colour, 1.5);
        const double from = x_of(box.lower_quartile);
        const double width = std::max(1.0, x_of(box.upper_quartile) - from);
        picture.shapes.emplace_back(Rectangle{
            .corner = {from, y - half},
            .width = width,
            .height = 2.0 * half,
            .colour = with_opacity(colour, 0.25),
            .hover = fmt::format("{}: median {}, quartiles {} and {}", box.name, short_number(box.median),
                                 short_number(box.lower_quartile), short_number(box.upper_quartile))});
        line({x_of(box.median), y - half}, {x_of(box.median), y + half}, colour, 3.0);
    }
    return picture;
}

} // namespace knossos::render
