#include "render/refuse.hpp"
#include "render/text_squares.hpp"
#include "tilemap/json_input.hpp"

#include <knossos/core/text.hpp>
#include <knossos/queens/view/board_reader.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>

namespace knossos::queens {

using namespace render;

namespace {

using json_input::Json;

constexpr std::string_view blanks = " \t\r\n";

// One queen in each row; the n-th number is the column of row n.
Board of_columns(const std::vector<std::uint64_t>& columns, std::string_view source) {
    std::vector<std::uint32_t> narrow;
    for (std::size_t row = 0; row < columns.size(); ++row) {
        if (columns[row] >= columns.size())
            refuse(source,
                   fmt::format("row {} has its queen in column {}, but with {} rows columns go from 0 to "
                               "{}",
                               row, columns[row], columns.size(), columns.size() - 1));
        narrow.push_back(static_cast<std::uint32_t>(columns[row]));
    }
    return queens::from_columns(narrow);
}

Board checked(Board board, std::string_view source) {
    for (const auto [row, column] : board.queens)
        if (row >= board.size || column >= board.size)
            refuse(source, fmt::format("the queen in row {}, column {} stands off the board of {} rows", row,
                                       column, board.size));
    auto sorted = board.queens;
    std::ranges::sort(sorted, {}, [](Square square) { return std::pair{square.row, square.column}; });
    if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
        refuse(source, fmt::format("two queens stand in row {}, column {}", twice->row, twice->column));
    return board;
}

std::optional<std::uint64_t> number(std::string_view word) {
    std::uint64_t value = 0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), value);
    if (word.empty() || read.ec != std::errc{} || read.ptr != word.data() + word.size()) return std::nullopt;
    return value;
}

Board parse_rows(std::string_view text, std::string_view source) {
    std::vector<std::uint64_t> columns;
    for (std::size_t start = text.find_first_not_of(blanks); start != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_of(blanks, start), text.size());
        const auto column = number(text.substr(start, end - start));
        if (!column)
            refuse(source, fmt::format("'{}' is too large for a column", text.substr(start, end - start)));
        columns.push_back(*column);
        start = text.find_first_not_of(blanks, end);
    }
    return of_columns(columns, source);
}

// "row,column" and a line for each queen. A board of one queen per row has as many rows as queens.
Board parse_board_csv(std::string_view text, std::string_view source) {
    Board board;
    std::size_t line_number = 0;
    while (!text.empty()) {
        ++line_number;
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line_number == 1 || line.empty()) continue;
        const std::size_t comma = line.find(',');
        const auto row = comma == std::string_view::npos ? std::nullopt : number(line.substr(0, comma));
        const auto column = comma == std::string_view::npos ? std::nullopt : number(line.substr(comma + 1));
        constexpr std::uint64_t most = 0xFFFFFFFE;
        if (!row || !column || *row > most || *column > most)
            refuse(source, fmt::format("line {}: '{}' is not a square; expected row,column such as 0,5",
                                       line_number, line));
        board.queens.push_back({static_cast<std::uint32_t>(*row), static_cast<std::uint32_t>(*column)});
    }
    board.size = static_cast<std::uint32_t>(board.queens.size());
    if (board.size == 0) refuse(source, "there is no queen after the header row,column");
    return checked(std::move(board), source);
}

bool looks_like_fen(std::string_view text) {
    const std::string_view ranks = text.substr(0, text.find_first_of(blanks));
    return std::ranges::count(ranks, '/') == 7 &&
           ranks.find_first_not_of("12345678Qq/") == std::string_view::npos;
}

Board parse_fen(std::string_view text, std::string_view source) {
    Board board{.size = 8, .queens = {}};
    std::uint32_t rank = 7;
    std::uint32_t file = 0;
    const auto end_rank = [&] {
        if (file != 8)
            refuse(source,
                   fmt::format("rank {} has {}; a rank has 8", rank + 1, counted(file, "square", "squares")));
    };
    for (const char symbol : text.substr(0, text.find_first_of(blanks))) {
        if (symbol == '/') {
            end_rank();
            --rank;
            file = 0;
        } else if (symbol == 'Q' || symbol == 'q') {
            board.queens.push_back({rank, file++});
        } else {
            file += static_cast<std::uint32_t>(symbol - '0');
        }
    }
    end_rank();
    std::ranges::reverse(board.queens);
    return checked(std::move(board), source);
}

