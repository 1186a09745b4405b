// Boards of armies in JSON and text are read or refused with InvalidInput. What is read can be shown, and is
// the same when written and read again.
#include "support.hpp"

#include <knossos/armies/view/board.hpp>
#include <knossos/core/error.hpp>

using namespace knossos;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text_of(data, size);
    try {
        const auto board = armies::parse_board(text, "fuzz");
        if (!board) return 0;
        fuzz::require(armies::parse_board(armies::board_json(*board)) == board,
                      "a board is the same when written and read again");
        if (!fuzz::is_one_in(16, text)) return 0;
        (void)armies::board_text(*board);
        (void)armies::board_picture(*board);
    } catch (const InvalidInput&) {
        return 0;
    }
    return 0;
}
