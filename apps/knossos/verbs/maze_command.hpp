#pragma once

#include "commands.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace knossos::app {

struct MazeOptions : CommonOptions {
    std::string representation{};
    std::string size{};
    std::string fitness{};
    std::string goal{};
    std::optional<std::uint32_t> mandatory{};
    std::string entrance{};
    std::string exit{};
    std::string checkpoints{};
    std::string locks{};
    std::string symmetry{};
    std::vector<std::string> overrides{};
    std::string folder{};
    std::uint32_t count = 1;
    bool different = false;
    bool keep_pockets = false;
    bool distances = false;
    bool culs_de_sac = false;
};

int evolve_maze(const MazeOptions& options, const Registry& registry);
int measure_level(const std::string& file, bool json, bool ascii);

} // namespace knossos::app
