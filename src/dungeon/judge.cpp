#include "dungeon/maze_measures.hpp"
#include "dungeon/measurer.hpp"
#include "dungeon/walks.hpp"

#include <knossos/core/error.hpp>
#include <knossos/core/text.hpp>
#include <knossos/dungeon/judge.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace knossos::dungeon {

class Judge::Memory {
  public:
    bool is_solvable(const Level& level) {
        ground_.build(level, false);
        return search_.finds_exit(ground_);
    }

    Judgement judge(const Level& level, MeasureSet wanted) {
        constexpr MeasureSet of_the_solution{Measure::solution,    Measure::keys_used, Measure::doors_opened,
                                             Measure::key_depth,   Measure::detour,    Measure::encounters,
                                             Measure::backtracking};
        constexpr MeasureSet of_ways{Measure::tour, Measure::exit_path, Measure::detour,
                                     Measure::behind_doors};
        ground_.build(level, wanted.has(Measure::fewest_encounters) && has_monsters(level));
        Judgement result;
        Measures& measures = result.measures;
        result.solvable = search_.reach_all(ground_);
        search_.find_winning();
        measurer_.measure_states(ground_, search_, measures);
        result.unlosable = measures[Measure::lost] == 0.0;
        if (!result.solvable) result.short_of_exit = short_of_exit(level);
        measurer_.measure_ground(ground_, wanted, measures);
        if (wanted.has_any(measures_of_mazes)) mazes_.measure(level, wanted, measures);
        if (wanted.has_any(of_ways) || wanted.has_any(of_the_solution)) walks_.begin(ground_);
        if (wanted.has_any(of_ways))
            measurer_.measure_ways(ground_, walks_.exit_path(ground_), wanted, measures);
        if (wanted.has_any(of_the_solution)) {
            static const Walk nowhere;
            measurer_.measure_solution(ground_, result.solvable ? walks_.to_exit(ground_, search_) : nowhere,
                                       measures);
        }
        if (wanted.has(Measure::fewest_encounters))
            measures[Measure::fewest_encounters] = !result.solvable ? -1.0
                                                   : measures[Measure::monsters] == 0.0
                                                       ? 0.0
                                                       : search_.fewest_monsters();
        return result;
    }

    Walk solution(const Level& level) {
        ground_.build(level, false);
        if (!search_.reach_all(ground_)) return {};
        walks_.begin(ground_);
        return walks_.to_exit(ground_, search_);
    }

    Walk losing_walk(const Level& level) {
        ground_.build(level, false);
        search_.reach_all(ground_);
        search_.find_winning();
        search_.find_losable();
        return walks_.to_loss(ground_, search_);
    }

    std::optional<std::size_t> lost_after(const Level& level, const Walk& walk) {
        ground_.build(level, false);
        search_.reach_all(ground_);
        search_.find_winning();
        std::uint32_t condition = 0;
        for (std::size_t step = 0; step < walk.size(); ++step) {
            condition = search_.condition_there(condition, walk[step]);
            if (!search_.is_winning(condition, ground_.piece_of(walk[step]))) return step;
        }
        return std::nullopt;
    }

  private:
    static bool has_monsters(const Level& level) {
        return std::ranges::find(level.cells, Tile::monster) != level.cells.end();
    }

    // How far the exit is from the nearest cell that some walk can come to.
    [[nodiscard]] std::uint32_t short_of_exit(const Level& level) const {
        std::vector<bool> reached(ground_.pieces().size());
        for (std::size_t condition = 0; condition < search_.conditions(); ++condition)
            search_.for_each_reached(condition, [&](std::size_t piece) { reached[piece] = true; });
        const std::uint32_t exit = ground_.exit();
        std::uint32_t nearest = level.width + level.height;
        for (std::uint32_t cell = 0; cell < level.area(); ++cell) {
            if (level.cells[cell] == Tile::rock || !reached[ground_.piece_of(cell)]) continue;
            const auto apart = [](std::uint32_t a, std::uint32_t b) { return a < b ? b - a : a - b; };
            nearest = std::min(nearest, apart(level.x_of(cell), level.x_of(exit)) +
                                            apart(level.y_of(cell), level.y_of(exit)));
        }
        return nearest;
    }

    Ground ground_;
    Search search_;
    Walks walks_;
    Measurer measurer_;
    MazeMeasurer mazes_;
};

Judge::Judge() : memory_{std::make_unique<Memory>()} {}
Judge::Judge(Judge&&) noexcept = default;
Judge& Judge::operator=(Judge&&) noexcept = default;
Judge::~Judge() = default;

bool Judge::is_solvable(const Level& level) {
    check(level);
    return memory_->is_solvable(level);
}

Judgement Judge::judge(const Level& level, MeasureSet wanted) {
    check(level);
    return memory_->judge(level, wanted);
}

Walk Judge::solution(const Level& level) {
    check(level);
    return memory_->solution(level);
}

Walk Judge::losing_walk(const Level& level) {
    check(level);
    return memory_->losing_walk(level);
}

std::optional<std::size_t> Judge::lost_after(const Level& level, const Walk& walk) {
    (void)events_of(level, walk); // checks both
    return memory_->lost_after(level, walk);
}

namespace {

// Somebody who walks and keeps what they find.
class Walker {
  public:
    explicit Walker(const Level& level) : level_{level}, been_(level.area()) {}

