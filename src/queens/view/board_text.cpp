#include <knossos/core/error.hpp>
#include <knossos/core/text.hpp>
#include <knossos/queens/view/board.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>

namespace knossos::queens {

using namespace render;

namespace {

enum class Mark : std::uint8_t { none, queen, attacked };

// Marks row by row from the top, as the board is seen.
std::vector<Mark> marks_of(const Board& board) {
    const std::vector<bool> attacked = queens::attacked(board);
    std::vector<Mark> marks(std::size_t{board.size} * board.size, Mark::none);
    for (std::size_t i = 0; i < board.queens.size(); ++i) {
        const auto [row, column] = board.queens[i];
        marks[std::size_t{board.size - 1 - row} * board.size + column] =
            attacked[i] ? Mark::attacked : Mark::queen;
    }
    return marks;
}

class TextBoard {
  public:
    TextBoard(const Board& board, const TerminalOptions& options)
        : size_{board.size}, options_{options}, marks_{marks_of(board)} {}

    // Two columns a square, with coordinates while the letters are single ones.
    [[nodiscard]] std::string wide() const {
        const bool labelled = size_ <= 26 && 2 * size_ + 3 <= options_.columns;
        std::string text;
        for (std::uint32_t y = 0; y < size_; ++y) {
            if (labelled) text += fmt::format("{:>2} ", size_ - y);
            for (std::uint32_t x = 0; x < size_; ++x) text += wide_cell(x, y);
            text += plain(options_.colours);
            end_line(text);
        }
        if (!labelled) return text;
        text += "   ";
        for (std::uint32_t x = 0; x < size_; ++x) {
            text += static_cast<char>('a' + x);
            text += ' ';
        }
        end_line(text);
        return text;
    }

    // One column a square, for boards that are too wide otherwise.
    [[nodiscard]] std::string narrow() const {
        std::string text;
        for (std::uint32_t y = 0; y < size_; ++y) {
            for (std::uint32_t x = 0; x < size_; ++x)
                text += tone(x, y) + ink(mark(x, y)) + narrow_symbol(mark(x, y));
            text += plain(options_.colours);
            end_line(text);
        }
        return text;
    }

    // Two squares a character, one above the other. Blocks have one shape: only for boards without attacks.
    [[nodiscard]] std::string half_blocks() const {
        std::string text;
        for (std::uint32_t y = 0; y < size_; y += 2) {
            for (std::uint32_t x = 0; x < size_; ++x) {
                const bool upper = mark(x, y) != Mark::none;
                const bool lower = y + 1 < size_ && mark(x, y + 1) != Mark::none;
                text += tone(x, y / 2) + ink(Mark::queen);
                text += upper ? (lower ? "█" : "▀")
                              : (lower                                   ? "▄"
                                 : options_.colours == ColourDepth::none ? "·"
                                                                         : " ");
            }
            text += plain(options_.colours);
            end_line(text);
        }
        return text;
    }

  private:
    [[nodiscard]] Mark mark(std::uint32_t x, std::uint32_t y) const {
        return marks_[std::size_t{y} * size_ + x];
    }
    [[nodiscard]] std::string tone(std::uint32_t x, std::uint32_t y) const {
        const bool is_dark = (x + size_ - 1 - y) % 2 == 0;
        return background(is_dark ? options_.theme.floor_shade : options_.theme.floor, options_.colours);
    }
    [[nodiscard]] std::string ink(Mark what) const {
        return foreground(what == Mark::attacked ? options_.theme.terracotta : options_.theme.ink,
                          options_.colours);
    }
    [[nodiscard]] std::string empty_square() const {
        if (options_.colours != ColourDepth::none) return " ";
        return options_.unicode ? "·" : ".";
    }
    [[nodiscard]] std::string queen() const { return options_.unicode ? "♛" : "Q"; }
    [[nodiscard]] std::string wide_cell(std::uint32_t x, std::uint32_t y) const {
        const Mark what = mark(x, y);
        return tone(x, y) + ink(what) + (what == Mark::none ? empty_square() : queen()) +
               (what == Mark::attacked ? "!" : " ");
    }
    [[nodiscard]] std::string narrow_symbol(Mark what) const {
        return what == Mark::none ? empty_square() : what == Mark::attacked ? "!" : queen();
    }
    void end_line(std::string& text) const {
        while (options_.colours == ColourDepth::none && text.ends_with(' ')) text.pop_back();
        text += '\n';
    }

