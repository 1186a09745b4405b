#pragma once

#include <cstddef>
#include <string_view>

namespace knossos {

/// The most parts that a dotted key of a TOML text has: 3 for a.b.c = 1. Parsers that follow such keys by
/// recursion are not given texts of strangers with thousands of parts.
std::size_t most_key_parts(std::string_view toml);

constexpr std::size_t allowed_key_parts = 32;

} // namespace knossos
