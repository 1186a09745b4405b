#include <knossos/core/error.hpp>
#include <knossos/queens/board.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>

namespace knossos::queens {

namespace {

// The four lines through a square: row, column, and the two diagonals.
std::array<std::uint64_t, 4> lines_through(Square square, std::uint32_t size) {
    return {square.row, square.column, std::uint64_t{square.row} + square.column,
            std::uint64_t{square.row} + size - 1 - square.column};
}

bool attack(Square a, Square b, std::uint32_t size) {
    const auto of_a = lines_through(a, size);
    const auto of_b = lines_through(b, size);
    for (std::size_t line = 0; line < 4; ++line)
        if (of_a[line] == of_b[line]) return true;
    return false;
}

std::optional<std::uint32_t> number(std::string_view text) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value == 0) return std::nullopt;
    return value;
}

// "c5" or "5:3" (row:column), both counted from 1.
std::optional<Square> parse_square(std::string_view text) {
    if (const auto colon = text.find(':'); colon != std::string_view::npos) {
        const auto row = number(text.substr(0, colon));
        const auto column = number(text.substr(colon + 1));
        if (!row || !column) return std::nullopt;
        return Square{*row - 1, *column - 1};
    }
    std::uint64_t column = 0;
    std::size_t letters = 0;
    for (; letters < text.size() && text[letters] >= 'a' && text[letters] <= 'z'; ++letters) {
        column = column * 26 + static_cast<std::uint64_t>(text[letters] - 'a') + 1;
        if (column > 0xFFFFFFFFU) return std::nullopt;
    }
    const auto row = number(text.substr(letters));
    if (letters == 0 || !row) return std::nullopt;
    return Square{*row - 1, static_cast<std::uint32_t>(column - 1)};
}

std::vector<std::string_view> split(std::string_view text) {
    std::vector<std::string_view> words;
    constexpr std::string_view separators = ", \t\r\n";
    for (std::size_t start = text.find_first_not_of(separators); start != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_of(separators, start), text.size());
        words.push_back(text.substr(start, end - start));
        start = text.find_first_not_of(separators, end);
    }
    return words;
}

} // namespace

Board from_columns(std::span<const std::uint32_t> columns) {
    Board board{.size = static_cast<std::uint32_t>(columns.size()), .queens = {}};
    board.queens.reserve(columns.size());
    for (std::uint32_t row = 0; row < columns.size(); ++row) board.queens.push_back({row, columns[row]});
    return board;
}

std::vector<std::uint32_t> to_columns(const Board& board) {
    if (board.queens.size() != board.size) return {};
    std::vector<std::uint32_t> columns(board.size, board.size);
    for (const Square square : board.queens) {
        if (columns[square.row] != board.size) return {};
        columns[square.row] = square.column;
    }
    return columns;
}

Board decode(const Space& space, const std::byte* genome) {
    return visit_genome(space, genome, []<class View>(View view) {
        if constexpr (std::same_as<View, BitView>) {
            Board board;
            while (std::size_t{board.size} * board.size < view.size()) ++board.size;
            for (std::size_t bit = 0; bit < view.size(); ++bit)
                if (view[bit])
                    board.queens.push_back({static_cast<std::uint32_t>(bit / board.size),
                                            static_cast<std::uint32_t>(bit % board.size)});
            return board;
        } else {
            std::vector<std::uint32_t> columns(view.size());
            for (std::size_t row = 0; row < view.size(); ++row)
                columns[row] = static_cast<std::uint32_t>(view[row]);
            return from_columns(columns);
        }
    });
}

bool is_solution(const Board& board) {
    if (board.queens.size() != board.size || board.size == 0) return false;
    const auto columns = to_columns(board);
    return !columns.empty() && is_solution(std::span<const std::uint32_t>{columns});
}

std::vector<std::uint32_t> collisions(const Board& board) {
    std::array<std::vector<std::uint32_t>, 4> counts;
    for (auto& line : counts) line.assign(std::size_t{2} * board.size, 0);
    for (const Square square : board.queens) {
        const auto lines = lines_through(square, board.size);
        for (std::size_t line = 0; line < 4; ++line) ++counts[line][lines[line]];
    }
    std::vector<std::uint32_t> met(board.queens.size(), 0);
    for (std::size_t queen = 0; queen < board.queens.size(); ++queen) {
        const auto lines = lines_through(board.queens[queen], board.size);
        for (std::size_t line = 0; line < 4; ++line) met[queen] += counts[line][lines[line]] - 1;
    }
    return met;
}

std::vector<bool> attacked(const Board& board) {
    const std::vector<std::uint32_t> met = collisions(board);
    std::vector<bool> result(met.size());
    for (std::size_t queen = 0; queen < met.size(); ++queen) result[queen] = met[queen] > 0;
    return result;
}

std::vector<std::pair<std::size_t, std::size_t>> capturing_pairs(const Board& board) {
    // In reading order, the nearest queen on each line is the last one seen there.
    std::vector<std::size_t> order(board.queens.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        const Square of_a = board.queens[a];
        const Square of_b = board.queens[b];
        return of_a.row != of_b.row ? of_a.row < of_b.row : of_a.column < of_b.column;
    });
    std::array<std::map<std::uint64_t, std::size_t>, 4> last;
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (const std::size_t queen : order) {
        const auto lines = lines_through(board.queens[queen], board.size);
        for (std::size_t line = 0; line < 4; ++line) {
            const auto [place, fresh] = last[line].try_emplace(lines[line], queen);
            if (!fresh) pairs.emplace_back(std::exchange(place->second, queen), queen);
        }
    }
    return pairs;
}

std::string square_name(Square square) {
    std::string letters;
    for (std::uint64_t column = std::uint64_t{square.column} + 1; column > 0; column = (column - 1) / 26)
        letters.insert(letters.begin(), static_cast<char>('a' + (column - 1) % 26));
    return letters + std::to_string(std::uint64_t{square.row} + 1);
}

std::vector<Square> parse_squares(std::string_view text, std::uint32_t size) {
    std::vector<Square> squares;
    for (const std::string_view word : split(text)) {
        const auto square = parse_square(word);
        if (!square)
            throw InvalidInput{
                fmt::format("'{}' is not a square; write a letter and a number such as c5, or row:column "
                            "such as 5:3",
                            word)};
        if (square->row >= size || square->column >= size)
            throw InvalidInput{fmt::format("{} lies off the board; with n = {} squares go from a1 to {}",
                                           word, size, square_name({size - 1, size - 1}))};
        for (const Square other : squares) {
            if (other == *square) throw InvalidInput{fmt::format("{} is named twice", word)};
            if (attack(other, *square, size))
                throw InvalidInput{fmt::format("the queens placed on {} and {} attack each other",
                                               square_name(other), square_name(*square))};
        }
        squares.push_back(*square);
    }
    return squares;
}

std::vector<std::uint64_t> count_in_parts(const Board& board, std::uint32_t columns, std::uint32_t rows) {
    std::vector<std::uint64_t> counts(std::size_t{columns} * rows);
    for (const Square square : board.queens) {
        const std::uint64_t x = std::uint64_t{square.column} * columns / board.size;
        const std::uint64_t y = std::uint64_t{board.size - 1 - square.row} * rows / board.size;
        ++counts[y * columns + x];
    }
    return counts;
}

} // namespace knossos::queens
