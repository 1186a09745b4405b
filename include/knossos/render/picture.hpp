#pragma once

#include <knossos/render/theme.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace knossos::render {

/// A place in a picture: x to the right, y down, in pixels.
struct Point {
    double x = 0.0;
    double y = 0.0;

    friend constexpr bool operator==(const Point&, const Point&) = default;
};

/// Lines and curves, in any number of contours. Where a contour is filled it counts as closed.
class Path {
  public:
    enum class Kind : std::uint8_t { move, line, curve, close };
    /// A curve is a cubic Bézier: two control points and its end. The others use `end` alone.
    struct Segment {
        Kind kind;
        Point first{};
        Point second{};
        Point end{};
    };

    Path& move_to(Point end);
    Path& line_to(Point end);
    Path& curve_to(Point first, Point second, Point end);
    /// Rounds a corner: from where the path is to `end`, bending towards `corner`, nearly a circle's quarter
    /// where the two legs are of one length and at right angles.
    Path& bend_to(Point corner, Point end);
    Path& close();
    Path& add(const Path& other);

    Path& add_rectangle(Point corner, double width, double height, double radius = 0.0);
    Path& add_circle(Point centre, double radius);
    /// A contour of nothing but a place: a dot, once it is stroked with round ends.
    Path& add_dot(Point centre);
    Path& add_lines(std::span<const Point> points, bool closed = false);

    [[nodiscard]] Path scaled_and_moved(double scale, Point offset) const;
    [[nodiscard]] bool empty() const { return segments_.empty(); }
    [[nodiscard]] std::span<const Segment> segments() const { return segments_; }

  private:
    std::vector<Segment> segments_;
    Point at_{};
};

enum class FillRule : std::uint8_t { non_zero, even_odd };
enum class LineEnd : std::uint8_t { round, flat };
enum class Anchor : std::uint8_t { start, middle, end };

struct Fill {
    Path path{};
    Colour colour{};
    FillRule rule = FillRule::non_zero;
};

/// A line of some width along a path; corners are round. Dashes are lengths of line and gap in turn.
struct Stroke {
    Path path{};
    Colour colour{};
    double width = 1.0;
    LineEnd ends = LineEnd::round;
    std::vector<double> dashes{};
};

struct Disc {
    Point centre{};
    double radius = 0.0;
    Colour colour{};
};

struct Ring {
    Point centre{};
    double radius = 0.0; ///< to the middle of the line
    double width = 1.0;
    Colour colour{};
};

/// `hover` is what a reader of the SVG sees under the pointer.
struct Rectangle {
    Point corner{};
    double width = 0.0;
    double height = 0.0;
    Colour colour{};
    std::string hover{};
};

/// One filled shape at many places. SVG holds its outline once.
struct Stamp {
    Path path{};
    Colour colour{};
    FillRule rule = FillRule::non_zero;
    std::vector<Point> places{};
};

/// Text: SVG leaves its letters to the reader's fonts, PNG draws plain ones with lines. `place` is the middle
/// of its height.
struct Label {
    Point place{};
    std::string text{};
    double size = 12.0;
    Colour colour{};
    Anchor anchor = Anchor::middle;
};

using Shape = std::variant<Fill, Stroke, Disc, Ring, Rectangle, Stamp, Label>;

/// What a picture shows, in words and shapes; later shapes lie on earlier ones.
struct Picture {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    Colour ground{};
    std::string title{};
    std::string description{};
    std::vector<Shape> shapes{};
};

/// The largest PNG that is made, in pixels.
inline constexpr std::uint64_t largest_png = 64'000'000;

/// The picture as SVG: text of its own, with title and description for screen readers, no reference to
/// anything outside. The same picture gives the same bytes.
std::string to_svg(const Picture& picture);

/// The picture as PNG, drawn with smooth edges. `note` is kept in the file as text under the key "knossos".
/// The same picture gives the same pixels. Throws InvalidInput if it has more than largest_png pixels.
std::string to_png(const Picture& picture, std::string_view note = {});

/// The shapes alone, on nothing: the ground is left transparent.
std::string to_transparent_png(const Picture& picture);

/// Rows of red, green and blue, from the top.
struct Pixels {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<std::uint8_t> rgb{};

    [[nodiscard]] Colour at(std::uint32_t x, std::uint32_t y) const;
};

/// The picture's pixels, as to_png() stores them.
Pixels rasterise(const Picture& picture);
/// The pixels as a PNG file.
std::string encode_png(const Pixels& pixels, std::string_view note = {});

/// What a PNG file holds.
struct DecodedPng {
    Pixels pixels{};
    std::string note{}; ///< the text that to_png() was given, if any
};

/// Reads any PNG of at most `max_pixels`; what is transparent shows as white. Throws InvalidInput if it is
/// larger or damaged.
DecodedPng decode_png(std::string_view bytes, std::uint64_t max_pixels = largest_png);

/// A number drawn with lines, without any font: one contour or more per digit, to be stroked. Digits, '.',
/// '-' and ' ' are known; anything else leaves a gap.
Path digits(std::string_view text, Point place, double height, Anchor anchor = Anchor::middle);
/// How wide digits() draws the text.
double digits_width(std::string_view text, double height);

} // namespace knossos::render
