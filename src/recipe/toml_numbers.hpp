#pragma once

// Before toml++, whose other way to read numbers is a stream, which brings locales and all that prints: a
// tenth of what the playground downloads.
#include <knossos/core/text.hpp>

#include <charconv>

#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 200000
// Newer ones know it.
namespace std {

inline from_chars_result from_chars(const char* first, const char* last, double& value,
                                    chars_format = chars_format::general) {
    return knossos::read_real(first, last, value);
}

} // namespace std
#endif
