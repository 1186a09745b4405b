#include "dungeon/ground.hpp"
#include "dungeon/roots.hpp"

#include <algorithm>

namespace knossos::dungeon {

namespace {

// Whether a cell of this kind is a piece of its own.
constexpr std::array<bool, tile_kinds> happens_there = [] {
    std::array<bool, tile_kinds> table{};
    for (std::size_t i = 0; i < tile_kinds; ++i) {
        const auto tile = static_cast<Tile>(i);
        table[i] = tile == Tile::exit || is_key(tile) || is_door(tile) || is_one_way(tile);
    }
    return table;
}();

} // namespace

void Ground::build(const Level& level, bool monsters_apart) {
    number_cells(level);
    make_steps();
    make_pieces(monsters_apart);
    make_edges();
}

// Without a branch for rock: levels are too irregular to be guessed. What is written for rock is written over
// by the next open cell, and a cell past the last takes what would go to none.
void Ground::number_cells(const Level& level) {
    const auto past = static_cast<std::uint32_t>(level.area());
    tiles_.resize(past + 1);
    cells_.resize(past + 1);
    beside_.resize(past + 1);
    above_.assign(level.width, none);
    one_ways_ = small_keys_ = small_doors_ = 0;
    std::uint32_t open = 0;
    std::uint32_t at = 0;
    for (std::uint32_t y = 0; y < level.height; ++y) {
        std::uint32_t left = none;
        for (std::uint32_t x = 0; x < level.width; ++x, ++at) {
            const Tile tile = level.cells[at];
            const std::uint32_t here = tile == Tile::rock ? none : open;
            const std::uint32_t up = above_[x];
            beside_[open] = {up, left, none, none};
            beside_[std::min(up, past)][3] = here;
            beside_[std::min(left, past)][2] = here;
            tiles_[open] = tile;
            cells_[open] = at;
            entrance_ = tile == Tile::entrance ? open : entrance_;
            exit_ = tile == Tile::exit ? open : exit_;
            one_ways_ += is_one_way(tile) ? 1U : 0U;
            open += here == none ? 0U : 1U;
            left = above_[x] = here;
        }
    }
    tiles_.resize(open);
    cells_.resize(open);
    beside_.resize(open);
}

// One leaves a one-way in its direction alone, and nobody enters it against that.
void Ground::make_steps() {
    if (one_ways_ == 0) return;
    steps_ = beside_;
    for (std::uint32_t i = 0; i < tiles_.size(); ++i) {
        if (!is_one_way(tiles_[i])) continue;
        const auto ahead = static_cast<std::size_t>(step_of(tiles_[i]));
        for (std::size_t d = 0; d < 4; ++d)
            if (d != ahead) steps_[i][d] = none;
        if (const std::uint32_t there = beside_[i][ahead]; there != none) steps_[there][3 - ahead] = none;
    }
}

void Ground::make_pieces(bool monsters_apart) {
    const std::size_t open = tiles_.size();
    roots_.resize(open);
    piece_of_.resize(open);
    pieces_.clear();
    specials_.clear();
    const auto is_special = [&](std::uint32_t i) {
        return happens_there[static_cast<std::size_t>(tiles_[i])] ||
               (monsters_apart && tiles_[i] == Tile::monster);
    };
    for (std::uint32_t i = 0; i < open; ++i) {
        roots_[i] = i;
        if (is_special(i)) {
            specials_.push_back(i);
            continue;
        }
        const auto [up, left, right, down] = beside_[i];
        if (left != none && !is_special(left)) roots_[i] = roots_[left];
        if (up == none || is_special(up)) continue;
        const std::uint32_t a = root_of(roots_, i);
        const std::uint32_t b = root_of(roots_, up);
        // The first cell of a piece is its root, so that it is met before the others.
        if (a < b)
            roots_[b] = a;
        else
            roots_[a] = b;
    }
    std::size_t next_special = 0;
    for (std::uint32_t i = 0; i < open; ++i) {
        const bool special = next_special < specials_.size() && specials_[next_special] == i;
        const std::uint32_t root = special ? i : root_of(roots_, i);
        if (special) ++next_special;
        if (root == i) {
            piece_of_[i] = static_cast<std::uint32_t>(pieces_.size());
            pieces_.emplace_back();
            if (special) pieces_.back().tile = tiles_[i];
            if (tiles_[i] == Tile::small_key) pieces_.back().number = small_keys_++;
            if (tiles_[i] == Tile::small_door) pieces_.back().number = small_doors_++;
        } else {
            piece_of_[i] = piece_of_[root];
        }
        Piece& piece = pieces_[piece_of_[i]];
        ++piece.cells;
        piece.treasures += tiles_[i] == Tile::treasure ? 1U : 0U;
    }
}

void Ground::make_edges() {
    edges_.clear();
    for (const std::uint32_t i : specials_)
        for (std::size_t d = 0; d < 4; ++d) {
            const std::uint32_t other = beside_[i][d];
            if (other == none) continue;
            const std::uint32_t here = piece_of_[i];
            const std::uint32_t there = piece_of_[other];
            // Nobody walks on from the exit.
            if (i != exit_ && steps(i)[d] != none) add_edge(here, there);
            // Other pieces of their own say themselves where one can go from them.
            if (pieces_[there].tile == Tile::floor && steps(other)[3 - d] != none) add_edge(there, here);
        }
}

void Ground::add_edge(std::uint32_t from, std::uint32_t to) {
    const auto edge = static_cast<std::uint32_t>(edges_.size());
    edges_.push_back({from, to, pieces_[from].first_out, pieces_[to].first_in});
    pieces_[from].first_out = edge;
    pieces_[to].first_in = edge;
}

} // namespace knossos::dungeon
