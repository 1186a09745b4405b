#include <knossos/core/error.hpp>
#include <knossos/core/text.hpp>
#include <knossos/maze/grid.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace knossos::maze {

namespace {

// The bits of word `index` that lie inside a row of the given width.
std::uint64_t inside(std::uint32_t width, std::size_t index) {
    const std::size_t left = width - index * 64;
    return left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
}

} // namespace

Grid::Grid(std::uint32_t width, std::uint32_t height, bool rock) { reset(width, height, rock); }

void Grid::reset(std::uint32_t width, std::uint32_t height, bool rock) {
    if (width < 1 || height < 1 || width > largest_drawn_side || height > largest_drawn_side)
        throw InvalidInput{
            fmt::format("the grid is {}×{}; both sides lie in 1..{}", width, height, largest_drawn_side)};
    width_ = width;
    height_ = height;
    has_walls_ = false;
    rock_.assign(words_per_row() * height, 0);
    if (!rock) return;
    for (std::size_t y = 0; y < height; ++y)
        for (std::size_t i = 0; i < words_per_row(); ++i) rock_row(y)[i] = inside(width, i);
}

std::size_t Grid::rock_cells() const {
    std::size_t total = 0;
    for (const std::uint64_t word : rock_) total += static_cast<std::size_t>(std::popcount(word));
    return total;
}

void Grid::add_walls() {
    has_walls_ = true;
    east_.assign(rock_.size(), 0);
    south_.assign(rock_.size(), 0);
}

bool Grid::steps(Cell from, Direction direction) const {
    Cell to = from;
    bool wall = false;
    switch (direction) {
    case Direction::north:
        if (from.y == 0) return false;
        --to.y;
        wall = wall_south(to);
        break;
    case Direction::west:
        if (from.x == 0) return false;
        --to.x;
        wall = wall_east(to);
        break;
    case Direction::east:
        if (from.x + 1 >= width_) return false;
        ++to.x;
        wall = wall_east(from);
        break;
    case Direction::south:
        if (from.y + 1 >= height_) return false;
        ++to.y;
        wall = wall_south(from);
        break;
    }
    return !wall && !is_rock(from) && !is_rock(to);
}

bool operator==(const Grid& a, const Grid& b) {
    return a.width_ == b.width_ && a.height_ == b.height_ && a.has_walls_ == b.has_walls_ &&
           a.rock_ == b.rock_ && (!a.has_walls_ || (a.east_ == b.east_ && a.south_ == b.south_));
}

void check_places(std::uint32_t width, std::uint32_t height, Cell entrance, Cell exit,
                  std::span<const Cell> checkpoints) {
    const auto require_inside = [&](std::string_view what, Cell cell) {
        if (cell.x >= width || cell.y >= height)
            throw InvalidInput{fmt::format("{} {} lies off the grid, whose columns are 0..{} and rows 0..{}",
                                           what, to_text(cell), width - 1, height - 1)};
    };
    require_inside("the entrance", entrance);
    require_inside("the exit", exit);
    if (checkpoints.size() > most_checkpoints)
        throw InvalidInput{fmt::format("there are {} checkpoints; at most {} are possible",
                                       checkpoints.size(), most_checkpoints)};
    for (std::size_t i = 0; i < checkpoints.size(); ++i) {
        require_inside(fmt::format("checkpoint {}", i + 1), checkpoints[i]);
        for (std::size_t j = 0; j < i; ++j)
            if (checkpoints[i] == checkpoints[j])
                throw InvalidInput{fmt::format("checkpoints {} and {} are the same cell {}", j + 1, i + 1,
                                               to_text(checkpoints[i]))};
    }
}

void check(const Level& level) {
    check_places(level.grid.width(), level.grid.height(), level.entrance, level.exit, level.checkpoints);
}

Grid rock_of(const levels::Drawing& drawing) {
    Grid grid{drawing.width, drawing.height};
    for (std::size_t i = 0; i < drawing.cells.size(); ++i)
        if (drawing.cells[i] == levels::rock_letter) grid.set_rock(grid.cell(i), true);
    return grid;
}

Grid parse_grid(std::string_view text, std::string_view source) {
    return rock_of(levels::parse_known(text, source, largest_drawn_side));
}

Level parse_level(std::string_view text, std::string_view source) {
    const levels::Drawing drawing = levels::parse_known(text, source, largest_drawn_side);
    Level level{.grid = rock_of(drawing),
                .entrance = drawing.entrance.value_or(Cell{}),
                .exit = drawing.exit.value_or(Cell{drawing.width - 1, drawing.height - 1}),
                .checkpoints = drawing.checkpoints};
    try {
        check(level);
    } catch (const InvalidInput& error) {
        throw InvalidInput{fmt::format("{}: {}", source, error.what())};
    }
    return level;
}

namespace {

// The rock alone, without places.
levels::Drawing drawing_of(const Grid& grid) {
    levels::Drawing drawing{.width = grid.width(), .height = grid.height()};
    drawing.cells.assign(grid.area(), levels::floor_letter);
    for (std::size_t i = 0; i < grid.area(); ++i)
        if (grid.is_rock(grid.cell(i))) drawing.cells[i] = levels::rock_letter;
    return drawing;
}

} // namespace

std::string to_text(const Grid& grid) { return to_text(drawing_of(grid)); }

std::string to_text(const Level& level) {
    levels::Drawing drawing = drawing_of(level.grid);
    drawing.entrance = level.entrance;
    drawing.exit = level.exit;
    drawing.checkpoints = level.checkpoints;
    return to_text(drawing);
}

Level with_walls_as_rock(const Level& level) {
    const Grid& grid = level.grid;
    if (!grid.has_walls()) return level;
    const auto moved = [](Cell cell) { return Cell{2 * cell.x, 2 * cell.y}; };
    Level drawn{.grid = Grid{2 * grid.width() - 1, 2 * grid.height() - 1, true},
                .entrance = moved(level.entrance),
                .exit = moved(level.exit)};
    for (const Cell checkpoint : level.checkpoints) drawn.checkpoints.push_back(moved(checkpoint));
    for (std::uint32_t y = 0; y < grid.height(); ++y) {
        for (std::uint32_t x = 0; x < grid.width(); ++x) {
            const Cell cell{x, y};
            if (grid.is_rock(cell)) continue;
            drawn.grid.set_rock(moved(cell), false);
            if (grid.steps(cell, Direction::east)) drawn.grid.set_rock({2 * x + 1, 2 * y}, false);
            if (grid.steps(cell, Direction::south)) drawn.grid.set_rock({2 * x, 2 * y + 1}, false);
        }
    }
    return drawn;
}

} // namespace knossos::maze
