#include <knossos/core/text.hpp>
#include <knossos/render/chart.hpp>
#include <knossos/render/heat_map.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace knossos::render {

namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

struct Span {
    double low = 0.0;
    double high = 0.0;
    bool is_empty = true;

    [[nodiscard]] double share(double value) const {
        return high > low ? (value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0) : 1.0;
    }
};

Span span_of(const HeatMap& map) {
    Span range;
    for (const double value : map.values) {
        if (!std::isfinite(value)) continue;
        range.low = range.is_empty ? value : std::min(range.low, value);
        range.high = range.is_empty ? value : std::max(range.high, value);
        range.is_empty = false;
    }
    return range;
}

// How many bins go into one, so that at most so many are left.
std::size_t bundled(std::size_t bins, std::size_t most) {
    return (bins + most - 1) / std::max<std::size_t>(most, 1);
}

// The same map with several bins in one, each shown by the value that wins.
HeatMap bundle(const HeatMap& map, std::size_t most_x, std::size_t most_y) {
    const std::size_t by_x = bundled(map.x.bins, most_x);
    const std::size_t by_y = bundled(map.y.bins, most_y);
    HeatMap less = map;
    less.x.bins = (map.x.bins + by_x - 1) / by_x;
    less.y.bins = (map.y.bins + by_y - 1) / by_y;
    const auto grown = [](const HeatAxis& axis, std::size_t by, std::size_t bins) {
        return axis.low +
               (axis.high - axis.low) / static_cast<double>(axis.bins) * static_cast<double>(by * bins);
    };
    less.x.high = grown(map.x, by_x, less.x.bins);
    less.y.high = grown(map.y, by_y, less.y.bins);
    less.values.assign(less.x.bins * less.y.bins, no_value);
    for (std::size_t y = 0; y < map.y.bins; ++y)
        for (std::size_t x = 0; x < map.x.bins; ++x) {
            const double value = map.values[y * map.x.bins + x];
            double& kept = less.values[y / by_y * less.x.bins + x / by_x];
            if (!std::isfinite(value)) continue;
            if (!std::isfinite(kept) || (map.higher_wins ? value > kept : value < kept)) kept = value;
        }
    return less;
}

// Numbers as people write them along an axis.
std::string tick_text(double value) {
    return std::abs(value) < 1e15 && value == std::floor(value) ? fmt::format("{:.0f}", value)
                                                                : fmt::format("{:.3g}", value);
}

std::string bin_text(const HeatAxis& axis, std::size_t bin) {
    const double width = (axis.high - axis.low) / static_cast<double>(axis.bins);
    const double low = axis.low + width * static_cast<double>(bin);
    return fmt::format("{} {}..{}", axis.name, tick_text(low), tick_text(low + width));
}

constexpr std::size_t tones = 64;

std::size_t tone_of(const Span& range, double value) {
    return std::min(static_cast<std::size_t>(range.share(value) * tones), tones - 1);
}

Colour colour_of(std::size_t shade) { return cividis(static_cast<double>(shade) / (tones - 1)); }

struct Plot {
    double left = 62.0;
    double top = 44.0;
    double cell_width = 1.0;
    double cell_height = 1.0;
    double width = 0.0;
    double height = 0.0;

    [[nodiscard]] Point corner(std::size_t x, std::size_t y) const {
        return {left + cell_width * static_cast<double>(x),
                top + height - cell_height * static_cast<double>(y + 1)};
    }
};

// Whole pixels, so that cells that touch leave no seam.
Plot plot_of(const HeatMap& map) {
    constexpr double wanted_width = 560.0;
    constexpr double wanted_height = 400.0;
    Plot plot;
    plot.cell_width = std::max(1.0, std::floor(wanted_width / static_cast<double>(map.x.bins)));
    plot.cell_height = std::max(1.0, std::floor(wanted_height / static_cast<double>(map.y.bins)));
    // However few there are, names and numbers beside them need room.
    constexpr double least_width = 240.0;
    constexpr double least_height = 80.0;
    plot.cell_width =
        std::max(std::min(plot.cell_width, 40.0), std::floor(least_width / static_cast<double>(map.x.bins)));
    plot.cell_height = std::max(std::min(plot.cell_height, 40.0),
                                std::floor(least_height / static_cast<double>(map.y.bins)));
    plot.width = plot.cell_width * static_cast<double>(map.x.bins);
    plot.height = plot.cell_height * static_cast<double>(map.y.bins);
    return plot;
}

