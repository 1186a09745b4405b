#pragma once

#include <knossos/core/random.hpp>
#include <knossos/dungeon/level.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// Dungeons judged plainly and slowly, by the rules as they are told and on the letters themselves: what the
/// quick judge is compared with.
namespace knossos::dungeon::reference {

/// Where somebody stands, what they have taken and what they have opened, all by cell.
struct State {
    int cell = 0;
    std::set<int> taken{};
    std::set<int> opened{};

    friend auto operator<=>(const State&, const State&) = default;
};

struct Verdict {
    bool solvable = false;
    bool unlosable = false;
    int solution = -1; ///< steps
    int losing = -1;   ///< steps of the shortest walk that loses
    std::size_t states = 0;
    std::size_t lost = 0;
    int fewest_monsters = -1;
};

class Checker {
  public:
    explicit Checker(const Level& level)
        : letters_{to_text(level)}, width_{static_cast<int>(level.width) + 1},
          height_{static_cast<int>(level.height)} {}

    Verdict check() {
        explore();
        Verdict verdict{.unlosable = true, .states = all_.size()};
        const std::set<int> winning = winning_states();
        for (std::size_t i = 0; i < all_.size(); ++i) {
            const bool exit = at(all_[i].cell) == 'X';
            if (exit && (!verdict.solvable || distance_[i] < verdict.solution)) {
                verdict.solvable = true;
                verdict.solution = distance_[i];
            }
            if (winning.count(static_cast<int>(i)) != 0) continue;
            verdict.unlosable = false;
            ++verdict.lost;
            if (verdict.losing < 0 || distance_[i] < verdict.losing) verdict.losing = distance_[i];
        }
        if (verdict.solvable) verdict.fewest_monsters = fewest_monsters();
        return verdict;
    }

  private:
    [[nodiscard]] char at(int cell) const { return letters_[static_cast<std::size_t>(cell)]; }

    // The state after a step, if it can be made.
    [[nodiscard]] std::optional<State> step(const State& from, int dx, int dy) const {
        const int x = from.cell % width_ + dx;
        const int y = from.cell / width_ + dy;
        if (x < 0 || y < 0 || x >= width_ - 1 || y >= height_) return std::nullopt;
        const char here = at(from.cell);
        if (here == 'X') return std::nullopt;
        if (here == '^' && dy != -1) return std::nullopt;
        if (here == 'v' && dy != 1) return std::nullopt;
        if (here == '<' && dx != -1) return std::nullopt;
        if (here == '>' && dx != 1) return std::nullopt;
        State to = from;
        to.cell = y * width_ + x;
        const char there = at(to.cell);
        if (there == '#') return std::nullopt;
        if (there == '^' && dy == 1) return std::nullopt;
        if (there == 'v' && dy == -1) return std::nullopt;
        if (there == '<' && dx == 1) return std::nullopt;
        if (there == '>' && dx == -1) return std::nullopt;
        const std::string keys = "krgby";
        const std::string doors = "+RGBY";
        if (keys.find(there) != std::string::npos) to.taken.insert(to.cell);
        const std::size_t door = doors.find(there);
        if (door != std::string::npos && from.opened.count(to.cell) == 0) {
            int fitting = 0;
            for (const int key : from.taken) fitting += at(key) == keys[door] ? 1 : 0;
            if (there == '+')
                for (const int one : from.opened) fitting -= at(one) == '+' ? 1 : 0;
            if (fitting <= 0) return std::nullopt;
            to.opened.insert(to.cell);
        }
        return to;
    }

    [[nodiscard]] int start() const { return static_cast<int>(letters_.find('E')); }

    void explore() {
        std::map<State, int> numbers;
        const State first{.cell = start()};
        numbers[first] = 0;
        all_.push_back(first);
        distance_.push_back(0);
        next_.emplace_back();
        for (std::size_t i = 0; i < all_.size(); ++i)
            for (const auto& [dx, dy] :
                 {std::pair{0, -1}, std::pair{-1, 0}, std::pair{1, 0}, std::pair{0, 1}}) {
                const auto to = step(all_[i], dx, dy);
                if (!to) continue;
                const auto [found, is_new] = numbers.try_emplace(*to, static_cast<int>(all_.size()));
                next_[i].push_back(found->second);
                if (!is_new) continue;
                all_.push_back(*to);
                distance_.push_back(distance_[i] + 1);
                next_.emplace_back();
            }
    }

    // From which states the exit can be reached: asked again and again until nothing changes.
    [[nodiscard]] std::set<int> winning_states() const {
        std::set<int> winning;
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = all_.size(); i-- > 0;) {
                const int number = static_cast<int>(i);
                if (winning.count(number) != 0) continue;
                bool wins = at(all_[i].cell) == 'X';
                for (const int to : next_[i]) wins = wins || winning.count(to) != 0;
                if (!wins) continue;
                winning.insert(number);
                changed = true;
            }
        }
        return winning;
    }

    // Until nothing gets better.
    [[nodiscard]] int fewest_monsters() const {
        std::vector<int> met(all_.size(), -1);
        met[0] = 0;
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = 0; i < all_.size(); ++i)
                for (const int to : next_[i]) {
                    if (met[i] < 0) continue;
                    const auto there = static_cast<std::size_t>(to);
                    const int value = met[i] + (at(all_[there].cell) == 'm' ? 1 : 0);
                    if (met[there] >= 0 && met[there] <= value) continue;
                    met[there] = value;
                    changed = true;
                }
        }
        int fewest = -1;
        for (std::size_t i = 0; i < all_.size(); ++i)
            if (at(all_[i].cell) == 'X' && (fewest < 0 || met[i] < fewest)) fewest = met[i];
        return fewest;
    }

    std::string letters_; ///< rows, each with its newline
    int width_;           ///< with the newline
    int height_;
    std::vector<State> all_{};
    std::vector<int> distance_{};
    std::vector<std::vector<int>> next_{};
};

inline Verdict check_plainly(const Level& level) { return Checker{level}.check(); }

/// A level of up to 10 × 8 with up to four locks, at random.
inline Level random_level(Stream& stream) {
    Level level{.width = 2 + stream.below(9), .height = 2 + stream.below(7)};
    const double rock = 0.1 + 0.4 * stream.real();
    level.cells.resize(std::size_t{level.width} * level.height);
    for (Tile& tile : level.cells) tile = stream.chance(rock) ? Tile::rock : Tile::floor;
    const auto put = [&](Tile tile, std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i)
            level.cells[stream.below(static_cast<std::uint32_t>(level.area()))] = tile;
    };
    const auto any = [&](Tile first) {
        return static_cast<Tile>(static_cast<std::uint32_t>(first) + stream.below(4));
    };
    put(Tile::monster, stream.below(4));
    put(Tile::treasure, stream.below(4));
    for (std::uint32_t i = stream.below(5); i > 0; --i) {
        const bool small = stream.below(3) != 0;
        put(small ? Tile::small_door : any(Tile::red_door), 1);
        put(small ? Tile::small_key : any(Tile::red_key), 1);
    }
    for (std::uint32_t i = stream.below(5); i > 0; --i) put(any(Tile::one_way_north), 1);
    const std::uint32_t entrance = stream.below(static_cast<std::uint32_t>(level.area()));
    const std::uint32_t exit = (entrance + 1 + stream.below(static_cast<std::uint32_t>(level.area() - 1))) %
                               static_cast<std::uint32_t>(level.area());
    level.cells[entrance] = Tile::entrance;
    level.cells[exit] = Tile::exit;
    return level;
}

} // namespace knossos::dungeon::reference
