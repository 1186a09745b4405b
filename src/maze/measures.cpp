#include "maze/flood.hpp"
#include "maze/steps.hpp"

#include <knossos/maze/measures.hpp>

#include <algorithm>
#include <bit>
#include <limits>

namespace knossos::maze {

namespace {

std::uint64_t reversed(std::uint64_t word) {
    const auto exchange = [&](int shift, std::uint64_t mask) {
        word = (word >> shift & mask) | (word & mask) << shift;
    };
    exchange(1, 0x5555555555555555U);
    exchange(2, 0x3333333333333333U);
    exchange(4, 0x0F0F0F0F0F0F0F0FU);
    return __builtin_bswap64(word);
}

std::uint32_t count(std::uint64_t word) { return static_cast<std::uint32_t>(std::popcount(word)); }

// Bit rows with an empty row above and below.
class BitRows {
  public:
    void reset(std::size_t width, std::size_t height) {
        width_ = width;
        height_ = height;
        words_ = (width + 63) / 64;
        bits_.assign(words_ * (height + 2), 0);
    }
    [[nodiscard]] std::size_t words() const { return words_; }
    [[nodiscard]] std::size_t height() const { return height_; }
    [[nodiscard]] std::size_t width() const { return width_; }
    // Rows −1 and height are there, and empty.
    [[nodiscard]] std::uint64_t* row(std::ptrdiff_t y) {
        return bits_.data() + (y + 1) * static_cast<std::ptrdiff_t>(words_);
    }
    [[nodiscard]] const std::uint64_t* row(std::ptrdiff_t y) const {
        return bits_.data() + (y + 1) * static_cast<std::ptrdiff_t>(words_);
    }
    // Word i of a row as seen from one column further to the left (its bit x is column x + 1) or right.
    [[nodiscard]] std::uint64_t east_of(std::ptrdiff_t y, std::size_t i) const {
        return row(y)[i] >> 1U | (i + 1 < words_ ? row(y)[i + 1] << 63U : 0);
    }
    [[nodiscard]] std::uint64_t west_of(std::ptrdiff_t y, std::size_t i) const {
        return row(y)[i] << 1U | (i > 0 ? row(y)[i - 1] >> 63U : 0);
    }
    // Word i of the row read backwards.
    [[nodiscard]] std::uint64_t backwards(std::ptrdiff_t y, std::size_t i) const {
        const std::size_t spare = words_ * 64 - width_;
        const std::uint64_t low = reversed(row(y)[words_ - 1 - i]);
        const std::uint64_t high = i + 1 < words_ ? reversed(row(y)[words_ - 2 - i]) : 0;
        return spare == 0 ? low : low >> spare | high << (64 - spare);
    }

  private:
    std::size_t width_ = 0;
    std::size_t height_ = 0;
    std::size_t words_ = 0;
    std::vector<std::uint64_t> bits_;
};

template <class Visit>
void for_each_word(const BitRows& rows, Visit visit) {
    for (std::size_t y = 0; y < rows.height(); ++y)
        for (std::size_t i = 0; i < rows.words(); ++i) visit(static_cast<std::ptrdiff_t>(y), i);
}

template <class Visit>
void for_each_bit(std::uint64_t word, std::size_t index, std::ptrdiff_t y, Visit visit) {
    for (; word != 0; word &= word - 1)
        visit(
            Cell{static_cast<std::uint32_t>(index * 64) + static_cast<std::uint32_t>(std::countr_zero(word)),
                 static_cast<std::uint32_t>(y)});
}

// How many of the pairs that a symmetry exchanges differ, and how many there are.
struct Agreement {
    std::uint64_t different = 0;
    std::uint64_t pairs = 0;

    [[nodiscard]] double score() const {
        return pairs == 0 ? 1.0 : static_cast<double>(pairs - different) / static_cast<double>(pairs);
    }
};

struct Agreements {
    Agreement left_right;
    Agreement top_bottom;
    Agreement rotation;