void add_cells(Picture& picture, const HeatMap& map, const Span& range, const Plot& plot) {
    constexpr std::size_t most_told = 2'500; // a rectangle each makes an SVG large
    const auto filled = std::ranges::count_if(map.values, [](double value) { return std::isfinite(value); });
    const bool is_told = static_cast<std::size_t>(filled) <= most_told;
    std::vector<Path> paths(tones);
    for (std::size_t y = 0; y < map.y.bins; ++y)
        for (std::size_t x = 0; x < map.x.bins;) {
            const double value = map.values[y * map.x.bins + x];
            std::size_t end = x + 1;
            if (std::isfinite(value)) {
                const std::size_t shade = tone_of(range, value);
                while (!is_told && end < map.x.bins && std::isfinite(map.values[y * map.x.bins + end]) &&
                       tone_of(range, map.values[y * map.x.bins + end]) == shade)
                    ++end;
                const double width = plot.cell_width * static_cast<double>(end - x);
                if (is_told)
                    picture.shapes.emplace_back(Rectangle{
                        .corner = plot.corner(x, y),
                        .width = width,
                        .height = plot.cell_height,
                        .colour = colour_of(shade),
                        .hover = fmt::format("{}, {}: {} {}", bin_text(map.x, x), bin_text(map.y, y),
                                             map.value_name, tick_text(value))});
                else
                    paths[shade].add_rectangle(plot.corner(x, y), width, plot.cell_height);
            }
            x = end;
        }
    for (std::size_t shade = 0; shade < tones; ++shade)
        if (!paths[shade].empty())
            picture.shapes.emplace_back(Fill{.path = std::move(paths[shade]), .colour = colour_of(shade)});
}

// Numbers are drawn as lines, so that PNG has them too.
void add_number(Picture& picture, double value, Point place, Anchor anchor, const Theme& theme) {
    picture.shapes.emplace_back(
        Stroke{.path = digits(tick_text(value), place, 9.0, anchor), .colour = theme.quiet, .width = 1.2});
}

// Round numbers within an axis. Between whole ones only if the bins are narrower than that.
std::vector<double> ticks_of(const HeatAxis& axis, std::size_t most) {
    const double step = (axis.high - axis.low) / static_cast<double>(axis.bins);
    const bool whole = step == std::floor(step) && axis.low == std::floor(axis.low);
    std::vector<double> some = ticks(axis.low, axis.high, false, most);
    for (double& tick : some) // sums of tenths are not quite whole
        if (std::abs(tick - std::round(tick)) < 1e-9) tick = std::round(tick);
    std::erase_if(some, [&](double tick) {
        return tick < axis.low || tick > axis.high || (whole && tick != std::floor(tick));
    });
    return some;
}

void add_sides(Picture& picture, const HeatMap& map, const Plot& plot, const Theme& theme) {
    const double bottom = plot.top + plot.height;
    picture.shapes.emplace_back(Stroke{.path = Path{}
                                                   .move_to({plot.left - 2.0, plot.top})
                                                   .line_to({plot.left - 2.0, bottom + 2.0})
                                                   .line_to({plot.left + plot.width, bottom + 2.0}),
                                       .colour = theme.quiet,
                                       .width = 1.0,
                                       .ends = LineEnd::flat});
    for (const double tick : ticks_of(map.x, 8)) {
        const double x = plot.left + plot.width * (tick - map.x.low) / (map.x.high - map.x.low);
        add_number(picture, tick, {x, bottom + 14.0}, Anchor::middle, theme);
    }
    for (const double tick : ticks_of(map.y, 7)) {
        const double y = bottom - plot.height * (tick - map.y.low) / (map.y.high - map.y.low);
        add_number(picture, tick, {plot.left - 8.0, y}, Anchor::end, theme);
    }
    const auto label = [&](std::string text, Point place, double size, Anchor anchor, Colour colour) {
        picture.shapes.emplace_back(
            Label{.place = place, .text = std::move(text), .size = size, .colour = colour, .anchor = anchor});
    };
    label(map.title, {plot.left, 14.0}, 15.0, Anchor::start, theme.ink);
    label(map.y.name, {plot.left - 8.0, 33.0}, 12.0, Anchor::start, theme.quiet);
    label(map.x.name, {plot.left + plot.width, bottom + 30.0}, 12.0, Anchor::end, theme.quiet);
}

void add_legend(Picture& picture, const HeatMap& map, const Span& range, const Plot& plot,
                const Theme& theme) {
    const double y = plot.top + plot.height + 44.0;
    const double width = std::min(240.0, plot.width);
    for (std::size_t i = 0; i < tones; ++i)
        picture.shapes.emplace_back(
            Rectangle{.corner = {plot.left + width * static_cast<double>(i) / tones, y},
                      .width = width / tones + (i + 1 < tones ? 0.5 : 0.0), // no seams
                      .height = 10.0,
                      .colour = colour_of(i)});
    add_number(picture, range.low, {plot.left, y + 20.0}, Anchor::start, theme);
    if (range.high > range.low)
        add_number(picture, range.high, {plot.left + width, y + 20.0}, Anchor::end, theme);
    picture.shapes.emplace_back(Label{.place = {plot.left + width + 10.0, y + 5.0},
                                      .text = map.value_name,
                                      .size = 12.0,
                                      .colour = theme.quiet,
                                      .anchor = Anchor::start});
}

// Signs of rising weight, for those who have no colours.
struct Signs {
    std::vector<std::string> steps;
    std::string empty;
};

Signs signs_of(bool unicode) {
    if (unicode) return {.steps = {"░", "▒", "▓", "█"}, .empty = " "};
    return {.steps = {".", ":", "+", "*", "#"}, .empty = " "};
}

