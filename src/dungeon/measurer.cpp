#include "dungeon/measurer.hpp"
#include "dungeon/walks.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace knossos::dungeon {

// Which pieces can be walked to from the entrance, with all doors open or shut, and one piece closed in any
// case.
void Measurer::flood(const Ground& ground, bool doors_shut, std::uint32_t closed) {
    const auto& pieces = ground.pieces();
    const auto& edges = ground.edges();
    marks_.assign(pieces.size(), 0);
    if (closed != Ground::none) marks_[closed] = 2;
    stack_.assign(1, ground.piece_of(ground.entrance()));
    marks_[stack_.front()] = 1;
    while (!stack_.empty()) {
        const std::uint32_t from = stack_.back();
        stack_.pop_back();
        for (std::uint32_t e = pieces[from].first_out; e != Ground::none; e = edges[e].next_out) {
            const std::uint32_t to = edges[e].to;
            if (marks_[to] != 0 || (doors_shut && is_door(pieces[to].tile))) continue;
            marks_[to] = 1;
            stack_.push_back(to);
        }
    }
}

void Measurer::measure_ways(const Ground& ground, std::int32_t exit_path, MeasureSet wanted, Measures& out) {
    if (wanted.has(Measure::tour)) out[Measure::tour] = tour(ground, exit_path);
    out[Measure::exit_path] = exit_path;
    if (!wanted.has(Measure::behind_doors)) return;
    const auto reached = [&](bool shut) {
        flood(ground, shut, Ground::none);
        double cells = 0.0;
        for (std::size_t i = 0; i < marks_.size(); ++i)
            if (marks_[i] != 0) cells += ground.pieces()[i].cells;
        return cells;
    };
    const double shut = reached(true);
    out[Measure::behind_doors] = 1.0 - shut / reached(false);
}

// From set to set of checkpoints (M. Held, R. M. Karp: "A dynamic programming approach to sequencing
// problems", 1962).
double Measurer::tour(const Ground& ground, std::int32_t exit_path) {
    places_.clear();
    const auto& cells = ground.level().cells;
    for (auto at = cells.begin(); (at = std::find(at, cells.end(), Tile::checkpoint)) != cells.end(); ++at)
        places_.push_back(static_cast<std::uint32_t>(at - cells.begin()));
    const std::size_t count = places_.size();
    if (count == 0) return exit_path;
    if (count > most_on_tour) return -1.0;
    places_.push_back(ground.entrance());
    legs_.resize((count + 1) * (count + 1)); // to each checkpoint, and to the exit
    for (std::size_t i = 0; i <= count; ++i) {
        find_distances(ground, places_[i], distance_, stack_);
        for (std::size_t j = 0; j < count; ++j) legs_[i * (count + 1) + j] = distance_[places_[j]];
        legs_[i * (count + 1) + count] = distance_[ground.exit()];
    }
    constexpr std::int32_t far = std::numeric_limits<std::int32_t>::max() / 2;
    const auto leg = [&](std::size_t from, std::size_t to) {
        const std::int32_t steps = legs_[from * (count + 1) + to];
        return steps < 0 ? far : steps;
    };
    best_.assign((std::size_t{1} << count) * count, far); // by checkpoints visited, and the last of them
    for (std::size_t i = 0; i < count; ++i) best_[(std::size_t{1} << i) * count + i] = leg(count, i);
    const std::size_t all = (std::size_t{1} << count) - 1;
    for (std::size_t visited = 1; visited <= all; ++visited)
        for (std::size_t last = 0; last < count; ++last) {
            const std::int32_t so_far = best_[visited * count + last];
            if (so_far >= far) continue;
            for (std::size_t next = 0; next < count; ++next) {
                if ((visited >> next & 1U) != 0) continue;
                std::int32_t& there = best_[(visited | std::size_t{1} << next) * count + next];
                there = std::min(there, so_far + leg(last, next));
            }
        }
    std::int32_t shortest = far;
    for (std::size_t last = 0; last < count; ++last)
        shortest = std::min(shortest, best_[all * count + last] + leg(last, count));
    return shortest >= far ? -1.0 : shortest;
}

void Measurer::measure_states(const Ground& ground, const Search& search, Measures& out) {
    const auto& pieces = ground.pieces();
    marks_.assign(pieces.size(), 0);
    std::uint64_t all = 0;
    std::uint64_t lost = 0;
    for (std::size_t condition = 0; condition < search.conditions(); ++condition)
        search.for_each_reached(condition, [&](std::size_t piece) {
            marks_[piece] = 1;
            all += pieces[piece].cells;
            if (!search.is_winning(condition, piece)) lost += pieces[piece].cells;
        });
    std::uint32_t treasures = 0;
    for (std::size_t piece = 0; piece < pieces.size(); ++piece)
        if (marks_[piece] != 0) treasures += pieces[piece].treasures;
    out[Measure::lost] = static_cast<double>(lost) / static_cast<double>(all);
    out[Measure::treasure_reachable] = treasures;
}

