#pragma once

#include <knossos/tilemap/files.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace knossos::tilemap {

/// Text in base64, blanks and line breaks in it aside. Throws InvalidInput with what is wrong.
std::string from_base64(std::string_view text);
std::string to_base64(std::string_view bytes);

/// What was compressed, which must be exactly `size` bytes: nothing makes this take more memory. Throws
/// InvalidInput with what is wrong.
std::string decompressed(std::string_view bytes, Encoding encoding, std::size_t size);
std::string compressed(std::string_view bytes, Encoding encoding);

} // namespace knossos::tilemap
