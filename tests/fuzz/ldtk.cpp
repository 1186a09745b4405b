// As tmx.cpp, for projects of LDtk.
#include "maps.hpp"

namespace {

knossos::tilemap::TileMap read_project(std::string_view bytes, std::string_view source,
                                       const knossos::tilemap::FileReader& files) {
    return knossos::tilemap::read_ldtk(bytes, source, files);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return knossos::fuzz::read_map(knossos::fuzz::text_of(data, size), read_project);
}
