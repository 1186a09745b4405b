// Squares of queens, cells, locks and grids in text, chosen by the first byte, are read or refused with
// InvalidInput; what is read lies where it may, and is the same when written and read again.
#include "support.hpp"

#include <knossos/core/error.hpp>
#include <knossos/levels/drawing.hpp>
#include <knossos/maze/grid.hpp>
#include <knossos/maze/representation.hpp>
#include <knossos/maze/setup.hpp>
#include <knossos/queens/board.hpp>

using namespace knossos;

namespace {

void read_squares(std::string_view text, std::uint32_t size) {
    const auto squares = queens::parse_squares(text, size);
    std::string written;
    for (const queens::Square square : squares) {
        fuzz::require(square.row < size && square.column < size, "squares lie on the board");
        written += queens::square_name(square) + ",";
    }
    fuzz::require(queens::parse_squares(written, size) == squares,
                  "squares are the same when written and read again");
}

void read_cells(std::string_view text) {
    const auto cells = levels::parse_cells(text);
    std::string written;
    for (const maze::Cell cell : cells)
        written += std::to_string(cell.x) + "," + std::to_string(cell.y) + " ";
    fuzz::require(levels::parse_cells(written) == cells, "so are cells");
}

void read_locks(std::string_view text, std::uint32_t width, std::uint32_t height) {
    const auto locks = maze::parse_locks(text, width, height);
    for (const maze::Lock& lock : locks)
        fuzz::require(lock.cell.x < width && lock.cell.y < height, "locks lie on the maze");
}

void read_grid(std::string_view text) {
    const maze::Grid grid = maze::parse_grid(text);
    fuzz::require(maze::parse_grid(maze::to_text(grid)) == grid, "so is a grid");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const std::string_view text = fuzz::text_of(data + 2, size - 2);
    const std::uint32_t number = data[1];
    try {
        switch (data[0] % 5) {
        case 0:
            read_squares(text, number);
            break;
        case 1:
            read_squares(text, 0xFFFFFFFFU - number);
            break;
        case 2:
            read_cells(text);
            break;
        case 3:
            read_locks(text, number % 16, number / 16);
            break;
        default:
            read_grid(text);
        }
    } catch (const InvalidInput&) {
        return 0;
    }
    return 0;
}
