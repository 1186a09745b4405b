#include "dungeon/cuts.hpp"
#include "dungeon/digging.hpp"
#include "dungeon/tunnels.hpp"

#include <knossos/dungeon/representation.hpp>

#include <algorithm>
#include <array>

namespace knossos::dungeon {

namespace {

// One-ways are one kind of thing, wherever they lead.
Tile kind_of(Tile tile) { return is_one_way(tile) ? Tile::one_way_north : tile; }
bool is_thing(Tile tile) { return tile != Tile::rock && tile != Tile::floor; }
bool wants_frame(Tile tile) { return is_door(tile) || is_one_way(tile); }
Tile tile_of(char letter) { return static_cast<Tile>(tile_letters.find(letter)); }

// Above so many cells few corridors part anything by chance, and changes to the ground wear its style away.
using levels::large_area;

// A level that is being worked on, and lists that are worked with. Only memory is kept between genomes.
class Workshop {
  public:
    void load(const Plan& plan, IntegerView<std::uint8_t> genes) {
        plan_ = &plan;
        level_.width = plan.width;
        level_.height = plan.height;
        level_.cells.resize(genes.size());
        for (std::size_t i = 0; i < genes.size(); ++i) level_.cells[i] = static_cast<Tile>(genes[i]);
    }
    /// Whether anything differs from what was there.
    bool store(Integers<std::uint8_t> genes) const {
        bool changed = false;
        for (std::size_t i = 0; i < genes.size(); ++i) {
            const auto gene = static_cast<std::uint8_t>(level_.cells[i]);
            changed = changed || genes[i] != gene;
            genes[i] = gene;
        }
        return changed;
    }
    [[nodiscard]] Level& level() { return level_; }

    void begin_as_start();
    void furnish(Stream& stream);
    void lay_down_drawn(Stream& stream);
    void repair(Stream& stream);
    void move_thing(Stream& stream);
    void swap_things(Stream& stream);
    void put_door_into_corridor(Stream& stream);
    void change_count(Stream& stream);
    template <class Change>
    void change_ground(Change change);
    void lead_way_anew(Stream& stream);
    void flip_ground(Stream& stream);

  private:
    std::uint32_t pick(Stream& stream, const std::vector<std::uint32_t>& from) const {
        return from[stream.below(static_cast<std::uint32_t>(from.size()))];
    }
    template <class Accept>
    const std::vector<std::uint32_t>& cells_where(Accept accept) {
        list_.clear();
        for (std::size_t i = 0; i < level_.area(); ++i)
            if (accept(i)) list_.push_back(static_cast<std::uint32_t>(i));
        return list_;
    }
    std::uint32_t free_cell(Stream& stream, bool framed);
    void put(Stream& stream, Tile tile);
    void point(Stream& stream, std::size_t cell);
    bool put_door_into_cut(Stream& stream, Tile door, std::size_t entrance);
    void dig_images(std::size_t cell);
    void seal_pockets(Stream& stream);
    void require_entrance(Stream& stream);
    void join_images();
    void join_drawn();
    [[nodiscard]] std::size_t cut_off();
    void remove_surplus(Stream& stream);
    void add_missing(Stream& stream);
    void put_back(Stream& stream);
    void rule_images();
    [[nodiscard]] bool differs(std::size_t cell) const {
        const std::string& start = plan_->constraints.start;
        return !start.empty() && start[cell] != levels::free_letter &&
               start[cell] != letter(level_.cells[cell]);
    }
    // Rock that was drawn stays rock.
    [[nodiscard]] bool may_dig(std::size_t cell) const {
        const Constraints& constraints = plan_->constraints;
        return !constraints.is_locked(cell) &&
               (constraints.start.empty() || constraints.start[cell] != levels::rock_letter);
    }
    [[nodiscard]] bool can_move(std::size_t cell) const {
        return is_thing(level_.cells[cell]) && !plan_->constraints.is_fixed(cell);
    }
    [[nodiscard]] bool lie_near(std::uint32_t a, std::uint32_t b) const {
        constexpr std::uint32_t near = 14;
        const auto apart = [](std::uint32_t one, std::uint32_t other) {
            return one < other ? other - one : one - other;
        };
        return apart(level_.x_of(a), level_.x_of(b)) + apart(level_.y_of(a), level_.y_of(b)) <= near;
    }
    void count_things();

