#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

/// What the fuzzers share. Each takes any bytes: the reader accepts them or refuses them with a
/// knossos::Error. Every other exception, every crash and everything that require() finds ends the fuzzer.
namespace knossos::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

inline void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
}

/// True for one input in `of`, always the same ones: for checks that take much longer than reading. When a
/// corpus is replayed, true for all.
inline bool is_one_in([[maybe_unused]] std::uint64_t of, [[maybe_unused]] std::string_view input) {
#ifdef KNOSSOS_REPLAY
    return true;
#else
    std::uint64_t hash = 0xCBF29CE484222325U;
    for (const char c : input) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
    return (hash ^ hash >> 32U) % of == 0;
#endif
}

} // namespace knossos::fuzz
