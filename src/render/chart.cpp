#include <knossos/core/text.hpp>
#include <knossos/render/chart.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace knossos::render {

namespace {

// One axis: from data to 0..1, whatever the data: what is not a number lies at its beginning.
struct Axis {
    double low = 0.0;
    double high = 1.0;
    bool logarithmic = false;

    [[nodiscard]] double share(double value) const {
        // In halves, as the distance from the least number to the greatest is none.
        const double raw = logarithmic ? std::log(std::max(value, low) / low) / std::log(high / low)
                                       : (value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0);
        return raw >= 0.0 ? std::min(raw, 1.0) : 0.0;
    }
};

Axis fit_axis(const std::vector<double>& values, bool logarithmic) {
    Axis axis{.low = std::numeric_limits<double>::infinity(),
              .high = -std::numeric_limits<double>::infinity(),
              .logarithmic = logarithmic};
    for (const double value : values) {
        if (!std::isfinite(value) || (logarithmic && value <= 0.0)) continue;
        axis.low = std::min(axis.low, value);
        axis.high = std::max(axis.high, value);
    }
    if (axis.low > axis.high)
        return {.low = logarithmic ? 1.0 : 0.0, .high = logarithmic ? 10.0 : 1.0, .logarithmic = logarithmic};
    if (axis.low == axis.high)
        axis.high = std::min(std::numeric_limits<double>::max(),
                             logarithmic ? axis.low * 10.0 : axis.low + std::max(1.0, std::abs(axis.low)));
    return axis;
}

struct Axes {
    Axis x;
    Axis y;
};

Axes fit_axes(const Chart& chart) {
    std::vector<double> x;
    std::vector<double> y;
    const auto take = [&](const std::vector<Point>& points) {
        for (const Point& point : points) {
            x.push_back(point.x);
            y.push_back(point.y);
        }
    };
    for (const Series& series : chart.series) take(series.points);
    for (const Band& band : chart.bands) {
        take(band.upper);
        take(band.lower);
    }
    if (chart.target) y.push_back(*chart.target);
    return {fit_axis(x, chart.log_x), fit_axis(y, chart.log_y)};
}

// Where the curves are drawn; labels stand left, below and right of it.
struct Frame {
    Axes axes;
    double left = 64.0;
    double top = 40.0;
    double right = 0.0;
    double bottom = 0.0;

    [[nodiscard]] Point place(Point data) const {
        return {left + (right - left) * axes.x.share(data.x), bottom - (bottom - top) * axes.y.share(data.y)};
    }
};

// The points that can be told apart at this width, as places; the first and last always among them.
std::vector<Point> places(const Frame& frame, const Series& series) {
    std::vector<Point> line;
    for (std::size_t i = 0; i < series.points.size(); ++i) {
        const Point place = frame.place(series.points[i]);
        const bool last = i + 1 == series.points.size();
        if (!line.empty() && !last && std::abs(place.x - line.back().x) < 0.5 &&
            std::abs(place.y - line.back().y) < 0.5)
            continue;
        if (series.steps && !line.empty()) line.push_back({place.x, line.back().y});
        line.push_back(place);
    }
    return line;
}

void add_axes(const Chart& chart, const Frame& frame, const Theme& theme, Picture& picture) {
    constexpr double text = 12.0;
    const Colour faint = with_opacity(theme.quiet, 0.25);
    for (const double tick : ticks(frame.axes.y.low, frame.axes.y.high, chart.log_y, 8)) {
        const double y = frame.place({frame.axes.x.low, tick}).y;
        picture.shapes.emplace_back(
            Stroke{.path = Path{}.move_to({frame.left, y}).line_to({frame.right, y}), .colour = faint});
        picture.shapes.emplace_back(
            Label{{frame.left - 8.0, y}, short_number(tick), text, theme.quiet, Anchor::end});
    }
    for (const double tick : ticks(frame.axes.x.low, frame.axes.x.high, chart.log_x, 7)) {
        const double x = frame.place({tick, frame.axes.y.low}).x;
        picture.shapes.emplace_back(
            Stroke{.path = Path{}.move_to({x, frame.bottom}).line_to({x, frame.bottom + 5.0}),
                   .colour = theme.quiet});
        picture.shapes.emplace_back(
            Label{{x, frame.bottom + 16.0}, short_number(tick), text, theme.quiet, Anchor::middle});
    }
    picture.shapes.emplace_back(
        Stroke{.path = Path{}.move_to({frame.left, frame.bottom}).line_to({frame.right, frame.bottom}),
               .colour = theme.quiet});
    picture.shapes.emplace_back(Label{{(frame.left + frame.right) / 2.0, frame.bottom + 36.0},
                                      chart.x_name,
                                      text,
                                      theme.quiet,
                                      Anchor::middle});
    picture.shapes.emplace_back(
        Label{{frame.left, frame.top - 10.0}, chart.y_name, text, theme.quiet, Anchor::start});
}

// Labels at the ends of the curves, pushed apart where the ends lie close together.
void add_end_labels(std::vector<Label> labels, Picture& picture) {
    constexpr double apart = 15.0;
    std::ranges::stable_sort(labels, {}, [](const Label& label) { return label.place.y; });
    for (std::size_t i = 1; i < labels.size(); ++i)
        labels[i].place.y = std::max(labels[i].place.y, labels[i - 1].place.y + apart);
    // Where that runs off the picture, they make room upwards.
    double lowest = static_cast<double>(picture.height) - 10.0;
    for (auto label = labels.rbegin(); label != labels.rend(); ++label, lowest -= apart)
        label->place.y = std::min(label->place.y, lowest);
    for (Label& label : labels) picture.shapes.emplace_back(std::move(label));
}

} // namespace

