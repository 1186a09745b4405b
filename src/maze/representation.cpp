#include "maze/flood.hpp"

#include <knossos/core/error.hpp>
#include <knossos/core/text.hpp>
#include <knossos/maze/representation.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace knossos::maze {

namespace {

constexpr std::uint32_t largest_integer = 10'000; // integers of the indirect representations lie below

std::vector<Cell> images(const Layout& layout, Cell cell) {
    return levels::images(layout.symmetry, layout.width, layout.height, cell);
}

Cell start_cell(const Blueprint& blueprint, std::uint32_t integer) {
    return {integer % blueprint.width(), integer / blueprint.width() % blueprint.height()};
}

std::size_t pairs_or_default(std::uint32_t pairs, const Blueprint& blueprint) {
    return pairs != 0 ? pairs : std::max<std::size_t>(1, blueprint.area() / 10);
}

void open_block(Grid& grid, Cell corner, std::uint32_t width, std::uint32_t height) {
    const std::uint32_t right = std::min(corner.x + width, grid.width());
    const std::uint32_t bottom = std::min(corner.y + height, grid.height());
    for (std::uint32_t y = corner.y; y < bottom; ++y)
        for (std::uint32_t x = corner.x; x < right; ++x) grid.set_rock({x, y}, false);
}

// Opens the 4×4 room with the cell in its middle, moved as little as it takes to lie inside the grid, in the
// cells that decide about it under the symmetry.
void open_room_around(Grid& grid, const Blueprint& blueprint, Cell cell) {
    const auto first = [](std::uint32_t at, std::uint32_t side) {
        const std::uint32_t last_start = side > 4 ? side - 4 : 0;
        return std::min(at > 2 ? at - 2 : 0, last_start);
    };
    const Cell corner{first(cell.x, grid.width()), first(cell.y, grid.height())};
    for (std::uint32_t y = corner.y; y < std::min(corner.y + 4, grid.height()); ++y)
        for (std::uint32_t x = corner.x; x < std::min(corner.x + 4, grid.width()); ++x)
            grid.set_rock(grid.cell(blueprint.ruler(grid.index({x, y}))), false);
}

void check_share(std::string_view what, double value) {
    if (!(value >= 0.0 && value <= 1.0))
        throw InvalidInput{fmt::format("{} is {}; it lies in 0..1", what, value)};
}

} // namespace

std::vector<Lock> parse_locks(std::string_view text, std::uint32_t width, std::uint32_t height,
                              std::string_view source) {
    const levels::Drawing drawing = levels::parse_sized(text, source, width, height);
    std::vector<Lock> locks;
    for (std::size_t i = 0; i < drawing.cells.size(); ++i)
        if (!drawing.is_free(i)) locks.push_back({drawing.cell(i), drawing.cells[i] == levels::rock_letter});
    return locks;
}

Layout Layout::of_size(std::uint32_t width, std::uint32_t height) {
    return {.width = width, .height = height, .entrance = {}, .exit = {width - 1, height - 1}};
}

Blueprint::Blueprint(Layout layout) : layout_{std::move(layout)} {
    if (layout_.width < 2 || layout_.height < 2 || layout_.width > largest_side ||
        layout_.height > largest_side)
        throw InvalidInput{fmt::format("the maze is {}×{}; both sides lie in 2..{}", layout_.width,
                                       layout_.height, largest_side)};
    check_places(layout_.width, layout_.height, layout_.entrance, layout_.exit, layout_.checkpoints);
    if (layout_.symmetry == Symmetry::quarter_rotation && layout_.width != layout_.height)
        throw InvalidInput{fmt::format("symmetry quarter-rotation needs a square maze, not {}×{}",
                                       layout_.width, layout_.height)};
    rule_images();
    lock_cells();
}

void Blueprint::rule_images() {
    rulers_ = levels::rulers(layout_.symmetry, width(), height());
    for (std::uint32_t index = 0; index < rulers_.size(); ++index)
        if (rulers_[index] != index) copies_.push_back({index, rulers_[index]});
}

