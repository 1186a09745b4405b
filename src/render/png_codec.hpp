#pragma once

#include <knossos/render/picture.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What a PNG is made of, of which there are two: with libpng, and without it (src/portable).
namespace knossos::render {

/// The checksum of a chunk, which is that of zlib and of ZIP.
std::uint32_t checksum_of(std::string_view bytes);

/// Pixels of 3 or 4 bytes each as a PNG, without any text.
std::string pack_png(std::uint32_t width, std::uint32_t height, unsigned channels,
                     const std::vector<std::uint8_t>& pixels);

/// Throws InvalidInput, also where there are more than `max_pixels`.
Pixels unpack_png(std::string_view bytes, std::uint64_t max_pixels);

} // namespace knossos::render
