#pragma once

#include <knossos/core/population.hpp>
#include <knossos/core/record.hpp>

#include <cstdint>
#include <span>

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
/// both populations together, by sort_into_fronts(); does nothing where each has a worth of its own.
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

/// Whether two records violate as much and have the same objectives, whatever else they hold.
bool same_objectives(const Schema& schema, RecordView a, RecordView b);

/// By how much individual b is worse than individual a, in units of the columns' scales; 0 or less if it is
/// not. Has no meaning for Pareto ranks.
double loss(const Schema& schema, const Population& population, std::size_t a, std::size_t b);

} // namespace knossos
