#include "algorithms/accounting.hpp"

#include <knossos/core/fronts.hpp>
#include <knossos/core/hypervolume.hpp>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace knossos {

namespace {

void read_record(const Population& population, std::size_t individual, std::vector<double>& record) {
    record.resize(population.columns());
    for (std::size_t column = 0; column < record.size(); ++column)
        record[column] = population.column(column)[individual];
}

Found found_in(const Island& island, const Population& population, std::size_t individual,
               std::uint64_t evaluations, std::vector<std::byte> room = {}) {
    const std::byte* const genome = population.genome(individual);
    room.assign(genome, genome + population.stride());
    Found found{.quality = quality_of(population, individual),
                .generation = island.generation,
                .evaluations = evaluations,
                .genome = std::move(room)};
    if (!population.plain()) read_record(population, individual, found.record);
    return found;
}

// The hall of fame of an island where it is a front, and room for a record.
struct HallFront {
    HallFront(const Context& context, Island& island)
        // It is as long as the population at least: it is what such a run is for.
        : front{context.problem.schema(), island.hall, std::max(context.hall_size, island.current.size())} {}

    Front<Found> front;
    std::vector<double> record;
};

// Notes an individual in the front if it belongs there. Returns whether it is the best so far.
bool enter(const Context& context, Island& island, HallFront& hall, const Population& population,
           std::size_t individual, std::uint64_t evaluations) {
    const Schema& schema = context.problem.schema();
    const Quality best_before =
        island.hall.empty() ? worst_quality(schema.objective()) : island.hall.front().quality;
    read_record(population, individual, hall.record);
    const Entered entered =
        hall.front.enter(hall.record, [&] { return found_in(island, population, individual, evaluations); });
    const bool has_volume = schema.merit() == Merit::hypervolume;
    if (entered.is_progress && !has_volume) island.improved_at = island.generation;
    if (!entered.is_in) return false;
    island.era_best = island.hall.front().quality;
    if (has_volume) {
        island.has_new_front = true;
        return false;
    }
    const bool best = better(schema.objective(), island.era_best, best_before);
    if (best) island.milestones.push_back({island.era_best, island.generation, evaluations});
    return best;
}

// The fitness that an individual must beat for remember() to note anything about it, once the hall of fame is
// full: the lower of two bars.
double bar_of(Objective objective, const Island& island) {
    const double of_era = island.era_best.fitness;
    const double of_hall = island.hall.back().quality.fitness;
    return better(objective, of_era, of_hall) ? of_hall : of_era;
}

// As account(), where individuals are compared by one number and nearly nobody gets over the bar.
void account_by_bar(const Context& context, Island& island, std::size_t children) {
    const Objective objective = context.problem.objective();
    const auto fitness = island.offspring.fitness();
    double bar = bar_of(objective, island);
    std::uint64_t evaluations = island.evaluations;
    for (std::size_t slot = 0; slot < children; ++slot) {
        evaluations += island.evaluated[slot];
        if (island.evaluated[slot] == 0 || !better(objective, fitness[slot], bar)) continue;
        remember(context, island, island.offspring, slot, evaluations);
        bar = bar_of(objective, island);
    }
    island.evaluations = evaluations;
}

// As account(), where the hall of fame is a front.
void account_by_front(const Context& context, Island& island, std::size_t children) {
    HallFront hall{context, island};
    for (std::size_t slot = 0; slot < children; ++slot) {
        if (island.evaluated[slot] == 0) continue;
        ++island.evaluations;
        enter(context, island, hall, island.offspring, slot, island.evaluations);
    }
}

} // namespace

void account(const Context& context, Island& island, std::size_t children) {
    if (island.offspring.plain() && island.hall.size() >= context.hall_size && !context.stages.improve)
        return account_by_bar(context, island, children);
    if (context.problem.schema().ranking() == Ranking::pareto && !context.stages.improve)
        return account_by_front(context, island, children);
    for (std::size_t slot = 0; slot < children; ++slot) {
        const std::uint64_t cost = cost_of(context, island, slot);
        if (cost == 0) continue;
        island.evaluations += cost;
        remember(context, island, island.offspring, slot, island.evaluations);
    }
}

bool detail::remember(const Context& context, Island& island, const Population& population,
                      std::size_t individual, std::uint64_t evaluations) {
    const Schema& schema = context.problem.schema();
    if (schema.ranking() == Ranking::pareto) {
        HallFront hall{context, island};
        return enter(context, island, hall, population, individual, evaluations);
    }
    const Objective objective = schema.objective();
    const Quality quality = quality_of(population, individual);
    const bool is_merit = schema.merit() == Merit::best;
    if (better(objective, quality, island.era_best)) {
        island.era_best = quality;
        if (is_merit) island.improved_at = island.generation;
    }
    auto& hall = island.hall;
    const bool full = hall.size() >= context.hall_size;
    if (full && !better(objective, quality, hall.back().quality)) return false;
    const std::byte* const genome = population.genome(individual);
    for (const Found& found : hall)
        if (found.quality == quality && std::memcmp(found.genome.data(), genome, population.stride()) == 0)
            return false;
    // Whoever makes room leaves it his memory: islands by the thousand note somebody in every generation.
    std::vector<std::byte> room;
    if (full) {
        room = std::move(hall.back().genome);
        hall.pop_back();
    }
    // Behind those as good: who came first stays first.
    const auto place = std::ranges::find_if(
        hall, [&](const Found& found) { return better(objective, quality, found.quality); });
    const bool best = place == hall.begin();
    if (best && is_merit) island.milestones.push_back({quality, island.generation, evaluations});
    hall.insert(place, found_in(island, population, individual, evaluations, std::move(room)));
    return best;
}

// Once a generation: that is soon enough for those who look at it, and a child in a hundred thousand may
// change the front.
void update_merit(const Schema& schema, Finds& finds, std::uint64_t generation) {
    if (!finds.has_new_front) return;
    finds.has_new_front = false;
    // All of a front violate as much.
    Quality merit{finds.hall.front().quality.violation, 0.0};
    if (merit.violation == 0.0) {
        std::vector<std::span<const double>> records;
        for (const Found& found : finds.hall) records.emplace_back(found.record);
        merit.fitness = hypervolume(schema, records);
        // A front that is still outside the ranges has no volume, but it is on its way.
        if (merit.fitness == 0.0) finds.improved_at = generation;
    }
    note_merit(finds, merit, generation);
}

void note_merit(Finds& finds, const Quality& merit, std::uint64_t generation) {
    if (!better(Objective::maximise, merit, finds.front_merit)) return;
    finds.front_merit = merit;
    finds.improved_at = generation;
    finds.milestones.push_back({merit, generation, finds.evaluations});
}

} // namespace knossos