std::vector<double> ticks(double low, double high, bool logarithmic, std::size_t most) {
    std::vector<double> found;
    if (logarithmic) {
        const double decades = std::log10(high / low);
        const double step = std::max(1.0, std::ceil(decades / static_cast<double>(most)));
        // NOLINTNEXTLINE(clang-analyzer-security.FloatLoopCounter): the bound forgives what rounding adds up
        for (double power = std::ceil(std::log10(low) - 1e-9); power <= std::log10(high) + 1e-9;
             power += step)
            found.push_back(std::pow(10.0, power));
        if (found.size() >= 2) return found;
        found.clear();
    }
    const double rough = (high - low) / static_cast<double>(most);
    const double scale = std::pow(10.0, std::floor(std::log10(rough)));
    double step = 10.0 * scale;
    for (const double nice : {5.0, 2.0, 1.0})
        if (nice * scale >= rough) step = nice * scale;
    double last = -std::numeric_limits<double>::infinity();
    // Numbers that differ in their last digits only, or by more than there are, have no ticks between them.
    // NOLINTNEXTLINE(clang-analyzer-security.FloatLoopCounter): as above
    for (double tick = std::ceil(low / step - 1e-9) * step; tick <= high + step * 1e-9 && tick > last;
         tick += step) {
        found.push_back(std::abs(tick) < step * 1e-9 ? 0.0 : tick);
        last = tick;
    }
    return found;
}

Picture chart_picture(const Chart& chart, const Theme& theme) {
    Picture picture{.width = chart.width,
                    .height = chart.height,
                    .ground = theme.ground,
                    .title = chart.title,
                    .description = chart.y_name + " over " + chart.x_name};
    std::size_t longest = 4;
    for (const Series& series : chart.series) longest = std::max(longest, series.name.size());
    Frame frame{.axes = fit_axes(chart)};
    frame.top = chart.title.empty() ? 32.0 : 56.0;
    frame.right = static_cast<double>(chart.width) - 20.0 - 7.2 * static_cast<double>(longest);
    frame.bottom = static_cast<double>(chart.height) - 52.0;
    if (!chart.title.empty())
        picture.shapes.emplace_back(Label{{frame.left, 20.0}, chart.title, 15.0, theme.ink, Anchor::start});
    add_axes(chart, frame, theme, picture);
    for (const Band& band : chart.bands) {
        std::vector<Point> outline;
        for (const Point& point : band.upper) outline.push_back(frame.place(point));
        for (auto point = band.lower.rbegin(); point != band.lower.rend(); ++point)
            outline.push_back(frame.place(*point));
        picture.shapes.emplace_back(
            Fill{.path = Path{}.add_lines(outline, true), .colour = with_opacity(theme.*band.colour, 0.18)});
    }
    std::vector<Label> labels;
    if (chart.target) {
        const double y = frame.place({frame.axes.x.low, *chart.target}).y;
        picture.shapes.emplace_back(Stroke{.path = Path{}.move_to({frame.left, y}).line_to({frame.right, y}),
                                           .colour = theme.olive,
                                           .width = 1.5,
                                           .dashes = {2.0, 4.0}});
        labels.push_back({{frame.right + 8.0, y}, "target", 12.0, theme.olive, Anchor::start});
    }
    for (const Series& series : chart.series) {
        if (series.points.empty()) continue;
        if (series.dots) {
            for (const Point& point : series.points)
                picture.shapes.emplace_back(
                    Disc{.centre = frame.place(point), .radius = 3.5, .colour = theme.*series.colour});
            continue;
        }
        const auto line = places(frame, series);
        picture.shapes.emplace_back(Stroke{.path = Path{}.add_lines(line),
                                           .colour = theme.*series.colour,
                                           .width = 2.0,
                                           .dashes = series.dashes});
        labels.push_back(
            {{line.back().x + 8.0, line.back().y}, series.name, 12.0, theme.*series.colour, Anchor::start});
    }
    add_end_labels(std::move(labels), picture);
    return picture;
}

