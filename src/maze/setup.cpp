#include <knossos/core/error.hpp>
#include <knossos/maze/checkpoints.hpp>
#include <knossos/maze/setup.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>

namespace knossos {

namespace {

using AnyMaze = std::variant<maze::DirectMaze, maze::ChromaticMaze, maze::PositiveMaze, maze::NegativeMaze,
                             maze::AutomatonMaze>;

[[noreturn]] void refuse(std::string_view field, const std::string& fault) {
    throw InvalidSetting{"problem", "", field, fault};
}

// What is wrong with the text of one field, told of that field.
template <class Read>
auto read_field(std::string_view field, std::string_view how, Read read) {
    try {
        return read();
    } catch (const InvalidInput& error) {
        refuse(field, fmt::format("{}{}", how, error.what()));
    }
}

void require_inside(std::string_view field, maze::Cell cell, const MazeFields& fields) {
    if (cell.x >= fields.width || cell.y >= fields.height)
        refuse(field, fmt::format("holds {},{}, which lies off the maze: its columns are 0..{} and its rows "
                                  "0..{}",
                                  cell.x, cell.y, fields.width - 1, fields.height - 1));
}

maze::Cell single_cell(std::string_view field, std::string_view text, const MazeFields& fields) {
    const auto cells = read_field(field, "can't be read: ", [&] { return levels::parse_cells(text); });
    if (cells.size() != 1) refuse(field, fmt::format("is '{}'; it must be one cell, such as 0,0", text));
    require_inside(field, cells.front(), fields);
    return cells.front();
}

constexpr std::string_view automatic = "auto";
constexpr std::size_t automatic_count = 4;

// How many checkpoints "auto" or "auto:6" asks for; nothing if the text lists cells.
std::optional<std::size_t> laid_out(std::string_view text) {
    const std::size_t start = text.find_first_not_of(' ');
    if (start == std::string_view::npos || !text.substr(start).starts_with(automatic)) return std::nullopt;
    std::string_view rest = text.substr(start + automatic.size());
    rest = rest.substr(0, rest.find_last_not_of(' ') + 1);
    if (rest.empty()) return automatic_count;
    std::size_t count = 0;
    const char* const end = rest.data() + rest.size();
    const auto read = std::from_chars(std::min(rest.data() + 1, end), end, count);
    if (rest.front() != ':' || read.ec != std::errc{} || read.ptr != end || count < 1 ||
        count > maze::most_checkpoints)
        refuse("checkpoints", fmt::format("is '{}'; auto is followed by a colon and a number in 1..{}, as in "
                                          "auto:{}",
                                          text, maze::most_checkpoints, automatic_count));
    return count;
}

std::vector<maze::Cell> listed_checkpoints(const MazeFields& fields) {
    auto cells =
        read_field("checkpoints", "can't be read: ", [&] { return levels::parse_cells(fields.checkpoints); });
    if (cells.size() > maze::most_checkpoints)
        refuse("checkpoints",
               fmt::format("holds {} cells; at most {} are possible", cells.size(), maze::most_checkpoints));
    for (std::size_t i = 0; i < cells.size(); ++i) {
        require_inside("checkpoints", cells[i], fields);
        if (std::find(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(i), cells[i]) !=
            cells.begin() + static_cast<std::ptrdiff_t>(i))
            refuse("checkpoints", fmt::format("holds {},{} twice", cells[i].x, cells[i].y));
    }
    return cells;
}

maze::Layout layout_without_checkpoints(const MazeFields& fields) {
    maze::Layout layout = maze::Layout::of_size(fields.width, fields.height);
    layout.entrance = single_cell("entrance", fields.entrance, fields);
    if (!fields.exit.empty()) layout.exit = single_cell("exit", fields.exit, fields);
    if (!fields.locks.empty())
        layout.locks = read_field("locks", "can't be read: ", [&] {
            return maze::parse_locks(fields.locks, fields.width, fields.height);
        });
    layout.symmetry = fields.symmetry;
    return layout;
}

maze::Blueprint blueprint_of(const MazeFields& fields) {
    maze::Layout layout = layout_without_checkpoints(fields);
    const bool lopsided =
        fields.symmetry == maze::Symmetry::quarter_rotation && fields.width != fields.height;
    const std::string_view bound_by = fields.locks.empty() || lopsided ? "symmetry" : "locks";
    const auto count = laid_out(fields.checkpoints);
    const auto listed = count ? std::vector<maze::Cell>{} : listed_checkpoints(fields);
    const maze::Blueprint bare =
        read_field(bound_by, "can't hold: ", [&] { return maze::Blueprint{layout}; });
    layout.checkpoints = count ? read_field("checkpoints", fmt::format("is '{}'; ", fields.checkpoints),
                                            [&] { return maze::laid_out_checkpoints(bare, *count); })
                               : listed;
    return read_field("checkpoints", "can't hold: ", [&] { return maze::Blueprint{std::move(layout)}; });
}

maze::Fitness fitness_of(const MazeFields& fields) {
    maze::Fitness fitness{
        .function = fields.fitness, .terms = {}, .mandatory = fields.k, .several = fields.several};
    fitness.descriptors = read_field(
        "descriptors", "can't be read: ", [&] { return maze::parse_measures(fields.descriptors); });
    if (!fields.goal.empty())
        fitness.terms = read_field("goal", "can't be read: ", [&] { return maze::parse_terms(fields.goal); });
    return fitness;
}

// A drawing to begin with.
struct Start {
    maze::Grid rock{};
    maze::Grid free{}; // as the rock of a grid; empty if all is known
};

Start start_of(const MazeFields& fields) {
    if (fields.start.empty() && fields.keep > 0.0)
        refuse("keep", fmt::format("is {}, and there is no start whose cells could be kept", fields.keep));
    const bool is_direct = fields.representation == MazeRepresentation::direct;
    if (fields.style != MazeStyle::sparse && !is_direct)
        refuse("style",
               "says what direct mazes begin as; the other representations have their own beginnings");
    if (fields.start.empty()) return {};
    if (!is_direct) refuse("start", "is a drawing, and only the direct representation can begin with one");
    const levels::Drawing drawing = read_field("start", "can't be read: ", [&] {
        return levels::parse_sized(fields.start, "start", fields.width, fields.height);
    });
    Start start{.rock = maze::rock_of(drawing)};
    if (drawing.cells.find(levels::free_letter) == std::string::npos) return start;
    start.free = maze::Grid{fields.width, fields.height};
    for (std::size_t i = 0; i < drawing.cells.size(); ++i)
        start.free.set_rock(drawing.cell(i), drawing.is_free(i));
    return start;
}

void require_start_for_changes(const MazeFields& fields, const maze::Fitness& fitness) {
    if (!fields.start.empty()) return;
    for (const maze::Term& term : fitness.terms)
        if (term.measure == maze::Measure::changes)
            refuse("goal",
                   fmt::format("has '{}', and there is no start that could be changed", maze::to_text(term)));
}

AnyMaze make_maze(const MazeFields& fields) {
    Start start = start_of(fields);
    maze::Blueprint blueprint = blueprint_of(fields);
    maze::Fitness fitness = fitness_of(fields);
    require_start_for_changes(fields, fitness);
    const bool moves = fields.evolve_checkpoints;
    switch (fields.representation) {
    case MazeRepresentation::chromatic:
        return maze::ChromaticMaze{maze::Chromatic{std::move(blueprint)}, fitness, moves};
    case MazeRepresentation::positive:
        return maze::PositiveMaze{maze::Positive{std::move(blueprint), fields.pairs, fields.cap}, fitness,
                                  moves};
    case MazeRepresentation::negative:
        return maze::NegativeMaze{maze::Negative{std::move(blueprint), fields.pairs}, fitness, moves};
    case MazeRepresentation::automaton:
        return maze::AutomatonMaze{
            maze::Automaton{std::move(blueprint), fields.steps, fields.fill < 0.0 ? 0.5 : fields.fill},
            fitness, moves};
    case MazeRepresentation::direct:
        break;
    }
    maze::Direct direct{std::move(blueprint), fields.fill < 0.0 ? 0.05 : fields.fill, std::move(start.rock)};
    direct.free = std::move(start.free);
    if (fields.style != MazeStyle::sparse)
        direct.style = static_cast<levels::Style>(static_cast<unsigned>(fields.style) - 1);
    if (!fields.start.empty()) {
        direct.kept = maze::KeptCells::of(direct.blueprint, direct.start, fields.keep, direct.free);
        fitness.start = std::make_shared<const maze::KeptCells>(*direct.kept);
    }
    return maze::DirectMaze{std::move(direct), fitness, moves};
}

} // namespace

MazeSetup::MazeSetup(const MazeFields& fields) : maze_{make_maze(fields)} {}

Problem MazeSetup::problem() const {
    return std::visit([](const auto& maze) { return Problem{maze}; }, maze_);
}

maze::Level MazeSetup::level(const std::byte* genome) const {
    return std::visit([&](const auto& maze) { return maze.level(genome); }, maze_);
}

std::vector<std::string> MazeSetup::colours(const std::byte* genome) const {
    const auto* const maze = std::get_if<maze::ChromaticMaze>(&maze_);
    if (maze == nullptr) return {};
    constexpr std::string_view letters = "ROYGBV";
    const maze::Blueprint& blueprint = maze->blueprint();
    const auto genes = view_as<IntegerView<std::uint8_t>>(maze->space(), genome);
    std::vector<std::string> rows(blueprint.height());
    for (std::size_t i = 0; i < blueprint.area(); ++i)
        rows[i / blueprint.width()] += letters[genes[blueprint.ruler(i)]];
    return rows;
}

std::vector<maze::Level> MazeSetup::stages(const std::byte* genome, std::size_t most) const {
    const auto* const maze = std::get_if<maze::AutomatonMaze>(&maze_);
    if (maze == nullptr) return {};
    std::vector<maze::Level> levels;
    for (maze::Grid& grid : maze->representation().stages(view_as<BitView>(maze->space(), genome), most))
        levels.push_back(maze->blueprint().level(std::move(grid)));
    const auto checkpoints = maze->level(genome).checkpoints; // they may be evolved
    for (maze::Level& level : levels) level.checkpoints = checkpoints;
    return levels;
}

const maze::Fitness& MazeSetup::fitness() const {
    return std::visit([](const auto& maze) -> const maze::Fitness& { return maze.fitness(); }, maze_);
}

} // namespace knossos
