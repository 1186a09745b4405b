#include "letters.hpp"

#include <knossos/core/error.hpp>
#include <knossos/render/picture.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

// Only the four operations and square roots are used, which every machine rounds alike: the same picture has
// the same pixels everywhere.
namespace knossos::render {

namespace {

using Contour = std::vector<Point>;

// Lines sampled per pixel row; along a line the covered length is exact.
constexpr int sample_lines = 16;

double length(Point from, Point to) {
    const double x = to.x - from.x;
    const double y = to.y - from.y;
    return std::sqrt(x * x + y * y);
}

void flatten_curve(Contour& contour, const Path::Segment& curve) {
    const Point start = contour.back();
    const double around =
        length(start, curve.first) + length(curve.first, curve.second) + length(curve.second, curve.end);
    // Keeps a circle within a twentieth of a pixel.
    const int pieces = static_cast<int>(std::clamp(std::ceil(2.0 * std::sqrt(around)), 2.0, 256.0));
    for (int i = 1; i <= pieces; ++i) {
        const double t = static_cast<double>(i) / pieces;
        const double rest = 1.0 - t;
        const double a = rest * rest * rest;
        const double b = 3.0 * rest * rest * t;
        const double c = 3.0 * rest * t * t;
        const double d = t * t * t;
        contour.push_back({a * start.x + b * curve.first.x + c * curve.second.x + d * curve.end.x,
                           a * start.y + b * curve.first.y + c * curve.second.y + d * curve.end.y});
    }
}

std::vector<Contour> flatten(const Path& path) {
    std::vector<Contour> contours;
    for (const Path::Segment& segment : path.segments()) {
        if (segment.kind == Path::Kind::move || contours.empty()) contours.emplace_back();
        Contour& contour = contours.back();
        switch (segment.kind) {
        case Path::Kind::move:
        case Path::Kind::line:
            contour.push_back(segment.end);
            break;
        case Path::Kind::curve:
            if (contour.empty()) contour.push_back(segment.first);
            flatten_curve(contour, segment);
            break;
        case Path::Kind::close:
            if (!contour.empty()) contour.push_back(contour.front());
        }
    }
    return contours;
}

// Cuts a line into its dashes.
std::vector<Contour> dashed(const Contour& line, const std::vector<double>& dashes) {
    std::vector<Contour> pieces;
    std::size_t dash = 0;
    double left = dashes[0];
    bool drawing = true;
    pieces.push_back({line.front()});
    for (std::size_t i = 1; i < line.size(); ++i) {
        Point from = line[i - 1];
        double remaining = length(from, line[i]);
        while (remaining > left) {
            const double share = left / remaining;
            from = {from.x + (line[i].x - from.x) * share, from.y + (line[i].y - from.y) * share};
            remaining -= left;
            if (drawing)
                pieces.back().push_back(from);
            else
                pieces.push_back({from});
            drawing = !drawing;
            dash = (dash + 1) % dashes.size();
            left = dashes[dash];
        }
        left -= remaining;
        if (drawing) pieces.back().push_back(line[i]);
    }
    return pieces;
}

// The outline of a thick line as pieces that overlap: all run the same way round, so that filling them by
// the non-zero rule gives their union.
void thicken(const Contour& line, double width, LineEnd ends, std::vector<Contour>& pieces) {
    const double half = width / 2;
    Path discs;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const bool inner = i > 0 && i + 1 < line.size();
        if (inner || ends == LineEnd::round) discs.add_circle(line[i], half);
        if (i == 0) continue;
        const Point from = line[i - 1];
        const Point to = line[i];
        const double along = length(from, to);
        if (along == 0.0) continue;
        const Point side{-(to.y - from.y) / along * half, (to.x - from.x) / along * half};
        pieces.push_back({{from.x - side.x, from.y - side.y},
                          {to.x - side.x, to.y - side.y},
                          {to.x + side.x, to.y + side.y},
                          {from.x + side.x, from.y + side.y}});
    }
    for (Contour& disc : flatten(discs)) pieces.push_back(std::move(disc));
}

std::vector<Contour> outline(const Stroke& stroke) {
    double period = 0.0;
    for (const double dash : stroke.dashes) period += dash;
    std::vector<Contour> pieces;
    for (const Contour& line : flatten(stroke.path)) {
        if (line.empty()) continue;
        if (period > 0.0)
            for (const Contour& dash : dashed(line, stroke.dashes))
                thicken(dash, stroke.width, stroke.ends, pieces);
        else
            thicken(line, stroke.width, stroke.ends, pieces);
    }
    return pieces;
}

struct Edge {
    double top;
    double bottom;
    double x; // at the top
    double slope;
    int direction;
};

std::vector<Edge> edges_of(const std::vector<Contour>& contours) {
    std::vector<Edge> edges;
    for (const Contour& contour : contours) {
        for (std::size_t i = 0; i < contour.size(); ++i) {
            const Point from = contour[i];
            const Point to = contour[(i + 1) % contour.size()];
            if (from.y == to.y) continue;
            const Point upper = from.y < to.y ? from : to;
            const Point lower = from.y < to.y ? to : from;
            edges.push_back({upper.y, lower.y, upper.x, (lower.x - upper.x) / (lower.y - upper.y),
                             from.y < to.y ? 1 : -1});
        }
    }
    std::ranges::sort(edges, {}, &Edge::top);
    return edges;
}

// How much of each pixel of one row a shape covers.
class RowCoverage {
  public:
    explicit RowCoverage(std::uint32_t width)
        : part_(std::size_t{width} + 2), step_(part_.size()), width_{width}, first_{part_.size()} {}

