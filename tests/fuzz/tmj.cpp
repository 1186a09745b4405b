// As tmx.cpp, for Tiled's JSON.
#include "maps.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return knossos::fuzz::read_map(knossos::fuzz::text_of(data, size), knossos::tilemap::read_tmj);
}