std::string chart_text(const Chart& chart, const TerminalOptions& options, std::size_t rows) {
    constexpr std::size_t margin = 10;
    const std::size_t width = std::max<std::size_t>(options.columns, 30) - margin - 2;
    const Axes axes = fit_axes(chart);
    // Which series stands in each cell; later ones lie on earlier ones.
    std::vector<int> cells(rows * width, -1);
    const auto cell = [&](double x_share, double y_share) -> int& {
        const auto column =
            std::min(width - 1, static_cast<std::size_t>(x_share * static_cast<double>(width)));
        const auto row =
            std::min(rows - 1, static_cast<std::size_t>((1.0 - y_share) * static_cast<double>(rows)));
        return cells[row * width + column];
    };
    for (std::size_t s = chart.series.size(); s-- > 0;)
        for (const Point& point : chart.series[s].points)
            cell(axes.x.share(point.x), axes.y.share(point.y)) = static_cast<int>(s);
    constexpr std::array<const char*, 3> unicode_marks{"●", "○", "·"};
    constexpr std::array<const char*, 3> ascii_marks{"*", "o", "."};
    const auto& marks = options.unicode ? unicode_marks : ascii_marks;
    const auto mark = [&](int series) {
        return foreground(options.theme.*chart.series[static_cast<std::size_t>(series)].colour,
                          options.colours) +
               marks[static_cast<std::size_t>(series) % marks.size()] + plain(options.colours);
    };
    std::string text = fmt::format("{:>{}} {}\n", "", margin, chart.y_name);
    for (std::size_t row = 0; row < rows; ++row) {
        const double share = 1.0 - (static_cast<double>(row) + 0.5) / static_cast<double>(rows);
        const double value = chart.log_y ? axes.y.low * std::pow(axes.y.high / axes.y.low, share)
                                         : std::lerp(axes.y.low, axes.y.high, share);
        text +=
            row % 4 == 0 ? fmt::format("{:>{}} ", short_number(value), margin - 1) : std::string(margin, ' ');
        text += options.unicode ? "│" : "|";
        for (std::size_t column = 0; column < width; ++column) {
            const int series = cells[row * width + column];
            text += series < 0 ? " " : mark(series);
        }
        while (text.ends_with(' ')) text.pop_back();
        text += "\n";
    }
    const std::string low = short_number(axes.x.low);
    const std::string high = short_number(axes.x.high);
    text += fmt::format("{:>{}} {}{:>{}}\n", "", margin, low, fmt::format("{} {}", high, chart.x_name),
                        width > low.size() ? width - low.size() : 0);
    std::string legend;
    for (std::size_t s = 0; s < chart.series.size(); ++s)
        legend += fmt::format("{}{} {}", legend.empty() ? "" : "   ", mark(static_cast<int>(s)),
                              chart.series[s].name);
    // One that has no name needs none.
    if (chart.series.size() == 1 && chart.series.front().name.empty()) return text;
    return text + fmt::format("{:>{}} {}\n", "", margin, legend);
}

} // namespace knossos::render