    std::uint32_t size_;
    TerminalOptions options_;
    std::vector<Mark> marks_;
};

// How many queens stand in each part of the board, as shades.
std::string overview(const Board& board, const TerminalOptions& options) {
    static constexpr std::array<std::string_view, 5> blocks{" ", "░", "▒", "▓", "█"};
    static constexpr std::array<std::string_view, 5> letters{" ", ".", "o", "O", "@"};
    const std::uint32_t columns = std::clamp(options.columns, 8U, 80U) - 4;
    const std::uint32_t rows = 24;
    const auto counts = count_in_parts(board, columns, rows);
    const auto [lowest, highest] = std::ranges::minmax(counts);
    const std::uint64_t range = std::max<std::uint64_t>(highest - lowest, 1);
    std::string text;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (i % columns == 0) text += options.unicode ? "│" : "|";
        // Rounded up: only the emptiest parts are blank.
        const auto shade = static_cast<std::size_t>(((counts[i] - lowest) * 4 + range - 1) / range);
        text += options.unicode ? blocks[shade] : letters[shade];
        if (i % columns == columns - 1) text += options.unicode ? "│\n" : "|\n";
    }
    fmt::format_to(std::back_inserter(text), "each character: about {} {} {} squares, {} to {}\n",
                   thousands((board.size + columns - 1) / columns), options.unicode ? "×" : "x",
                   thousands((board.size + rows - 1) / rows), thousands(lowest),
                   counted(highest, "queen", "queens"));
    return text;
}

std::string numbers(const Board& board, std::uint64_t conflicts, const TerminalOptions& options) {
    const std::string caption = board_caption(board, conflicts);
    const Colour colour = is_solved(board, conflicts) ? options.theme.olive : options.theme.terracotta;
    // The theme's accents are made for its own ground.
    if (options.colours == ColourDepth::none) return caption + '\n';
    return background(options.theme.ground, options.colours) + foreground(colour, options.colours) + caption +
           plain(options.colours) + '\n';
}

// Which queens meet how many others, the boldest first.
std::string collisions_text(const Board& board, std::uint64_t conflicts, const TerminalOptions& options) {
    const std::vector<std::uint32_t> met = collisions(board);
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < met.size(); ++i)
        if (met[i] > 0) order.push_back(i);
    std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return met[i]; });
    std::string text;
    std::string line = counted(2 * conflicts, "collision", "collisions") + ":";
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::string word = fmt::format(" {} {}{}", square_name(board.queens[order[i]]), met[order[i]],
                                             i + 1 < order.size() ? "," : "");
        if (line.size() + word.size() > options.columns) {
            text += line + '\n';
            line = " ";
        }
        line += word;
    }
    return text + line + '\n';
}

void check_not_empty(const Board& board) {
    if (board.size == 0) throw InvalidInput{"a board without squares can't be shown"};
}

} // namespace

std::uint64_t board_conflicts(const Board& board) {
    // Much the most common case of large boards, and several times faster to establish.
    if (queens::is_solution(board)) return 0;
    // Rows, columns and both diagonals; two queens share at most one of them.
    std::array<std::vector<std::uint32_t>, 4> lines;
    for (auto& line : lines) line.assign(std::size_t{2} * board.size, 0);
    std::uint64_t pairs = 0;
    for (const auto [row, column] : board.queens) {
        pairs += lines[0][row]++;
        pairs += lines[1][column]++;
        pairs += lines[2][std::size_t{row} + column]++;
        pairs += lines[3][std::size_t{row} + board.size - 1 - column]++;
    }
    return pairs;
}

