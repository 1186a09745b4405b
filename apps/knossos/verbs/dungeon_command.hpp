#pragma once

#include "commands.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace knossos::app {

struct DungeonOptions : CommonOptions {
    std::string representation{};
    std::string style{};
    std::string size{};
    std::string place{};
    std::string goal{};
    bool losable = false;
    std::vector<std::string> overrides{};
    std::string folder{};
    std::uint32_t count = 1;
    bool different = false;
    std::optional<double> apart{};
    bool no_solution = false;
};

struct DungeonMeasureOptions {
    std::string file{};
    std::string goal{};
    std::vector<std::string> outputs{};
    bool no_solution = false;
    bool json = false;
    bool ascii = false;
};

int evolve_dungeon(const DungeonOptions& options, const Registry& registry);
int measure_dungeon(const DungeonMeasureOptions& options, const Registry& registry);

} // namespace knossos::app
