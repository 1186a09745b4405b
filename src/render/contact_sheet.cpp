#include <knossos/render/contact_sheet.hpp>

#include <algorithm>
#include <cmath>
#include <variant>

namespace knossos::render {

namespace {

// Moves one kind of shape after the other to where it is to be.
struct Placing {
    double scale;
    Point corner;

    [[nodiscard]] Point at(Point point) const {
        return {corner.x + point.x * scale, corner.y + point.y * scale};
    }
    [[nodiscard]] Path at(const Path& path) const { return path.scaled_and_moved(scale, corner); }

    Shape operator()(Fill fill) const {
        fill.path = at(fill.path);
        return fill;
    }
    Shape operator()(Stroke stroke) const {
        stroke.path = at(stroke.path);
        stroke.width *= scale;
        for (double& dash : stroke.dashes) dash *= scale;
        return stroke;
    }
    Shape operator()(Disc disc) const {
        disc.centre = at(disc.centre);
        disc.radius *= scale;
        return disc;
    }
    Shape operator()(Ring ring) const {
        ring.centre = at(ring.centre);
        ring.radius *= scale;
        ring.width *= scale;
        return ring;
    }
    Shape operator()(Rectangle rectangle) const {
        rectangle.corner = at(rectangle.corner);
        rectangle.width *= scale;
        rectangle.height *= scale;
        return rectangle;
    }
    Shape operator()(Stamp stamp) const {
        stamp.path = stamp.path.scaled_and_moved(scale, {});
        for (Point& place : stamp.places) place = at(place);
        return stamp;
    }
    Shape operator()(Label label) const {
        label.place = at(label.place);
        label.size *= scale;
        return label;
    }
};

std::size_t columns_of(std::size_t count, double width, double height) {
    const double wanted = std::sqrt(1.5 * static_cast<double>(count) * height / width);
    return std::clamp<std::size_t>(static_cast<std::size_t>(std::lround(wanted)), 1, count);
}

} // namespace

void add_picture(Picture& onto, const Picture& inner, double scale, Point corner) {
    if (!(inner.ground == onto.ground))
        onto.shapes.emplace_back(Rectangle{.corner = corner,
                                           .width = inner.width * scale,
                                           .height = inner.height * scale,
                                           .colour = inner.ground});
    const Placing placing{.scale = scale, .corner = corner};
    for (const Shape& shape : inner.shapes) onto.shapes.push_back(std::visit(placing, shape));
}

Picture contact_sheet(const std::vector<SheetItem>& items, const SheetOptions& options) {
    constexpr double gap = 14.0;
    constexpr double caption_height = 16.0;
    const double title_height = options.title.empty() ? 0.0 : 30.0;
    double width = 1.0;
    double height = 1.0;
    std::vector<double> scales;
    for (const SheetItem& item : items) {
        const std::uint32_t larger = std::max({item.picture.width, item.picture.height, 1U});
        scales.push_back(static_cast<double>(options.side) / larger);
        width = std::max(width, item.picture.width * scales.back());
        height = std::max(height, item.picture.height * scales.back());
    }
    const double step_x = width + gap;
    const double step_y = height + gap + (options.is_captioned ? caption_height : 0.0);
    const std::size_t count = std::max<std::size_t>(items.size(), 1);
    const std::size_t columns = options.columns != 0 ? std::min<std::size_t>(options.columns, count)
                                                     : columns_of(count, step_x, step_y);
    const std::size_t rows = (count + columns - 1) / columns;
    Picture sheet{.width = static_cast<std::uint32_t>(std::ceil(static_cast<double>(columns) * step_x + gap)),
                  .height = static_cast<std::uint32_t>(
                      std::ceil(static_cast<double>(rows) * step_y + gap + title_height)),
                  .ground = options.theme.ground,
                  .title = options.title};
    if (!options.title.empty())
        sheet.shapes.emplace_back(Label{.place = {gap, gap + 6.0},
                                        .text = options.title,
                                        .size = 15.0,
                                        .colour = options.theme.ink,
                                        .anchor = Anchor::start});
    for (std::size_t i = 0; i < items.size(); ++i) {
        const std::size_t row = i / columns;
        const Point corner{gap + static_cast<double>(i % columns) * step_x,
                           gap + title_height + static_cast<double>(row) * step_y};
        const Picture& picture = items[i].picture;
        const Point inset{(width - picture.width * scales[i]) / 2.0,
                          (height - picture.height * scales[i]) / 2.0};
        add_picture(sheet, picture, scales[i], {corner.x + inset.x, corner.y + inset.y});
        if (options.is_captioned && !items[i].caption.empty())
            sheet.shapes.emplace_back(Label{.place = {corner.x + width / 2.0, corner.y + height + 9.0},
                                            .text = items[i].caption,
                                            .size = 10.0,
                                            .colour = options.theme.quiet,
                                            .anchor = Anchor::middle});
    }
    return sheet;
}

} // namespace knossos::render
