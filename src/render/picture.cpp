#include <knossos/render/picture.hpp>

#include <algorithm>
#include <array>

namespace knossos::render {

namespace {

// The control points that make a cubic curve nearest to a quarter of a circle.
constexpr double quarter = 0.5522847498;

Point between(Point from, Point to, double share) {
    return {from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share};
}

// Digits on a grid 4 wide and 6 high: "x y" pairs; a curve takes two control points and an end.
struct Move {
    char kind; // M, L or C
    std::array<double, 6> numbers;
};

using Glyph = std::vector<Move>;

const Glyph& digit(char character) {
    static const std::array<Glyph, 12> glyphs{{
        {{'M', {2, 0}}, {'C', {-0.4, 0, -0.4, 6, 2, 6}}, {'C', {4.4, 6, 4.4, 0, 2, 0}}},
        {{'M', {0.9, 1.2}}, {'L', {2.4, 0}}, {'L', {2.4, 6}}},
        {{'M', {0.3, 1.5}},
         {'C', {0.6, -0.5, 3.7, -0.6, 3.6, 1.7}},
         {'C', {3.5, 3.2, 1.4, 4.4, 0.3, 6}},
         {'L', {3.8, 6}}},
        {{'M', {0.4, 0.8}},
         {'C', {1.6, -0.4, 3.5, -0.2, 3.5, 1.5}},
         {'C', {3.5, 2.4, 2.7, 2.8, 1.6, 2.8}},
         {'C', {2.9, 2.8, 3.8, 3.3, 3.8, 4.4}},
         {'C', {3.8, 6.4, 1.4, 6.5, 0.2, 5.3}}},
        {{'M', {2.9, 6}}, {'L', {2.9, 0}}, {'L', {0, 4.2}}, {'L', {4, 4.2}}},
        {{'M', {3.5, 0}},
         {'L', {0.8, 0}},
         {'L', {0.5, 2.8}},
         {'C', {1.8, 1.8, 3.8, 2.2, 3.8, 4}},
         {'C', {3.8, 6.3, 1.4, 6.5, 0.2, 5.4}}},
        {{'M', {3.4, 0.5}},
         {'C', {1.9, -0.6, 0.2, 0.6, 0.2, 3.6}},
         {'C', {0.2, 6.9, 3.8, 6.7, 3.8, 4.1}},
         {'C', {3.8, 1.8, 1, 1.6, 0.3, 3.8}}},
        {{'M', {0.2, 0}}, {'L', {3.8, 0}}, {'L', {1.4, 6}}},
        {{'M', {2, 2.8}},
         {'C', {-0.1, 2.8, -0.1, 0, 2, 0}},
         {'C', {4.1, 0, 4.1, 2.8, 2, 2.8}},
         {'C', {-0.5, 2.8, -0.5, 6, 2, 6}},
         {'C', {4.5, 6, 4.5, 2.8, 2, 2.8}}},
        {{'M', {0.6, 5.5}},
         {'C', {2.1, 6.6, 3.8, 5.4, 3.8, 2.4}},
         {'C', {3.8, -0.9, 0.2, -0.7, 0.2, 1.9}},
         {'C', {0.2, 4.2, 3, 4.4, 3.7, 2.2}}},
        {{'M', {0.4, 6}}, {'L', {0.4, 6}}},
        {{'M', {0.4, 3.2}}, {'L', {3, 3.2}}},
    }};
    static const Glyph nothing;
    if (character >= '0' && character <= '9') return glyphs[static_cast<std::size_t>(character - '0')];
    return character == '.' ? glyphs[10] : character == '-' ? glyphs[11] : nothing;
}

double advance(char character) { return character == '.' ? 2.2 : 5.6; }

} // namespace

Path& Path::move_to(Point end) {
    segments_.push_back({.kind = Kind::move, .end = end});
    at_ = end;
    return *this;
}

Path& Path::line_to(Point end) {
    segments_.push_back({.kind = Kind::line, .end = end});
    at_ = end;
    return *this;
}

Path& Path::curve_to(Point first, Point second, Point end) {
    segments_.push_back({.kind = Kind::curve, .first = first, .second = second, .end = end});
    at_ = end;
    return *this;
}

Path& Path::bend_to(Point corner, Point end) {
    return curve_to(between(at_, corner, quarter), between(end, corner, quarter), end);
}

Path& Path::close() {
    segments_.push_back({.kind = Kind::close});
    return *this;
}

Path& Path::add(const Path& other) {
    segments_.insert(segments_.end(), other.segments_.begin(), other.segments_.end());
    at_ = other.at_;
    return *this;
}

Path& Path::add_rectangle(Point corner, double width, double height, double radius) {
    const double left = corner.x;
    const double top = corner.y;
    const double right = left + width;
    const double bottom = top + height;
    const double round = std::min({radius, width / 2, height / 2});
    if (round <= 0.0)
        return move_to(corner).line_to({right, top}).line_to({right, bottom}).line_to({left, bottom}).close();
    move_to({left + round, top}).line_to({right - round, top}).bend_to({right, top}, {right, top + round});
    line_to({right, bottom - round}).bend_to({right, bottom}, {right - round, bottom});
    line_to({left + round, bottom}).bend_to({left, bottom}, {left, bottom - round});
    return line_to({left, top + round}).bend_to({left, top}, {left + round, top}).close();
}

Path& Path::add_circle(Point centre, double radius) {
    const auto [x, y] = centre;
    const double left = x - radius;
    const double right = x + radius;
    const double top = y - radius;
    const double bottom = y + radius;
    move_to({right, y}).bend_to({right, bottom}, {x, bottom}).bend_to({left, bottom}, {left, y});
    return bend_to({left, top}, {x, top}).bend_to({right, top}, {right, y}).close();
}

Path& Path::add_dot(Point centre) { return move_to(centre).line_to(centre); }

Path& Path::add_lines(std::span<const Point> points, bool closed) {
    for (std::size_t i = 0; i < points.size(); ++i) i == 0 ? move_to(points[i]) : line_to(points[i]);
    return closed && !points.empty() ? close() : *this;
}

Path Path::scaled_and_moved(double scale, Point offset) const {
    const auto placed = [&](Point point) {
        return Point{point.x * scale + offset.x, point.y * scale + offset.y};
    };
    Path result = *this;
    for (Segment& segment : result.segments_) {
        segment.first = placed(segment.first);
        segment.second = placed(segment.second);
        segment.end = placed(segment.end);
    }
    result.at_ = placed(at_);
    return result;
}

double digits_width(std::string_view text, double height) {
    double width = 0.0;
    for (const char character : text) width += advance(character);
    return text.empty() ? 0.0 : (width - 1.6) * height / 6.0;
}

Path digits(std::string_view text, Point place, double height, Anchor anchor) {
    const double width = digits_width(text, height);
    const double shift = anchor == Anchor::start ? 0.0 : anchor == Anchor::middle ? width / 2 : width;
    const double scale = height / 6.0;
    Path path;
    Point corner{place.x - shift, place.y - height / 2};
    for (const char character : text) {
        Path glyph;
        for (const auto& [kind, n] : digit(character)) {
            if (kind == 'M') glyph.move_to({n[0], n[1]});
            if (kind == 'L') glyph.line_to({n[0], n[1]});
            if (kind == 'C') glyph.curve_to({n[0], n[1]}, {n[2], n[3]}, {n[4], n[5]});
        }
        path.add(glyph.scaled_and_moved(scale, corner));
        corner.x += advance(character) * scale;
    }
    return path;
}

} // namespace knossos::render
