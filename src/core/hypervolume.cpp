#include <knossos/core/hypervolume.hpp>

#include <algorithm>
#include <array>
#include <compare>
#include <functional>
#include <iterator>

namespace knossos {

namespace {

// How far a record has come in each objective, from the worst end of its range (0) to the best (1).
using Gains = std::vector<double>;

double gain_of(const Column& column, double value) {
    const double share = (value - column.low) / (column.high - column.low);
    return std::clamp(column.direction == Objective::maximise ? share : 1.0 - share, 0.0, 1.0);
}

double box(const Gains& gains) {
    double volume = 1.0;
    for (const double gain : gains) volume *= gain;
    return volume;
}

bool covers(const Gains& a, const Gains& b) { return std::ranges::equal(a, b, std::greater_equal<>{}); }

// Those that no other covers; of equals, the first.
std::vector<Gains> uncovered(const std::vector<Gains>& points) {
    std::vector<Gains> kept;
    for (const Gains& point : points) {
        if (std::ranges::any_of(kept, [&](const Gains& other) { return covers(other, point); })) continue;
        std::erase_if(kept, [&](const Gains& other) { return covers(point, other); });
        kept.push_back(point);
    }
    return kept;
}

// Steps: the first gain falls, the second rises, from one to the next.
struct Step {
    double first;
    double second;
    friend auto operator<=>(const Step&, const Step&) = default;
};

// The area under points.
double plane(std::vector<Step> steps) {
    // A front that is kept in the order of the first objective needs no sorting.
    if (!std::ranges::is_sorted(steps, std::greater<>{})) std::ranges::sort(steps, std::greater<>{});
    double area = 0.0;
    double height = 0.0;
    for (const Step& step : steps) {
        if (step.second <= height) continue;
        area += step.first * (step.second - height);
        height = step.second;
    }
    return area;
}

// Those of some points in a plane that no other covers.
class Stairs {
  public:
    // What a box shares with what is under the steps.
    [[nodiscard]] double shared_with(const Step& box) const {
        auto step = first_within(box);
        double area = 0.0;
        double height = 0.0;
        if (step != steps_.begin()) {
            height = std::min(std::prev(step)->second, box.second);
            area = box.first * height;
        }
        for (; step != steps_.end() && height < box.second; ++step) {
            const double top = std::min(step->second, box.second);
            area += step->first * (top - height);
            height = top;
        }
        return area;
    }

    void add(const Step& point) {
        const auto place = first_within(point);
        if (place != steps_.begin() && std::prev(place)->second >= point.second) return;
        // One that goes as far in the first gain stands before it.
        const auto first =
            place != steps_.begin() && std::prev(place)->first == point.first ? std::prev(place) : place;
        const auto last =
            std::find_if(place, steps_.cend(), [&](const Step& one) { return one.second > point.second; });
        steps_.insert(steps_.erase(first, last), point);
    }

  private:
    // The first step that does not go as far as the box.
    [[nodiscard]] std::vector<Step>::const_iterator first_within(const Step& box) const {
        return std::partition_point(steps_.begin(), steps_.end(),
                                    [&](const Step& one) { return one.first >= box.first; });
    }

    std::vector<Step> steps_;
};

// As volume(), where what a box shares with those behind it lies in a plane, from the last to the first.
double solid(std::vector<std::array<double, 3>> points) {
    std::ranges::sort(points);
    Stairs behind;
    std::vector<double> added(points.size());
    for (std::size_t i = points.size(); i-- > 0;) {
        const Step box{points[i][1], points[i][2]};
        added[i] = points[i][0] * (box.first * box.second - behind.shared_with(box));
        behind.add(box);
    }
    double total = 0.0;
    for (const double one : added) total += one;
    return total;
}

// Box by box, in the order of the first gain: what each adds to those behind it, which all go at least as
// far in that, is itself without what it shares with them in the others.
double volume(std::vector<Gains> points) { // NOLINT(misc-no-recursion): each call has one objective less
    if (points.empty()) return 0.0;
    if (points.front().size() == 3) {
        std::vector<std::array<double, 3>> boxes;
        for (const Gains& point : points) boxes.push_back({point[0], point[1], point[2]});
        return solid(std::move(boxes));
    }
    std::ranges::sort(points); // the sum does not depend on who was found first
    double total = 0.0;
    std::vector<Gains> shared;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Gains others{points[i].begin() + 1, points[i].end()};
        shared.clear();
        for (std::size_t j = i + 1; j < points.size(); ++j) {
            Gains& both = shared.emplace_back(others);
            for (std::size_t k = 0; k < both.size(); ++k) both[k] = std::min(both[k], points[j][k + 1]);
        }
        total += points[i][0] * (box(others) - volume(uncovered(shared)));
    }
    return total;
}

} // namespace

double hypervolume(const Schema& schema, std::span<const std::span<const double>> front) {
    const auto objectives = schema.objectives();
    const auto gain = [&](std::span<const double> record, std::size_t i) {
        return gain_of(schema.columns()[objectives[i]], record[objectives[i]]);
    };
    // Most fronts are of two objectives or three, and looked at after each generation.
    if (objectives.size() == 2) {
        std::vector<Step> steps;
        steps.reserve(front.size());
        for (const auto& record : front) steps.push_back({gain(record, 0), gain(record, 1)});
        return plane(std::move(steps));
    }
    if (objectives.size() == 3) {
        std::vector<std::array<double, 3>> boxes;
        boxes.reserve(front.size());
        for (const auto& record : front) boxes.push_back({gain(record, 0), gain(record, 1), gain(record, 2)});
        return solid(std::move(boxes));
    }
    std::vector<Gains> points;
    for (const auto& record : front)
        for (std::size_t i = 0; i < objectives.size(); ++i) {
            if (i == 0) points.emplace_back();
            points.back().push_back(gain(record, i));
        }
    return volume(std::move(points));
}

} // namespace knossos
