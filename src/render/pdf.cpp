#include "letters.hpp"

#include <knossos/core/error.hpp>
#include <knossos/render/handout.hpp>

#include <fmt/format.h>

#include <array>
#include <cairo-pdf.h>
#include <cairo.h>
#include <memory>
#include <variant>

namespace knossos::render {

namespace {

template <auto release>
struct Release {
    template <class Thing>
    void operator()(Thing* thing) const {
        release(thing);
    }
};
using Surface = std::unique_ptr<cairo_surface_t, Release<cairo_surface_destroy>>;
using Context = std::unique_ptr<cairo_t, Release<cairo_destroy>>;
using Face = std::unique_ptr<cairo_font_face_t, Release<cairo_font_face_destroy>>;

void require(cairo_status_t status) {
    if (status != CAIRO_STATUS_SUCCESS)
        throw InputOutputError{fmt::format("a PDF could not be made: {}", cairo_status_to_string(status))};
}

void trace(cairo_t* context, const Path& path) {
    for (const Path::Segment& segment : path.segments()) switch (segment.kind) {
        case Path::Kind::move:
            cairo_move_to(context, segment.end.x, segment.end.y);
            break;
        case Path::Kind::line:
            cairo_line_to(context, segment.end.x, segment.end.y);
            break;
        case Path::Kind::curve:
            cairo_curve_to(context, segment.first.x, segment.first.y, segment.second.x, segment.second.y,
                           segment.end.x, segment.end.y);
            break;
        case Path::Kind::close:
            cairo_close_path(context);
            break;
        }
}

// Letters of our own as a font, so that text can be searched and copied and no font has to be there.
cairo_status_t render_letter(cairo_scaled_font_t* /*font*/, unsigned long sign, cairo_t* context,
                             cairo_text_extents_t* extents) {
    const Glyph glyph = glyph_of(static_cast<char32_t>(sign));
    extents->x_advance = glyph.advance;
    trace(context, glyph.path);
    cairo_set_line_width(context, 0.075);
    cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND);
    cairo_stroke(context);
    return CAIRO_STATUS_SUCCESS;
}

cairo_status_t letter_of(cairo_scaled_font_t* /*font*/, unsigned long sign, unsigned long* letter) {
    *letter = sign;
    return CAIRO_STATUS_SUCCESS;
}

// Draws one kind of shape after the other.
class Painter {
  public:
    Painter(cairo_t* context, cairo_font_face_t* face) : context_{context} {
        cairo_set_line_join(context_, CAIRO_LINE_JOIN_ROUND);
        cairo_set_font_face(context_, face);
    }

    void operator()(const Fill& fill) {
        trace(context_, fill.path);
        paint(fill.colour, fill.rule);
    }
    void operator()(const Stroke& line) {
        trace(context_, line.path);
        cairo_set_dash(context_, line.dashes.data(), static_cast<int>(line.dashes.size()), 0.0);
        cairo_set_line_cap(context_,
                           line.ends == LineEnd::round ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT);
        stroke(line.colour, line.width);
        cairo_set_dash(context_, nullptr, 0, 0.0);
    }
    void operator()(const Disc& disc) {
        trace(context_, Path{}.add_circle(disc.centre, disc.radius));
        paint(disc.colour, FillRule::non_zero);
    }
    void operator()(const Ring& ring) {
        trace(context_, Path{}.add_circle(ring.centre, ring.radius));
        stroke(ring.colour, ring.width);
    }
    void operator()(const Rectangle& box) {
        cairo_rectangle(context_, box.corner.x, box.corner.y, box.width, box.height);
        paint(box.colour, FillRule::non_zero);
    }
    void operator()(const Stamp& stamp) {
        for (const Point& place : stamp.places)
            (*this)(Fill{stamp.path.scaled_and_moved(1.0, place), stamp.colour, stamp.rule});
    }
    void operator()(const Label& label) {
        const double width = lettering_width(label.text, label.size);
        const double shift = label.anchor == Anchor::start    ? 0.0
                             : label.anchor == Anchor::middle ? width / 2
                                                              : width;
        take(label.colour);
        cairo_set_font_size(context_, label.size);
        cairo_move_to(context_, label.place.x - shift, label.place.y + label.size * capital_height / 2);
        cairo_show_text(context_, label.text.c_str());
        cairo_new_path(context_);
    }

  private:
    void take(Colour colour) {
        cairo_set_source_rgba(context_, colour.red / 255.0, colour.green / 255.0, colour.blue / 255.0,
                              colour.alpha / 255.0);
    }
    void paint(Colour colour, FillRule rule) {
        take(colour);
        cairo_set_fill_rule(context_,
                            rule == FillRule::even_odd ? CAIRO_FILL_RULE_EVEN_ODD : CAIRO_FILL_RULE_WINDING);
        cairo_fill(context_);
    }
    void stroke(Colour colour, double width) {
        take(colour);
        cairo_set_line_width(context_, width);
        cairo_stroke(context_);
    }

    cairo_t* context_;
};

cairo_status_t append(void* bytes, const unsigned char* data, unsigned int length) {
    static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
}

} // namespace

std::string to_pdf(std::span<const Picture> pages) {
    if (pages.empty()) throw InvalidInput{"a PDF needs at least one page"};
    std::string bytes;
    const Surface surface{
        cairo_pdf_surface_create_for_stream(append, &bytes, pages.front().width, pages.front().height)};
    cairo_pdf_surface_restrict_to_version(surface.get(), CAIRO_PDF_VERSION_1_5);
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE, pages.front().title.c_str());
    // No date at all: the same pages are the same bytes.
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, "");
    const Face face{cairo_user_font_face_create()};
    cairo_user_font_face_set_render_glyph_func(face.get(), render_letter);
    cairo_user_font_face_set_unicode_to_glyph_func(face.get(), letter_of);
    {
        const Context context{cairo_create(surface.get())};
        for (const Picture& page : pages) {
            cairo_pdf_surface_set_size(surface.get(), page.width, page.height);
            Painter painter{context.get(), face.get()};
            for (const Shape& shape : page.shapes) std::visit(painter, shape);
            cairo_show_page(context.get());
        }
        require(cairo_status(context.get()));
    }
    cairo_surface_finish(surface.get());
    require(cairo_surface_status(surface.get()));
    return bytes;
}

} // namespace knossos::render
