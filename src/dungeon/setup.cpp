#include <knossos/core/error.hpp>
#include <knossos/core/text.hpp>
#include <knossos/dungeon/setup.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace knossos::dungeon {

namespace {

using Any = std::variant<DungeonProblem<Tiles>, DungeonProblem<Rooms>>;

[[noreturn]] void refuse_field(std::string_view field, const std::string& fault) {
    throw InvalidSetting{"problem", "", field, fault};
}

// What is wrong with the text of one field, told of that field.
template <class Read>
auto read_field(std::string_view field, Read read) {
    try {
        return read();
    } catch (const InvalidSetting&) {
        throw;
    } catch (const InvalidInput& error) {
        refuse_field(field, fmt::format("can't be read: {}", error.what()));
    }
}

// In how many ways keys can have been taken and doors opened: of small doors no more than there were keys.
double most_conditions(const Placement& placement) {
    const std::uint32_t keys = placement.of(Tile::small_key).most;
    const std::uint32_t doors = placement.of(Tile::small_door).most;
    double all = 0.0;
    double some_keys = 1.0; // ways to have taken so many
    for (std::uint32_t taken = 0; taken <= keys && all < 1e9; ++taken) {
        double some_doors = 1.0;
        for (std::uint32_t opened = 0; opened <= std::min(taken, doors); ++opened) {
            all += some_keys * some_doors;
            some_doors *= static_cast<double>(doors - opened) / (opened + 1.0);
        }
        some_keys *= static_cast<double>(keys - taken) / (taken + 1.0);
    }
    for (std::uint32_t colour = 0; colour < colours; ++colour)
        if (placement.of(static_cast<Tile>(static_cast<std::uint32_t>(Tile::red_key) + colour)).most > 0)
            all *= 2.0;
    return all;
}

// What can't be read of it is quoted already.
Placement placement_of(const Fields& fields) {
    try {
        return parse_placement(fields.place);
    } catch (const InvalidInput& error) {
        refuse_field("place", fmt::format("has {}", error.what()));
    }
}

Plan plan_of(const Fields& fields) {
    const Placement placement = placement_of(fields);
    const Plan plan{.width = fields.width, .height = fields.height, .placement = placement};
    const std::uint32_t things = placement.total().most;
    if (things > plan.area())
        refuse_field("place",
                     fmt::format("asks for {} with entrance and exit; a dungeon of {} × {} has {} cells",
                                 counted(things, "thing", "things"), fields.width, fields.height,
                                 plan.area()));
    const std::uint32_t keys = placement.of(Tile::small_key).most;
    // In somebody's own level doors may stand that are not meant to be opened.
    if (const std::uint32_t doors = placement.of(Tile::small_door).fewest;
        doors > keys && fields.start.empty() && fields.locks.empty())
        refuse_field("place", fmt::format("asks for {} and {}; every locked door takes a small key of its "
                                          "own, as in 'keys {}, doors {}'",
                                          counted(doors, "door", "doors"), counted(keys, "key", "keys"),
                                          doors, doors));
    const double states = most_conditions(placement) * static_cast<double>(plan.area());
    if (states > static_cast<double>(most_states))
        refuse_field("place",
                     fmt::format("asks for so many keys and doors that a dungeon of {} × {} may have {:.3g} "
                                 "states (cells, times the ways in which keys can have been taken and doors "
                                 "opened); at most {} are judged",
                                 fields.width, fields.height, states, thousands(most_states)));
    return plan;
}

// The cells of a drawing, with what lines above it say in the cells that they name.
std::string cells_of(const std::string& text, std::string_view field, const Fields& fields) {
    return read_field(field, [&] {
        levels::Drawing drawing = levels::parse_sized(text, field, fields.width, fields.height);
        const auto mark = [&](levels::Cell cell, Tile what) {
            char& there = drawing.cells[drawing.index(cell)];
            if (there != letter(what) && there != levels::floor_letter && there != levels::free_letter)
                refuse_field(field, fmt::format("puts the {} at {}, where there is '{}'; in a dungeon every "
                                                "cell holds one thing",
                                                name_of(what), to_text(cell), there));
            there = letter(what);
        };
        if (drawing.entrance) mark(*drawing.entrance, Tile::entrance);
        if (drawing.exit) mark(*drawing.exit, Tile::exit);
        for (const levels::Cell cell : drawing.checkpoints) mark(cell, Tile::checkpoint);
        return drawing.cells;
    });
}

// How many of each thing a drawing shows; one-ways are one kind.
std::array<std::uint32_t, tile_kinds> counts_in(const std::string& cells) {
    std::array<std::uint32_t, tile_kinds> counts{};
    for (const char one : cells) {
        if (one == levels::free_letter) continue;
        const auto tile = static_cast<Tile>(tile_letters.find(one));
        ++counts[static_cast<std::size_t>(is_one_way(tile) ? Tile::one_way_north : tile)];
    }
    return counts;
}

// No more things may be fixed than are to be there.
void require_room_for_locks(const Plan& plan) {
    const auto fixed = counts_in(plan.constraints.locks);
    for (std::size_t kind = 2; kind < tile_kinds; ++kind)
        if (const std::uint32_t most = plan.placement.counts[kind].most; fixed[kind] > most)
            refuse_field("locks", fmt::format("holds the {} {} times, and problem.place asks for {} at most",
                                              name_of(static_cast<Tile>(kind)), fixed[kind], most));
}

// What is not drawn lies on ground that is.
void require_ground_beside_locks(const Plan& plan) {
    const std::string& locks = plan.constraints.locks;
    const auto fixed = counts_in(locks);
    std::uint32_t needed = 0;
    for (std::size_t kind = 2; kind < tile_kinds; ++kind)
        needed +=
            plan.placement.counts[kind].fewest - std::min(fixed[kind], plan.placement.counts[kind].fewest);
    const auto left = std::ranges::count_if(
        locks, [](char one) { return one == levels::free_letter || one == levels::floor_letter; });
    if (needed > static_cast<std::uint64_t>(left))
        refuse_field("locks",
                     fmt::format("leaves {} for things, and problem.place asks for {} more than it holds, "
                                 "with entrance and exit",
                                 counted(static_cast<std::uint64_t>(left), "cell", "cells"), needed));
}

// Ground is locked for all images of a cell.
void lock_images(Constraints& constraints, const Fields& fields) {
    const std::string drawn = constraints.locks;
    for (std::uint32_t i = 0; i < drawn.size(); ++i) {
        if (drawn[i] == levels::free_letter) continue;
        const bool rock = drawn[i] == levels::rock_letter;
        const levels::Cell cell{i % fields.width, i / fields.width};
        for (const levels::Cell image : levels::images(fields.symmetry, fields.width, fields.height, cell)) {
            char& there = constraints.locks[std::size_t{image.y} * fields.width + image.x];
            if (there == levels::free_letter)
                there = rock ? levels::rock_letter : levels::floor_letter;
            else if (rock != (there == levels::rock_letter))
                refuse_field("locks",
                             fmt::format("can't hold: {} must be {}, but {} must be {}, and symmetry "
                                         "{} makes them alike",
                                         to_text(cell), rock ? "rock" : "ground", to_text(image),
                                         rock ? "ground" : "rock", to_string(fields.symmetry)));
        }
    }
}

// Ground that nobody can reach in what was drawn, and so stays.
std::vector<std::uint8_t> pockets_of(const Constraints& constraints) {
    std::vector<std::uint8_t> stays;
    for (const std::string* drawn : {&constraints.locks, &constraints.start}) {
        stays.resize(std::max(stays.size(), drawn->size()));
        for (std::size_t i = 0; i < drawn->size(); ++i)
            if ((*drawn)[i] != levels::free_letter && (*drawn)[i] != levels::rock_letter) stays[i] = 1;
    }
    return stays;
}

// Of the cells of the start, which are known, so many may change.
void keep_start(Plan& plan, const Fields& fields) {
    Constraints& constraints = plan.constraints;
    const auto known = constraints.start.size() -
                       static_cast<std::size_t>(std::ranges::count(constraints.start, levels::free_letter));
    constraints.keeps = true;
    // 0.8 of 10 cells are 8, whatever a double makes of that.
    constraints.most_changes =
        static_cast<std::size_t>((1.0 - fields.keep) * static_cast<double>(known) + 1e-6);
    std::size_t forced = 0;
    const auto counts = counts_in(constraints.start);
    for (std::size_t kind = 2; kind < tile_kinds; ++kind) {
        const Count& count = plan.placement.counts[kind];
        forced += counts[kind] > count.most     ? counts[kind] - count.most
                  : counts[kind] < count.fewest ? count.fewest - counts[kind]
                                                : 0;
    }
    if (forced > constraints.most_changes)
        refuse_field("keep", fmt::format("is {}, which lets {} of the start change; what problem.place asks "
                                         "for differs from it by {}",
                                         fields.keep, counted(constraints.most_changes, "cell", "cells"),
                                         counted(forced, "thing", "things")));
}

void lay_down(Plan& plan, const Fields& fields) {
    Constraints& constraints = plan.constraints;
    if (fields.symmetry == levels::Symmetry::quarter_rotation && fields.width != fields.height)
        refuse_field("symmetry", fmt::format("is quarter-rotation, which needs a square dungeon, not {} × {}",
                                             fields.width, fields.height));
    if (fields.start.empty() && fields.keep > 0.0)
        refuse_field("keep",
                     fmt::format("is {}, and there is no start whose cells could be kept", fields.keep));
    constraints.symmetry = fields.symmetry;
    constraints.rulers = levels::rulers(fields.symmetry, fields.width, fields.height);
    if (!fields.locks.empty()) {
        constraints.locks = cells_of(fields.locks, "locks", fields);
        require_room_for_locks(plan);
        lock_images(constraints, fields);
        require_ground_beside_locks(plan);
    }
    if (!fields.start.empty()) {
        constraints.start = cells_of(fields.start, "start", fields);
        // Constraints count more than the drawing: what they ask for is no change.
        Level drawn{.width = fields.width, .height = fields.height};
        for (const char one : constraints.start)
            drawn.cells.push_back(one == levels::free_letter ? Tile::floor
                                                             : static_cast<Tile>(tile_letters.find(one)));
        constrain(constraints, drawn);
        for (std::size_t i = 0; i < drawn.area(); ++i)
            if (constraints.start[i] != levels::free_letter) constraints.start[i] = letter(drawn.cells[i]);
        if (fields.keep > 0.0) keep_start(plan, fields);
    }
    constraints.stays_open = pockets_of(constraints);
}

void require_tiles(const Fields& fields) {
    const auto refuse_if = [](bool given, std::string_view field) {
        if (given)
            refuse_field(field, "is about single cells, which only the representation tiles can hold to");
    };
    refuse_if(!fields.locks.empty(), "locks");
    refuse_if(fields.symmetry != levels::Symmetry::none, "symmetry");
    refuse_if(!fields.start.empty(), "start");
    refuse_if(fields.keep > 0.0, "keep");
}

Goal goal_of(const Fields& fields) {
    Goal goal{.solvable = fields.solvable, .unlosable = fields.unlosable, .framed = fields.framed};
    goal.pareto = fields.several == Several::pareto;
    if (!fields.goal.empty()) goal.terms = read_field("goal", [&] { return parse_terms(fields.goal); });
    const auto described =
        read_field("descriptors", [&] { return parse_measures(wishables(), fields.descriptors); });
    for (const auto& [measure, name] : described)
        goal.descriptors.emplace_back(static_cast<Measure>(measure), name);
    return goal;
}

// Wishes about things that were not placed would never be met, however long one looks.
void require_possible(const Goal& goal, const Plan& plan) {
    const Placement& placement = plan.placement;
    Count small_keys = placement.of(Tile::small_key);
    Count doors = placement.of(Tile::small_door);
    for (std::uint32_t colour = 0; colour < colours; ++colour)
        doors.most +=
            placement.of(static_cast<Tile>(static_cast<std::uint32_t>(Tile::red_door) + colour)).most;
    const auto require = [&](const Term& term, Measure measure, std::uint32_t most, std::string_view what) {
        if (term.measure != measure || term.aim != Aim::range || term.low <= most) return;
        refuse_field("goal", fmt::format("has '{}', and problem.place asks for {} at most", to_text(term),
                                         counted(most, what, fmt::format("{}s", what))));
    };
    for (const Term& term : goal.terms) {
        if (term.measure == Measure::changes && goal.start.empty())
            refuse_field("goal",
                         fmt::format("has '{}', and there is no start that could be changed", to_text(term)));
        for (const Measure one : {Measure::doors_opened, Measure::key_depth})
            require(term, one, doors.most, "door");
        require(term, Measure::keys_used, small_keys.most + doors.most, "key");
        for (const Measure one : {Measure::treasures, Measure::treasure_reachable})
            require(term, one, placement.of(Tile::treasure).most, "treasure");
        for (const Measure one : {Measure::monsters})
            require(term, one, placement.of(Tile::monster).most, "monster");
        // Between two keys or doors nobody has to come to a cell twice.
        const double legs = 1.0 + small_keys.most + 2.0 * doors.most - placement.of(Tile::small_door).most;
        const auto area = static_cast<double>(plan.area());
        for (const auto& [measure, most] :
             {std::pair{Measure::solution, legs * (area - 1.0)}, std::pair{Measure::exit_path, area - 1.0}})
            if (term.measure == measure && term.aim == Aim::range && term.low > most)
                refuse_field("goal",
                             fmt::format("has '{}', and in a dungeon of {} × {} with so many keys and "
                                         "doors it is never more than {}",
                                         to_text(term), plan.width, plan.height, most));
        if (term.measure == Measure::tour && placement.of(Tile::checkpoint).most > most_on_tour)
            refuse_field("goal", fmt::format("has '{}', which is worked out for up to {} checkpoints",
                                             to_text(term), most_on_tour));
    }
}

Any make_dungeon(const Fields& fields) {
    Plan plan = plan_of(fields);
    if (fields.representation == RepresentationName::rooms) require_tiles(fields);
    lay_down(plan, fields);
    Goal goal = goal_of(fields);
    goal.start = plan.constraints.start;
    require_possible(goal, plan);
    if (fields.representation == RepresentationName::rooms)
        return DungeonProblem<Rooms>{Rooms{.plan = plan, .rooms = fields.rooms}, std::move(goal)};
    return DungeonProblem<Tiles>{Tiles{.plan = plan, .style = fields.style, .carve = fields.carve},
                                 std::move(goal)};
}

} // namespace

Setup::Setup(const Fields& fields) : problem_{make_dungeon(fields)} {}

Problem Setup::problem() const {
    return std::visit([](const auto& one) { return Problem{one}; }, problem_);
}

Level Setup::level(const std::byte* genome) const {
    return std::visit([&](const auto& one) { return one.level(genome); }, problem_);
}

const Goal& Setup::goal() const {
    return std::visit([](const auto& one) -> const Goal& { return one.goal(); }, problem_);
}

} // namespace knossos::dungeon
