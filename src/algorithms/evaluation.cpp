#include <knossos/algorithms/island.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace knossos {

namespace {

// The least that an evaluation may give: nothing is missed by less than 0. What is not a number is not even
// that.
double least_value(const Column& column) {
    return column.role == Role::violation ? 0.0 : -std::numeric_limits<double>::infinity();
}

[[noreturn]] void refuse_value(const Island& island, const Column& column, std::size_t slot, double value,
                               const Space& space, const std::byte* genome) {
    if (std::isnan(value)) refuse_not_a_number(island, slot, space, genome, column.name.text());
    throw EvaluationError{
        fmt::format("the violation '{}' of individual {} in generation {} of island {} is {}; it is by how "
                    "much a condition is missed, 0 or more",
                    column.name.text(), slot, island.generation, island.index, value)};
}

// Takes over the values of a column, which lie side by side.
void take_column(const Island& island, const Column& column, const Batch& batch, std::size_t first_slot,
                 std::span<const double> values, std::span<double> taken, const Space& space) {
    const double least = least_value(column);
    for (std::size_t i = 0; i < batch.count; ++i) {
        if (!(values[i] >= least))
            refuse_value(island, column, first_slot + batch.row(i), values[i], space, batch[i]);
        taken[batch.row(i)] = values[i];
    }
}

// Descriptors outside their range are kept at its edge, and counted.
void keep_inside(const Column& column, const Batch& batch, std::span<double> values, Worker& worker) {
    for (std::size_t i = 0; i < batch.count; ++i) {
        double& value = values[batch.row(i)];
        if (value >= column.low && value <= column.high) continue;
        value = std::clamp(value, column.low, column.high);
        ++worker.clamped;
    }
}

void take_records(const Schema& schema, const Island& island, const Batch& batch, std::size_t first_slot,
                  Population& population, Worker& worker) {
    for (std::size_t c = 0; c < schema.size(); ++c) {
        const Column& column = schema.columns()[c];
        const auto values = std::span{worker.values}.subspan(c * batch.count, batch.count);
        take_column(island, column, batch, first_slot, values, population.column(c), population.space());
        if (column.role == Role::descriptor) keep_inside(column, batch, population.column(c), worker);
    }
    for (std::size_t i = 0; i < batch.count; ++i) rate(schema, population, batch.row(i));
}

} // namespace

void evaluate_rows(const Context& context, const Island& island, Population& population, Worker& worker,
                   const Parentage* parentage, std::size_t first_slot) {
    if (worker.rows.empty()) return;
    const Schema& schema = context.problem.schema();
    worker.values.resize(worker.rows.size() * schema.size());
    Batch batch = population.batch();
    batch.rows = worker.rows.data();
    batch.count = worker.rows.size();
    batch.parentage = parentage;
    try {
        context.problem.evaluate(batch, worker.values);
    } catch (const IndividualFailed& failed) {
        refuse_failed(island, first_slot + batch.row(failed.place()), failed.what());
    } catch (...) {
        // A batch that must be whole has one individual because there is one; others, because it suits the
        // threads: what is said must not depend on that.
        if (!context.problem.in_whole_batches() || batch.count != 1) throw;
        refuse_failed(island, first_slot + batch.row(0), evaluation_fault());
    }
    take_values(context, island, population, worker, first_slot);
}

void take_values(const Context& context, const Island& island, Population& population, Worker& worker,
                 std::size_t first_slot) {
    const Schema& schema = context.problem.schema();
    Batch batch = population.batch();
    batch.rows = worker.rows.data();
    batch.count = worker.rows.size();
    if (schema.plain())
        take_column(island, schema.columns()[0], batch, first_slot, worker.values, population.fitness(),
                    population.space());
    else
        take_records(schema, island, batch, first_slot, population, worker);
}

void evaluate_one(const Context& context, Island& island, Population& population, std::uint32_t individual) {
    if (island.left() == 0) spend(island, island); // whoever changes individuals in place has a copy
    const Schema& schema = context.problem.schema();
    if (schema.plain()) { // as evaluate_rows() would, without the lists: a duel does nothing else
        std::byte* const genome = population.genome(individual);
        double value = 0.0;
        const Batch batch{&population.space(), genome, population.stride(), 1};
        try {
            context.problem.evaluate(batch, {&value, 1});
        } catch (...) {
            refuse_failed(island, individual, evaluation_fault());
        }
        const Column& column = schema.columns()[0];
        if (!(value >= least_value(column)))
            refuse_value(island, column, individual, value, population.space(), genome);
        population.fitness()[individual] = value;
        ++island.evaluations;
        return;
    }
    Worker& worker = context.workers[0];
    worker.rows.assign(1, individual);
    evaluate_rows(context, island, population, worker);
    ++island.evaluations;
}

Improved improve_one(const Context& context, const Island& island, Worker& worker, Stream& stream,
                     std::size_t slot, std::byte* genome) {
    const Problem& problem = context.problem;
    Improved improved{};
    try {
        improved = context.stages.improve->improve(stream, *worker.deltas, problem.space(),
                                                   problem.objective(), genome);
    } catch (...) {
        refuse_failed(island, slot, evaluation_fault());
    }
    if (std::isnan(improved.fitness)) refuse_not_a_number(island, slot, problem.space(), genome);
    return improved;
}

void refuse_failed(const Island& island, std::size_t slot, std::string_view fault) {
    throw EvaluationError{fmt::format("individual {} in generation {} of island {}: {}", slot,
                                      island.generation, island.index, fault)};
}

void refuse_not_a_number(const Island& island, std::size_t slot, const Space& space, const std::byte* genome,
                         std::string_view column) {
    std::string text = to_text(space, genome);
    constexpr std::size_t shown = 120;
    if (text.size() > shown) text = text.substr(0, shown) + "…";
    throw EvaluationError{fmt::format("the {} of individual {} in generation {} of island {} is not a number "
                                      "(NaN); its genome is {}",
                                      column, slot, island.generation, island.index, text)};
}

} // namespace knossos
