#include "dungeon/digging.hpp"

#include <knossos/dungeon/representation.hpp>

#include <algorithm>
#include <array>

namespace knossos::dungeon {

namespace {

// One-ways are one kind of thing, wherever they lead.
Tile kind_of(Tile tile) { return is_one_way(tile) ? Tile::one_way_north : tile; }
bool is_thing(Tile tile) { return tile != Tile::rock && tile != Tile::floor; }
bool wants_frame(Tile tile) { return is_door(tile) || is_one_way(tile); }

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

    void furnish(Stream& stream);
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
    void seal_pockets(Stream& stream);
    void count_things();

    const Plan* plan_ = nullptr;
    Level level_{};
    std::array<std::uint32_t, tile_kinds> counts_{};
    std::vector<std::uint32_t> list_;
    std::vector<std::uint32_t> queue_;
    std::vector<std::uint8_t> marks_;
    std::vector<Tile> before_;
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
        return open && level_.cells[i] == Tile::rock;
    });
    return edge.empty() ? 0 : pick(stream, edge);
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

// What does not hang together with the entrance becomes rock; things from there are missing then.
void Workshop::seal_pockets(Stream& stream) {
    auto entrance = std::ranges::find(level_.cells, Tile::entrance);
    if (entrance == level_.cells.end()) {
        put(stream, Tile::entrance);
        entrance = std::ranges::find(level_.cells, Tile::entrance);
    }
    marks_.assign(level_.area(), 0);
    mark_connected(level_, static_cast<std::size_t>(entrance - level_.cells.begin()), marks_, queue_);
    for (std::size_t i = 0; i < level_.area(); ++i)
        if (marks_[i] == 0) level_.cells[i] = Tile::rock;
}

void Workshop::repair(Stream& stream) {
    count_things();
    // Too many of something: some of them, at random, become floor.
    for (std::size_t kind = 2; kind < tile_kinds; ++kind) {
        const auto tile = static_cast<Tile>(kind);
        if (kind_of(tile) != tile) continue;
        for (const std::uint32_t most = plan_->placement.counts[kind].most; counts_[kind] > most;
             --counts_[kind])
            level_.cells[pick(stream,
                              cells_where([&](std::size_t i) { return kind_of(level_.cells[i]) == tile; }))] =
                Tile::floor;
    }
    seal_pockets(stream);
    count_things();
    for (const Tile tile : placed_kinds(plan_->placement))
        for (std::uint32_t& count = counts_[static_cast<std::size_t>(tile)];
             count < plan_->placement.of(tile).fewest; ++count)
            put(stream, tile);
}

void Workshop::move_thing(Stream& stream) {
    const auto& things = cells_where([&](std::size_t i) { return is_thing(level_.cells[i]); });
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
    const auto& things = cells_where([&](std::size_t i) { return is_thing(level_.cells[i]); });
    const std::uint32_t a = pick(stream, things);
    const std::uint32_t b = pick(stream, things);
    std::swap(level_.cells[a], level_.cells[b]);
    point(stream, a);
    point(stream, b);
}

// A door goes to where a corridor parts the ground: of a few frames to the one that cuts off most.
void Workshop::put_door_into_corridor(Stream& stream) {
    const auto& doors = cells_where([&](std::size_t i) { return is_door(level_.cells[i]); });
    if (doors.empty()) return move_thing(stream);
    const std::uint32_t from = pick(stream, doors);
    const Tile door = level_.cells[from];
    level_.cells[from] = Tile::floor;
    const auto entrance =
        static_cast<std::size_t>(std::ranges::find(level_.cells, Tile::entrance) - level_.cells.begin());
    std::uint32_t best = from;
    std::size_t least = level_.area();
    for (int tried = 0; tried < 3; ++tried) {
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
    level_.cells[pick(stream, cells_where([&](std::size_t i) { return kind_of(level_.cells[i]) == tile; }))] =
        Tile::floor;
}

// Repair makes rock of what is cut off: a change that cuts off whole rooms is not made, or little ground
// would be left in the end.
template <class Change>
void Workshop::change_ground(Change change) {
    constexpr std::ptrdiff_t most_lost = 2;
    before_ = level_.cells;
    change();
    const auto entrance = std::ranges::find(level_.cells, Tile::entrance);
    marks_.assign(level_.area(), 0);
    const std::size_t left =
        mark_connected(level_, static_cast<std::size_t>(entrance - level_.cells.begin()), marks_, queue_);
    const auto open = std::ranges::count_if(level_.cells, [](Tile tile) { return tile != Tile::rock; });
    if (open - static_cast<std::ptrdiff_t>(left) > most_lost) level_.cells.swap(before_);
}

// Fills a corridor, or digs one between two cells that are open; sometimes both.
void Workshop::lead_way_anew(Stream& stream) {
    const std::uint32_t what = stream.below(3);
    if (what != 0) {
        const auto& open = cells_where([&](std::size_t i) { return level_.cells[i] != Tile::rock; });
        const std::uint32_t from = pick(stream, open);
        const std::uint32_t to = pick(stream, open);
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
    make_ground(stream, style, shop.level());
    shop.furnish(stream);
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
    if (stream.chance(carve))
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