// Which doors the solution opens, each with its key: of small keys the one that was taken first, of coloured
// ones the first of the colour.
void Measurer::open_doors(const Ground& ground, const Walk& solution) {
    std::array<std::uint32_t, colours> coloured{};
    coloured.fill(Ground::none);
    opened_.clear();
    in_hand_.clear();
    std::size_t spent = 0;
    marks_.assign(ground.pieces().size(), 0); // what has been taken or opened
    for (const std::uint32_t cell : solution) {
        const Tile tile = ground.tile(cell);
        if (!is_key(tile) && !is_door(tile)) continue;
        const std::uint32_t piece = ground.piece_of(cell);
        if (marks_[piece] != 0) continue;
        marks_[piece] = 1;
        if (tile == Tile::small_key) in_hand_.push_back(piece);
        if (is_coloured_key(tile) && coloured[colour_of(tile)] == Ground::none)
            coloured[colour_of(tile)] = piece;
        if (tile == Tile::small_door) opened_.push_back({piece, in_hand_[spent++]});
        if (is_coloured_door(tile)) opened_.push_back({piece, coloured[colour_of(tile)]});
    }
}

// A door lies before a key if nobody can come to the key while that door is shut and all others are open.
double Measurer::key_depth(const Ground& ground) {
    depth_.assign(opened_.size(), 1);
    std::uint32_t deepest = opened_.empty() ? 0 : 1;
    for (std::size_t door = 0; door + 1 < opened_.size(); ++door) {
        flood(ground, false, opened_[door].piece);
        for (std::size_t later = door + 1; later < opened_.size(); ++later) {
            if (marks_[opened_[later].key] == 1) continue;
            depth_[later] = std::max(depth_[later], depth_[door] + 1);
            deepest = std::max(deepest, depth_[later]);
        }
    }
    return deepest;
}

void Measurer::measure_solution(const Ground& ground, const Walk& solution, Measures& out) {
    const auto steps = static_cast<double>(solution.empty() ? 0 : solution.size() - 1);
    open_doors(ground, solution);
    out[Measure::solution] = solution.empty() ? -1.0 : steps;
    out[Measure::doors_opened] = static_cast<double>(opened_.size());
    out[Measure::key_depth] = key_depth(ground);
    marks_.assign(ground.pieces().size(), 0);
    double keys = 0.0;
    for (const OpenedDoor& one : opened_) {
        keys += marks_[one.key] == 0 ? 1.0 : 0.0;
        marks_[one.key] = 1;
    }
    out[Measure::keys_used] = keys;
    marks_.assign(ground.area(), 0);
    std::uint32_t again = 0;
    std::uint32_t monsters = 0;
    for (const std::uint32_t cell : solution) {
        again += marks_[cell];
        marks_[cell] = 1;
        monsters += ground.tile(cell) == Tile::monster ? 1U : 0U;
    }
    out[Measure::backtracking] = steps > 0.0 ? again / steps : 0.0;
    out[Measure::encounters] = monsters;
    const double way = out[Measure::exit_path];
    out[Measure::detour] = way > 0.0 && steps > 0.0 ? steps / way : 0.0;
}

void Measurer::count_things(const Ground& ground, Measures& out) const {
    const Level& level = ground.level();
    const auto counts = counts_of(level);
    const auto of = [&](Tile tile) -> double { return counts[static_cast<std::size_t>(tile)]; };
    const auto of_all = [&](Tile first) {
        const auto at = static_cast<std::size_t>(first);
        return static_cast<double>(counts[at] + counts[at + 1] + counts[at + 2] + counts[at + 3]);
    };
    out[Measure::small_keys] = of(Tile::small_key);
    out[Measure::small_doors] = of(Tile::small_door);
    out[Measure::coloured_keys] = of_all(Tile::red_key);
    out[Measure::coloured_doors] = of_all(Tile::red_door);
    out[Measure::treasures] = of(Tile::treasure);
    out[Measure::monsters] = of(Tile::monster);
    out[Measure::checkpoints] = of(Tile::checkpoint);
    out[Measure::one_ways] = of_all(Tile::one_way_north);
    double loose = 0.0;
    for (const std::uint32_t special : ground.specials()) {
        const Ground::Piece& piece = ground.pieces()[special];
        if ((is_door(piece.tile) || is_one_way(piece.tile)) && !is_framed(level, piece.cell)) ++loose;
    }
    out[Measure::loose_doors] = loose;
    out[Measure::wall_density] = of(Tile::rock) / static_cast<double>(level.area());
    out[Measure::open_cells] = static_cast<double>(level.area()) - of(Tile::rock);
}

namespace {

std::uint32_t count(std::uint64_t bits) { return static_cast<std::uint32_t>(std::popcount(bits)); }

// Words of rows and what lies beside their cells, bit by bit.
class Neighbourhood {
  public:
    explicit Neighbourhood(const BitRows& rows) : rows_{rows} {}

    [[nodiscard]] std::uint64_t at(std::size_t row, std::size_t word) const {
        return row < rows_.rows() && word < rows_.words ? rows_.bits[row * rows_.words + word] : 0;
    }
    // In neither case does a row or word before the first exist: its number is beyond all others.
    [[nodiscard]] std::uint64_t west_of(std::size_t row, std::size_t word) const {
        return at(row, word) << 1U | at(row, word - 1) >> 63U;
    }
    [[nodiscard]] std::uint64_t east_of(std::size_t row, std::size_t word) const {
        return at(row, word) >> 1U | at(row, word + 1) << 63U;
    }

