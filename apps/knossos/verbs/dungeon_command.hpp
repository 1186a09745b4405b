#pragma once

#include "verbs/level_drawing.hpp"

#include <knossos/tilemap/meanings.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace knossos::app {

struct DungeonOptions : LevelOptions {
    std::string representation{};
    std::string place{};
    bool losable = false;
    bool no_solution = false;
};

struct DungeonMeasureOptions {
    std::string file{};
    tilemap::MapChoice map{}; ///< of a map: its layer, and what its tiles are
    std::string goal{};
    std::vector<std::string> outputs{};
    bool no_solution = false;
    bool json = false;
    bool ascii = false;
};

int evolve_dungeon(const DungeonOptions& options, const Registry& registry);
int measure_dungeon(const DungeonMeasureOptions& options, const Registry& registry);

} // namespace knossos::app
