#pragma once

#include <knossos/levels/drawing.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace knossos::maze {

using levels::Cell;
using levels::to_text;

enum class Direction : unsigned char { north, west, east, south };

/// Largest width and height of a maze.
constexpr std::uint32_t largest_side = 1024;
/// Grids may be larger than mazes, so that a cell graph of any size can be drawn with its walls as rock.
constexpr std::uint32_t largest_drawn_side = 2 * largest_side - 1;
constexpr std::size_t most_checkpoints = 64;

/// Rock and open cells in bit rows, and, once add_walls() was called, walls between neighbouring cells as
/// well: what every representation decodes to and every measure is taken on.
class Grid {
  public:
    Grid() = default;
    /// All open, or all rock. Throws InvalidInput unless both sides are in 1..2047.
    Grid(std::uint32_t width, std::uint32_t height, bool rock = false);

    [[nodiscard]] std::uint32_t width() const { return width_; }
    [[nodiscard]] std::uint32_t height() const { return height_; }
    [[nodiscard]] std::size_t area() const { return std::size_t{width_} * height_; }
    [[nodiscard]] bool contains(Cell cell) const { return cell.x < width_ && cell.y < height_; }
    /// Where a cell comes in reading order.
    [[nodiscard]] std::size_t index(Cell cell) const { return std::size_t{cell.y} * width_ + cell.x; }
    [[nodiscard]] Cell cell(std::size_t index) const {
        return {static_cast<std::uint32_t>(index % width_), static_cast<std::uint32_t>(index / width_)};
    }

    /// Takes another size, all open or all rock and without walls, in the memory it has where that suffices.
    void reset(std::uint32_t width, std::uint32_t height, bool rock = false);

    [[nodiscard]] bool is_rock(Cell cell) const { return bit(rock_, cell); }
    void set_rock(Cell cell, bool rock) { set_bit(rock_, cell, rock); }
    [[nodiscard]] std::size_t rock_cells() const;

    /// Makes this a cell graph, so far without any wall.
    void add_walls();
    [[nodiscard]] bool has_walls() const { return has_walls_; }
    /// Whether a wall separates the cell from its eastern (southern) neighbour.
    [[nodiscard]] bool wall_east(Cell cell) const { return has_walls_ && bit(east_, cell); }
    [[nodiscard]] bool wall_south(Cell cell) const { return has_walls_ && bit(south_, cell); }
    /// Only for cells that have such a neighbour, and only after add_walls().
    void set_wall_east(Cell cell, bool wall) { set_bit(east_, cell, wall); }
    void set_wall_south(Cell cell, bool wall) { set_bit(south_, cell, wall); }

    /// Whether one may go from a cell to its neighbour in that direction: both are open, no wall between.
    [[nodiscard]] bool steps(Cell from, Direction direction) const;

    /// A row as bits, bit x mod 64 of word x div 64 for column x; bits past the width are clear. Rows of
    /// walls exist only after add_walls(); the last column (row) has no eastern (southern) walls.
    [[nodiscard]] std::size_t words_per_row() const { return (std::size_t{width_} + 63) / 64; }
    [[nodiscard]] std::span<const std::uint64_t> rock_row(std::size_t y) const { return row(rock_, y); }
    [[nodiscard]] std::span<std::uint64_t> rock_row(std::size_t y) { return row(rock_, y); }
    [[nodiscard]] std::span<const std::uint64_t> east_wall_row(std::size_t y) const { return row(east_, y); }
    [[nodiscard]] std::span<std::uint64_t> east_wall_row(std::size_t y) { return row(east_, y); }
    [[nodiscard]] std::span<const std::uint64_t> south_wall_row(std::size_t y) const {
        return row(south_, y);
    }
    [[nodiscard]] std::span<std::uint64_t> south_wall_row(std::size_t y) { return row(south_, y); }

    friend bool operator==(const Grid& a, const Grid& b);

  private:
    using Words = std::vector<std::uint64_t>;

    [[nodiscard]] std::size_t word(Cell cell) const { return cell.y * words_per_row() + cell.x / 64; }
    [[nodiscard]] bool bit(const Words& words, Cell cell) const {
        return (words[word(cell)] >> cell.x % 64 & 1U) != 0;
    }
    void set_bit(Words& words, Cell cell, bool value) {
        const std::uint64_t mask = std::uint64_t{1} << cell.x % 64;
        std::uint64_t& target = words[word(cell)];
        target = value ? target | mask : target & ~mask;
    }
    [[nodiscard]] std::span<const std::uint64_t> row(const Words& words, std::size_t y) const {
        return {words.data() + y * words_per_row(), words_per_row()};
    }
    [[nodiscard]] std::span<std::uint64_t> row(Words& words, std::size_t y) const {
        return {words.data() + y * words_per_row(), words_per_row()};
    }

    std::uint32_t width_ = 0;
    std::uint32_t height_ = 0;
    bool has_walls_ = false;
    Words rock_;
    Words east_;
    Words south_;
};

/// A grid with what makes it a level: where one comes in, where one goes out, and the checkpoints.
struct Level {
    Grid grid;
    Cell entrance{};
    Cell exit{};
    std::vector<Cell> checkpoints{};

    friend bool operator==(const Level&, const Level&) = default;
};

/// Throws InvalidInput if the places don't fit the grid: entrance, exit or a checkpoint off it, a checkpoint
/// twice, or more than 64 of them.
void check_places(std::uint32_t width, std::uint32_t height, Cell entrance, Cell exit,
                  std::span<const Cell> checkpoints);
void check(const Level& level);

/// The rock of a drawing; what is free is open. Whatever else lies in a cell, it is open.
Grid rock_of(const levels::Drawing& drawing);
/// The rock of a text, see levels::Drawing, in which no cell is free.
Grid parse_grid(std::string_view text, std::string_view source = "grid");

/// The rows in '#' and '.', each ending in a newline. Walls between cells have no place in this form: see
/// with_walls_as_rock().
std::string to_text(const Grid& grid);

/// As parse_grid(), with its places. Without an entrance that is the first cell, without an exit that is the
/// last one.
Level parse_level(std::string_view text, std::string_view source = "level");
std::string to_text(const Level& level);

/// A cell graph drawn with thick walls: cell (x, y) goes to (2x, 2y), the cells between hold the walls. All
/// distances double. Levels without walls come back as they are.
Level with_walls_as_rock(const Level& level);

} // namespace knossos::maze