    void add(const BitRows& rows) {
        const std::uint64_t width = rows.width();
        const std::uint64_t height = rows.height();
        // Each pair that differs is met from both of its ends.
        std::uint64_t ends[3] = {};
        for_each_word(rows, [&](std::ptrdiff_t y, std::size_t i) {
            const std::ptrdiff_t opposite = static_cast<std::ptrdiff_t>(height) - 1 - y;
            ends[0] += count(rows.row(y)[i] ^ rows.backwards(y, i));
            ends[1] += count(rows.row(y)[i] ^ rows.row(opposite)[i]);
            ends[2] += count(rows.row(y)[i] ^ rows.backwards(opposite, i));
        });
        left_right.different += ends[0] / 2;
        top_bottom.different += ends[1] / 2;
        rotation.different += ends[2] / 2;
        left_right.pairs += height * (width / 2);
        top_bottom.pairs += height / 2 * width;
        rotation.pairs += width * height / 2;
    }
};

std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) {
    return a + b < a ? std::numeric_limits<std::uint64_t>::max() : a + b;
}

double share_of(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

} // namespace

std::vector<Cell> Survey::witnesses(std::size_t i, std::size_t j) const {
    std::vector<Cell> cells;
    if (i == j || prc(i, j) == 0) return cells;
    const std::uint64_t both = std::uint64_t{1} << i | std::uint64_t{1} << j;
    for (std::size_t index = 0; index < distance.size(); ++index)
        if (distance[index] == static_cast<std::int32_t>(prc(i, j)) && (members[index] & both) == both)
            cells.push_back(
                {static_cast<std::uint32_t>(index % width), static_cast<std::uint32_t>(index / width)});
    return cells;
}

class Surveyor::Memory {
  public:
    template <class Work>
    decltype(auto) with_flood(const Level& level, Work work) {
        check(level);
        const auto prepared = [&](auto& flood) -> decltype(auto) {
            flood.prepare(level.grid.width(), level.grid.height(), level.entrance, level.exit,
                          level.checkpoints);
            flood.load(level.grid);
            return work(flood);
        };
        return flood_.visit(level.grid.area(), level.checkpoints.size(), prepared);
    }

    template <class SomeFlood>
    Measures measure(const Level& level, SomeFlood& flood, MeasureSet wanted) {
        const FitnessValues values = flood.fitness_values();
        measures_ = {};
        measures_.exit_path = values.exit_path;
        measures_.exit_members = values.exit_members;
        measures_.reconvergence = values.reconvergence;
        measures_.isolated_reconvergence = values.isolated_reconvergence;
        measures_.culs_de_sac = values.culs_de_sac;
        measures_.cul_de_sac_length = values.cul_de_sac_length;
        measures_.reachable_cells = static_cast<std::uint32_t>(flood.reached());
        measures_.farthest = flood.farthest();
        if (wanted.has(Measure::shortest_paths))
            measures_.shortest_paths = values.exit_path < 0 ? 0 : shortest_paths(flood);
        constexpr MeasureSet about_symmetry{Measure::symmetry_left_right, Measure::symmetry_top_bottom,
                                            Measure::symmetry_rotation};
        constexpr MeasureSet about_the_flood{Measure::exit_path,      Measure::exit_members,
                                             Measure::reconvergence,  Measure::isolated_reconvergence,
                                             Measure::culs_de_sac,    Measure::cul_de_sac_length,
                                             Measure::shortest_paths, Measure::farthest,
                                             Measure::reachable_cells};
        constexpr MeasureSet about_the_way{Measure::on_one_way, Measure::straights, Measure::turns};
        constexpr MeasureSet about_steps{Measure::diameter, Measure::tour};
        if (wanted.has_any(about_the_way)) measure_way(level, flood);
        if (wanted.has_any(about_steps)) measure_steps(level, wanted);
        if (wanted.is_within(about_the_flood | about_the_way | about_steps)) return measures_;
        load_rows(level.grid, flood);
        measure_rows(level);
        if (wanted.has_any({Measure::rooms, Measure::largest_room})) measure_rooms();
        if (wanted.has(Measure::pockets)) count_pockets(flood);
        if (wanted.has_any(about_symmetry)) measure_symmetry(level.grid);
        return measures_;
    }

