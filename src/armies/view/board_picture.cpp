#include <knossos/armies/view/board.hpp>
#include <knossos/core/error.hpp>
#include <knossos/render/chessboard.hpp>

#include "armies/view/army_colours.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace knossos::armies {

using namespace render;

namespace {

// More lines than this cover the board and say nothing.
constexpr std::size_t most_attack_lines = 2000;
constexpr std::uint32_t margin = 6;
// Numbers below this size can't be read.
constexpr std::uint32_t smallest_numbered_cell = 9;

std::uint32_t chosen_cell(const Board& board, const FormatOptions& options) {
    if (options.cell != 0) {
        if (std::uint64_t{options.cell} * board.size > 32'000)
            throw InvalidInput{fmt::format("a board of {} squares a side with {} pixels each makes a picture "
                                           "wider than 32,000 pixels; choose a smaller cell size",
                                           board.size, options.cell)};
        return options.cell;
    }
    const std::uint32_t comfortable = board.size <= 10 ? 48 : std::max(640 / board.size, 12U);
    const std::uint32_t room = options.max_side > 2 * margin ? options.max_side - 2 * margin : 0;
    return std::max(std::min(comfortable, room / board.size), 1U);
}

struct Layout {
    std::uint32_t size;
    double cell;

    [[nodiscard]] double side() const { return cell * size; }
    [[nodiscard]] Point corner(std::size_t square) const {
        const std::size_t row = square / size;
        const std::size_t column = square % size;
        return {margin + static_cast<double>(column) * cell, margin + static_cast<double>(row) * cell};
    }
    [[nodiscard]] Point centre(std::size_t square) const {
        const Point at = corner(square);
        return {at.x + cell / 2, at.y + cell / 2};
    }
};

// All queens of an army: a stamp of tiles and one stroke that writes its number on each.
void add_army(Picture& picture, const Layout& layout, const Board& board, std::uint8_t army,
              const Theme& theme) {
    const double gap = layout.cell >= 6 ? layout.cell * 0.06 : 0.0;
    const Colour colour = army_colour(army, theme);
    Stamp tiles{.path = Path{}.add_rectangle({gap, gap}, layout.cell - 2 * gap, layout.cell - 2 * gap,
                                             layout.cell * 0.18),
                .colour = colour};
    Stroke numbers{.path = {}, .colour = colour_on(colour), .width = std::max(1.0, layout.cell * 0.07)};
    for (std::size_t square = 0; square < board.squares.size(); ++square) {
        if (board.squares[square] != army) continue;
        tiles.places.push_back(layout.corner(square));
        numbers.path.add(digits(std::to_string(army), layout.centre(square), layout.cell * 0.46));
    }
    if (tiles.places.empty()) return;
    picture.shapes.emplace_back(std::move(tiles));
    if (layout.cell >= smallest_numbered_cell) picture.shapes.emplace_back(std::move(numbers));
}

void add_attacks(Picture& picture, const Layout& layout, const Board& board, const Theme& theme) {
    const auto pairs = attacks(board);
    if (pairs.empty() || pairs.size() > most_attack_lines) return;
    const double width = std::max(layout.cell * 0.06, 1.0);
    Stroke lines{.path = {}, .colour = theme.terracotta, .width = width};
    std::vector<bool> ringed(board.squares.size());
    for (const auto& [first, second] : pairs) {
        lines.path.move_to(layout.centre(first)).line_to(layout.centre(second));
        ringed[first] = ringed[second] = true;
    }
    picture.shapes.emplace_back(std::move(lines));
    for (std::size_t square = 0; square < ringed.size(); ++square)
        if (ringed[square])
            picture.shapes.emplace_back(
                Ring{layout.centre(square), layout.cell * 0.5, width, theme.terracotta});
}

} // namespace

Picture board_picture(const Board& board, const FormatOptions& options) {
    if (board.size == 0) throw InvalidInput{"a board without squares can't be drawn"};
    const Layout layout{board.size, static_cast<double>(chosen_cell(board, options))};
    const auto side = static_cast<std::uint32_t>(layout.side()) + 2 * margin;
    std::string rows;
    for (std::size_t square = 0; square < board.squares.size(); ++square) {
        if (square % board.size == 0 && square != 0) rows += " / ";
        rows += board.squares[square] == 0 ? '.' : static_cast<char>('0' + board.squares[square]);
    }
    Picture picture{.width = side,
                    .height = side,
                    .ground = options.theme.ground,
                    .title = board_caption(board),
                    .description = "The board row by row, numbers are armies: " + rows};
    render::add_chessboard(picture, {margin, margin}, layout.cell, layout.size, options.theme);
    for (std::uint32_t army = 1; army <= board.armies; ++army)
        add_army(picture, layout, board, static_cast<std::uint8_t>(army), options.theme);
    add_attacks(picture, layout, board, options.theme);
    return picture;
}

} // namespace knossos::armies
