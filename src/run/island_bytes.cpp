#include "run/island_bytes.hpp"

#include <knossos/algorithms/archive.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knossos {

void put_space(ByteWriter& out, const Space& space) {
    out.put(static_cast<std::uint8_t>(space.kind));
    out.put(std::uint64_t{space.length});
    out.put(space.alphabet);
    out.put(space.ones ? std::uint64_t{*space.ones} : ~std::uint64_t{0}); // sizes have 32 bits elsewhere
    out.put(static_cast<std::uint8_t>(space.gene_bytes));
    if (space.kind != GenomeKind::reals) return;
    out.put(space.common_bounds);
    out.put(static_cast<std::uint8_t>(space.own_bounds ? 1 : 0));
    if (space.own_bounds) out.put_bytes(std::as_bytes(std::span{*space.own_bounds}));
}

Space get_space(ByteReader& in) {
    Space space;
    space.kind = static_cast<GenomeKind>(in.get<std::uint8_t>());
    space.length = in.get<std::uint64_t>();
    space.alphabet = in.get<std::uint32_t>();
    const auto ones = in.get<std::uint64_t>();
    if (ones != ~std::uint64_t{0}) space.ones = ones;
    space.gene_bytes = in.get<std::uint8_t>();
    if (space.kind != GenomeKind::reals) return space;
    space.common_bounds = in.get<Bounds>();
    if (in.get<std::uint8_t>() == 0) return space;
    std::vector<Bounds> own;
    for (std::size_t i = 0; i < space.length; ++i) own.push_back(in.get<Bounds>());
    space.own_bounds = std::make_shared<const std::vector<Bounds>>(std::move(own));
    return space;
}

void put_hall(ByteWriter& out, std::span<const Found> hall) {
    out.put(std::uint64_t{hall.size()});
    for (const Found& found : hall) {
        out.put(found.quality);
        out.put(found.generation);
        out.put(found.evaluations);
        out.put_bytes(found.genome);
        out.put_bytes(std::as_bytes(std::span{found.record}));
    }
}

std::vector<Found> get_hall(ByteReader& in, const Space& space, const Schema& schema) {
    std::vector<Found> hall;
    for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
        Found& found = hall.emplace_back();
        found.quality = in.get<Quality>();
        found.generation = in.get<std::uint64_t>();
        found.evaluations = in.get<std::uint64_t>();
        const auto genome = in.take(space.genome_bytes());
        found.genome.assign(genome.begin(), genome.end());
        if (schema.plain()) continue;
        found.record.resize(schema.size());
        for (double& value : found.record) value = in.get<double>();
    }
    return hall;
}

void put_population(ByteWriter& out, const Population& population) {
    out.put_bytes(population.bytes());
    for (std::size_t column = 0; column < population.columns(); ++column)
        out.put_bytes(std::as_bytes(population.column(column)));
}

void get_population(ByteReader& in, const Schema& schema, Population& population) {
    std::ranges::copy(in.take(population.bytes().size()), population.bytes().begin());
    for (std::size_t column = 0; column < population.columns(); ++column)
        for (double& value : population.column(column)) value = in.get<double>();
    for (std::size_t i = 0; i < population.size(); ++i) rate(schema, population, i);
}

void put_island(ByteWriter& out, const Island& island, bool may_grow) {
    out.put(island.generation);
    out.put(island.evaluations);
    out.put(island.steps);
    out.put(island.restarts);
    out.put(island.improved_at);
    out.put(island.era_best);
    out.put(island.front_merit);
    island.kept.write(out);
    if (may_grow) out.put(std::uint64_t{island.current.size()});
    put_population(out, island.current);
    put_hall(out, island.hall);
}

namespace {

// Whether an evaluation could have given the value.
bool is_possible(const Column& column, double value) {
    if (column.role == Role::violation) return value >= 0.0;
    if (column.role == Role::descriptor) return value >= column.low && value <= column.high;
    return !std::isnan(value);
}

bool is_sound(const Population& population, const Schema& schema) {
    for (std::size_t column = 0; column < population.columns(); ++column)
        if (!std::ranges::all_of(population.column(column),
                                 [&](double x) { return is_possible(schema.columns()[column], x); }))
            return false;
    return true;
}

// Values that no evaluation could have given, or that don't belong together.
bool is_sound(const Found& found, const Schema& schema) {
    for (std::size_t column = 0; column < found.record.size(); ++column)
        if (!is_possible(schema.columns()[column], found.record[column])) return false;
    if (!schema.plain()) return found.quality == schema.quality(found.record);
    return is_possible(schema.columns()[0], found.quality.fitness) && found.quality.violation == 0.0;
}

// A hypervolume is a share; of an archive each cell may be worth 1.
double most_merit(const Schema& schema) {
    return schema.merit() == Merit::qd_score ? static_cast<double>(most_cells) : 1.0;
}

} // namespace

void get_island(ByteReader& in, const Problem& problem, bool may_grow, Island& island) {
    const Space& space = problem.space();
    island.generation = in.get<std::uint64_t>();
    island.evaluations = in.get<std::uint64_t>();
    island.steps = in.get<std::uint64_t>();
    island.restarts = in.get<std::uint64_t>();
    island.improved_at = in.get<std::uint64_t>();
    island.era_best = in.get<Quality>();
    island.front_merit = in.get<Quality>();
    if (!island.kept.read(in))
        throw InvalidInput{"the snapshot is damaged: what the algorithm kept makes no sense"};
    if (may_grow) {
        const auto size = in.get<std::uint64_t>();
        // Asked for before memory is.
        if (size == 0 || size > in.left() / (space.genome_bytes() + problem.schema().size() * sizeof(double)))
            throw InvalidInput{"the snapshot is damaged: a population in it is longer than it is"};
        island.current = Population{space, static_cast<std::size_t>(size), problem.schema().size()};
    }
    get_population(in, problem.schema(), island.current);
    island.hall = get_hall(in, space, problem.schema());
    const bool is_number =
        !std::isnan(island.era_best.fitness) && island.era_best.violation >= 0.0 &&
        island.front_merit.fitness <= most_merit(problem.schema()) && island.front_merit.violation >= 0.0 &&
        is_sound(island.current, problem.schema()) &&
        std::ranges::all_of(island.hall, [&](const Found& x) { return is_sound(x, problem.schema()); });
    // One restart a generation at most.
    if (island.hall.empty() || island.improved_at > island.generation ||
        island.restarts > island.generation || !is_number ||
        std::ranges::any_of(island.hall, [&](const Found& x) { return x.generation > island.generation; }))
        throw InvalidInput{"the snapshot is damaged: an island in it makes no sense"};
    for (std::size_t i = 0; i < island.current.size(); ++i)
        if (!is_valid(space, island.current.genome(i)))
            throw InvalidInput{
                fmt::format("the snapshot is damaged: individual {} is no genome of {}", i, describe(space))};
    for (const Found& found : island.hall)
        if (!is_valid(space, found.genome.data()))
            throw InvalidInput{
                fmt::format("the snapshot is damaged: one of the best is no genome of {}", describe(space))};
}

} // namespace knossos
