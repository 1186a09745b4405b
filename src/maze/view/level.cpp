#include <knossos/core/error.hpp>
#include <knossos/core/text.hpp>
#include <knossos/maze/view/level.hpp>

#include "render/cell_shapes.hpp"
#include "render/scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knossos::maze {

using namespace render;

namespace {

// Corners are round above this size, and marks have their detail.
constexpr double smallest_detailed_cell = 12.0;
// Up to this many cells the distances can be read under the pointer.
constexpr std::size_t most_hover_cells = 2500;

double frame_of(double cell) { return cell < 4.0 ? 1.0 : std::clamp(std::floor(cell * 0.4), 2.0, 12.0); }

CellLayout chosen_layout(const Grid& grid, const LevelOptions& options) {
    const std::uint32_t longest = std::max(grid.width(), grid.height());
    std::uint32_t cell = options.cell;
    if (cell == 0) {
        cell = std::clamp(960 / longest, 4U, 40U);
        const std::uint32_t room = std::max(options.max_side, 64U) - 2 * (cell / 2 + 4);
        cell = std::max(std::min(cell, room / longest), 1U);
    }
    if (std::uint64_t{cell} * longest > 32'000)
        throw InvalidInput{
            fmt::format("a maze of {} × {} cells with {} pixels each makes a picture wider than "
                        "32,000 pixels; choose a smaller cell size",
                        grid.width(), grid.height(), cell)};
    const double frame = frame_of(cell);
    const double around = std::ceil(frame + (cell < 4 ? 1.0 : frame / 2 + 2.0));
    return {grid.width(), grid.height(), static_cast<double>(cell), {around, around}};
}

class LevelDrawing {
  public:
    LevelDrawing(const Level& level, const LevelOptions& options)
        : level_{level}, grid_{level.grid}, options_{options}, theme_{options.theme},
          survey_{maze::survey(level, caption_measures | MeasureSet{Measure::farthest})},
          layout_{chosen_layout(level.grid, options)} {}

    Picture draw() {
        prepare();
        add_ground();
        if (options_.members) add_members();
        add_rock();
        if (options_.solution && !options_.members) add_solution();
        if (options_.culs_de_sac) add_culs_de_sac();
        if (options_.checkpoints) add_checkpoints();
        add_doors();
        if (options_.distances)
            add_scale(picture_, {layout_.origin.x, frame_bottom() + 10.0}, std::min(240.0, side_x()), 0,
                      static_cast<std::uint64_t>(std::max(survey_.measures.farthest, 0)), theme_);
        return std::move(picture_);
    }

  private:
    [[nodiscard]] double frame() const { return frame_of(layout_.cell); }
    [[nodiscard]] double side_x() const { return layout_.cell * grid_.width(); }
    [[nodiscard]] double side_y() const { return layout_.cell * grid_.height(); }
    [[nodiscard]] double frame_bottom() const { return layout_.origin.y + side_y() + frame(); }
    [[nodiscard]] bool detailed() const { return layout_.cell > smallest_detailed_cell; }
    [[nodiscard]] Point centre(Cell cell) const { return layout_.centre(cell.x, cell.y); }
    template <class One>
    void add(One shape) {
        picture_.shapes.emplace_back(std::move(shape));
    }

    void prepare() {
        picture_.width = static_cast<std::uint32_t>(side_x() + 2 * layout_.origin.x);
        picture_.height = static_cast<std::uint32_t>(side_y() + 2 * layout_.origin.y +
                                                     (options_.distances ? scale_height : 0.0));
        picture_.ground = theme_.ground;
        picture_.title = "Maze, " + level_caption(level_, survey_.measures);
        picture_.description =
            fmt::format("Entrance at column {}, row {}; exit at column {}, row {}.", level_.entrance.x + 1,
                        level_.entrance.y + 1, level_.exit.x + 1, level_.exit.y + 1);
        if (options_.members)
            picture_.description +=
                fmt::format(" Marked: where shortest ways over checkpoint C{} lead.", *options_.members + 1);
        if (options_.distances) picture_.width = std::max(picture_.width, 120U);
    }

    void add_ground() {
        add(Rectangle{layout_.origin, side_x(), side_y(), theme_.floor, {}});
        if (is_painted()) add_colours();
        if (options_.distances) add_distances();
        Path pockets;
        Path hatch;
        for (std::size_t i = 0; i < grid_.area(); ++i) {
            if (survey_.pocket[i] == 0) continue;
            const Cell cell = grid_.cell(i);
            const Point corner = layout_.corner(cell.x, cell.y);
            pockets.add_rectangle(corner, layout_.cell, layout_.cell);
            if (layout_.cell >= 4.0) add_hatch(hatch, corner, layout_.cell);
        }
        if (!pockets.empty()) add(Fill{std::move(pockets), theme_.floor_shade});
        if (!hatch.empty())
            add(Stroke{.path = std::move(hatch),
                       .colour = with_opacity(theme_.quiet, 0.6),
                       .width = std::max(layout_.cell * 0.06, 0.8),
                       .ends = LineEnd::flat});
    }

    // Distances are colours, too.
    [[nodiscard]] bool is_painted() const { return !options_.colours.empty() && !options_.distances; }

    void add_colours() {
        for (const LevelColour& one : level_colours) {
            Path cells;
            for (std::size_t i = 0; i < grid_.area(); ++i) {
                const Cell cell = grid_.cell(i);
                if (options_.colours[cell.y][cell.x] == one.letter)
                    cells.add_rectangle(layout_.corner(cell.x, cell.y), layout_.cell, layout_.cell);
            }
            if (!cells.empty()) add(Fill{std::move(cells), theme_.name == dark.name ? one.dark : one.light});
        }
    }

    void add_distances() {
        constexpr std::int32_t shades = 64;
        const std::int32_t farthest = std::max(survey_.measures.farthest, 1);
        const bool hover = grid_.area() <= most_hover_cells;
        std::vector<std::int32_t> shade(grid_.area(), -1);
        for (std::size_t i = 0; i < shade.size(); ++i) {
            const std::int32_t distance = survey_.distance[i];
            if (distance < 0) continue;
            shade[i] = static_cast<std::int32_t>(std::int64_t{distance} * (shades - 1) / farthest);
            if (!hover) continue;
            const Cell cell = grid_.cell(i);
            add(Rectangle{layout_.corner(cell.x, cell.y), layout_.cell, layout_.cell,
                          cividis(static_cast<double>(distance) / farthest),
                          counted(static_cast<std::uint64_t>(distance), "step", "steps")});
        }
        if (!hover) add_shades(picture_, shade, shades, grid_.width(), layout_.origin, layout_.cell);
    }

    void add_rock() {
        std::vector<bool> open(grid_.area());
        for (std::size_t i = 0; i < open.size(); ++i) open[i] = !grid_.is_rock(grid_.cell(i));
        // Behind a rounded corner the floor shows, which would be a colour too many among distances or
        // members.
        const bool plain = !options_.distances && !options_.members;
        const double round = detailed() && plain ? layout_.cell * 0.3 : 0.0;
        Path rock;
        rock.add_rectangle({layout_.origin.x - frame(), layout_.origin.y - frame()}, side_x() + 2 * frame(),
                           side_y() + 2 * frame(), detailed() ? frame() : 0.0);
        rock.add(rock_border(open, layout_, round));
        add(Fill{std::move(rock), theme_.rock, FillRule::even_odd});
        if (!grid_.has_walls()) return;
        Path walls = wall_lines(
            layout_, [&](std::uint32_t x, std::uint32_t y) { return grid_.wall_east({x, y}); },
            [&](std::uint32_t x, std::uint32_t y) { return grid_.wall_south({x, y}); });
        if (!walls.empty())
            add(Stroke{.path = std::move(walls),
                       .colour = theme_.rock,
                       .width = std::clamp(layout_.cell * 0.14, 1.0, 6.0)});
    }

    [[nodiscard]] std::vector<Point> solution_points() const {
        std::vector<Point> points;
        points.reserve(survey_.path.size());
        for (const Cell cell : survey_.path) points.push_back(centre(cell));
        return points;
    }

    [[nodiscard]] bool is_over_checkpoint(std::size_t index) const {
        return (survey_.members[index] >> *options_.members & 1U) != 0;
    }

    // The cells that have the checkpoint as a member, and the steps by which its ways go on: what the colour
    // says, the lines say too.
    void add_members() {
        Path cells;
        Path steps;
        for (std::size_t i = 0; i < grid_.area(); ++i) {
            if (!is_over_checkpoint(i)) continue;
            const Cell cell = grid_.cell(i);
            cells.add_rectangle(layout_.corner(cell.x, cell.y), layout_.cell, layout_.cell);
            const auto go_on = [&](Direction direction, Cell to) {
                if (!grid_.steps(cell, direction) ||
                    survey_.distance[grid_.index(to)] != survey_.distance[i] + 1)
                    return;
                steps.move_to(centre(cell)).line_to(centre(to));
            };
            go_on(Direction::north, {cell.x, cell.y - 1});
            go_on(Direction::west, {cell.x - 1, cell.y});
            go_on(Direction::east, {cell.x + 1, cell.y});
            go_on(Direction::south, {cell.x, cell.y + 1});
        }
        if (!cells.empty()) add(Fill{std::move(cells), with_opacity(theme_.ochre_fill, 0.4)});
        if (!steps.empty() && layout_.cell >= 4.0)
            add(Stroke{.path = std::move(steps),
                       .colour = theme_.ochre,
                       .width = std::max(layout_.cell * 0.1, 1.0)});
    }

    void add_solution() {
        const std::vector<Point> points = solution_points();
        if (points.size() < 2) return;
        const double width = std::max(layout_.cell * 0.14, 1.2);
        // A rim in the floor's colour keeps the line clear of the distance colours.
        if (options_.distances || is_painted())
            add(Stroke{
                .path = smooth_line(points, layout_.cell), .colour = theme_.floor, .width = width * 2.2});
        add(Stroke{.path = smooth_line(points, layout_.cell), .colour = theme_.aegean, .width = width});
        if (layout_.cell < 8.0) return;
        Path heads = arrows(points, layout_.cell, layout_.cell * 0.24);
        if (!heads.empty()) add(Fill{std::move(heads), theme_.aegean});
    }

    void add_culs_de_sac() {
        Path dots;
        for (const Cell cell : survey_.culs_de_sac) dots.add_dot(centre(cell));
        if (dots.empty()) return;
        const double width = std::max(layout_.cell * 0.24, 1.6);
        if (options_.distances) add(Stroke{.path = dots, .colour = theme_.floor, .width = width * 1.6});
        add(Stroke{.path = std::move(dots), .colour = theme_.quiet, .width = width});
    }

    void add_checkpoints() {
        const double radius = std::max(layout_.cell * 0.4, 2.2);
        const Colour rim = theme_.ochre == theme_.ochre_fill ? theme_.rock : theme_.ochre;
        for (std::size_t i = 0; i < level_.checkpoints.size(); ++i) {
            const Point place = centre(level_.checkpoints[i]);
            add(Disc{place, radius, theme_.ochre_fill});
            add(Ring{place, radius, std::max(layout_.cell * 0.06, 0.8), rim});
            if (!detailed()) continue;
            const std::string number = std::to_string(i + 1);
            add(Stroke{.path = digits(number, place, layout_.cell * (number.size() == 1 ? 0.4 : 0.32)),
                       .colour = light.ink, // on ochre in both themes
                       .width = std::max(layout_.cell * 0.055, 1.0)});
        }
    }

    // Small cells would hide the doors: there they are as large as can be made out.
    void add_doors() {
        if (layout_.cell < 2.0) return;
        const double size = std::max(layout_.cell, 9.0);
        const double plate = size * 0.9;
        for (const Cell door : {level_.entrance, level_.exit}) {
            const Point place = centre(door);
            if (!detailed() || options_.distances || grid_.is_rock(door) || options_.solution)
                add(Fill{Path{}.add_rectangle({place.x - plate / 2, place.y - plate / 2}, plate, plate,
                                              detailed() ? size * 0.2 : 0.0),
                         theme_.floor});
        }
        add(Stroke{.path = arch(centre(level_.entrance), size),
                   .colour = theme_.ink,
                   .width = std::max(size * 0.11, 1.2),
                   .ends = LineEnd::flat});
        add(Fill{stair(centre(level_.exit), size), theme_.ink});
    }

    const Level& level_;
    const Grid& grid_;
    const LevelOptions& options_;
    const Theme& theme_;
    Survey survey_;
    CellLayout layout_;
    Picture picture_{};
};

} // namespace

std::string level_caption(const Level& level, const maze::Measures& measures) {
    std::string text = fmt::format("{} × {}", level.grid.width(), level.grid.height());
    text += measures.exit_path < 0
                ? ", no way to the exit"
                : fmt::format(", exit path {}", thousands(static_cast<std::uint64_t>(measures.exit_path)));
    text += ", " + counted(measures.culs_de_sac, "cul-de-sac", "culs-de-sac");
    if (!level.checkpoints.empty())
        text += fmt::format(", {} of {} on one shortest way", measures.on_one_way,
                            counted(level.checkpoints.size(), "checkpoint", "checkpoints"));
    if (measures.pocket_cells > 0)
        text += ", " + counted(measures.pocket_cells, "cell out of reach", "cells out of reach");
    return text;
}

void check_members(const Level& level, const LevelOptions& options) {
    if (options.members && *options.members >= level.checkpoints.size())
        throw InvalidInput{fmt::format("there is no checkpoint C{}; {}", *options.members + 1,
                                       level.checkpoints.empty()
                                           ? "the level has none"
                                           : fmt::format("there are C1..C{}", level.checkpoints.size()))};
}

Picture level_picture(const Level& level, const LevelOptions& options) {
    check_members(level, options);
    return LevelDrawing{level, options}.draw();
}

} // namespace knossos::maze
