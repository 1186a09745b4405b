#include <knossos/core/error.hpp>
#include <knossos/queens/symmetry.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace knossos::queens {

namespace {

void check_permutation(std::span<const std::uint32_t> board) {
    std::vector<bool> used(board.size());
    for (const std::uint32_t column : board) {
        if (column >= board.size() || used[column])
            throw InvalidInput{fmt::format(
                "column {} is off the board or used twice; symmetries need a queen in each row and column",
                column)};
        used[column] = true;
    }
}

std::vector<std::uint32_t> image(std::span<const std::uint32_t> board, Symmetry symmetry) {
    const auto bits = static_cast<unsigned>(symmetry);
    const auto last = static_cast<std::uint32_t>(board.size() - 1);
    std::vector<std::uint32_t> result(board.size());
    for (std::uint32_t r = 0; r < board.size(); ++r) {
        std::uint32_t row = (bits & 2U) != 0 ? last - r : r;
        std::uint32_t column = (bits & 1U) != 0 ? last - board[r] : board[r];
        if ((bits & 4U) != 0) std::swap(row, column);
        result[row] = column;
    }
    return result;
}

} // namespace

std::vector<std::uint32_t> transform(std::span<const std::uint32_t> board, Symmetry symmetry) {
    check_permutation(board);
    return image(board, symmetry);
}

std::vector<std::uint32_t> canonical(std::span<const std::uint32_t> board) {
    check_permutation(board);
    std::vector<std::uint32_t> smallest(board.begin(), board.end());
    for (const Symmetry symmetry : symmetries) smallest = std::min(smallest, image(board, symmetry));
    return smallest;
}

std::vector<std::vector<std::uint32_t>> orbit(std::span<const std::uint32_t> board) {
    check_permutation(board);
    std::vector<std::vector<std::uint32_t>> images;
    for (const Symmetry symmetry : symmetries) images.push_back(image(board, symmetry));
    std::sort(images.begin(), images.end());
    images.erase(std::unique(images.begin(), images.end()), images.end());
    return images;
}

bool is_fundamental(std::span<const std::uint32_t> board) {
    return std::ranges::equal(board, canonical(board));
}

} // namespace knossos::queens