void Blueprint::lock_cells() {
    locked_rock_.reset(width(), height());
    locked_open_.reset(width(), height());
    // For messages: what locked a cell, by the cell that was named.
    std::vector<std::pair<Cell, Cell>> sources;
    const auto lock = [&](Cell cell, bool rock, std::string_view what) {
        if (!locked_rock_.contains(cell))
            throw InvalidInput{
                fmt::format("the lock of cell {} lies off the grid, whose columns are 0..{} and rows 0..{}",
                            to_text(cell), width() - 1, height() - 1)};
        for (const Cell image : images(layout_, cell)) {
            if ((rock ? locked_open_ : locked_rock_).is_rock(image)) {
                const auto other = std::ranges::find(sources, image, &std::pair<Cell, Cell>::first);
                throw InvalidInput{fmt::format(
                    "{} {} must be {}, but {} must be {}{}", what, to_text(cell), rock ? "rock" : "open",
                    to_text(other->second), rock ? "open" : "rock",
                    layout_.symmetry == Symmetry::none
                        ? std::string{}
                        : fmt::format(", and symmetry {} makes them alike", to_string(layout_.symmetry)))};
            }
            (rock ? locked_rock_ : locked_open_).set_rock(image, true);
            sources.emplace_back(image, cell);
        }
    };
    lock(layout_.entrance, false, "the entrance");
    lock(layout_.exit, false, "the exit");
    for (const Lock& one : layout_.locks) lock(one.cell, one.rock, "cell");
    for (std::size_t i = 0; i < layout_.checkpoints.size(); ++i)
        if (locked_rock_.is_rock(layout_.checkpoints[i]))
            throw InvalidInput{fmt::format("checkpoint {} {} lies on a cell that is locked as rock", i + 1,
                                           to_text(layout_.checkpoints[i]))};
    rock_bits_.assign((area() + 63) / 64, 0);
    open_bits_.assign((area() + 63) / 64, 0);
    const Bits rock{rock_bits_.data(), area()};
    const Bits open{open_bits_.data(), area()};
    for (std::size_t index = 0; index < area(); ++index) {
        rock.set(index, locked_rock_.is_rock(locked_rock_.cell(index)));
        open.set(index, locked_open_.is_rock(locked_open_.cell(index)));
    }
}

void Blueprint::apply(Grid& grid) const {
    for (const Copy copy : copies_) grid.set_rock(grid.cell(copy.to), grid.is_rock(grid.cell(copy.from)));
    for (std::size_t y = 0; y < height(); ++y) {
        for (std::size_t i = 0; i < grid.words_per_row(); ++i) {
            std::uint64_t& rock = grid.rock_row(y)[i];
            rock = (rock | locked_rock_.rock_row(y)[i]) & ~locked_open_.rock_row(y)[i];
        }
    }
}

void Blueprint::apply(Bits bits) const {
    for (const Copy copy : copies_) bits.set(copy.to, bits[copy.from]);
    for (std::size_t i = 0; i < rock_bits_.size(); ++i)
        bits.words()[i] = (bits.words()[i] | rock_bits_[i]) & ~open_bits_[i];
}

Level Blueprint::level(Grid grid) const {
    return {.grid = std::move(grid),
            .entrance = layout_.entrance,
            .exit = layout_.exit,
            .checkpoints = layout_.checkpoints};
}

void rock_from_bits(BitView bits, std::uint32_t width, std::uint32_t height, Grid& grid) {
    grid.reset(width, height);
    std::size_t first = 0;
    for (std::size_t y = 0; y < height; ++y, first += width)
        for (std::uint32_t x = 0; x < width; x += 64)
            grid.rock_row(y)[x / 64] = bits_at(bits.words().data(), first + x, std::min(width - x, 64U));
}

void Direct::initialise(Stream& stream, Bits genome) const {
    check_share("fill", fill);
    std::ranges::fill(genome.words(), std::uint64_t{0});
    const bool has_start = start.area() == genome.size();
    const bool has_free = free.area() == genome.size();
    if (!has_start || has_free) {
        if (style) {
            const Layout& its = blueprint.layout();
            levels::Ground ground = levels::make_ground(stream, *style, its.width, its.height);
            for (const Cell place : {its.entrance, its.exit})
                levels::join_to_ground(ground, place.x, place.y);
            for (std::size_t i = 0; i < genome.size(); ++i) genome.set(i, ground.open[i] == 0);
        } else if (fill > 0.0) {
            for_each_hit(stream, Skips{fill}, genome.size(), [&](std::size_t i) { genome.set(i, true); });
        }
    }
    for (std::size_t i = 0; has_start && i < genome.size(); ++i)
        if (!has_free || !free.is_rock(free.cell(i))) genome.set(i, start.is_rock(start.cell(i)));
    repair(genome);
}

