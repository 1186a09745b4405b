// Boards in text and JSON are read or refused with InvalidInput. What is read can be shown, and is the same
// when written and read again.
#include "support.hpp"

#include <knossos/core/error.hpp>
#include <knossos/queens/view/board_files.hpp>
#include <knossos/queens/view/board_reader.hpp>

#include <algorithm>

using namespace knossos;

namespace {

queens::Board sorted(queens::Board board) {
    std::ranges::sort(board.queens, {}, [](queens::Square one) { return std::pair{one.row, one.column}; });
    return board;
}

void write_and_read(const queens::Board& board) {
    for (const char* name : {"json", "csv", "rows", "fen", "ascii"}) {
        // CSV does not say how large the board is: as large as there are queens.
        if (std::string_view{name} == "csv" && board.queens.size() != board.size) continue;
        // Nobody knows a board without queens from other rows of dots; large ones take long.
        if (std::string_view{name} == "ascii" && (board.queens.empty() || board.size > 100)) continue;
        std::string written;
        try {
            written = queens::render_board(board, name);
        } catch (const InvalidInput&) {
            continue; // not every format holds every board
        }
        try {
            const auto again = queens::parse_board(written, "again");
            fuzz::require(again.has_value(), "a board that was written is known as one");
            fuzz::require(sorted(*again) == sorted(board), "a board is the same when written and read again");
        } catch (const Error& error) {
            std::fprintf(stderr, "%s: %s\n%s\n", name, error.what(), written.c_str());
            fuzz::require(false, "a board that was written can be read");
        }
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text_of(data, size);
    try {
        const auto board = queens::parse_board(text, "fuzz");
        if (!board) return 0;
        (void)queens::is_solution(*board);
        if (!fuzz::is_one_in(16, text)) return 0;
        (void)queens::board_text(*board);
        if (board->size <= 1000) write_and_read(*board);
    } catch (const InvalidInput&) {
        return 0;
    }
    return 0;
}
