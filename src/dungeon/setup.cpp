#include <knossos/core/error.hpp>
#include <knossos/core/text.hpp>
#include <knossos/dungeon/setup.hpp>

#include <fmt/format.h>

#include <algorithm>

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

Plan plan_of(const Fields& fields) {
    const Placement placement = read_field("place", [&] { return parse_placement(fields.place); });
    const Plan plan{.width = fields.width, .height = fields.height, .placement = placement};
    const std::uint32_t things = placement.total().most;
    if (things > plan.area())
        refuse_field("place",
                     fmt::format("asks for {} with entrance and exit; a dungeon of {} × {} has {} cells",
                                 counted(things, "thing", "things"), fields.width, fields.height,
                                 plan.area()));
    const double states = most_conditions(placement) * static_cast<double>(plan.area());
    if (states > static_cast<double>(most_states))
        refuse_field("place",
                     fmt::format("asks for so many keys and doors that a dungeon of {} × {} may have {:.3g} "
                                 "states (cells, times the ways in which keys can have been taken and doors "
                                 "opened); at most {} are judged",
                                 fields.width, fields.height, states, thousands(most_states)));
    return plan;
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
void require_possible(const Goal& goal, const Placement& placement) {
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
        for (const Measure one : {Measure::doors_opened, Measure::key_depth})
            require(term, one, doors.most, "door");
        require(term, Measure::keys_used, small_keys.most + doors.most, "key");
        for (const Measure one : {Measure::treasures, Measure::treasure_reachable})
            require(term, one, placement.of(Tile::treasure).most, "treasure");
        for (const Measure one : {Measure::monsters})
            require(term, one, placement.of(Tile::monster).most, "monster");
        if (term.measure == Measure::tour && placement.of(Tile::checkpoint).most > most_on_tour)
            refuse_field("goal", fmt::format("has '{}', which is worked out for up to {} checkpoints",
                                             to_text(term), most_on_tour));
    }
}

Any make_dungeon(const Fields& fields) {
    const Plan plan = plan_of(fields);
    Goal goal = goal_of(fields);
    require_possible(goal, plan.placement);
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
