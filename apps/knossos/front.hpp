#pragma once

#include <knossos/recipe/trade_offs.hpp>
#include <knossos/render/formats.hpp>
#include <knossos/render/terminal.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace knossos::app {

/// Throws InvalidInput if a run of this has no front, as it has fewer than two objectives.
void require_front(const Schema& schema, const std::string& source);

/// The trade-offs as a table and as a plot of the first two objectives.
void print_front(const TradeOffs& front, const render::TerminalOptions& options);

/// The same of a run that has ended; if nothing holds everything that must, what came nearest.
void print_front(const Result& result, const render::TerminalOptions& options);

/// Writes every point of a front as each of the files, numbered in the order of the table: level-01.tmj.
/// Returns whether all of them might be written.
bool write_front(const Recipe& recipe, const Result& result, const std::vector<std::string>& outputs,
                 const render::FormatOptions& options);

/// Puts front.svg and front.png into a run folder.
void write_front_pictures(const Recipe& recipe, const TradeOffs& front, const std::filesystem::path& folder);

} // namespace knossos::app
