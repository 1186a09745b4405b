#pragma once

#include <knossos/core/grid_batch.hpp>
#include <knossos/dungeon/judge.hpp>

#include <functional>

namespace knossos::dungeon {

/// Judges dungeons of bytes, each the number of a tile, on so many threads (0: one per hardware thread).
/// `judged` is called from several threads, for each dungeon once. Throws InvalidInput that says which
/// dungeon can't be judged, and why.
void judge(const GridBatch& dungeons, MeasureSet wanted, unsigned threads,
           const std::function<void(std::size_t index, const Judgement& judgement)>& judged);

} // namespace knossos::dungeon
