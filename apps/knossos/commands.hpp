#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace knossos::app {

/// Exit codes that scripts can rely on.
enum Exit : int { reached = 0, not_reached = 1, bad_input = 2, failure = 3 };

/// What every command that runs something takes.
struct RunOptions {
    std::string recipe;
    std::vector<std::string> overrides;
    std::optional<std::uint64_t> seed;
    unsigned threads = 0;
    std::optional<std::uint64_t> budget;
    std::optional<double> time;
    bool json = false;
    bool quiet = false;
};

int run(const RunOptions& options);
int list_recipes(bool json);
int show_recipe(const std::string& name, const std::vector<std::string>& overrides);
int check_recipe(const std::string& file, const std::vector<std::string>& overrides);

} // namespace knossos::app
