// memcmp() of the C library for WebAssembly goes byte by byte.
#include <wasm_simd128.h>

#include <cstddef>

extern "C" int memcmp(const void* first, const void* second, std::size_t size) {
    const auto* a = static_cast<const unsigned char*>(first);
    const auto* b = static_cast<const unsigned char*>(second);
    const auto differ = [&](std::size_t at) {
        return wasm_v128_xor(wasm_v128_load(a + at), wasm_v128_load(b + at));
    };
    for (; size >= 64; size -= 64, a += 64, b += 64)
        if (wasm_v128_any_true(
                wasm_v128_or(wasm_v128_or(differ(0), differ(16)), wasm_v128_or(differ(32), differ(48)))))
            break;
    for (; size >= 16 && !wasm_v128_any_true(differ(0)); size -= 16, a += 16, b += 16) {
    }
    for (; size != 0; --size, ++a, ++b)
        if (*a != *b) return *a < *b ? -1 : 1;
    return 0;
}
