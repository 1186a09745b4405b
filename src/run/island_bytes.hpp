#pragma once

#include <knossos/core/bytes.hpp>

#include <knossos/algorithms/island.hpp>

namespace knossos {

/// How islands and their parts are written in snapshots and sent to other members of a run.
void put_space(ByteWriter& out, const Space& space);
Space get_space(ByteReader& in);
void put_hall(ByteWriter& out, std::span<const Found> hall);
std::vector<Found> get_hall(ByteReader& in, const Space& space, const Schema& schema);
void put_population(ByteWriter& out, const Population& population);
/// Fills a population of the size, space and columns that was written.
void get_population(ByteReader& in, const Schema& schema, Population& population);
/// A population that may grow is written with its size.
void put_island(ByteWriter& out, const Island& island, bool may_grow);
void get_island(ByteReader& in, const Problem& problem, bool may_grow, Island& island);

} // namespace knossos
