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

struct Line {
    std::string_view text;
    std::size_t number; // from 1
};

std::vector<Line> lines_of(std::string_view text) {
    std::vector<Line> lines;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.ends_with('\r')) line.remove_suffix(1);
        lines.push_back({line, number});
    }
    while (!lines.empty() && lines.back().text.empty()) lines.pop_back();
    return lines;
}

[[noreturn]] void refuse(std::string_view source, std::size_t line, std::size_t column,
                         std::string_view message) {
    throw InvalidInput{fmt::format("{}:{}:{}: {}", source, line, column, message)};
}

std::string printable(char character) {
    const auto code = static_cast<unsigned char>(character);
    return code >= 0x20 && code < 0x7F ? fmt::format("'{}'", character) : fmt::format("byte 0x{:02X}", code);
}

// The lines of a drawing whose rows are all of one length and only of the characters allowed.
std::vector<Line> drawing(std::string_view text, std::string_view source, std::string_view allowed,
                          std::string_view expected) {
    std::vector<Line> lines = lines_of(text);
    if (lines.empty())
        refuse(source, 1, 1, "there is no grid here; expected rows of " + std::string{expected});
    const std::size_t width = lines.front().text.size();
    for (const Line& line : lines) {
        const std::size_t wrong = line.text.find_first_not_of(allowed);
        if (wrong != std::string_view::npos)
            refuse(
                source, line.number, wrong + 1,
                fmt::format("{} is not part of a grid; expected {}", printable(line.text[wrong]), expected));
        if (line.text.size() != width || width == 0)
            refuse(source, line.number, std::min(line.text.size(), width) + 1,
                   fmt::format("this row has {}, the first one {}",
                               counted(line.text.size(), "cell", "cells"), width));
        if (width > largest_drawn_side)
            refuse(source, line.number, largest_drawn_side + 1,
                   fmt::format("a grid has at most {0}×{0} cells", largest_drawn_side));
    }
    if (lines.size() > largest_drawn_side)
        refuse(source, lines[largest_drawn_side].number, 1,
               fmt::format("a grid has at most {0}×{0} cells", largest_drawn_side));
    return lines;
}

std::uint32_t side(std::size_t size) { return static_cast<std::uint32_t>(size); }

} // namespace

std::string to_text(Cell cell) { return fmt::format("({}, {})", cell.x, cell.y); }

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

Grid parse_grid(std::string_view text, std::string_view source) {
    const std::vector<Line> lines = drawing(text, source, "#.", "'#' for rock and '.' for open cells");
    Grid grid{side(lines.front().text.size()), side(lines.size())};
    for (std::uint32_t y = 0; y < grid.height(); ++y)
        for (std::uint32_t x = 0; x < grid.width(); ++x) grid.set_rock({x, y}, lines[y].text[x] == '#');
    return grid;
}

std::string to_text(const Grid& grid) {
    std::string text;
    text.reserve((std::size_t{grid.width()} + 1) * grid.height());
    for (std::uint32_t y = 0; y < grid.height(); ++y) {
        for (std::uint32_t x = 0; x < grid.width(); ++x) text += grid.is_rock({x, y}) ? '#' : '.';
        text += '\n';
    }
    return text;
}

Level parse_level(std::string_view text, std::string_view source) {
    const std::vector<Line> lines =
        drawing(text, source, "#.EXBCexbc",
                "'#' for rock, '.' for open, E for the entrance, X for the exit, C for checkpoints");
    Level level{
        .grid = Grid{side(lines.front().text.size()), side(lines.size())}, .entrance = {}, .exit = {}};
    level.exit = {level.grid.width() - 1, level.grid.height() - 1};
    bool entered = false;
    bool left = false;
    const auto place = [&](Cell& target, bool& seen, Cell cell, std::string_view what) {
        if (seen)
            refuse(source, cell.y + 1, cell.x + 1,
                   fmt::format("a second {}; the first one is at {}", what, to_text(target)));
        target = cell;
        seen = true;
    };
    for (std::uint32_t y = 0; y < level.grid.height(); ++y) {
        for (std::uint32_t x = 0; x < level.grid.width(); ++x) {
            const Cell cell{x, y};
            const char mark = lines[y].text[x];
            const auto is_one_of = [&](std::string_view marks) {
                return marks.find(mark) != std::string_view::npos;
            };
            if (is_one_of("#c")) level.grid.set_rock(cell, true);
            if (is_one_of("EBeb")) place(level.entrance, entered, cell, "entrance");
            if (is_one_of("XBxb")) place(level.exit, left, cell, "exit");
            if (is_one_of("Cexbc")) level.checkpoints.push_back(cell);
        }
    }
    check(level);
    return level;
}

std::string to_text(const Level& level) {
    std::string text = to_text(level.grid);
    const auto at = [&](Cell cell) -> char& {
        return text[std::size_t{cell.y} * (level.grid.width() + 1) + cell.x];
    };
    at(level.entrance) = 'E';
    at(level.exit) = level.exit == level.entrance ? 'B' : 'X';
    for (const Cell checkpoint : level.checkpoints) {
        char& mark = at(checkpoint);
        if (mark == '.')
            mark = 'C';
        else
            mark = mark == '#' ? 'c' : static_cast<char>(mark - 'A' + 'a');
    }
    return text;
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
