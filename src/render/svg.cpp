#include <knossos/render/picture.hpp>

#include "text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace knossos::render {

namespace {

std::string number(double value) {
    // From integers, so that no rounding of a formatter shows and there is no "-0".
    const auto hundredths = static_cast<long long>(std::floor(value * 100.0 + 0.5));
    const long long magnitude = hundredths < 0 ? -hundredths : hundredths;
    std::string text = fmt::format("{}{}", hundredths < 0 ? "-" : "", magnitude / 100);
    if (const long long rest = magnitude % 100; rest != 0)
        text += rest % 10 == 0 ? fmt::format(".{}", rest / 10) : fmt::format(".{:02}", rest);
    return text;
}

// Path data: absolute commands, the letter left out where it repeats, h and v where a line is upright.
class PathData {
  public:
    explicit PathData(const Path& path) {
        for (const Path::Segment& segment : path.segments()) add(segment);
    }
    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    void command(char letter) {
        // After a move, a repeated letter would mean a line.
        if (letter != last_ || letter == 'M' || letter == 'Z') {
            text_ += letter;
            fresh_ = true;
        }
        last_ = letter;
    }
    void value(double value) {
        const std::string text = number(value);
        if (!fresh_ && text.front() != '-') text_ += ' ';
        text_ += text;
        fresh_ = false;
    }
    void point(Point point) {
        value(point.x);
        value(point.y);
    }
    void add(const Path::Segment& segment) {
        const bool level = number(segment.end.y) == number(at_.y);
        const bool upright = number(segment.end.x) == number(at_.x);
        switch (segment.kind) {
        case Path::Kind::move:
            command('M');
            point(segment.end);
            break;
        case Path::Kind::line:
            command(level ? 'H' : upright ? 'V' : 'L');
            if (level)
                value(segment.end.x);
            else if (upright)
                value(segment.end.y);
            else
                point(segment.end);
            break;
        case Path::Kind::curve:
            command('C');
            point(segment.first);
            point(segment.second);
            point(segment.end);
            break;
        case Path::Kind::close:
            command('Z');
            return;
        }
        at_ = segment.end;
    }

    std::string text_;
    Point at_{};
    char last_ = '\0';
    bool fresh_ = true;
};

std::string paint(std::string_view attribute, Colour colour) {
    std::string text = fmt::format(" {}=\"{}\"", attribute, hex(colour));
    if (colour.alpha != 255)
        text += fmt::format(" {}-opacity=\"{}\"", attribute, number(colour.alpha / 255.0));
    return text;
}

std::string_view rule_attribute(FillRule rule) {
    return rule == FillRule::even_odd ? " fill-rule=\"evenodd\"" : "";
}

// The name follows from the content, so that pictures set into one page can't mix up their outlines.
std::string content_name(std::string_view content) {
    std::uint64_t hash = 0xCBF29CE484222325U;
    for (const char character : content)
        hash = (hash ^ static_cast<unsigned char>(character)) * 0x100000001B3U;
    return fmt::format("k{:016x}", hash);
}

std::string element(const Fill& fill) {
    return fmt::format("<path{}{} d=\"{}\"/>", paint("fill", fill.colour), rule_attribute(fill.rule),
                       PathData{fill.path}.text());
}

std::string element(const Stroke& stroke) {
    std::string text = fmt::format("<path fill=\"none\"{} stroke-width=\"{}\" stroke-linejoin=\"round\"",
                                   paint("stroke", stroke.colour), number(stroke.width));
    if (stroke.ends == LineEnd::round) text += " stroke-linecap=\"round\"";
    if (!stroke.dashes.empty()) {
        text += " stroke-dasharray=\"";
        for (std::size_t i = 0; i < stroke.dashes.size(); ++i)
            text += (i == 0 ? "" : " ") + number(stroke.dashes[i]);
        text += '"';
    }
    return text + fmt::format(" d=\"{}\"/>", PathData{stroke.path}.text());
}

std::string element(const Disc& disc) {
    return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>", number(disc.centre.x),
                       number(disc.centre.y), number(disc.radius), paint("fill", disc.colour));
}

std::string element(const Ring& ring) {
    return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"none\"{} stroke-width=\"{}\"/>",
                       number(ring.centre.x), number(ring.centre.y), number(ring.radius),
                       paint("stroke", ring.colour), number(ring.width));
}

std::string element(const Rectangle& rectangle) {
    const std::string start =
        fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}", number(rectangle.corner.x),
                    number(rectangle.corner.y), number(rectangle.width), number(rectangle.height),
                    paint("fill", rectangle.colour));
    if (rectangle.hover.empty()) return start + "/>";
    return fmt::format("{}><title>{}</title></rect>", start, escape_xml(rectangle.hover));
}

std::string element(const Stamp& stamp) {
    const std::string outline = PathData{stamp.path}.text();
    const std::string name = content_name(outline);
    std::string text = fmt::format("<defs><path id=\"{}\"{} d=\"{}\"/></defs>\n<g{}>", name,
                                   rule_attribute(stamp.rule), outline, paint("fill", stamp.colour));
    for (const Point place : stamp.places)
        text +=
            fmt::format("\n<use href=\"#{}\" x=\"{}\" y=\"{}\"/>", name, number(place.x), number(place.y));
    return text + "\n</g>";
}

std::string element(const Label& label) {
    constexpr std::string_view anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    // Not dominant-baseline, which several viewers ignore: digits and lower-case letters are about 0.7 high.
    return fmt::format(
        "<text x=\"{}\" y=\"{}\" font-family=\"system-ui, sans-serif\" font-size=\"{}\"{}{}>{}</text>",
        number(label.place.x), number(label.place.y + label.size * 0.35), number(label.size),
        anchors[static_cast<std::size_t>(label.anchor)], paint("fill", label.colour), escape_xml(label.text));
}

} // namespace

std::string to_svg(const Picture& picture) {
    std::string text = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
                                   "viewBox=\"0 0 {0} {1}\" role=\"img\">\n",
                                   picture.width, picture.height);
    if (!picture.title.empty()) text += fmt::format("<title>{}</title>\n", escape_xml(picture.title));
    if (!picture.description.empty())
        text += fmt::format("<desc>{}</desc>\n", escape_xml(picture.description));
    text += fmt::format("<rect width=\"{}\" height=\"{}\"{}/>\n", picture.width, picture.height,
                        paint("fill", picture.ground));
    for (const Shape& shape : picture.shapes) {
        text += std::visit([](const auto& one) { return element(one); }, shape);
        text += '\n';
    }
    return text + "</svg>\n";
}

} // namespace knossos::render
