#include "outputs.hpp"

#include "terminal.hpp"

#include <knossos/core/files.hpp>
#include <knossos/maze/setup.hpp>
#include <knossos/queens/board.hpp>
#include <knossos/render/formats.hpp>
#include <knossos/render/level.hpp>

#include <fmt/format.h>

namespace knossos::app {

namespace {

const std::string& kind_of(const Recipe& recipe) { return recipe.choice("problem")->kind; }

bool is_board(const Recipe& recipe) { return kind_of(recipe) == "queens" || kind_of(recipe) == "pbo-queens"; }

queens::Board board_of(const Result& result) {
    return queens::decode(result.best.space, result.best.bytes.data());
}

MazeSetup setup_of(const Recipe& recipe) {
    return MazeSetup{from_values<MazeFields>(recipe.choice("problem")->values)};
}

// Whether a goal is about what sealing pockets would change: then the file holds the maze that was scored.
bool counts_pockets(const maze::Fitness& fitness, const maze::Level& level) {
    if (fitness.terms.empty()) return false;
    return fitness.score(maze::measure(level)).total !=
           fitness.score(maze::measure(maze::with_pockets_sealed(level))).total;
}

void print_score(const maze::Score& score) {
    if (!score.usable) fmt::print("  the exit can't be reached, or too few checkpoints lie on the way\n");
    for (const auto& term : score.terms)
        fmt::print("  {:<36} {:>10}  {}\n", maze::to_text(term.term), short_number(term.value),
                   term.met ? fmt::format("{:+.4g}", term.contribution)
                            : fmt::format("{:+.4g}  not met", term.contribution));
}

void print_level(const Recipe& recipe, const Result& result, bool ascii) {
    const MazeSetup setup = setup_of(recipe);
    const maze::Level level = setup.level(result.best.bytes.data());
    const maze::Measures measures = maze::measure(level);
    fmt::print("\n{}", render::level_text(level, measures, terminal_options(ascii), {}));
    const maze::Score score = setup.fitness().score(measures);
    fmt::print("\nscore {:.6g}\n", score.total);
    print_score(score);
}

} // namespace

void print_best(const Recipe& recipe, const Result& result, bool ascii) {
    if (is_board(recipe)) {
        fmt::print("\n{}", render::board_text(board_of(result), terminal_options(ascii)));
    } else if (kind_of(recipe) == "maze") {
        print_level(recipe, result, ascii);
    } else {
        std::string genome = result.best.to_text();
        if (genome.size() > 65) genome = genome.substr(0, 62) + "...";
        fmt::print("  genome       {}\n", genome);
    }
}

void check_place(const std::string& output) {
    const std::filesystem::path path{output};
    std::error_code ignored; // then writing will say it
    if (std::filesystem::is_directory(path, ignored))
        throw InvalidInput{fmt::format("{}: is a folder; name a file", output)};
    if (path.has_parent_path() && is_no_folder(path.parent_path()))
        throw InvalidInput{fmt::format("{}: there is no folder {}", output, path.parent_path().string())};
}

void check_outputs(const Recipe& recipe, const std::vector<std::string>& outputs) {
    for (const auto& output : outputs) {
        const render::Format& format = render::format_of(output);
        const bool fits =
            is_board(recipe) ? format.board != nullptr : kind_of(recipe) == "maze" && format.level != nullptr;
        if (!fits)
            throw InvalidInput{fmt::format("{}: a result of {} can't be written as {}", output,
                                           kind_of(recipe), format.name)};
        check_place(output);
    }
}

void write_outputs(const Recipe& recipe, const Result& result, const std::vector<std::string>& outputs,
                   const render::FormatOptions& options) {
    for (const auto& output : outputs) {
        if (is_board(recipe)) render::write_board(output, board_of(result), options);
        if (kind_of(recipe) == "maze") {
            const MazeSetup setup = setup_of(recipe);
            const maze::Level level = setup.level(result.best.bytes.data());
            render::FormatOptions its = options;
            if (counts_pockets(setup.fitness(), level)) its.level.keep_pockets = true;
            render::write_level(output, level, its);
        }
    }
}

void write_pictures(const Recipe& recipe, const Result& result, const std::filesystem::path& folder) {
    if (!is_board(recipe) && kind_of(recipe) != "maze") return;
    write_outputs(recipe, result, {(folder / "best.svg").string(), (folder / "best.png").string()});
}

std::optional<std::string> why_hopeless(const Recipe& recipe) {
    const auto* problem = recipe.choice("problem");
    if (problem == nullptr || problem->kind != "queens") return std::nullopt;
    const auto n = std::get<std::int64_t>(problem->values.at("n"));
    if (queens::has_solution(static_cast<std::uint32_t>(n))) return std::nullopt;
    return fmt::format("the {} queens problem has no solution: n = 2 and n = 3 are the only such boards", n);
}

} // namespace knossos::app
