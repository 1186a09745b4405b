#include "render/png_codec.hpp"

#include <knossos/core/error.hpp>

#include <fmt/format.h>

#include <png.h>
#include <zlib.h>

namespace knossos::render {

namespace {

// Frees what libpng holds, whichever way the function is left.
struct Image {
    png_image png{};
    Image() { png.version = PNG_IMAGE_VERSION; }
    Image(const Image&) = delete;
    Image& operator=(const Image&) = delete;
    ~Image() { png_image_free(&png); }
};

} // namespace

std::uint32_t checksum_of(std::string_view bytes) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): zlib's bytes
    const auto* const data = reinterpret_cast<const Bytef*>(bytes.data());
    return static_cast<std::uint32_t>(crc32_z(0, data, bytes.size()));
}

std::string pack_png(std::uint32_t width, std::uint32_t height, unsigned channels,
                     const std::vector<std::uint8_t>& pixels) {
    Image image;
    image.png.width = width;
    image.png.height = height;
    image.png.format = channels == 4 ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB;
    std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(image.png), '\0');
    png_alloc_size_t size = bytes.size();
    if (png_image_write_to_memory(&image.png, bytes.data(), &size, 0, pixels.data(), 0, nullptr) == 0)
        throw Error{fmt::format("the PNG could not be made: {}", image.png.message)};
    bytes.resize(size);
    return bytes;
}

Pixels unpack_png(std::string_view bytes, std::uint64_t max_pixels) {
    Image image;
    if (png_image_begin_read_from_memory(&image.png, bytes.data(), bytes.size()) == 0)
        throw InvalidInput{fmt::format("this is not a PNG that can be read: {}", image.png.message)};
    const std::uint64_t area = std::uint64_t{image.png.width} * image.png.height;
    if (area > max_pixels)
        throw InvalidInput{fmt::format("the PNG has {} × {} pixels; at most {} are read", image.png.width,
                                       image.png.height, max_pixels)};
    image.png.format = PNG_FORMAT_RGB;
    Pixels pixels{.width = image.png.width, .height = image.png.height, .rgb = {}};
    pixels.rgb.resize(area * 3);
    const png_color white{255, 255, 255};
    if (png_image_finish_read(&image.png, &white, pixels.rgb.data(), 0, nullptr) == 0)
        throw InvalidInput{fmt::format("the PNG is damaged: {}", image.png.message)};
    return pixels;
}

} // namespace knossos::render
