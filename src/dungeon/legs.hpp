#pragma once

#include "dungeon/board.hpp"
#include "dungeon/search.hpp"

#include <knossos/dungeon/judge.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <limits>
#include <vector>

namespace knossos::dungeon {

/// Shortest walks where a board holds the level: from stop to stop. *Stops* are keys, doors and the exit;
/// between them nothing changes, so that the steps of a leg from one to the next are the same in every
/// condition, and are counted once, from each stop backwards.
template <class Row, std::size_t Rows>
class Legs {
  public:
    static constexpr std::size_t most_stops = 48;

    /// Whether there are few enough stops. All others must be called for a ground that it was true of.
    bool measure(const Ground& ground) {
        find_stops(ground);
        if (stops_.size() > most_stops) return false;
        const Steps<Row, Rows> steps{ground};
        layers_.clear();
        for (std::size_t stop = 0; stop < stops_.size(); ++stop) measure_to(steps, stop);
        return true;
    }

    /// Steps to the exit with all doors open, -1 if none lead there.
    std::int32_t exit_path() {
        left_.assign(stops_.size(), far);
        left_[exit_] = 0;
        settle(left_.data(), (std::uint64_t{1} << stops_.size()) - 1 - (std::uint64_t{1} << exit_));
        const std::uint32_t steps = from_entrance(left_.data());
        return steps < far ? static_cast<std::int32_t>(steps) : -1;
    }

    /// A shortest walk to the exit, the first of several; the search has reached it.
    void to_exit(const Ground& ground, const Search& search, Walk& walk) {
        left_.resize(search.conditions() * stops_.size());
        find_passed(ground, search);
        // Who has more comes later.
        for (std::size_t condition = search.conditions(); condition-- > 0;) find_left(search, condition);
        follow(ground, search, walk);
    }

  private:
    using Cells = Board<Row, Rows>;
    static constexpr std::uint32_t far = std::numeric_limits<std::uint32_t>::max() / 4;

    struct Stop {
        std::uint32_t piece;
        std::uint32_t x;
        std::uint32_t y;
        std::size_t layers;     ///< in layers_: the stop itself, the cells one step before it, two steps, ...
        std::uint32_t entrance; ///< steps from there
        std::array<std::uint32_t, most_stops> from; ///< steps from each stop, without another between them
    };
    /// A stop that somebody is on a shortest walk to, and in how many steps they are there.
    struct Heading {
        std::size_t stop;
        std::uint32_t steps;
    };

    void find_stops(const Ground& ground) {
        const Level& level = ground.level();
        stops_.clear();
        at_stops_ = {};
        entrance_x_ = level.x_of(ground.entrance());
        entrance_y_ = level.y_of(ground.entrance());
        stop_of_.resize(std::max(stop_of_.size(), ground.pieces().size()));
        for (const std::uint32_t special : ground.specials()) {
            const Ground::Piece& piece = ground.pieces()[special];
            if (piece.bit == Ground::none && piece.tile != Tile::exit) continue;
            if (piece.tile == Tile::exit) exit_ = stops_.size();
            stop_of_[special] = stops_.size();
            Stop& stop = stops_.emplace_back();
            stop.piece = special;
            stop.x = level.x_of(piece.cell);
            stop.y = level.y_of(piece.cell);
            at_stops_.set(stop.x, stop.y);
        }
        marked_ = at_stops_;
        marked_.set(entrance_x_, entrance_y_);
    }

    void measure_to(const Steps<Row, Rows>& steps, std::size_t number) {
        Stop& stop = stops_[number];
        std::fill_n(stop.from.begin(), stops_.size(), far);
        stop.entrance = far;
        stop.layers = layers_.size();
        Cells layer;
        layer.set(stop.x, stop.y);
        Cells visited = layer;
        for (std::uint32_t distance = 1; layer.any(); ++distance) {
            layers_.push_back(layer);
            const Cells before = steps.before(layer).without(visited);
            visited = visited | before;
            layer = before.without(at_stops_);
            if (!(before & marked_).any()) continue;
            if (before.has(entrance_x_, entrance_y_)) stop.entrance = distance;
            for (std::size_t other = 0; other < stops_.size(); ++other)
                if (before.has(stops_[other].x, stops_[other].y)) stop.from[other] = distance;
        }
    }

    // From the steps that are left at other stops to those at the ones that one walks on from: E. W.
    // Dijkstra's algorithm (1959), nearest to the exit first.
    void settle(std::uint32_t* left, std::uint64_t passed) const {
        const std::uint64_t all = (std::uint64_t{1} << stops_.size()) - 1;
        for_each(all & ~passed, [&](std::size_t stop) {
            if (left[stop] < far) relax(left, stop, passed);
        });
        while (passed != 0) {
            std::size_t nearest = 0;
            std::uint32_t least = far;
            for_each(passed, [&](std::size_t stop) {
                if (left[stop] >= least) return;
                nearest = stop;
                least = left[stop];
            });
            if (least == far) return;
            passed &= ~(std::uint64_t{1} << nearest);
            relax(left, nearest, passed);
        }
    }

