#include <knossos/core/ranking.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace knossos {

namespace {

// Individuals of one or two populations, under one numbering.
class Union {
  public:
    Union(const Schema& schema, Population& first, Population* second)
        : schema_{schema}, first_{first}, second_{second} {}

    [[nodiscard]] std::size_t size() const {
        return first_.size() + (second_ != nullptr ? second_->size() : 0);
    }
    [[nodiscard]] std::size_t objectives() const { return schema_.objectives().size(); }
    // The lower the better.
    [[nodiscard]] double value(std::uint32_t who, std::size_t objective) const {
        const std::size_t column = schema_.objectives()[objective];
        const auto [population, place] = find(who);
        const double its = population->column(column)[place];
        return schema_.columns()[column].direction == Objective::minimise ? its : -its;
    }
    [[nodiscard]] double violation(std::uint32_t who) const {
        const auto [population, place] = find(who);
        return population->violations()[place];
    }
    void set(std::uint32_t who, double key, double tie) const {
        const auto [population, place] = find(who);
        population->keys()[place] = key;
        population->ties()[place] = tie;
    }

  private:
    struct Member {
        Population* population;
        std::size_t place;
    };
    [[nodiscard]] Member find(std::uint32_t who) const {
        if (who < first_.size()) return {&first_, who};
        return {second_, who - first_.size()};
    }

    const Schema& schema_;
    Population& first_;
    Population* second_;
};

// By violation, then by the objectives one after the other: nobody is dominated by one who comes later.
bool comes_before(const Union& all, std::uint32_t a, std::uint32_t b) {
    if (all.violation(a) != all.violation(b)) return all.violation(a) < all.violation(b);
    for (std::size_t i = 0; i < all.objectives(); ++i)
        if (all.value(a, i) != all.value(b, i)) return all.value(a, i) < all.value(b, i);
    return a < b;
}

// Whether a is at least as good everywhere and better somewhere. Among those who violate, less is better.
bool dominates(const Union& all, std::uint32_t a, std::uint32_t b) {
    if (all.violation(a) != all.violation(b)) return all.violation(a) < all.violation(b);
    if (all.violation(a) > 0.0) return false;
    bool is_better = false;
    for (std::size_t i = 0; i < all.objectives(); ++i) {
        if (all.value(a, i) > all.value(b, i)) return false;
        is_better = is_better || all.value(a, i) < all.value(b, i);
    }
    return is_better;
}

// X. Zhang, Y. Tian, R. Cheng, Y. Jin: "An efficient approach to nondominated sorting for evolutionary
// multiobjective optimization", 2015: taken in order, each belongs to the first front that nobody dominates
// it in, and if a front dominates it, so do all before that one.
std::vector<std::vector<std::uint32_t>> fronts_of(const Union& all) {
    std::vector<std::uint32_t> order(all.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) { return comes_before(all, a, b); });
    std::vector<std::vector<std::uint32_t>> fronts;
    for (const std::uint32_t who : order) {
        const auto place = std::ranges::partition_point(fronts, [&](const std::vector<std::uint32_t>& front) {
            return std::any_of(front.rbegin(), front.rend(),
                               [&](std::uint32_t other) { return dominates(all, other, who); });
        });
        if (place == fronts.end())
            fronts.push_back({who});
        else
            place->push_back(who);
    }
    return fronts;
}

// How far apart the neighbours of each are, summed over the objectives, each by its range in the front.
// `value(i, objective)` is that of member i, the lower the better.
template <class Value>
std::vector<double> crowding_distances(std::size_t members, std::size_t objectives, Value value) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::vector<double> distance(members);
    std::vector<std::size_t> order(members);
    for (std::size_t objective = 0; objective < objectives; ++objective) {
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order, {}, [&](std::size_t i) { return value(i, objective); });
        const auto at = [&](std::size_t place) { return value(order[place], objective); };
        const double range = at(members - 1) - at(0);
        distance[order.front()] = distance[order.back()] = infinity;
        if (!(range > 0.0) || !std::isfinite(range)) continue;
        for (std::size_t place = 1; place + 1 < members; ++place)
            distance[order[place]] += (at(place + 1) - at(place - 1)) / range;
    }
    return distance;
}

double lower_is_better(const Schema& schema, std::size_t objective, RecordView record) {
    const std::size_t column = schema.objectives()[objective];
    const bool minimise = schema.columns()[column].direction == Objective::minimise;
    return minimise ? record[column] : -record[column];
}

} // namespace

void rate(const Schema& schema, Population& population, std::size_t individual) {
    if (population.plain()) return;
    const Record record = population.record(individual);
    const Quality quality = schema.quality(record);
    population.fitness()[individual] = quality.fitness;
    population.violations()[individual] = quality.violation;
    population.keys()[individual] = schema.violation(record);
    population.ties()[individual] = schema.preference(record);
}

void detail::rank_by_fronts(const Schema& schema, Population& first, Population* second) {
    const Union all{schema, first, second};
    auto fronts = fronts_of(all);
    for (std::size_t rank = 0; rank < fronts.size(); ++rank) {
        std::vector<std::uint32_t>& front = fronts[rank];
        std::ranges::sort(front); // so that nothing depends on how the fronts were found
        const auto distance =
            crowding_distances(front.size(), all.objectives(), [&](std::size_t i, std::size_t objective) {
                return all.value(front[i], objective);
            });
        for (std::size_t i = 0; i < front.size(); ++i)
            all.set(front[i], static_cast<double>(rank), -distance[i]);
    }
}

bool dominates(const Schema& schema, RecordView a, RecordView b) {
    const double of_a = schema.violation(a);
    const double of_b = schema.violation(b);
    if (of_a != of_b) return of_a < of_b;
    if (of_a > 0.0) return false;
    bool is_better = false;
    for (std::size_t i = 0; i < schema.objectives().size(); ++i) {
        const double left = lower_is_better(schema, i, a);
        const double right = lower_is_better(schema, i, b);
        if (left > right) return false;
        is_better = is_better || left < right;
    }
    return is_better;
}

std::size_t most_crowded(const Schema& schema, std::span<const std::span<const double>> front) {
    const auto distance = crowding_distances(
        front.size(), schema.objectives().size(),
        [&](std::size_t i, std::size_t objective) { return lower_is_better(schema, objective, front[i]); });
    if (distance.size() < 2) return 0;
    // Whoever is best in the first objective stays: it is what is reported.
    return static_cast<std::size_t>(std::min_element(distance.begin() + 1, distance.end()) -
                                    distance.begin());
}

bool same_objectives(const Schema& schema, RecordView a, RecordView b) {
    return schema.violation(a) == schema.violation(b) &&
           std::ranges::all_of(schema.objectives(), [&](std::size_t i) { return a[i] == b[i]; });
}

double loss(const Schema& schema, const Population& population, std::size_t a, std::size_t b) {
    if (population.plain()) {
        const auto fitness = population.fitness();
        const double worse =
            schema.objective() == Objective::maximise ? fitness[a] - fitness[b] : fitness[b] - fitness[a];
        return worse / schema.preference_scale();
    }
    const auto keys = population.keys();
    if (keys[a] != keys[b]) return keys[b] - keys[a];
    return (population.ties()[b] - population.ties()[a]) / schema.preference_scale();
}

} // namespace knossos