    void add(double from, double to) {
        from = std::clamp(from, 0.0, static_cast<double>(width_));
        to = std::clamp(to, 0.0, static_cast<double>(width_));
        if (to <= from) return;
        const auto first = static_cast<std::size_t>(from);
        const auto last = static_cast<std::size_t>(to);
        first_ = std::min(first_, first);
        last_ = std::max(last_, last);
        if (first == last) {
            part_[first] += to - from;
            return;
        }
        part_[first] += static_cast<double>(first + 1) - from;
        part_[last] += to - static_cast<double>(last);
        step_[first + 1] += 1.0;
        step_[last] -= 1.0;
    }

    // Calls paint(x, coverage) for the pixels touched, and forgets them.
    template <class Paint>
    void flush(Paint paint) {
        double whole = 0.0;
        for (std::size_t x = first_; x <= last_ && x < part_.size(); ++x) {
            whole += step_[x];
            const double coverage = (whole + part_[x]) / sample_lines;
            if (x < width_ && coverage > 0.0) paint(static_cast<std::uint32_t>(x), std::min(coverage, 1.0));
            step_[x] = 0.0;
            part_[x] = 0.0;
        }
        first_ = part_.size();
        last_ = 0;
    }

  private:
    std::vector<double> part_;
    std::vector<double> step_;
    std::uint32_t width_;
    std::size_t first_;
    std::size_t last_ = 0;
};

class Canvas {
  public:
    explicit Canvas(const Picture& picture)
        : pixels_{.width = picture.width, .height = picture.height}, row_{picture.width} {
        pixels_.rgb.resize(std::size_t{picture.width} * picture.height * 3);
        for (std::size_t i = 0; i < pixels_.rgb.size(); i += 3) {
            pixels_.rgb[i] = picture.ground.red;
            pixels_.rgb[i + 1] = picture.ground.green;
            pixels_.rgb[i + 2] = picture.ground.blue;
        }
    }

    void fill(const std::vector<Contour>& contours, Colour colour, FillRule rule) {
        const std::vector<Edge> edges = edges_of(contours);
        if (edges.empty()) return;
        double bottom = edges.front().bottom;
        for (const Edge& edge : edges) bottom = std::max(bottom, edge.bottom);
        const double height = pixels_.height;
        const auto first = static_cast<std::uint32_t>(std::clamp(edges.front().top, 0.0, height));
        const auto last = static_cast<std::uint32_t>(std::clamp(std::ceil(bottom), 0.0, height));
        std::vector<Edge> active;
        std::size_t next = 0;
        for (std::uint32_t y = first; y < last; ++y) {
            std::erase_if(active, [&](const Edge& edge) { return edge.bottom <= y; });
            for (; next < edges.size() && edges[next].top < y + 1.0; ++next)
                if (edges[next].bottom > y) active.push_back(edges[next]);
            cover_row(active, y, rule);
            row_.flush([&](std::uint32_t x, double coverage) { blend(x, y, colour, coverage); });
        }
    }

