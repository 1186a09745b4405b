#include "dungeon/digging.hpp"

#include <knossos/dungeon/representation.hpp>

#include <algorithm>
#include <array>

namespace knossos::dungeon {

namespace {

constexpr std::uint32_t alphabet = 256;

// A gene as one of so many numbers.
std::uint32_t scaled(std::uint32_t gene, std::uint32_t among) { return gene * among / alphabet; }

// Large levels are laid out, unless somebody says how many rooms they are to have: one room a field, joined
// to its neighbours.
bool is_laid_out(const Rooms& rooms) {
    return rooms.rooms == 0 && levels::is_large(rooms.plan.width, rooms.plan.height);
}
levels::FieldGrid grid_of(const Plan& plan) { return {plan.width, plan.height, 9, 7}; }

// Where the genes of each part begin.
struct Parts {
    std::size_t ways = 0;   ///< two for each room but the first
    std::size_t extra = 0;  ///< three for each corridor more
    std::size_t counts = 0; ///< one for each kind
    std::size_t things = 0; ///< two for each thing
    std::size_t end = 0;
};

Parts parts_of(const Rooms& rooms, const std::vector<Tile>& kinds) {
    Parts parts;
    parts.ways = std::size_t{4} * rooms.room_count();
    parts.extra = parts.ways + std::size_t{2} * (rooms.room_count() - 1);
    parts.counts = parts.extra + std::size_t{3} * rooms.extra_ways();
    parts.things = parts.counts + kinds.size();
    parts.end = parts.things + std::size_t{2} * rooms.plan.placement.total().most;
    return parts;
}

Rectangle room_at(const Plan& plan, IntegerView<std::uint8_t> genes, std::size_t room) {
    const auto side = [](std::uint32_t whole) { return std::clamp<std::uint32_t>(whole / 3, 2, 7); };
    const std::size_t first = 4 * room;
    Rectangle its;
    its.width = std::min(plan.width, 2 + scaled(genes[first + 2], side(plan.width) - 1));
    its.height = std::min(plan.height, 2 + scaled(genes[first + 3], side(plan.height) - 1));
    its.x = scaled(genes[first], plan.width - its.width + 1);
    its.y = scaled(genes[first + 1], plan.height - its.height + 1);
    return its;
}

// The room of a field, with rock all around it.
Rectangle room_in_field(const Plan& plan, IntegerView<std::uint8_t> genes, std::uint32_t room) {
    const Rectangle field = grid_of(plan).field(room);
    const std::size_t first = std::size_t{4} * room;
    Rectangle its;
    its.width = 3 + scaled(genes[first + 2], field.width - 4);
    its.height = 3 + scaled(genes[first + 3], field.height - 4);
    its.x = field.x + 1 + scaled(genes[first], field.width - 1 - its.width);
    its.y = field.y + 1 + scaled(genes[first + 1], field.height - 1 - its.height);
    return its;
}

void dig_laid_out(const Rooms& rooms, const Parts& parts, IntegerView<std::uint8_t> genes, Level& level) {
    const levels::FieldGrid fields = grid_of(rooms.plan);
    const std::uint32_t count = fields.count();
    const auto join = [&](std::uint32_t a, std::uint32_t b, std::uint32_t bend) {
        const Rectangle from = room_in_field(rooms.plan, genes, a);
        const Rectangle to = room_in_field(rooms.plan, genes, b);
        dig_corridor(level, from.middle_x(), from.middle_y(), to.middle_x(), to.middle_y(), bend % 2 != 0);
    };
    for (std::uint32_t i = 0; i < count; ++i) dig_rectangle(level, room_in_field(rooms.plan, genes, i));
    // To the west or to the north, whichever the gene says, or as is possible.
    const auto joined_to = [&](std::uint32_t i, std::uint32_t gene) {
        const bool north = i % fields.columns == 0 || (i >= fields.columns && gene % 2 != 0);
        return north ? i - fields.columns : i - 1;
    };
    for (std::uint32_t i = 1; i < count; ++i) {
        const std::size_t way = parts.ways + 2 * (std::size_t{i} - 1);
        join(i, joined_to(i, genes[way]), genes[way + 1]);
    }
    for (std::uint32_t i = 0; i < rooms.extra_ways(); ++i) {
        const std::size_t way = parts.extra + 3 * std::size_t{i};
        const std::uint32_t from = 1 + scaled(genes[way], count - 1);
        join(from, joined_to(from, genes[way + 1]), genes[way + 2]);
    }
}

void dig(const Rooms& rooms, const Parts& parts, IntegerView<std::uint8_t> genes, Level& level) {
    if (is_laid_out(rooms)) return dig_laid_out(rooms, parts, genes, level);
    const Plan& plan = rooms.plan;
    const std::uint32_t count = rooms.room_count();
    const auto join = [&](std::uint32_t a, std::uint32_t b, std::uint32_t bend) {
        const Rectangle from = room_at(plan, genes, a);
        const Rectangle to = room_at(plan, genes, b);
        dig_corridor(level, from.middle_x(), from.middle_y(), to.middle_x(), to.middle_y(), bend % 2 != 0);
    };
    for (std::uint32_t i = 0; i < count; ++i) dig_rectangle(level, room_at(plan, genes, i));
    for (std::uint32_t i = 1; i < count; ++i) {
        const std::size_t way = parts.ways + 2 * (std::size_t{i} - 1);
        join(i, scaled(genes[way], i), genes[way + 1]);
    }
    for (std::uint32_t i = 0; i < rooms.extra_ways(); ++i) {
        const std::size_t way = parts.extra + 3 * std::size_t{i};
        join(scaled(genes[way], count), scaled(genes[way + 1], count), genes[way + 2]);
    }
}

// What decoding works with. Only memory is kept between genomes.
struct Lists {
    std::vector<std::uint32_t> floor;
    std::vector<std::uint32_t> frames;
};

Lists& lists() {
    thread_local Lists its;
    return its;
}

// The first cell of a list that is still floor, from a place on and around; none if there is none.
std::size_t first_free(const Level& level, const std::vector<std::uint32_t>& cells, std::uint32_t gene) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::size_t cell =
            cells[(std::size_t{gene} * cells.size() / (std::size_t{alphabet} * alphabet) + i) % cells.size()];
        if (level.cells[cell] == Tile::floor) return cell;
    }
    return level.area();
}

