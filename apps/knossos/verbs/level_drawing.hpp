#pragma once

#include "commands.hpp"
#include "verbs/typed_options.hpp"

#include <knossos/levels/drawing.hpp>
#include <knossos/tilemap/meanings.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace knossos::app {

/// What the verbs that make levels have in common.
struct LevelOptions : CommonOptions {
    std::string size{};
    std::string style{};
    std::string goal{};
    std::string locks{};
    std::string start{};
    tilemap::MapChoice map{}; ///< how to read the start, or without one the locks
    std::optional<double> keep{};
    std::string symmetry{};
    std::vector<std::string> overrides{};
    std::string folder{};
    std::uint32_t count = 1;
    bool different = false;
    std::optional<double> apart{};
};

/// Somebody's drawing, and as text.
struct DrawnLevel {
    levels::Drawing drawing{};
    std::string text{};
};

/// What a file shows, whether of a dungeon or of a maze: text, in which cells may be free, or any other
/// format that 'measure' reads. Where both can read it, and nothing in it says which it is, `is_dungeon`
/// does.
DrawnLevel read_drawn_level(const std::string& file, const tilemap::MapChoice& map, bool is_dungeon);

/// What the locks show, where there are some.
DrawnLevel read_locks(const LevelOptions& options, bool is_dungeon);

/// Puts size, style, locks and symmetry into the recipe, and of the start its size and cells. Returns what
/// the start shows, if there is one. Throws InvalidInput if they don't go together.
std::optional<DrawnLevel> set_level(TypedRun& run, const LevelOptions& options, bool is_dungeon);

} // namespace knossos::app
