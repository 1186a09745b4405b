#include "outputs.hpp"
#include "terminal.hpp"
#include "verbs/dungeon_command.hpp"

#include <knossos/core/files.hpp>
#include <knossos/core/text.hpp>
#include <knossos/dungeon/domain.hpp>
#include <knossos/dungeon/goal.hpp>
#include <knossos/dungeon/view/level.hpp>
#include <knossos/dungeon/view/level_map.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace knossos::app {

namespace {

// Enough for the largest level as JSON, with its walks.
constexpr std::size_t largest_dungeon_file = 64'000'000;

void print_measures(const dungeon::Measures& measures) {
    std::size_t width = 0;
    for (const auto& row : dungeon::measure_table()) width = std::max(width, row.name.size());
    const std::string indent(width + 13, ' ');
    for (const auto& row : dungeon::measure_table())
        fmt::print("  {:<{}} {:>8}  {}\n", row.name, width, short_number(measures[row.measure]),
                   wrapped(row.meaning, indent, output_width()).substr(indent.size()));
}

void print_wishes(const dungeon::Goal& goal, const dungeon::Judgement& judgement) {
    fmt::print("\n");
    for (const auto& one : goal.scores(judgement))
        fmt::print("  {:<36} {:>8}  {}\n", dungeon::to_text(one.term), short_number(one.value),
                   one.term.aim != Aim::range ? ""
                   : one.missed == 0.0        ? "holds"
                                              : fmt::format("missed by {:.4g}", one.missed));
}

dungeon::Judgement judged(const dungeon::Level& level, const std::string& file) {
    try {
        return dungeon::Judge{}.judge(level);
    } catch (const dungeon::TooManyStates& error) { // which does not know where the level came from
        throw InvalidInput{fmt::format("{}: {}", file, error.what())};
    }
}

// As the domain writes them, without a run.
void write_dungeon(const std::string& output, const dungeon::Level& level,
                   const render::FormatOptions& options, const Domain& domain) {
    const ArtefactPtr artefact = domain.read(dungeon::level_json(level), "level.json");
    write_artefact(output, *artefact, render::format_of(domain.formats, output), options);
}

} // namespace

int measure_dungeon(const DungeonMeasureOptions& options, const Registry& registry) {
    const Domain domain = dungeon::domain();
    for (const auto& output : options.outputs) {
        (void)render::format_of(domain.formats, output);
        check_place(output);
    }
    // Somebody's own level may be anything: only the wishes say what it should be.
    dungeon::Goal goal{.solvable = false, .unlosable = false, .framed = false};
    if (!options.goal.empty()) goal.terms = dungeon::parse_terms(options.goal, "--goal");
    std::vector<std::string> left_out;
    const dungeon::Level level = dungeon::read_level_file(read_file(options.file, largest_dungeon_file),
                                                          options.file, options.map, &left_out);
    const dungeon::Judgement judgement = judged(level, options.file);
    for (const std::string& one : left_out)
        fmt::print(stderr, "{}: {}: {}\n", registry.program(), options.file, printable(one));
    render::FormatOptions format;
    if (options.no_solution) format.switches["solution"] = false;
    for (const auto& output : options.outputs) write_dungeon(output, level, format, domain);
    if (options.json) {
        fmt::print("{}\n", dungeon::level_json(level, options.goal.empty() ? nullptr : &goal));
    } else {
        fmt::print("{}\n", dungeon::level_text(level, terminal_options(options.ascii)));
        print_measures(judgement.measures);
        if (!options.goal.empty()) print_wishes(goal, judgement);
    }
    return goal.holds(judgement) ? reached : not_reached;
}

} // namespace knossos::app
