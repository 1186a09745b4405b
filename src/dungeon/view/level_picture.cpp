#include "dungeon/view/things.hpp"
#include "render/cell_shapes.hpp"

#include <knossos/core/error.hpp>
#include <knossos/dungeon/view/level.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knossos::dungeon {

using namespace render;

namespace {

constexpr double smallest_rounded = 12.0;
// Longer descriptions are of no use to those who are read them.
constexpr std::size_t most_described = 4000;

double frame_around(double cell) { return cell < 4.0 ? 1.0 : std::clamp(std::floor(cell * 0.4), 2.0, 14.0); }

CellLayout chosen_layout(const Level& level, const FormatOptions& options) {
    const std::uint32_t longest = std::max(level.width, level.height);
    std::uint32_t cell = options.cell;
    if (cell == 0) {
        cell = std::clamp(960 / longest, 4U, 48U);
        const std::uint32_t room = std::max(options.max_side, 64U) - 2 * (cell / 2 + 4);
        cell = std::max(std::min(cell, room / longest), 1U);
    }
    if (std::uint64_t{cell} * longest > 32'000)
        throw InvalidInput{fmt::format("a dungeon of {} × {} cells with {} pixels each makes a picture wider "
                                       "than 32,000 pixels; choose a smaller cell size",
                                       level.width, level.height, cell)};
    const double around = std::ceil(1.5 * frame_around(cell) + 2.0);
    return {level.width, level.height, static_cast<double>(cell), {around, around}};
}

// The floor, with a shade in every other cell that helps to count steps.
void add_floor(Picture& picture, const Level& level, const CellLayout& layout, const Theme& theme) {
    picture.shapes.emplace_back(
        Rectangle{layout.origin, layout.cell * level.width, layout.cell * level.height, theme.floor, {}});
    if (layout.cell < smallest_rounded) return;
    Path shaded;
    for (std::size_t i = 0; i < level.area(); ++i)
        if (level.cells[i] != Tile::rock && (level.x_of(i) + level.y_of(i)) % 2 != 0)
            shaded.add_rectangle(layout.corner(level.x_of(i), level.y_of(i)), layout.cell, layout.cell);
    picture.shapes.emplace_back(Fill{std::move(shaded), with_opacity(theme.floor_shade, 0.35)});
}

void add_rock(Picture& picture, const Level& level, const CellLayout& layout, const Theme& theme) {
    std::vector<bool> open(level.area());
    for (std::size_t i = 0; i < open.size(); ++i) open[i] = level.cells[i] != Tile::rock;
    const bool rounded = layout.cell >= smallest_rounded;
    const double frame = frame_around(layout.cell);
    Path rock;
    rock.add_rectangle({layout.origin.x - frame, layout.origin.y - frame},
                       layout.cell * level.width + 2 * frame, layout.cell * level.height + 2 * frame,
                       rounded ? frame : 0.0);
    const Path border = rock_border(open, layout, rounded ? layout.cell * 0.22 : 0.0);
    rock.add(border);
    picture.shapes.emplace_back(Fill{std::move(rock), theme.rock, FillRule::even_odd});
    // Where the floor meets the walls it lies in their shade.
    if (layout.cell >= smallest_rounded)
        picture.shapes.emplace_back(
            Stroke{.path = border, .colour = with_opacity(theme.rock, 0.25), .width = layout.cell * 0.12});
}

// One line for each stretch between things that happen, so that ways walked twice lie side by side.
void add_solution(Picture& picture, const Level& level, const CellLayout& layout, const Theme& theme) {
    const Walk walk = Judge{}.solution(level);
    if (walk.size() < 2) return;
    std::vector<Point> centres;
    std::vector<std::uint32_t> before(level.area());
    for (const std::uint32_t cell : walk) {
        // A little aside for every time that somebody has been here.
        const double aside = std::min(before[cell]++, 3U) * layout.cell * 0.11;
        const Point centre = layout.centre(level.x_of(cell), level.y_of(cell));
        centres.push_back({centre.x + aside, centre.y + aside});
    }
    picture.shapes.emplace_back(Stroke{.path = smooth_line(centres, layout.cell),
                                       .colour = with_opacity(theme.aegean, 0.55),
                                       .width = std::max(1.0, layout.cell * 0.08)});
    if (layout.cell >= smallest_rounded)
        picture.shapes.emplace_back(
            Fill{arrows(centres, layout.cell, layout.cell * 0.15), with_opacity(theme.aegean, 0.8)});
}

} // namespace

Picture level_picture(const Level& level, const FormatOptions& options) {
    check(level);
    const CellLayout layout = chosen_layout(level, options);
    const Judgement judgement = Judge{}.judge(level);
    Picture picture{.width = static_cast<std::uint32_t>(layout.cell * level.width + 2 * layout.origin.x),
                    .height = static_cast<std::uint32_t>(layout.cell * level.height + 2 * layout.origin.y),
                    .ground = options.theme.ground,
                    .title = "Dungeon, " + level_caption(level, judgement)};
    std::string rows = to_text(level);
    std::ranges::replace(rows, '\n', '/');
    picture.description = "Row by row: " + rows.substr(0, most_described);
    if (const std::string events = walk_events(level, Judge{}.solution(level)); !events.empty())
        picture.description += " Walkthrough: " + events.substr(0, most_described);
    add_floor(picture, level, layout, options.theme);
    add_rock(picture, level, layout, options.theme);
    if (options.is_on("solution", true)) add_solution(picture, level, layout, options.theme);
    for (std::size_t i = 0; i < level.area(); ++i) {
        if (level.cells[i] == Tile::rock || level.cells[i] == Tile::floor) continue;
        add_thing(picture,
                  {.centre = layout.centre(level.x_of(i), level.y_of(i)),
                   .cell = layout.cell,
                   .upright = is_upright(level, i)},
                  level.cells[i], options.theme);
    }
    return picture;
}

} // namespace knossos::dungeon