    template <class SomeFlood>
    Survey survey(const Level& level, SomeFlood& flood, MeasureSet wanted) {
        Survey survey;
        // The way and the steps from each cell are looked at below.
        survey.measures =
            measure(level, flood, wanted | MeasureSet{Measure::on_one_way, Measure::branching_cells});
        survey.width = level.grid.width();
        survey.checkpoints = level.checkpoints.size();
        note_cells(level.grid, flood, survey);
        note_pairs(flood, survey);
        for (const std::uint32_t at : way_) survey.path.push_back(flood.cell(at));
        return survey;
    }

  private:
    // Of the shortest ways to the exit, one with the most checkpoints: back from the exit, each time to the
    // first predecessor in the order north, west, east, south over which the most can be had.
    template <class SomeFlood>
    void measure_way(const Level& level, const SomeFlood& flood) {
        way_.clear();
        if (measures_.exit_path < 0) return;
        passed_.assign(flood.positions(), 0);
        for (const Cell checkpoint : level.checkpoints) passed_[flood.position(checkpoint)] = 1;
        const auto most_before = [&](std::uint32_t at) {
            const std::int32_t before = flood.distance(at) - 1;
            std::uint32_t best = at;
            flood.for_each_step(at, [&](std::uint32_t to) {
                if (flood.distance(to) == before && (best == at || passed_[to] > passed_[best])) best = to;
            });
            return best;
        };
        for (std::size_t i = 1; i < flood.reached(); ++i) {
            const std::uint32_t at = flood.reached(i);
            passed_[at] += passed_[most_before(at)];
        }
        measures_.on_one_way = passed_[flood.exit()];
        const std::uint32_t entrance = flood.position(level.entrance);
        for (std::uint32_t at = flood.exit();; at = most_before(at)) {
            way_.push_back(at);
            if (at == entrance) break;
        }
        std::ranges::reverse(way_);
        for (std::size_t i = 2; i < way_.size(); ++i)
            ++(way_[i] - way_[i - 1] == way_[i - 1] - way_[i - 2] ? measures_.straights : measures_.turns);
    }

    void measure_steps(const Level& level, MeasureSet wanted) {
        steps_.load(level.grid);
        if (wanted.has(Measure::diameter)) measures_.diameter = diameter_.diameter(steps_);
        if (wanted.has(Measure::tour)) measures_.tour = shortest_tour(steps_, level);
    }

    // A room is a set of squares that are joined side by side: a block of 2×2 cells can be pushed from each
    // to each other. It holds the cells that they cover.
    void measure_rooms() {
        const std::size_t width = squares_.width();
        covered_by_.assign(width * (squares_.height() + 1) + 1, 0);
        for_each_word(squares_, [&](std::ptrdiff_t y, std::size_t i) {
            for_each_bit(squares_.row(y)[i], i, y, [&](Cell first) {
                if (is_square(first))
                    measures_.largest_room = std::max(measures_.largest_room, take_room(first));
            });
        });
    }

    [[nodiscard]] bool is_square(Cell cell) const {
        return (squares_.row(static_cast<std::ptrdiff_t>(cell.y))[cell.x / 64] >> cell.x % 64 & 1U) != 0;
    }

    // Takes the squares of a room away and says how many cells they cover.
    std::uint32_t take_room(Cell first) {
        const std::uint32_t number = ++measures_.rooms;
        std::uint32_t cells = 0;
        const auto take = [&](Cell square) {
            squares_.row(static_cast<std::ptrdiff_t>(square.y))[square.x / 64] &=
                ~(std::uint64_t{1} << square.x % 64);
            room_.push_back(square);
            for (const Cell cell : {square, Cell{square.x + 1, square.y}, Cell{square.x, square.y + 1},
                                    Cell{square.x + 1, square.y + 1}}) {
                std::uint32_t& last = covered_by_[std::size_t{cell.y} * squares_.width() + cell.x];
                cells += last == number ? 0 : 1;
                last = number;
            }
        };
        room_.clear();
        take(first);
        while (!room_.empty()) {
            const Cell square = room_.back();
            room_.pop_back();
            // The last row and column have no squares; before the first there are none either.
            if (square.y > 0 && is_square({square.x, square.y - 1})) take({square.x, square.y - 1});
            if (square.x > 0 && is_square({square.x - 1, square.y})) take({square.x - 1, square.y});
            if (is_square({square.x + 1, square.y})) take({square.x + 1, square.y});
            if (is_square({square.x, square.y + 1})) take({square.x, square.y + 1});
        }
        return cells;
    }