  private:
    const BitRows& rows_;
};

} // namespace

void Measurer::measure_ground(Ground& ground, MeasureSet wanted, Measures& out) {
    constexpr MeasureSet shapes{Measure::reachable_cells, Measure::dead_ends, Measure::branching_cells,
                                Measure::loops,           Measure::openness,  Measure::rooms,
                                Measure::largest_room};
    count_things(ground, out);
    if (!wanted.has_any(shapes)) return;
    ground.find_connected(connected_);
    squares_.clear(ground.level().width, ground.level().height);
    const Neighbourhood cells{connected_};
    std::uint32_t all = 0;
    std::uint32_t ends = 0;
    std::uint32_t branches = 0;
    std::uint32_t steps = 0;
    std::uint32_t squares = 0;
    for (std::size_t y = 0; y < connected_.rows(); ++y)
        for (std::size_t word = 0; word < connected_.words; ++word) {
            const std::uint64_t here = cells.at(y, word);
            const std::uint64_t north = cells.at(y - 1, word);
            const std::uint64_t south = cells.at(y + 1, word);
            const std::uint64_t west = cells.west_of(y, word);
            const std::uint64_t east = cells.east_of(y, word);
            const std::uint64_t vertical = north & south;
            const std::uint64_t horizontal = west & east;
            const std::uint64_t bends = (north | south) & (west | east);
            all += count(here);
            ends += count(here & ~(vertical | horizontal | bends));
            branches += count(here & ((vertical & (west | east)) | (horizontal & (north | south))));
            steps += count(here & east) + count(here & south);
            const std::uint64_t square = here & east & south & cells.east_of(y + 1, word);
            squares_.bits[y * squares_.words + word] = square;
            squares += count(square);
        }
    for (const std::uint32_t end : {ground.entrance(), ground.exit()})
        ends -= is_dead_end(ground, end) ? 1U : 0U;
    out[Measure::reachable_cells] = all;
    out[Measure::dead_ends] = ends;
    out[Measure::branching_cells] = branches;
    out[Measure::loops] = static_cast<double>(steps) - all + 1.0 - squares;
    measure_rooms(out);
}

// Whether a cell is among those that were counted as dead ends.
bool Measurer::is_dead_end(const Ground& ground, std::uint32_t cell) const {
    const std::uint32_t x = ground.level().x_of(cell);
    const std::uint32_t y = ground.level().y_of(cell);
    const Neighbourhood cells{connected_};
    const std::size_t word = x / 64;
    const auto bit = [&](std::uint64_t bits) { return static_cast<std::uint32_t>(bits >> x % 64 & 1U); };
    return bit(cells.at(y, word)) != 0 && bit(cells.at(y - std::size_t{1}, word)) +
                                                  bit(cells.at(y + 1, word)) + bit(cells.west_of(y, word)) +
                                                  bit(cells.east_of(y, word)) <=
                                              1;
}

// Open squares that lie side by side are one room: each is known by its upper left cell. A run of n squares
// covers n + 1 cells of its row and of the next; what two runs of one room cover together counts once. A cell
// may be of two rooms that touch at a corner: it counts for both.
void Measurer::measure_rooms(Measures& out) {
    overlaps_.clear();
    room_runs_.find(squares_, [&](std::size_t upper, std::size_t lower) {
        const Runs::Run& a = room_runs_[upper];
        const Runs::Run& b = room_runs_[lower];
        overlaps_.push_back({static_cast<std::uint32_t>(upper), static_cast<std::uint32_t>(lower),
                             std::min(a.end, b.end) + 1 - std::max(a.begin, b.begin)});
    });
    sizes_.assign(room_runs_.size(), 0);
    std::uint32_t rooms = 0;
    for (std::size_t i = 0; i < room_runs_.size(); ++i) {
        const std::uint32_t first = room_runs_.first_of(i);
        rooms += first == i ? 1U : 0U;
        sizes_[first] += 2 * (room_runs_[i].end - room_runs_[i].begin + 1);
    }
    for (const Overlap& one : overlaps_)
        if (const std::uint32_t first = room_runs_.first_of(one.upper);
            first == room_runs_.first_of(one.lower))
            sizes_[first] -= one.cells;
    out[Measure::rooms] = rooms;
    out[Measure::largest_room] = sizes_.empty() ? 0.0 : *std::ranges::max_element(sizes_);
    const Neighbourhood squares{squares_};
    std::uint32_t covered = 0;
    for (std::size_t y = 0; y < squares_.rows(); ++y)
        for (std::size_t word = 0; word < squares_.words; ++word)
            covered += count(squares.at(y, word) | squares.west_of(y, word) | squares.at(y - 1, word) |
                             squares.west_of(y - 1, word));
    out[Measure::openness] = covered / out[Measure::reachable_cells];
}

} // namespace knossos::dungeon
