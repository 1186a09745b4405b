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
void put_island(ByteWriter& out, const Island& island);
void get_island(ByteReader& in, const Problem& problem, Island& island);

} // namespace knossos
