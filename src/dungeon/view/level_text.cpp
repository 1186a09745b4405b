#include "dungeon/view/thing_colours.hpp"

#include <knossos/core/text.hpp>
#include <knossos/dungeon/view/level.hpp>
#include <knossos/render/steps.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace knossos::dungeon {

using namespace render;

namespace {

std::string told_of(Tile tile) {
    if (is_key(tile)) return fmt::format("take the {}", name_of(tile));
    if (is_door(tile)) return fmt::format("open the {}", name_of(tile));
    if (tile == Tile::treasure) return "find treasure";
    if (tile == Tile::monster) return "meet a monster";
    if (tile == Tile::checkpoint) return "pass a checkpoint";
    return "leave by the exit";
}

// The same in a few words that programs can take apart: what is done, and with what.
std::string_view verb_of(Tile tile) {
    if (is_key(tile)) return "take";
    if (is_door(tile)) return "open";
    if (tile == Tile::treasure) return "find";
    if (tile == Tile::monster) return "meet";
    return tile == Tile::checkpoint ? "pass" : "reach";
}

// "n4 e8": runs of steps in one direction.
std::string runs(const std::string& moves, std::size_t from, std::size_t to) {
    return step_runs(std::string_view{moves}.substr(from, to - from));
}

// Breaks a line at blanks so that no more than so many columns are taken, where any are said; what goes on is
// set in. The text has no letters that are wider than one column.
std::string hung(const std::string& line, std::size_t indent, std::size_t columns) {
    if (columns <= indent + 1) return line + "\n";
    std::string text;
    std::size_t start = 0;
    std::size_t room = columns;
    while (line.size() - start > room) {
        std::size_t end = line.rfind(' ', start + room);
        if (end == std::string::npos || end <= start) end = line.find(' ', start + room);
        if (end == std::string::npos) break;
        text += line.substr(start, end - start) + "\n" + std::string(indent, ' ');
        start = end + 1;
        room = columns - indent;
    }
    return text + line.substr(start) + "\n";
}

// The letters, or what a terminal shows instead.
std::string cell_text(const Level& level, std::size_t cell, bool on_the_way, bool wide,
                      const TerminalOptions& options) {
    const Tile tile = level.cells[cell];
    const Theme& theme = options.theme;
    const bool coloured = options.colours != ColourDepth::none;
    if (tile == Tile::rock) {
        const std::string_view rock = options.unicode ? (wide ? "██" : "█") : (wide ? "##" : "#");
        return background(theme.rock, options.colours) + foreground(theme.rock, options.colours) +
               std::string{rock};
    }
    std::string text = background(theme.floor, options.colours);
    if (tile == Tile::floor) {
        text += foreground(theme.aegean, options.colours);
        text += on_the_way ? (options.unicode ? "·" : ".") : " ";
    } else {
        text += foreground(coloured ? thing_colour(tile, theme) : theme.ink, options.colours);
        text += letter(tile);
    }
    return text + (wide ? " " : "");
}

} // namespace

std::string level_caption(const Level& level, const Judgement& judgement) {
    const Measures& measures = judgement.measures;
    if (!judgement.solvable) return fmt::format("{} × {}, can't be solved", level.width, level.height);
    const auto whole = [&](Measure measure) { return static_cast<std::uint64_t>(measures[measure]); };
    std::string text = fmt::format("{} × {}, {}, {}", level.width, level.height,
                                   judgement.unlosable ? "can't be lost" : "can be lost",
                                   counted(whole(Measure::solution), "step", "steps"));
    if (whole(Measure::doors_opened) > 0)
        text += fmt::format(", {}, key depth {}", counted(whole(Measure::doors_opened), "door", "doors"),
                            whole(Measure::key_depth));
    return text;
}

std::string walk_text(const Level& level, const Walk& walk, std::size_t columns) {
    const std::string moves = moves_of(level, walk);
    constexpr std::size_t indent = 8; // below what happens, behind the number of steps
    std::string text;
    std::size_t since = 0;
    for (const Event& event : events_of(level, walk)) {
        text +=
            hung(fmt::format("  {:>4}  {} at {},{}  ({})", event.step, told_of(event.tile),
                             level.x_of(event.cell), level.y_of(event.cell), runs(moves, since, event.step)),
                 indent, columns);
        since = event.step;
    }
    if (since + 1 < walk.size())
        text += hung(fmt::format("  {:>4}  at {},{}  ({})", walk.size() - 1, level.x_of(walk.back()),
                                 level.y_of(walk.back()), runs(moves, since, walk.size() - 1)),
                     indent, columns);
    return text;
}

std::string walk_events(const Level& level, const Walk& walk) {
    std::string text;
    for (const Event& event : events_of(level, walk))
        text += fmt::format("{}{} {} {} {},{}", text.empty() ? "" : "; ", event.step, verb_of(event.tile),
                            name_of(event.tile), level.x_of(event.cell), level.y_of(event.cell));
    return text;
}

std::string level_text(const Level& level, const TerminalOptions& options) {
    Judge judge;
    const Judgement judgement = judge.judge(level);
    const Walk solution = judge.solution(level);
    std::vector<bool> on_the_way(level.area());
    for (const std::uint32_t cell : solution) on_the_way[cell] = true;
    const bool wide = 2 * level.width <= options.columns;
    std::string text;
    if (level.width <= options.columns)
        for (std::size_t i = 0; i < level.area(); ++i) {
            text += cell_text(level, i, on_the_way[i], wide, options);
            if ((i + 1) % level.width == 0) text += plain(options.colours) + "\n";
        }
    std::string caption = level_caption(level, judgement);
    if (!options.unicode)
        if (const std::size_t sign = caption.find("×"); sign != std::string::npos)
            caption.replace(sign, 2, "x");
    text += caption + "\n";
    for (const std::string& remark : remarks_on(level)) text += hung("remark: " + remark, 2, options.columns);
    if (!solution.empty())
        text += "walkthrough (after so many steps):\n" + walk_text(level, solution, options.columns);
    if (!judgement.solvable || judgement.unlosable) return text;
    return text + "the shortest walk that loses it:\n" +
           walk_text(level, judge.losing_walk(level), options.columns);
}

} // namespace knossos::dungeon