    const Plan* plan_ = nullptr;
    Level level_{};
    std::array<std::uint32_t, tile_kinds> counts_{};
    std::vector<std::uint32_t> list_;
    std::vector<std::uint32_t> queue_;
    std::vector<std::uint8_t> marks_;
    std::vector<Tile> before_;
    Cuts cuts_;
    Tunnels tunnels_;
};

Workshop& workshop() {
    thread_local Workshop its;
    return its;
}

// A floor cell, in a frame if that is wanted and to be had. Where no floor is left, rock beside what is open
// becomes floor.
std::uint32_t Workshop::free_cell(Stream& stream, bool framed) {
    const auto is_floor = [&](std::size_t i) { return level_.cells[i] == Tile::floor; };
    // Most often one of a few tries hits.
    for (int tried = 0; tried < 24; ++tried) {
        const std::uint32_t cell = stream.below(static_cast<std::uint32_t>(level_.area()));
        if (is_floor(cell) && (!framed || is_framed(level_, cell))) return cell;
    }
    if (framed) {
        const auto& frames = cells_where([&](std::size_t i) { return is_floor(i) && is_framed(level_, i); });
        if (!frames.empty()) return pick(stream, frames);
    }
    const auto& floor = cells_where(is_floor);
    if (!floor.empty()) return pick(stream, floor);
    const auto& edge = cells_where([&](std::size_t i) {
        bool open = false;
        for_each_beside(level_, i,
                        [&](std::size_t other) { open = open || level_.cells[other] != Tile::rock; });
        return open && level_.cells[i] == Tile::rock && !plan_->constraints.is_locked(i);
    });
    if (edge.empty()) return 0;
    const std::uint32_t dug = pick(stream, edge);
    dig_images(dug);
    return dug;
}

// A cell becomes floor if it is rock, and so do its images under the symmetry.
void Workshop::dig_images(std::size_t cell) {
    const levels::Symmetry symmetry = plan_->constraints.symmetry;
    for (const levels::Cell image :
         levels::images(symmetry, level_.width, level_.height, {level_.x_of(cell), level_.y_of(cell)}))
        dig_cell(level_, image.x, image.y);
}

// A one-way in a frame leads through it.
void Workshop::point(Stream& stream, std::size_t cell) {
    if (!is_one_way(level_.cells[cell])) return;
    bool upright = stream.below(2) != 0;
    if (is_framed(level_, cell))
        upright = (cell >= level_.width && level_.cells[cell - level_.width] != Tile::rock) ||
                  (cell + level_.width < level_.area() && level_.cells[cell + level_.width] != Tile::rock);
    const bool back = stream.below(2) != 0;
    level_.cells[cell] = upright ? (back ? Tile::one_way_north : Tile::one_way_south)
                                 : (back ? Tile::one_way_west : Tile::one_way_east);
}

void Workshop::put(Stream& stream, Tile tile) {
    const std::uint32_t cell = free_cell(stream, wants_frame(tile));
    level_.cells[cell] = tile;
    point(stream, cell);
}

void Workshop::count_things() {
    counts_.fill(0);
    for (const Tile tile : level_.cells) ++counts_[static_cast<std::size_t>(kind_of(tile))];
}

void Workshop::furnish(Stream& stream) {
    for (const Tile tile : placed_kinds(plan_->placement)) {
        const Count& count = plan_->placement.of(tile);
        for (std::uint32_t left = count.fewest + stream.below(count.most - count.fewest + 1); left > 0;
             --left)
            put(stream, tile);
    }
}

void Workshop::require_entrance(Stream& stream) {
    if (std::ranges::find(level_.cells, Tile::entrance) == level_.cells.end()) put(stream, Tile::entrance);
}

// What does not hang together with the entrance becomes rock; things from there are missing then.
void Workshop::seal_pockets(Stream& stream) {
    require_entrance(stream);
    const auto entrance = std::ranges::find(level_.cells, Tile::entrance);
    marks_.assign(level_.area(), 0);
    mark_connected(level_, static_cast<std::size_t>(entrance - level_.cells.begin()), marks_, queue_);
    const std::vector<std::uint8_t>& stays = plan_->constraints.stays_open;
    for (std::size_t i = 0; i < level_.area(); ++i)
        if (marks_[i] == 0 && (stays.empty() || stays[i] == 0)) level_.cells[i] = Tile::rock;
}

// Under a symmetry the ground may fall apart into images of each other. Corridors from the entrance to its
// images join them, so that whatever is cut off then is cut off with all its images.
void Workshop::join_images() {
    const auto entrance =
        static_cast<std::size_t>(std::ranges::find(level_.cells, Tile::entrance) - level_.cells.begin());
    const levels::Cell from{level_.x_of(entrance), level_.y_of(entrance)};
    for (const levels::Cell to :
         levels::images(plan_->constraints.symmetry, level_.width, level_.height, from)) {
        marks_.assign(level_.area(), 0);
        mark_connected(level_, entrance, marks_, queue_);
        if (marks_[std::size_t{to.y} * level_.width + to.x] != 0) continue;
        levels::for_each_along(from.x, from.y, to.x, to.y, true, [&](std::uint32_t x, std::uint32_t y) {
            dig_images(std::size_t{y} * level_.width + x);
        });
    }
    constrain(plan_->constraints, level_);
}

// Ground of a style knows nothing of what was drawn. Corridors from the entrance lead to all ground of that
// which can be come to, or everything else would hang apart from it and become rock.
void Workshop::join_drawn() {
    const std::vector<std::uint8_t>& drawn = plan_->constraints.stays_open;
    if (drawn.empty()) return;
    const auto entrance =
        static_cast<std::size_t>(std::ranges::find(level_.cells, Tile::entrance) - level_.cells.begin());
    tunnels_.find(level_, entrance, [&](std::size_t cell) { return may_dig(cell); });
    for (std::size_t i = 0; i < drawn.size(); ++i)
        if (drawn[i] != 0) tunnels_.take(i, [&](std::size_t cell) { dig_images(cell); });
    constrain(plan_->constraints, level_);
}

// Too many of something: some of them, at random, become floor; where a start is to be kept, first those that
// it does not have.
void Workshop::remove_surplus(Stream& stream) {
    const bool keeps = plan_->constraints.keeps;
    for (std::size_t kind = 2; kind < tile_kinds; ++kind) {
        const auto tile = static_cast<Tile>(kind);
        if (kind_of(tile) != tile) continue;
        const auto is_one = [&](std::size_t i) {
            return kind_of(level_.cells[i]) == tile && !plan_->constraints.is_fixed(i);
        };
        for (const std::uint32_t most = plan_->placement.counts[kind].most; counts_[kind] > most;
             --counts_[kind]) {
            if (keeps) (void)cells_where([&](std::size_t i) { return is_one(i) && differs(i); });
            if (!keeps || list_.empty()) (void)cells_where(is_one);
            if (list_.empty()) break;
            level_.cells[pick(stream, list_)] = Tile::floor;
        }
    }
}

// Too few of something: put somewhere; where a start is to be kept, first where it had them.
void Workshop::add_missing(Stream& stream) {
    const Constraints& constraints = plan_->constraints;
    for (const Tile tile : placed_kinds(plan_->placement))
        for (std::uint32_t& count = counts_[static_cast<std::size_t>(tile)];
             count < plan_->placement.of(tile).fewest; ++count) {
            if (constraints.keeps) {
                const auto& before = cells_where([&](std::size_t i) {
                    return constraints.start[i] != levels::free_letter &&
                           kind_of(tile_of(constraints.start[i])) == tile && level_.cells[i] == Tile::floor;
                });
                if (!before.empty()) {
                    const std::uint32_t cell = pick(stream, before);
                    level_.cells[cell] = tile_of(constraints.start[cell]);
                    continue;
                }
            }
            put(stream, tile);
        }
}

// Cells drawn by lot become what they were at the start, until no more differ than may.
void Workshop::put_back(Stream& stream) {
    const Constraints& constraints = plan_->constraints;
    constexpr int rounds = 6;
    for (int round = 0; changes(constraints.start, level_) > constraints.most_changes; ++round) {
        (void)cells_where([&](std::size_t i) { return differs(i); });
        // What is placed makes some cells differ again; in the end nothing else does.
        const std::size_t may = round == rounds ? 0 : constraints.most_changes >> round;
        while (list_.size() > may) {
            const std::uint32_t at = stream.below(static_cast<std::uint32_t>(list_.size()));
            level_.cells[list_[at]] = tile_of(constraints.start[list_[at]]);
            list_[at] = list_.back();
            list_.pop_back();
        }
        constrain(constraints, level_);
        count_things();
        remove_surplus(stream);
        add_missing(stream);
        require_entrance(stream);
        if (round == rounds) return;
    }
}

// What a designer drew of a dungeon that begins: with it, and hanging together as far as that can be.
void Workshop::lay_down_drawn(Stream& stream) {
    constrain(plan_->constraints, level_);
    count_things();
    remove_surplus(stream);
    require_entrance(stream);
    join_drawn();
}

void Workshop::repair(Stream& stream) {
    const Constraints& constraints = plan_->constraints;
    if (!constraints.empty()) constrain(constraints, level_);
    count_things();
    remove_surplus(stream);
    if (!constraints.rulers.empty()) {
        require_entrance(stream);
        join_images();
    }
    seal_pockets(stream);
    count_things();
    add_missing(stream);
    if (constraints.keeps) put_back(stream);
}

void Workshop::begin_as_start() {
    const std::string& start = plan_->constraints.start;
    for (std::size_t i = 0; i < start.size(); ++i)
        if (start[i] != levels::free_letter) level_.cells[i] = tile_of(start[i]);
}

// A change to the ground of one cell is one to all its images.
void Workshop::rule_images() {
    const std::vector<std::uint32_t>& rulers = plan_->constraints.rulers;
    for (std::size_t i = 0; i < rulers.size(); ++i) {
        const bool rock = level_.cells[i] == Tile::rock;
        if (rock == (before_[i] == Tile::rock)) continue;
        Tile& ruler = level_.cells[rulers[i]];
        if (rock != (ruler == Tile::rock)) ruler = rock ? Tile::rock : Tile::floor;
    }
}

void Workshop::move_thing(Stream& stream) {
    const auto& things = cells_where([&](std::size_t i) { return can_move(i); });
    if (things.empty()) return;
    const std::uint32_t from = pick(stream, things);
    const Tile tile = level_.cells[from];
    if (is_one_way(tile) && stream.below(4) == 0) return point(stream, from);
    std::uint32_t to = from;
    if (!wants_frame(tile) && stream.below(3) == 0) {
        // Just a step or a few.
        for (std::uint32_t steps = 1 + stream.below(3); steps > 0; --steps)
            for_each_beside(level_, to, [&](std::size_t next) {
                if (level_.cells[next] == Tile::floor && stream.below(2) == 0)
                    to = static_cast<std::uint32_t>(next);
            });
        if (to == from) return;
    } else {
        to = free_cell(stream, wants_frame(tile));
    }
    level_.cells[from] = Tile::floor;
    level_.cells[to] = tile;
    point(stream, to);
}

void Workshop::swap_things(Stream& stream) {
    const auto& things = cells_where([&](std::size_t i) { return can_move(i); });
    if (things.empty()) return;
    const std::uint32_t a = pick(stream, things);
    const std::uint32_t b = pick(stream, things);
    std::swap(level_.cells[a], level_.cells[b]);
    point(stream, a);
    point(stream, b);
}

// In large levels: to one of the frames that cut off more than a corner. False if there is none.
bool Workshop::put_door_into_cut(Stream& stream, Tile door, std::size_t entrance) {
    const std::size_t least = cuts_.find(level_, entrance) / 40 + 4;
    const auto& frames = cells_where([&](std::size_t i) {
        return cuts_.cut_off_by(i) >= least && level_.cells[i] == Tile::floor && is_framed(level_, i);
    });
    if (frames.empty()) return false;
    level_.cells[pick(stream, frames)] = door;
    return true;
}

// A door goes to where a corridor parts the ground: of a few frames to the one that cuts off most.
void Workshop::put_door_into_corridor(Stream& stream) {
    const auto& doors = cells_where([&](std::size_t i) { return is_door(level_.cells[i]) && can_move(i); });
    if (doors.empty()) return move_thing(stream);
    const std::uint32_t from = pick(stream, doors);
    const Tile door = level_.cells[from];
    level_.cells[from] = Tile::floor;
    const auto entrance =
        static_cast<std::size_t>(std::ranges::find(level_.cells, Tile::entrance) - level_.cells.begin());
    if (level_.area() > large_area && put_door_into_cut(stream, door, entrance)) return;
    std::uint32_t best = from;
    std::size_t least = level_.area();
    // Larger levels have more corridors that part little.
    const std::size_t tries = 3 + level_.area() / 1000;
    for (std::size_t tried = 0; tried < tries; ++tried) {
        const std::uint32_t cell = free_cell(stream, true);
        level_.cells[cell] = Tile::rock;
        marks_.assign(level_.area(), 0);
        const std::size_t left = mark_connected(level_, entrance, marks_, queue_);
        level_.cells[cell] = Tile::floor;
        if (left >= least) continue;
        least = left;
        best = cell;
    }
    level_.cells[best] = door;
}

// One more or one less of something, where the plan leaves that open.
void Workshop::change_count(Stream& stream) {
    count_things();
    list_.clear();
    for (std::size_t kind = 2; kind < tile_kinds; ++kind) {
        const Count& count = plan_->placement.counts[kind];
        if (count.fewest < count.most) list_.push_back(static_cast<std::uint32_t>(kind));
    }
    if (list_.empty()) return move_thing(stream);
    const std::uint32_t kind = pick(stream, list_);
    const auto tile = static_cast<Tile>(kind);
    const Count& count = plan_->placement.counts[kind];
    const bool more = counts_[kind] <= count.fewest || (counts_[kind] < count.most && stream.below(2) != 0);
    if (more) return put(stream, tile);
    const auto& some =
        cells_where([&](std::size_t i) { return kind_of(level_.cells[i]) == tile && can_move(i); });
    if (!some.empty()) level_.cells[pick(stream, some)] = Tile::floor;
}

// How many cells that are not rock don't hang together with the entrance.
std::size_t Workshop::cut_off() {
    const auto entrance = std::ranges::find(level_.cells, Tile::entrance);
    marks_.assign(level_.area(), 0);
    const std::size_t left =
        mark_connected(level_, static_cast<std::size_t>(entrance - level_.cells.begin()), marks_, queue_);
    const auto open = std::ranges::count_if(level_.cells, [](Tile tile) { return tile != Tile::rock; });
    return static_cast<std::size_t>(open) - left;
}

// Repair makes rock of what is cut off: a change that cuts off whole rooms is not made, or little ground
// would be left in the end. What was drawn apart from the entrance, and stays, is no reason to refuse one.
template <class Change>
void Workshop::change_ground(Change change) {
    constexpr std::size_t most_lost = 2;
    before_ = level_.cells;
    change();
    if (!plan_->constraints.rulers.empty()) {
        rule_images();
        constrain(plan_->constraints, level_);
        if (std::ranges::find(level_.cells, Tile::entrance) == level_.cells.end())
            return level_.cells.swap(before_);
    }
    const std::size_t lost = cut_off();
    if (lost <= most_lost) return;
    level_.cells.swap(before_);
    if (cut_off() >= lost) level_.cells.swap(before_);
}

// Fills a corridor, or digs one between two cells that are open; sometimes both.
void Workshop::lead_way_anew(Stream& stream) {
    const std::uint32_t what = stream.below(3);
    if (what != 0) {
        const auto& open = cells_where([&](std::size_t i) { return level_.cells[i] != Tile::rock; });
        const std::uint32_t from = pick(stream, open);
        std::uint32_t to = pick(stream, open);
        // A corridor right across a large level would be seen at once.
        for (int tried = 0; tried < 24 && level_.area() > large_area && !lie_near(from, to); ++tried)
            to = pick(stream, open);
        if (level_.area() > large_area && !lie_near(from, to)) return;
        dig_corridor(level_, level_.x_of(from), level_.y_of(from), level_.x_of(to), level_.y_of(to),
                     stream.below(2) != 0);
    }
    if (what == 1) return;
    // From a cell in a frame along the corridor, as far as nothing lies there.
    std::size_t cell = free_cell(stream, true);
    for (std::uint32_t left = 1 + stream.below(6); left > 0; --left) {
        if (level_.cells[cell] != Tile::floor || !is_framed(level_, cell)) return;
        std::size_t next = cell;
        for_each_beside(level_, cell, [&](std::size_t other) {
            if (level_.cells[other] == Tile::floor && (next == cell || stream.below(2) != 0)) next = other;
        });
        level_.cells[cell] = Tile::rock;
        if (next == cell) return;
        cell = next;
        // What was a frame before the fill is one still, if the corridor goes on.
        std::uint32_t open = 0;
        for_each_beside(level_, cell,
                        [&](std::size_t other) { open += level_.cells[other] != Tile::rock ? 1U : 0U; });
        if (open != 1) return;
    }
}

void Workshop::flip_ground(Stream& stream) {
    for (std::uint32_t left = 1 + stream.below(3); left > 0; --left) {
        Tile& tile = level_.cells[stream.below(static_cast<std::uint32_t>(level_.area()))];
        if (tile == Tile::rock)
            tile = Tile::floor;
        else if (tile == Tile::floor)
            tile = Tile::rock;
    }
}

} // namespace

void Tiles::initialise(Stream& stream, Integers<std::uint8_t> genes) const {
    Workshop& shop = workshop();
    shop.load(plan, genes);
    const levels::Ground ground = levels::make_ground(stream, style, plan.width, plan.height);
    for (std::size_t i = 0; i < ground.area(); ++i)
        shop.level().cells[i] = ground.open[i] != 0 ? Tile::floor : Tile::rock;
    if (plan.constraints.start.empty())
        shop.furnish(stream);
    else
        shop.begin_as_start();
    if (!plan.constraints.stays_open.empty()) shop.lay_down_drawn(stream);
    shop.repair(stream);
    shop.store(genes);
}

void Tiles::repair(Stream& stream, Integers<std::uint8_t> genes) const {
    Workshop& shop = workshop();
    shop.load(plan, genes);
    shop.repair(stream);
    shop.store(genes);
}

bool Tiles::propose(Stream& stream, Integers<std::uint8_t> genes, std::uint32_t move) const {
    Workshop& shop = workshop();
    shop.load(plan, genes);
    switch (static_cast<Move>(move)) {
    case Move::things:
        shop.move_thing(stream);
        break;
    case Move::swaps:
        shop.swap_things(stream);
        break;
    case Move::doors:
        shop.put_door_into_corridor(stream);
        break;
    case Move::counts:
        shop.change_count(stream);
        break;
    case Move::ways:
        shop.change_ground([&] { shop.lead_way_anew(stream); });
        break;
    case Move::flips:
        shop.change_ground([&] { shop.flip_ground(stream); });
        break;
    }
    return shop.store(genes);
}

bool Tiles::propose(Stream& stream, Integers<std::uint8_t> genes) const {
    // Ground that was laid out for a large level is worn by many small changes.
    const auto area = static_cast<double>(plan.area());
    const double share = plan.area() > large_area ? carve * std::min(0.25, 400.0 / area) : carve;
    if (stream.chance(share))
        return propose(stream, genes,
                       static_cast<std::uint32_t>(stream.below(2) != 0 ? Move::ways : Move::flips));
    constexpr std::array<Move, 10> mix{Move::things, Move::things, Move::things, Move::things, Move::things,
                                       Move::swaps,  Move::swaps,  Move::doors,  Move::doors,  Move::counts};
    return propose(stream, genes, static_cast<std::uint32_t>(mix[stream.below(mix.size())]));
}

void Tiles::decode(IntegerView<std::uint8_t> genes, Level& level) const {
    level.width = plan.width;
    level.height = plan.height;
    level.cells.resize(genes.size());
    for (std::size_t i = 0; i < genes.size(); ++i) level.cells[i] = static_cast<Tile>(genes[i]);
}

} // namespace knossos::dungeon
