#include "dungeon/view/things.hpp"

#include "dungeon/view/thing_colours.hpp"
#include "render/cell_shapes.hpp"

#include <algorithm>

namespace knossos::dungeon {

using namespace render;

namespace {

// Below this size of a cell things are marks without detail, each of a shape of its own.
constexpr double smallest_detailed = 14.0;

// Places and sizes as shares of the cell, from its centre.
class Pen {
  public:
    Pen(Picture& picture, const Spot& spot, const Theme& theme)
        : picture_{picture}, spot_{spot}, theme_{theme} {}

    [[nodiscard]] Point at(double x, double y) const {
        return {spot_.centre.x + x * spot_.cell, spot_.centre.y + y * spot_.cell};
    }
    [[nodiscard]] double long_as(double share) const { return share * spot_.cell; }
    [[nodiscard]] bool detailed() const { return spot_.cell >= smallest_detailed; }
    [[nodiscard]] bool upright() const { return spot_.upright; }
    [[nodiscard]] const Theme& theme() const { return theme_; }

    void fill(Path path, Colour colour) { picture_.shapes.emplace_back(Fill{std::move(path), colour}); }
    void stroke(Path path, Colour colour, double width) {
        picture_.shapes.emplace_back(
            Stroke{.path = std::move(path), .colour = colour, .width = std::max(0.8, long_as(width))});
    }
    void disc(double x, double y, double radius, Colour colour) {
        picture_.shapes.emplace_back(Disc{at(x, y), long_as(radius), colour});
    }
    void box(double x, double y, double width, double height, double radius, Colour colour) {
        fill(Path{}.add_rectangle(at(x, y), long_as(width), long_as(height), long_as(radius)), colour);
    }
    void outlined(const Path& path, Colour colour, double width) {
        fill(path, colour);
        stroke(path, theme_.ink, width);
    }