std::string sign_for(const Signs& signs, const Span& range, double value) {
    if (!std::isfinite(value)) return signs.empty;
    const auto count = static_cast<double>(signs.steps.size());
    return signs
        .steps[std::min(static_cast<std::size_t>(range.share(value) * count), signs.steps.size() - 1)];
}

// Two rows of the map in one of the terminal: the upper half is the foreground.
std::string coloured_row(const HeatMap& map, const Span& range, std::size_t upper, ColourDepth depth) {
    std::string row;
    const auto at = [&](std::size_t x, std::size_t y) {
        return y < map.y.bins ? map.values[y * map.x.bins + x] : no_value;
    };
    const auto colour = [&](double value) { return colour_of(tone_of(range, value)); };
    for (std::size_t x = 0; x < map.x.bins; ++x) {
        const double above = at(x, upper);
        const double below = upper > 0 ? at(x, upper - 1) : no_value;
        const bool has_above = std::isfinite(above);
        const bool has_below = std::isfinite(below);
        row += plain(depth);
        if (has_above && has_below)
            row += foreground(colour(above), depth) + background(colour(below), depth) + "▀";
        else if (has_above)
            row += foreground(colour(above), depth) + "▀";
        else if (has_below)
            row += foreground(colour(below), depth) + "▄";
        else
            row += " ";
    }
    return row + plain(depth);
}

std::string legend_text(const HeatMap& map, const Span& range, const TerminalOptions& options,
                        bool coloured) {
    std::string text = fmt::format("  {}: {} ", map.value_name, tick_text(range.low));
    if (coloured)
        for (std::size_t i = 0; i < 24; ++i)
            text += foreground(colour_of(i * (tones - 1) / 23), options.colours) + "█" +
                    (i == 23 ? plain(options.colours) : "");
    else
        for (const std::string& sign : signs_of(options.unicode).steps) text += sign;
    return text + fmt::format(" {}\n", tick_text(range.high));
}

} // namespace

Picture heat_map_picture(const HeatMap& given, const Theme& theme) {
    const HeatMap map = bundle(given, 280, 200);
    const Span range = span_of(map);
    const Plot plot = plot_of(map);
    const auto filled =
        std::ranges::count_if(given.values, [](double value) { return std::isfinite(value); });
    Picture picture{.width = static_cast<std::uint32_t>(plot.left + std::max(plot.width, 240.0) + 110.0),
                    .height = static_cast<std::uint32_t>(plot.top + plot.height + 80.0),
                    .ground = theme.ground,
                    .title = given.title,
                    .description =
                        fmt::format("{} by {} and {}: {} of {} cells hold something", given.value_name,
                                    given.x.name, given.y.name, filled, given.values.size())};
    add_cells(picture, map, range, plot);
    add_sides(picture, map, plot, theme);
    if (!range.is_empty) add_legend(picture, map, range, plot, theme);
    return picture;
}

std::string heat_map_text(const HeatMap& given, const TerminalOptions& options, std::size_t rows) {
    constexpr std::size_t indent = 9; // for the numbers of the upright axis
    const bool coloured = options.colours != ColourDepth::none && options.unicode;
    const std::size_t columns = std::max<std::size_t>(options.columns, indent + 11) - indent - 1;
    const HeatMap map = bundle(given, columns, coloured ? 2 * rows : rows);
    const Span range = span_of(map);
    const Signs signs = signs_of(options.unicode);
    std::string text = fmt::format("  {}\n", map.y.name);
    const std::size_t per_line = coloured ? 2 : 1;
    const std::size_t lines = (map.y.bins + per_line - 1) / per_line;
    const double height = (map.y.high - map.y.low) / static_cast<double>(map.y.bins);
    for (std::size_t line = 0; line < lines; ++line) {
        const std::size_t from_below = lines - 1 - line;
        const bool is_numbered = from_below % 4 == 0 || line == 0;
        const double low = map.y.low + height * static_cast<double>(from_below * per_line);
        text += fmt::format("{:>{}} {}", is_numbered ? tick_text(low) : "", indent - 2,
                            options.unicode ? "│" : "|");
        if (coloured)
            text += coloured_row(map, range, from_below * 2 + 1, options.colours);
        else {
            std::string row;
            for (std::size_t x = 0; x < map.x.bins; ++x)
                row += sign_for(signs, range, map.values[from_below * map.x.bins + x]);
            row.erase(row.find_last_not_of(' ') + 1);
            text += row;
        }
        text += "\n";
    }
    const std::string_view dash = options.unicode ? "─" : "-";
    text += fmt::format("{:>{}} {}", "", indent - 2, options.unicode ? "└" : "+");
    for (std::size_t x = 0; x < map.x.bins; ++x) text += dash;
    const std::string low = tick_text(map.x.low);
    const std::string high = fmt::format("{} {}", map.x.name, tick_text(map.x.high));
    const std::size_t room = std::max(map.x.bins, low.size() + 2 + high.size());
    text += fmt::format("\n{:>{}}{}{:>{}}\n", "", indent, low, high, room - low.size());
    return range.is_empty ? text : text + legend_text(map, range, options, coloured);
}

} // namespace knossos::render
