#include <knossos/armies/view/board.hpp>
#include <knossos/core/text.hpp>

#include "armies/view/army_colours.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace knossos::armies {

using namespace render;

std::string board_caption(const Board& board) {
    const std::vector<std::uint32_t> sizes = army_sizes(board);
    const std::uint32_t smallest = smallest_army(board);
    const bool equal = std::ranges::count(sizes, smallest) == static_cast<std::ptrdiff_t>(sizes.size());
    std::string text = fmt::format("{} armies", board.armies);
    text += equal ? fmt::format(" of {} each", counted(smallest, "queen", "queens"))
                  : fmt::format(" of {} queens", fmt::join(sizes, ", "));
    const std::size_t pairs = attacks(board).size();
    return text + (pairs == 0
                       ? ", none attacked"
                       : fmt::format(", {} each other", counted(pairs, "pair attacks", "pairs attack")));
}

std::string board_text(const Board& board, const TerminalOptions& options) {
    const bool wide = 2 * board.size <= options.columns + 1;
    const std::string_view empty = options.colours != ColourDepth::none ? " " : options.unicode ? "·" : ".";
    std::string text;
    for (std::size_t square = 0; square < board.squares.size(); ++square) {
        const std::size_t row = square / board.size;
        const std::size_t column = square % board.size;
        const bool is_dark = (board.size - 1 - row + column) % 2 == 0;
        const std::uint8_t army = board.squares[square];
        text += background(army != 0 ? army_colour(army, options.theme)
                           : is_dark ? options.theme.floor_shade
                                     : options.theme.floor,
                           options.colours);
        if (army != 0) {
            text += foreground(colour_on(army_colour(army, options.theme)), options.colours);
            text += static_cast<char>('0' + army);
        } else {
            text += empty;
        }
        const bool is_last = column + 1 == board.size;
        if (wide && (!is_last || options.colours != ColourDepth::none)) text += ' ';
        if (!is_last) continue;
        text += plain(options.colours);
        text += '\n';
    }
    return text + board_caption(board) + '\n';
}

} // namespace knossos::armies
