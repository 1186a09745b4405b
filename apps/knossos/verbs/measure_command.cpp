#include "outputs.hpp"
#include "terminal.hpp"
#include "verbs/maze_command.hpp"

#include <knossos/maze/measures.hpp>
#include <knossos/maze/view/level.hpp>
#include <knossos/maze/view/level_files.hpp>
#include <knossos/maze/view/level_members.hpp>
#include <knossos/maze/view/level_reader.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace knossos::app {

namespace {

// "C2" is checkpoint 1, counted from 0.
std::size_t checkpoint_named(const std::string& name, const maze::Level& level) {
    std::size_t number = 0;
    const char* const end = name.data() + name.size();
    const bool lettered = name.starts_with('C') || name.starts_with('c');
    const auto read = std::from_chars(name.data() + (lettered ? 1 : 0), end, number);
    if (lettered && read.ec == std::errc{} && read.ptr == end && number >= 1 &&
        number <= level.checkpoints.size())
        return number - 1;
    throw InvalidInput{fmt::format(
        "--members is '{}'; {}", name,
        level.checkpoints.empty()
            ? "the level has no checkpoints"
            : fmt::format("it must be a checkpoint, C1 to C{}, or nothing", level.checkpoints.size()))};
}

// Before anything is printed or written.
void check_outputs(const MeasureOptions& options) {
    constexpr std::array<std::string_view, 3> drawn{"svg", "png", "unicode"};
    for (const auto& output : options.outputs) {
        const render::Format& format = render::format_of(maze::level_formats(), output);
        if (options.members && options.member.empty())
            throw InvalidInput{
                fmt::format("{}: is to show --members of which checkpoint? Say --members C1", output)};
        if (options.members && std::ranges::find(drawn, format.name) == drawn.end())
            throw InvalidInput{
                fmt::format("{}: has no place for --members; .svg, .png and .utf8 have", output)};
        check_place(output);
    }
}

void print_measures(const maze::Measures& measures) {
    std::size_t width = 0;
    for (const auto& row : maze::measure_table()) width = std::max(width, row.name.size());
    const std::string indent(width + 13, ' ');
    for (const auto& row : maze::measure_table())
        fmt::print("  {:<{}} {:>8}  {}\n", row.name, width,
                   short_number(maze::value_of(measures, row.measure)),
                   wrapped(row.meaning, indent, output_width()).substr(indent.size()));
}

void print_json(const MeasureOptions& options, const maze::Survey& survey,
                const std::optional<maze::Score>& score) {
    std::string json = maze::measures_json(survey.measures);
    json.pop_back(); // the brace that closes it
    if (options.pairs) json += ",\"pairs\":" + maze::pairs_json(survey);
    if (options.members) json += ",\"members\":" + maze::members_json(survey);
    if (score) json += ",\"score\":" + maze::score_json(*score);
    fmt::print("{}}}\n", json);
}

} // namespace

int measure_level(const MeasureOptions& options) {
    check_outputs(options);
    std::vector<maze::Term> wishes;
    if (!options.goal.empty()) wishes = maze::parse_terms(options.goal, "--goal");
    const maze::Level level = maze::read_level(options.file, options.map);
    maze::LevelOptions shown{.keep_pockets = true};
    if (!options.member.empty()) shown.members = checkpoint_named(options.member, level);
    const maze::Survey survey = maze::survey(level);
    std::optional<maze::Score> score;
    if (!wishes.empty()) score = maze::Fitness{.terms = wishes}.score(survey.measures);
    const int code = !score || score->met() ? reached : not_reached;
    for (const auto& output : options.outputs) maze::write_level(output, level, shown);
    if (options.json) {
        print_json(options, survey, score);
        return code;
    }
    fmt::print("{}\n", maze::level_text(level, survey.measures, terminal_options(options.ascii), shown));
    print_measures(survey.measures);
    if (options.pairs) fmt::print("\n{}", maze::pairs_text(survey, output_width()));
    if (shown.members) {
        const auto cells = std::ranges::count_if(
            survey.members, [&](std::uint64_t members) { return (members >> *shown.members & 1U) != 0; });
        fmt::print("\n  shortest ways over C{} lead to {} of the {} that can be reached\n",
                   *shown.members + 1, thousands(static_cast<std::uint64_t>(cells)),
                   counted(survey.measures.reachable_cells, "cell", "cells"));
    } else if (options.members) {
        fmt::print("\n{}", maze::members_text(level, survey, output_width()));
    }
    if (score) fmt::print("{}", maze::score_text(*score));
    return code;
}

} // namespace knossos::app
