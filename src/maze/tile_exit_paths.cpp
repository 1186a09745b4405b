// Compiled once per instruction set: Highway includes this file again for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "maze/tile_exit_paths.cpp"
#include "core/highway_targets.hpp"
#define HWY_DISABLED_TARGETS KNOSSOS_SCALABLE_TARGETS
#include <hwy/foreach_target.h>
// Highway must follow the line above.
#include "maze/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace knossos::maze::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

std::size_t size_of_tile(std::uint32_t) { return 0; }
void exit_paths_of_tile(const TileShape&, const TileMemory&, std::int32_t*) {}

#else

std::size_t size_of_tile(std::uint32_t width) {
    return width <= 32 ? Lanes<std::uint32_t>::tile() : Lanes<std::uint64_t>::tile();
}

namespace {

template <class Row>
void exit_paths_in(const TileShape& shape, const TileMemory& memory, std::int32_t* out) {
    typename Lanes<Row>::FloodCounts counts;
    Lanes<Row>::template exit_paths<false>(shape, memory, counts, out);
}

} // namespace

void exit_paths_of_tile(const TileShape& shape, const TileMemory& memory, std::int32_t* out) {
    if (shape.width <= 32)
        exit_paths_in<std::uint32_t>(shape, memory, out);
    else
        exit_paths_in<std::uint64_t>(shape, memory, out);
}

#endif

} // namespace knossos::maze::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace knossos::maze {

namespace {

HWY_EXPORT(size_of_tile);
HWY_EXPORT(exit_paths_of_tile);

} // namespace

std::size_t tile_size(std::uint32_t width) { return HWY_DYNAMIC_DISPATCH(size_of_tile)(width); }

void tile_exit_paths(const TileShape& shape, const TileMemory& memory, std::int32_t* out) {
    HWY_DYNAMIC_DISPATCH(exit_paths_of_tile)(shape, memory, out);
}

} // namespace knossos::maze

#endif