    void draw(const Fill& shape) { fill(flatten(shape.path), shape.colour, shape.rule); }
    void draw(const Stroke& shape) { fill(outline(shape), shape.colour, FillRule::non_zero); }
    void draw(const Disc& shape) {
        fill(flatten(Path{}.add_circle(shape.centre, shape.radius)), shape.colour, FillRule::non_zero);
    }
    void draw(const Ring& shape) {
        Path path;
        path.add_circle(shape.centre, shape.radius + shape.width / 2);
        path.add_circle(shape.centre, std::max(shape.radius - shape.width / 2, 0.0));
        fill(flatten(path), shape.colour, FillRule::even_odd);
    }
    void draw(const Rectangle& shape) {
        fill(flatten(Path{}.add_rectangle(shape.corner, shape.width, shape.height)), shape.colour,
             FillRule::non_zero);
    }
    void draw(const Stamp& shape) {
        for (const Point place : shape.places)
            fill(flatten(shape.path.scaled_and_moved(1.0, place)), shape.colour, shape.rule);
    }
    void draw(const Label& shape) { draw(lettering(shape)); } // only SVG has fonts

    Pixels take() { return std::move(pixels_); }

  private:
    struct Crossing {
        double x;
        int direction;
    };

    void cover_row(const std::vector<Edge>& active, std::uint32_t y, FillRule rule) {
        for (int sample = 0; sample < sample_lines; ++sample) {
            const double line = y + (sample + 0.5) / sample_lines;
            crossings_.clear();
            for (const Edge& edge : active)
                if (edge.top <= line && line < edge.bottom)
                    crossings_.push_back({edge.x + (line - edge.top) * edge.slope, edge.direction});
            std::ranges::sort(crossings_, {}, &Crossing::x);
            int winding = 0;
            for (std::size_t i = 0; i + 1 < crossings_.size(); ++i) {
                winding += crossings_[i].direction;
                const bool inside = rule == FillRule::even_odd ? i % 2 == 0 : winding != 0;
                if (inside) row_.add(crossings_[i].x, crossings_[i + 1].x);
            }
        }
    }

    void blend(std::uint32_t x, std::uint32_t y, Colour colour, double coverage) {
        // In 65536ths from here: the nearest whole value, and exactly the colour where it covers all.
        const int share = static_cast<int>(coverage * colour.alpha / 255.0 * 65536.0);
        std::uint8_t* const pixel = &pixels_.rgb[(std::size_t{y} * pixels_.width + x) * 3];
        const auto mixed = [share](int below, int above) {
            return static_cast<std::uint8_t>(below + (((above - below) * share + 32768) >> 16));
        };
        pixel[0] = mixed(pixel[0], colour.red);
        pixel[1] = mixed(pixel[1], colour.green);
        pixel[2] = mixed(pixel[2], colour.blue);
    }

    Pixels pixels_;
    RowCoverage row_;
    std::vector<Crossing> crossings_;
};

} // namespace

Colour Pixels::at(std::uint32_t x, std::uint32_t y) const {
    const std::size_t place = (std::size_t{y} * width + x) * 3;
    return {rgb.at(place), rgb.at(place + 1), rgb.at(place + 2)};
}

Pixels rasterise(const Picture& picture) {
    if (picture.width == 0 || picture.height == 0) throw InvalidInput{"a picture needs at least one pixel"};
    if (std::uint64_t{picture.width} * picture.height > largest_png)
        throw InvalidInput{
            fmt::format("a PNG of {} × {} pixels is more than the {} million that are allowed; "
                        "choose a smaller cell size, or SVG",
                        picture.width, picture.height, largest_png / 1'000'000)};
    Canvas canvas{picture};
    for (const Shape& shape : picture.shapes) std::visit([&](const auto& one) { canvas.draw(one); }, shape);
    return canvas.take();
}

} // namespace knossos::render