// Where all floor is taken, rock beside what is open becomes floor.
std::size_t dug_cell(const Level& level) {
    for (std::size_t i = 0; i < level.area(); ++i) {
        if (level.cells[i] != Tile::rock) continue;
        bool open = false;
        for_each_beside(level, i,
                        [&](std::size_t other) { open = open || level.cells[other] != Tile::rock; });
        if (open) return i;
    }
    return 0;
}

// A one-way leads through its frame; the gene says which way.
Tile pointed(const Level& level, std::size_t cell, std::uint32_t gene) {
    const bool upright = (cell >= level.width && level.cells[cell - level.width] != Tile::rock) ||
                         (cell + level.width < level.area() && level.cells[cell + level.width] != Tile::rock);
    const bool back = gene % 2 != 0;
    return upright ? (back ? Tile::one_way_north : Tile::one_way_south)
                   : (back ? Tile::one_way_west : Tile::one_way_east);
}

void place(Level& level, Tile tile, std::uint32_t gene) {
    const bool wants_frame = is_door(tile) || is_one_way(tile);
    std::size_t cell = wants_frame ? first_free(level, lists().frames, gene) : level.area();
    if (cell == level.area()) cell = first_free(level, lists().floor, gene);
    if (cell == level.area()) cell = dug_cell(level);
    level.cells[cell] = is_one_way(tile) ? pointed(level, cell, gene) : tile;
}

} // namespace

std::uint32_t Rooms::room_count() const {
    if (rooms != 0) return rooms;
    if (is_laid_out(*this)) return grid_of(plan).count();
    return static_cast<std::uint32_t>(std::clamp<std::size_t>(plan.area() / 32, 2, 48));
}

