// The reader of Tiled's XML takes any bytes or refuses them with InvalidInput; a map that it takes is the
// same when written and read again, in either notation, and a level can be looked for in it.
#include "maps.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return knossos::fuzz::read_map(knossos::fuzz::text_of(data, size), knossos::tilemap::read_tmx);
}
