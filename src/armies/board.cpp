#include <knossos/armies/board.hpp>

#include <algorithm>

namespace knossos::armies {

namespace {

bool on_one_line(std::size_t a, std::size_t b, std::size_t size) {
    const std::size_t row_a = a / size;
    const std::size_t row_b = b / size;
    const std::size_t column_a = a % size;
    const std::size_t column_b = b % size;
    return row_a == row_b || column_a == column_b || row_a + column_a == row_b + column_b ||
           row_a + column_b == row_b + column_a;
}

} // namespace

std::vector<std::uint32_t> army_sizes(const Board& board) {
    std::vector<std::uint32_t> sizes(board.armies, 0);
    for (const std::uint8_t army : board.squares)
        if (army != 0) ++sizes[army - 1U];
    return sizes;
}

std::uint32_t smallest_army(const Board& board) {
    const auto sizes = army_sizes(board);
    return sizes.empty() ? 0 : std::ranges::min(sizes);
}

std::vector<std::pair<std::size_t, std::size_t>> attacks(const Board& board) {
    std::vector<std::size_t> queens;
    for (std::size_t square = 0; square < board.squares.size(); ++square)
        if (board.squares[square] != 0) queens.push_back(square);
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t i = 0; i < queens.size(); ++i)
        for (std::size_t j = i + 1; j < queens.size(); ++j)
            if (board.squares[queens[i]] != board.squares[queens[j]] &&
                on_one_line(queens[i], queens[j], board.size))
                pairs.emplace_back(queens[i], queens[j]);
    return pairs;
}

bool is_peaceable(const Board& board) { return attacks(board).empty(); }

Board with_equal_armies(Board board) {
    std::vector<std::uint32_t> left(board.armies, smallest_army(board));
    for (std::uint8_t& army : board.squares) {
        if (army == 0) continue;
        std::uint32_t& its = left[army - 1U];
        if (its == 0)
            army = 0;
        else
            --its;
    }
    return board;
}

Board decode(std::uint32_t size, std::uint32_t armies, const Space& space, const std::byte* genome) {
    Board board{.size = size, .armies = armies, .squares = {}};
    const auto genes = view_as<IntegerView<std::uint8_t>>(space, genome);
    board.squares.assign(genes.begin(), genes.end());
    return board;
}

} // namespace knossos::armies
