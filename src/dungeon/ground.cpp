#include "dungeon/ground.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

namespace knossos::dungeon {

namespace {

// By kind of thing, a bit for each step that can be made from it, or onto it: one leaves a one-way in its
// direction alone, nobody enters it against that, and nobody walks on from the exit.
struct Sides {
    std::array<std::uint8_t, tile_kinds> left{};
    std::array<std::uint8_t, tile_kinds> entered{};
};
constexpr Sides sides = [] {
    Sides table;
    for (std::size_t i = 1; i < tile_kinds; ++i) {
        const auto tile = static_cast<Tile>(i);
        const unsigned ahead = is_one_way(tile) ? static_cast<unsigned>(step_of(tile)) : 0U;
        table.left[i] = static_cast<std::uint8_t>(is_one_way(tile)     ? 1U << ahead
                                                  : tile == Tile::exit ? 0U
                                                                       : 15U);
        table.entered[i] = static_cast<std::uint8_t>(is_one_way(tile) ? 15U & ~(1U << (3 - ahead)) : 15U);
    }
    return table;
}();

bool may_step(Tile from, Tile to, Step step) {
    return (sides.left[static_cast<std::size_t>(from)] & sides.entered[static_cast<std::size_t>(to)] &
            1U << static_cast<unsigned>(step)) != 0;
}

// Eight cells are looked at together, a byte each, the first in the lowest.
constexpr std::uint64_t in_each_byte = 0x0101010101010101U;

std::uint64_t eight_cells(const Tile* cells, std::size_t count) {
    std::uint64_t bytes = 0;
    if constexpr (std::endian::native == std::endian::little) {
        if (count >= 8) {
            std::memcpy(&bytes, cells, 8);
            return bytes;
        }
    }
    for (std::size_t i = 0; i < std::min<std::size_t>(count, 8); ++i)
        bytes |= static_cast<std::uint64_t>(cells[i]) << 8 * i;
    return bytes; // what lies past the end of a row is rock
}

// A bit for each of the cells that is at least so much.
std::uint64_t at_least(std::uint64_t eight, Tile least) {
    const std::uint64_t high = eight + in_each_byte * (0x80U - static_cast<unsigned>(least));
    return ((high >> 7U & in_each_byte) * 0x0102040810204080U) >> 56U;
}

constexpr Tile next(Tile tile) { return static_cast<Tile>(static_cast<unsigned>(tile) + 1); }

} // namespace

void Ground::build(const Level& level, bool monsters_apart) {
    level_ = &level;
    const auto find = [&](Tile tile) {
        return static_cast<std::uint32_t>(std::ranges::find(level.cells, tile) - level.cells.begin());
    };
    entrance_ = find(Tile::entrance);
    exit_ = find(Tile::exit);
    classify(monsters_apart);
    make_pieces();
    make_edges();
}

void Ground::classify(bool monsters_apart) {
    const std::uint32_t width = level_->width;
    const std::uint32_t height = level_->height;
    for (BitRows* const rows : {&open_, &plain_, &special_, &treasures_}) rows->clear(width, height);
    const Tile least = monsters_apart ? Tile::monster : Tile::small_key;
    for (std::uint32_t y = 0; y < height; ++y)
        for (std::uint32_t x = 0; x < width; x += 8) {
            const std::uint64_t eight =
                eight_cells(level_->cells.data() + std::size_t{y} * width + x, width - x);
            const std::size_t word = y * open_.words + x / 64;
            open_.bits[word] |= at_least(eight, Tile::floor) << x % 64;
            special_.bits[word] |= at_least(eight, least) << x % 64;
            treasures_.bits[word] |=
                (at_least(eight, Tile::treasure) & ~at_least(eight, next(Tile::treasure))) << x % 64;
        }
    special_.set(level_->x_of(exit_), level_->y_of(exit_));
    open_cells_ = 0;
    for (std::size_t i = 0; i < open_.bits.size(); ++i) {
        plain_.bits[i] = open_.bits[i] & ~special_.bits[i];
        open_cells_ += static_cast<std::size_t>(std::popcount(open_.bits[i]));
    }
}

void Ground::make_pieces() {
    piece_of_.resize(area());
    pieces_.clear();
    specials_.clear();
    small_keys_ = small_doors_ = 0;
    runs_.find(plain_);
    for (std::size_t i = 0; i < runs_.size(); ++i) {
        const Runs::Run& run = runs_[i];
        const std::uint32_t first = runs_.first_of(i);
        const std::uint32_t cell = run.row * level_->width + run.begin;
        if (first == i) {
            piece_of_[cell] = static_cast<std::uint32_t>(pieces_.size());
            pieces_.push_back({.cell = cell});
        }
        const std::uint32_t piece = piece_of_[runs_[first].row * level_->width + runs_[first].begin];
        std::fill_n(piece_of_.begin() + cell, run.end - run.begin, piece);
        pieces_[piece].cells += run.end - run.begin;
    }
    special_.for_each([&](std::uint32_t x, std::uint32_t y) { add_special(y * level_->width + x); });
    // Coloured keys come first, then small keys; small doors behind them, once it is known how many there
    // are.
    for (const std::uint32_t piece : specials_)
        if (tile(pieces_[piece].cell) == Tile::small_door)
            pieces_[piece].bit = colours + small_keys_ + small_doors_++;
    treasures_.for_each(
        [&](std::uint32_t x, std::uint32_t y) { ++pieces_[piece_of_[y * level_->width + x]].treasures; });
}

void Ground::add_special(std::uint32_t cell) {
    const Tile its = tile(cell);
    const auto piece = static_cast<std::uint32_t>(pieces_.size());
    piece_of_[cell] = piece;
    specials_.push_back(piece);
    pieces_.push_back({.tile = its, .cell = cell, .cells = 1});
    if (its == Tile::small_key) pieces_.back().bit = colours + small_keys_++;
    if (is_coloured_key(its) || is_coloured_door(its)) pieces_.back().bit = colour_of(its);
}

std::uint32_t Ground::neighbour(std::uint32_t cell, Step step) const {
    const std::uint32_t width = level_->width;
    switch (step) {
    case Step::north:
        return cell >= width ? cell - width : none;
    case Step::west:
        return level_->x_of(cell) > 0 ? cell - 1 : none;
    case Step::east:
        return level_->x_of(cell) + 1 < width ? cell + 1 : none;
    case Step::south:
        return cell + width < area() ? cell + width : none;
    }
    return none;
}

std::uint32_t Ground::step(std::uint32_t cell, Step step) const {
    const std::uint32_t to = neighbour(cell, step);
    return to != none && may_step(tile(cell), tile(to), step) ? to : none;
}

void Ground::make_edges() {
    edges_.clear();
    roots_.resize(pieces_.size());
    std::iota(roots_.begin(), roots_.end(), 0U);
    for (const std::uint32_t here : specials_) {
        const std::uint32_t cell = pieces_[here].cell;
        for (const Step step : all_steps) {
            const std::uint32_t other = neighbour(cell, step);
            if (other == none || tile(other) == Tile::rock) continue;
            const std::uint32_t there = piece_of_[other];
            const auto back = static_cast<Step>(3 - static_cast<unsigned>(step));
            if (may_step(tile(cell), tile(other), step)) add_edge(here, there);
            // Other pieces of their own say themselves where one can go from them.
            if (pieces_[there].tile == Tile::floor && may_step(tile(other), tile(cell), back))
                add_edge(there, here);
            roots_[root_of(roots_, here)] = root_of(roots_, there);
        }
    }
}

void Ground::add_edge(std::uint32_t from, std::uint32_t to) {
    const auto edge = static_cast<std::uint32_t>(edges_.size());
    edges_.push_back({from, to, pieces_[from].first_out, pieces_[to].first_in});
    pieces_[from].first_out = edge;
    pieces_[to].first_in = edge;
}

void Ground::find_connected(BitRows& connected) {
    const std::uint32_t root = root_of(roots_, piece_of_[entrance_]);
    const auto is_connected = [&](std::uint32_t piece) { return root_of(roots_, piece) == root; };
    connected.clear(level_->width, level_->height);
    for (std::size_t i = 0; i < runs_.size(); ++i)
        if (const Runs::Run& run = runs_[i]; is_connected(piece_of_[run.row * level_->width + run.begin]))
            connected.set(run.begin, run.end, run.row);
    for (const std::uint32_t piece : specials_)
        if (is_connected(piece))
            connected.set(level_->x_of(pieces_[piece].cell), level_->y_of(pieces_[piece].cell));
}

} // namespace knossos::dungeon
