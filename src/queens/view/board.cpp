#include <knossos/core/error.hpp>
#include <knossos/core/text.hpp>
#include <knossos/queens/view/board.hpp>
#include <knossos/render/chessboard.hpp>

#include "render/scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace knossos::queens {

using namespace render;

namespace {

// More lines than this cover the board and say nothing.
constexpr std::size_t most_attack_lines = 2000;
// Dots stay apart up to about here.
constexpr std::size_t most_dots = 20'000;
// Coordinates below this size can't be read.
constexpr std::uint32_t smallest_labelled_cell = 20;

// Where the squares lie in the picture.
struct Layout {
    std::uint32_t size;
    double cell;
    double left;
    double top;

    [[nodiscard]] double side() const { return cell * size; }
    [[nodiscard]] Point corner(Square square) const {
        return {left + square.column * cell, top + (size - 1.0 - square.row) * cell};
    }
    [[nodiscard]] Point centre(Square square) const {
        const Point at = corner(square);
        return {at.x + cell / 2, at.y + cell / 2};
    }
};

// Below this size a queen is drawn without detail.
constexpr double smallest_detailed_square = 18.0;

Path crown() {
    const std::array<Point, 11> outline{{{0.285, 0.715},
                                         {0.135, 0.345},
                                         {0.33, 0.53},
                                         {0.315, 0.235},
                                         {0.445, 0.49},
                                         {0.5, 0.185},
                                         {0.555, 0.49},
                                         {0.685, 0.235},
                                         {0.67, 0.53},
                                         {0.865, 0.345},
                                         {0.715, 0.715}}};
    Path path;
    path.add_lines(outline);
    path.curve_to({0.58, 0.68}, {0.42, 0.68}, {0.285, 0.715}).close();
    for (const Point tip : {outline[1], outline[3], outline[5], outline[7], outline[9]})
        path.add_circle({tip.x, tip.y - 0.015}, 0.055);
    return path;
}

Path base() {
    Path path;
    path.move_to({0.27, 0.775}).curve_to({0.42, 0.735}, {0.58, 0.735}, {0.73, 0.775});
    path.line_to({0.765, 0.845}).bend_to({0.785, 0.885}, {0.74, 0.885});
    path.line_to({0.26, 0.885}).bend_to({0.215, 0.885}, {0.235, 0.845}).close();
    return path;
}

Path plain_crown() {
    const std::array<Point, 7> outline{
        {{0.26, 0.88}, {0.12, 0.22}, {0.34, 0.5}, {0.5, 0.12}, {0.66, 0.5}, {0.88, 0.22}, {0.74, 0.88}}};
    return Path{}.add_lines(outline, true);
}

std::uint32_t chosen_cell(const Board& board, const BoardOptions& options) {
    if (options.cell != 0) {
        if (std::uint64_t{options.cell} * board.size > 32'000)
            throw InvalidInput{fmt::format("a board of {} squares a side with {} pixels each makes a picture "
                                           "wider than 32,000 pixels; choose a smaller cell size",
                                           thousands(board.size), options.cell)};
        return options.cell;
    }
    const std::uint32_t comfortable = board.size <= 8 ? 60 : std::max(640 / board.size, 12U);
    const std::uint32_t margins = 6;
    return std::max(std::min(comfortable, (std::max(options.max_side, margins) - margins) / board.size), 1U);
}

// Attacking pairs among the queens that are attacked at all: on a line with two queens, all are.
std::vector<std::pair<Square, Square>> attack_lines(const Board& board, const std::vector<bool>& attacked) {
    Board some{.size = board.size, .queens = {}};
    for (std::size_t i = 0; i < attacked.size(); ++i)
        if (attacked[i]) some.queens.push_back(board.queens[i]);
    std::vector<std::pair<Square, Square>> lines;
    if (some.queens.size() > most_attack_lines) return lines;
    for (const auto& [first, second] : queens::capturing_pairs(some))
        lines.emplace_back(some.queens[first], some.queens[second]);
    if (lines.size() > most_attack_lines) lines.clear();
    return lines;
}

void add_attacks(Picture& picture, const Layout& layout, const Board& board,
                 const std::vector<bool>& attacked, const Theme& theme) {
    const double radius = std::max(layout.cell * 0.455, 2.5);
    const double width = std::max(layout.cell * 0.05, 1.0);
    Stroke lines{.path = {}, .colour = theme.terracotta, .width = width};
    for (const auto& [first, second] : attack_lines(board, attacked)) {
        const Point from = layout.centre(first);
        const Point to = layout.centre(second);
        const double x = to.x - from.x;
        const double y = to.y - from.y;
        const double away = std::sqrt(x * x + y * y);
        if (away <= 2 * radius) continue;
        // From ring to ring, so that the queens stay clear.
        const Point gap{x / away * radius, y / away * radius};
        lines.path.move_to({from.x + gap.x, from.y + gap.y}).line_to({to.x - gap.x, to.y - gap.y});
    }
    if (!lines.path.empty()) picture.shapes.emplace_back(std::move(lines));
    for (std::size_t i = 0; i < attacked.size(); ++i)
        if (attacked[i])
            picture.shapes.emplace_back(
                Ring{layout.centre(board.queens[i]), radius, width, theme.terracotta});
}

void add_queens(Picture& picture, const Layout& layout, const Board& board, const Theme& theme) {
    Stamp stamp{.path = queen_outline(layout.cell).scaled_and_moved(layout.cell, {}), .colour = theme.ink};
    for (const Square square : board.queens) stamp.places.push_back(layout.corner(square));
    if (!stamp.places.empty()) picture.shapes.emplace_back(std::move(stamp));
}

void add_coordinates(Picture& picture, const Layout& layout, double room, const Theme& theme) {
    const double size = std::clamp(layout.cell * 0.24, 9.0, 15.0);
    for (std::uint32_t i = 0; i < layout.size; ++i) {
        const Point centre = layout.centre({i, i});
        std::string file = queens::square_name({0, i});
        file.pop_back();
        picture.shapes.emplace_back(
            Label{{centre.x, layout.top + layout.side() + room * 0.5}, std::move(file), size, theme.quiet});
        picture.shapes.emplace_back(
            Label{{layout.left - room * 0.5, centre.y}, std::to_string(i + 1), size, theme.quiet});
    }
}

void add_hairline(Picture& picture, const Layout& layout, const Theme& theme) {
    const double width = std::max(1.0, std::min(2.0, layout.cell / 24));
    Path path;
    path.add_rectangle({layout.left - width / 2, layout.top - width / 2}, layout.side() + width,
                       layout.side() + width);
    picture.shapes.emplace_back(Stroke{.path = std::move(path), .colour = theme.olive, .width = width});
}

Picture blank(const Board& board, std::uint64_t conflicts, const Theme& theme, double width, double height) {
    Picture picture{.width = static_cast<std::uint32_t>(std::ceil(width)),
                    .height = static_cast<std::uint32_t>(std::ceil(height)),
                    .ground = theme.ground,
                    .title = board_caption(board, conflicts)};
    if (board.size > 30 || board.queens.empty()) return picture;
    std::string places;
    for (const Square square : board.queens)
        places += (places.empty() ? "" : ", ") + queens::square_name(square);
    picture.description = fmt::format("A board of {0} × {0} squares with queens on {1}.", board.size, places);
    return picture;
}

Picture full_picture(const Board& board, std::uint64_t conflicts, const BoardOptions& options) {
    const std::uint32_t cell = chosen_cell(board, options);
    const bool labelled = options.coordinates && cell >= smallest_labelled_cell;
    const double margin = std::clamp(std::floor(cell / 5.0), 3.0, 12.0);
    const double room = labelled ? std::clamp(std::floor(cell * 0.5), 16.0, 26.0) : margin;
    const Layout layout{board.size, static_cast<double>(cell), room, margin};
    Picture picture =
        blank(board, conflicts, options.theme, layout.side() + room + margin, layout.side() + room + margin);
    const std::vector<bool> attacked = queens::attacked(board);
    render::add_chessboard(picture, {layout.left, layout.top}, layout.cell, layout.size, options.theme);
    add_attacks(picture, layout, board, attacked, options.theme);
    add_queens(picture, layout, board, options.theme);
    if (labelled) add_coordinates(picture, layout, room, options.theme);
    if (is_solved(board, conflicts)) add_hairline(picture, layout, options.theme);
    return picture;
}

// The side in pixels of a picture that is not made of whole squares.
double overview_side(const Board& board, const BoardOptions& options) {
    const double wanted =
        options.cell != 0 ? static_cast<double>(chosen_cell(board, options)) * board.size : 1600.0;
    return std::max(200.0, std::min<double>(wanted, options.max_side) - 8.0);
}

Picture dots_picture(const Board& board, std::uint64_t conflicts, const BoardOptions& options) {
    const double side = overview_side(board, options);
    const Layout layout{board.size, side / board.size, 4.0, 4.0};
    Picture picture = blank(board, conflicts, options.theme, side + 8, side + 8);
    picture.shapes.emplace_back(Rectangle{{4.0, 4.0}, side, side, options.theme.floor, {}});
    const std::vector<bool> attacked = queens::attacked(board);
    Stroke dots{.path = {}, .colour = options.theme.ink, .width = std::max(layout.cell * 0.8, 2.4)};
    for (const Square square : board.queens) dots.path.add_dot(layout.centre(square));
    if (!dots.path.empty()) picture.shapes.emplace_back(std::move(dots));
    const auto in_conflict = static_cast<std::size_t>(std::ranges::count(attacked, true));
    if (in_conflict > 0 && in_conflict <= most_attack_lines)
        add_attacks(picture, layout, board, attacked, options.theme);
    if (is_solved(board, conflicts)) add_hairline(picture, layout, options.theme);
    return picture;
}

// Counts per part of the board, for boards whose dots would run together.
Picture density_picture(const Board& board, std::uint64_t conflicts, const BoardOptions& options) {
    const double room = overview_side(board, options) - scale_height;
    const double wanted = std::sqrt(static_cast<double>(board.queens.size()) / 16.0);
    const auto parts = static_cast<std::uint32_t>(std::clamp(wanted, 16.0, 160.0));
    const double part = std::floor(room / parts);
    const double side = part * parts;
    const auto counts = count_in_parts(board, parts, parts);
    const auto [lowest, highest] = std::ranges::minmax(counts);
    Picture picture = blank(board, conflicts, options.theme, side + 8, side + 8 + scale_height);
    picture.description = fmt::format("{} × {} parts of the board, each coloured by its number of queens, "
                                      "from {} to {}.",
                                      parts, parts, lowest, highest);
    constexpr std::int32_t shades = 64;
    std::vector<std::int32_t> shade(counts.size());
    const std::uint64_t range = std::max<std::uint64_t>(highest - lowest, 1);
    for (std::size_t i = 0; i < counts.size(); ++i)
        shade[i] = static_cast<std::int32_t>((counts[i] - lowest) * (shades - 1) / range);
    add_shades(picture, shade, shades, parts, {4.0, 4.0}, part);
    add_scale(picture, {4, side + 14}, std::min(240.0, side), lowest, highest, options.theme);
    if (is_solved(board, conflicts))
        add_hairline(picture, {board.size, side / board.size, 4.0, 4.0}, options.theme);
    return picture;
}

} // namespace

const Path& queen_outline(double cell) {
    // Drawn to the square's edges, then made smaller so that a ring fits around it.
    static const Path detailed = crown().add(base()).scaled_and_moved(0.88, {0.06, 0.03});
    static const Path simple = plain_crown();
    return cell < smallest_detailed_square ? simple : detailed;
}

Picture board_picture(const Board& board, const BoardOptions& options) {
    if (board.size == 0) throw InvalidInput{"a board without squares can't be drawn"};
    const std::uint64_t conflicts = board_conflicts(board);
    if (board.size <= largest_full_board) return full_picture(board, conflicts, options);
    if (board.queens.size() <= most_dots) return dots_picture(board, conflicts, options);
    return density_picture(board, conflicts, options);
}

} // namespace knossos::queens
