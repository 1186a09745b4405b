#include "run/island_bytes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knossos {

void put_space(ByteWriter& out, const Space& space) {
    out.put(static_cast<std::uint8_t>(space.kind));
    out.put(std::uint64_t{space.length});
    out.put(space.alphabet);
    out.put(std::uint64_t{space.ones.value_or(~std::size_t{0})});
    out.put(static_cast<std::uint8_t>(space.gene_bytes));
}

Space get_space(ByteReader& in) {
    Space space;
    space.kind = static_cast<GenomeKind>(in.get<std::uint8_t>());
    space.length = in.get<std::uint64_t>();
    space.alphabet = in.get<std::uint32_t>();
    const auto ones = in.get<std::uint64_t>();
    if (ones != ~std::uint64_t{0}) space.ones = ones;
    space.gene_bytes = in.get<std::uint8_t>();
    return space;
}

void put_hall(ByteWriter& out, std::span<const Found> hall) {
    out.put(std::uint64_t{hall.size()});
    for (const Found& found : hall) {
        out.put(found.fitness);
        out.put(found.generation);
        out.put(found.evaluations);
        out.put_bytes(found.genome);
    }
}

std::vector<Found> get_hall(ByteReader& in, const Space& space) {
    std::vector<Found> hall;
    for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
        Found& found = hall.emplace_back();
        found.fitness = in.get<double>();
        found.generation = in.get<std::uint64_t>();
        found.evaluations = in.get<std::uint64_t>();
        const auto genome = in.take(space.genome_bytes());
        found.genome.assign(genome.begin(), genome.end());
    }
    return hall;
}

void put_population(ByteWriter& out, const Population& population) {
    out.put_bytes(population.bytes());
    out.put_bytes(std::as_bytes(population.fitness()));
}

void get_population(ByteReader& in, Population& population) {
    std::ranges::copy(in.take(population.bytes().size()), population.bytes().begin());
    for (double& fitness : population.fitness()) fitness = in.get<double>();
}

void put_island(ByteWriter& out, const Island& island) {
    out.put(island.generation);
    out.put(island.evaluations);
    out.put(island.restarts);
    out.put(island.improved_at);
    out.put(island.era_best);
    island.kept.write(out);
    put_population(out, island.current);
    put_hall(out, island.hall);
}

void get_island(ByteReader& in, const Space& space, Island& island) {
    island.generation = in.get<std::uint64_t>();
    island.evaluations = in.get<std::uint64_t>();
    island.restarts = in.get<std::uint64_t>();
    island.improved_at = in.get<std::uint64_t>();
    island.era_best = in.get<double>();
    if (!island.kept.read(in))
        throw InvalidInput{"the snapshot is damaged: what the algorithm kept makes no sense"};
    get_population(in, island.current);
    island.hall = get_hall(in, space);
    const bool is_number =
        !std::isnan(island.era_best) &&
        std::ranges::none_of(island.current.fitness(), [](double x) { return std::isnan(x); }) &&
        std::ranges::none_of(island.hall, [](const Found& x) { return std::isnan(x.fitness); });
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
