// Every level reader, chosen by the first byte, takes any bytes or refuses them with InvalidInput; what it
// takes can be measured.
#include <knossos/core/error.hpp>
#include <knossos/maze/measures.hpp>
#include <knossos/render/level_reader.hpp>

#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const auto kind = static_cast<knossos::render::LevelSource>(data[0] % 5);
    const std::string_view bytes{reinterpret_cast<const char*>(data + 1), size - 1};
    try {
        const auto level = knossos::render::parse_level_as(kind, bytes, "fuzz");
        (void)knossos::maze::measure(level);
    } catch (const knossos::Error&) {
    }
    return 0;
}
