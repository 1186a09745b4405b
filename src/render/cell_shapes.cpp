#include "render/cell_shapes.hpp"

#include <array>
#include <cmath>

namespace knossos::render {

namespace {

// Right, down, left, up: a turn to the right is one step on.
constexpr std::array<int, 4> heading_x{1, 0, -1, 0};
constexpr std::array<int, 4> heading_y{0, 1, 0, -1};

// For every corner of cells, the sides that leave it with open ground on their right, one bit a direction.
class Border {
  public:
    Border(const std::vector<bool>& open, std::uint32_t width, std::uint32_t height)
        : open_{open}, width_{width}, height_{height},
          leaving_(static_cast<std::size_t>(width + 1) * (height + 1)) {
        for (std::int64_t y = 0; y < height; ++y)
            for (std::int64_t x = 0; x < width; ++x) {
                if (!is_open(x, y)) continue;
                if (!is_open(x, y - 1)) at(x, y) |= 1U;
                if (!is_open(x + 1, y)) at(x + 1, y) |= 2U;
                if (!is_open(x, y + 1)) at(x + 1, y + 1) |= 4U;
                if (!is_open(x - 1, y)) at(x, y + 1) |= 8U;
            }
    }

    struct Corner {
        std::int64_t x;
        std::int64_t y;
        unsigned arriving;
        unsigned leaving;
    };

    // The corners of the contour that begins at a place, in order; its sides are then forgotten.
    std::vector<Corner> take_contour(std::int64_t x, std::int64_t y) {
        std::vector<Corner> corners;
        const std::int64_t start_x = x;
        const std::int64_t start_y = y;
        unsigned start = 0;
        while ((static_cast<unsigned>(at(x, y)) >> start & 1U) == 0) ++start;
        unsigned direction = start;
        do {
            x += heading_x[direction];
            y += heading_y[direction];
            const unsigned next = turn(x, y, direction);
            if (next != direction) corners.push_back({x, y, direction, next});
            direction = next;
            // The first side goes when the contour has come back to it, as every other when it is passed.
            at(x, y) = static_cast<std::uint8_t>(at(x, y) & ~(1U << direction));
        } while (x != start_x || y != start_y || direction != start);
        return corners;
    }

    [[nodiscard]] bool begins(std::int64_t x, std::int64_t y) { return at(x, y) != 0; }

  private:
    [[nodiscard]] bool is_open(std::int64_t x, std::int64_t y) const {
        return x >= 0 && y >= 0 && x < width_ && y < height_ &&
               open_[static_cast<std::size_t>(y * width_ + x)];
    }
    std::uint8_t& at(std::int64_t x, std::int64_t y) {
        return leaving_[static_cast<std::size_t>(y * (width_ + 1) + x)];
    }
    // Sharpest to the right first: it stays with the same open cell where rock touches at a corner.
    unsigned turn(std::int64_t x, std::int64_t y, unsigned direction) {
        for (const unsigned turned : {direction + 1, direction})
            if ((static_cast<unsigned>(at(x, y)) >> turned % 4 & 1U) != 0) return turned % 4;
        return (direction + 3) % 4;
    }