    void begin(std::uint32_t cell) {
        if (cell >= level_.area() || level_.cells[cell] != Tile::entrance)
            refuse(cell, "is not the entrance");
        at_ = cell;
        been_[cell] = true;
    }

    /// What happens there; floor if nothing does.
    Tile step_to(std::uint32_t cell) {
        check_step(cell);
        at_ = cell;
        const Tile tile = level_.cells[cell];
        if (been_[cell]) return Tile::floor;
        been_[cell] = true;
        if (tile == Tile::small_key) ++small_keys_;
        if (is_coloured_key(tile)) coloured_[colour_of(tile)] = true;
        if (tile == Tile::small_door && small_keys_-- == 0)
            refuse(cell, "is a locked door, and no key is left");
        if (is_coloured_door(tile) && !coloured_[colour_of(tile)])
            refuse(cell, "is a door whose key has not been taken");
        return is_one_way(tile) ? Tile::floor : tile;
    }

  private:
    void check_step(std::uint32_t cell) const {
        if (cell >= level_.area() || level_.cells[cell] == Tile::rock) refuse(cell, "can't be walked on");
        if (level_.cells[at_] == Tile::exit) refuse(at_, "is the exit, where walks end");
        const std::uint32_t x = level_.x_of(at_);
        std::optional<Step> step;
        if (at_ >= level_.width && cell == at_ - level_.width) step = Step::north;
        if (cell == at_ + level_.width) step = Step::south;
        if (x > 0 && cell + 1 == at_) step = Step::west;
        if (x + 1 < level_.width && cell == at_ + 1) step = Step::east;
        if (!step) refuse(cell, "is no neighbour of the cell before");
        const auto opposite = static_cast<Step>(3 - static_cast<int>(*step));
        if (is_one_way(level_.cells[at_]) && step_of(level_.cells[at_]) != *step)
            refuse(at_, "is a one-way to another side");
        if (is_one_way(level_.cells[cell]) && step_of(level_.cells[cell]) == opposite)
            refuse(cell, "is a one-way against the step");
    }

    [[noreturn]] void refuse(std::uint32_t cell, std::string_view why) const {
        throw InvalidInput{fmt::format("cell {},{} {}", level_.x_of(cell), level_.y_of(cell), why)};
    }

    const Level& level_;
    std::vector<bool> been_;
    std::uint32_t at_ = 0;
    std::uint32_t small_keys_ = 0;
    std::array<bool, colours> coloured_{};
};

} // namespace

std::vector<Event> events_of(const Level& level, const Walk& walk) {
    check(level);
    std::vector<Event> events;
    if (walk.empty()) return events;
    Walker walker{level};
    walker.begin(walk.front());
    for (std::size_t step = 1; step < walk.size(); ++step)
        if (const Tile what = walker.step_to(walk[step]); what != Tile::floor)
            events.push_back({step, walk[step], what});
    return events;
}

namespace {

// "the locked door at 2,0", "the 2 red doors at 2,0 and 4,1", of many only the first few.
std::string where_told(const Level& level, Tile tile) {
    constexpr std::size_t most_told = 4;
    std::vector<std::string> places;
    std::size_t count = 0;
    for (std::uint32_t cell = 0; cell < level.area(); ++cell) {
        if (level.cells[cell] != tile) continue;
        ++count;
        if (places.size() < most_told)
            places.push_back(fmt::format("{},{}", level.x_of(cell), level.y_of(cell)));
    }
    if (count == 1) return fmt::format("the {} at {}", name_of(tile), places.front());
    const bool all = count == places.size();
    const std::string last = all ? places.back() : fmt::format("{} more places", count - places.size());
    if (all) places.pop_back();
    return fmt::format("the {} {}s at {} and {}", count, name_of(tile), fmt::join(places, ", "), last);
}

std::string shut_for_good(const Level& level, Tile door, std::size_t doors, Tile key) {
    return fmt::format("no {} opens {}: nobody gets through {}", name_of(key), where_told(level, door),
                       doors == 1 ? "it" : "them");
}

} // namespace

std::vector<std::string> remarks_on(const Level& level) {
    const auto counts = counts_of(level);
    const auto of = [&](Tile tile) { return counts[static_cast<std::size_t>(tile)]; };
    std::vector<std::string> remarks;
    if (of(Tile::small_door) > 0 && of(Tile::small_key) == 0)
        remarks.push_back(shut_for_good(level, Tile::small_door, of(Tile::small_door), Tile::small_key));
    else if (of(Tile::small_door) > of(Tile::small_key))
        remarks.push_back(fmt::format("{} for {}: not all of them can be opened",
                                      counted(of(Tile::small_door), "locked door", "locked doors"),
                                      counted(of(Tile::small_key), "small key", "small keys")));
    for (std::uint32_t colour = 0; colour < colours; ++colour) {
        const auto key = static_cast<Tile>(static_cast<std::uint32_t>(Tile::red_key) + colour);
        const auto door = static_cast<Tile>(static_cast<std::uint32_t>(Tile::red_door) + colour);
        if (of(door) > 0 && of(key) == 0) remarks.push_back(shut_for_good(level, door, of(door), key));
        if (of(key) > 0 && of(door) == 0)
            remarks.push_back(
                fmt::format("a {} without any {}: it opens nothing", name_of(key), name_of(door)));
    }
    return remarks;
}

} // namespace knossos::dungeon
