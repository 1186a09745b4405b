#pragma once

#include "commands.hpp"

#include <string>

namespace knossos::app {

struct QueensOptions : CommonOptions {
    std::string size{};
    std::string place{};
    std::string place_file{};
    bool all = false;
};

int solve_queens(const QueensOptions& options, const Registry& registry);

} // namespace knossos::app