KeptCells KeptCells::of(const Blueprint& blueprint, const Grid& drawing, double share, const Grid& free) {
    check_share("keep", share);
    KeptCells kept;
    kept.rock.resize((blueprint.area() + 63) / 64);
    kept.known.resize(kept.rock.size());
    const Bits bits{kept.rock.data(), blueprint.area()};
    const Bits known{kept.known.data(), blueprint.area()};
    std::size_t drawn = 0;
    for (std::size_t i = 0; i < blueprint.area(); ++i) {
        bits.set(i, drawing.is_rock(drawing.cell(i)));
        known.set(i, free.area() != blueprint.area() || !free.is_rock(free.cell(i)));
        drawn += known[i] ? 1U : 0U;
    }
    blueprint.apply(bits);
    // 0.8 of 10 cells are 8, whatever a double makes of that.
    kept.most_changes = static_cast<std::size_t>((1.0 - share) * static_cast<double>(drawn) + 1e-6);
    return kept;
}

std::size_t KeptCells::changes(BitView genome) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < rock.size(); ++i)
        count += static_cast<std::size_t>(std::popcount((rock[i] ^ genome.words()[i]) & known[i]));
    return count;
}

std::size_t KeptCells::changes(const Grid& grid) const {
    const BitView was{rock.data(), grid.area()};
    const BitView drawn{known.data(), grid.area()};
    std::size_t count = 0;
    for (std::size_t i = 0; i < grid.area(); ++i)
        count += drawn[i] && was[i] != grid.is_rock(grid.cell(i)) ? 1U : 0U;
    return count;
}

void Direct::put_back(Stream& stream, Bits genome) const {
    if (!kept) return;
    const BitView now{genome.words().data(), genome.size()};
    std::size_t left = kept->changes(now);
    if (left <= kept->most_changes) return;
    const BitView rock{kept->rock.data(), genome.size()};
    const BitView known{kept->known.data(), genome.size()};
    // Under a symmetry only the cells that others follow: the others would not stay as they are put.
    std::vector<std::uint32_t> differing;
    for (std::size_t i = 0; i < genome.size(); ++i)
        if (genome[i] != rock[i] && known[i] && blueprint.ruler(i) == i)
            differing.push_back(static_cast<std::uint32_t>(i));
    while (left > kept->most_changes && !differing.empty()) {
        std::swap(differing[stream.below(static_cast<std::uint32_t>(differing.size()))], differing.back());
        genome.set(differing.back(), rock[differing.back()]);
        differing.pop_back();
        if (!blueprint.constrained()) {
            --left;
            continue;
        }
        repair(genome);
        left = kept->changes(now);
    }
}

void Direct::decode(BitView genome, Grid& grid) const {
    rock_from_bits(genome, blueprint.width(), blueprint.height(), grid);
    blueprint.apply(grid);
}

void Chromatic::initialise(Stream& stream, Integers<std::uint8_t> genome) const {
    constexpr std::uint32_t yellow = 2; // and green is next
    for (std::size_t i = 0; i < genome.size(); ++i) genome.set(i, yellow + stream.below(2));
}

void Chromatic::decode(IntegerView<std::uint8_t> genome, Grid& grid) const {
    grid.reset(blueprint.width(), blueprint.height());
    grid.add_walls();
    const auto colour = [&](Cell cell) {
        return static_cast<int>(genome[blueprint.ruler(grid.index(cell))]);
    };
    const auto apart = [](int a, int b) { return a - b > 1 || b - a > 1; };
    for (std::uint32_t y = 0; y < grid.height(); ++y) {
        for (std::uint32_t x = 0; x < grid.width(); ++x) {
            const int here = colour({x, y});
            if (x + 1 < grid.width() && apart(here, colour({x + 1, y}))) grid.set_wall_east({x, y}, true);
            if (y + 1 < grid.height() && apart(here, colour({x, y + 1}))) grid.set_wall_south({x, y}, true);
        }
    }
    blueprint.apply(grid);
}

Space Positive::space() const {
    return Space::integers(2 * pairs_or_default(barriers, blueprint), largest_integer);
}

