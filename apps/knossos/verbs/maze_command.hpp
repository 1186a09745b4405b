#pragma once

#include "verbs/level_drawing.hpp"

#include <knossos/tilemap/meanings.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace knossos::app {

struct MazeOptions : LevelOptions {
    std::string representation{};
    std::string fitness{};
    std::optional<std::uint32_t> mandatory{};
    std::string entrance{};
    std::string exit{};
    std::string checkpoints{};
    bool evolve_checkpoints = false;
    std::string apart_under{};
    bool keep_pockets = false;
    bool distances = false;
    bool culs_de_sac = false;
};

struct MeasureOptions {
    std::string file{};
    tilemap::MapChoice map{};
    std::string goal{};
    bool pairs = false;
    bool members = false;
    std::string member{}; ///< "C2", or all checkpoints
    std::vector<std::string> outputs{};
    bool json = false;
    bool ascii = false;
};

int evolve_maze(const MazeOptions& options, const Registry& registry);
int measure_level(const MeasureOptions& options);

} // namespace knossos::app
