#pragma once

#include <knossos/core/fields.hpp>
#include <knossos/core/problem.hpp>
#include <knossos/maze/problem.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace knossos {

enum class MazeRepresentation : unsigned char { direct, chromatic, positive, negative, automaton };
/// What direct mazes begin as: little rock here and there, or ground of a style.
enum class MazeStyle : unsigned char { sparse, cave, halls, labyrinth, keep };

template <>
struct EnumNames<MazeRepresentation> {
    static constexpr std::array<std::string_view, 5> names{"direct", "chromatic", "positive", "negative",
                                                           "automaton"};
};
template <>
struct EnumNames<MazeStyle> {
    static constexpr std::array<std::string_view, 5> names{"sparse", "cave", "halls", "labyrinth", "keep"};
};
template <>
struct EnumNames<maze::FitnessFunction> {
    static constexpr std::array<std::string_view, 5> names = maze::fitness_function_names;
};
template <>
struct EnumNames<maze::Several> {
    static constexpr std::array<std::string_view, 2> names = maze::several_names;
};

/// The [problem] section of a maze recipe, field by field. Places are texts such as "0,0" (x, y from the
/// upper left corner) and "3,4 10,12"; an empty exit is the lower right corner. Checkpoints "auto:4" are laid
/// out by rule.
struct MazeFields {
    MazeRepresentation representation = MazeRepresentation::direct;
    std::uint32_t width = 20;
    std::uint32_t height = 20;
    maze::FitnessFunction fitness = maze::FitnessFunction::exit_path;
    std::string goal{};
    maze::Several several = maze::Several::weighted_sum;
    std::string descriptors{};
    std::uint32_t k = 0;
    std::string entrance = "0,0";
    std::string exit{};
    std::string checkpoints{};
    bool evolve_checkpoints = false;
    std::string locks{};
    std::string start{};
    double keep = 0.0;
    maze::Symmetry symmetry = maze::Symmetry::none;
    double fill = -1.0;
    std::uint32_t pairs = 0;
    double cap = 0.5;
    std::uint32_t steps = 50;
    MazeStyle style = MazeStyle::sparse;

    static constexpr std::string_view name = "maze";
    static constexpr auto fields() {
        return std::tuple{
            field("representation", &MazeFields::representation, "how a genome stands for a maze"),
            field("width", &MazeFields::width, 2, maze::largest_side, "columns of the grid"),
            field("height", &MazeFields::height, 2, maze::largest_side, "rows of the grid"),
            field("fitness", &MazeFields::fitness, "what is maximised, unless there is a goal"),
            field("goal", &MazeFields::goal, "a designer's wishes, such as path 60..70, culs-de-sac 5..9"),
            field("several", &MazeFields::several, "how several maximise and minimise wishes are taken"),
            field("descriptors", &MazeFields::descriptors,
                  "measures that say what a maze is like, such as path, open, dead-ends")
                .added_later(),
            field("k", &MazeFields::k, 0, 64,
                  "checkpoints each of which must lie on some shortest way to the exit"),
            field("entrance", &MazeFields::entrance, "where one comes in: x,y"),
            field("exit", &MazeFields::exit, "where one goes out: x,y; empty means the last cell"),
            field("checkpoints", &MazeFields::checkpoints,
                  "cells that k and the reconvergences look at: x,y x,y ... or auto:4"),
            field("evolve_checkpoints", &MazeFields::evolve_checkpoints,
                  "whether mutation moves the checkpoints")
                .added_later(),
            field("locks", &MazeFields::locks, "rows of # (rock), . (open) and ? (free), or nothing"),
            field("start", &MazeFields::start,
                  "rows of #, . and ? (free) that evolution begins with (direct mazes)"),
            field("keep", &MazeFields::keep, 0, 1, "share of the start's cells that stay as they are")
                .added_later(),
            field("symmetry", &MazeFields::symmetry, "which cells must be alike"),
            field("fill", &MazeFields::fill, -1, 1,
                  "rock at the start (direct 0.05, automaton 0.5 if negative)"),
            field("pairs", &MazeFields::pairs, 0, 1000000,
                  "barriers or diggings in a genome; 0 means a tenth of the cells"),
            field("cap", &MazeFields::cap, 0, 1, "share of rock at which positive barriers end"),
            field("steps", &MazeFields::steps, 0, 100000, "steps of the automaton"),
            field("style", &MazeFields::style, "what direct mazes begin as").added_later()};
    }
};

/// A maze problem whose parts are at hand, so that genomes can be shown as the levels they stand for.
class MazeSetup {
  public:
    /// Throws InvalidSetting, which names the field, if the fields don't go together.
    explicit MazeSetup(const MazeFields& fields);

    [[nodiscard]] Problem problem() const;
    [[nodiscard]] maze::Level level(const std::byte* genome) const;
    /// The colours of a chromatic maze, row by row in the letters R O Y G B V; empty for the others.
    [[nodiscard]] std::vector<std::string> colours(const std::byte* genome) const;
    /// Whether an automaton makes its mazes step by step, and what they are like before each step; at most so
    /// many.
    [[nodiscard]] bool has_stages() const { return std::holds_alternative<maze::AutomatonMaze>(maze_); }
    [[nodiscard]] std::vector<maze::Level> stages(const std::byte* genome, std::size_t most) const;
    [[nodiscard]] const maze::Fitness& fitness() const;
    /// The problem itself if the representation is direct, else null.
    [[nodiscard]] const maze::DirectMaze* direct() const { return std::get_if<maze::DirectMaze>(&maze_); }

  private:
    std::variant<maze::DirectMaze, maze::ChromaticMaze, maze::PositiveMaze, maze::NegativeMaze,
                 maze::AutomatonMaze>
        maze_;
};

} // namespace knossos