std::uint32_t Rooms::extra_ways() const { return room_count() / (is_laid_out(*this) ? 12 : 4); }

Space Rooms::space() const {
    return Space::integers(parts_of(*this, placed_kinds(plan.placement)).end, alphabet);
}

void Rooms::initialise(Stream& stream, Integers<std::uint8_t> genes) const {
    for (std::uint8_t& gene : genes) gene = static_cast<std::uint8_t>(stream.below(alphabet));
}

void Rooms::decode(IntegerView<std::uint8_t> genes, Level& level) const {
    const auto kinds = placed_kinds(plan.placement);
    const Parts parts = parts_of(*this, kinds);
    level.width = plan.width;
    level.height = plan.height;
    level.cells.assign(plan.area(), Tile::rock);
    dig(*this, parts, genes, level);
    Lists& its = lists();
    its.floor.clear();
    its.frames.clear();
    for (std::uint32_t i = 0; i < level.area(); ++i) {
        if (level.cells[i] == Tile::rock) continue;
        its.floor.push_back(i);
        if (is_framed(level, i)) its.frames.push_back(i);
    }
    std::size_t first = parts.things;
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        const Count& count = plan.placement.of(kinds[kind]);
        const std::uint32_t present =
            count.fewest + scaled(genes[parts.counts + kind], count.most - count.fewest + 1);
        for (std::uint32_t i = 0; i < present; ++i)
            place(level, kinds[kind],
                  std::uint32_t{genes[first + 2 * std::size_t{i}]} * alphabet +
                      genes[first + 2 * std::size_t{i} + 1]);
        first += 2 * std::size_t{count.most};
    }
}

bool Rooms::propose(Stream& stream, Integers<std::uint8_t> genes, std::uint32_t move) const {
    const auto kinds = placed_kinds(plan.placement);
    const Parts parts = parts_of(*this, kinds);
    const auto below = [&](std::size_t bound) { return stream.below(static_cast<std::uint32_t>(bound)); };
    bool changed = false;
    const auto set = [&](std::size_t gene, std::uint32_t value) {
        changed = changed || genes[gene] != value;
        genes[gene] = static_cast<std::uint8_t>(value);
    };
    // Which gene is drawn before its value: arguments of one call have no order.
    const auto redraw = [&](std::size_t gene) { set(gene, below(alphabet)); };
    const std::size_t things = (parts.end - parts.things) / 2;
    const auto redraw_thing = [&](std::size_t thing) {
        redraw(parts.things + 2 * thing);
        redraw(parts.things + 2 * thing + 1);
    };
    switch (static_cast<Move>(move)) {
    case Move::things:
        if (parts.things > parts.counts && below(8) == 0)
            redraw(parts.counts + below(parts.things - parts.counts));
        else
            redraw_thing(below(things));
        break;
    case Move::swaps: {
        const std::size_t a = parts.things + 2 * std::size_t{below(things)};
        const std::size_t b = parts.things + 2 * std::size_t{below(things)};
        for (std::size_t i = 0; i < 2; ++i) {
            const std::uint8_t before = genes[a + i];
            set(a + i, genes[b + i]);
            set(b + i, before);
        }
        break;
    }
    case Move::doors: { // doors come first
        std::size_t doors = 0;
        for (const Tile tile : kinds)
            if (is_door(tile)) doors += plan.placement.of(tile).most;
        redraw_thing(below(doors == 0 ? things : doors));
        break;
    }
    case Move::rooms:
        redraw(below(parts.ways));
        break;
    case Move::ways:
        if (parts.counts > parts.ways) redraw(parts.ways + below(parts.counts - parts.ways));
        break;
    }
    return changed;
}

bool Rooms::propose(Stream& stream, Integers<std::uint8_t> genes) const {
    constexpr std::array<Move, 10> mix{Move::things, Move::things, Move::things, Move::things, Move::swaps,
                                       Move::swaps,  Move::doors,  Move::doors,  Move::rooms,  Move::ways};
    return propose(stream, genes, static_cast<std::uint32_t>(mix[stream.below(mix.size())]));
}

} // namespace knossos::dungeon