    template <class SomeFlood>
    std::uint64_t shortest_paths(const SomeFlood& flood) {
        ways_.resize(flood.positions());
        for (std::size_t i = 0; i < flood.reached(); ++i) {
            const std::uint32_t at = flood.reached(i);
            const std::int32_t here = flood.distance(at);
            std::uint64_t ways = here == 0 ? 1 : 0;
            flood.for_each_step(at, [&](std::uint32_t to) {
                if (flood.distance(to) == here - 1 && here > 0) ways = saturating_add(ways, ways_[to]);
            });
            ways_[at] = ways;
            if (at == flood.exit()) return ways;
        }
        return 0;
    }

    template <class SomeFlood>
    void load_rows(const Grid& grid, const SomeFlood& flood) {
        const std::uint32_t width = grid.width();
        const std::uint32_t height = grid.height();
        for (BitRows* rows : {&open_, &reached_, &pockets_, &south_, &squares_}) rows->reset(width, height);
        east_.reset(width, height);
        for (std::uint32_t y = 0; y < height; ++y) {
            for (std::size_t i = 0; i < open_.words(); ++i) {
                const std::uint32_t left = width - static_cast<std::uint32_t>(i) * 64;
                const std::uint64_t inside = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
                open_.row(y)[i] = ~grid.rock_row(y)[i] & inside;
                std::uint64_t reached = 0;
                const std::uint32_t first = flood.position({static_cast<std::uint32_t>(i) * 64, y});
                for (std::uint32_t x = 0; x < std::min(left, 64U); ++x)
                    reached |= std::uint64_t{flood.distance(first + x) >= 0 ? 1U : 0U} << x;
                reached_.row(y)[i] = reached;
                pockets_.row(y)[i] = open_.row(y)[i] & ~reached;
            }
        }
        for_each_word(open_, [&](std::ptrdiff_t y, std::size_t i) {
            const auto line = static_cast<std::size_t>(y);
            const std::uint64_t east_walls = grid.has_walls() ? grid.east_wall_row(line)[i] : 0;
            const std::uint64_t south_walls = grid.has_walls() ? grid.south_wall_row(line)[i] : 0;
            east_.row(y)[i] = open_.row(y)[i] & open_.east_of(y, i) & ~east_walls;
            south_.row(y)[i] = open_.row(y)[i] & open_.row(y + 1)[i] & ~south_walls;
        });
    }

    void measure_rows(const Level& level) {
        std::uint64_t steps = 0;
        std::uint64_t all_steps = 0;
        for_each_word(open_, [&](std::ptrdiff_t y, std::size_t i) {
            const std::uint64_t reached = reached_.row(y)[i];
            const std::uint64_t east = east_.row(y)[i];
            const std::uint64_t south = south_.row(y)[i];
            measures_.open_cells += count(open_.row(y)[i]);
            measures_.branching_cells += count(reached & branching(y, i));
            measures_.dead_ends += count(reached & ~at_least_two(y, i));
            steps += count(reached & east) + count(reached & south);
            all_steps += count(east) + count(south);
            const std::uint64_t squares = reached & east & east_.row(y + 1)[i] & south & south_.east_of(y, i);
            measures_.open_squares += count(squares);
            squares_.row(y)[i] = squares;
        });
        std::uint64_t in_squares = 0;
        for_each_word(open_, [&](std::ptrdiff_t y, std::size_t i) {
            in_squares += count(squares_.row(y)[i] | squares_.west_of(y, i) | squares_.row(y - 1)[i] |
                                squares_.west_of(y - 1, i));
        });
        measures_.openness = share_of(in_squares, measures_.reachable_cells);
        for (const Cell end : {level.entrance, level.exit}) {
            const auto y = static_cast<std::ptrdiff_t>(end.y);
            const std::uint64_t ends = reached_.row(y)[end.x / 64] & ~at_least_two(y, end.x / 64);
            if ((ends >> end.x % 64 & 1U) != 0) --measures_.dead_ends;
            if (level.entrance == level.exit) break;
        }
        if (measures_.reachable_cells > 0)
            measures_.loops =
                static_cast<std::uint32_t>(steps + 1 - measures_.reachable_cells - measures_.open_squares);
        measures_.pocket_cells = measures_.open_cells - measures_.reachable_cells;
        measures_.rock_cells = static_cast<std::uint32_t>(level.grid.area()) - measures_.open_cells;
        measure_density(level.grid, all_steps);
    }

