// The studio's frames of a run are read or refused with InvalidInput; what is read is the same when written
// again, but for frames of one generation, of which the last stays.
#include "reel.hpp"
#include "support.hpp"

#include <knossos/core/error.hpp>

using namespace knossos;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const Space space = (data[0] & 1U) != 0 ? Space::permutation(6) : Space::bits(20);
    const std::string_view bytes = fuzz::text_of(data + 1, size - 1);
    try {
        studio::Reel reel{100, 1'000'000};
        studio::unpack_frames(bytes, space, reel);
        const std::string written = studio::pack_frames(reel);
        studio::Reel again{100, 1'000'000};
        studio::unpack_frames(written, space, again);
        fuzz::require(studio::pack_frames(again) == written,
                      "frames are the same when written and read again");
        if (reel.at(0) != nullptr)
            fuzz::require(reel.at(~std::uint64_t{0}) != nullptr, "there is a last frame");
    } catch (const InvalidInput&) {
        return 0;
    }
    return 0;
}
