#include "render/refuse.hpp"
#include "render/text_squares.hpp"
#include "tilemap/json_input.hpp"

#include <knossos/armies/view/board.hpp>
#include <knossos/core/text.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <functional>

namespace knossos::armies {

using render::refuse;

namespace {

using json_input::Json;

// A number of the board's own, where it is given; what it should be follows from the rows, or is in a range.
std::optional<std::uint64_t> number(const Json& board, const char* key, std::string_view source) {
    const auto found = board.find(key);
    if (found == board.end()) return std::nullopt;
    if (!found->is_number_unsigned())
        refuse(source, fmt::format("{} is {}; expected a whole number", key, found->dump()));
    return found->get<std::uint64_t>();
}

// What stands on the squares of one row.
void add_row(Board& board, const Json& row, std::size_t place, std::string_view source) {
    if (!row.is_string())
        refuse(source, fmt::format("row {} is {}; expected a text of '.' and the numbers of armies",
                                   place + 1, row.dump()));
    const auto& squares = row.get_ref<const std::string&>();
    if (squares.size() != board.size)
        refuse(source, fmt::format("row {} has {}, but the board has {} rows; it must be as wide as high",
                                   place + 1, counted(squares.size(), "square", "squares"), board.size));
    for (const char square : squares) {
        const bool is_army = square >= '1' && square < static_cast<char>('1' + most_armies);
        if (square != '.' && !is_army)
            refuse(source, fmt::format("row {} is '{}'; expected '.' for an empty square and 1 to {} for a "
                                       "queen of that army",
                                       place + 1, squares, most_armies));
        board.squares.push_back(static_cast<std::uint8_t>(is_army ? square - '0' : 0));
    }
}

// The rows of a board, the top one first, as board_text() shows them.
std::optional<Json> rows_in_text(std::string_view text) {
    static constexpr std::array<std::string_view, 10> symbols{".", "1", "2", "3", "4",
                                                              "5", "6", "7", "8", "·"};
    static constexpr std::string_view written = ".12345678.";
    const auto squares = render::squares_in_text(text, symbols);
    Json rows = Json::array();
    for (const auto& row : squares) {
        std::string letters;
        for (const std::uint8_t square : row) letters += written[square];
        rows.push_back(letters);
    }
    // A board has empty squares and armies: numbers alone, or nobody at all, are something else.
    const auto has = [&](auto is) {
        return std::ranges::any_of(squares, [&](const auto& row) { return std::ranges::any_of(row, is); });
    };
    const auto is_empty = [](std::uint8_t square) { return written[square] == '.'; };
    if (!has(is_empty) || !has(std::not_fn(is_empty))) return std::nullopt;
    return rows;
}

Board board_of(const Json& rows, const Json& object, std::string_view source) {
    if (!rows.is_array() || rows.size() < smallest_board || rows.size() > largest_board)
        refuse(source, fmt::format("rows holds {}; expected {} to {} rows",
                                   rows.is_array() ? counted(rows.size(), "row", "rows") : rows.dump(),
                                   smallest_board, largest_board));
    Board board{.size = static_cast<std::uint32_t>(rows.size()), .armies = fewest_armies, .squares = {}};
    if (const auto size = number(object, "size", source); size && *size != rows.size())
        refuse(source, fmt::format("size is {}, but the board has {} rows", *size, rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) add_row(board, rows[i], i, source);
    const std::uint32_t last = std::ranges::max(board.squares);
    const std::uint64_t armies = number(object, "armies", source).value_or(std::max(last, fewest_armies));
    if (armies < fewest_armies || armies > most_armies)
        refuse(source, fmt::format("armies is {}; it must be in {}..{}", armies, fewest_armies, most_armies));
    if (last > armies)
        refuse(source, fmt::format("a queen of army {} stands on a board of {} armies", last, armies));
    board.armies = static_cast<std::uint32_t>(armies);
    return board;
}

} // namespace

std::string board_json(const Board& board) {
    auto rows = Json::array();
    for (std::uint32_t row = 0; row < board.size; ++row) {
        std::string text;
        for (std::uint32_t column = 0; column < board.size; ++column) {
            const std::uint8_t army = board.squares[std::size_t{row} * board.size + column];
            text += army == 0 ? '.' : static_cast<char>('0' + army);
        }
        rows.push_back(text);
    }
    return Json{{"board",
                 {{"size", board.size},
                  {"armies", board.armies},
                  {"smallest", smallest_army(board)},
                  {"peaceable", is_peaceable(board)},
                  {"rows", rows}}}}
        .dump();
}

std::optional<Board> parse_board(std::string_view text, std::string_view source) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return std::nullopt;
    if (text[first] != '{') {
        const auto rows = rows_in_text(text);
        return rows ? std::optional{board_of(*rows, Json::object(), source)} : std::nullopt;
    }
    const Json whole = json_input::parse_any(text, source);
    if (!whole.is_object()) return std::nullopt;
    const auto result = whole.find("result");
    const Json& outer = result != whole.end() && result->is_object() ? *result : whole;
    const auto board = outer.find("board");
    if (board == outer.end() || !board->is_object()) return std::nullopt;
    const auto rows = board->find("rows");
    if (rows == board->end()) return std::nullopt;
    return board_of(*rows, *board, source);
}

} // namespace knossos::armies
