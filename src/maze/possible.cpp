#include <knossos/core/error.hpp>
#include <knossos/maze/possible.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knossos::maze {

namespace {

// What is known of all mazes of a layout before any is made.
class Limits {
  public:
    Limits(const Blueprint& blueprint, bool walls) : blueprint_{blueprint}, walls_{walls} {
        Level emptiest = blueprint.level(blueprint.locked_rock());
        shortest_ = measure(emptiest, {Measure::exit_path}).exit_path;
        for (std::size_t i = 0; i < blueprint.area(); ++i) {
            const Cell cell = blueprint.locked_rock().cell(i);
            locked_rock_ += blueprint.locked_rock().is_rock(cell) ? 1.0 : 0.0;
            locked_open_ += blueprint.locked_open().is_rock(cell) ? 1.0 : 0.0;
        }
    }

    [[nodiscard]] bool has_way() const { return shortest_ >= 0; }

    [[nodiscard]] MeasureRange of(Measure measure) const {
        const double cells = static_cast<double>(blueprint_.area());
        const double squares = (blueprint_.width() - 1.0) * (blueprint_.height() - 1.0);
        const double most_open = cells - locked_rock_;
        // Those on a shortest way are open, those of a chromatic maze always.
        const double least_open = walls_ ? most_open : std::max(shortest_ + 1.0, locked_open_);
        switch (measure) {
        case Measure::exit_path:
        case Measure::farthest:
        case Measure::diameter:
            return {static_cast<double>(shortest_), longest_way()};
        case Measure::tour:
            return {static_cast<double>(shortest_), range_of(measure, blueprint_.area())->highest};
        case Measure::straights:
        case Measure::turns:
            return {0.0, std::max(longest_way() - 1.0, 0.0)};
        case Measure::open_cells:
            return {least_open, most_open};
        case Measure::reachable_cells:
            return {shortest_ + 1.0, most_open};
        case Measure::largest_room:
            return {0.0, most_open};
        case Measure::rock_cells:
            return {cells - most_open, cells - least_open};
        case Measure::wall_density:
            if (walls_) return {0.0, 1.0};
            return {(cells - most_open) / cells, (cells - least_open) / cells};
        case Measure::pockets:
        case Measure::pocket_cells:
            return {0.0, most_open - (shortest_ + 1.0)};
        case Measure::branching_cells:
        case Measure::dead_ends:
        case Measure::culs_de_sac:
            return {0.0, most_open};
        case Measure::loops:
        case Measure::open_squares:
        case Measure::rooms:
            return {0.0, squares};
        case Measure::symmetry_left_right:
            return symmetric({Symmetry::left_right, Symmetry::both});
        case Measure::symmetry_top_bottom:
            return symmetric({Symmetry::top_bottom, Symmetry::both});
        case Measure::symmetry_rotation:
            return symmetric({Symmetry::rotation, Symmetry::both, Symmetry::quarter_rotation});
        default:
            return widest_range_of(measure, blueprint_.area());
        }
    }

    // Steps always change the colour of the chessboard.
    [[nodiscard]] bool has_parity(Measure measure) const {
        return measure == Measure::exit_path || measure == Measure::tour;
    }
    [[nodiscard]] bool is_odd() const { return shortest_ % 2 != 0; }

  private:
    // A shortest way never has all four cells of a block of 2×2, unless walls part them: there would be a
    // shorter one.
    [[nodiscard]] double longest_way() const {
        if (walls_) return static_cast<double>(blueprint_.area()) - locked_rock_ - 1.0;
        double cells = 0.0;
        const Grid& locked = blueprint_.locked_rock();
        for (std::uint32_t y = 0; y < blueprint_.height(); y += 2)
            for (std::uint32_t x = 0; x < blueprint_.width(); x += 2) {
                double open = 0.0;
                for (const Cell cell : {Cell{x, y}, Cell{x + 1, y}, Cell{x, y + 1}, Cell{x + 1, y + 1}})
                    if (locked.contains(cell) && !locked.is_rock(cell)) open += 1.0;
                cells += std::min(open, 3.0);
            }
        return cells - 1.0;
    }

    [[nodiscard]] MeasureRange symmetric(std::initializer_list<Symmetry> forced) const {
        const bool is_forced =
            std::ranges::find(forced, blueprint_.layout().symmetry) != std::ranges::end(forced);
        return {is_forced ? 1.0 : 0.0, 1.0};
    }

    const Blueprint& blueprint_;
    bool walls_;
    std::int32_t shortest_ = -1;
    double locked_rock_ = 0.0;
    double locked_open_ = 0.0;
};

} // namespace

std::string why_impossible(const Term& term, const Blueprint& blueprint, bool walls) {
    const Limits limits{blueprint, walls};
    if (!limits.has_way()) return "the locked rock leaves no way from the entrance to the exit";
    if (term.aim != Aim::range) return {};
    const MeasureRange range = limits.of(term.measure);
    const double low = std::max(term.low, range.lowest);
    const double high = std::min(term.high, range.highest);
    const auto number = [](double value) { return fmt::format("{:.10g}", value); };
    if (low > high)
        return range.lowest == range.highest
                   ? fmt::format("there it is always {}", number(range.lowest))
                   : fmt::format("of {} × {} cells{} it lies in {}..{}", blueprint.width(),
                                 blueprint.height(), blueprint.constrained() ? ", as they are bound," : "",
                                 number(range.lowest), number(range.highest));
    if (!limits.has_parity(term.measure)) return {};
    const double first = std::ceil(low);
    const bool first_is_odd = std::fmod(first, 2.0) != 0.0;
    if (first + (first_is_odd == limits.is_odd() ? 0.0 : 1.0) <= high) return {};
    const Layout& layout = blueprint.layout();
    return fmt::format("every way from {},{} to {},{} has an {} number of steps", layout.entrance.x,
                       layout.entrance.y, layout.exit.x, layout.exit.y, limits.is_odd() ? "odd" : "even");
}

void require_possible(const Fitness& fitness, const Blueprint& blueprint, bool walls) {
    for (const Term& term : fitness.terms)
        if (const std::string why = why_impossible(term, blueprint, walls); !why.empty())
            throw InvalidSetting{
                "problem", "", "goal",
                fmt::format("has '{}', which no such maze can have: {}", to_text(term), why)};
}

} // namespace knossos::maze