    const std::vector<bool>& open_;
    std::int64_t width_;
    std::int64_t height_;
    std::vector<std::uint8_t> leaving_;
};

bool straight(Point before, Point at, Point after) {
    return std::abs((at.x - before.x) - (after.x - at.x)) + std::abs((at.y - before.y) - (after.y - at.y)) <
           1e-6;
}

Point towards(Point from, Point to, double distance) {
    const double x = to.x - from.x;
    const double y = to.y - from.y;
    const double length = std::sqrt(x * x + y * y);
    return length == 0.0 ? from : Point{from.x + x / length * distance, from.y + y / length * distance};
}

} // namespace

Path rock_border(const std::vector<bool>& open, const CellLayout& layout, double radius) {
    Border border{open, layout.width, layout.height};
    Path path;
    const auto beside = [&](const Border::Corner& corner, unsigned direction, double distance) {
        const Point place = layout.corner(static_cast<double>(corner.x), static_cast<double>(corner.y));
        return Point{place.x + heading_x[direction] * distance, place.y + heading_y[direction] * distance};
    };
    for (std::int64_t y = 0; y <= layout.height; ++y)
        for (std::int64_t x = 0; x <= layout.width; ++x)
            while (border.begins(x, y)) {
                bool first = true;
                for (const Border::Corner& corner : border.take_contour(x, y)) {
                    const bool outward = corner.leaving == (corner.arriving + 3) % 4 && radius > 0.0;
                    const Point start = beside(corner, corner.arriving, outward ? -radius : 0.0);
                    first ? path.move_to(start) : path.line_to(start);
                    if (outward)
                        path.bend_to(beside(corner, corner.leaving, 0.0),
                                     beside(corner, corner.leaving, radius));
                    first = false;
                }
                path.close();
            }
    return path;
}

Path smooth_line(std::span<const Point> centres, double cell) {
    Path path;
    if (centres.empty()) return path;
    path.move_to(centres.front());
    for (std::size_t i = 1; i + 1 < centres.size(); ++i) {
        if (straight(centres[i - 1], centres[i], centres[i + 1])) continue;
        path.line_to(towards(centres[i], centres[i - 1], cell / 2));
        path.bend_to(centres[i], towards(centres[i], centres[i + 1], cell / 2));
    }
    return path.line_to(centres.back());
}

Path arrows(std::span<const Point> centres, double cell, double size) {
    constexpr std::size_t apart = 7;
    Path path;
    std::size_t since = apart - 3;
    for (std::size_t i = 1; i + 1 < centres.size(); ++i) {
        if (++since < apart || !straight(centres[i - 1], centres[i], centres[i + 1])) continue;
        since = 0;
        const Point ahead{(centres[i].x - centres[i - 1].x) / cell * size,
                          (centres[i].y - centres[i - 1].y) / cell * size};
        const Point side{-ahead.y * 0.8, ahead.x * 0.8};
        const Point back{centres[i].x - ahead.x * 0.6, centres[i].y - ahead.y * 0.6};
        path.move_to({centres[i].x + ahead.x, centres[i].y + ahead.y});
        path.line_to({back.x + side.x, back.y + side.y});
        path.line_to({back.x - side.x, back.y - side.y}).close();
    }
    return path;
}

Path wall_lines(const CellLayout& layout,
                const std::function<bool(std::uint32_t x, std::uint32_t y)>& wall_east,
                const std::function<bool(std::uint32_t x, std::uint32_t y)>& wall_south) {
    Path path;
    for (std::uint32_t y = 0; y + 1 < layout.height; ++y)
        for (std::uint32_t x = 0; x < layout.width; ++x) {
            if (!wall_south(x, y)) continue;
            path.move_to(layout.corner(x, y + 1.0));
            while (x < layout.width && wall_south(x, y)) ++x;
            path.line_to(layout.corner(x, y + 1.0));
        }
    for (std::uint32_t x = 0; x + 1 < layout.width; ++x)
        for (std::uint32_t y = 0; y < layout.height; ++y) {
            if (!wall_east(x, y)) continue;
            path.move_to(layout.corner(x + 1.0, y));
            while (y < layout.height && wall_east(x, y)) ++y;
            path.line_to(layout.corner(x + 1.0, y));
        }
    return path;
}

void add_hatch(Path& path, Point corner, double cell) {
    const auto [x, y] = corner;
    const double half = cell / 2;
    if (cell >= 8.0) {
        path.move_to({x, y + half}).line_to({x + half, y});
        path.move_to({x + half, y + cell}).line_to({x + cell, y + half});
    }
    path.move_to({x, y + cell}).line_to({x + cell, y});
}

Path arch(Point centre, double size) {
    const double half = size * 0.26;
    const double top = centre.y - size * 0.36;
    const double foot = centre.y + size * 0.34;
    Path path;
    path.move_to({centre.x - half, foot}).line_to({centre.x - half, top + half});
    path.bend_to({centre.x - half, top}, {centre.x, top});
    path.bend_to({centre.x + half, top}, {centre.x + half, top + half});
    return path.line_to({centre.x + half, foot});
}

Path stair(Point centre, double size) {
    constexpr int steps = 3;
    const double side = size * 0.66;
    const double left = centre.x - side / 2;
    const double foot = centre.y + side / 2;
    Path path;
    path.move_to({left, foot});
    for (int i = 0; i < steps; ++i) {
        const double top = foot - side * (i + 1) / steps;
        path.line_to({left + side * i / steps, top}).line_to({left + side * (i + 1) / steps, top});
    }
    return path.line_to({left + side, foot}).close();
}

} // namespace knossos::render
