#pragma once

#include "device/archive_tables.hpp"
#include "device/engine.hpp"
#include "device/memory.hpp"
#include "device/wanted.hpp"

#include <knossos/algorithms/archive.hpp>
#include <knossos/recipe/recipe.hpp>

#include <cstddef>
#include <memory>
#include <optional>

namespace knossos::device {

bool is_gallery(const Recipe& recipe);
bool is_duel(const Recipe& recipe);
/// Of individuals that go their own way.
bool is_walk(const Recipe& recipe);

/// What one device has of a run.
struct Share {
    const Recipe& recipe;
    const Problem& problem;
    const Settings& settings;
    const Device& device;
    const GenerationPlan& plan;
    const Circumstances& circumstances;
    std::size_t islands = 1;
    // Of galleries:
    std::shared_ptr<const Cells> cells{};
    std::optional<ArchiveTables> tables{};
};

/// What that takes of the device's memory. Throws InvalidInput that says how many individuals would fit if it
/// is not there, or if other runs need it.
RunMemory required_memory(const Share& share);

/// What the runs of the next recipe will find taken.
void note_memory(const Device& device, const RunMemory& memory, const Circumstances& circumstances);

} // namespace knossos::device
