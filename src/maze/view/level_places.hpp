#pragma once

#include "render/refuse.hpp"

#include <knossos/maze/grid.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace knossos::maze {

/// Checks the places and says which file they come from.
inline Level checked(Level level, std::string_view source) {
    try {
        maze::check(level);
    } catch (const InvalidInput& error) {
        render::refuse(source, error.what());
    }
    return level;
}

inline void check_size(std::uint64_t width, std::uint64_t height, std::string_view source) {
    constexpr std::uint32_t largest = maze::largest_drawn_side;
    if (width < 1 || height < 1 || width > largest || height > largest)
        render::refuse(
            source, fmt::format("a level of {} × {} cells; both sides lie in 1..{}", width, height, largest));
}

/// The places of a level that is being read, found one by one.
class FoundPlaces {
  public:
    explicit FoundPlaces(std::string source) : source_{std::move(source)} {}

    void enter(Cell cell, const std::string& where) { set(entrance_, cell, "entrance", where); }
    void leave(Cell cell, const std::string& where) { set(exit_, cell, "exit", where); }
    /// Numbers order the checkpoints; those without one come after, as they were found.
    void checkpoint(Cell cell, std::optional<std::uint32_t> number, const std::string& where) {
        const std::uint64_t key = number ? *number : (std::uint64_t{1} << 32U) + checkpoints_.size();
        if (!checkpoints_.emplace(key, cell).second)
            render::refuse(source_, fmt::format("{}: a second checkpoint {}", where, key));
        if (checkpoints_.size() > maze::most_checkpoints)
            render::refuse(source_,
                           fmt::format("{}: more than {} checkpoints", where, maze::most_checkpoints));
    }

    [[nodiscard]] Level level(Grid grid) const {
        const Cell last{grid.width() - 1, grid.height() - 1};
        Level level{
            .grid = std::move(grid), .entrance = entrance_.value_or(Cell{}), .exit = exit_.value_or(last)};
        for (const auto& [key, cell] : checkpoints_) level.checkpoints.push_back(cell);
        return checked(std::move(level), source_);
    }

  private:
    void set(std::optional<Cell>& target, Cell cell, std::string_view what, const std::string& where) {
        if (target)
            render::refuse(source_, fmt::format("{}: a second {}; the first one is at {}", where, what,
                                                maze::to_text(*target)));
        target = cell;
    }

    std::string source_;
    std::optional<Cell> entrance_;
    std::optional<Cell> exit_;
    std::map<std::uint64_t, Cell> checkpoints_;
};

} // namespace knossos::maze
