// memcmp() of the C library for WebAssembly goes byte by byte.
#include <cstddef>
#include <cstdint>

namespace {

std::uint64_t word_at(const unsigned char* place) {
    std::uint64_t word; // NOLINT(cppcoreguidelines-init-variables): all of it is written
    __builtin_memcpy(&word, place, sizeof word);
    return word;
}

} // namespace

extern "C" int memcmp(const void* first, const void* second, std::size_t size) {
    const auto* a = static_cast<const unsigned char*>(first);
    const auto* b = static_cast<const unsigned char*>(second);
    for (; size >= 8 && word_at(a) == word_at(b); size -= 8) {
        a += 8;
        b += 8;
    }
    for (; size != 0; --size, ++a, ++b)
        if (*a != *b) return *a < *b ? -1 : 1;
    return 0;
}