// Squares, the top row first, as board_squares() writes them and as the terminal shows small boards.
std::optional<Board> parse_squares(std::string_view text, std::string_view source) {
    // The digits of row numbers are no squares, nor is the mark behind an attacked queen.
    static constexpr std::array<std::string_view, 15> symbols{".", "·", "Q", "♛", "!", "0", "1", "2",
                                                              "3", "4", "5", "6", "7", "8", "9"};
    auto rows = squares_in_text(text, symbols);
    Board board{.size = static_cast<std::uint32_t>(rows.size()), .queens = {}};
    for (std::uint32_t y = 0; y < board.size; ++y) {
        std::erase_if(rows[y], [](std::uint8_t symbol) { return symbol >= 4; });
        if (rows[y].size() != board.size)
            refuse(source, fmt::format("line {} has {}, but there are {} of them; a board is as wide as high",
                                       y + 1, counted(rows[y].size(), "square", "squares"),
                                       counted(board.size, "row", "rows")));
    }
    for (std::uint32_t row = 0; row < board.size; ++row)
        for (std::uint32_t column = 0; column < board.size; ++column)
            if (rows[board.size - 1 - row][column] >= 2) board.queens.push_back({row, column});
    if (board.queens.empty()) return std::nullopt;
    return board;
}

std::vector<std::uint64_t> columns_of(const Json& array, std::string_view source) {
    std::vector<std::uint64_t> columns;
    for (const Json& value : array) {
        if (!value.is_number_unsigned())
            refuse(source, fmt::format("row {} holds {}; expected the column of its queen, from 0",
                                       columns.size(), value.dump()));
        columns.push_back(value.get<std::uint64_t>());
    }
    return columns;
}

Board board_of_squares(const Json& array, std::uint64_t size, std::string_view source) {
    Board board{.size = static_cast<std::uint32_t>(size), .queens = {}};
    for (const Json& pair : array) {
        const bool fits = pair.is_array() && pair.size() == 2 && pair[0].is_number_unsigned() &&
                          pair[1].is_number_unsigned() && pair[0] < size && pair[1] < size;
        if (!fits)
            refuse(source, fmt::format("{} is not a square of a board of {} rows; expected [row, column]",
                                       pair.dump(), size));
        board.queens.push_back({pair[0].get<std::uint32_t>(), pair[1].get<std::uint32_t>()});
    }
    return checked(std::move(board), source);
}

std::optional<Board> parse_board_json(std::string_view text, std::string_view source) {
    Json whole = json_input::parse_any(text, source);
    if (whole.is_discarded()) return std::nullopt;
    if (whole.is_object() && whole.contains("result") && whole["result"].is_object()) {
        Json inner = std::move(whole["result"]);
        whole = std::move(inner);
    }
    const auto list = [&](const char* key) {
        return whole.is_object() && whole.contains(key) && whole[key].is_array() ? &whole[key] : nullptr;
    };
    const Json* squares = list("squares");
    const Json* columns = whole.is_array()             ? &whole
                          : list("columns") != nullptr ? list("columns")
                                                       : list("board");
    if (columns != nullptr && !columns->empty() && columns->front().is_array()) std::swap(squares, columns);
    if (columns == nullptr && squares == nullptr) return std::nullopt;
    // Showing takes memory by the row: a few squares must not ask for any amount of it.
    const std::uint64_t most = columns == nullptr ? 1'000'000 : 0xFFFFFFFE;
    std::optional<std::uint64_t> size;
    if (whole.is_object() && whole.contains("size") && whole["size"].is_number_unsigned())
        size = whole["size"].get<std::uint64_t>();
    if (size && (*size == 0 || *size > most))
        refuse(source, fmt::format("size is {}; it must be in 1..{}", *size, most));
    if (columns == nullptr) return board_of_squares(*squares, size.value_or(squares->size()), source);
    if (columns->empty()) refuse(source, "the board has no rows");
    if (size && *size != columns->size())
        refuse(source, fmt::format("size is {}, but the board has {}", *size,
                                   counted(columns->size(), "row", "rows")));
    // A run's result says the length of its genome once more.
    if (const Json* genome = list("genome"); genome != nullptr && genome->size() < columns->size())
        refuse(source, fmt::format("the genome has {}, too few for a board of {}",
                                   counted(genome->size(), "gene", "genes"),
                                   counted(columns->size(), "row", "rows")));
    return of_columns(columns_of(*columns, source), source);
}

} // namespace

std::optional<Board> parse_board(std::string_view text, std::string_view source) {
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return std::nullopt;
    text.remove_prefix(first);
    if (text.starts_with('{') || text.starts_with('[')) return parse_board_json(text, source);
    if (text.starts_with("row,column")) return parse_board_csv(text, source);
    if (looks_like_fen(text)) return parse_fen(text, source);
    // The only board of one number. Other rows of 0 and 1 without blanks are a level, not huge columns.
    if (text.substr(0, text.find_last_not_of(blanks) + 1) == "0") return queens::from_columns({{0U}});
    if (text.find_first_not_of("0123456789 \t\r\n") == std::string_view::npos &&
        text.find_first_of(" \t") != std::string_view::npos)
        return parse_rows(text, source);
    // Nothing else that is read has these letters in its first line or, if that is empty of queens, later.
    const std::size_t queen = std::min(text.find('Q'), text.find("♛"));
    if (queen != std::string_view::npos &&
        text.substr(0, queen).find_first_not_of("0123456789.\xC2\xB7! \t\r\n") == std::string_view::npos)
        return parse_squares(text, source);
    return std::nullopt;
}

} // namespace knossos::queens