void Positive::initialise(Stream& stream, Integers<std::uint16_t> genome) const {
    for (std::size_t i = 0; i + 1 < genome.size(); i += 2) {
        const std::uint32_t style = stream.below(16);
        const std::uint32_t length = 1 + stream.below(3);
        genome.set(i, length * 16 + style);
        genome.set(i + 1, stream.below(largest_integer));
    }
}

void Positive::decode(IntegerView<std::uint16_t> genome, Grid& grid) const {
    check_share("cap", cap);
    constexpr int across[] = {0, 1, 1, 1, 0, -1, -1, -1};
    constexpr int down[] = {-1, -1, 0, 1, 1, 1, 0, -1};
    grid.reset(blueprint.width(), blueprint.height());
    auto left = static_cast<std::size_t>(cap * static_cast<double>(blueprint.area()));
    for (std::size_t i = 0; i + 1 < genome.size() && left > 0; i += 2) {
        const bool penetrating = (genome[i] & 1U) != 0;
        const unsigned direction = genome[i] >> 1U & 7U;
        Cell cell = start_cell(blueprint, genome[i + 1]);
        for (std::uint32_t length = genome[i] >> 4U; length > 0 && left > 0; --length) {
            if (!grid.contains(cell) || (!penetrating && grid.is_rock(cell))) break;
            if (!grid.is_rock(cell)) --left;
            grid.set_rock(cell, true);
            // Off the left or upper edge the coordinate wraps to a huge one, which is off the grid too.
            cell.x += static_cast<std::uint32_t>(across[direction]);
            cell.y += static_cast<std::uint32_t>(down[direction]);
        }
    }
    blueprint.apply(grid);
}

Space Negative::space() const {
    return Space::integers(2 * pairs_or_default(diggings, blueprint), largest_integer);
}

void Negative::initialise(Stream& stream, Integers<std::uint16_t> genome) const {
    for (std::size_t i = 0; i < genome.size(); ++i) genome.set(i, stream.below(largest_integer));
}

void Negative::decode(IntegerView<std::uint16_t> genome, Grid& grid) const {
    grid.reset(blueprint.width(), blueprint.height(), true);
    open_room_around(grid, blueprint, blueprint.layout().entrance);
    open_room_around(grid, blueprint, blueprint.layout().exit);
    for (std::size_t i = 0; i + 1 < genome.size(); i += 2) {
        const std::uint32_t rest = genome[i] >> 2U;
        const Cell corner = start_cell(blueprint, genome[i + 1]);
        switch (genome[i] & 3U) {
        case 1:
            open_block(grid, corner, 1, rest % blueprint.height());
            break;
        case 2:
            open_block(grid, corner, rest % blueprint.width(), 1);
            break;
        case 3:
            open_block(grid, corner, rest % 4 + 2, rest / 4 % 4 + 2);
            break;
        default:
            break;
        }
    }
    blueprint.apply(grid);
}

void Automaton::initialise(Stream& stream, Bits genome) const {
    check_share("fill", fill);
    std::ranges::fill(genome.words(), std::uint64_t{0});
    for (std::size_t i = 0; i < blueprint.area(); ++i) genome.set(i, stream.chance(fill));
    for (std::size_t i = blueprint.area(); i < genome.size(); ++i) genome.set(i, stream.below(2) != 0);
}

void Automaton::decode(BitView genome, Grid& grid) const {
    rock_from_bits(genome, blueprint.width(), blueprint.height(), grid);
    const auto rules = bits_at(genome.words().data(), blueprint.area(), automaton_rule_bits);
    run_automaton({static_cast<std::uint32_t>(rules)}, steps, grid);
    blueprint.apply(grid);
}

std::vector<Grid> Automaton::stages(BitView genome, std::size_t most) const {
    Grid grid;
    rock_from_bits(genome, blueprint.width(), blueprint.height(), grid);
    const auto rules = bits_at(genome.words().data(), blueprint.area(), automaton_rule_bits);
    std::vector<Grid> all{grid};
    for (std::uint32_t step = 0; step < steps && all.size() < most; ++step) {
        run_automaton({static_cast<std::uint32_t>(rules)}, 1, grid);
        if (grid == all.back()) break;
        all.push_back(grid);
    }
    return all;
}

} // namespace knossos::maze