    void measure_density(const Grid& grid, std::uint64_t all_steps) {
        const std::uint64_t width = grid.width();
        const std::uint64_t height = grid.height();
        const std::uint64_t possible = (width - 1) * height + width * (height - 1);
        measures_.wall_density = grid.has_walls() ? share_of(possible - all_steps, possible)
                                                  : share_of(grid.area() - measures_.open_cells, grid.area());
    }

    struct Steps {
        std::uint64_t north, west, east, south;
    };
    [[nodiscard]] Steps steps(std::ptrdiff_t y, std::size_t i) const {
        return {south_.row(y - 1)[i], east_.west_of(y, i), east_.row(y)[i], south_.row(y)[i]};
    }
    [[nodiscard]] std::uint64_t branching(std::ptrdiff_t y, std::size_t i) const {
        const Steps s = steps(y, i);
        return (s.north & s.west & (s.east | s.south)) | (s.east & s.south & (s.north | s.west));
    }
    [[nodiscard]] std::uint64_t at_least_two(std::ptrdiff_t y, std::size_t i) const {
        const Steps s = steps(y, i);
        return (s.north & s.west) | (s.east & s.south) | ((s.north | s.west) & (s.east | s.south));
    }

    template <class SomeFlood>
    void count_pockets(SomeFlood& flood) {
        for_each_word(pockets_, [&](std::ptrdiff_t y, std::size_t i) {
            for_each_bit(pockets_.row(y)[i], i, y, [&](Cell cell) {
                if (!flood.is_unseen(flood.position(cell))) return;
                ++measures_.pockets;
                flood.take_pocket(flood.position(cell));
            });
        });
    }

    void measure_symmetry(const Grid& grid) {
        Agreements agreements;
        if (grid.has_walls()) {
            agreements.add(narrowed(east_, grid.width() - 1, grid.height()));
            agreements.add(narrowed(south_, grid.width(), grid.height() - 1));
        } else {
            agreements.add(open_);
        }
        measures_.symmetry_left_right = agreements.left_right.score();
        measures_.symmetry_top_bottom = agreements.top_bottom.score();
        measures_.symmetry_rotation = agreements.rotation.score();
    }

    // Steps form a grid that is one narrower or lower than that of the cells.
    BitRows& narrowed(const BitRows& rows, std::size_t width, std::size_t height) {
        squares_.reset(width, height);
        for_each_word(squares_,
                      [&](std::ptrdiff_t y, std::size_t i) { squares_.row(y)[i] = rows.row(y)[i]; });
        return squares_;
    }

