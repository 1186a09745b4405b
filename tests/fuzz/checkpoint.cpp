// Damaged checkpoints and snapshots are refused; nothing in them is trusted. The first byte chooses whether
// the checksum is made to fit, so that the fuzzer gets past it.
#include <knossos/classic/one_max.hpp>
#include <knossos/core/error.hpp>
#include <knossos/run/checkpoint.hpp>
#include <knossos/run/run.hpp>

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const bool repaired = (data[0] & 1U) != 0;
    auto bytes = std::as_bytes(std::span{data + 1, size - 1});
    std::vector<std::byte> content{bytes.begin(), bytes.end()};
    if (repaired && content.size() >= 8) {
        const std::uint64_t checksum = knossos::stable_hash(std::span{content}.first(content.size() - 8));
        std::memcpy(content.data() + content.size() - 8, &checksum, 8);
    }
    try {
        (void)knossos::unpack_checkpoint(content, 1);
    } catch (const knossos::Error&) {
    }
    try {
        knossos::Run run{
            knossos::OneMax{.length = 20}, {.population = 4, .stop = knossos::generations(3)}, content};
        run.finish();
    } catch (const knossos::Error&) {
    } catch (const std::bad_alloc&) {
    }
    return 0;
}