std::string board_caption(const Board& board, std::uint64_t conflicts) {
    const std::string queens_there = counted(board.queens.size(), "queen", "queens");
    if (is_solved(board, conflicts)) return queens_there + ", solved";
    if (conflicts == 0)
        return fmt::format("{} on a board of {}, none attacked", queens_there, thousands(board.size));
    return fmt::format("{}, {} each other", queens_there, counted(conflicts, "pair attacks", "pairs attack"));
}

std::string board_text(const Board& board, const TerminalOptions& options) {
    check_not_empty(board);
    const std::uint64_t conflicts = board_conflicts(board);
    if (board.size > options.columns || board.size > 78)
        return overview(board, options) + numbers(board, conflicts, options);
    const TextBoard text{board, options};
    const bool attacked = conflicts > 0;
    const bool wide = 2 * board.size <= options.columns;
    std::string result = wide                           ? text.wide()
                         : options.unicode && !attacked ? text.half_blocks()
                                                        : text.narrow();
    result += numbers(board, conflicts, options);
    if (attacked) result += "! marks a queen under attack\n" + collisions_text(board, conflicts, options);
    return result;
}

std::string board_squares(const Board& board) {
    check_not_empty(board);
    if (board.size > largest_text_board)
        throw InvalidInput{fmt::format("a text of all squares is for boards of up to {0} × {0}, not {1} × "
                                       "{1}; rows, csv and json hold any board",
                                       thousands(largest_text_board), thousands(board.size))};
    const TerminalOptions as_wide_as_needed{.unicode = false, .columns = 2 * board.size + 3};
    return TextBoard{board, as_wide_as_needed}.wide() + board_caption(board) + '\n';
}

std::string board_rows(const Board& board) {
    const std::vector<std::uint32_t> columns = queens::to_columns(board);
    if (columns.size() != board.size || board.size == 0)
        throw InvalidInput{"a row list needs exactly one queen in each row; CSV and JSON hold any board"};
    return fmt::format("{}\n", fmt::join(columns, " "));
}

std::string board_fen(const Board& board) {
    if (board.size != 8)
        throw InvalidInput{fmt::format("FEN is for boards of 8 × 8, not {0} × {0}", thousands(board.size))};
    const std::vector<Mark> marks = marks_of(board);
    std::string text;
    for (std::size_t y = 0; y < 8; ++y) {
        int empty = 0;
        const auto flush = [&] {
            if (empty > 0) text += std::to_string(empty);
            empty = 0;
        };
        for (std::size_t x = 0; x < 8; ++x) {
            if (marks[y * 8 + x] == Mark::none) {
                ++empty;
                continue;
            }
            flush();
            text += 'Q';
        }
        flush();
        if (y < 7) text += '/';
    }
    return text + " w - - 0 1\n";
}

std::string board_csv(const Board& board) {
    std::string text = "row,column\n";
    for (const auto [row, column] : board.queens)
        fmt::format_to(std::back_inserter(text), "{},{}\n", row, column);
    return text;
}

std::string board_json(const Board& board) {
    const std::vector<std::uint32_t> columns = queens::to_columns(board);
    const std::uint64_t conflicts = board_conflicts(board);
    std::string text = fmt::format("{{\"size\":{},", board.size);
    if (columns.size() == board.size) {
        fmt::format_to(std::back_inserter(text), "\"columns\":[{}]", fmt::join(columns, ","));
    } else {
        text += "\"squares\":[";
        for (std::size_t i = 0; i < board.queens.size(); ++i)
            fmt::format_to(std::back_inserter(text), "{}[{},{}]", i == 0 ? "" : ",", board.queens[i].row,
                           board.queens[i].column);
        text += ']';
    }
    fmt::format_to(std::back_inserter(text), ",\"solved\":{},\"conflicts\":{}", is_solved(board, conflicts),
                   conflicts);
    if (conflicts > 0)
        fmt::format_to(std::back_inserter(text), ",\"collisions\":[{}]", fmt::join(collisions(board), ","));
    return text + "}\n";
}

} // namespace knossos::queens