    template <class SomeFlood>
    void note_cells(const Grid& grid, const SomeFlood& flood, Survey& survey) {
        survey.distance.resize(grid.area());
        survey.members.resize(grid.area());
        survey.pocket.resize(grid.area());
        std::uint32_t pocket_count = 0;
        for (std::size_t index = 0; index < grid.area(); ++index) {
            const Cell cell = grid.cell(index);
            const std::uint32_t at = flood.position(cell);
            const std::int32_t here = flood.distance(at);
            survey.distance[index] = here;
            survey.members[index] = flood.members(at);
            if (here < 0) {
                if (!grid.is_rock(cell) && survey.pocket[index] == 0)
                    number_pocket(grid, cell, ++pocket_count, survey);
                continue;
            }
            bool goes_on = false;
            flood.for_each_step(at, [&](std::uint32_t to) { goes_on |= flood.distance(to) > here; });
            if (!goes_on) survey.culs_de_sac.push_back(cell);
            const auto y = static_cast<std::ptrdiff_t>(cell.y);
            if ((branching(y, cell.x / 64) >> cell.x % 64 & 1U) != 0) survey.branching_cells.push_back(cell);
        }
    }

    static void number_pocket(const Grid& grid, Cell first, std::uint32_t number, Survey& survey) {
        std::vector<Cell> cells{first};
        survey.pocket[grid.index(first)] = number;
        const auto add = [&](Cell from, Direction direction, Cell to) {
            if (!grid.steps(from, direction) || survey.pocket[grid.index(to)] != 0) return;
            survey.pocket[grid.index(to)] = number;
            cells.push_back(to);
        };
        while (!cells.empty()) {
            const Cell cell = cells.back();
            cells.pop_back();
            add(cell, Direction::north, {cell.x, cell.y - 1});
            add(cell, Direction::west, {cell.x - 1, cell.y});
            add(cell, Direction::east, {cell.x + 1, cell.y});
            add(cell, Direction::south, {cell.x, cell.y + 1});
        }
    }

    template <class SomeFlood>
    static void note_pairs(const SomeFlood& flood, Survey& survey) {
        const std::size_t n = survey.checkpoints;
        survey.primary.assign(n * n, 0);
        survey.isolated.assign(n * n, 0);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = i + 1; j < n; ++j) {
                survey.primary[i * n + j] = survey.primary[j * n + i] = flood.reconvergences().primary(i, j);
                survey.isolated[i * n + j] = survey.isolated[j * n + i] =
                    flood.reconvergences().isolated(i, j);
            }
        }
    }

    AnyFlood flood_;
    Measures measures_;
    std::vector<std::uint64_t> ways_;
    std::vector<std::uint32_t> passed_; ///< checkpoints on a way to each position
    std::vector<std::uint32_t> way_;
    std::vector<Cell> room_;
    std::vector<std::uint32_t> covered_by_;
    StepField steps_;
    DiameterFinder diameter_;
    BitRows open_, reached_, pockets_, east_, south_, squares_;
};

Surveyor::Surveyor() : memory_{std::make_unique<Memory>()} {}
Surveyor::Surveyor(Surveyor&&) noexcept = default;
Surveyor& Surveyor::operator=(Surveyor&&) noexcept = default;
Surveyor::~Surveyor() = default;

std::int32_t Surveyor::exit_path(const Level& level) {
    return memory_->with_flood(level, [](auto& flood) { return flood.exit_path(); });
}

FitnessValues Surveyor::fitness_values(const Level& level) {
    return memory_->with_flood(level, [](auto& flood) { return flood.fitness_values(); });
}

Measures Surveyor::measure(const Level& level, MeasureSet wanted) {
    return memory_->with_flood(level, [&](auto& flood) { return memory_->measure(level, flood, wanted); });
}

Survey Surveyor::survey(const Level& level, MeasureSet wanted) {
    return memory_->with_flood(level, [&](auto& flood) { return memory_->survey(level, flood, wanted); });
}

Measures measure(const Level& level, MeasureSet wanted) { return Surveyor{}.measure(level, wanted); }

Survey survey(const Level& level, MeasureSet wanted) { return Surveyor{}.survey(level, wanted); }

Level with_pockets_sealed(const Level& level) {
    Level sealed = level;
    const Survey surveyed = survey(level, {});
    for (std::size_t index = 0; index < surveyed.pocket.size(); ++index)
        if (surveyed.pocket[index] != 0 && sealed.grid.cell(index) != level.exit)
            sealed.grid.set_rock(sealed.grid.cell(index), true);
    return sealed;
}

} // namespace knossos::maze
