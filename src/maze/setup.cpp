#include <knossos/maze/setup.hpp>

#include <fmt/format.h>

#include <charconv>

namespace knossos {

namespace {

using AnyMaze = std::variant<maze::DirectMaze, maze::ChromaticMaze, maze::PositiveMaze, maze::NegativeMaze,
                             maze::AutomatonMaze>;

maze::Cell single_cell(std::string_view text, std::string_view what) {
    const auto cells = parse_cells(text, what);
    if (cells.size() != 1)
        throw InvalidInput{fmt::format("{} is '{}'; it must be one cell, such as 0,0", what, text)};
    return cells.front();
}

maze::Layout layout_of(const MazeFields& fields) {
    maze::Layout layout = maze::Layout::of_size(fields.width, fields.height);
    layout.entrance = single_cell(fields.entrance, "problem.entrance");
    if (!fields.exit.empty()) layout.exit = single_cell(fields.exit, "problem.exit");
    layout.checkpoints = parse_cells(fields.checkpoints, "problem.checkpoints");
    if (!fields.locks.empty()) layout.locks = maze::parse_locks(fields.locks, fields.width, fields.height);
    layout.symmetry = fields.symmetry;
    return layout;
}

maze::Fitness fitness_of(const MazeFields& fields) {
    maze::Fitness fitness{
        .function = fields.fitness, .terms = {}, .mandatory = fields.k, .several = fields.several};
    if (!fields.goal.empty()) fitness.terms = maze::parse_terms(fields.goal, "problem.goal");
    return fitness;
}

maze::Grid start_of(const MazeFields& fields) {
    if (fields.start.empty()) return {};
    if (fields.representation != MazeRepresentation::direct)
        throw InvalidInput{"problem.start: only the direct representation can begin with a drawing"};
    maze::Grid start = maze::parse_grid(fields.start, "problem.start");
    if (start.width() != fields.width || start.height() != fields.height)
        throw InvalidInput{fmt::format("problem.start: the drawing is {} × {}; the maze is {} × {}",
                                       start.width(), start.height(), fields.width, fields.height)};
    return start;
}

AnyMaze make_maze(const MazeFields& fields) {
    maze::Grid start = start_of(fields);
    maze::Blueprint blueprint{layout_of(fields)};
    maze::Fitness fitness = fitness_of(fields);
    switch (fields.representation) {
    case MazeRepresentation::chromatic:
        return maze::ChromaticMaze{maze::Chromatic{std::move(blueprint)}, fitness};
    case MazeRepresentation::positive:
        return maze::PositiveMaze{maze::Positive{std::move(blueprint), fields.pairs, fields.cap}, fitness};
    case MazeRepresentation::negative:
        return maze::NegativeMaze{maze::Negative{std::move(blueprint), fields.pairs}, fitness};
    case MazeRepresentation::automaton:
        return maze::AutomatonMaze{
            maze::Automaton{std::move(blueprint), fields.steps, fields.fill < 0.0 ? 0.5 : fields.fill},
            fitness};
    case MazeRepresentation::direct:
        break;
    }
    return maze::DirectMaze{
        maze::Direct{std::move(blueprint), fields.fill < 0.0 ? 0.05 : fields.fill, std::move(start)},
        fitness};
}

} // namespace

std::vector<maze::Cell> parse_cells(std::string_view text, std::string_view what) {
    std::vector<maze::Cell> cells;
    constexpr std::string_view separators = " ;\t\r\n";
    for (std::size_t start = text.find_first_not_of(separators); start != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_of(separators, start), text.size());
        const std::string_view word = text.substr(start, end - start);
        maze::Cell cell;
        const char* const last = word.data() + word.size();
        const auto x = std::from_chars(word.data(), last, cell.x);
        const bool comma = x.ec == std::errc{} && x.ptr != last && *x.ptr == ',';
        const auto y = comma ? std::from_chars(x.ptr + 1, last, cell.y) : x;
        if (!comma || y.ec != std::errc{} || y.ptr != last)
            throw InvalidInput{fmt::format("{}: '{}' is not a cell; write x,y such as 3,4", what, word)};
        cells.push_back(cell);
        start = text.find_first_not_of(separators, end);
    }
    return cells;
}

MazeSetup::MazeSetup(const MazeFields& fields) : maze_{make_maze(fields)} {}

Problem MazeSetup::problem() const {
    return std::visit([](const auto& maze) { return Problem{maze}; }, maze_);
}

maze::Level MazeSetup::level(const std::byte* genome) const {
    return std::visit([&](const auto& maze) { return maze.level(genome); }, maze_);
}

const maze::Fitness& MazeSetup::fitness() const {
    return std::visit([](const auto& maze) -> const maze::Fitness& { return maze.fitness(); }, maze_);
}

} // namespace knossos