    void relax(std::uint32_t* left, std::size_t to, std::uint64_t passed) const {
        const auto& from = stops_[to].from;
        for_each(passed, [&](std::size_t stop) { left[stop] = std::min(left[stop], left[to] + from[stop]); });
    }

    template <class Act>
    static void for_each(std::uint64_t stops, Act act) {
        for (; stops != 0; stops &= stops - 1) act(static_cast<std::size_t>(std::countr_zero(stops)));
    }

    [[nodiscard]] std::uint32_t from_entrance(const std::uint32_t* left) const {
        std::uint32_t steps = far;
        for (std::size_t stop = 0; stop < stops_.size(); ++stop)
            steps = std::min(steps, stops_[stop].entrance + left[stop]);
        return steps;
    }

    // Whoever takes a key or opens a door walks on from there, and from what else it opens.
    void find_passed(const Ground& ground, const Search& search) {
        const auto bit = [&](const Stop& stop) { return ground.pieces()[stop.piece].bit; };
        passed_.resize(search.conditions());
        passed_[0] = 0;
        for (std::size_t condition = 0; condition < search.conditions(); ++condition)
            for (const Search::Change& change : search.changes(condition)) {
                const std::size_t here = stop_of_[change.piece];
                std::uint64_t& passed = passed_[change.to];
                passed = passed_[condition] | std::uint64_t{1} << here;
                if (bit(stops_[here]) >= colours) continue;
                for (std::size_t stop = 0; stop < stops_.size(); ++stop)
                    if (bit(stops_[stop]) == bit(stops_[here])) passed |= std::uint64_t{1} << stop;
            }
    }

    // By stop: the steps that are left for whoever comes there in this condition.
    void find_left(const Search& search, std::size_t condition) {
        const std::size_t count = stops_.size();
        std::uint32_t* const left = left_.data() + condition * count;
        std::fill_n(left, count, far);
        left[exit_] = 0;
        for (const Search::Change& change : search.changes(condition)) {
            const std::size_t stop = stop_of_[change.piece];
            left[stop] = left_[change.to * count + stop];
        }
        settle(left, passed_[condition]);
    }

    void follow(const Ground& ground, const Search& search, Walk& walk) {
        std::uint32_t cell = ground.entrance();
        std::uint32_t condition = 0;
        std::uint32_t steps = from_entrance(left_.data());
        head(condition, steps, [](const Stop& stop) { return stop.entrance; });
        walk.assign(1, cell);
        while (steps-- > 0) {
            cell = first_step(ground, cell);
            walk.push_back(cell);
            if (headings_.front().steps > 0) continue;
            const std::size_t here = headings_.front().stop;
            condition = search.condition_there(condition, cell);
            head(condition, steps, [&](const Stop& stop) { return stop.from[here]; });
        }
    }

    // Heads for all stops that come first on some shortest walk.
    template <class LegTo>
    void head(std::uint32_t condition, std::uint32_t steps, LegTo leg_to) {
        const std::uint32_t* const left = left_.data() + condition * stops_.size();
        headings_.clear();
        for (std::size_t stop = 0; stop < stops_.size(); ++stop)
            if (const std::uint32_t leg = leg_to(stops_[stop]); leg + left[stop] == steps)
                headings_.push_back({stop, leg});
    }

    // The first step that leads on to any of the stops, which are then the only ones that are left.
    std::uint32_t first_step(const Ground& ground, std::uint32_t cell) {
        const Level& level = ground.level();
        const std::uint32_t y = cell / level.width;
        const std::uint32_t x = cell - y * level.width;
        if (y > 0 && leads_on(x, y - 1, cell, Step::north, ground)) return cell - level.width;
        if (x > 0 && leads_on(x - 1, y, cell, Step::west, ground)) return cell - 1;
        if (x + 1 < level.width && leads_on(x + 1, y, cell, Step::east, ground)) return cell + 1;
        if (y + 1 < level.height && leads_on(x, y + 1, cell, Step::south, ground)) return cell + level.width;
        return Ground::none;
    }

    bool leads_on(std::uint32_t x, std::uint32_t y, std::uint32_t cell, Step step, const Ground& ground) {
        const auto leads = [&](const Heading& one) {
            return layers_[stops_[one.stop].layers + one.steps - 1].has(x, y);
        };
        std::size_t kept = 0;
        for (const Heading& one : headings_) kept += leads(one) ? 1U : 0U;
        if (kept == 0 || ground.step(cell, step) == Ground::none) return false;
        if (kept < headings_.size()) std::erase_if(headings_, std::not_fn(leads));
        for (Heading& one : headings_) --one.steps;
        return true;
    }

    std::vector<Stop> stops_;
    std::vector<std::size_t> stop_of_; ///< by piece
    Cells at_stops_;
    Cells marked_;         ///< these and the entrance
    std::size_t exit_ = 0; ///< the stop
    std::uint32_t entrance_x_ = 0;
    std::uint32_t entrance_y_ = 0;
    std::vector<Cells> layers_;
    std::vector<std::uint64_t> passed_; ///< by condition: the stops that one walks on from
    std::vector<std::uint32_t> left_;   ///< by condition and stop: steps to the exit
    std::vector<Heading> headings_;
};

} // namespace knossos::dungeon
