#include "outputs.hpp"

#include "terminal.hpp"

#include <knossos/queens/board.hpp>
#include <knossos/render/formats.hpp>

#include <fmt/format.h>

namespace knossos::app {

namespace {

bool is_queens(const Recipe& recipe) { return recipe.choice("problem")->kind == "queens"; }

queens::Board board_of(const Result& result) {
    return queens::decode(result.best.space, result.best.bytes.data());
}

} // namespace

void print_best(const Recipe& recipe, const Result& result, bool ascii) {
    if (is_queens(recipe)) {
        fmt::print("\n{}", render::board_text(board_of(result), terminal_options(ascii)));
        return;
    }
    std::string genome = result.best.to_text();
    if (genome.size() > 65) genome = genome.substr(0, 64) + "…";
    fmt::print("  genome       {}\n", genome);
}

void check_outputs(const Recipe& recipe, const std::vector<std::string>& outputs) {
    for (const auto& output : outputs) {
        const render::Format& format = render::format_of(output);
        if (!is_queens(recipe) || format.board == nullptr)
            throw InvalidInput{fmt::format("{}: a result of {} can't be written as {}", output,
                                           recipe.choice("problem")->kind, format.name)};
    }
}

void write_outputs(const Recipe& recipe, const Result& result, const std::vector<std::string>& outputs) {
    if (!is_queens(recipe)) return;
    for (const auto& output : outputs) render::write_board(output, board_of(result));
}

void write_pictures(const Recipe& recipe, const Result& result, const std::filesystem::path& folder) {
    if (!is_queens(recipe)) return;
    render::write_board(folder / "best.svg", board_of(result));
    render::write_board(folder / "best.png", board_of(result));
}

std::optional<std::string> why_hopeless(const Recipe& recipe) {
    const auto* problem = recipe.choice("problem");
    if (problem == nullptr || problem->kind != "queens") return std::nullopt;
    const auto n = std::get<std::int64_t>(problem->values.at("n"));
    if (queens::has_solution(static_cast<std::uint32_t>(n))) return std::nullopt;
    return fmt::format("the {} queens problem has no solution: n = 2 and n = 3 are the only such boards", n);
}

} // namespace knossos::app
