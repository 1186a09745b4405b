#pragma once

#include <knossos/maze/grid.hpp>

#include <cstddef>
#include <cstdint>

/// The kernels that look at a tile of direct mazes at once, one in each lane of a vector. They are compiled
/// once per instruction set and chosen at run time.
namespace knossos::maze {

/// The widest row that they take: two colours of 32 cells in 32-bit lanes.
constexpr std::uint32_t widest_lane_row = 64;
/// Mazes of a tile: one per 16-bit lane of the widest vector (64 bytes).
constexpr std::size_t largest_tile = 32;

/// Working memory of a tile, 64-byte aligned: `rows` takes the mazes' rows as they are, 4 or 8 bytes each (8
/// if they are wider than 32), row after row with all mazes side by side; the next three one vector per row
/// and colour, the last two as many bytes as the rows. Room for four more rows than the mazes have.
struct TileMemory {
    std::byte* rows;
    std::byte* near_open;
    std::byte* near_frontier;
    std::byte* far_open;
    std::byte* reached;
    std::byte* work;
};

struct TileShape {
    std::uint32_t width;
    std::uint32_t height;
    Cell entrance;
    Cell exit;
};

/// What tile_counts() is asked for, as bits.
enum TileWish : unsigned char {
    wish_shape = 1,   ///< branching, ends, steps, squares, in_squares
    wish_pockets = 2, ///< pockets
    wish_rooms = 4,   ///< rooms
    wish_symmetry = 8 ///< left_right, top_bottom, rotation
};

/// What is counted of each maze of a tile.
struct TileCounts {
    std::int32_t exit_path[largest_tile];
    std::int32_t farthest[largest_tile];
    std::uint32_t reachable[largest_tile];
    std::uint32_t unreached[largest_tile]; ///< open cells
    std::uint32_t branching[largest_tile];
    std::uint32_t ends[largest_tile];
    std::uint32_t steps[largest_tile]; ///< between reachable cells
    std::uint32_t squares[largest_tile];
    std::uint32_t in_squares[largest_tile]; ///< cells that lie in one
    std::uint32_t pockets[largest_tile];
    std::uint32_t rooms[largest_tile];
    // Cells that differ from their image: each pair has two.
    std::uint32_t left_right[largest_tile];
    std::uint32_t top_bottom[largest_tile];
    std::uint32_t rotation[largest_tile];
};

/// How many mazes the kernels take at once; 0 where there are none.
std::size_t tile_size(std::uint32_t width);
/// Distances to the exit, −1 where there is no way. Entrance and exit are different cells.
void tile_exit_paths(const TileShape& shape, const TileMemory& memory, std::int32_t* out);
/// Everything that a flood of all that can be reached gives, and what is wished for.
void tile_counts(const TileShape& shape, const TileMemory& memory, unsigned wishes, TileCounts& out);
/// The symmetry alone, without a flood.
void tile_symmetry(const TileShape& shape, const TileMemory& memory, TileCounts& out);

} // namespace knossos::maze
