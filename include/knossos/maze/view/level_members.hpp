#pragma once

#include <knossos/maze/measures.hpp>

#include <string>

/// Which checkpoints are members of which cells, and where ways over pairs of them meet: see docs/mazes.md.
/// Checkpoints are called C1, C2 and so on.
namespace knossos::maze {

/// A line for each pair: prc, iprc and the witnesses, at most `columns` wide.
std::string pairs_text(const Survey& survey, std::size_t columns);

/// The same as a JSON list: [{"pair":["C1","C2"],"prc":8,"iprc":8,"witnesses":[[4,4]]}].
std::string pairs_json(const Survey& survey);

/// The maze with a letter for each set of members, and what the letters stand for. Where the maze is wider
/// than that, or there are more sets than letters, only the table.
std::string members_text(const Level& level, const Survey& survey, std::size_t columns);

/// The members of each cell, a list of rows: [["C1"],[],null], null for cells that can't be reached.
std::string members_json(const Survey& survey);

} // namespace knossos::maze
