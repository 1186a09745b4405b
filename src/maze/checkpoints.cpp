#include <knossos/core/error.hpp>
#include <knossos/core/text.hpp>
#include <knossos/maze/checkpoints.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace knossos::maze {

namespace {

std::uint32_t apart(std::uint32_t a, std::uint32_t b) { return a < b ? b - a : a - b; }

bool is_taken(const std::vector<Cell>& cells, Cell cell) {
    return std::ranges::find(cells, cell) != cells.end();
}

std::size_t free_cells(const Blueprint& blueprint) {
    return blueprint.area() - blueprint.locked_rock().rock_cells() - blueprint.locked_open().rock_cells();
}

// How many rows of checkpoints make the parts of the maze as nearly square as possible.
std::uint64_t rows_for(std::uint64_t count, std::uint64_t width, std::uint64_t height) {
    const auto off = [&](std::uint64_t rows) {
        const std::uint64_t is = rows * rows * width;
        const std::uint64_t wanted = count * height;
        return is < wanted ? wanted - is : is - wanted;
    };
    std::uint64_t best = 1;
    for (std::uint64_t rows = 2; rows <= std::min(count, height); ++rows)
        if (off(rows) < off(best)) best = rows;
    return best;
}

Cell nearest_free(const Blueprint& blueprint, const std::vector<Cell>& taken, Cell wanted) {
    Cell best = wanted;
    std::uint32_t shortest = blueprint.width() + blueprint.height();
    for (std::uint32_t y = 0; y < blueprint.height(); ++y)
        for (std::uint32_t x = 0; x < blueprint.width(); ++x) {
            const std::uint32_t distance = apart(x, wanted.x) + apart(y, wanted.y);
            if (distance >= shortest || !blueprint.is_free({x, y}) || is_taken(taken, {x, y})) continue;
            shortest = distance;
            best = {x, y};
        }
    return best;
}

} // namespace

std::vector<Cell> laid_out_checkpoints(const Blueprint& blueprint, std::size_t count) {
    if (count > free_cells(blueprint))
        throw InvalidInput{fmt::format("there are {} and {} to lay out",
                                       counted(free_cells(blueprint), "free cell", "free cells"),
                                       counted(count, "checkpoint", "checkpoints"))};
    std::vector<Cell> checkpoints;
    const std::uint64_t rows = rows_for(count, blueprint.width(), blueprint.height());
    for (std::uint64_t row = 0; row < rows; ++row) {
        const std::uint64_t in_row = (row + 1) * count / rows - row * count / rows;
        for (std::uint64_t i = 0; i < in_row; ++i) {
            const Cell middle{static_cast<std::uint32_t>((2 * i + 1) * blueprint.width() / (2 * in_row)),
                              static_cast<std::uint32_t>((2 * row + 1) * blueprint.height() / (2 * rows))};
            checkpoints.push_back(nearest_free(blueprint, checkpoints, middle));
        }
    }
    return checkpoints;
}

void settle_checkpoints(const Blueprint& blueprint, std::vector<Cell>& checkpoints) {
    const auto next = [&](Cell cell) -> Cell {
        if (++cell.x < blueprint.width()) return cell;
        return {0, cell.y + 1 < blueprint.height() ? cell.y + 1 : 0};
    };
    for (auto one = checkpoints.begin(); one != checkpoints.end(); ++one)
        while (!blueprint.is_free(*one) || std::find(checkpoints.begin(), one, *one) != one)
            *one = next(*one);
}

CheckpointGenes::Number CheckpointGenes::number_for(std::uint32_t side, std::uint32_t alphabet) {
    Number number{.side = side};
    for (; number.range < side; number.range *= alphabet) ++number.digits;
    return number;
}

CheckpointGenes::CheckpointGenes(const Blueprint& blueprint, const Space& maze)
    : first_{maze.length}, count_{blueprint.layout().checkpoints.size()}, alphabet_{maze.alphabet},
      column_{number_for(blueprint.width(), maze.alphabet)},
      row_{number_for(blueprint.height(), maze.alphabet)} {
    if (count_ == 0)
        throw InvalidSetting{"problem", "", "evolve_checkpoints",
                             "is true, but there are no checkpoints to move; problem.checkpoints takes cells "
                             "such as 3,4 10,12, or auto:4"};
    if (count_ > free_cells(blueprint))
        throw InvalidSetting{"problem", "", "evolve_checkpoints",
                             fmt::format("is true, but there are {} for {} to move to",
                                         counted(free_cells(blueprint), "free cell", "free cells"),
                                         counted(count_, "checkpoint", "checkpoints"))};
}

void CheckpointGenes::propose(Stream& stream, Bits genome) const {
    const std::size_t checkpoint = stream.below(static_cast<std::uint32_t>(count_));
    Cell cell = read(genome, checkpoint);
    if (stream.chance(0.5)) {
        // A step off the grid is taken the other way.
        const auto step = [&](std::uint32_t& place, std::uint32_t side, bool forward) {
            if (place == 0) forward = true;
            if (place + 1 == side) forward = false;
            place = forward ? place + 1 : place - 1;
        };
        const std::uint32_t direction = stream.below(4);
        if (direction < 2)
            step(cell.x, column_.side, direction == 1);
        else
            step(cell.y, row_.side, direction == 3);
    } else {
        cell = {stream.below(column_.side), stream.below(row_.side)};
    }
    write(genome, checkpoint, cell);
}

} // namespace knossos::maze
