#include <knossos/core/error.hpp>
#include <knossos/queens/view/board_files.hpp>

#include <fmt/format.h>

#include <array>
#include <utility>

namespace knossos::queens {

namespace {

using Writer = std::string (*)(const Board& board, const BoardOptions& options);

std::string svg_board(const Board& board, const BoardOptions& options) {
    return to_svg(board_picture(board, options));
}

std::string png_board(const Board& board, const BoardOptions& options) {
    BoardOptions plain = options;
    plain.coordinates = false; // there is no font to write them with
    return to_png(board_picture(board, plain));
}

std::string unicode_board(const Board& board, const BoardOptions& /*options*/) { return board_text(board); }

// A form that needs nothing but the board.
template <std::string (*form)(const Board&)>
std::string plain_board(const Board& board, const BoardOptions& /*options*/) {
    return form(board);
}

constexpr std::array<std::pair<std::string_view, Writer>, 8> writers{{{"svg", svg_board},
                                                                      {"png", png_board},
                                                                      {"ascii", plain_board<board_squares>},
                                                                      {"unicode", unicode_board},
                                                                      {"json", plain_board<board_json>},
                                                                      {"csv", plain_board<board_csv>},
                                                                      {"rows", plain_board<board_rows>},
                                                                      {"fen", plain_board<board_fen>}}};

void check_squares(const Board& board) {
    for (const Square square : board.queens)
        if (square.row >= board.size || square.column >= board.size)
            throw InvalidInput{fmt::format("the queen on row {}, column {} lies off the board of {} × {}",
                                           square.row, square.column, board.size, board.size)};
}

} // namespace

const std::vector<render::Format>& board_formats() {
    static const std::vector<render::Format> all = [] {
        std::vector<render::Format> formats = render::common_formats();
        formats.push_back({.name = "rows",
                           .extensions = {"rows"},
                           .meaning = "the column of each row's queen, counted from 0, in one line",
                           .media_type = "text/plain"});
        formats.push_back({.name = "fen",
                           .extensions = {"fen"},
                           .meaning = "chess notation, for boards of 8 × 8",
                           .media_type = "application/x-chess-fen"});
        return formats;
    }();
    return all;
}

std::string render_board(const Board& board, std::string_view format, const BoardOptions& options) {
    for (const auto& [name, writer] : writers) {
        if (name != format) continue;
        check_squares(board);
        return writer(board, options);
    }
    throw InvalidInput{fmt::format("{} is not a format for boards of queens", format)};
}

void write_board(const std::filesystem::path& path, const Board& board, const BoardOptions& options) {
    const render::NamedBytes file{
        .bytes = render_board(board, render::format_of(board_formats(), path.string()).name, options)};
    render::write_files(path, {&file, 1});
}

} // namespace knossos::queens
