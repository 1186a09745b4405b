#pragma once

#include <knossos/run/run.hpp>

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace knossos {

/// Checkpoints of a run that is spread over several processes: each writes the islands it has to
/// FOLDER/epochs/GENERATION.FIRST-LAST.bin. A generation is complete if its files hold all islands, whoever
/// wrote them, so a run can go on with another number of processes.
void write_epoch(const std::filesystem::path& folder, const SnapshotParts& parts, std::uint64_t generation,
                 std::uint64_t recipe_hash);

/// What such a file holds, and back. Reading throws InvalidInput for anything else.
std::vector<std::byte> pack_parts(const SnapshotParts& parts);
SnapshotParts unpack_parts(std::span<const std::byte> bytes);

/// Generations of which the names of the files promise all islands, newest first.
std::vector<std::uint64_t> complete_epochs(const std::filesystem::path& folder, std::uint32_t islands);

/// Some of the islands at a generation. Throws InvalidInput that says which file is missing or damaged.
SnapshotParts load_epoch(const std::filesystem::path& folder, std::uint64_t generation, IslandRange range,
                         std::uint64_t recipe_hash);

/// Removes all but the newest two complete generations; also those that are newer than that but were never
/// completed, if nobody is about to complete them. Only for one process at a time.
void remove_old_epochs(const std::filesystem::path& folder, std::uint32_t islands, bool unfinished_too);

} // namespace knossos
