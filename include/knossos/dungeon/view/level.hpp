#pragma once

#include <knossos/dungeon/goal.hpp>
#include <knossos/dungeon/judge.hpp>
#include <knossos/render/formats.hpp>
#include <knossos/render/handout.hpp>
#include <knossos/render/picture.hpp>
#include <knossos/render/terminal.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace knossos::dungeon {

/// The dungeon with its things; the solution as a line, unless the switch "solution" is off. Throws
/// InvalidInput for a cell size that makes the picture too large.
render::Picture level_picture(const Level& level, const render::FormatOptions& options = {});

/// The dungeon as letters, two columns a cell if that fits, a line about it, and the walkthrough below; if
/// the dungeon can be lost, also how.
std::string level_text(const Level& level, const render::TerminalOptions& options = {});

/// "16 × 12, unlosable, 57 steps, 2 keys for 2 doors".
std::string level_caption(const Level& level, const Judgement& judgement);

/// The dungeon to be played on paper; on the next page the solution, unless the switch "solution" is off, and
/// if it can be lost, how.
render::Handout level_handout(const Level& level, const render::FormatOptions& options = {});

/// What one does on a walk, a line for each thing that happens: "12  n4 e8  takes the small key at 8,3".
/// Lines are broken after so many columns, if that is not 0.
std::string walk_text(const Level& level, const Walk& walk, std::size_t columns = 0);

/// The same on one line, after which step and in which cell what is done: "2 take small key 2,11; 6 open
/// locked door 0,9; 31 reach exit 5,0".
std::string walk_events(const Level& level, const Walk& walk);

/// The steps of a walk, a letter each: n, w, e, s.
std::string moves_of(const Level& level, const Walk& walk);

/// An object with `dungeon`: its size, rows, verdicts, measures, walkthrough, the shortest walk that loses it
/// if it can be lost, and remarks; with a goal, how it does by that.
std::string level_json(const Level& level, const Goal* goal = nullptr);

/// Reads what level_json() writes, also in the result of a run; only the rows have to be there, inside or by
/// themselves. Returns
/// nothing if the text is no such JSON; throws InvalidInput with what is wrong and where if it is, but holds
/// no dungeon. `source` names the text in messages.
std::optional<Level> parse_level_json(std::string_view text, std::string_view source = "dungeon");

/// Reads a dungeon of either form.
Level parse_level_file(std::string_view bytes, std::string_view source);

} // namespace knossos::dungeon
