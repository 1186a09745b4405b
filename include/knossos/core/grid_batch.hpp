#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace knossos {

/// Many grids of one size, a byte a cell, where somebody else keeps them: an array of another language, say.
/// Strides are in bytes, from grid to grid, from row to row and from cell to cell.
struct GridBatch {
    const std::uint8_t* cells = nullptr;
    std::size_t count = 0;
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::ptrdiff_t grid_stride = 0;
    std::ptrdiff_t row_stride = 0;
    std::ptrdiff_t cell_stride = 1;

    [[nodiscard]] const std::uint8_t* row(std::size_t grid, std::size_t y) const {
        return cells + static_cast<std::ptrdiff_t>(grid) * grid_stride +
               static_cast<std::ptrdiff_t>(y) * row_stride;
    }
    [[nodiscard]] std::uint8_t at(std::size_t grid, std::size_t x, std::size_t y) const {
        return row(grid, y)[static_cast<std::ptrdiff_t>(x) * cell_stride];
    }
};

/// Throws InvalidInput that names the first cell of a grid whose value is `values` or more, and what values
/// there are: "levels[3, 0, 7] is 9; …".
void check_cells(const GridBatch& batch, std::size_t grid, unsigned values, std::string_view meaning);

/// Calls work(first, end, worker) for stretches of up to `together` of `count` things, on so many threads (0:
/// one per hardware thread), no more than there are stretches. `prepare` hears before that how many workers
/// there are.
void for_each_stretch(std::size_t count, std::size_t together, unsigned threads,
                      const std::function<void(std::size_t workers)>& prepare,
                      const std::function<void(std::size_t, std::size_t, std::size_t)>& work);

} // namespace knossos
