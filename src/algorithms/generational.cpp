#include "core/whole_sums.hpp"

#include <knossos/algorithms/algorithm.hpp>
#include <knossos/core/error.hpp>

#include <fmt/format.h>

namespace knossos {

namespace {

// Draws the operation of each child and its parents, one operation after the other, until all children are
// spoken for.
void plan_operations(const Context& context, const Selection& select, Island& island, std::size_t children) {
    const OperationMix& mix = *context.stages.operations;
    const double total = mix.clone + mix.crossover + mix.mutation;
    rank_together(context.problem.schema(), island.current);
    const Scores scores = scores_of(context.problem.schema(), island.current);
    Stream table_stream = island.streams(Purpose::prepare)(StreamSlot::generation);
    select.prepare(table_stream, scores, children + 1, island.table);
    // One more than there are children: a couple at the end may have a second child that is not kept.
    island.parents.resize(children + 2);
    select.pick(island.streams(Purpose::select), scores, island.table, 0,
                std::span{island.parents}.first(children + 1));
    SelectionMeter meter{context.problem.schema(), island.current};
    meter.add(sum_of_some(island.current.fitness(), std::span{island.parents}.first(children)), children);
    island.selection_intensity = meter.intensity();
    island.operations.resize(children);
    Stream stream = island.streams(Purpose::operations)(StreamSlot::generation);
    for (std::size_t child = 0; child < children; ++child) {
        const double drawn = stream.real() * total;
        if (drawn < mix.clone) {
            island.operations[child] = Operation::clone;
        } else if (drawn < mix.clone + mix.crossover) {
            island.operations[child] = Operation::cross_first;
            if (child + 1 < children) island.operations[++child] = Operation::cross_second;
        } else {
            island.operations[child] = Operation::mutate;
        }
    }
}

void breed_by_stages(const Context& context, const Selection& select, Island& island, std::size_t children,
                     std::size_t siblings) {
    if (context.stages.operations) {
        plan_operations(context, select, island, children);
        breed_planned(context, island, children);
    } else {
        breed(context, select, island, children, siblings);
    }
}

void check_variation(const Problem& problem, const Stages& stages) {
    stages.recombine.check(problem.space());
    stages.mutate.check(problem.space());
    if (stages.improve) stages.improve->check(problem);
    if (!stages.operations) return;
    check_fields(*stages.operations);
    const OperationMix& mix = *stages.operations;
    if (!(mix.clone + mix.crossover + mix.mutation > 0.0))
        throw InvalidSetting{"operations", "", "",
                             "clone, crossover and mutation are all 0; at least one share must be above 0"};
}

void replace(const Context& context, Island& island, const Replacement& replacement) {
    Stream stream = island.streams(Purpose::replace)(StreamSlot::generation);
    rank_together(context.problem.schema(), island.current, &island.offspring);
    replacement(stream, Succession{.current = island.current,
                                   .offspring = island.offspring,
                                   .parents = island.parents,
                                   .schema = context.problem.schema(),
                                   .order = island.order});
}

} // namespace

void Generational::check(const Problem& problem, const Stages& stages, std::size_t population,
                         std::size_t offspring) const {
    stages.select.check(population);
    stages.select.check_schema(problem.schema());
    check_variation(problem, stages);
    if (parents > 0.0) check_parents(stages, population, offspring);
    stages.replace.check(population, offspring_buffer(population, offspring));
    if (stages.replace.needs_couples() && (siblings != 2 || stages.operations))
        throw InvalidSetting{"replace", "", "",
                             "crowding compares the two children of a couple with their parents, so it needs "
                             "siblings = 2 in the algorithm and no operation mix"};
}

// What the settings' number of children is where nobody set it is as many as there are individuals.
void Generational::check_parents(const Stages& stages, std::size_t population, std::size_t offspring) const {
    if (offspring != population)
        throw InvalidSetting{"algorithm", "", "offspring",
                             fmt::format("is {}, and parents = {} says how many children there are; one of "
                                         "the two must be 0",
                                         offspring, parents)};
    if (stages.operations)
        throw InvalidSetting{"algorithm", name, "parents",
                             fmt::format("is {}; an operation mix has no couples that children could follow "
                                         "from, so it must be 0",
                                         parents)};
    if (const std::size_t selected = count_of(parents, population); selected < 2)
        throw InvalidSetting{"algorithm", name, "parents",
                             fmt::format("is {}; of a population of {} that is {}, and a couple needs 2",
                                         parents, population, selected)};
}

std::size_t Generational::offspring_buffer(std::size_t population, std::size_t offspring) const {
    return parents > 0.0 ? count_of(parents, population) / 2 * siblings : offspring;
}

void Generational::step(const Context& context, Island& island) const {
    breed_by_stages(context, context.stages.select, island, island.offspring.size(), siblings);
    replace(context, island, context.stages.replace);
}

void MuPlusLambda::check(const Problem& problem, const Stages& stages, std::size_t /*population*/,
                         std::size_t /*offspring*/) {
    check_variation(problem, stages);
}

std::size_t MuPlusLambda::offspring_buffer(std::size_t /*population*/, std::size_t offspring) {
    return offspring;
}

void MuPlusLambda::step(const Context& context, Island& island) const {
    static const Selection everybody = RandomSelection{};
    static const Replacement plus = PlusReplacement{};
    breed_by_stages(context, everybody, island, island.offspring.size(), 2);
    replace(context, island, plus);
}

void Nsga2::check(const Problem& problem, const Stages& stages, std::size_t population,
                  std::size_t /*offspring*/) {
    if (problem.schema().ranking() != Ranking::pareto)
        throw InvalidSetting{
            "algorithm", "", "",
            fmt::format("nsga2 is for two objectives and more, and this problem has {} ({}); "
                        "generational, mu-plus-lambda and steady-state suit it",
                        problem.schema().has_objective() ? "one" : "none", problem.schema().to_text())};
    if (population < 2)
        throw InvalidSetting{
            "algorithm", "", "population",
            fmt::format("is {}; nsga2 lets two compete, so it must be at least 2", population)};
    if (stages.improve) throw InvalidInput{"improve: nsga2 has no improvement stage"};
    check_variation(problem, stages);
}

std::size_t Nsga2::offspring_buffer(std::size_t /*population*/, std::size_t offspring) { return offspring; }

void Nsga2::step(const Context& context, Island& island) const {
    static const Selection crowded = Tournament{.size = 2, .replacement = false};
    static const Replacement plus = PlusReplacement{};
    breed_by_stages(context, crowded, island, island.offspring.size(), 2);
    replace(context, island, plus);
}

void Knockout::check(const Problem& problem, const Stages& stages, std::size_t population,
                     std::size_t /*offspring*/) {
    if (population % 2 != 0)
        throw InvalidSetting{
            "algorithm", "", "population",
            fmt::format("is {}; knockout pairs everybody up, so it must be even: 2, 4, 6, …", population)};
    if (stages.operations) throw InvalidInput{"operations: knockout only mutates; it has no operation mix"};
    if (!stages.recombine.only_copies())
        throw InvalidInput{"recombine: knockout only mutates; crossover needs steady-state or generational"};
    stages.mutate.check(problem.space());
    if (stages.improve) stages.improve->check(problem);
}

std::size_t Knockout::offspring_buffer(std::size_t population, std::size_t /*offspring*/) {
    return population;
}

void Knockout::step(const Context& context, Island& island) const {
    const auto size = static_cast<std::uint32_t>(island.current.size());
    const std::uint32_t half = size / 2;
    rank_together(context.problem.schema(), island.current);
    const Scores scores = scores_of(context.problem.schema(), island.current);
    island.order.resize(size);
    for (std::uint32_t i = 0; i < size; ++i) island.order[i] = i;
    Stream stream = island.streams(Purpose::select)(StreamSlot::generation);
    stream.shuffle(std::span{island.order});
    // After each generation the winners stand in the lower half and their mutants, the newer ones, in the
    // upper half.
    const auto wins = [&](std::uint32_t a, std::uint32_t b) {
        if (scores.better(a, b)) return true;
        if (scores.better(b, a)) return false;
        return (a >= half) >= (b >= half);
    };
    island.parents.resize(half + half % 2);
    for (std::uint32_t match = 0; match < half; ++match) {
        const std::uint32_t a = island.order[std::size_t{2} * match];
        const std::uint32_t b = island.order[std::size_t{2} * match + 1];
        island.parents[match] = wins(a, b) ? a : b;
    }
    island.operations.assign(half, Operation::mutate);
    breed_planned(context, island, half);
    // The mutants stand in the lower half of the buffer; move them up and put the winners below.
    for (std::uint32_t i = 0; i < half; ++i) island.offspring.copy_from(island.offspring, i, half + i);
    for (std::uint32_t i = 0; i < half; ++i) island.offspring.copy_from(island.current, island.parents[i], i);
    std::swap(island.current, island.offspring);
}

} // namespace knossos