  private:
    Picture& picture_;
    const Spot& spot_;
    const Theme& theme_;
};

// Each colour has a mark of its own, for those who see colours differently: disc, triangle, square, lozenge.
Path mark_of(const Pen& pen, std::uint32_t colour, double x, double y, double size) {
    Path path;
    switch (colour) {
    case 0:
        return path.add_circle(pen.at(x, y), pen.long_as(size));
    case 1:
        return path.move_to(pen.at(x, y - size * 1.2))
            .line_to(pen.at(x + size * 1.1, y + size * 0.8))
            .line_to(pen.at(x - size * 1.1, y + size * 0.8))
            .close();
    case 2:
        return path.add_rectangle(pen.at(x - size * 0.9, y - size * 0.9), pen.long_as(size * 1.8),
                                  pen.long_as(size * 1.8));
    default:
        return path.move_to(pen.at(x, y - size * 1.3))
            .line_to(pen.at(x + size * 1.1, y))
            .line_to(pen.at(x, y + size * 1.3))
            .line_to(pen.at(x - size * 1.1, y))
            .close();
    }
}

Colour paint_of(Tile tile, const Theme& theme) {
    return tile == Tile::small_key || tile == Tile::small_door ? theme.ochre_fill : thing_colour(tile, theme);
}

void draw_key(Pen& pen, Tile tile) {
    const Colour colour = paint_of(tile, pen.theme());
    if (!pen.detailed()) { // a bow, which has its colour's mark, and a shaft
        pen.box(-0.05, -0.1, 0.5, 0.2, 0.0, colour);
        pen.fill(mark_of(pen, is_coloured_key(tile) ? colour_of(tile) : 0U, -0.2, 0.0, 0.25), colour);
        if (!is_coloured_key(tile)) pen.disc(-0.2, 0.0, 0.1, pen.theme().floor);
        return;
    }
    Path shaft;
    shaft.move_to(pen.at(-0.02, 0.0)).line_to(pen.at(0.36, 0.0));
    shaft.move_to(pen.at(0.34, 0.0)).line_to(pen.at(0.34, 0.15));
    shaft.move_to(pen.at(0.21, 0.0)).line_to(pen.at(0.21, 0.12));
    pen.stroke(shaft, pen.theme().ink, 0.15);
    const Path bow = Path{}.add_circle(pen.at(-0.19, 0.0), pen.long_as(0.19));
    pen.stroke(bow, pen.theme().ink, 0.08);
    pen.stroke(shaft, colour, 0.085);
    pen.fill(bow, colour);
    if (is_coloured_key(tile))
        pen.fill(mark_of(pen, colour_of(tile), -0.19, 0.0, 0.075), pen.theme().ink);
    else
        pen.disc(-0.19, 0.0, 0.075, pen.theme().floor);
}

void draw_door(Pen& pen, Tile tile) {
    const Colour colour = paint_of(tile, pen.theme());
    if (!pen.detailed()) { // a bar across the way
        const double x = pen.upright() ? 0.5 : 0.25;
        const double y = pen.upright() ? 0.25 : 0.5;
        pen.box(-x, -y, 2 * x, 2 * y, 0.0, colour);
        if (is_coloured_door(tile))
            pen.fill(mark_of(pen, colour_of(tile), 0.0, 0.0, 0.16), pen.theme().floor);
        return;
    }
    // A leaf from post to post, across the way.
    const double across = 0.5;
    const double thick = 0.2;
    const auto slab = [&](double half_length, double half_width, double radius) {
        const double x = pen.upright() ? half_length : half_width;
        const double y = pen.upright() ? half_width : half_length;
        return Path{}.add_rectangle(pen.at(-x, -y), pen.long_as(2 * x), pen.long_as(2 * y),
                                    pen.long_as(radius));
    };
    pen.fill(slab(across, thick + 0.05, 0.0), pen.theme().rock);
    pen.fill(slab(across - 0.07, thick, 0.04), colour);
    Path planks;
    for (const double along : {-0.22, 0.22}) {
        planks.move_to(pen.upright() ? pen.at(along, -thick) : pen.at(-thick, along));
        planks.line_to(pen.upright() ? pen.at(along, thick) : pen.at(thick, along));
    }
    pen.stroke(planks, with_opacity(pen.theme().rock, 0.55), 0.035);
    if (is_coloured_door(tile))
        return pen.fill(mark_of(pen, colour_of(tile), 0.0, 0.0, 0.095), pen.theme().ink);
    pen.disc(0.0, -0.04, 0.07, pen.theme().ink);
    pen.box(-0.03, -0.02, 0.06, 0.16, 0.0, pen.theme().ink);
}

void draw_treasure(Pen& pen) {
    if (!pen.detailed()) // a gem
        return pen.fill(mark_of(pen, 3, 0.0, 0.0, 0.32), pen.theme().ochre);
    const Path chest =
        Path{}.add_rectangle(pen.at(-0.3, -0.2), pen.long_as(0.6), pen.long_as(0.44), pen.long_as(0.08));
    pen.outlined(chest, pen.theme().ochre_fill, 0.055);
    Path lid;
    lid.move_to(pen.at(-0.3, 0.0)).line_to(pen.at(0.3, 0.0));
    pen.stroke(lid, pen.theme().ink, 0.055);
    pen.box(-0.07, -0.07, 0.14, 0.16, 0.03, pen.theme().ink);
}

void draw_monster(Pen& pen) {
    const Colour body = pen.theme().terracotta;
    if (!pen.detailed()) { // a cross
        Path cross;
        cross.move_to(pen.at(-0.3, -0.3)).line_to(pen.at(0.3, 0.3));
        cross.move_to(pen.at(-0.3, 0.3)).line_to(pen.at(0.3, -0.3));
        return pen.stroke(cross, body, 0.24);
    }
    Path shape;
    shape.move_to(pen.at(-0.3, 0.32)).line_to(pen.at(-0.3, -0.02));
    shape.curve_to(pen.at(-0.3, -0.42), pen.at(0.3, -0.42), pen.at(0.3, -0.02));
    shape.line_to(pen.at(0.3, 0.32)).line_to(pen.at(0.2, 0.22)).line_to(pen.at(0.1, 0.32));
    shape.line_to(pen.at(0.0, 0.22)).line_to(pen.at(-0.1, 0.32)).line_to(pen.at(-0.2, 0.22)).close();
    pen.fill(shape, body);
    for (const double x : {-0.12, 0.12}) {
        pen.disc(x, -0.06, 0.085, pen.theme().floor);
        pen.disc(x + 0.02, -0.04, 0.04, pen.theme().ink);
    }
}

void draw_one_way(Pen& pen, Tile tile) {
    // Drawn to the east, then turned.
    const Step step = step_of(tile);
    const auto turned = [&](double ahead, double side) {
        switch (step) {
        case Step::north:
            return pen.at(side, -ahead);
        case Step::south:
            return pen.at(-side, ahead);
        case Step::west:
            return pen.at(-ahead, -side);
        case Step::east:
            break;
        }
        return pen.at(ahead, side);
    };
    Path chevrons;
    for (const double ahead : {-0.22, 0.0, 0.22})
        chevrons.move_to(turned(ahead - 0.1, -0.24))
            .line_to(turned(ahead + 0.1, 0.0))
            .line_to(turned(ahead - 0.1, 0.24));
    pen.stroke(chevrons, pen.theme().quiet, 0.08);
}

void draw_checkpoint(Pen& pen) {
    if (!pen.detailed()) { // a pennant
        Path pennant;
        pennant.move_to(pen.at(-0.3, -0.42)).line_to(pen.at(0.4, -0.1)).line_to(pen.at(-0.3, 0.2)).close();
        pen.box(-0.36, -0.42, 0.14, 0.86, 0.0, pen.theme().ochre);
        return pen.fill(pennant, pen.theme().ochre);
    }
    Path pole;
    pole.move_to(pen.at(-0.18, 0.34)).line_to(pen.at(-0.18, -0.34));
    pen.stroke(pole, pen.theme().ink, 0.07);
    Path flag;
    flag.move_to(pen.at(-0.18, -0.34)).line_to(pen.at(0.28, -0.18)).line_to(pen.at(-0.18, 0.0)).close();
    pen.outlined(flag, pen.theme().ochre_fill, 0.045);
}

void draw_place(Pen& pen, Tile tile) {
    const Colour colour = tile == Tile::entrance ? pen.theme().olive : pen.theme().ink;
    if (!pen.detailed() && tile == Tile::entrance) { // a gate, open below
        pen.box(-0.45, -0.45, 0.9, 0.24, 0.0, colour);
        pen.box(-0.45, -0.45, 0.24, 0.9, 0.0, colour);
        return pen.box(0.21, -0.45, 0.24, 0.9, 0.0, colour);
    }
    if (!pen.detailed()) { // steps
        for (const double step : {0.0, 0.3, 0.6})
            pen.box(-0.45 + step, 0.15 - step, 0.9 - step, 0.3, 0.0, colour);
        return;
    }
    if (tile == Tile::entrance)
        pen.stroke(arch(pen.at(0, 0), pen.long_as(1.0)), colour, 0.1);
    else
        pen.fill(stair(pen.at(0, 0), pen.long_as(1.0)), colour);
}

} // namespace

bool is_upright(const Level& level, std::size_t cell) {
    const std::int64_t x = level.x_of(cell);
    const std::int64_t y = level.y_of(cell);
    const auto is_open = [&](std::int64_t column, std::int64_t row) {
        return column >= 0 && row >= 0 && column < level.width && row < level.height &&
               level.cells[static_cast<std::size_t>(row * level.width + column)] != Tile::rock;
    };
    return (is_open(x, y - 1) || is_open(x, y + 1)) && !(is_open(x - 1, y) && is_open(x + 1, y));
}

void add_thing(Picture& picture, const Spot& spot, Tile tile, const Theme& theme) {
    Pen pen{picture, spot, theme};
    if (is_key(tile)) return draw_key(pen, tile);
    if (is_door(tile)) return draw_door(pen, tile);
    if (is_one_way(tile)) return draw_one_way(pen, tile);
    switch (tile) {
    case Tile::treasure:
        return draw_treasure(pen);
    case Tile::monster:
        return draw_monster(pen);
    case Tile::checkpoint:
        return draw_checkpoint(pen);
    case Tile::entrance:
    case Tile::exit:
        return draw_place(pen, tile);
    default:
        return;
    }
}

} // namespace knossos::dungeon
