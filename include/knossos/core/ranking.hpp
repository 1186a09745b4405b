#pragma once

#include <knossos/core/population.hpp>
#include <knossos/core/record.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace knossos {

/// What individuals are compared by: values, and, of those that are equal, ties, the lower the better. Where
/// a record is one number there are no ties.
struct Scores {
    std::span<const double> values;
    Objective objective;
    std::span<const double> ties{};

    [[nodiscard]] std::size_t size() const { return values.size(); }
    [[nodiscard]] bool tied() const { return !ties.empty(); }
    [[nodiscard]] bool better(std::size_t a, std::size_t b) const { return better(a, *this, b); }
    /// Whether individual a of these is better than individual b of others.
    [[nodiscard]] bool better(std::size_t a, const Scores& others, std::size_t b) const {
        const bool is_better = knossos::better(objective, values[a], others.values[b]);
        if (ties.empty() || values[a] != others.values[b]) return is_better;
        return ties[a] < others.ties[b];
    }
    /// The same, where of equals the one with the lower number comes first: an order that does not depend on
    /// how it is sorted by.
    [[nodiscard]] bool before(std::uint32_t a, std::uint32_t b) const {
        if (values[a] != values[b]) return knossos::better(objective, values[a], values[b]);
        if (tied() && ties[a] != ties[b]) return ties[a] < ties[b];
        return a < b;
    }
};

/// Those of a population.
inline Scores scores_of(const Schema& schema, const Population& population) {
    if (population.plain()) return {population.fitness(), schema.objective()};
    return {population.keys(), Objective::minimise, population.ties()};
}

/// Works out what is compared from the record of an individual, as far as that is known without the others.
/// Throws nothing; values that are no numbers are found before.
void rate(const Schema& schema, Population& population, std::size_t individual);

namespace detail {
void rank_by_fronts(const Schema& schema, Population& first, Population* second);
}

/// Where individuals are ranked among each other (by Pareto fronts and crowding), ranks them all, those of
/// both populations together; does nothing where each has a worth of its own. K. Deb, A. Pratap, S. Agarwal,
/// T. Meyarivan: "A fast and elitist multiobjective genetic algorithm: NSGA-II", 2002.
inline void rank_together(const Schema& schema, Population& first, Population* second = nullptr) {
    if (schema.ranking() == Ranking::pareto) detail::rank_by_fronts(schema, first, second);
}

/// What is reported of an individual.
inline Quality quality_of(const Population& population, std::size_t individual) {
    return {population.plain() ? 0.0 : population.violations()[individual], population.fitness()[individual]};
}

/// Whether one record is at least as good as another in all objectives and better in one; or violates less,
/// where either violates anything.
bool dominates(const Schema& schema, RecordView a, RecordView b);

/// Which of the records of a front, none of which dominates another, stands closest to its neighbours; the
/// first of several, but never the first of all, which is the best in the first objective.
std::size_t most_crowded(const Schema& schema, std::span<const std::span<const double>> front);

/// Whether two records violate as much and have the same objectives, whatever else they hold.
bool same_objectives(const Schema& schema, RecordView a, RecordView b);

/// What became of one who wanted into a front.
struct Entered {
    bool is_in = false;
    bool is_progress = false; ///< the front has grown, or somebody in it was dominated
};

/// Puts one more into a front, best in the first objective first, unless another is as good: those that it
/// dominates leave, and of more than `most` the most crowded.
template <class Entry>
Entered enter_front(const Schema& schema, std::vector<Entry>& front, Entry entry, std::size_t most) {
    for (const Entry& other : front)
        if (same_objectives(schema, other.record, entry.record) ||
            dominates(schema, other.record, entry.record))
            return {};
    const auto dominated = std::erase_if(
        front, [&](const Entry& other) { return dominates(schema, entry.record, other.record); });
    const auto place = std::ranges::find_if(front, [&](const Entry& other) {
        return better(schema.objective(), schema.quality(entry.record), schema.quality(other.record));
    });
    const auto index = static_cast<std::size_t>(place - front.begin());
    front.insert(place, std::move(entry));
    if (front.size() <= most) return {true, true};
    std::vector<std::span<const double>> records;
    for (const Entry& each : front) records.emplace_back(each.record);
    const std::size_t leaving = most_crowded(schema, records);
    front.erase(front.begin() + static_cast<std::ptrdiff_t>(leaving));
    return {leaving != index, dominated > 0};
}

/// By how much individual b is worse than individual a, in units of the columns' scales; 0 or less if it is
/// not. Has no meaning for Pareto ranks.
double loss(const Schema& schema, const Population& population, std::size_t a, std::size_t b);

} // namespace knossos
